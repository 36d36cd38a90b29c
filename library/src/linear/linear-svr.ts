import type { Capabilities, FitOptions, MatrixLike } from "../core/contract.js";
import { Estimator, type Step } from "../core/estimator.js";
import type { NumberArray } from "../core/labels.js";
import { choice, flag, integer, type Params, real } from "../core/params.js";
import type { ModelState } from "../core/state.js";
import type { RegressionSet } from "../data/training-set.js";
import { epsilonInsensitive, squaredEpsilonInsensitive } from "../losses/losses.js";
import { l2 } from "../penalties/penalties.js";
import { autoSolver } from "./auto-solver.js";
import { linearRegressorCapabilities } from "./capabilities.js";
import { FittedLinearRegressor, readRegressorState } from "./fitted-regressor.js";
import { fitRegressor, type RegressorParts, regressorSteps } from "./linear-fit.js";

export const linearSVRParams = {
  epsilon: real({ atLeast: 0, default: 0, doc: "Half-width of the tube in which errors cost nothing." }),
  C: real({
    above: 0,
    default: 1,
    doc: "Cost of leaving the tube: larger fits the training rows more closely.",
  }),
  loss: choice(["epsilonInsensitive", "squaredEpsilonInsensitive"], {
    default: "epsilonInsensitive",
    doc: "What leaving the tube costs: the distance, or its square.",
  }),
  fitIntercept: flag({ default: true, doc: "Learn b, which is never penalised; when false, b = 0." }),
  tol: real({
    above: 0,
    default: 1e-4,
    doc: "Stop when the objective is within about tol² of its minimum, relatively.",
  }),
  maxIter: integer({ atLeast: 1, default: 1000, doc: "Most iterations of the solver." }),
  randomState: integer({
    default: 0,
    doc: "Seed of the order in which dual coordinate descent visits rows.",
  }),
};

/**
 * Linear support vector regression.
 *
 *   minimise over (w, b):   ½‖w‖² + C Σᵢ sᵢ max(0, |w·xᵢ + b − yᵢ| − ε)ᵖ,      p = 1 or 2
 *
 * Parity: scikit-learn's LinearSVR (LIBLINEAR) also penalises b, through a constant column; here b is free.
 */
export class LinearSVR extends Estimator<typeof linearSVRParams> {
  static readonly id = "LinearSVR";
  static readonly table = linearSVRParams;
  static readonly capabilities: Capabilities = linearRegressorCapabilities;

  constructor(params: Params<typeof linearSVRParams> = {}) {
    super(LinearSVR.id, linearSVRParams, params);
  }

  fit(x: MatrixLike, y: NumberArray, options: FitOptions = {}): FittedLinearSVR {
    return fitRegressor(
      this,
      (set) => this.#parts(set),
      (state) => new FittedLinearSVR(state),
      x,
      y,
      options,
    );
  }

  steps(
    x: MatrixLike,
    y: NumberArray,
    options: FitOptions = {},
  ): Generator<Step<FittedLinearSVR>, FittedLinearSVR, void> {
    return regressorSteps(
      this,
      (set) => this.#parts(set),
      (state) => new FittedLinearSVR(state),
      x,
      y,
      options,
    );
  }

  static restore(state: ModelState): FittedLinearSVR {
    return new FittedLinearSVR(readRegressorState(state));
  }

  #parts({ x }: RegressionSet): RegressorParts {
    const { epsilon, C } = this.params;
    const loss =
      this.params.loss === "epsilonInsensitive"
        ? epsilonInsensitive(epsilon)
        : squaredEpsilonInsensitive(epsilon);
    return { loss, penalty: l2(1), C, solver: autoSolver(loss, "l2", x, 1)!, link: "identity" };
  }
}

export class FittedLinearSVR extends FittedLinearRegressor {}
