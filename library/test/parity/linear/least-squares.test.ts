import { LinearRegression, Ridge } from "argmax";
import { describe, it } from "vitest";
import { expectClose, expectMinimum } from "../claims.js";
import { casesOf, dataOf, pick, type RegressorExpected } from "../fixtures.js";
import { ridge, sum } from "../objectives.js";

describe("least squares and ridge are scikit-learn's and R's", () => {
  for (const fixture of casesOf<RegressorExpected>("least-squares")) {
    const { estimator, name, params, expected } = fixture;
    it(`${estimator} has the least squares and coefficients: ${name} (${fixture.oracle})`, async () => {
      const { X, y, weight, fitOptions } = await dataOf<number>(fixture);
      const model =
        estimator === "Ridge"
          ? new Ridge(params as never).fit(X, y, fitOptions)
          : new LinearRegression(params as never).fit(X, y, fitOptions);
      const alpha = (params.alpha as number | undefined) ?? 0;
      const ours = ridge(X, y, weight, model.coef, model.intercept, alpha);
      // A closed form: only rounding separates two answers. An interpolating fit leaves a sum of squares of zero, which
      // rounding can miss by (1e-8)² of Σ y².
      const spread = sum(y.map((t, i) => weight[i]! * t * t));
      expectMinimum(ours, expected.objective, 1e-10, 1e-6 * spread);
      // Predictions see the residual's condition number once.
      expectClose(model.predict(pick(X, expected.rows)), expected.predict, 1e-8);
      // Coefficients see it twice when solved by normal equations; 1e-6 is far below any statistical meaning.
      expectClose(model.coef, expected.coef!, 1e-6);
      expectClose([model.intercept], [expected.intercept!], 1e-6);
    });
  }
});
