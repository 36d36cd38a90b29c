import { HuberRegressor, PoissonRegressor } from "argmax";
import { describe, expect, it } from "vitest";
import { expectClose, expectMinimum, precise } from "../claims.js";
import { casesOf, dataOf, pick, type RegressorExpected } from "../fixtures.js";
import { huber, poisson } from "../objectives.js";

describe("HuberRegressor is scikit-learn's", () => {
  for (const fixture of casesOf<RegressorExpected & { readonly scale: number }>("huber")) {
    const { name, params, expected } = fixture;
    const formula = params as { epsilon: number; alpha: number };

    it(`reaches the minimum as it comes: ${name}`, async () => {
      const { X, y, weight, fitOptions } = await dataOf<number>(fixture);
      const model = new HuberRegressor(params as never).fit(X, y, fitOptions);
      // The project's promise for default settings.
      expectMinimum(huber(X, y, weight, model, formula), expected.objective, 1e-6);
      expect(model.report.converged).toBe(true);
    });

    it(`asked for more digits, has the same coefficients and scale: ${name}`, async () => {
      const { X, y, weight, fitOptions } = await dataOf<number>(fixture);
      const model = new HuberRegressor({ ...params, ...precise } as never).fit(X, y, fitOptions);
      expectMinimum(huber(X, y, weight, model, formula), expected.objective, 1e-10);
      // Square root of the objective's accuracy.
      expectClose(model.predict(pick(X, expected.rows)), expected.predict, 1e-5);
      expectClose(model.coef, expected.coef!, 1e-5);
      expectClose([model.scale], [expected.scale], 1e-5);
    });
  }
});

describe("PoissonRegressor is scikit-learn's and R's glm", () => {
  for (const fixture of casesOf<RegressorExpected>("poisson")) {
    const { name, params, expected, oracle } = fixture;
    const alpha = params.alpha as number;

    it(`reaches the minimum as it comes: ${name}`, async () => {
      const { X, y, weight, fitOptions } = await dataOf<number>(fixture);
      const model = new PoissonRegressor(params as never).fit(X, y, fitOptions);
      expectMinimum(poisson(X, y, weight, model.coef, model.intercept, alpha), expected.objective, 1e-6);
      expect(model.report.converged).toBe(true);
    });

    it(`asked for more digits, has the same coefficients: ${name} (${oracle})`, async () => {
      const { X, y, weight, fitOptions } = await dataOf<number>(fixture);
      const model = new PoissonRegressor({ ...params, ...precise } as never).fit(X, y, fitOptions);
      expectMinimum(poisson(X, y, weight, model.coef, model.intercept, alpha), expected.objective, 1e-10);
      expectClose(model.predict(pick(X, expected.rows)), expected.predict, 1e-5);
      expectClose(model.coef, expected.coef!, 1e-5);
    });
  }
});
