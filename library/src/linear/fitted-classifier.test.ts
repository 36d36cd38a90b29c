import { describe, expect, it } from "vitest";
import { Matrix } from "../data/matrix.js";
import { FittedLinearClassifier } from "./fitted-classifier.js";
import { LogisticRegression } from "./logistic-regression.js";
import { SoftmaxRegression } from "./softmax-regression.js";

const X = [[0], [1], [2], [3], [4], [5]];
const y = ["a", "a", "b", "a", "b", "b"];

describe("threshold", () => {
  const model = new LogisticRegression().fit(X, y);

  it("is a number or nothing", () => {
    for (const threshold of ["1", null, Number.NaN, {}]) {
      expect(() => model.predict(X, { threshold } as never)).toThrow("threshold must be a number");
    }
    expect(model.predict(X, { threshold: Infinity })).toEqual(y.map(() => "a"));
  });

  it("works on the difference of two softmax scores", () => {
    const softmax = new SoftmaxRegression().fit(X, y);
    const z = softmax.decisionFunction(X);
    const margins = X.map((_, i) => z.at(i, 1) - z.at(i, 0));
    for (const threshold of [-1, 0, 1]) {
      expect(softmax.predict(X, { threshold })).toEqual(margins.map((m) => (m > threshold ? "b" : "a")));
    }
    expect(softmax.predict(X, { threshold: 0 })).toEqual(softmax.predict(X));
  });
});

it("geometric margins of w = 0 are 0", () => {
  const report = new LogisticRegression().fit(X, y).report;
  const state = { id: "LogisticRegression", params: {}, classes: ["a", "b"], report, link: null };
  const flat = new FittedLinearClassifier({
    ...state,
    coef: Matrix.zeros(1, 1),
    intercept: Float64Array.of(1),
  });
  expect([...flat.margins(X, y).geometric]).toEqual([0, 0, 0, 0, 0, 0]);
});

it("SoftmaxRegression counts intercepts only when it has them", () => {
  for (const [form, count] of [
    ["symmetric", 2],
    ["reference", 1],
  ] as const) {
    expect(new SoftmaxRegression({ form }).fit(X, y).nParameters).toBe(2 * count);
    expect(new SoftmaxRegression({ form, fitIntercept: false }).fit(X, y).nParameters).toBe(count);
  }
});
