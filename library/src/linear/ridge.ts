import type { FitOptions, MatrixLike } from "../core/contract.js";
import type { NumberArray } from "../core/labels.js";
import type { ModelState } from "../core/state/state.js";
import { linearRegressor } from "./fits/capabilities.js";
import { fitIntercept, positive, strengthPerTarget } from "./fits/params.js";
import { TargetsRegressor } from "./fits/targets-regressor.js";
import { FittedLinearRegressor, readRegressorState } from "./fitted-regressor.js";
import { FittedLinearTargets } from "./fitted-targets.js";
import { fitRidgeTargets, ridgeState } from "./ridge-fits.js";

export const ridgeParams = {
  alpha: strengthPerTarget(),
  fitIntercept: fitIntercept(),
  positive: positive(),
};

/**
 * Ridge regression: least squares with an l2 penalty.
 *
 *   minimise over (w, b):   Σᵢ sᵢ (yᵢ − w·xᵢ − b)² + α‖w‖²
 *
 * Equivalent to the posterior mode (MAP) under a Gaussian prior on w. α = 0 is LinearRegression. With `positive`, w ≥ 0.
 */
export class Ridge extends TargetsRegressor<typeof ridgeParams, FittedRidge> {
  static readonly id = "Ridge";
  static readonly table = ridgeParams;
  static readonly capabilities = linearRegressor();
  static readonly searchSpace = { alpha: { log: [1e-4, 1e4] } } as const;
  static readonly severalTargets = FittedLinearTargets;

  protected fitOne(where: string, x: MatrixLike, y: NumberArray, options: FitOptions): FittedRidge {
    return new FittedRidge(ridgeState(where, this, this.params.alpha, x, y, options));
  }

  protected fitTargets(where: string, x: MatrixLike, y: MatrixLike, options: FitOptions) {
    return fitRidgeTargets(where, this, this.params.alpha, x, y, options);
  }

  static restore(state: ModelState): FittedRidge {
    return new FittedRidge(readRegressorState(state));
  }
}

export class FittedRidge extends FittedLinearRegressor {}
