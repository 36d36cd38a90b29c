import { describe, expect, it } from "vitest";
import { CategoricalNB } from "./index.js";

describe("CategoricalNB", () => {
  const X = [
    [0, 2],
    [1, 0],
    [1, 1],
    [0, 1],
  ];
  const y = ["a", "a", "b", "b"];

  it("gives a value that fit has not seen the probability of one counted 0 times", () => {
    const model = new CategoricalNB().fit(X, y);
    const unseen = Math.log(1 / 4) + Math.log(1 / 5);
    for (const value of [2, 7, 1e9, -1])
      for (const other of [3, 1e300, -4])
        for (const l of model.logLikelihood([[value, other]]).data) expect(l).toBeCloseTo(unseen, 12);
  });

  it("refuses what is not a category", () => {
    expect(() => new CategoricalNB().fit([[0.5], [1]], [0, 1])).toThrow(/X\[0\]\[0\] must be a category/);
    expect(() => new CategoricalNB().fit([[-1], [1]], [0, 1])).toThrow(/got -1\. KBinsDiscretizer makes/);
    expect(() => new CategoricalNB().fit([[1e9], [1]], [0, 1])).toThrow(/a whole number from 0 to 16777215/);
    expect(() => new CategoricalNB().fit(X, y).predict([[0, 0.5]])).toThrow(
      /X\[0\]\[1\] must be a whole number/,
    );
    expect(() => new CategoricalNB({ minCategories: [2.5, 3] })).toThrow(
      /minCategories must be of whole numbers/,
    );
  });

  it("has one table a column, and as many parameters as they need", () => {
    const model = new CategoricalNB({ minCategories: [4, 1] }).fit(X, y);
    expect(Array.from(model.nCategories)).toEqual([4, 3]);
    expect(model.featureLogProb.map(({ rows, cols }) => [rows, cols])).toEqual([
      [2, 4],
      [2, 3],
    ]);
    expect(model.categoryCount[1]!.toArray()).toEqual([
      [1, 0, 1],
      [0, 2, 0],
    ]);
    expect(model.nParameters).toBe(2 * (3 + 2) + 1);
    expect(model.topFeatures(1)[1]!.features[0]).toMatchObject({ feature: 1, name: "x1=1" });
  });
});
