import { describe, expect, it } from "vitest";
import { normals } from "../../test/support/random-rows.js";
import { DataError, ParameterError } from "../core/errors.js";
import { Random } from "../core/numbers/random.js";
import { makeClassification } from "../data/generators/index.js";
import { Matrix } from "../data/matrix.js";
import { loadDataset } from "../datasets/index.js";
import { setThreads, threads } from "../numeric/runtime/threads.js";
import {
  DecisionTreeClassifier,
  DecisionTreeRegressor,
  entropy,
  FittedDecisionTreeRegressor,
  gini,
  impurityChange,
  nodeError,
  Tree,
  twoingChange,
} from "./index.js";

type Change = (left: readonly number[], right: readonly number[]) => number;
const changes: Readonly<Record<string, Change>> = {
  gini: (l, r) => impurityChange(gini, l, r),
  entropy: (l, r) => impurityChange(entropy, l, r),
  nodeError: (l, r) => impurityChange(nodeError, l, r),
  twoing: twoingChange,
};

/** The best change of all thresholds of all columns, by trying each. */
function bestChange(
  x: Matrix,
  rows: readonly number[],
  codes: readonly number[],
  K: number,
  change: Change,
): number {
  let best = -Infinity;
  for (let j = 0; j < x.cols; j++) {
    const values = [...new Set(rows.map((i) => x.at(i, j)))].sort((a, b) => a - b);
    for (const threshold of values.slice(0, -1)) {
      const [left, right] = [new Array<number>(K).fill(0), new Array<number>(K).fill(0)];
      for (const i of rows) (x.at(i, j) <= threshold ? left : right)[codes[i]!]!++;
      best = Math.max(best, change(left, right));
    }
  }
  return best;
}

describe("DecisionTreeClassifier", () => {
  it.each(["gini", "entropy", "twoing", "nodeError"] as const)(
    "takes a split that no other beats, at every node: %s",
    (criterion) => {
      for (const K of [2, 3]) {
        const x = normals(80, 4, K);
        // Some values are equal.
        for (let e = 0; e < x.data.length; e += 3) x.data[e] = Math.round(x.data[e]! * 2);
        const random = new Random(5);
        const codes = Array.from({ length: 80 }, (_, i) =>
          x.at(i, 0) > 0.3 ? 1 : Math.floor(random.uniform() * K),
        );
        const model = new DecisionTreeClassifier({ criterion, minSamplesSplit: 5 }).fit(x, codes);
        const paths = model.decisionPath(x);
        for (const node of model.tree.nodes()) {
          if (!node.split) continue;
          const rows = codes.map((_, i) => i).filter((i) => paths[i]!.includes(node.node));
          expect(rows.length).toBe(node.count);
          const [left, right] = [new Array<number>(K).fill(0), new Array<number>(K).fill(0)];
          for (const i of rows) (paths[i]!.includes(node.split.left) ? left : right)[codes[i]!]!++;
          const change = changes[criterion]!;
          expect(change(left, right)).toBeCloseTo(bestChange(x, rows, codes, K, change), 12);
        }
      }
    },
  );

  it("separates all rows that differ, and numbers nodes in preorder", async () => {
    const { X, y } = await loadDataset("iris");
    const model = new DecisionTreeClassifier().fit(X, y);
    expect(model.score(X, y)).toBe(1);
    expect([...model.tree.nodes()].map(({ node }) => node)).toEqual([...Array(model.tree.nodeCount).keys()]);
    expect(model.featureImportances.reduce((sum, v) => sum + v, 0)).toBeCloseTo(1, 12);
    expect(model.predictProba(X).row(0)).toEqual(Float64Array.of(1, 0, 0));
  });

  it("grows within its limits", () => {
    const { X, y } = makeClassification({
      nSamples: 600,
      nFeatures: 6,
      nClasses: 3,
      nInformative: 4,
      randomState: 1,
    });
    const leaf = (params: object) => {
      const { tree } = new DecisionTreeClassifier(params).fit(X, y);
      return { tree, leaves: [...tree.nodes()].filter(({ split }) => !split) };
    };
    expect(leaf({ maxDepth: 3 }).tree.depth).toBe(3);
    expect(leaf({ maxLeafNodes: 7 }).leaves.length).toBe(7);
    expect(leaf({ maxSplits: 4 }).leaves.length).toBe(5);
    expect(leaf({ maxSplits: 0 }).leaves.length).toBe(1);
    expect(Math.min(...leaf({ minSamplesLeaf: 9 }).leaves.map(({ count }) => count))).toBeGreaterThanOrEqual(
      9,
    );
    expect(
      Math.min(...leaf({ minSamplesLeaf: 0.05 }).leaves.map(({ count }) => count)),
    ).toBeGreaterThanOrEqual(30);
    expect(
      Math.min(...leaf({ minWeightFractionLeaf: 0.1 }).leaves.map(({ count }) => count)),
    ).toBeGreaterThanOrEqual(60);
    for (const node of leaf({ minSamplesSplit: 50 }).tree.nodes())
      if (node.split) expect(node.count).toBeGreaterThanOrEqual(50);
    expect(leaf({ minImpurityDecrease: 0.02 }).leaves.length).toBeLessThan(leaf({}).leaves.length);
    // Where it gains most: the first leaves of a larger tree are those of a smaller one.
    const few = leaf({ maxLeafNodes: 4 }).leaves.map(({ count }) => count);
    expect(few.reduce((sum, count) => sum + count, 0)).toBe(600);
  });

  it("learns the same with one thread and two, from sparse rows, and with weights for copies", () => {
    const { X, y } = makeClassification({ nSamples: 6000, nFeatures: 8, nClasses: 2, randomState: 2 });
    const before = threads();
    const one = (count: number) => {
      setThreads(count);
      return new DecisionTreeClassifier({ minSamplesLeaf: 3 }).fit(X, y).tree.grown;
    };
    const [a, b] = [one(1), one(2)];
    setThreads(before);
    expect(b).toEqual(a);
    const weights = y.map((_, i) => (i % 3) + 0);
    const rows = Int32Array.from(y.keys()).filter((i) => i % 3 > 0);
    const copies = Int32Array.from([...rows].flatMap((i) => (i % 3 === 2 ? [i, i] : [i])));
    const weighted = new DecisionTreeClassifier({ maxDepth: 6 }).fit(X, y, { sampleWeight: weights });
    const copied = new DecisionTreeClassifier({ maxDepth: 6 }).fit(
      X.selectRows(copies),
      Array.from(copies, (i) => y[i]!),
    );
    expect(weighted.tree.grown.thresholds).toEqual(copied.tree.grown.thresholds);
    expect(weighted.predict(X)).toEqual(copied.predict(X));
  });

  it("sends missing values where they help, and new ones with the larger part", () => {
    const X = [[1], [2], [3], [4], [Number.NaN], [Number.NaN]];
    const model = new DecisionTreeClassifier().fit(X, ["a", "a", "b", "b", "a", "a"]);
    expect(model.predict(X)).toEqual(["a", "a", "b", "b", "a", "a"]);
    expect(model.leafCount).toBe(2);
    const absent = new DecisionTreeClassifier().fit(
      [[1], [Number.NaN], [2], [Number.NaN]],
      ["a", "b", "a", "b"],
    );
    expect(absent.predict([[9], [Number.NaN]])).toEqual(["a", "b"]);
    expect(absent.rules()).toContain("is missing");
    const none = new DecisionTreeClassifier().fit([[1], [2], [3]], ["a", "b", "b"]);
    expect(none.predict([[Number.NaN]])).toEqual(["b"]);
    expect(() => new DecisionTreeClassifier().fit([[1], [Infinity]], ["a", "b"])).toThrow(DataError);
  });

  it("parts categories as no other parting is better", () => {
    const random = new Random(8);
    const x = new Matrix(
      Float64Array.from({ length: 200 }, () => Math.floor(random.uniform() * 7)),
      200,
      1,
    );
    const codes = Array.from(x.data, (c) =>
      random.uniform() < [0.9, 0.1, 0.5, 0.8, 0.3, 0.6, 0.2][c]! ? 1 : 0,
    );
    const model = new DecisionTreeClassifier({ categoricalFeatures: [0], maxDepth: 1 }).fit(x, codes);
    let best = -Infinity;
    for (let mask = 1; mask < 127; mask++) {
      const [left, right] = [
        [0, 0],
        [0, 0],
      ];
      for (let i = 0; i < 200; i++) ((mask >> x.data[i]!) & 1 ? left : right)[codes[i]!]!++;
      best = Math.max(best, impurityChange(gini, left, right));
    }
    const { split, impurity, count } = model.tree.node(0);
    const [l, r] = [model.tree.node(split!.left), model.tree.node(split!.right)];
    expect(impurity - (l.count * l.impurity + r.count * r.impurity) / count).toBeCloseTo(best, 12);
    expect(() => new DecisionTreeClassifier({ categoricalFeatures: [0] }).fit([[0.5], [1]], [0, 1])).toThrow(
      DataError,
    );
    expect(() => new DecisionTreeClassifier({ categoricalFeatures: [3] }).fit([[0], [1]], [0, 1])).toThrow(
      ParameterError,
    );
  });

  it("takes a hundred thousand categories, and a depth of ten thousand", () => {
    const n = 100_000;
    const x = new Matrix(
      Float64Array.from({ length: n }, (_, i) => i),
      n,
      1,
    );
    const y = Array.from({ length: n }, (_, i) => (i * 7919) % 2);
    expect(new DecisionTreeClassifier({ categoricalFeatures: [0] }).fit(x, y).leafCount).toBe(2);
    // Sparse codes, some missing, after a column that is independent of y.
    const rows = y.map((_, i) => [0, i % 1000 === 999 ? Number.NaN : 2 ** 24 - 1 - 150 * i]);
    const labels = y.map((label, i) => (i % 1000 === 999 ? 1 : label));
    const apart = new DecisionTreeClassifier({ categoricalFeatures: [1] }).fit(rows, labels);
    expect(apart.leafCount).toBe(2);
    expect(apart.score(rows, labels)).toBe(1);
    // By hand: node 2k splits at x ≤ k, its left child is a leaf.
    const nodes = 20_001;
    const each = <A>(of: (k: number) => A) => Array.from({ length: nodes }, (_, k) => of(k));
    const branches = (k: number) => k % 2 === 0 && k < nodes - 1;
    const tree = new Tree(
      {
        ...new DecisionTreeRegressor().fit([[0], [1]], [0, 1]).tree.grown,
        features: Int32Array.from(each((k) => (branches(k) ? 0 : -1))),
        thresholds: Float64Array.from(each((k) => k / 2)),
        lefts: Int32Array.from(each((k) => (branches(k) ? k + 1 : -1))),
        rights: Int32Array.from(each((k) => (branches(k) ? k + 2 : -1))),
        counts: Int32Array.from(each((k) => nodes - k)),
        weights: Float64Array.from(each((k) => nodes - k)),
        depths: Int32Array.from(each((k) => Math.ceil(k / 2))),
        impurities: Float64Array.from(each((k) => nodes - k)),
        missingLeft: new Int32Array(nodes),
        categoryStarts: new Int32Array(nodes).fill(-1),
        values: Float64Array.from(each((k) => k)),
      },
      1,
    );
    const model = new FittedDecisionTreeRegressor({ id: "DecisionTreeRegressor", params: {}, tree });
    expect(model.predict([[20_000], [5]])).toEqual(Float64Array.of(20_000, 11));
    expect(model.decisionPath([[20_000]])[0]!.length).toBe(10_001);
    expect(model.rules({ maxDepth: 50 }).split("\n").length).toBeGreaterThan(100);
    expect(model.toDot().length).toBeGreaterThan(nodes);
  });

  it("cuts back weak branches, and shows the path", async () => {
    const { X, y } = await loadDataset("breastCancer");
    const whole = new DecisionTreeClassifier().fit(X, y);
    const { alphas, impurities, leaves } = whole.costComplexityPath();
    for (let e = 1; e < alphas.length; e++) {
      expect(alphas[e]!).toBeGreaterThan(alphas[e - 1]!);
      expect(impurities[e]!).toBeGreaterThanOrEqual(impurities[e - 1]!);
    }
    expect(leaves.at(-1)).toBe(1);
    for (const e of [1, 5, alphas.length - 1]) {
      const model = new DecisionTreeClassifier({ ccpAlpha: alphas[e]! }).fit(X, y);
      expect(model.leafCount).toBe(leaves[e]);
    }
  });

  it("writes itself down", async () => {
    const { X, y } = await loadDataset("iris");
    const model = new DecisionTreeClassifier({ maxDepth: 2 }).fit(X, y);
    const names = ["sepal length", "sepal width", "petal length", "petal width"];
    expect(model.rules({ featureNames: names })).toBe(
      [
        "|--- petal length ≤ 2.45",
        '|   |--- class "setosa" (100 %)',
        "|--- petal length > 2.45",
        "|   |--- petal width ≤ 1.75",
        '|   |   |--- class "versicolor" (91 %)',
        "|   |--- petal width > 1.75",
        '|   |   |--- class "virginica" (98 %)',
        "",
      ].join("\n"),
    );
    expect(model.toDot()).toMatch(/^digraph Tree/);
    expect(model.toSvg()).toMatch(/<\/svg>\n$/);
    expect(() => model.rules({ featureNames: ["one"] })).toThrow(/4 names/);
    const json = JSON.parse(JSON.stringify(model));
    expect(json).toMatchObject({
      model: "DecisionTreeClassifier",
      nFeatures: 4,
      classes: [...model.classes],
    });
    expect(json.nodes.length).toBe(model.tree.nodeCount);
    for (const [k, { value, ...node }] of json.nodes.entries()) {
      const { value: proportions, ...own } = model.tree.node(k);
      expect(node).toEqual(own);
      expect(value).toEqual([...proportions]);
    }
  });
});

describe("DecisionTreeRegressor", () => {
  it("takes the split with the least squared error, far from 0 too", () => {
    const x = normals(60, 3, 4);
    for (const offset of [0, 1e6]) {
      const y = Float64Array.from(
        { length: 60 },
        (_, i) => offset + Math.sin(2 * x.at(i, 1)) + 0.1 * x.at(i, 0),
      );
      const model = new DecisionTreeRegressor({ minSamplesSplit: 4 }).fit(x, y);
      const errorOf = (rows: readonly number[]) => {
        const mean = rows.reduce((sum, i) => sum + y[i]!, 0) / rows.length;
        return rows.reduce((sum, i) => sum + (y[i]! - mean) ** 2, 0);
      };
      const paths = model.decisionPath(x);
      for (const node of model.tree.nodes()) {
        if (!node.split) continue;
        const rows = [...y.keys()].filter((i) => paths[i]!.includes(node.node));
        let best = Infinity;
        for (let j = 0; j < 3; j++) {
          const order = [...rows].sort((a, b) => x.at(a, j) - x.at(b, j));
          for (let e = 1; e < order.length; e++)
            best = Math.min(best, errorOf(order.slice(0, e)) + errorOf(order.slice(e)));
        }
        const left = rows.filter((i) => paths[i]!.includes(node.split!.left));
        const right = rows.filter((i) => paths[i]!.includes(node.split!.right));
        expect(errorOf(left) + errorOf(right)).toBeLessThanOrEqual(best * (1 + 1e-9) + 1e-9);
      }
      expect(model.score(x, y)).toBeGreaterThan(0.9);
    }
  });

  it("counts by the Poisson deviance", () => {
    const x = normals(300, 2, 6);
    const random = new Random(3);
    const y = Float64Array.from({ length: 300 }, (_, i) =>
      Math.floor(-Math.log(random.uniform()) * (x.at(i, 0) > 0 ? 5 : 1)),
    );
    const model = new DecisionTreeRegressor({ criterion: "poisson", maxDepth: 3 }).fit(x, y);
    expect(model.tree.node(0).split!.feature).toBe(0);
    for (const node of model.tree.nodes()) expect(node.value[0]).toBeGreaterThan(0);
    expect(() =>
      new DecisionTreeRegressor({ criterion: "poisson" }).fit(
        x,
        y.map((v) => v - 5),
      ),
    ).toThrow(DataError);
  });
});
