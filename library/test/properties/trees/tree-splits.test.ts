import { describe, expect, it } from "vitest";
import {
  ExtraTreesClassifier,
  RandomForestClassifier,
  RandomForestRegressor,
} from "../../../src/forests/index.js";
import { twoingChange } from "../../../src/trees/impurities.js";
import { DecisionTreeClassifier, DecisionTreeRegressor, type Tree } from "../../../src/trees/index.js";
import { fc } from "../../support/properties.js";
import {
  bestScore,
  type CategoryOrder,
  orderedSides,
  type SplitScore,
  sidesOf,
  subsetSides,
  thresholdSides,
} from "../../support/split-candidates.js";
import { classHeld, type Held, targetHeld } from "../../support/tree-twin.js";

const { NaN: MISSING } = Number;
/** −2, −1.75, … 2. */
const QUARTERS = Array.from({ length: 17 }, (_, e) => (e - 8) / 4);
const list = <T>(of: fc.Arbitrary<T>, length: number) =>
  fc.array(of, { minLength: length, maxLength: length });

/** A column of at most five categories, or of numbers: many, two, or one; some have missing values. */
const kinds = fc.record({
  categorical: fc.boolean(),
  missing: fc.boolean(),
  values: fc.constantFrom<readonly number[]>(QUARTERS, QUARTERS, [-0.5, 2], [1]),
});

/** Rows of columns of mixed kinds, an answer out of 0 … answers − 1 that all occur, and whole weights. */
const problem = (answers: number) =>
  fc.tuple(list(kinds, 3), fc.integer({ min: 8, max: 24 })).chain(([columns, rows]) =>
    fc.record({
      X: list(
        fc.tuple(
          ...columns.map(({ categorical, missing, values }) => {
            const value = categorical ? fc.integer({ min: 0, max: 4 }) : fc.constantFrom(...values);
            return missing
              ? fc.oneof({ weight: 6, arbitrary: value }, { weight: 1, arbitrary: fc.constant(MISSING) })
              : value;
          }),
        ) as fc.Arbitrary<number[]>,
        rows,
      ),
      y: list(fc.integer({ min: 0, max: answers - 1 }), rows).map((y) =>
        y.map((k, i) => (i < answers ? i : k)),
      ),
      weights: fc.oneof(fc.constant(undefined), list(fc.integer({ min: 1, max: 3 }), rows)),
      categoricalFeatures: fc.constant(columns.flatMap(({ categorical }, j) => (categorical ? [j] : []))),
      minSamplesLeaf: fc.integer({ min: 1, max: 3 }),
    }),
  );
type Problem = typeof problem extends (n: number) => fc.Arbitrary<infer P> ? P : never;

const columnOf = (X: readonly (readonly number[])[], j: number) => X.map((row) => row[j]!);

/** The best score of what is promised: every threshold, and the first categories by each of the orders. */
function bestPromised(
  { X, categoricalFeatures, minSamplesLeaf }: Problem,
  score: SplitScore,
  orders: CategoryOrder[],
) {
  return Math.max(
    ...X[0]!.map((_, j) => {
      const column = columnOf(X, j);
      const sides = categoricalFeatures.includes(j) ? orderedSides(column, orders) : thresholdSides(column);
      return bestScore(sides, score, minSamplesLeaf);
    }),
  );
}

/** The root's split has the given score, or there is none to have. Sums in another order round by less than this. */
function expectRoot(tree: Tree, X: Problem["X"], score: SplitScore, best: number): void {
  const { split } = tree.node(0);
  if (best === -Infinity) {
    expect(split).toBeUndefined();
    return;
  }
  expect(split).toBeDefined();
  const { left, right } = sidesOf(X, split!);
  expect(Math.abs(score(left, right) - best)).toBeLessThanOrEqual(1e-9 * Math.max(1, Math.abs(best)));
}

const falls =
  (held: Held): SplitScore =>
  (left, right) =>
    -held(left) - held(right);

/** Scores of the criteria of classes, and by what categories are ordered: with two classes one order has all good splits. */
function classProblem(criterion: string, { y, weights, X }: Problem, classes: number) {
  const w = weights ?? y.map(() => 1);
  const counts = (rows: readonly number[]) => {
    const sums = new Array<number>(classes).fill(0);
    for (const i of rows) sums[y[i]!]! += w[i]!;
    return sums;
  };
  const score: SplitScore =
    criterion === "twoing"
      ? (left, right) => twoingChange(counts(left), counts(right))
      : falls(classHeld(criterion, y, w));
  const share =
    (k: number): CategoryOrder =>
    (rows) => {
      const sums = counts(rows);
      return sums[k]! / sums.reduce((sum, v) => sum + v, 0);
    };
  const orders = classes === 2 ? [share(1)] : Array.from({ length: classes }, (_, k) => share(k));
  return { score, orders, all: X.map((_, i) => i) };
}

function targetProblem(criterion: string, { weights, X }: Problem, y: readonly number[]) {
  const w = weights ?? y.map(() => 1);
  const score = falls(targetHeld(criterion, y, w));
  const mean: CategoryOrder = (rows) =>
    rows.reduce((sum, i) => sum + w[i]! * y[i]!, 0) / rows.reduce((sum, i) => sum + w[i]!, 0);
  const median: CategoryOrder = (rows) => {
    // Half-way between two where half of the weight lies on either side.
    const copies = rows.flatMap((i) => new Array<number>(w[i]!).fill(y[i]!)).sort((a, b) => a - b);
    return 0.5 * (copies[(copies.length - 1) >> 1]! + copies[copies.length >> 1]!);
  };
  const orders = [criterion === "absoluteError" ? median : mean];
  return { score, orders, all: X.map((_, i) => i) };
}

const classCriteria = ["gini", "entropy", "twoing", "nodeError"] as const;
const targetCriteria = ["squaredError", "poisson", "absoluteError"] as const;

describe.each([2, 3, 4])("the root of trees of %i classes on numbers, categories and gaps", (classes) => {
  it.each(classCriteria)(
    "has the best of all splits that are promised, whatever the kind of column: %s",
    (criterion) => {
      fc.assert(
        fc.property(problem(classes), (drawn) => {
          const { X, y, weights, categoricalFeatures, minSamplesLeaf } = drawn;
          const { score, orders } = classProblem(criterion, drawn, classes);
          const best = bestPromised(drawn, score, orders);
          const params = { criterion, categoricalFeatures, minSamplesLeaf };
          const fit = { sampleWeight: weights };
          const single = new DecisionTreeClassifier({ ...params, maxDepth: 1 }).fit(X, y, fit);
          expectRoot(single.tree, X, score, best);
          const byGain = new DecisionTreeClassifier({ ...params, maxLeafNodes: 2 }).fit(X, y, fit);
          expectRoot(byGain.tree, X, score, best);
          const all = { bootstrap: false, maxFeatures: null, nEstimators: 2 };
          const forest = new RandomForestClassifier({ ...params, ...all }).fit(X, y, fit);
          for (const tree of forest.trees) expectRoot(tree, X, score, best);
        }),
      );
    },
  );

  it.each(classCriteria)(
    "is no worse than the best groups of categories where thresholds are drawn: %s",
    (criterion) => {
      fc.assert(
        fc.property(problem(classes), (drawn) => {
          const { X, y, weights, categoricalFeatures } = drawn;
          const { score, orders } = classProblem(criterion, drawn, classes);
          const best = Math.max(
            ...categoricalFeatures.map((j) => bestScore(orderedSides(columnOf(X, j), orders), score)),
          );
          const params = { criterion, categoricalFeatures, maxFeatures: null, nEstimators: 3 };
          const forest = new ExtraTreesClassifier(params).fit(X, y, { sampleWeight: weights });
          for (const tree of forest.trees) {
            const { split } = tree.node(0);
            if (best === -Infinity) continue;
            const { left, right } = sidesOf(X, split!);
            expect(score(left, right)).toBeGreaterThanOrEqual(best - 1e-9 * Math.max(1, Math.abs(best)));
          }
        }),
      );
    },
  );
});

describe("the root of trees of two classes", () => {
  it.each(classCriteria)("has the best of all groups of categories and all thresholds: %s", (criterion) => {
    fc.assert(
      fc.property(problem(2), (drawn) => {
        const { X, y, weights, categoricalFeatures } = drawn;
        const { score } = classProblem(criterion, drawn, 2);
        const best = Math.max(
          ...X[0]!.map((_, j) => {
            const column = columnOf(X, j);
            return bestScore(
              categoricalFeatures.includes(j) ? subsetSides(column) : thresholdSides(column),
              score,
            );
          }),
        );
        const estimator = new DecisionTreeClassifier({ criterion, categoricalFeatures, maxDepth: 1 });
        expectRoot(estimator.fit(X, y, { sampleWeight: weights }).tree, X, score, best);
      }),
    );
  });

  it("asks for the column that tells all, though another has categories", () => {
    const size = [1, 2, 3, 4, 5, 6, 7, 8];
    const colour = [0, 1, 0, 1, 1, 1, 0, 1];
    const X = size.map((v, i) => [v, colour[i]!]);
    const y = ["n", "n", "n", "n", "y", "y", "y", "y"];
    const model = new DecisionTreeClassifier({ maxDepth: 1, categoricalFeatures: [1] }).fit(X, y);
    expect(model.tree.node(0).split).toMatchObject({ feature: 0, threshold: 4.5 });
  });
});

describe("the root of trees of numbers, categories and gaps", () => {
  it.each(targetCriteria)(
    "has the best of all splits that are promised, whatever the kind of column: %s",
    (criterion) => {
      fc.assert(
        fc.property(problem(5), (drawn) => {
          const { X, weights, categoricalFeatures, minSamplesLeaf } = drawn;
          // Poisson allows no side without an event.
          const y = drawn.y.map((v) => (criterion === "poisson" ? v + 1 : v));
          const { score, orders } = targetProblem(criterion, drawn, y);
          const best = bestPromised(drawn, score, orders);
          const params = { criterion, categoricalFeatures, minSamplesLeaf };
          const fit = { sampleWeight: weights };
          const single = new DecisionTreeRegressor({ ...params, maxDepth: 1 }).fit(X, y, fit);
          expectRoot(single.tree, X, score, best);
          const all = { bootstrap: false, maxFeatures: null, nEstimators: 2 };
          const forest = new RandomForestRegressor({ ...params, ...all }).fit(X, y, fit);
          for (const tree of forest.trees) expectRoot(tree, X, score, best);
          if (criterion === "absoluteError" || minSamplesLeaf > 1) return;
          const subsets = Math.max(
            ...categoricalFeatures.map((j) => bestScore(subsetSides(columnOf(X, j)), score)),
            best,
          );
          expectRoot(single.tree, X, score, subsets);
        }),
      );
    },
  );
});
