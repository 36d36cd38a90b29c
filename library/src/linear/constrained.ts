import { flag, real } from "../core/params/params.js";
import type { ModelState } from "../core/state/state.js";
import { squared } from "../losses/losses.js";
import { l1Ball, l2Ball, type Penalty } from "../penalties/penalties.js";
import { proximal } from "../solvers/proximal.js";
import { linearRegressor } from "./fits/capabilities.js";
import type { RegressorParts } from "./fits/linear-fit.js";
import { maxIterations, objectiveTol } from "./fits/params.js";
import { SolvedRegressor } from "./fits/solved-estimators.js";
import type { RegressorState } from "./fitted-regressor.js";
import { FittedLinearRegressor, readRegressorState } from "./fitted-regressor.js";

export const constrainedParams = {
  radius: real({ above: 0, default: 1, doc: "Upper bound on the norm of w." }),
  fitIntercept: flag({
    default: true,
    doc: "Fit an intercept b, which is not constrained; when false, b = 0.",
  }),
  tol: objectiveTol(1e-6),
  maxIter: maxIterations(10_000),
};

/**
 * Least squares inside a ball, the constrained form of ridge:
 *
 *   minimise over (w, b):   (1/2Σs) Σᵢ sᵢ (yᵢ − w·xᵢ − b)²    subject to  ‖w‖₂ ≤ radius
 *
 * Every solution of ridge with some α is one of these, with radius = ‖ŵ_α‖, and the reverse.
 */
export class ConstrainedRidge extends SolvedRegressor<typeof constrainedParams, FittedConstrainedRidge> {
  static readonly id = "ConstrainedRidge";
  static readonly table = constrainedParams;
  static readonly capabilities = linearRegressor({ manyColumns: false });

  static restore(state: ModelState): FittedConstrainedRidge {
    return new FittedConstrainedRidge(readRegressorState(state));
  }

  protected parts(): RegressorParts {
    return partsOf(l2Ball(this.params.radius));
  }

  protected model(state: RegressorState): FittedConstrainedRidge {
    return new FittedConstrainedRidge(state);
  }
}

/**
 * Least squares inside an l1 ball, the constrained form of the lasso:
 *
 *   minimise over (w, b):   (1/2Σs) Σᵢ sᵢ (yᵢ − w·xᵢ − b)²    subject to  ‖w‖₁ ≤ radius
 */
export class ConstrainedLasso extends SolvedRegressor<typeof constrainedParams, FittedConstrainedLasso> {
  static readonly id = "ConstrainedLasso";
  static readonly table = constrainedParams;
  static readonly capabilities = linearRegressor({ manyColumns: false });

  static restore(state: ModelState): FittedConstrainedLasso {
    return new FittedConstrainedLasso(readRegressorState(state));
  }

  protected parts(): RegressorParts {
    return partsOf(l1Ball(this.params.radius));
  }

  protected model(state: RegressorState): FittedConstrainedLasso {
    return new FittedConstrainedLasso(state);
  }
}

const partsOf = (ball: Penalty): RegressorParts => ({
  loss: squared(),
  penalty: ball,
  solver: proximal(),
  link: "identity",
});

export class FittedConstrainedRidge extends FittedLinearRegressor {}
export class FittedConstrainedLasso extends FittedLinearRegressor {}
