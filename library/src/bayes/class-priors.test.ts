import { describe, expect, it } from "vitest";
import { ParameterError } from "../core/errors.js";
import { BernoulliNB, betaPrior, CategoricalNB, dirichletPrior, GaussianNB, MultinomialNB } from "./index.js";

const exp = (v: Float64Array) => Array.from(v, Math.exp);

describe("class priors", () => {
  const X = [[1], [2], [3], [4]];
  const y = ["a", "b", "b", "b"];

  it("are proportions of the rows, uniform, given, or smoothed by pseudo-counts", () => {
    expect(exp(new MultinomialNB().fit(X, y).classLogPrior)[0]).toBeCloseTo(0.25, 14);
    expect(exp(new MultinomialNB({ fitPrior: false }).fit(X, y).classLogPrior)[0]).toBeCloseTo(0.5, 14);
    expect(exp(new MultinomialNB({ classPrior: [0.9, 0.1] }).fit(X, y).classLogPrior)[0]).toBeCloseTo(
      0.9,
      14,
    );
    expect(exp(new GaussianNB({ priors: [0.9, 0.1] }).fit(X, y).classLogPrior)[0]).toBeCloseTo(0.9, 14);
    expect(exp(new GaussianNB({ priorAlpha: [2, 0] }).fit(X, y).classLogPrior)[0]).toBeCloseTo(0.5, 14);
    expect(exp(new BernoulliNB({ priorAlpha: 1 }).fit(X, y).classLogPrior)[0]).toBeCloseTo(2 / 6, 14);
  });

  it("that do not fit are refused by name", () => {
    expect(() => new MultinomialNB({ classPrior: [0.5, 0.4] }).fit(X, y)).toThrow(
      "MultinomialNB.fit: classPrior must be one probability for each of the 2 classes, of sum 1, got 2 of sum 0.9.",
    );
    expect(() => new GaussianNB({ priors: [1] }).fit(X, y)).toThrow(
      /priors must be one probability for each/,
    );
    expect(() => new BernoulliNB({ priorAlpha: [1, 2, 3] }).fit(X, y)).toThrow(ParameterError);
  });

  it("class weights change them", () => {
    const balanced = new MultinomialNB({ classWeight: "balanced" }).fit(X, y);
    expect(exp(balanced.classLogPrior)).toEqual([expect.closeTo(0.5, 14), expect.closeTo(0.5, 14)]);
    expect(() => new MultinomialNB({ classWeight: "balanced" }).partialFit(null, X, y)).toThrow(
      ParameterError,
    );
  });
});

describe("priors on parameters", () => {
  it("are pseudo-counts: Dirichlet(2) is Laplace's", () => {
    expect(dirichletPrior(2)).toBe(1);
    expect(dirichletPrior([1, 3])).toEqual([0, 2]);
    expect(dirichletPrior([[1], [2, 4]])).toEqual([[0], [1, 3]]);
    expect(betaPrior(3, 1.5)).toEqual({ ones: 2, zeros: 0.5 });
    expect(() => dirichletPrior(0.5)).toThrow(/beta must be a number ≥ 1/);
    expect(() => betaPrior(2, Number.NaN)).toThrow(ParameterError);
  });

  it("of the wrong length are refused", () => {
    const [X, y] = [
      [
        [1, 0],
        [0, 1],
      ],
      [0, 1],
    ];
    expect(() => new MultinomialNB({ alpha: [1] }).fit(X!, y as number[])).toThrow(
      "MultinomialNB.fit: alpha must be one number, or one for each of the 2 columns, got 1 numbers.",
    );
    expect(() => new CategoricalNB({ alpha: [[1, 1]] }).fit(X!, y as number[])).toThrow(
      /one list for each of the 2/,
    );
    expect(() => new CategoricalNB({ alpha: [[1], [1, 1]] }).fit(X!, y as number[])).toThrow(
      /column 0 of X must be below 1/,
    );
  });

  it("of 0 count as 1e-10: an unseen word does not veto a class, and nothing is NaN", () => {
    const model = new MultinomialNB({ alpha: 0 }).fit(
      [
        [1, 0],
        [0, 1],
      ],
      [0, 1],
    );
    expect(model.predictProba([[1, 1]]).data).toEqual(Float64Array.of(0.5, 0.5));
    expect(model.featureLogProb.at(0, 1)).toBeCloseTo(Math.log(1e-10), 9);
  });
});
