import {
  CalibratedClassifier,
  columnTransformer,
  crossValidate,
  DecisionTreeClassifier,
  type FitOptions,
  type FittedModel,
  GridSearch,
  KFold,
  LogisticRegression,
  logUniform,
  Matrix,
  type MatrixLike,
  OneHotEncoder,
  pipeline,
  Random,
  RandomSearch,
  StandardScaler,
  StratifiedKFold,
  Table,
  TargetEncoder,
  ThresholdClassifier,
} from "argmax";
import { describe, expect, it } from "vitest";

/** Remembers the rows that it was fitted on, by their first number. */
class Witness {
  readonly fits: Set<number>[] = [];
  readonly transformed: Set<number>[] = [];

  fit(
    x: MatrixLike,
    _y?: unknown,
    _options?: FitOptions,
  ): FittedModel & { transform(x: MatrixLike): Matrix } {
    const seen = (rows: MatrixLike) => new Set((rows as Matrix).column(0));
    this.fits.push(seen(x));
    const { transformed } = this;
    return {
      nFeatures: 2,
      toState: () => ({ kind: "Witness", params: {}, values: {}, tensors: {} }),
      transform: (rows) => {
        transformed.push(seen(rows));
        return rows as Matrix;
      },
    };
  }
}

const random = new Random(8);
const rows = Matrix.fromRows(Array.from({ length: 60 }, (_, i) => [i, random.normal()]));
const labels = Array.from({ length: 60 }, (_, i) => (i % 2 === 0 ? "a" : "b"));

describe("cross-validation of a pipeline", () => {
  it.each([
    ["as a step", (witness: Witness) => pipeline(witness, new LogisticRegression())],
    [
      "inside a column transformer",
      (witness: Witness) => pipeline(columnTransformer({ w: [witness, [0, 1]] }), new LogisticRegression()),
    ],
    [
      "inside a pipeline inside a column transformer",
      (witness: Witness) =>
        pipeline(
          columnTransformer({ w: [pipeline(witness, new StandardScaler()), [0, 1]] }),
          new LogisticRegression(),
        ),
    ],
  ])("never shows a transformer the rows of the test fold: %s", (_, build) => {
    const witness = new Witness();
    const cv = new KFold({ nSplits: 4, shuffle: true, randomState: 2 });
    crossValidate(build(witness), rows, labels, { cv });
    const folds = cv.split(rows);
    expect(witness.fits.length).toBe(4);
    for (const [f, { train, test }] of folds.entries()) {
      expect(witness.fits[f]).toEqual(new Set(train));
      expect(test.some((i) => witness.fits[f]!.has(i))).toBe(false);
    }
    expect(witness.transformed.some((seen) => folds[0]!.test.every((i) => seen.has(i)))).toBe(true);
  });
});

describe("nested cross-validation", () => {
  const steps = (witness: Witness) => pipeline(["witness", witness], ["model", new LogisticRegression()]);
  const grid = { "model.C": [0.1, 1, 10] };

  it.each([
    [
      "GridSearch",
      // Three candidates in two folds, and the best one on all rows.
      3 * 2 + 1,
      (witness: Witness) => new GridSearch({ estimator: steps(witness), cv: 2, grid }),
    ],
    [
      "RandomSearch",
      4 * 2 + 1,
      (witness: Witness) =>
        new RandomSearch({
          estimator: steps(witness),
          cv: 2,
          nIter: 4,
          space: { "model.C": logUniform(0.01, 10) },
        }),
    ],
    [
      "ThresholdClassifier of a search",
      3 * (3 * 2 + 1),
      (witness: Witness) =>
        new ThresholdClassifier({
          estimator: new GridSearch({ estimator: steps(witness), cv: 2, grid }),
          positiveLabel: "a",
          cv: 2,
        }),
    ],
    [
      "CalibratedClassifier",
      3,
      (witness: Witness) => new CalibratedClassifier({ estimator: steps(witness), cv: 3 }),
    ],
  ])("%s never sees the rows of the outer test fold", (_, fitsPerFold, build) => {
    const witness = new Witness();
    const cv = new StratifiedKFold({ nSplits: 3, shuffle: true, randomState: 4 });
    const { testScore } = crossValidate(build(witness) as unknown as LogisticRegression, rows, labels, {
      cv,
    });
    expect(testScore.length).toBe(3);
    expect(witness.fits.length).toBe(3 * fitsPerFold);
    cv.split(rows, labels).forEach(({ train, test }, f) => {
      const own = witness.fits.slice(f * fitsPerFold, (f + 1) * fitsPerFold);
      for (const seen of own) expect(test.some((i) => seen.has(i))).toBe(false);
      // Together, the inner fits have seen all rows of the outer training fold: nothing was lost either.
      expect(new Set(own.flatMap((seen) => [...seen]))).toEqual(new Set(train));
    });
  });

  it("judges the procedure: of labels without a pattern, the best inner score is optimistically biased and the outer is not", () => {
    const draw = new Random(12);
    const X = Matrix.fromRows(
      Array.from({ length: 60 }, () => Array.from({ length: 5 }, () => draw.normal())),
    );
    const y = Array.from({ length: 60 }, () => (draw.uniform() < 0.5 ? "a" : "b"));
    const search = new GridSearch({
      estimator: new DecisionTreeClassifier(),
      cv: 4,
      grid: { maxDepth: [1, 2, 3, 4, 5], minSamplesLeaf: [1, 2, 4, 8], maxFeatures: [1, 2, 3, 4, 5] },
    });
    const inner = search.fit(X, y).bestScore;
    const outer = meanOf(crossValidate(search, X, y, { cv: 4 }).testScore);
    expect(inner).toBeGreaterThan(0.6);
    expect(outer).toBeLessThan(inner);
    // 60 fair coins: 0.5 ± 0.065.
    expect(Math.abs(outer - 0.5)).toBeLessThan(3 * 0.065);
  });
});

const meanOf = (list: ArrayLike<number>) => Array.from(list).reduce((sum, s) => sum + s, 0) / list.length;

describe("target encoding of random labels", () => {
  // A category per four rows, and labels that know nothing of them.
  const draw = new Random(3);
  const n = 800;
  const table = Table.fromColumns({
    user: Array.from({ length: n }, () => `u${draw.below(200)}`),
    shop: Array.from({ length: n }, () => `s${draw.below(100)}`),
  });
  const y = Array.from({ length: n }, () => (draw.uniform() < 0.5 ? "no" : "yes"));
  const tree = () => new DecisionTreeClassifier({ maxDepth: 4, randomState: 0 });

  it("scores no better than chance in cross-validation, and also on its own rows when these are encoded by folds", () => {
    // 800 fair coins: 0.5 ± 0.018, three deviations to each side.
    const chance = [0.5 - 0.054, 0.5 + 0.054] as const;
    const scores = crossValidate(pipeline(new TargetEncoder(), new LogisticRegression()), table, y, {
      cv: 5,
    });
    const mean = meanOf(scores.testScore);
    expect(mean).toBeGreaterThan(chance[0]);
    expect(mean).toBeLessThan(chance[1]);
    // Encoded with their own targets, rows betray them.
    const naive = new TargetEncoder().fit(table, y).transform(table);
    const honest = new TargetEncoder().fitTransform(table, y);
    const own = (X: Matrix) => new LogisticRegression().fit(X, y).score(X, y);
    expect(own(naive)).toBeGreaterThan(0.65);
    expect(own(honest)).toBeLessThan(0.5 + 0.08);
  });

  it("does so also inside a column transformer and beside other encoders", () => {
    const columns = columnTransformer({
      user: [pipeline(new TargetEncoder(), new StandardScaler()), ["user"]],
      shop: [new OneHotEncoder({ handleUnknown: "ignore", maxCategories: 5 }), ["shop"]],
    });
    const model = pipeline(columns, tree());
    const scores = crossValidate(model, table, y, { cv: 5 }).testScore;
    expect(Math.abs(meanOf(scores) - 0.5)).toBeLessThan(0.054);
    // The tree saw encodings by folds in its fit: it has not memorised labels.
    expect(model.fit(table, y).score(table, y)).toBeLessThan(0.65);
  });
});
