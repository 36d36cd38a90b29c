import { choice, real } from "../core/params/params.js";
import type { ModelState } from "../core/state/state.js";
import type { RegressionSet } from "../data/training-set.js";
import { epsilonInsensitive, squaredEpsilonInsensitive } from "../losses/losses.js";
import { l2 } from "../penalties/penalties.js";
import { autoSolver } from "./fits/auto-solver.js";
import { linearRegressor } from "./fits/capabilities.js";
import type { RegressorParts } from "./fits/linear-fit.js";
import { fitIntercept, maxIterations, objectiveTol, rowOrderSeed } from "./fits/params.js";
import { SolvedRegressor } from "./fits/solved-estimators.js";
import type { RegressorState } from "./fitted-regressor.js";
import { FittedLinearRegressor, readRegressorState } from "./fitted-regressor.js";

export const linearSVRParams = {
  epsilon: real({
    atLeast: 0,
    default: 0,
    doc: "Half-width of the tube within which errors are not penalised.",
  }),
  C: real({
    above: 0,
    default: 1,
    doc: "Regularisation parameter: the cost of errors beyond epsilon. Larger C regularises less.",
  }),
  loss: choice(["epsilonInsensitive", "squaredEpsilonInsensitive"], {
    default: "epsilonInsensitive",
    doc: "Loss of errors beyond epsilon: linear or squared.",
  }),
  fitIntercept: fitIntercept(),
  tol: objectiveTol(1e-4),
  maxIter: maxIterations(1000),
  randomState: rowOrderSeed(),
};

/**
 * Linear support vector regression.
 *
 *   minimise over (w, b):   ½‖w‖² + C Σᵢ sᵢ max(0, |w·xᵢ + b − yᵢ| − ε)ᵖ,      p = 1 or 2
 *
 * Parity: scikit-learn's LinearSVR (LIBLINEAR) also penalises b, through a constant column; here b is not penalised.
 */
export class LinearSVR extends SolvedRegressor<typeof linearSVRParams, FittedLinearSVR> {
  static readonly id = "LinearSVR";
  static readonly table = linearSVRParams;
  static readonly capabilities = linearRegressor({ targetScale: "standard" });
  static readonly searchSpace = { C: { log: [1e-3, 1e3] }, epsilon: { log: [1e-3, 1] } } as const;

  static restore(state: ModelState): FittedLinearSVR {
    return new FittedLinearSVR(readRegressorState(state));
  }

  protected parts({ x }: RegressionSet): RegressorParts {
    const { epsilon, C } = this.params;
    const loss =
      this.params.loss === "epsilonInsensitive"
        ? epsilonInsensitive(epsilon)
        : squaredEpsilonInsensitive(epsilon);
    return { loss, penalty: l2(1), C, solver: autoSolver(loss, "l2", x, 1)!, link: "identity" };
  }

  protected model(state: RegressorState): FittedLinearSVR {
    return new FittedLinearSVR(state);
  }
}

export class FittedLinearSVR extends FittedLinearRegressor {}
