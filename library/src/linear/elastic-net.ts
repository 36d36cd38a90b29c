import type { Capabilities, FitOptions, MatrixLike } from "../core/contract.js";
import { Estimator, type Step } from "../core/estimator.js";
import type { NumberArray } from "../core/labels.js";
import { integer, type Params, real } from "../core/params.js";
import type { ModelState } from "../core/state.js";
import { squared } from "../losses/losses.js";
import { elasticNet } from "../penalties/penalties.js";
import { coordinateDescent } from "../solvers/coordinate-descent.js";
import { linearRegressorCapabilities } from "./capabilities.js";
import { FittedLinearRegressor, readRegressorState } from "./fitted-regressor.js";
import { fitRegressor, type RegressorParts, regressorSteps } from "./linear-fit.js";
import { fitIntercept, l1Ratio } from "./params.js";

export const elasticNetParams = {
  alpha: real({ atLeast: 0, default: 1, doc: "Regularisation strength α." }),
  l1Ratio: l1Ratio(0.5),
  fitIntercept: fitIntercept(),
  tol: real({
    above: 0,
    default: 1e-6,
    doc: "Stop when the duality gap, which bounds the distance to the minimum, is below tol · Σ(y − ȳ)².",
  }),
  maxIter: integer({ atLeast: 1, default: 10_000, doc: "Maximum number of sweeps over the coefficients." }),
};

/**
 * Elastic net: least squares with both penalties.
 *
 *   minimise over (w, b):   (1/2Σs) Σᵢ sᵢ (yᵢ − w·xᵢ − b)² + α ρ ‖w‖₁ + ½ α (1 − ρ) ‖w‖²,     ρ = l1Ratio
 *
 * Parity: scikit-learn's objective, with tol 1e-6 instead of 1e-4 and maxIter 10,000 instead of 1,000.
 */
export class ElasticNet extends Estimator<typeof elasticNetParams> {
  static readonly id = "ElasticNet";
  static readonly table = elasticNetParams;
  static readonly capabilities: Capabilities = linearRegressorCapabilities;

  constructor(params: Params<typeof elasticNetParams> = {}) {
    super(ElasticNet.id, elasticNetParams, params);
  }

  fit(x: MatrixLike, y: NumberArray, options: FitOptions = {}): FittedElasticNet {
    return fitRegressor(
      this,
      () => this.#parts(),
      (state) => new FittedElasticNet(state),
      x,
      y,
      options,
    );
  }

  steps(
    x: MatrixLike,
    y: NumberArray,
    options: FitOptions = {},
  ): Generator<Step<FittedElasticNet>, FittedElasticNet, void> {
    return regressorSteps(
      this,
      () => this.#parts(),
      (state) => new FittedElasticNet(state),
      x,
      y,
      options,
    );
  }

  static restore(state: ModelState): FittedElasticNet {
    return new FittedElasticNet(readRegressorState(state));
  }

  #parts(): RegressorParts {
    const { alpha, l1Ratio, tol } = this.params;
    return elasticNetParts(alpha, l1Ratio, tol);
  }
}

/** Shared with Lasso, which is the elastic net of l1Ratio 1. */
export function elasticNetParts(alpha: number, l1Ratio: number, tol: number): RegressorParts {
  return {
    loss: squared(),
    penalty: elasticNet(alpha, l1Ratio),
    solver: coordinateDescent(),
    link: "identity",
    // The solver's tolerances are square roots of relative objectives.
    tol: Math.sqrt(tol),
  };
}

export class FittedElasticNet extends FittedLinearRegressor {
  /** The number of nonzero coefficients. */
  get nNonZero(): number {
    return this.coef.reduce((count, w) => count + (w !== 0 ? 1 : 0), 0);
  }
}
