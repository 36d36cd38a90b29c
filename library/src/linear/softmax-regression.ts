import type { FitOptions, MatrixLike } from "../core/contract.js";
import type { Steps } from "../core/estimator.js";
import type { Label, Labels } from "../core/labels.js";
import { choice, classWeight } from "../core/params/params.js";
import type { ModelState } from "../core/state/state.js";
import { Matrix } from "../data/matrix.js";
import type { ClassificationSet } from "../data/training-set.js";
import { softmax } from "../losses/losses.js";
import { l2, none } from "../penalties/penalties.js";
import { linearClassifier } from "./fits/capabilities.js";
import { smoothSolver } from "./fits/choose-smooth-solver.js";
import type { ClassifierParts } from "./fits/linear-fit.js";
import { fitIntercept, inverseStrength, maxIterations, objectiveTol } from "./fits/params.js";
import { SolvedClassifier } from "./fits/solved-estimators.js";
import type { LinearState } from "./fitted-classifier.js";
import { FittedProbabilisticLinearClassifier, readLinearState } from "./fitted-classifier.js";

export const softmaxRegressionParams = {
  form: choice(["symmetric", "reference"], {
    default: "symmetric",
    doc: "Symmetric: coefficients for every class; reference: for all but the last class, whose score is 0.",
  }),
  C: inverseStrength(),
  penalty: choice(["l2", "none"], { default: "l2", doc: "Penalty on the coefficients." }),
  fitIntercept: fitIntercept(),
  classWeight: classWeight(),
  tol: objectiveTol(1e-4),
  maxIter: maxIterations(200),
};

/**
 * Softmax regression: multinomial logistic regression, also for two classes.
 *
 *   minimise over (w_k, b_k):   C Σᵢ sᵢ (log Σ_k exp(w_k·xᵢ + b_k) − (w_y·xᵢ + b_y))  +  ½ Σ_k ‖w_k‖²
 *
 * The symmetric form has one (w_k, b_k) per class. The reference form fixes the last class at 0: (N + 1)(M − 1)
 * parameters for N features and M classes. Without a penalty both give the same probabilities; with one, the
 * reference form penalises differences from the reference class.
 */
export class SoftmaxRegression extends SolvedClassifier<typeof softmaxRegressionParams> {
  static readonly id = "SoftmaxRegression";
  static readonly table = softmaxRegressionParams;
  static readonly capabilities = linearClassifier({ probabilities: true });
  static readonly searchSpace = { C: { log: [1e-4, 1e3] } } as const;

  fit<L extends Label>(x: MatrixLike, y: Labels<L>, options: FitOptions = {}): FittedSoftmaxRegression<L> {
    return this.fitBy((state: LinearState<L>) => this.#model(state), x, y, options);
  }

  steps<L extends Label>(
    x: MatrixLike,
    y: Labels<L>,
    options: FitOptions = {},
  ): Steps<FittedSoftmaxRegression<L>> {
    return this.learn("steps", (state: LinearState<L>) => this.#model(state), x, y, options);
  }

  static restore(state: ModelState): FittedSoftmaxRegression {
    return new FittedSoftmaxRegression(readLinearState(state));
  }

  protected parts({ x, classes }: ClassificationSet<Label>): ClassifierParts {
    const { C, penalty, form } = this.params;
    return {
      loss: softmax(),
      penalty: penalty === "l2" ? l2(1) : none(),
      C,
      solver: smoothSolver(x, classes.length),
      reference: form === "reference",
      link: "softmax",
    };
  }

  #model<L extends Label>(state: LinearState<L>): FittedSoftmaxRegression<L> {
    return new FittedSoftmaxRegression(this.params.form === "reference" ? withReference(state) : state);
  }
}

/** Appends the reference class, all zeros, so that `coef` has one row per class in both forms. */
function withReference<L extends Label>(state: LinearState<L>): LinearState<L> {
  const coef = Matrix.zeros(state.classes.length, state.coef.cols);
  coef.data.set(state.coef.data);
  const intercept = new Float64Array(state.classes.length);
  intercept.set(state.intercept);
  return { ...state, coef, intercept };
}

export class FittedSoftmaxRegression<L extends Label = Label> extends FittedProbabilisticLinearClassifier<L> {
  /** The number of free parameters, without those of the reference class. */
  override get nParameters(): number {
    const perClass = this.coef.cols + (this.state.params["fitIntercept"] === false ? 0 : 1);
    const classes = this.state.params["form"] === "reference" ? this.classes.length - 1 : this.classes.length;
    return perClass * classes;
  }
}
