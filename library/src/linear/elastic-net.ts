import type { DefaultCandidate } from "../core/contract.js";
import { integer, real } from "../core/params/params.js";
import type { ModelState } from "../core/state/state.js";
import { PenalisedRegressor, type Strength } from "./elastic-net-fits.js";
import { linearRegressor } from "./fits/capabilities.js";
import { fitIntercept, l1Ratio, positive } from "./fits/params.js";
import { FittedLinearRegressor, type RegressorState, readRegressorState } from "./fitted-regressor.js";
import { FittedLinearTargets } from "./fitted-targets.js";

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
  positive: positive(),
};

/**
 * Elastic net: least squares with both penalties.
 *
 *   minimise over (w, b):   (1/2Σs) Σᵢ sᵢ (yᵢ − w·xᵢ − b)² + α ρ ‖w‖₁ + ½ α (1 − ρ) ‖w‖²,     ρ = l1Ratio
 *
 * With `positive`, over w ≥ 0.
 * Parity: scikit-learn's objective, with tol 1e-6 instead of 1e-4 and maxIter 10,000 instead of 1,000.
 */
export class ElasticNet extends PenalisedRegressor<typeof elasticNetParams, FittedElasticNet> {
  static readonly id = "ElasticNet";
  static readonly table = elasticNetParams;
  static readonly capabilities = linearRegressor();
  static readonly candidate: DefaultCandidate = { cost: 4 };
  static readonly searchSpace = { alpha: { log: [1e-4, 1e2] }, l1Ratio: { uniform: [0.05, 1] } } as const;
  static readonly severalTargets = FittedLinearTargets;

  static restore(state: ModelState): FittedElasticNet {
    return new FittedElasticNet(readRegressorState(state));
  }

  protected strength(): Strength {
    return this.params;
  }

  protected model(state: RegressorState): FittedElasticNet {
    return new FittedElasticNet(state);
  }
}

export class FittedElasticNet extends FittedLinearRegressor {
  /** The number of nonzero coefficients. */
  get nNonZero(): number {
    return this.coef.reduce((count, w) => count + (w !== 0 ? 1 : 0), 0);
  }
}
