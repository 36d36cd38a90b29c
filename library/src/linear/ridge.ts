import type { Capabilities, FitOptions, MatrixLike } from "../core/contract.js";
import { Estimator, runSteps } from "../core/estimator.js";
import type { NumberArray } from "../core/labels.js";
import { beginFit } from "../core/options.js";
import { type Params, real } from "../core/params.js";
import type { ModelState } from "../core/state.js";
import { regressionSet } from "../data/training-set.js";
import { linearRegressorCapabilities } from "./capabilities.js";
import { FittedLinearRegressor, readRegressorState } from "./fitted-regressor.js";
import { leastSquares, leastSquaresRules } from "./least-squares.js";
import { nonNegativeRidge, nonNegativeSteps } from "./non-negative.js";
import { fitIntercept, positive } from "./params.js";

export const ridgeParams = {
  alpha: real({ atLeast: 0, default: 1, doc: "Regularisation strength α of the penalty α‖w‖²." }),
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

  constructor(params: Params<typeof ridgeParams> = {}) {
    super(Ridge.id, ridgeParams, params);
  }

  fit(x: MatrixLike, y: NumberArray, options: FitOptions = {}): FittedRidge {
    const where = "Ridge.fit";
    beginFit(where, options);
    const set = regressionSet(where, x, y, options, leastSquaresRules);
    const { alpha, fitIntercept, positive } = this.params;
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
