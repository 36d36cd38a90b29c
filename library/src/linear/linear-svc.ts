import type { Capabilities, FitOptions, MatrixLike } from "../core/contract.js";
import { ParameterError } from "../core/errors.js";
import { Estimator, type Step } from "../core/estimator.js";
import type { Label, Labels } from "../core/labels.js";
import { choice, classWeight, flag, integer, type Params, real } from "../core/params.js";
import type { ModelState } from "../core/state.js";
import type { ClassificationSet } from "../data/training-set.js";
import { hinge, squaredHinge } from "../losses/losses.js";
import { l1, l2 } from "../penalties/penalties.js";
import { autoSolver } from "./auto-solver.js";
import { linearClassifierCapabilities } from "./capabilities.js";
import { FittedLinearClassifier, readLinearState } from "./fitted-classifier.js";
import { type ClassifierParts, classifierSteps, fitClassifier } from "./linear-fit.js";

export const linearSVCParams = {
  C: real({ above: 0, default: 1, doc: "Cost of a slack: larger fits the training rows more closely." }),
  loss: choice(["squaredHinge", "hinge"], {
    default: "squaredHinge",
    doc: "What a slack costs: its square, or itself.",
  }),
  penalty: choice(["l2", "l1"], { default: "l2", doc: "l1 gives exact zeros; it needs the squared hinge." }),
  fitIntercept: flag({ default: true, doc: "Learn b, which is never penalised; when false, b = 0." }),
  classWeight: classWeight(),
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
 * Linear support vector classifier with soft margin.
 *
 *   minimise over (w, b):   ½‖w‖² + C Σᵢ sᵢ max(0, 1 − yᵢ(w·xᵢ + b))ᵖ,      yᵢ ∈ {−1, +1}, p = 1 or 2
 *
 * (‖w‖₁ instead of ½‖w‖² with penalty "l1".) More than two classes: one-vs-rest, the highest margin wins.
 * Parity: scikit-learn's LinearSVC (LIBLINEAR) also penalises b, through a constant column; here b is free.
 */
export class LinearSVC extends Estimator<typeof linearSVCParams> {
  static readonly id = "LinearSVC";
  static readonly table = linearSVCParams;
  static readonly capabilities: Capabilities = linearClassifierCapabilities;

  constructor(params: Params<typeof linearSVCParams> = {}) {
    super(LinearSVC.id, linearSVCParams, params);
    if (this.params.penalty === "l1" && this.params.loss === "hinge") {
      throw new ParameterError({
        where: LinearSVC.id,
        subject: "loss",
        expected: '"squaredHinge" with penalty "l1"',
        received: '"hinge"',
      });
    }
  }

  fit<L extends Label>(x: MatrixLike, y: Labels<L>, options: FitOptions = {}): FittedLinearSVC<L> {
    return fitClassifier(
      this,
      (set) => this.#parts(set),
      (state) => new FittedLinearSVC(state),
      x,
      y,
      options,
    );
  }

  steps<L extends Label>(
    x: MatrixLike,
    y: Labels<L>,
    options: FitOptions = {},
  ): Generator<Step<FittedLinearSVC<L>>, FittedLinearSVC<L>, void> {
    return classifierSteps(
      this,
      (set) => this.#parts(set),
      (state) => new FittedLinearSVC(state),
      x,
      y,
      options,
    );
  }

  static restore(state: ModelState): FittedLinearSVC {
    return new FittedLinearSVC(readLinearState(state));
  }

  #parts({ x }: ClassificationSet<Label>): ClassifierParts {
    const { C } = this.params;
    const loss = this.params.loss === "hinge" ? hinge() : squaredHinge();
    const penalty = this.params.penalty === "l1" ? l1(1) : l2(1);
    return { loss, penalty, C, solver: autoSolver(loss, penalty.name, x, 2)!, link: null };
  }
}

export class FittedLinearSVC<L extends Label = Label> extends FittedLinearClassifier<L> {}
