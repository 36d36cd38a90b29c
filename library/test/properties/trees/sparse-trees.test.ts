import { describe, expect, it } from "vitest";
import { AdaBoostClassifier } from "../../../src/adaboost/index.js";
import { BaggingClassifier } from "../../../src/bagging/index.js";
import { Random } from "../../../src/core/numbers/random.js";
import { CsrMatrix } from "../../../src/data/csr-matrix.js";
import { Matrix } from "../../../src/data/matrix.js";
import {
  ExtraTreesClassifier,
  ExtraTreesRegressor,
  RandomForestClassifier,
  RandomForestRegressor,
} from "../../../src/forests/index.js";
import { setThreads, threads } from "../../../src/numeric/runtime/threads.js";
import type { GrownTree } from "../../../src/numeric/trees/grow-tree.js";
import { DecisionTreeClassifier, DecisionTreeRegressor } from "../../../src/trees/index.js";
import { fc } from "../../support/properties.js";

const { NaN: MISSING } = Number;
const list = <T>(of: fc.Arbitrary<T>, length: number) =>
  fc.array(of, { minLength: length, maxLength: length });

/** Quarters: sums are exact in any order, and some values are equal. */
const quarter = fc.integer({ min: -8, max: 8 }).map((v) => v / 4);
/** Mostly zeros, some of them stored. */
const entry = fc.oneof(
  { weight: 12, arbitrary: fc.constant({ value: 0, stored: false }) },
  { weight: 1, arbitrary: fc.constantFrom({ value: 0, stored: true }, { value: -0, stored: true }) },
  { weight: 5, arbitrary: quarter.map((value) => ({ value, stored: true })) },
  { weight: 1, arbitrary: fc.constant({ value: MISSING, stored: true }) },
);

const problem = (answers: number) =>
  fc.tuple(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 8, max: 40 })).chain(([cols, rows]) =>
    fc.record({
      entries: list(list(entry, cols), rows),
      y: list(fc.integer({ min: 0, max: answers - 1 }), rows).map((y) =>
        y.map((k, i) => (i < answers ? i : k)),
      ),
      weights: fc.oneof(
        fc.constant(undefined),
        list(fc.integer({ min: 1, max: 3 }), rows),
        list(fc.integer({ min: 0, max: 8 }), rows).map((w) => w.map((v, i) => (i < answers ? 1 : v / 4))),
      ),
    }),
  );

const controls = fc.record(
  {
    maxDepth: fc.integer({ min: 1, max: 6 }),
    maxLeafNodes: fc.integer({ min: 2, max: 9 }),
    minSamplesSplit: fc.integer({ min: 2, max: 9 }),
    minSamplesLeaf: fc.integer({ min: 1, max: 5 }),
    minWeightFractionLeaf: fc.constantFrom(0.05, 0.25),
    minImpurityDecrease: fc.constantFrom(0.01, 0.0625),
    maxFeatures: fc.constantFrom("sqrt" as const, 1, 0.5, null),
    randomState: fc.integer({ min: 0, max: 99 }),
  },
  { requiredKeys: [] },
);

type Entries = { value: number; stored: boolean }[][];
function matrices(entries: Entries): { dense: Matrix; sparse: CsrMatrix } {
  const rows = entries.map((row) =>
    row.flatMap(({ value, stored }, j) => (stored ? [[j, value] as const] : [])),
  );
  const dense = Matrix.fromRows(entries.map((row) => row.map(({ value }) => value)));
  return { dense, sparse: CsrMatrix.fromRows(rows, entries[0]!.length) };
}

/** Rows to ask about, more than a kernel needs, dense and sparse. */
function asked(cols: number): { dense: Matrix; sparse: CsrMatrix } {
  const random = new Random(cols);
  const dense = Matrix.zeros(300, cols);
  for (let e = 0; e < dense.data.length; e++) {
    const drawn = random.uniform();
    dense.data[e] = drawn < 0.6 ? 0 : drawn < 0.65 ? MISSING : Math.round(8 * random.normal()) / 4;
  }
  return { dense, sparse: CsrMatrix.fromDense(dense) };
}

const classTrees = ["gini", "entropy", "twoing", "nodeError"] as const;
const targetTrees = ["squaredError", "poisson", "absoluteError"] as const;

describe.each([2, 3])("trees of %i classes on sparse rows", (classes) => {
  it.each(classTrees)("are those of the same dense rows: %s", (criterion) => {
    fc.assert(
      fc.property(
        problem(classes),
        controls,
        fc.constantFrom("best", "random"),
        ({ entries, y, weights }, own, splitter) => {
          const { dense, sparse } = matrices(entries);
          const fit = { sampleWeight: weights };
          const estimator = new DecisionTreeClassifier({ criterion, splitter, ...own } as object);
          const [one, other] = [estimator.fit(sparse, y, fit), estimator.fit(dense, y, fit)];
          expect(one.tree.grown).toEqual(other.tree.grown);
          const z = asked(sparse.cols);
          const answers = other.predictProba(z.dense);
          expect(one.predictProba(z.sparse)).toEqual(answers);
          expect(one.predictProba(z.sparse.selectRows([7])).data).toEqual(
            answers.data.slice(7 * classes, 8 * classes),
          );
        },
      ),
    );
  });
});

/** Impurities of Poisson trees are sums of logarithms, which round in another order; everything else is the same to the last bit. */
function expectSame(one: GrownTree, other: GrownTree, criterion: string): void {
  if (criterion !== "poisson") {
    expect(one).toEqual(other);
    return;
  }
  const { impurities, ...rest } = one;
  expect({ ...rest, impurities: other.impurities }).toEqual(other);
  for (const [k, value] of impurities.entries()) expect(value).toBeCloseTo(other.impurities[k]!, 12);
}

describe("trees of numbers on sparse rows", () => {
  it.each(targetTrees)("are those of the same dense rows: %s", (criterion) => {
    fc.assert(
      fc.property(
        problem(4),
        controls,
        fc.constantFrom("best", "random"),
        ({ entries, y, weights }, own, splitter) => {
          const { dense, sparse } = matrices(entries);
          const fit = { sampleWeight: weights };
          const estimator = new DecisionTreeRegressor({ criterion, splitter, ...own } as object);
          const [one, other] = [estimator.fit(sparse, y, fit), estimator.fit(dense, y, fit)];
          expectSame(one.tree.grown, other.tree.grown, criterion);
          const z = asked(sparse.cols);
          expect(one.predict(z.sparse)).toEqual(other.predict(z.dense));
        },
      ),
    );
  });
});

/** Rows of words: few columns are common, most are rare, and some numbers are negative. */
function documents(rows: number, cols: number, seed: number) {
  const random = new Random(seed);
  const pairs = Array.from({ length: rows }, () => {
    const row = new Map<number, number>();
    for (let e = 0; e < 12; e++) {
      const j = Math.floor(cols * random.uniform() ** 3);
      row.set(j, random.uniform() < 0.1 ? -1 : Math.ceil(16 * random.uniform()) / 16);
    }
    return row;
  });
  const y = pairs.map((row) => (row.has(0) ? 1 : 0) + (row.has(1) || random.uniform() < 0.2 ? 1 : 0));
  const X = CsrMatrix.fromRows(pairs, cols);
  return { X, dense: X.toDense(), y };
}

describe("forests on sparse rows", () => {
  const { X, dense, y } = documents(600, 150, 3);
  const test = documents(400, 150, 4);
  const two = y.map((k) => Math.min(k, 1));
  const few = { nEstimators: 6, oobScore: true, bootstrap: true };
  const estimators = {
    "random forest": [new RandomForestClassifier(few), y],
    "random forest of two classes": [new RandomForestClassifier(few), two],
    "random forest by entropy": [new RandomForestClassifier({ ...few, criterion: "entropy" }), y],
    "random forest without bootstrap": [new RandomForestClassifier({ nEstimators: 4, bootstrap: false }), y],
    "random forest on all columns": [new RandomForestClassifier({ ...few, maxFeatures: null }), two],
    "random forest of regressors": [new RandomForestRegressor({ ...few, maxFeatures: "sqrt" }), y],
    "random forest of regressors on all columns": [new RandomForestRegressor(few), y],
    "extra trees": [new ExtraTreesClassifier({ nEstimators: 6 }), y],
    "extra trees of two classes": [new ExtraTreesClassifier({ nEstimators: 6, minSamplesLeaf: 3 }), two],
    "extra trees of regressors": [new ExtraTreesRegressor({ nEstimators: 4 }), y],
    "bagged trees": [new BaggingClassifier({ nEstimators: 4 }), y],
    "boosted trees": [
      new AdaBoostClassifier({ estimator: new DecisionTreeClassifier({ maxDepth: 3 }), nEstimators: 4 }),
      two,
    ],
  } as const;

  it.each(Object.entries(estimators))(
    "are those of the same dense rows: %s",
    (name, [estimator, answers]) => {
      const fit = (rows: CsrMatrix | Matrix): ReturnType<typeof estimator.fit> =>
        (estimator as RandomForestRegressor).fit(rows, answers as number[]) as never;
      const [one, other] = [fit(X), fit(dense)];
      const before = threads();
      try {
        setThreads(1);
        expect(fit(X).predict(test.X)).toEqual(one.predict(test.X));
      } finally {
        setThreads(before);
      }
      expect(one.predict(test.X)).toEqual(other.predict(test.dense));
      // Weights of boosted rows are not whole numbers, and their sums round.
      if (name === "boosted trees") return;
      expect(one.toState().tensors).toEqual(other.toState().tensors);
      if ("oobScore" in one) expect(one.oobScore).toBe((other as typeof one).oobScore);
      if ("apply" in one) expect(one.apply(test.X)).toEqual((other as typeof one).apply(test.dense));
    },
  );

  it("refuse to make too many of them dense, with the size that it would take", () => {
    const wide = CsrMatrix.fromRows([[[0, 1]], [[1_000_000, 2]], [[5, 1]], [[7, 1]]], 20_000_000);
    const answers = [0, 1, 0, 1];
    for (const estimator of [
      new DecisionTreeClassifier({ categoricalFeatures: [0] }),
      new DecisionTreeRegressor({ criterion: "absoluteError" }),
      new RandomForestRegressor({ criterion: "absoluteError", nEstimators: 2 }),
    ]) {
      const message = expect.stringMatching(/256 MB.*4 × 20000000, 611 MB/);
      expect(() => (estimator as RandomForestRegressor).fit(wide, answers)).toThrow(
        expect.objectContaining({ name: "DataError", message }),
      );
    }
    expect(new DecisionTreeClassifier({ maxDepth: 1 }).fit(wide, answers).predict(wide)).toHaveLength(4);
  });
});

describe("predictions of many sparse rows are those of row after row", () => {
  /** Entries in 40 of the columns, `apart` columns from each other; some are missing. */
  function rowsOf(rows: number, apart: number): { x: CsrMatrix; y: string[] } {
    const random = new Random(3);
    const lists = Array.from({ length: rows }, () =>
      Array.from({ length: 40 }, (_, j) => j)
        .filter(() => random.uniform() < 0.2)
        .map((j): [number, number] => [j * apart, random.uniform() < 0.02 ? MISSING : random.normal()]),
    );
    const y = lists.map((own) => (own.reduce((sum, [, v]) => sum + (v || 0), 0) > 0 ? "a" : "b"));
    return { x: CsrMatrix.fromRows(lists, 40 * apart), y };
  }

  for (const [title, apart] of [
    ["columns as they are", 1],
    ["columns of which few are asked about", 7000],
  ] as const) {
    for (const estimator of [
      new DecisionTreeClassifier(),
      new RandomForestClassifier({ nEstimators: 30, randomState: 1 }),
    ]) {
      it(`${title}, ${estimator.constructor.name}`, () => {
        const { x, y } = rowsOf(600, apart);
        const before = threads();
        const model = estimator.fit(x, y);
        const shares = model.predictProba(x);
        for (let i = 0; i < x.rows; i += 7)
          expect(shares.row(i)).toEqual(model.predictProba(x.selectRows([i])).row(0));
        setThreads(before === 1 ? 2 : 1);
        expect(estimator.fit(x, y).predictProba(x)).toEqual(shares);
        setThreads(before);
      });
    }
  }
});
