import type { DefaultCandidate, FitOptions, MatrixLike } from "../core/contract.js";
import type { NumberArray } from "../core/labels.js";
import { flag } from "../core/params/params.js";
import type { ModelState } from "../core/state/state.js";
import { linearRegressor } from "./fits/capabilities.js";
import { positive } from "./fits/params.js";
import { TargetsRegressor } from "./fits/targets-regressor.js";
import { FittedLinearRegressor, readRegressorState } from "./fitted-regressor.js";
import { FittedLinearTargets } from "./fitted-targets.js";
import { fitRidgeTargets, ridgeState } from "./ridge-fits.js";

export const linearRegressionParams = {
  fitIntercept: flag({ default: true, doc: "Fit an intercept b; when false, b = 0." }),
  positive: positive(),
};
type LinearRegressionParams = typeof linearRegressionParams;

/**
 * Ordinary least squares.
 *
 *   minimise over (w, b):   Σᵢ sᵢ (yᵢ − w·xᵢ − b)²
 *
 * If the minimum is not unique (dependent columns, fewer rows than columns), the w of least norm; for sparse X of more than four
 * million entries (zeros included), any minimum. With `positive`, the minimum over w ≥ 0 (NNLS).
 */
export class LinearRegression extends TargetsRegressor<LinearRegressionParams, FittedLinearRegression> {
  static readonly id = "LinearRegression";
  static readonly table = linearRegressionParams;
  static readonly capabilities = linearRegressor();
  static readonly starter = { place: 1 } as const;
  static readonly candidate: DefaultCandidate = { cost: 1 };
  static readonly severalTargets = FittedLinearTargets;

  protected fitOne(where: string, x: MatrixLike, y: NumberArray, options: FitOptions) {
    return new FittedLinearRegression(ridgeState(where, this, 0, x, y, options));
  }

  protected fitTargets(where: string, x: MatrixLike, y: MatrixLike, options: FitOptions) {
    return fitRidgeTargets(where, this, 0, x, y, options);
  }

  static restore(state: ModelState): FittedLinearRegression {
    return new FittedLinearRegression(readRegressorState(state));
  }
}

export class FittedLinearRegression extends FittedLinearRegressor {}
