import {
  mutualInfoClassif,
  mutualInfoRegression,
  SelectFdr,
  SelectFpr,
  SelectFwe,
  SelectKBest,
  SelectPercentile,
  VarianceThreshold,
} from "argmax";
import { describe, expect, it } from "vitest";
import { casesOf, dataOf } from "../fixtures.js";

interface Expected {
  /** null where a constant column has none. */
  readonly scores: readonly (number | null)[];
  readonly pValues?: readonly (number | null)[];
  readonly selected: readonly number[];
}

const classes = {
  VarianceThreshold,
  SelectKBest,
  SelectPercentile,
  SelectFdr,
  SelectFpr,
  SelectFwe,
} as const;

describe("feature selection is scikit-learn's: scores and columns", () => {
  for (const fixture of casesOf<Expected>("feature-selection")) {
    const { name, estimator, params, expected } = fixture;
    it(name, async () => {
      const { X, y } = await dataOf<string>(fixture);
      const model = new classes[estimator as keyof typeof classes](params as never).fit(X, y);
      expect(model.selected).toEqual(expected.selected);
      expected.scores.forEach((score, j) => {
        if (score === null) expect(Number.isFinite(model.scores[j]!), `column ${j}`).toBe(false);
        // scikit-learn subtracts sums of squares, which costs it digits where a column is far from 0.
        else
          expect(Math.abs(model.scores[j]! - score) / Math.max(1, score), `column ${j}`).toBeLessThan(1e-9);
      });
      const { pValues } = model as { readonly pValues?: Float64Array };
      expected.pValues?.forEach((p, j) => {
        if (p === null) expect(pValues![j], `column ${j}`).toBeNaN();
        // An error of a score is multiplied by its size in the exponent: tails of 1e-100 have fewer digits.
        else expect(Math.abs(pValues![j]! - p), `column ${j}`).toBeLessThanOrEqual(1e-7 * p + 1e-300);
      });
    });
  }
});

interface Information {
  readonly least: readonly number[];
  readonly most: readonly number[];
}

describe("mutual information is scikit-learn's, within what its noise makes of equal numbers", () => {
  for (const fixture of casesOf<Information>("mutual-information")) {
    const { name, estimator, params, expected } = fixture;
    it(name, async () => {
      const { X, y } = await dataOf<never>(fixture);
      const scores =
        estimator === "mutualInfoRegression"
          ? mutualInfoRegression(X, y, params)
          : mutualInfoClassif(X, y, params);
      expected.least.forEach((least, j) => {
        const most = expected.most[j]!;
        // 20 seeds do not show the whole range. Where all agree, no numbers are equal and the estimate is exact.
        const room = 1e-9 + (most - least);
        expect(scores[j], `column ${j}`).toBeGreaterThanOrEqual(least - room);
        expect(scores[j], `column ${j}`).toBeLessThanOrEqual(most + room);
      });
    });
  }
});
