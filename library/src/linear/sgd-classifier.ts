import type { Capabilities, FitOptions, FitReport, MatrixLike } from "../core/contract.js";
import { Estimator, runSteps, type Steps } from "../core/estimator.js";
import type { Label, Labels } from "../core/labels.js";
import { choice, classWeight, type Params, real } from "../core/params/params.js";
import { joinReports } from "../core/report.js";
import type { Learned } from "../core/state/model-state.js";
import type { ModelState } from "../core/state/state.js";
import type { ClassificationSet, PartialFitOptions } from "../data/training-set.js";
import { classificationSet, partialClassificationSet, signsOf } from "../data/training-set.js";
import type { Loss } from "../losses/loss.js";
import {
  epsilonInsensitive,
  hinge,
  huber,
  logistic,
  modifiedHuber,
  perceptron,
  squared,
  squaredEpsilonInsensitive,
  squaredHinge,
} from "../losses/losses.js";
import { type SgdState, thetaOf } from "../numeric/rows/sgd-rows.js";
import { totalWeight } from "../solvers/objective.js";
import { freshState, sgdSteps } from "../solvers/sgd.js";
import { linearClassifier } from "./fits/capabilities.js";
import { accuracyOf, refuseEarlyStopping, splitClasses } from "./fits/hold-out.js";
import { unpack } from "./fits/linear-fit.js";
import * as stochastic from "./fits/stochastic.js";
import {
  FittedLinearClassifier,
  FittedProbabilisticLinearClassifier,
  type LinearState,
  type Link,
  readLinearState,
} from "./fitted-classifier.js";

const lossNames = [
  "hinge",
  "logLoss",
  "modifiedHuber",
  "squaredHinge",
  "perceptron",
  "squaredError",
  "huber",
  "epsilonInsensitive",
  "squaredEpsilonInsensitive",
] as const;
export type SgdClassifierLoss = (typeof lossNames)[number];
type ProbabilisticLoss = "logLoss" | "modifiedHuber";

export const sgdClassifierParams = {
  loss: choice(lossNames, {
    default: "hinge",
    doc: "Loss function; hinge is a linear SVM, logLoss logistic regression.",
  }),
  ...stochastic.sharedParams,
  powerT: real({ default: 0.5, doc: stochastic.sharedParams.powerT.doc }),
  classWeight: classWeight(),
};
type SgdClassifierParams<K extends SgdClassifierLoss> = Params<typeof sgdClassifierParams, { loss: K }>;

/**
 * Linear classification by stochastic gradient descent.
 *
 *   minimise over (w, b):   (1/Σs) Σᵢ sᵢ ℓ(w·xᵢ + b, yᵢ) + α (ρ‖w‖₁ + ½(1 − ρ)‖w‖²),      yᵢ ∈ {−1, +1}
 *
 * More than two classes: one-vs-rest. `partialFit` continues from a model with new rows.
 * Parity: the objective, learning rates and stopping rules of scikit-learn's SGDClassifier; rows are shuffled by another generator,
 * and with earlyStopping the best epoch is kept instead of the last.
 */
export class SGDClassifier<K extends SgdClassifierLoss = "hinge"> extends Estimator<
  typeof sgdClassifierParams
> {
  static readonly id = "SGDClassifier";
  static readonly table = sgdClassifierParams;
  static readonly capabilities = linearClassifier({ partialFit: true });
  static readonly searchSpace = { alpha: { log: [1e-6, 1e-1] }, loss: ["hinge", "logistic"] } as const;

  constructor(params: SgdClassifierParams<K> = {}) {
    super(params);
    stochastic.requireAlpha(this.id, this.params);
  }

  /** Probabilities exist where the loss has them. */
  get capabilities(): Capabilities {
    return { ...SGDClassifier.capabilities, probabilities: linkOf(this.params.loss, 1) !== null };
  }

  fit<L extends Label>(x: MatrixLike, y: Labels<L>, options: FitOptions = {}): FittedSgd<K, L> {
    const where = this.where("fit");
    const set = classificationSet(where, x, y, options, stochastic.rowRules, this.params.classWeight);
    return runSteps(where, this.#learn(where, set, this.params.maxIter, null), options) as FittedSgd<K, L>;
  }

  /** The fit, epoch by epoch: one class after the other if there are more than two. */
  *steps<L extends Label>(x: MatrixLike, y: Labels<L>, options: FitOptions = {}): Steps<FittedSgd<K, L>> {
    const where = this.where("steps");
    const set = classificationSet(where, x, y, options, stochastic.rowRules, this.params.classWeight);
    const learn = this.#learn(where, set, this.params.maxIter, null);
    return yield* learn as Steps<FittedSgd<K, L>>;
  }

  /**
   * One epoch over new rows, starting from `model` (null begins a new one). The first call must know all classes:
   * from y, or from `classes` if y lacks some. Returns a new model; the old one is untouched.
   */
  partialFit<L extends Label>(
    model: FittedSgd<K, L> | null,
    x: MatrixLike,
    y: Labels<L>,
    options: PartialFitOptions<L> = {},
  ): FittedSgd<K, L> {
    const where = this.where("partialFit");
    stochastic.checkContinued(where, model, FittedSGDClassifier, FittedProbabilisticSGDClassifier);
    refuseEarlyStopping(where, this.params);
    const { classWeight } = this.params;
    const set = partialClassificationSet(where, model, x, y, options, stochastic.rowRules, classWeight);
    return runSteps(where, this.#learn(where, set, 1, model), options) as FittedSgd<K, L>;
  }

  static restore(state: ModelState): FittedSGDClassifier | FittedProbabilisticSGDClassifier {
    const linear = readLinearState(state);
    const thetas = Array.from(linear.intercept, (b, k) => stochastic.joined(linear.coef.row(k), b));
    const runs = stochastic.readRuns(state, thetas);
    return linear.link === null
      ? new FittedSGDClassifier(linear, runs)
      : new FittedProbabilisticSGDClassifier(linear, runs);
  }

  *#learn<L extends Label>(
    where: string,
    given: ClassificationSet<L>,
    maxIter: number,
    from: FittedSGDClassifier<L> | FittedProbabilisticSGDClassifier<L> | null,
  ): Steps<AnyFittedSgd<L>> {
    const { train: set, held } = splitClasses(where, given, this.params);
    const outputs = set.classes.length === 2 ? 1 : set.classes.length;
    const reports: FitReport[] = [];
    const runs: SgdState[] = [];
    for (let k = 0; k < outputs; k++) {
      const positive = outputs === 1 ? 1 : k;
      const y = signsOf(set.codes, positive);
      const heldOutScore = held ? accuracyOf(where, held, positive) : undefined;
      const loss = this.#loss();
      const problem = stochastic.problemOf(this.params, where, set, y, loss, maxIter, heldOutScore);
      const epochs = sgdSteps(problem, stochastic.optionsOf(this.params), from?.runs[k]);
      const solution = yield* stochastic.modelSteps(epochs, (epoch) =>
        this.#model(set, [...runs.slice(0, k), epoch.state], stochastic.unfinishedReport(epoch)),
      );
      runs.push(solution.state);
      reports.push(stochastic.finishedReport(solution, totalWeight(set)));
    }
    const report = joinReports(reports);
    const { converged, warnings } = report;
    const more = stochastic.unfinishedWarnings(converged, maxIter, warnings.length);
    return this.#model(set, runs, { ...report, warnings: [...warnings, ...more] });
  }

  /** Classes that are not trained yet have coefficients of 0. */
  #model<L extends Label>(
    set: ClassificationSet<L>,
    begun: readonly SgdState[],
    report: FitReport,
  ): AnyFittedSgd<L> {
    const outputs = set.classes.length === 2 ? 1 : set.classes.length;
    const d = set.x.cols;
    const runs = Array.from({ length: outputs }, (_, k) => begun[k] ?? freshState(new Float64Array(d + 1)));
    const thetas = Float64Array.from(runs.flatMap((run) => [...thetaOf(run)]));
    const link = linkOf(this.params.loss, outputs);
    const { classes, featureNamesIn } = set;
    const own = { id: SGDClassifier.id, params: this.params, classes, link, report, featureNamesIn };
    const state: LinearState<L> = { ...own, ...unpack(thetas, outputs, d) };
    return link === null
      ? new FittedSGDClassifier(state, runs)
      : new FittedProbabilisticSGDClassifier(state, runs);
  }

  #loss(): Loss {
    const { loss, epsilon } = this.params;
    return {
      hinge,
      logLoss: logistic,
      modifiedHuber,
      squaredHinge,
      perceptron,
      squaredError: squared,
      huber: () => huber(epsilon || Number.MIN_VALUE),
      epsilonInsensitive: () => epsilonInsensitive(epsilon),
      squaredEpsilonInsensitive: () => squaredEpsilonInsensitive(epsilon),
    }[loss]();
  }
}

function linkOf(loss: SgdClassifierLoss, outputs: number): Link | null {
  if (loss === "logLoss") return outputs === 1 ? "sigmoid" : "ovr";
  return loss === "modifiedHuber" ? "clip" : null;
}

type AnyFittedSgd<L extends Label> = FittedSGDClassifier<L> | FittedProbabilisticSGDClassifier<L>;

type FittedSgd<K extends SgdClassifierLoss, L extends Label> = K extends ProbabilisticLoss
  ? FittedProbabilisticSGDClassifier<L>
  : FittedSGDClassifier<L>;

export class FittedSGDClassifier<L extends Label = Label> extends FittedLinearClassifier<L> {
  constructor(
    state: LinearState<L>,
    /** State of the descent per output, from which `partialFit` continues. */
    readonly runs: readonly SgdState[],
  ) {
    super(state);
  }

  /** The number of the next step. */
  get stepCount(): number {
    return stochastic.stepCountOf(this.runs);
  }

  protected override learned(): Learned {
    return { ...super.learned(), ...stochastic.runTensors(this.runs) };
  }
}

/** SGDClassifier with a loss whose margins are probabilities: logLoss or modifiedHuber. */
export class FittedProbabilisticSGDClassifier<
  L extends Label = Label,
> extends FittedProbabilisticLinearClassifier<L> {
  constructor(
    state: LinearState<L>,
    /** State of the descent per output, from which `partialFit` continues. */
    readonly runs: readonly SgdState[],
  ) {
    super(state);
  }

  /** The number of the next step. */
  get stepCount(): number {
    return stochastic.stepCountOf(this.runs);
  }

  protected override learned(): Learned {
    return { ...super.learned(), ...stochastic.runTensors(this.runs) };
  }
}
