import { describe, expect, it } from "vitest";
import { ShapeError } from "../core/errors.js";
import { BernoulliNB, CategoricalNB, GaussianNB, MixedNB, MultinomialNB } from "./index.js";

describe("partial fits", () => {
  const X = [
    [1, 5],
    [2, 6],
    [8, 0],
    [9, 1],
  ];

  it("need all classes at the first call", () => {
    expect(() => new GaussianNB().partialFit(null, X.slice(0, 2), ["a", "a"])).toThrow(
      'GaussianNB.partialFit: the first y must be labels of at least two classes, got only "a". Pass { classes } with all of them.',
    );
    const model = new GaussianNB().partialFit(null, X.slice(0, 2), ["a", "a"], { classes: ["a", "b"] });
    expect(model.predict(X)).toEqual(["a", "a", "a", "a"]);
    expect(model.predictProba(X).data.every(Number.isFinite)).toBe(true);
    expect(() => new GaussianNB().partialFit(model, X, ["a", "b", "c", "a"])).toThrow(/one of the classes/);
    expect(() => new GaussianNB().partialFit(model, [[1]], ["a"])).toThrow(ShapeError);
    expect(() => new GaussianNB().partialFit(model, [], [])).toThrow(/at least one row/);
  });

  it("a class without rows has probability 0, and a pseudo-count of classes gives it one", () => {
    const classes = ["a", "b", "c"];
    const y = ["a", "a", "b", "b"];
    for (const estimator of [new MultinomialNB(), new CategoricalNB(), new GaussianNB(), new BernoulliNB()]) {
      expect(estimator.partialFit(null, X, y, { classes }).predictProba(X).column(2)).toEqual(
        new Float64Array(4),
      );
    }
    const smoothed = new MultinomialNB({ priorAlpha: 1 }).partialFit(null, X, y, { classes });
    expect(
      smoothed
        .predictProba(X)
        .column(2)
        .every((p) => p > 0),
    ).toBe(true);
  });

  it("new values of a column get their place", () => {
    const estimator = new CategoricalNB();
    const first = estimator.partialFit(null, [[0], [1]], [0, 1]);
    const both = estimator.partialFit(first, [[4]], [1]);
    expect(Array.from(both.nCategories)).toEqual([5]);
    expect(both.featureLogProb).toEqual(estimator.fit([[0], [1], [4]], [0, 1, 1]).featureLogProb);
  });

  it("go on from a model of their own kind only", () => {
    const y = ["a", "a", "b", "b"];
    const other = new BernoulliNB().fit(X, y);
    expect(() => new GaussianNB().partialFit(other as never, X, y)).toThrow(
      "GaussianNB.partialFit: the model must be a FittedGaussianNB, or null, got a FittedBernoulliNB.",
    );
    const mixed = new MixedNB({ blocks: [{ model: "bernoulli", columns: [1] }] });
    const model = mixed.fit(X, y);
    expect(mixed.partialFit(model, X, y).classCount).toEqual(Float64Array.of(4, 4));
    expect(() => new MixedNB().partialFit(model, X, y)).toThrow(
      "the model must be one of the blocks gaussian [0, 1], got bernoulli [1]; gaussian [0].",
    );
  });
});
