import type { Matrix } from "argmax";
import { CsrMatrix, ElasticNet, ElasticNetCV, Lasso, LassoCV, LinearRegression, Ridge } from "argmax";
import { describe, expect, it } from "vitest";
import { casesOf, dataOf } from "../fixtures.js";

interface Expected {
  readonly coef: readonly number[];
  readonly intercept: number;
  readonly alpha?: number;
}

const types = { ElasticNet, ElasticNetCV, Lasso, LassoCV, LinearRegression, Ridge };

// scikit-learn's L-BFGS-B (Ridge) and NNLS stop at about 1e-6 of the largest coefficient.
const within = 1e-5;

describe("coefficients that are not negative are scikit-learn's", () => {
  for (const fixture of casesOf<Expected>("positive")) {
    it(fixture.name, async () => {
      const { expected, params, estimator } = fixture;
      const { X, y, fitOptions } = await dataOf<number>(fixture);
      const type = types[estimator as keyof typeof types];
      const tol = "tol" in type.table ? { tol: 1e-12 } : {};
      const fit = (x: Matrix | CsrMatrix) =>
        new type({ ...params, ...tol, positive: true } as never).fit(x, y, fitOptions);
      const dense = X as Matrix;
      const scale = Math.max(...expected.coef);
      for (const model of [fit(dense), fit(CsrMatrix.fromDense(dense))]) {
        expect(Math.min(...model.coef)).toBeGreaterThanOrEqual(0);
        expect(model.report.converged).toBe(true);
        const worst = expected.coef.reduce((most, w, j) => Math.max(most, Math.abs(w - model.coef[j]!)), 0);
        expect(worst / scale, "coef").toBeLessThanOrEqual(within);
        expect(Math.abs(model.intercept - expected.intercept)).toBeLessThanOrEqual(
          within * Math.max(scale, Math.abs(expected.intercept)),
        );
        if (expected.alpha !== undefined)
          expect((model as { readonly alpha?: number }).alpha).toBeCloseTo(expected.alpha, 8);
      }
    });
  }
});
