import { describe, expect, it } from "vitest";
import { DataError, ParameterError } from "../core/errors.js";
import { DummyClassifier, DummyRegressor } from "./index.js";

const X = Array.from({ length: 200 }, () => [0]);
const y = X.map((_, i) => (i % 4 === 0 ? "a" : i % 4 === 1 ? "b" : "c"));

describe("DummyClassifier", () => {
  it("predicts the most frequent class with the frequencies as probabilities", () => {
    const model = new DummyClassifier().fit(X, y);
    expect(model.predict([[5]])).toEqual(["c"]);
    expect(model.predictProba([[5]]).toArray()).toEqual([[0.25, 0.25, 0.5]]);
    const weighted = new DummyClassifier().fit(X, y, { sampleWeight: y.map((k) => (k === "a" ? 8 : 1)) });
    expect(weighted.predict([[5]])).toEqual(["a"]);
  });

  it("draws classes by their frequencies, or uniformly, the same every time", () => {
    const share = (labels: readonly string[], k: string) =>
      labels.filter((label) => label === k).length / 200;
    const drawn = new DummyClassifier({ strategy: "stratified", randomState: 1 }).fit(X, y);
    const labels = drawn.predict(X);
    // Five standard deviations of the proportion of 200 draws.
    expect(Math.abs(share(labels, "c") - 0.5)).toBeLessThan(5 * Math.sqrt(0.25 / 200));
    expect(drawn.predict(X)).toEqual(labels);
    const P = drawn.predictProba(X);
    labels.forEach((label, i) => {
      expect(P.at(i, drawn.classes.indexOf(label))).toBe(1);
    });
    const uniform = new DummyClassifier({ strategy: "uniform" }).fit(X, y).predict(X);
    expect(Math.abs(share(uniform, "a") - 1 / 3)).toBeLessThan(5 * Math.sqrt(2 / 9 / 200));
  });

  it("predicts a constant that y has, and no other", () => {
    expect(new DummyClassifier({ strategy: "constant", constant: "b" }).fit(X, y).predict([[1]])).toEqual([
      "b",
    ]);
    expect(() => new DummyClassifier({ strategy: "constant", constant: "d" }).fit(X, y)).toThrow(DataError);
    expect(() => new DummyClassifier({ strategy: "constant" })).toThrow(ParameterError);
  });
});

describe("DummyRegressor", () => {
  const t = [1, 2, 3, 10];
  const rows = t.map((v) => [v]);
  it("predicts the mean, the median, a quantile or a constant", () => {
    const of = (params: object, options = {}) => new DummyRegressor(params).fit(rows, t, options).prediction;
    expect(of({})).toBe(4);
    expect(of({ strategy: "median" })).toBe(2.5);
    // numpy.quantile([1, 2, 3, 10], 0.9) = 7.9
    expect(of({ strategy: "quantile", quantile: 0.9 })).toBeCloseTo(7.9, 12);
    expect(of({ strategy: "constant", constant: -1 })).toBe(-1);
    expect(of({ strategy: "median" }, { sampleWeight: [1, 1, 1, 4] })).toBe(10);
    expect(of({}, { sampleWeight: [0, 1, 1, 0] })).toBe(2.5);
    expect(() => new DummyRegressor({ strategy: "constant" })).toThrow(ParameterError);
  });

  it("has R² = 0 by its mean", () => {
    expect(new DummyRegressor().fit(rows, t).score(rows, t)).toBeCloseTo(0, 12);
  });
});
