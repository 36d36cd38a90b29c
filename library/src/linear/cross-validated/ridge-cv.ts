import type { DefaultCandidate, FitOptions, MatrixLike, Progress } from "../../core/contract.js";
import { runSteps } from "../../core/estimator.js";
import type { NumberArray } from "../../core/labels.js";
import { beginFit } from "../../core/params/options.js";
import { flag, numbers, type Params } from "../../core/params/params.js";
import type { Learned } from "../../core/state/model-state.js";
import { type ModelState, StateReader } from "../../core/state/state.js";
import { Matrix } from "../../data/matrix.js";
import { type TargetsSet, targetsSet } from "../../data/targets.js";
import { type RegressionSet, regressionSet } from "../../data/training-set.js";
import { linearRegressor } from "../fits/capabilities.js";
import { fitIntercept } from "../fits/params.js";
import { TargetsRegressor } from "../fits/targets-regressor.js";
import { FittedLinearRegressor, type RegressorState, readRegressorState } from "../fitted-regressor.js";
import { linearTargetsState } from "../fitted-targets.js";
import { leastSquaresTargets } from "../least-squares/least-squares.js";
import { firstLargest, foldsParam, regressionScoring, requireCandidates } from "./cross-validation.js";
import { foldScores, leaveOneOutScores } from "./ridge-cv-scores.js";
import { FittedRidgeCVTargets } from "./ridge-cv-targets.js";

export const ridgeCVParams = {
  alphas: numbers({ above: 0, default: [0.1, 1, 10], doc: "The values of α to choose from." }),
  fitIntercept: fitIntercept(),
  scoring: regressionScoring(
    "What to compare, larger is better; null: the negative mean squared error of leave-one-out, or R² with cv.",
  ),
  cv: foldsParam("Number of folds, or how to make them; null: leave-one-out, from one eigendecomposition."),
  alphaPerTarget: flag({
    default: false,
    doc: "Choose α of every target on its own; of one target it changes nothing.",
  }),
  storeCvValues: flag({
    default: false,
    doc: "Keep the leave-one-out errors (squared) or, with scoring, predictions of every row and α as cvValues.",
  }),
};

const rules = { sparse: true } as const;

/**
 * Ridge regression whose α is chosen by cross-validation: by leave-one-out, which costs one eigendecomposition for all α and targets, or by
 * folds. The first of equally good α wins. Of several targets, α is that of the best mean score, or with `alphaPerTarget` each has its own.
 *
 * Parity: scikit-learn's RidgeCV without gcv_mode, which changes no result. With weights, scores are weighted means (scikit-learn
 * divides by the number of rows, and does not weight the scores of folds). With several targets and `scoring`, leave-one-out averages the
 * targets' scores, as folds do (scikit-learn scores all entries of Y as one list, which differs for R²); `alphaPerTarget` works with folds too.
 */
export class RidgeCV extends TargetsRegressor<typeof ridgeCVParams, FittedRidgeCV, FittedRidgeCVTargets> {
  static readonly id = "RidgeCV";
  static readonly table = ridgeCVParams;
  static readonly capabilities = linearRegressor({ manyColumns: false });
  static readonly candidate: DefaultCandidate = { cost: 2, mostRows: 100_000 };
  static readonly severalTargets = FittedRidgeCVTargets;

  constructor(params: Params<typeof ridgeCVParams> = {}) {
    super(params);
    requireCandidates(this.id, "alphas", this.params.alphas);
  }

  protected fitOne(where: string, x: MatrixLike, y: NumberArray, options: FitOptions): FittedRidgeCV {
    beginFit(where, options);
    return runSteps(where, this.#learn(where, regressionSet(where, x, y, options, rules)), options);
  }

  protected fitTargets(
    where: string,
    x: MatrixLike,
    y: MatrixLike,
    options: FitOptions,
  ): FittedRidgeCVTargets {
    beginFit(where, options);
    return runSteps(where, this.#learnTargets(where, targetsSet(where, x, y, options, rules)), options);
  }

  static restore(state: ModelState): FittedRidgeCV {
    const reader = new StateReader(state);
    const own = readRegressorState(state);
    for (const name of ["alpha", "bestScore"])
      if (own.extra?.[name] === undefined) reader.fail(name, "a number", "nothing");
    const stored = Object.hasOwn(state.tensors, "cvValues") ? reader.floats("cvValues", [-1, -1]) : undefined;
    const [rows, cols] = state.tensors["cvValues"]?.shape ?? [];
    return new FittedRidgeCV(own, stored && new Matrix(stored, rows!, cols!));
  }

  *#learn(where: string, set: RegressionSet): Generator<Progress, FittedRidgeCV, void> {
    const { chosen, fits, cvValues } = yield* this.#choose(where, { ...set, y: [set.y] });
    const state = {
      id: RidgeCV.id,
      params: this.params,
      link: "identity" as const,
      featureNamesIn: set.featureNamesIn,
      ...fits[0]!,
    };
    return new FittedRidgeCV({ ...state, extra: chosen[0]! }, cvValues?.[0]);
  }

  *#learnTargets(where: string, set: TargetsSet): Generator<Progress, FittedRidgeCVTargets, void> {
    const { chosen, fits, cvValues } = yield* this.#choose(where, set);
    const alpha = Float64Array.from(chosen, (one) => one.alpha);
    const bestScore = Float64Array.from(chosen, (one) => one.bestScore);
    return new FittedRidgeCVTargets(linearTargetsState(this, set, fits), alpha, bestScore, cvValues);
  }

  /** The α of every target and its score, and the fits with them to all rows. */
  *#choose(where: string, set: TargetsSet) {
    const { alphas, alphaPerTarget, cv, fitIntercept } = this.params;
    const scoresOf = cv === null ? leaveOneOutScores : foldScores;
    const { scores, cvValues } = yield* scoresOf(where, set, this.params);
    const means = alphas.map((_, a) => scores.reduce((sum, own) => sum + own[a]!, 0) / scores.length);
    const chosen = scores.map((own) => {
      const compared = alphaPerTarget ? own : means;
      const best = firstLargest(compared);
      return { alpha: alphas[best]!, bestScore: compared[best]! };
    });
    const strengths = chosen.map(({ alpha }) => alpha);
    return { chosen, fits: leastSquaresTargets(where, set, strengths, fitIntercept), cvValues };
  }
}

export class FittedRidgeCV extends FittedLinearRegressor {
  constructor(
    state: RegressorState,
    /** Squared leave-one-out errors (with `scoring`, predictions): one row per row of X, one column per α. Undefined unless requested. */
    readonly cvValues: Matrix | undefined,
  ) {
    super(state);
  }

  /** The chosen α. */
  get alpha(): number {
    return this.state.extra!["alpha"]!;
  }

  /** The score of the chosen α. */
  get bestScore(): number {
    return this.state.extra!["bestScore"]!;
  }

  protected override learned(): Learned {
    return { ...super.learned(), cvValues: this.cvValues };
  }
}
