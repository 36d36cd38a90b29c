import type { Capabilities, FitOptions, MatrixLike } from "../core/contract.js";
import { Estimator, runSteps } from "../core/estimator.js";
import type { NumberArray } from "../core/labels.js";
import { beginFit } from "../core/params/options.js";
import type { ModelState } from "../core/state.js";
import { isTargetMatrix } from "../core/target-matrix.js";
import { targetsSet } from "../data/targets.js";
import { regressionSet } from "../data/training-set.js";
import { linearRegressorCapabilities } from "./fits/capabilities.js";
import { fitIntercept, positive, strengthOfOne, strengthPerTarget } from "./fits/params.js";
import { FittedLinearRegressor, readRegressorState } from "./fitted-regressor.js";
import { FittedLinearTargets } from "./fitted-targets.js";
import { leastSquares, leastSquaresRules } from "./least-squares/least-squares.js";
import { nonNegativeRidge, nonNegativeSteps } from "./least-squares/non-negative.js";
import { fitRidgeTargets } from "./ridge-targets.js";

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
export class Ridge extends Estimator<typeof ridgeParams> {
  static readonly id = "Ridge";
  static readonly table = ridgeParams;
  static readonly capabilities: Capabilities = linearRegressorCapabilities;
  static readonly searchSpace = { alpha: { log: [1e-4, 1e4] } } as const;
  static readonly severalTargets = FittedLinearTargets;

  /** A matrix Y has several targets, one per column. */
  fit(x: MatrixLike, y: MatrixLike, options?: FitOptions): FittedLinearTargets;
  fit(x: MatrixLike, y: NumberArray, options?: FitOptions): FittedRidge;
  fit(
    x: MatrixLike,
    y: NumberArray | MatrixLike,
    options: FitOptions = {},
  ): FittedRidge | FittedLinearTargets {
    const where = this.where("fit");
    beginFit(where, options);
    const { fitIntercept, positive } = this.params;
    if (isTargetMatrix(y)) {
      const set = targetsSet(where, x, y, options, leastSquaresRules);
      return fitRidgeTargets(where, this, set, this.params.alpha, options);
    }
    const set = regressionSet(where, x, y, options, leastSquaresRules);
    const alpha = strengthOfOne(where, this.params.alpha);
    const learned = positive
      ? runSteps(
          where,
          nonNegativeSteps(where, set, nonNegativeRidge(alpha, fitIntercept), (fit) => fit),
          options,
        )
      : leastSquares(where, set, alpha, fitIntercept);
    return new FittedRidge({
      id: Ridge.id,
      params: this.params,
      link: "identity",
      featureNamesIn: set.featureNamesIn,
      ...learned,
    });
  }

  static restore(state: ModelState): FittedRidge {
    return new FittedRidge(readRegressorState(state));
  }
}

export class FittedRidge extends FittedLinearRegressor {}
