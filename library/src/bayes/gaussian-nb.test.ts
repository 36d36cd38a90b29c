import { describe, expect, it } from "vitest";
import { GaussianNB } from "./index.js";

describe("GaussianNB", () => {
  it("does not care where the origin is: offsets of 1e8 cost no digits", () => {
    const X = [
      [1, 2],
      [2, 1],
      [1.5, 1.25],
      [5, 6],
      [6, 5],
      [5.5, 5.75],
    ];
    const y = [0, 0, 0, 1, 1, 1];
    const far = X.map((row) => row.map((v) => v + 2 ** 27));
    const [near, moved] = [new GaussianNB().fit(X, y), new GaussianNB().fit(far, y)];
    near.var.data.forEach((v, e) => {
      expect(Math.abs(moved.var.data[e]! / v - 1)).toBeLessThan(1e-12);
    });
  });

  it("looks twice when the first row of a class is far from the others", () => {
    const X = [[1e6], ...Array.from({ length: 5000 }, (_, i) => [i % 2]), [7], [8]];
    const y = X.map((_, i) => (i < 5001 ? "a" : "b"));
    const { theta, moments } = new GaussianNB().fit(X, y);
    const mean = (1e6 + 2500) / 5001;
    expect(theta.at(0, 0)).toBeCloseTo(mean, 9);
    const squares = X.slice(0, 5001).reduce((sum, [v]) => sum + (v! - mean) ** 2, 0);
    expect(Math.abs(moments.squares[0]! / squares - 1)).toBeLessThan(1e-13);
  });

  it("a column that is constant in a class has exactly the variance ε", () => {
    const X = [
      [0.1, 3],
      [0.1, 4],
      [0.1, 5],
      [0.7, 3],
      [0.7, 9],
    ];
    const model = new GaussianNB().fit(X, [0, 0, 0, 1, 1]);
    expect(model.var.at(0, 0)).toBe(model.epsilon);
    expect(
      model.predict([
        [0.1, 9],
        [0.7, 4],
      ]),
    ).toEqual([0, 1]);
  });

  it("constant columns everywhere, and a class of one row, have posteriors", () => {
    expect(
      new GaussianNB()
        .fit(
          [
            [2, 2],
            [2, 2],
            [2, 2],
          ],
          [0, 1, 1],
        )
        .predictProba([[2, 2]]).data[0],
    ).toBeCloseTo(1 / 3, 12);
    const one = new GaussianNB().fit([[0], [1], [2], [9]], ["a", "a", "a", "b"]);
    expect(one.predict([[9], [1.5]])).toEqual(["b", "a"]);
    const spike = new GaussianNB({ varSmoothing: 0 }).fit([[0], [1], [2], [9]], ["a", "a", "a", "b"]);
    expect(spike.predict([[9], [8.999]])).toEqual(["b", "a"]);
  });

  it("densities that underflow, and overflow, leave exact posteriors", () => {
    const model = new GaussianNB().fit([[0], [1], [10], [11]], ["a", "a", "b", "b"]);
    expect(model.predictProba([[1e5]]).data).toEqual(Float64Array.of(0, 1));
    expect(model.predict([[-1e200], [1e200], [-Number.MAX_VALUE], [Number.MAX_VALUE]])).toHaveLength(4);
    expect(model.predictProba([[Number.MAX_VALUE]]).data.every(Number.isFinite)).toBe(true);
    // Both are infinitely far; the class with the wider density is nearer.
    const wider = new GaussianNB().fit([[0], [1], [10], [30]], ["a", "a", "b", "b"]);
    expect(wider.predict([[-1e300], [1e300]])).toEqual(["b", "b"]);
  });

  it("says so when variances leave the range of doubles", () => {
    const scaled = (factor: number) => [[1], [2], [3], [5]].map(([v]) => [v! * factor]);
    expect(() => new GaussianNB().fit(scaled(1e200), [0, 0, 1, 1])).toThrow(/variance that fits a double/);
    expect(() => new GaussianNB().fit(scaled(1e-200), [0, 0, 1, 1])).toThrow(/underflows/);
    expect(() => new GaussianNB().fit([[1e-200], [2e-200]], [0, 1])).toThrow(/underflows/);
    expect(() => new GaussianNB().fit(scaled(1e-147), [0, 0, 1, 1])).toThrow(/of a variance in \[1e-290/);
  });
});
