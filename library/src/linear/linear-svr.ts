import type { Capabilities, FitOptions, MatrixLike } from "../core/contract.js";
import { Estimator, type Step } from "../core/estimator.js";
import type { NumberArray } from "../core/labels.js";
import { choice, real } from "../core/params.js";
import type { ModelState } from "../core/state.js";
import type { RegressionSet } from "../data/training-set.js";
import { epsilonInsensitive, squaredEpsilonInsensitive } from "../losses/losses.js";
import { l2 } from "../penalties/penalties.js";
import { autoSolver } from "./auto-solver.js";
import { linearRegressorCapabilities } from "./capabilities.js";
import { FittedLinearRegressor, readRegressorState } from "./fitted-regressor.js";
import { fitRegressor, type RegressorParts, regressorSteps } from "./linear-fit.js";
import { fitIntercept, maxIterations, objectiveTol, rowOrderSeed } from "./params.js";

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
export class LinearSVR extends Estimator<typeof linearSVRParams> {
  static readonly id = "LinearSVR";
  static readonly table = linearSVRParams;
  static readonly capabilities: Capabilities = linearRegressorCapabilities;

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
