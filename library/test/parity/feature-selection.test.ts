import { SelectKBest, SelectPercentile, VarianceThreshold } from "argmax";
import { describe, expect, it } from "vitest";
import { casesOf, dataOf } from "./fixtures.js";

interface Expected {
  /** null where a constant column has none. */
  readonly scores: readonly (number | null)[];
  readonly selected: readonly number[];
}

const classes = { VarianceThreshold, SelectKBest, SelectPercentile } as const;

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
    });
  }
});
