import type { Capabilities, FitOptions, MatrixLike } from "../core/contract.js";
import { Estimator, type Step } from "../core/estimator.js";
import type { NumberArray } from "../core/labels.js";
import type { Params } from "../core/params.js";
import type { ModelState } from "../core/state.js";
import { linearRegressorCapabilities } from "./capabilities.js";
import { elasticNetParams, elasticNetParts, FittedElasticNet } from "./elastic-net.js";
import { readRegressorState } from "./fitted-regressor.js";
import { fitRegressor, type RegressorParts, regressorSteps } from "./linear-fit.js";

const { alpha, fitIntercept, tol, maxIter } = elasticNetParams;
export const lassoParams = { alpha, fitIntercept, tol, maxIter };

/**
 * Lasso: least squares with an l1 penalty, which sets coefficients to exactly 0.
 *
 *   minimise over (w, b):   (1/2Σs) Σᵢ sᵢ (yᵢ − w·xᵢ − b)² + α‖w‖₁
 *
 * Equivalent to the posterior mode (MAP) under a Laplace prior on w, and to the constraint ‖w‖₁ ≤ c for the c of the solution.
 */
export class Lasso extends Estimator<typeof lassoParams> {
  static readonly id = "Lasso";
  static readonly table = lassoParams;
  static readonly capabilities: Capabilities = linearRegressorCapabilities;

  constructor(params: Params<typeof lassoParams> = {}) {
    super(Lasso.id, lassoParams, params);
  }

  fit(x: MatrixLike, y: NumberArray, options: FitOptions = {}): FittedLasso {
    return fitRegressor(
      this,
      () => this.#parts(),
      (state) => new FittedLasso(state),
      x,
      y,
      options,
    );
  }

  steps(
    x: MatrixLike,
    y: NumberArray,
    options: FitOptions = {},
  ): Generator<Step<FittedLasso>, FittedLasso, void> {
    return regressorSteps(
      this,
      () => this.#parts(),
      (state) => new FittedLasso(state),
      x,
      y,
      options,
    );
  }

  static restore(state: ModelState): FittedLasso {
    return new FittedLasso(readRegressorState(state));
  }

  #parts(): RegressorParts {
    return elasticNetParts(this.params.alpha, 1, this.params.tol);
  }
}

export class FittedLasso extends FittedElasticNet {}
