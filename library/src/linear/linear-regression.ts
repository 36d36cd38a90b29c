import type { Capabilities, DefaultCandidate, FitOptions, MatrixLike } from "../core/contract.js";
import { Estimator, runSteps } from "../core/estimator.js";
import type { NumberArray } from "../core/labels.js";
import { beginFit } from "../core/params/options.js";
import { flag } from "../core/params/params.js";
import type { ModelState } from "../core/state.js";
import { isTargetMatrix } from "../core/target-matrix.js";
import { targetsSet } from "../data/targets.js";
import { regressionSet } from "../data/training-set.js";
import { linearRegressorCapabilities } from "./fits/capabilities.js";
import { positive } from "./fits/params.js";
import { FittedLinearRegressor, readRegressorState } from "./fitted-regressor.js";
import { FittedLinearTargets } from "./fitted-targets.js";
import { leastSquares, leastSquaresRules } from "./least-squares/least-squares.js";
import { nonNegativeRidge, nonNegativeSteps } from "./least-squares/non-negative.js";
import { fitRidgeTargets } from "./ridge-targets.js";

export const linearRegressionParams = {
  fitIntercept: flag({ default: true, doc: "Fit an intercept b; when false, b = 0." }),
  positive: positive(),
};

/**
 * Ordinary least squares.
 *
 *   minimise over (w, b):   Σᵢ sᵢ (yᵢ − w·xᵢ − b)²
 *
 * If the minimum is not unique (dependent columns, fewer rows than columns), the w of least norm; for sparse X of more than four
 * million entries (zeros included), any minimum. With `positive`, the minimum over w ≥ 0 (NNLS).
 */
export class LinearRegression extends Estimator<typeof linearRegressionParams> {
  static readonly id = "LinearRegression";
  static readonly table = linearRegressionParams;
  static readonly capabilities: Capabilities = linearRegressorCapabilities;
  static readonly starter = { place: 1 } as const;
  static readonly candidate: DefaultCandidate = { cost: 1 };
  static readonly severalTargets = FittedLinearTargets;

  /** A matrix Y has several targets, one per column. */
  fit(x: MatrixLike, y: MatrixLike, options?: FitOptions): FittedLinearTargets;
  fit(x: MatrixLike, y: NumberArray, options?: FitOptions): FittedLinearRegression;
  fit(
    x: MatrixLike,
    y: NumberArray | MatrixLike,
    options: FitOptions = {},
  ): FittedLinearRegression | FittedLinearTargets {
    const where = this.where("fit");
    beginFit(where, options);
    if (isTargetMatrix(y)) {
      const set = targetsSet(where, x, y, options, leastSquaresRules);
      return fitRidgeTargets(where, this, set, 0, options);
    }
    const set = regressionSet(where, x, y, options, leastSquaresRules);
    const { fitIntercept, positive } = this.params;
    const learned = positive
      ? runSteps(
          where,
          nonNegativeSteps(where, set, nonNegativeRidge(0, fitIntercept), (fit) => fit),
          options,
        )
      : leastSquares(where, set, 0, fitIntercept);
    return new FittedLinearRegression({
      id: LinearRegression.id,
      params: this.params,
      link: "identity",
      featureNamesIn: set.featureNamesIn,
      ...learned,
    });
  }

  static restore(state: ModelState): FittedLinearRegression {
    return new FittedLinearRegression(readRegressorState(state));
  }
}

export class FittedLinearRegression extends FittedLinearRegressor {}
