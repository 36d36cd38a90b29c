import type { DefaultCandidate, FitOptions, MatrixLike } from "../core/contract.js";
import { ParameterError } from "../core/errors.js";
import type { Steps } from "../core/estimator.js";
import type { Label, Labels } from "../core/labels.js";
import type { FilledIn, Params, ParamsWith, ParamValues } from "../core/params/params.js";
import { choice, classWeight } from "../core/params/params.js";
import type { ModelState } from "../core/state/state.js";
import type { Design } from "../data/input.js";
import type { ClassificationSet } from "../data/training-set.js";
import { logistic, softmax } from "../losses/losses.js";
import { elasticNet, l1, l2, none } from "../penalties/penalties.js";
import { curvedDescent } from "../solvers/coordinate-descent.js";
import { lbfgs } from "../solvers/lbfgs.js";
import { newton } from "../solvers/newton.js";
import { curvedProximal } from "../solvers/proximal.js";
import type { AnySolver } from "../solvers/solver.js";
import { linearClassifier } from "./fits/capabilities.js";
import { prefersCoordinates, smoothSolver } from "./fits/choose-smooth-solver.js";
import type { ClassifierParts } from "./fits/linear-fit.js";
import { fitIntercept, inverseStrength, l1Ratio, maxIterations, objectiveTol } from "./fits/params.js";
import { SolvedClassifier } from "./fits/solved-estimators.js";
import type { LinearState } from "./fitted-classifier.js";
import { FittedProbabilisticLinearClassifier, readLinearState } from "./fitted-classifier.js";

export const logisticRegressionParams = {
  C: inverseStrength(),
  penalty: choice(["l2", "l1", "elasticnet", "none"], { default: "l2", doc: "Penalty on the coefficients." }),
  l1Ratio: l1Ratio(0.5),
  fitIntercept: fitIntercept(),
  classWeight: classWeight(),
  multiClass: choice(["multinomial", "ovr"], {
    default: "multinomial",
    doc: "More than two classes: softmax over all classes, or one-vs-rest.",
  }),
  solver: choice(["auto", "newton", "lbfgs", "coordinateDescent", "proximal"], {
    default: "auto",
    doc: "Optimisation algorithm; auto chooses by the penalty and the shape of the data.",
  }),
  tol: objectiveTol(1e-4),
  maxIter: maxIterations(200),
};
type Table = typeof logisticRegressionParams;
/** Newton and L-BFGS need a gradient everywhere; l1 has a kink at 0. */
type LogisticRegressionParams =
  | Params<Table, { penalty: "l2" | "none" }>
  | ParamsWith<Table, { penalty: "l1" | "elasticnet"; solver?: "auto" | "coordinateDescent" | "proximal" }>;

/**
 * Logistic regression, for two classes and (as softmax regression) for more.
 *
 *   minimise over (w, b):   C Σᵢ sᵢ log(1 + exp(−yᵢ(w·xᵢ + b))) + R(w),      yᵢ ∈ {−1, +1}
 *   R(w) = ½‖w‖²  |  ‖w‖₁  |  ρ‖w‖₁ + ½(1 − ρ)‖w‖²  |  0
 *
 * More than two classes: the same with softmax cross-entropy over one (w_k, b_k) per class. b is never penalised.
 * Parity: the objective of scikit-learn's LogisticRegression (its liblinear solver penalises b; this never does), with maxIter 200 instead of
 * 100, since tol asks for more digits.
 */
export class LogisticRegression extends SolvedClassifier<typeof logisticRegressionParams> {
  static readonly id = "LogisticRegression";
  static readonly table = logisticRegressionParams;
  static readonly capabilities = linearClassifier({ probabilities: true });
  static readonly starter = { place: 1 } as const;
  static readonly candidate: DefaultCandidate = { cost: 1 };
  static readonly searchSpace = { C: { log: [1e-4, 1e3] } } as const;
  declare readonly params: FilledIn<LogisticRegressionParams>;

  constructor(params: LogisticRegressionParams = {}) {
    super(params);
    requireLogisticSolver(this.id, this.params);
  }

  fit<L extends Label>(x: MatrixLike, y: Labels<L>, options: FitOptions = {}): FittedLogisticRegression<L> {
    return this.fitBy((state: LinearState<L>) => new FittedLogisticRegression(state), x, y, options);
  }

  /** The fit, step by step: each step has its progress and the model so far. */
  steps<L extends Label>(
    x: MatrixLike,
    y: Labels<L>,
    options: FitOptions = {},
  ): Steps<FittedLogisticRegression<L>> {
    return this.learn("steps", (state: LinearState<L>) => new FittedLogisticRegression(state), x, y, options);
  }

  static restore(state: ModelState): FittedLogisticRegression {
    return new FittedLogisticRegression(readLinearState(state));
  }

  protected parts({ x, classes }: ClassificationSet<Label>): ClassifierParts {
    return logisticParts(this.params, x, classes.length);
  }
}

type Penalised = Pick<ParamValues<typeof logisticRegressionParams>, "penalty" | "solver">;

/** Solvers of smooth functions do not take an l1 penalty. */
export function requireLogisticSolver(where: string, { penalty, solver }: Penalised): void {
  if (!isKinked(penalty) || (solver !== "newton" && solver !== "lbfgs")) return;
  const expected = `"auto", "coordinateDescent" or "proximal" with penalty ${JSON.stringify(penalty)}`;
  throw new ParameterError(where, "solver", expected, JSON.stringify(solver));
}

const isKinked = (penalty: Penalised["penalty"]): boolean => penalty === "l1" || penalty === "elasticnet";

/** Loss, penalty and solver for the given number of classes. */
export function logisticParts(
  params: Penalised & {
    readonly C: number;
    readonly l1Ratio: number;
    readonly multiClass: "multinomial" | "ovr";
  },
  x: Design,
  classes: number,
): ClassifierParts {
  const { C, penalty, l1Ratio, multiClass } = params;
  const isJoint = classes > 2 && multiClass === "multinomial";
  return {
    loss: isJoint ? softmax() : logistic(),
    penalty: { none: none(), l2: l2(1), l1: l1(1), elasticnet: elasticNet(1, l1Ratio) }[penalty],
    C,
    solver: solverOf(params, x, isJoint ? classes : 1),
    link: isJoint ? "softmax" : classes > 2 ? "ovr" : "sigmoid",
  };
}

function solverOf({ solver, penalty }: Penalised, x: Design, outputs: number): AnySolver {
  if (solver === "newton") return newton();
  if (solver === "lbfgs") return lbfgs();
  if (solver === "proximal") return curvedProximal();
  if (solver === "coordinateDescent") return curvedDescent();
  if (!isKinked(penalty)) return smoothSolver(x, outputs);
  return prefersCoordinates(x, outputs) ? curvedDescent() : curvedProximal();
}

export class FittedLogisticRegression<
  L extends Label = Label,
> extends FittedProbabilisticLinearClassifier<L> {}
