import { describe, expect, it } from "vitest";
import {
  BernoulliNB,
  CategoricalNB,
  ComplementNB,
  type FittedNaiveBayes,
  GaussianNB,
  MixedNB,
  MultinomialNB,
} from "../../src/bayes/index.js";
import { CsrMatrix, Matrix } from "../../src/data/index.js";
import { loadModel, saveModel } from "../../src/persistence/index.js";
import { fc } from "../support/properties.js";

interface AnyNaiveBayes {
  readonly id: string;
  fit(x: number[][] | CsrMatrix, y: string[], options?: object): FittedNaiveBayes<string>;
  partialFit(
    model: FittedNaiveBayes<string> | null,
    x: number[][],
    y: string[],
    options?: object,
  ): FittedNaiveBayes<string>;
}

const blocks = [
  { model: "gaussian", columns: [1] },
  { model: "categorical", columns: [0] },
] as const;
const estimators = [
  new BernoulliNB({ binarize: 2 }),
  new MultinomialNB({ priorAlpha: 0.5 }),
  new ComplementNB({ norm: true }),
  new CategoricalNB({ alpha: 0.5 }),
  new GaussianNB(),
  new MixedNB({ blocks, rest: "multinomial" }),
] as unknown as AnyNaiveBayes[];
const classes = ["a", "b", "c"];

interface Rows {
  readonly X: number[][];
  readonly y: string[];
}

/** Counts with three columns or more; the first two rows are of different classes. */
const rows: fc.Arbitrary<Rows> = fc
  .tuple(fc.integer({ min: 2, max: 14 }), fc.integer({ min: 3, max: 5 }))
  .chain(([n, d]) =>
    fc.record({
      X: fc.array(fc.array(fc.nat(9), { minLength: d, maxLength: d }), { minLength: n, maxLength: n }),
      y: fc
        .array(fc.constantFrom(...classes), { minLength: n - 2, maxLength: n - 2 })
        .map((rest) => ["a", "b", ...rest]),
    }),
  );

/** Logarithms of the same sums in another order. Probabilities, since a log-density of a narrow class may be −1e9. */
function expectSame(one: FittedNaiveBayes<string>, other: FittedNaiveBayes<string>, X: number[][]): void {
  const [p, q] = [one.predictProba(X).data, other.predictProba(X).data];
  p.forEach((v, e) => {
    expect(Math.abs(v - q[e]!)).toBeLessThanOrEqual(1e-6);
  });
  const [l, m] = [one.logLikelihood(X).data, other.logLikelihood(X).data];
  l.forEach((v, e) => {
    expect(Math.abs(v - m[e]!)).toBeLessThanOrEqual(1e-11 * (1 + Math.abs(v)));
  });
}

describe.each(estimators.map((estimator) => [estimator.id, estimator] as const))("%s", (_, estimator) => {
  it("any split into partial fits is one fit", () => {
    fc.assert(
      fc.property(rows, fc.array(fc.nat(14), { maxLength: 4 }), ({ X, y }, cuts) => {
        const present = classes.filter((label) => y.includes(label));
        const ends = [...new Set([...cuts.filter((cut) => cut > 0 && cut < X.length), X.length])].sort(
          (a, b) => a - b,
        );
        let model: FittedNaiveBayes<string> | null = null;
        let from = 0;
        for (const to of ends) {
          model = estimator.partialFit(model, X.slice(from, to), y.slice(from, to), { classes: present });
          from = to;
        }
        expectSame(model!, estimator.fit(X, y), X);
      }),
    );
  });

  it("a weight of 2 is the row twice, a weight of 0 the row gone", () => {
    fc.assert(
      fc.property(rows, fc.array(fc.nat(2), { minLength: 12, maxLength: 12 }), ({ X, y }, drawn) => {
        const sampleWeight = X.map((_, i) => (i < 2 ? 1 + (i % 2) : drawn[i - 2]!));
        const chosen = X.flatMap((_, i) => Array<number>(sampleWeight[i]!).fill(i));
        const repeated = estimator.fit(
          chosen.map((i) => X[i]!),
          chosen.map((i) => y[i]!),
        );
        expectSame(estimator.fit(X, y, { sampleWeight }), repeated, X);
      }),
    );
  });

  it("probabilities are in [0, 1] and sum to 1, for any finite row", () => {
    const wild = fc.oneof(fc.nat(9), fc.constantFrom(0, 1e3, 1e15, 1e100, 1e300, Number.MAX_VALUE));
    fc.assert(
      fc.property(rows, fc.array(wild, { minLength: 5, maxLength: 5 }), ({ X, y }, row) => {
        const model = estimator.fit(X, y);
        const { data, cols } = model.predictProba([...X, row.slice(0, X[0]!.length)]);
        for (let at = 0; at < data.length; at += cols) {
          const p = data.subarray(at, at + cols);
          expect(p.every((v) => v >= 0 && v <= 1)).toBe(true);
          expect(p.reduce((sum, v) => sum + v, 0)).toBeCloseTo(1, 12);
        }
      }),
    );
  });

  it("load ∘ save is the identity", () => {
    fc.assert(
      fc.property(rows, ({ X, y }) => {
        const model = estimator.fit(X, y);
        const back = loadModel(saveModel(model)) as unknown as typeof model;
        expect(back.predictJointLogProba(X)).toEqual(model.predictJointLogProba(X));
      }),
      { numRuns: 20 },
    );
  });
});

const thin = rows.map(({ X, y }) => ({ X: X.map((row) => row.map((v) => (v > 5 ? v - 5 : 0))), y }));

describe.each(estimators.slice(0, 4).map((estimator) => [estimator.id, estimator] as const))(
  "%s on sparse rows",
  (_, estimator) => {
    it("learns and says what it does on dense ones", () => {
      fc.assert(
        fc.property(thin, ({ X, y }) => {
          const sparse = CsrMatrix.fromDense(Matrix.fromRows(X));
          const model = estimator.fit(sparse, y);
          expectSame(model, estimator.fit(X, y), X);
          const [l, m] = [model.logLikelihood(sparse).data, model.logLikelihood(X).data];
          l.forEach((v, e) => {
            expect(Math.abs(v - m[e]!)).toBeLessThanOrEqual(1e-12 * (1 + Math.abs(v)));
          });
        }),
      );
    });
  },
);

describe("counts", () => {
  it("duplicating a document doubles its counts", () => {
    fc.assert(
      fc.property(rows, ({ X, y }) => {
        const once = new MultinomialNB().fit(X, y);
        const twice = new MultinomialNB().fit([...X, ...X], [...y, ...y]);
        expect(twice.featureCount.data).toEqual(once.featureCount.data.map((count) => 2 * count));
        const long = new MultinomialNB().fit(
          X.map((row) => row.map((v) => 2 * v)),
          y,
        );
        expect(long.featureCount.data).toEqual(twice.featureCount.data);
      }),
    );
  });

  it("feature probabilities of a class sum to 1", () => {
    fc.assert(
      fc.property(rows, fc.double({ min: 0, max: 3, noNaN: true }), ({ X, y }, alpha) => {
        const { featureLogProb } = new MultinomialNB({ alpha }).fit(X, y);
        const tables = [featureLogProb, ...new CategoricalNB({ alpha }).fit(X, y).featureLogProb];
        for (const table of tables) {
          for (let k = 0; k < table.rows; k++)
            expect(table.row(k).reduce((sum, v) => sum + Math.exp(v), 0)).toBeCloseTo(1, 12);
        }
      }),
    );
  });
});
