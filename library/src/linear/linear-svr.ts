import type { Capabilities, FitOptions, MatrixLike } from "../core/contract.js";
import { Estimator, type Step } from "../core/estimator.js";
import type { NumberArray } from "../core/labels.js";
import { choice, flag, integer, type Params, real } from "../core/params.js";
import type { ModelState } from "../core/state.js";
import { epsilonInsensitive, squaredEpsilonInsensitive } from "../losses/losses.js";
import { autoSolver } from "./auto-solver.js";
import { linearRegressorCapabilities } from "./capabilities.js";
import { FittedLinearRegressor, readRegressorState } from "./fitted-regressor.js";
import { fitRegressor, type RegressorPlan, regressorSteps } from "./linear-fit.js";

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
    return fitRegressor(this, this.#plan(), (state) => new FittedLinearSVR(state), x, y, options);
  }

  steps(
    x: MatrixLike,
    y: NumberArray,
    options: FitOptions = {},
  ): Generator<Step<FittedLinearSVR>, FittedLinearSVR, void> {
    return regressorSteps(this, this.#plan(), (state) => new FittedLinearSVR(state), x, y, options);
  }

  static restore(state: ModelState): FittedLinearSVR {
    return new FittedLinearSVR(readRegressorState(state));
  }

  #plan(): RegressorPlan {
    const { epsilon, C, loss, fitIntercept, maxIter, tol, randomState } = this.params;
    const part =
      loss === "epsilonInsensitive" ? epsilonInsensitive(epsilon) : squaredEpsilonInsensitive(epsilon);
    return {
      recipe: (where, set) => ({
        where,
        loss: part,
        l1: 0,
        l2: 1 / C,
        intercept: fitIntercept,
        solver: autoSolver(part, "l2", set.x, 1)!,
        maxIter,
        tol,
        randomState,
        objectiveScale: C,
      }),
      link: "identity",
    };
  }
}

export class FittedLinearSVR extends FittedLinearRegressor {}
