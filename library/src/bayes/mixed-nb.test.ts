import { describe, expect, it } from "vitest";
import { ParameterError } from "../core/errors.js";
import { CategoricalNB, GaussianNB, MixedNB, MultinomialNB } from "./index.js";

describe("MixedNB", () => {
  const X = [
    [0, 1.5, 3, 0],
    [1, 2.5, 0, 2],
    [2, 0.5, 1, 1],
    [0, 9.5, 2, 5],
    [1, 8, 0, 4],
  ];
  const y = ["a", "a", "a", "b", "b"];
  const blocks = [
    { model: "categorical", columns: [0], alpha: 0.5 },
    { model: "multinomial", columns: [2, 3] },
  ] as const;

  it("is the product of its blocks' densities", () => {
    const model = new MixedNB({ blocks }).fit(X, y);
    const parts = [
      new CategoricalNB({ alpha: 0.5 }).fit(
        X.map((row) => [row[0]!]),
        y,
      ),
      new MultinomialNB().fit(
        X.map((row) => [row[2]!, row[3]!]),
        y,
      ),
      new GaussianNB().fit(
        X.map((row) => [row[1]!]),
        y,
      ),
    ] as const;
    const likelihood = model.logLikelihood(X).data;
    const sums = [
      parts[0].logLikelihood(X.map((row) => [row[0]!])).data,
      parts[1].logLikelihood(X.map((row) => [row[2]!, row[3]!])).data,
      parts[2].logLikelihood(X.map((row) => [row[1]!])).data,
    ];
    likelihood.forEach((v, e) => {
      expect(v).toBeCloseTo(sums[0]![e]! + sums[1]![e]! + sums[2]![e]!, 12);
    });
    expect(model.nParameters).toBe(parts[0].nParameters + parts[1].nParameters + parts[2].nParameters - 2);
  });

  it("names the caller's column when an entry does not fit its block", () => {
    const wrong = X.map((row, i) => (i === 3 ? [row[0]!, row[1]!, row[2]!, -1] : row));
    expect(() => new MixedNB({ blocks }).fit(wrong, y)).toThrow(
      /MixedNB.fit: X\[3\]\[3\] must be a count ≥ 0/,
    );
    expect(() => new MixedNB({ blocks }).fit(X, y).predict([[0.5, 1, 0, 0]])).toThrow(
      /MixedNB.predict: X\[0\]\[0\] must be a whole number/,
    );
  });

  it("refuses blocks that contradict each other or the data", () => {
    const build = (list: unknown) => () => new MixedNB({ blocks: list as never });
    expect(build([{ model: "poisson", columns: [0] }])).toThrow(
      'MixedNB, blocks[0]: model must be one of gaussian, bernoulli, categorical, multinomial, got "poisson".',
    );
    expect(
      build([
        { model: "gaussian", columns: [0] },
        { model: "bernoulli", columns: [1, 0] },
      ]),
    ).toThrow(/blocks\[1\]: columns must be whole numbers ≥ 0, each in one block and once, got 0/);
    expect(build([{ model: "gaussian", columns: [0], alpha: 1 }])).toThrow(
      /must be one of varSmoothing, got "alpha"/,
    );
    expect(build([{ model: "gaussian", columns: [] }])).toThrow(ParameterError);
    expect(build([{ model: "multinomial", columns: [1], alpha: -1 }])).toThrow(/alpha must be/);
    expect(() => new MixedNB({ blocks: [{ model: "gaussian", columns: [9] }] }).fit(X, y)).toThrow(
      /X must be 10 columns wide or more, as blocks require, got 4 columns/,
    );
  });
});
