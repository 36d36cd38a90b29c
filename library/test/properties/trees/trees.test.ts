import { describe, expect, it } from "vitest";
import { DataError } from "../../../src/core/errors.js";
import { Random } from "../../../src/core/numbers/random.js";
import { CsrMatrix } from "../../../src/data/csr-matrix.js";
import { Matrix } from "../../../src/data/matrix.js";
import { RandomForestClassifier, RandomForestRegressor } from "../../../src/forests/index.js";
import { setThreads, threads } from "../../../src/numeric/runtime/threads.js";
import { loadModel, saveModel } from "../../../src/persistence/index.js";
import { DecisionTreeClassifier, DecisionTreeRegressor, type Tree } from "../../../src/trees/index.js";
import { fc } from "../../support/properties.js";
import { bestSubset, bestThreshold, classHeld, type Held, targetHeld } from "../../support/tree-twin.js";

const { NaN: MISSING } = Number;
/** Quarters: sums are exact, and some values are equal. */
const quarter = fc.integer({ min: -12, max: 12 }).map((v) => v / 4);

/** Rows with an answer; a tenth of the entries is missing where that is asked for. */
const problem = (missing: boolean, classes = 3) =>
  fc.tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 8, max: 40 })).chain(([cols, rows]) => {
    const entry = missing
      ? fc.oneof({ weight: 9, arbitrary: quarter }, { weight: 1, arbitrary: fc.constant(MISSING) })
      : quarter;
    const list = <T>(of: fc.Arbitrary<T>, length: number) =>
      fc.array(of, { minLength: length, maxLength: length });
    return fc.record({
      X: list(list(entry, cols), rows),
      // The first rows have all classes, and an event.
      y: list(fc.integer({ min: 0, max: classes - 1 }), rows).map((y) =>
        y.map((k, i) => (i < classes ? classes - 1 - i : k)),
      ),
      weights: list(fc.integer({ min: 1, max: 3 }), rows),
    });
  });

const classCriteria = ["gini", "entropy", "twoing", "nodeError"] as const;

/** What the leaves of a tree hold together. */
function heldBy(tree: Tree): number {
  let sum = 0;
  for (const { split, weight, impurity } of tree.nodes()) if (!split) sum += weight * impurity;
  return sum;
}

/** The tree's one split holds as little as the best of all, or there is none. */
function expectBest(tree: Tree, best: number, held: Held, rows: number): void {
  const whole = held(Array.from({ length: rows }, (_, i) => i));
  // A split that gains nothing may be made or not.
  const least = Math.min(best, whole);
  expect(Math.abs(heldBy(tree) - least)).toBeLessThanOrEqual(1e-9 * Math.max(1, whole));
}

describe("decision trees", () => {
  it("count a row of weight w like w rows, and one of weight 0 not at all", () => {
    fc.assert(
      fc.property(problem(true), ({ X, y, weights }) => {
        // Some rows with weight 0, but one of each class stays.
        const given = weights.map((w, i) => (i >= 3 && i % 4 === 3 ? 0 : w));
        const copies = X.flatMap((_, i) => new Array<number>(given[i]!).fill(i));
        const rows = copies.map((i) => X[i]!);
        const answers = copies.map((i) => y[i]!);
        for (const criterion of ["gini", "twoing", "nodeError"] as const) {
          const weighted = new DecisionTreeClassifier({ criterion }).fit(X, y, { sampleWeight: given });
          const copied = new DecisionTreeClassifier({ criterion }).fit(rows, answers);
          expect(weighted.tree.grown.features).toEqual(copied.tree.grown.features);
          expect(weighted.tree.grown.thresholds).toEqual(copied.tree.grown.thresholds);
          expect(weighted.predictProba(rows).data).toEqual(copied.predictProba(rows).data);
        }
        // Logarithms and centred numbers round differently: equally good splits may be exchanged, but none is better.
        const fits = [
          new DecisionTreeClassifier({ criterion: "entropy", maxDepth: 1 }),
          new DecisionTreeRegressor({ maxDepth: 1 }),
          new DecisionTreeRegressor({ criterion: "poisson", maxDepth: 1 }),
          new DecisionTreeRegressor({ criterion: "absoluteError", maxDepth: 1 }),
        ];
        for (const estimator of fits) {
          const weighted = estimator.fit(X, y, { sampleWeight: given });
          expect(heldBy(weighted.tree)).toBeCloseTo(heldBy(estimator.fit(rows, answers).tree), 9);
        }
      }),
    );
  });

  it("see only the order of a column's values", () => {
    fc.assert(
      fc.property(problem(true), ({ X, y }) => {
        const stretched = X.map((row) => row.map((v) => v * v * v + 5 * v - 100));
        for (const criterion of classCriteria) {
          const estimator = new DecisionTreeClassifier({ criterion });
          const [plain, other] = [estimator.fit(X, y), estimator.fit(stretched, y)];
          expect(other.apply(stretched)).toEqual(plain.apply(X));
        }
        for (const criterion of ["squaredError", "absoluteError"] as const) {
          const estimator = new DecisionTreeRegressor({ criterion });
          expect(estimator.fit(stretched, y).apply(stretched)).toEqual(estimator.fit(X, y).apply(X));
        }
      }),
    );
  });

  it("take a threshold and a side for missing values that no others beat", () => {
    fc.assert(
      fc.property(problem(true), ({ X, y, weights }) => {
        const fit = { sampleWeight: weights };
        for (const criterion of ["gini", "entropy", "nodeError"] as const) {
          const held = classHeld(criterion, y, weights);
          const { tree } = new DecisionTreeClassifier({ criterion, maxDepth: 1 }).fit(X, y, fit);
          expectBest(tree, bestThreshold(X, held), held, X.length);
        }
        for (const criterion of ["squaredError", "poisson", "absoluteError"] as const) {
          const held = targetHeld(criterion, y, weights);
          const { tree } = new DecisionTreeRegressor({ criterion, maxDepth: 1 }).fit(X, y, fit);
          expectBest(tree, bestThreshold(X, held), held, X.length);
        }
      }),
    );
  });

  it("part up to seven categories, and missing values, as well as any of all subsets does", () => {
    const category = fc.oneof(
      { weight: 9, arbitrary: fc.integer({ min: 0, max: 6 }) },
      { weight: 1, arbitrary: fc.constant(MISSING) },
    );
    const rows = fc.array(
      fc.tuple(category, fc.integer({ min: 0, max: 1 }), fc.integer({ min: 1, max: 3 })),
      {
        minLength: 6,
        maxLength: 40,
      },
    );
    fc.assert(
      fc.property(rows, (drawn) => {
        const X = drawn.map(([c]) => [c]);
        const column = drawn.map(([c]) => c);
        const codes = drawn.map(([, k], i) => (i < 2 ? i : k));
        const weights = drawn.map(([, , w]) => w);
        const fit = { sampleWeight: weights };
        const own = { categoricalFeatures: [0], maxDepth: 1 };
        for (const criterion of ["gini", "entropy", "nodeError"] as const) {
          const held = classHeld(criterion, codes, weights);
          const { tree } = new DecisionTreeClassifier({ criterion, ...own }).fit(X, codes, fit);
          expectBest(tree, bestSubset(column, held), held, X.length);
        }
        // Every category has an event: Poisson's rule that both sides need one would hide some ways.
        const y = drawn.map(([, k, w], i) => (i === 0 ? 9 : 1 + ((7 * i + 3 * k + w) % 5)));
        for (const criterion of ["squaredError", "poisson"] as const) {
          const held = targetHeld(criterion, y, weights);
          const { tree } = new DecisionTreeRegressor({ criterion, ...own }).fit(X, y, fit);
          expectBest(tree, bestSubset(column, held), held, X.length);
        }
      }),
    );
  });

  it("stay within their controls", () => {
    const controls = fc.record({
      maxDepth: fc.option(fc.integer({ min: 1, max: 6 })),
      maxLeafNodes: fc.option(fc.integer({ min: 2, max: 9 })),
      maxSplits: fc.option(fc.integer({ min: 0, max: 7 })),
      minSamplesSplit: fc.integer({ min: 2, max: 15 }),
      minSamplesLeaf: fc.integer({ min: 1, max: 6 }),
      minWeightFractionLeaf: fc.constantFrom(0, 0.05, 0.2, 0.5),
      minImpurityDecrease: fc.constantFrom(0, 0.01, 0.1),
      splitter: fc.constantFrom("best", "random"),
      criterion: fc.constantFrom("gini", "entropy", "nodeError"),
    });
    fc.assert(
      fc.property(problem(true), controls, ({ X, y, weights }, params) => {
        const model = new DecisionTreeClassifier(params as object).fit(X, y, { sampleWeight: weights });
        const whole = weights.reduce((sum, w) => sum + w, 0);
        expect(model.depth).toBeLessThanOrEqual(params.maxDepth ?? Infinity);
        expect(model.leafCount).toBeLessThanOrEqual(
          Math.min(params.maxLeafNodes ?? Infinity, (params.maxSplits ?? Infinity) + 1),
        );
        const { tree } = model;
        for (const node of tree.nodes()) {
          if (node.node > 0) {
            expect(node.count).toBeGreaterThanOrEqual(params.minSamplesLeaf);
            expect(node.weight).toBeGreaterThanOrEqual(params.minWeightFractionLeaf * whole);
          }
          if (!node.split) continue;
          expect(node.count).toBeGreaterThanOrEqual(params.minSamplesSplit);
          const [left, right] = [tree.node(node.split.left), tree.node(node.split.right)];
          expect(left.count + right.count).toBe(node.count);
          const gain =
            node.weight * node.impurity - left.weight * left.impurity - right.weight * right.impurity;
          expect(gain / whole).toBeGreaterThanOrEqual(params.minImpurityDecrease - 1e-12);
        }
      }),
    );
  });

  it("are the same whether they grow depth first or where they gain most, if nothing limits them", () => {
    fc.assert(
      fc.property(problem(true), ({ X, y }) => {
        const ask = (params: object) => {
          const { tree } = new DecisionTreeClassifier(params).fit(X, y);
          return [...tree.nodes()].map(({ split, count }) => [count, split?.feature, split?.threshold]);
        };
        expect(ask({ maxLeafNodes: 100 })).toEqual(ask({}));
      }),
    );
  });
});

/** Numbers, categories and gaps, more rows than threads and kernels start at. */
function mixed(rows: number, seed: number): { X: Matrix; y: number[] } {
  const random = new Random(seed);
  const X = Matrix.zeros(rows, 5);
  for (let e = 0; e < X.data.length; e++) {
    X.data[e] = e % 5 === 2 ? Math.floor(random.uniform() * 9) : random.normal();
    if (random.uniform() < 0.05) X.data[e] = MISSING;
  }
  const y = Array.from({ length: rows }, (_, i) => {
    const [a, b, c] = X.row(i);
    return (a! > 0 ? 1 : 0) + (c! % 3 === 1 ? 1 : 0) + (b! > 1 || random.uniform() < 0.1 ? 1 : 0);
  });
  return { X, y };
}

describe("trees and forests of numbers, categories and gaps", () => {
  const { X, y } = mixed(4000, 7);
  const estimators = {
    DecisionTreeClassifier: new DecisionTreeClassifier({ categoricalFeatures: [2] }),
    DecisionTreeRegressor: new DecisionTreeRegressor({ categoricalFeatures: [2] }),
    "drawn thresholds": new DecisionTreeClassifier({ categoricalFeatures: [2], splitter: "random" }),
    "absolute errors": new DecisionTreeRegressor({
      categoricalFeatures: [2],
      criterion: "absoluteError",
      maxDepth: 8,
    }),
    "where it gains most": new DecisionTreeRegressor({ categoricalFeatures: [2], maxLeafNodes: 50 }),
    RandomForestClassifier: new RandomForestClassifier({ categoricalFeatures: [2], nEstimators: 5 }),
    RandomForestRegressor: new RandomForestRegressor({ categoricalFeatures: [2], nEstimators: 5 }),
  };
  const named = Object.entries(estimators);

  it.each(named)("are the same with one thread and with two: %s", (_, estimator) => {
    const before = threads();
    const learned = (count: number) => {
      setThreads(count);
      return (estimator as RandomForestRegressor).fit(X, y).toState().tensors;
    };
    try {
      expect(learned(2)).toEqual(learned(1));
    } finally {
      setThreads(before);
    }
  });

  it.each(named)("say the same when they are saved and loaded: %s", (_, estimator) => {
    const model = (estimator as RandomForestRegressor).fit(X, y);
    const loaded = loadModel(saveModel(model)) as typeof model;
    expect(loaded.predict(X)).toEqual(model.predict(X));
    expect(loaded.featureImportances).toEqual(model.featureImportances);
  });

  it.each(named)("answer one row as they answer many, categories that are new too: %s", (_, estimator) => {
    const model = (estimator as RandomForestRegressor).fit(X, y);
    const asked = mixed(600, 8).X;
    for (let i = 0; i < 600; i += 3) asked.data[i * 5 + 2] = 20 + (i % 4);
    const many = model.predict(asked);
    const single = Array.from({ length: 600 }, (_, i) => model.predict([[...asked.row(i)]])[0]);
    expect([...many]).toEqual(single);
  });

  it("a forest of one tree on all rows and columns is that tree", () => {
    const params = { nEstimators: 1, bootstrap: false, maxFeatures: null, categoricalFeatures: [2] };
    const forest = new RandomForestClassifier(params).fit(X, y);
    const tree = new DecisionTreeClassifier({ categoricalFeatures: [2] }).fit(X, y);
    expect(forest.predictProba(X).data).toEqual(tree.predictProba(X).data);
  });
});

describe("trees of little or odd data", () => {
  it("tell single rows apart, one a class", () => {
    const X = [[3], [1], [2], [5]];
    const model = new DecisionTreeClassifier().fit(X, ["c", "a", "b", "d"]);
    expect(model.predict(X)).toEqual(["c", "a", "b", "d"]);
    expect(model.leafCount).toBe(4);
  });

  it("are one leaf where nothing can be asked", () => {
    const constant = [
      [1, 7],
      [1, 7],
      [1, 7],
    ];
    const model = new DecisionTreeClassifier().fit(constant, ["a", "b", "b"]);
    expect(model.leafCount).toBe(1);
    expect(model.predictProba([[0, 0]]).data).toEqual(Float64Array.of(1 / 3, 2 / 3));
    expect([...model.featureImportances]).toEqual([0, 0]);
    const gaps = [[MISSING], [MISSING]];
    expect(new DecisionTreeClassifier().fit(gaps, [0, 1]).leafCount).toBe(1);
    const categories = new DecisionTreeClassifier({ categoricalFeatures: [0] });
    expect(categories.fit([[4], [4]], [0, 1]).leafCount).toBe(1);
  });

  it("are one leaf where nothing is to be learned, and no classifier of one class", () => {
    const X = [[1], [2], [3]];
    const model = new DecisionTreeRegressor().fit(X, [0.1, 0.1, 0.1]);
    expect(model.leafCount).toBe(1);
    expect(model.predict([[9]])).toEqual(Float64Array.of(0.1));
    expect(() => new DecisionTreeClassifier().fit(X, ["a", "a", "a"])).toThrow(DataError);
    expect(() => new RandomForestClassifier().fit(X, ["a", "a", "a"])).toThrow(DataError);
  });

  it("take the first column, and the lowest threshold of it, of equally good ones", () => {
    // Every threshold of XOR is worth nothing; both columns and both thresholds are worth the same.
    const copies = [
      [0, 0, 9],
      [1, 1, 9],
      [2, 2, 9],
      [3, 3, 9],
    ];
    for (const criterion of classCriteria) {
      const { split } = new DecisionTreeClassifier({ criterion })
        .fit(copies, ["a", "b", "b", "a"])
        .tree.node(0);
      expect([split!.feature, split!.threshold]).toEqual([0, 0.5]);
    }
    const { split } = new DecisionTreeRegressor().fit(copies, [1, 0, 0, 1]).tree.node(0);
    expect([split!.feature, split!.threshold]).toEqual([0, 0.5]);
  });

  it("find the one column of a thousand that matters, from few rows", () => {
    const random = new Random(3);
    const X = new Matrix(
      Float64Array.from({ length: 24 * 2000 }, () => random.normal()),
      24,
      2000,
    );
    const y = Array.from({ length: 24 }, (_, i) => i % 4);
    for (let i = 0; i < 24; i++) X.data[i * 2000 + 1234] = y[i]! + 0.1 * random.uniform();
    const model = new DecisionTreeRegressor().fit(X, y);
    expect(model.tree.node(0).split!.feature).toBe(1234);
    expect(model.score(X, y)).toBe(1);
  });

  it("read sparse rows as dense ones", () => {
    fc.assert(
      fc.property(problem(false), ({ X, y }) => {
        const sparse = CsrMatrix.fromDense(Matrix.fromRows(X));
        const estimator = new DecisionTreeClassifier();
        expect(estimator.fit(sparse, y).tree.grown).toEqual(estimator.fit(X, y).tree.grown);
      }),
    );
  });
});
