import { describe, expect, it } from "vitest";
import { AdaBoostClassifier } from "../adaboost/index.js";
import { BaggingClassifier, BaggingRegressor } from "../bagging/index.js";
import { HistGradientBoostingClassifier, HistGradientBoostingRegressor } from "../boosting/index.js";
import type { FittedModel, MatrixLike } from "../core/contract.js";
import { Random } from "../core/numbers/random.js";
import { type ClassifierStructure, structureOf } from "../core/structure.js";
import { CsrMatrix } from "../data/csr-matrix.js";
import { Matrix } from "../data/matrix.js";
import { Table } from "../data/table/table.js";
import {
  ExtraTreesClassifier,
  ExtraTreesRegressor,
  RandomForestClassifier,
  RandomForestRegressor,
} from "../forests/index.js";
import { setThreads, threads } from "../numeric/index.js";
import { isListed } from "../numeric/trees/leaf-of-row.js";
import type { CoveredScores, CoveredTree } from "../numeric/trees/tree-sum.js";
import { readRows } from "../structure/read-rows.js";
import { DecisionTreeClassifier, DecisionTreeRegressor } from "../trees/index.js";
import { explain } from "./explain.js";

/** n rows of d columns with repeated values, and a target with interactions. */
function rowsOf(n: number, d: number, seed: number, missing = 0) {
  const random = new Random(seed);
  const X = Array.from({ length: n }, () =>
    Array.from({ length: d }, () =>
      random.uniform() < missing ? Number.NaN : Math.round(random.normal() * 4) / 2,
    ),
  );
  const value = (v: number) => (Number.isNaN(v) ? 1.5 : v);
  const y = X.map((row) => value(row[0]!) * value(row[1]!) + 2 * value(row[2]!) + 0.1 * random.normal());
  return { X, y };
}

/** The prediction of a tree if only the features of the set are known: the definition, node by node. */
function valueOfSet(tree: CoveredTree, row: ArrayLike<number>, set: number, k: number, v = 0): number {
  const j = tree.features[v]!;
  if (j < 0) return tree.values[v * tree.width + k]!;
  const [left, right] = [tree.lefts[v]!, tree.rights[v]!];
  const below = (child: number) => valueOfSet(tree, row, set, k, child);
  if (((set >> j) & 1) === 0) {
    return (below(left) * tree.covers[left]! + below(right) * tree.covers[right]!) / tree.covers[v]!;
  }
  const x = row[j]!;
  const start = tree.categoryStarts[v]!;
  const goesLeft = Number.isNaN(x)
    ? tree.missingLeft[v] === 1
    : start >= 0
      ? isListed(tree.pool, start, x)
      : x <= tree.thresholds[v]!;
  return below(goesLeft ? left : right);
}

/** Shapley values by their definition over all sets of features. */
function bruteForce(
  { trees, divisor, baseline }: CoveredScores,
  row: ArrayLike<number>,
  d: number,
  k: number,
): number[] {
  const K = baseline.length;
  const v = Array.from({ length: 2 ** d }, (_, set) =>
    trees.reduce((sum, tree, t) => {
      const own = k - ((t * tree.width) % K);
      return own >= 0 && own < tree.width ? sum + valueOfSet(tree, row, set, own) / divisor : sum;
    }, 0),
  );
  const factorial = (m: number): number => (m <= 1 ? 1 : m * factorial(m - 1));
  const size = (set: number) => set.toString(2).replaceAll("0", "").length;
  return Array.from({ length: d }, (_, j) =>
    v.reduce((sum, _, set) => {
      if (((set >> j) & 1) === 1) return sum;
      const weight = (factorial(size(set)) * factorial(d - size(set) - 1)) / factorial(d);
      return sum + weight * (v[set | (1 << j)]! - v[set]!);
    }, 0),
  );
}

/** Sums of a hundred or so terms of the size of the outputs, each rounded: 1e-12 of them is a thousand roundings. */
const ROUNDING = 1e-12;

const labels = (y: readonly number[], cuts: readonly number[]) =>
  y.map((v) => ["a", "b", "c"][cuts.filter((cut) => v > cut).length]!);

const { X, y } = rowsOf(160, 6, 1, 0.08);
const two = labels(y, [0]);
const three = labels(y, [-1, 1]);
const codes = X.map((row) => [
  ...row.slice(0, 5).map((v) => (Number.isNaN(v) ? 0 : v)),
  Math.floor(Math.abs(row[0]! || 0) * 2),
]);

interface Explained extends FittedModel {
  predict(x: MatrixLike): unknown;
}

const models = {
  "a regression tree": [new DecisionTreeRegressor({ maxDepth: 9 }).fit(X, y), X],
  "a stump": [new DecisionTreeRegressor({ maxDepth: 1 }).fit(X, y), X],
  "a tree without a split": [
    new DecisionTreeRegressor({ maxDepth: 3 }).fit(
      X,
      y.map(() => 2),
    ),
    X,
  ],
  "a weighted tree": [
    new DecisionTreeRegressor({ maxDepth: 5 }).fit(X, y, { sampleWeight: y.map((_, i) => 0.2 + (i % 5)) }),
    X,
  ],
  "a tree of two classes": [new DecisionTreeClassifier({ maxDepth: 6 }).fit(X, two), X],
  "a tree of three classes": [new DecisionTreeClassifier().fit(X, three), X],
  "a tree with categories": [
    new DecisionTreeRegressor({ categoricalFeatures: [5], maxDepth: 6 }).fit(codes, y),
    codes,
  ],
  "a forest": [new RandomForestRegressor({ nEstimators: 7, maxDepth: 6 }).fit(X, y), X],
  "a forest of three classes": [new RandomForestClassifier({ nEstimators: 5 }).fit(X, three), X],
  "extra trees": [new ExtraTreesRegressor({ nEstimators: 5 }).fit(X, y), X],
  "extra trees of two classes": [new ExtraTreesClassifier({ nEstimators: 5 }).fit(X, two), X],
  "a bag of trees on other columns each": [
    new BaggingRegressor({ estimator: new DecisionTreeRegressor(), nEstimators: 4, maxFeatures: 4 }).fit(
      codes,
      y,
    ),
    codes,
  ],
  "a bag of classification trees": [
    new BaggingClassifier({ estimator: new DecisionTreeClassifier({ maxDepth: 4 }), nEstimators: 4 }).fit(
      codes,
      three,
    ),
    codes,
  ],
  "AdaBoost of two classes": [
    new AdaBoostClassifier({ estimator: new DecisionTreeClassifier({ maxDepth: 2 }), nEstimators: 6 }).fit(
      codes,
      two,
    ),
    codes,
  ],
  "AdaBoost of three classes": [
    new AdaBoostClassifier({ estimator: new DecisionTreeClassifier({ maxDepth: 3 }), nEstimators: 5 }).fit(
      codes,
      three,
    ),
    codes,
  ],
  boosting: [new HistGradientBoostingRegressor({ maxIter: 8, minSamplesLeaf: 3 }).fit(X, y), X],
  "boosting of two classes with categories": [
    new HistGradientBoostingClassifier({ maxIter: 5, categoricalFeatures: [5], minSamplesLeaf: 3 }).fit(
      codes,
      two,
    ),
    codes,
  ],
  "boosting of three classes": [
    new HistGradientBoostingClassifier({ maxIter: 4, minSamplesLeaf: 3 }).fit(X, three),
    X,
  ],
} as unknown as Record<string, readonly [Explained, number[][]]>;

describe("TreeSHAP", () => {
  it.each(Object.entries(models))(
    "is the Shapley values over all sets of features: %s",
    (_, [model, all]) => {
      const rows = all.filter((_, i) => i % 23 === 0);
      const { inputs, scores } = structureOf(model) as ClassifierStructure;
      const sum = scores as CoveredScores;
      const given = readRows("test", { inputs, scores }, rows) as Matrix;
      const explanation = explain(model, rows);
      for (let i = 0; i < rows.length; i++) {
        for (let k = 0; k < explanation.outputNames.length; k++) {
          const own = explanation.contributions(i, k);
          const expected = bruteForce(sum, given.row(i), 6, k);
          const size = 1 + Math.max(...expected.map(Math.abs));
          for (const [j, phi] of expected.entries())
            expect(Math.abs(own[j]! - phi)).toBeLessThan(ROUNDING * size);
        }
      }
    },
  );

  it.each(Object.entries(models))("sums to the model's own output: %s", (_, [model, all]) => {
    const { predictions, output } = explain(model, all);
    const own = model as unknown as Record<string, (x: MatrixLike) => Matrix | Float64Array>;
    const method =
      output === "probability" ? "predictProba" : output === "score" ? "decisionFunction" : "predict";
    const expected = own[method]!(all);
    const data = expected instanceof Float64Array ? expected : expected.data;
    for (const [e, value] of data.entries())
      expect(Math.abs(predictions.data[e]! - value)).toBeLessThan(ROUNDING * (1 + Math.abs(value)));
  });

  it.each(Object.entries(models))(
    "is the same bits for one row, without the kernel: %s",
    (_, [model, all]) => {
      // An odd number of rows, more than a chunk: the last pair of lanes holds one row.
      const rows = all.slice(0, 37);
      const together = explain(model, rows);
      for (const [i, row] of rows.entries()) {
        const alone = explain(model, row);
        for (let k = 0; k < alone.outputNames.length; k++)
          expect(alone.contributions(0, k)).toEqual(together.contributions(i, k));
      }
    },
  );

  it("is the same with any number of threads", () => {
    const model = new RandomForestRegressor({ nEstimators: 20 }).fit(X, y);
    const many = Array.from({ length: 1100 }, (_, i) => X[i % X.length]!);
    const before = explain(model, many).matrix();
    const own = threads();
    setThreads(1);
    try {
      expect(explain(model, many).matrix().data).toEqual(before.data);
    } finally {
      setThreads(own);
    }
  });

  it("gives 0 to a feature that no split tests, and the same to two that the tree uses alike", () => {
    const corners = [0, 1].flatMap((a) => [0, 1].map((b) => [a, 7, b]));
    const model = new DecisionTreeRegressor().fit(corners, [0, 0, 0, 1]);
    const phi = explain(model, [1, 7, 1]).contributions();
    expect(phi[1]).toBe(0);
    // and(a, b) with all corners alike: 1 − ¼ = ¾, half of it each.
    expect(phi[0]).toBeCloseTo(0.375, 14);
    expect(phi[2]).toBeCloseTo(0.375, 14);
  });

  it("keeps its digits on a path of sixty features", () => {
    const d = 60;
    const steps = Array.from({ length: d + 1 }, (_, i) =>
      Array.from({ length: d }, (_, j) => (j < i ? 1 : 0)),
    );
    const model = new DecisionTreeRegressor().fit(
      steps,
      steps.map((_, i) => i),
    );
    expect(model.depth).toBeGreaterThan(5);
    const { predictions } = explain(model, steps);
    predictions.data.forEach((value, i) => {
      expect(Math.abs(value - i)).toBeLessThan(1e-11);
    });
  });

  it("reads sparse rows and tables in any order of columns", () => {
    const model = new RandomForestRegressor({ nEstimators: 5 }).fit(codes, y);
    const dense = explain(model, codes).matrix();
    expect(explain(model, CsrMatrix.fromDense(Matrix.fromRows(codes))).matrix().data).toEqual(dense.data);
    const columns = Object.fromEntries(
      ["a", "b", "c", "d", "e", "f"].map((name, j) => [name, codes.map((row) => row[j]!)]),
    );
    const table = Table.fromColumns(columns as Record<string, number[]>);
    const named = new RandomForestRegressor({ nEstimators: 5 }).fit(table, y);
    const turned = explain(named, table.select(["f", "a", "c", "b", "e", "d"]));
    expect(turned.featureNames).toEqual(["a", "b", "c", "d", "e", "f"]);
    expect(turned.matrix().data).toEqual(dense.data);
  });
});
