import type { Capabilities, FitOptions, MatrixLike } from "../core/contract.js";
import { Estimator, runSteps, type Steps } from "../core/estimator.js";
import type { NumberArray } from "../core/labels.js";
import type { ModelState } from "../core/state.js";
import { isTargetMatrix } from "../core/target-matrix.js";
import { elasticNetParams, elasticNetSteps, FittedElasticNet, fitElasticNetTargets } from "./elastic-net.js";
import { linearRegressorCapabilities } from "./fits/capabilities.js";
import { readRegressorState } from "./fitted-regressor.js";
import { FittedLinearTargets } from "./fitted-targets.js";

const { alpha, fitIntercept, tol, maxIter, positive } = elasticNetParams;
export const lassoParams = { alpha, fitIntercept, tol, maxIter, positive };

/**
 * Lasso: least squares with an l1 penalty, which sets coefficients to exactly 0.
 *
 *   minimise over (w, b):   (1/2Σs) Σᵢ sᵢ (yᵢ − w·xᵢ − b)² + α‖w‖₁
 *
 * Equivalent to the posterior mode (MAP) under a Laplace prior on w, and to the constraint ‖w‖₁ ≤ c for the c of the solution.
 * With `positive`, the minimum over w ≥ 0.
 */
export class Lasso extends Estimator<typeof lassoParams> {
  static readonly id = "Lasso";
  static readonly table = lassoParams;
  static readonly capabilities: Capabilities = linearRegressorCapabilities;
  static readonly searchSpace = { alpha: { log: [1e-4, 1e2] } } as const;
  static readonly severalTargets = FittedLinearTargets;

  /** A matrix Y has several targets, one per column. */
  fit(x: MatrixLike, y: MatrixLike, options?: FitOptions): FittedLinearTargets;
  fit(x: MatrixLike, y: NumberArray, options?: FitOptions): FittedLasso;
  fit(
    x: MatrixLike,
    y: NumberArray | MatrixLike,
    options: FitOptions = {},
  ): FittedLasso | FittedLinearTargets {
    if (isTargetMatrix(y))
      return fitElasticNetTargets(this, { alpha: this.params.alpha, l1Ratio: 1 }, x, y, options);
    return runSteps(this.where("fit"), this.#learn("fit", x, y, options), options);
  }

  steps(x: MatrixLike, y: NumberArray, options: FitOptions = {}): Steps<FittedLasso> {
    return this.#learn("steps", x, y, options);
  }

  static restore(state: ModelState): FittedLasso {
    return new FittedLasso(readRegressorState(state));
  }

  #learn(call: "fit" | "steps", x: MatrixLike, y: NumberArray, options: FitOptions): Steps<FittedLasso> {
    return elasticNetSteps(
      this,
      { alpha: this.params.alpha, l1Ratio: 1 },
      (state) => new FittedLasso(state),
      x,
      y,
      options,
      call,
    );
  }
}

export class FittedLasso extends FittedElasticNet {}
