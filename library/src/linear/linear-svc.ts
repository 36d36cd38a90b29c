import type { DefaultCandidate, FitOptions, MatrixLike } from "../core/contract.js";
import { ParameterError } from "../core/errors.js";
import type { Steps } from "../core/estimator.js";
import type { Label, Labels } from "../core/labels.js";
import type { FilledIn, Params, ParamsWith, ParamValues } from "../core/params/params.js";
import { choice, classWeight, real } from "../core/params/params.js";
import type { ModelState } from "../core/state/state.js";
import type { ClassificationSet } from "../data/training-set.js";
import { hinge, squaredHinge } from "../losses/losses.js";
import { l1, l2 } from "../penalties/penalties.js";
import { autoSolver } from "./fits/auto-solver.js";
import { linearClassifier } from "./fits/capabilities.js";
import type { ClassifierParts } from "./fits/linear-fit.js";
import { fitIntercept, maxIterations, objectiveTol, rowOrderSeed } from "./fits/params.js";
import { SolvedClassifier } from "./fits/solved-estimators.js";
import type { LinearState } from "./fitted-classifier.js";
import { FittedLinearClassifier, readLinearState } from "./fitted-classifier.js";

export const linearSVCParams = {
  C: real({
    above: 0,
    default: 1,
    doc: "Regularisation parameter: the cost of slack. Larger C regularises less.",
  }),
  loss: choice(["squaredHinge", "hinge"], {
    default: "squaredHinge",
    doc: "Loss: squared hinge or hinge.",
  }),
  penalty: choice(["l2", "l1"], {
    default: "l2",
    doc: "Norm of the penalty; l1 leads to sparse coefficients and requires the squared hinge.",
  }),
  fitIntercept: fitIntercept(),
  classWeight: classWeight(),
  tol: objectiveTol(1e-4),
  maxIter: maxIterations(1000),
  randomState: rowOrderSeed(),
};
/** No solver minimises the hinge with an l1 penalty. */
type LinearSVCParams =
  | Params<typeof linearSVCParams, { loss: "squaredHinge" }>
  | ParamsWith<typeof linearSVCParams, { loss: "hinge"; penalty?: "l2" }>;

/**
 * Linear support vector classifier with soft margin.
 *
 *   minimise over (w, b):   ½‖w‖² + C Σᵢ sᵢ max(0, 1 − yᵢ(w·xᵢ + b))ᵖ,      yᵢ ∈ {−1, +1}, p = 1 or 2
 *
 * (‖w‖₁ instead of ½‖w‖² with penalty "l1".) More than two classes: one-vs-rest, by the highest score.
 * Parity: scikit-learn's LinearSVC (LIBLINEAR) also penalises b, through a constant column; here b is not penalised.
 */
export class LinearSVC extends SolvedClassifier<typeof linearSVCParams> {
  static readonly id = "LinearSVC";
  static readonly table = linearSVCParams;
  static readonly title = "Linear SVM";
  static readonly capabilities = linearClassifier();
  static readonly candidate: DefaultCandidate = { cost: 2 };
  static readonly searchSpace = { C: { log: [1e-4, 1e3] } } as const;
  declare readonly params: FilledIn<LinearSVCParams>;

  constructor(params: LinearSVCParams = {}) {
    super(params);
    const { penalty, loss }: ParamValues<typeof linearSVCParams> = this.params;
    if (penalty === "l1" && loss === "hinge") {
      throw new ParameterError(this.id, "loss", '"squaredHinge" with penalty "l1"', '"hinge"');
    }
  }

  fit<L extends Label>(x: MatrixLike, y: Labels<L>, options: FitOptions = {}): FittedLinearSVC<L> {
    return this.fitBy((state: LinearState<L>) => new FittedLinearSVC(state), x, y, options);
  }

  steps<L extends Label>(x: MatrixLike, y: Labels<L>, options: FitOptions = {}): Steps<FittedLinearSVC<L>> {
    return this.learn("steps", (state: LinearState<L>) => new FittedLinearSVC(state), x, y, options);
  }

  static restore(state: ModelState): FittedLinearSVC {
    return new FittedLinearSVC(readLinearState(state));
  }

  protected parts({ x }: ClassificationSet<Label>): ClassifierParts {
    const { C } = this.params;
    const loss = this.params.loss === "hinge" ? hinge() : squaredHinge();
    const penalty = this.params.penalty === "l1" ? l1(1) : l2(1);
    return { loss, penalty, C, solver: autoSolver(loss, penalty.name, x, 2)!, link: null };
  }
}

export class FittedLinearSVC<L extends Label = Label> extends FittedLinearClassifier<L> {}
