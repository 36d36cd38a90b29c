import { ElasticNet, elasticNetPath, Lasso, lassoPath } from "argmax";
import { describe, expect, it } from "vitest";
import { expectClose, expectMinimum, precise } from "../claims.js";
import { type Case, casesOf, dataOf, pick, type RegressorExpected } from "../fixtures.js";
import { elasticNet } from "../objectives.js";

const ratioOf = (fixture: Case<unknown>) => (fixture.params.l1Ratio as number | undefined) ?? 1;

async function fitted(fixture: Case<RegressorExpected>, precision: object) {
  const data = await dataOf<number>(fixture);
  const params = { ...fixture.params, ...precision } as never;
  const estimator = fixture.estimator === "Lasso" ? new Lasso(params) : new ElasticNet(params);
  const model = estimator.fit(data.X, data.y, data.fitOptions);
  const { alpha } = fixture.params as { alpha: number };
  const { X, y, weight } = data;
  const objective = elasticNet(X, y, weight, model.coef, model.intercept, alpha, ratioOf(fixture));
  return { model, objective, ...data };
}

describe("lasso and elastic net are scikit-learn's", () => {
  for (const fixture of casesOf<RegressorExpected>("lasso")) {
    const { estimator, name, expected } = fixture;

    it(`${estimator} reaches the minimum as it comes: ${name}`, async () => {
      const { objective, model } = await fitted(fixture, {});
      // The project's promise for default settings.
      expectMinimum(objective, expected.objective, 1e-6);
      expect(model.report.converged).toBe(true);
    });

    it(`${estimator}, asked for more digits, has the same coefficients and zeros: ${name}`, async () => {
      const { objective, model, X } = await fitted(fixture, precise);
      expectMinimum(objective, expected.objective, 1e-10);
      // An objective that is right to 1e-10 fixes a prediction to its square root.
      expectClose(model.predict(pick(X, expected.rows)), expected.predict, 1e-5);
      if (!expected.coef) return; // dependent columns: the minimiser is not unique
      expectClose(model.coef, expected.coef, 1e-5);
      expect(Array.from(model.coef, (w) => w !== 0)).toEqual(expected.coef.map((w) => w !== 0));
    });
  }
});

interface PathExpected {
  readonly alphas: readonly number[];
  readonly objectives: readonly number[];
  readonly coefs: readonly (readonly number[])[];
  readonly intercepts: readonly number[];
}

describe("regularisation paths are scikit-learn's and glmnet's", () => {
  for (const fixture of casesOf<PathExpected>("lasso-path")) {
    const { name, params, expected, oracle } = fixture;
    it(`every step of the path is a minimum: ${name} (${oracle})`, async () => {
      const { X, y, weight } = await dataOf<number>(fixture);
      const options = { ...params, ...precise } as never;
      const path =
        fixture.estimator === "lassoPath" ? lassoPath(X, y, options) : elasticNetPath(X, y, options);
      // The grid is a formula of the data: rounding only.
      expectClose(path.alphas, expected.alphas, 1e-12);
      expected.alphas.forEach((alpha, step) => {
        const coef = path.coefs.data.slice(step * X.cols, (step + 1) * X.cols);
        const ours = elasticNet(X, y, weight, coef, path.intercepts[step]!, alpha, ratioOf(fixture));
        expectMinimum(ours, expected.objectives[step]!, 1e-10);
        // Square root of the objective's accuracy; the first step is all zeros.
        if (step === 0) expect(Array.from(coef).every((w) => Math.abs(w) < 1e-9)).toBe(true);
        else expectClose(coef, expected.coefs[step]!, 1e-4);
      });
    });
  }
});
