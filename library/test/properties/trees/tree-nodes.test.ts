import { describe, expect, it } from "vitest";
import { Random } from "../../../src/core/numbers/random.js";
import { Matrix } from "../../../src/data/matrix.js";
import { DecisionTreeClassifier, DecisionTreeRegressor } from "../../../src/trees/index.js";

describe("nodes of trees", () => {
  it("are leaves where all targets are equal, whatever the rounding of their variance", () => {
    const random = new Random(2);
    const n = 3000;
    const X = Matrix.zeros(n, 2);
    const y = Float64Array.from({ length: n }, (_, i) => [0.1, 0.7, 1.3][i % 3]!);
    for (let i = 0; i < n; i++) X.data.set([i % 3, random.normal()], 2 * i);
    expect(new DecisionTreeRegressor().fit(X, y).leafCount).toBe(3);
    const counts = y.map((v) => Math.round(10 * v));
    expect(new DecisionTreeRegressor({ criterion: "poisson" }).fit(X, counts).leafCount).toBe(3);
  });

  it("send values that were never missing before with the heavier side", () => {
    const X = [[0], [0], [0], [1]];
    const fit = { sampleWeight: [1, 1, 1, 5] };
    const model = new DecisionTreeClassifier().fit(X, ["a", "a", "a", "b"], fit);
    expect(model.predict([[Number.NaN]])).toEqual(["b"]);
  });

  it("part a hundred thousand categories by the mean of each", () => {
    const n = 100_000;
    const x = new Matrix(
      Float64Array.from({ length: 2 * n }, (_, i) => i % n),
      2 * n,
      1,
    );
    // Category c has c mod 7 in both of its rows.
    const y = Float64Array.from(x.data, (c) => c % 7);
    const own = { categoricalFeatures: [0] };
    const model = new DecisionTreeRegressor(own).fit(x, y);
    expect(model.leafCount).toBe(7);
    expect(model.score(x, y)).toBe(1);
  });
});
