import { GaussianNB, KNeighborsRegressor, LinearRegression, partialDependence } from "argmax";
import { describe, expect, it } from "vitest";
import { casesOf, dataOf } from "../fixtures.js";

interface Expected {
  readonly grid: readonly (readonly number[])[];
  readonly average: readonly (readonly number[])[];
  readonly individual?: readonly (readonly number[])[];
}

const types = { GaussianNB, KNeighborsRegressor, LinearRegression };

/** Means of some hundred predictions, summed in another order. */
const within = 1e-10;

function expectClose(found: ArrayLike<number>, expected: readonly number[]): void {
  expect(found.length).toBe(expected.length);
  for (const [e, value] of expected.entries())
    expect(Math.abs(found[e]! - value)).toBeLessThanOrEqual(within * (1 + Math.abs(value)));
}

describe("partial dependence is scikit-learn's", () => {
  for (const fixture of casesOf<Expected>("inspection")) {
    it(fixture.name, async () => {
      const { X, y } = await dataOf<never>(fixture);
      const { features, ...options } = fixture.params as { features: number[] };
      const model = new types[fixture.estimator as keyof typeof types]().fit(X, y);
      const { expected } = fixture;
      const found = partialDependence(model, X, features, { ...options, individual: true });
      expected.grid.forEach((values, f) => {
        expectClose(found.grid[f] as number[], values);
      });
      // Of two classes scikit-learn has the second alone.
      const first = found.outputNames.length - expected.average.length;
      expected.average.forEach((curve, k) => {
        expectClose(found.average.row(first + k), curve);
      });
      expected.individual?.forEach((curve, i) => {
        expectClose(found.individual![first]!.row(i), curve);
      });
    });
  }
});
