import {
  BernoulliNB,
  crossValScore,
  GaussianNB,
  LogisticRegression,
  pipeline,
  StandardScaler,
  StratifiedKFold,
} from "argmax";
import { loadDataset } from "argmax/datasets";
import { describe, expect, it } from "vitest";

describe("Y11 conditionally independent is not independent", () => {
  // P(Y) = (0.8, 0.2), P(X = 1 | Y) = 0.3 and 0.7, for two columns that are independent given Y: all eight cases by probability.
  const cases = [0, 1].flatMap((y) => [0, 1].flatMap((a) => [0, 1].map((b) => ({ y, a, b }))));
  const prior = [0.8, 0.2];
  const one = [0.3, 0.7];
  const given = (x: number, y: number) => (x === 1 ? one[y]! : 1 - one[y]!);
  // Of 10,000 rows: alpha = 0 counts as 1e-10 rows, which is then below the last digits.
  const sampleWeight = cases.map(({ y, a, b }) => 1e4 * prior[y]! * given(a, y) * given(b, y));
  const model = new BernoulliNB({ alpha: 0 }).fit(
    cases.map(({ a, b }) => [a, b]),
    cases.map(({ y }) => y),
    { sampleWeight },
  );
  /** P(x₁, x₂), summed over the classes. */
  const p = (a: number, b: number) =>
    model.predictJointLogProba([[a, b]]).data.reduce((sum, z) => sum + Math.exp(z), 0);

  it("given the class, P(1, 1 | y) = P(1 | y)²", () => {
    const both = model.logLikelihood([[1, 1]]).data;
    one.forEach((value, k) => {
      expect(Math.exp(both[k]!)).toBeCloseTo(value * value, 12);
    });
  });

  it("without it, P(1, 1) = 0.17 and P(1)² = 0.1444", () => {
    const first = p(1, 0) + p(1, 1);
    expect(p(1, 1)).toBeCloseTo(0.17, 12);
    expect(first * first).toBeCloseTo(0.1444, 12);
    expect(p(0, 0) + p(0, 1) + p(1, 0) + p(1, 1)).toBeCloseTo(1, 12);
  });
});

describe("Y12 naive Bayes is usually less accurate than its discriminative counterpart", () => {
  it.each(["breastCancer", "digits"] as const)(
    "%s: Gaussian naive Bayes is below logistic regression in each of five folds",
    async (name) => {
      const { X, y: given } = await loadDataset(name);
      const y = Array.from<string | number>(given);
      const cv = new StratifiedKFold({ nSplits: 5, shuffle: true, randomState: 0 });
      const bayes = crossValScore(new GaussianNB(), X, y, { cv });
      const logistic = crossValScore(
        pipeline(new StandardScaler(), new LogisticRegression({ C: 0.1 })),
        X,
        y,
        { cv },
      );
      // Far above guessing, so that the comparison is of two models that have learned something.
      for (const [fold, score] of bayes.entries()) {
        expect(score).toBeGreaterThan(0.7);
        expect(logistic[fold]).toBeGreaterThan(score);
      }
    },
  );
});
