import type { Capabilities, FitOptions, MatrixLike } from "../core/contract.js";
import type { Steps } from "../core/estimator.js";
import type { Label, Labels } from "../core/labels.js";
import { classWeight, optional, type Params } from "../core/params/params.js";
import type { ModelState } from "../core/state/state.js";
import type { ClassificationSet } from "../data/training-set.js";
import type { ClassificationLossName, Loss } from "../losses/loss.js";
import { logistic } from "../losses/losses.js";
import { l2, type Penalty, type PenaltyName } from "../penalties/penalties.js";
import { newton } from "../solvers/newton.js";
import type { Solver } from "../solvers/solver.js";
import { autoSolver, requireLegal, type Solvable } from "./fits/auto-solver.js";
import { linearClassifier } from "./fits/capabilities.js";
import type { ClassifierParts } from "./fits/linear-fit.js";
import { fitIntercept, solverParams } from "./fits/params.js";
import { lossPart, penaltyPart, solverPart } from "./fits/parts.js";
import { SolvedClassifier } from "./fits/solved-estimators.js";
import {
  FittedLinearClassifier,
  FittedProbabilisticLinearClassifier,
  type LinearState,
  type Link,
  readLinearState,
} from "./fitted-classifier.js";

export const linearClassifierParams = {
  loss: lossPart(
    ["logistic", "softmax", "hinge", "squaredHinge", "perceptron", "exponential", "modifiedHuber", "squared"],
    logistic(),
  ),
  penalty: penaltyPart(l2(1)),
  solver: optional(solverPart(newton())),
  fitIntercept: fitIntercept(),
  classWeight: classWeight(),
  ...solverParams,
};

/** Losses with a link from scores to probabilities. */
export type ProbabilisticLossName = "logistic" | "softmax" | "exponential" | "modifiedHuber";

export type LinearClassifierParams<LN extends ClassificationLossName, PN extends PenaltyName> = Params<
  typeof linearClassifierParams,
  {
    loss: Loss<LN>;
    penalty: Penalty<PN>;
    solver: Solver<NoInfer<LN>, NoInfer<PN>> | null;
  }
>;

/**
 * The general linear classifier: choose a loss, a penalty and a solver.
 *
 *   minimise over (w, b):   (1/Σs) Σᵢ sᵢ ℓ(w·xᵢ + b, yᵢ) + R(w),      yᵢ ∈ {−1, +1}
 *
 * (priors are added to the sum instead of the mean; balls are constraints.) More than two classes: softmax takes them all
 * at once, every other loss is one-vs-rest. A combination without a solver does not compile.
 */
export class LinearClassifier<
  LN extends ClassificationLossName = "logistic",
  PN extends PenaltyName = "l2",
> extends SolvedClassifier<typeof linearClassifierParams> {
  static readonly id = "LinearClassifier";
  static readonly table = linearClassifierParams;
  static readonly capabilities = linearClassifier();

  constructor(params: LinearClassifierParams<LN, PN> & Solvable<LN, PN> = {} as never) {
    super(params);
    requireLegal(this.id, this.params);
  }

  /** Probabilities exist where the loss has them. */
  get capabilities(): Capabilities {
    return { ...LinearClassifier.capabilities, probabilities: linkOf(this.params.loss, 2) !== null };
  }

  fit<L extends Label>(x: MatrixLike, y: Labels<L>, options: FitOptions = {}): FittedFor<LN, L> {
    return this.fitBy((state: LinearState<L>) => build(state) as FittedFor<LN, L>, x, y, options);
  }

  /** The fit, step by step: each step has its progress and the model so far. */
  steps<L extends Label>(x: MatrixLike, y: Labels<L>, options: FitOptions = {}): Steps<FittedFor<LN, L>> {
    return this.learn("steps", (state: LinearState<L>) => build(state) as FittedFor<LN, L>, x, y, options);
  }

  static restore(state: ModelState): FittedLinearClassifier {
    return build(readLinearState(state));
  }

  protected parts({ x, classes }: ClassificationSet<Label>): ClassifierParts {
    const { loss, penalty } = this.params;
    const solver = this.params.solver ?? autoSolver(loss, penalty.name, x, classes.length)!;
    return { loss, penalty, solver, link: linkOf(loss, classes.length) };
  }
}

function linkOf(loss: Loss, classes: number): Link | null {
  switch (loss.name) {
    case "softmax":
      return "softmax";
    case "logistic":
      return classes > 2 ? "ovr" : "sigmoid";
    case "exponential":
      return "halfLogOdds";
    case "modifiedHuber":
      return "clip";
    default:
      return null;
  }
}

function build<L extends Label>(state: LinearState<L>): FittedLinearClassifier<L> {
  return state.link === null
    ? new FittedLinearClassifier(state)
    : new FittedProbabilisticLinearClassifier(state);
}

/** Probabilities exist in the type only where the loss has them. */
export type FittedFor<LN extends ClassificationLossName, L extends Label> = [LN] extends [
  ProbabilisticLossName,
]
  ? FittedProbabilisticLinearClassifier<L>
  : FittedLinearClassifier<L>;
