import type { ModelState } from "../core/state/state.js";
import { elasticNetParams, FittedElasticNet } from "./elastic-net.js";
import { PenalisedRegressor, type Strength } from "./elastic-net-fits.js";
import { linearRegressor } from "./fits/capabilities.js";
import { type RegressorState, readRegressorState } from "./fitted-regressor.js";
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
export class Lasso extends PenalisedRegressor<typeof lassoParams, FittedLasso> {
  static readonly id = "Lasso";
  static readonly table = lassoParams;
  static readonly capabilities = linearRegressor();
  static readonly searchSpace = { alpha: { log: [1e-4, 1e2] } } as const;
  static readonly severalTargets = FittedLinearTargets;

  static restore(state: ModelState): FittedLasso {
    return new FittedLasso(readRegressorState(state));
  }

  protected strength(): Strength {
    return { alpha: this.params.alpha, l1Ratio: 1 };
  }

  protected model(state: RegressorState): FittedLasso {
    return new FittedLasso(state);
  }
}

export class FittedLasso extends FittedElasticNet {}
