import { DecisionTreeClassifier, DecisionTreeRegressor, entropy, impurityChange, Random } from "argmax";
import { describe, expect, it } from "vitest";

const BIT = Math.log(2);

describe("B12 decision trees", () => {
  const random = new Random(1);
  const X = Array.from({ length: 300 }, () => [random.uniform(), random.uniform()]);
  const y = X.map(([u, v]) => (u! > 0.6 && v! < 0.4 ? "corner" : "rest"));

  it("boundaries are parallel to the axes: a leaf is a box", () => {
    const model = new DecisionTreeClassifier().fit(X, y);
    expect(model.score(X, y)).toBe(1);
    const leaf = model.apply(X);
    for (const k of new Set(leaf)) {
      const inside = X.filter((_, i) => leaf[i] === k);
      const side = (j: number) => inside.map((row) => row[j]!);
      const low = [0, 1].map((j) => Math.min(...side(j)));
      const high = [0, 1].map((j) => Math.max(...side(j)));
      // Whatever lies between the rows of a leaf belongs to it too.
      for (let e = 0; e < 20; e++) {
        const point = low.map((from, j) => from + random.uniform() * (high[j]! - from));
        expect(model.apply([point])[0]).toBe(k);
      }
    }
  });

  it("every question asks one feature, and both sides of it are what their names say", () => {
    const { tree } = new DecisionTreeClassifier().fit(X, y);
    const boxes = new Map([[0, X]]);
    for (const { node, split, count } of tree.nodes()) {
      const rows = boxes.get(node)!;
      expect(rows.length).toBe(count);
      if (!split) continue;
      boxes.set(
        split.left,
        rows.filter((row) => row[split.feature]! <= split.threshold!),
      );
      boxes.set(
        split.right,
        rows.filter((row) => row[split.feature]! > split.threshold!),
      );
    }
  });

  it("discrete features are split by their values, not by an order", () => {
    // Weather 0, 1, 2 = sun, rain, snow: those who stay at home do so when it rains.
    const weather = [0, 1, 2, 0, 1, 2, 1, 0];
    const stays = weather.map((w) => (w === 1 ? "home" : "out"));
    const rows = weather.map((w) => [w]);
    const model = new DecisionTreeClassifier({ categoricalFeatures: [0] }).fit(rows, stays);
    expect(model.leafCount).toBe(2);
    const { split } = model.tree.node(0);
    expect([[1], [0, 2]]).toContainEqual([...split!.categories!]);
    expect(model.predict([[0], [1], [2]])).toEqual(["out", "home", "out"]);
    // At thresholds it takes two questions.
    expect(new DecisionTreeClassifier().fit(rows, stays).leafCount).toBe(3);
  });

  it("a leaf answers with the proportion of each class, or with the mean", () => {
    const rows = [[0], [0], [0], [1], [1]];
    const shares = new DecisionTreeClassifier().fit(rows, ["a", "a", "b", "b", "b"]).predictProba([[0], [1]]);
    expect(shares.data).toEqual(Float64Array.of(2 / 3, 1 / 3, 0, 1));
    const means = new DecisionTreeRegressor().fit(rows, [1, 2, 6, 10, 20]).predict([[0], [1]]);
    expect(means[0]).toBeCloseTo(3, 12);
    expect(means[1]).toBeCloseTo(15, 12);
  });
});

describe("B13 entropy and information gain", () => {
  const bits = (counts: readonly number[]) => entropy(counts) / BIT;
  const gain = (left: readonly number[], right: readonly number[]) =>
    impurityChange(entropy, left, right) / BIT;

  it("the entropy of (2, 5) is 0.86 bits", () => {
    expect(bits([2, 5])).toBeCloseTo(0.863, 3);
    expect(bits([1, 1])).toBeCloseTo(1, 15);
    expect(bits([7, 0])).toBe(0);
  });

  it("split B into (1, 3) and (1, 2) has 0.81 and 0.92 bits and gains 0.006", () => {
    expect(bits([1, 3])).toBeCloseTo(0.811, 3);
    expect(bits([1, 2])).toBeCloseTo(0.918, 3);
    expect(gain([1, 3], [1, 2])).toBeCloseTo(0.006, 4);
  });

  it("split A into (0, 2) and (2, 3) has 0 and 0.97 bits and gains 0.17", () => {
    expect(bits([0, 2])).toBe(0);
    expect(bits([2, 3])).toBeCloseTo(0.971, 3);
    expect(gain([0, 2], [2, 3])).toBeCloseTo(0.17, 3);
  });

  it("so a tree asks A first, and its nodes hold these entropies", () => {
    // Columns B and A; two of the first class, five of the second.
    const X = [
      [0, 1],
      [1, 1],
      [0, 0],
      [0, 0],
      [0, 1],
      [1, 1],
      [1, 1],
    ];
    const y = ["one", "one", "two", "two", "two", "two", "two"];
    const { tree } = new DecisionTreeClassifier({ criterion: "entropy", maxDepth: 1 }).fit(X, y);
    const [root, left, right] = [0, 1, 2].map((k) => tree.node(k));
    expect(root!.split!.feature).toBe(1);
    expect(root!.impurity / BIT).toBeCloseTo(0.863, 3);
    expect([left!.impurity, left!.count]).toEqual([0, 2]);
    expect(right!.impurity / BIT).toBeCloseTo(0.971, 3);
    const only = new DecisionTreeClassifier({ criterion: "entropy", maxDepth: 1 }).fit(
      X.map(([b]) => [b!]),
      y,
    );
    const of = (k: number) => only.tree.node(k).impurity / BIT;
    expect([of(1), of(2)].map((v) => v.toFixed(2))).toEqual(["0.81", "0.92"]);
  });
});
