import type { Capabilities, FitOptions, MatrixLike, Progress } from "../core/contract.js";
import { Estimator, runSteps } from "../core/estimator.js";
import type { NumberArray } from "../core/labels.js";
import { flag, numbers, type Params } from "../core/params.js";
import { type ModelState, StateReader } from "../core/state.js";
import { Matrix } from "../data/matrix.js";
import { type RegressionSet, regressionSet } from "../data/training-set.js";
import { scorers } from "../metrics/scorers.js";
import { linearRegressorCapabilities } from "./capabilities.js";
import {
  FoldRows,
  firstLargest,
  foldsOf,
  foldsParam,
  inFold,
  regressionScoring,
  requireCandidates,
  rowsOf,
} from "./cross-validation.js";
import { FittedLinearRegressor, type RegressorState, readRegressorState } from "./fitted-regressor.js";
import { leastSquares } from "./least-squares.js";
import { leaveOneOut } from "./leave-one-out.js";
import { fitIntercept } from "./params.js";

export const ridgeCVParams = {
  alphas: numbers({ above: 0, default: [0.1, 1, 10], doc: "The values of α to choose from." }),
  fitIntercept: fitIntercept(),
  scoring: regressionScoring(
    "What to compare, larger is better; null: the negative mean squared error of leave-one-out, or R² with cv.",
  ),
  cv: foldsParam("Number of folds, or how to make them; null: leave-one-out, from one eigendecomposition."),
  storeCvValues: flag({
    default: false,
    doc: "Keep the leave-one-out errors (squared) or, with scoring, predictions of every row and α as cvValues.",
  }),
};

/**
 * Ridge regression whose α is chosen by cross-validation: by leave-one-out, which costs one eigendecomposition for all α, or by folds.
 * The first of equally good α wins.
 *
 * Parity: scikit-learn's RidgeCV without gcv_mode, which changes no result. With weights, scores are weighted means (scikit-learn
 * divides by the number of rows, and does not weight the scores of folds).
 */
export class RidgeCV extends Estimator<typeof ridgeCVParams> {
  static readonly id = "RidgeCV";
  static readonly table = ridgeCVParams;
  static readonly capabilities: Capabilities = linearRegressorCapabilities;

  constructor(params: Params<typeof ridgeCVParams> = {}) {
    super(RidgeCV.id, ridgeCVParams, params);
    requireCandidates(RidgeCV.id, "alphas", this.params.alphas);
  }

  fit(x: MatrixLike, y: NumberArray, options: FitOptions = {}): FittedRidgeCV {
    return runSteps("RidgeCV.fit", this.#learn("RidgeCV.fit", x, y, options), options);
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

  *#learn(
    where: string,
    x: MatrixLike,
    y: NumberArray,
    options: FitOptions,
  ): Generator<Progress, FittedRidgeCV, void> {
    const { alphas, cv } = this.params;
    const set = regressionSet(where, x, y, options, { sparse: true });
    const { scores, cvValues } =
      cv === null ? yield* this.#leaveOneOut(where, set) : yield* this.#byFolds(where, set);
    const best = firstLargest(scores);
    const alpha = alphas[best]!;
    const learned = leastSquares(where, set, alpha, this.params.fitIntercept);
    const { featureNamesIn } = set;
    const state = {
      id: RidgeCV.id,
      params: this.params,
      link: "identity" as const,
      featureNamesIn,
      ...learned,
    };
    return new FittedRidgeCV({ ...state, extra: { alpha, bestScore: scores[best]! } }, cvValues);
  }

  *#leaveOneOut(where: string, set: RegressionSet): Generator<Progress, Scores, void> {
    const { alphas, fitIntercept, scoring, storeCvValues } = this.params;
    const { x, y, weights } = set;
    const all = leaveOneOut(where, set, fitIntercept, alphas);
    const scores = new Float64Array(alphas.length);
    const kept = storeCvValues ? Matrix.zeros(y.length, alphas.length) : undefined;
    for (let a = 0; a < alphas.length; a++) {
      const errors = Float64Array.from(y, (_, i) => all.at(i, a));
      const predictions = y.map((v, i) => v - errors[i]!);
      const values = scoring === null ? errors.map((e) => e * e) : predictions;
      const scorer = scorers[scoring ?? "negMeanSquaredError"];
      scores[a] = scorer({ predict: () => predictions } as never, x, y, { sampleWeight: weights });
      for (let i = 0; kept && i < y.length; i++) kept.data[i * kept.cols + a] = values[i]!;
      yield { iteration: a + 1, total: alphas.length };
    }
    return { scores, cvValues: kept };
  }

  *#byFolds(where: string, set: RegressionSet): Generator<Progress, Scores, void> {
    const { alphas, cv, fitIntercept, scoring } = this.params;
    const folds = foldsOf(where, cv, set.y);
    const scores = new Float64Array(alphas.length);
    const rows = new FoldRows(set.x);
    const total = folds.length * alphas.length;
    for (const [f, fold] of folds.entries()) {
      const train = rowsOf(set, fold.train, rows.train(fold));
      const test = rowsOf(set, fold.test, rows.test(fold));
      for (const [a, alpha] of alphas.entries()) {
        const learned = inFold(where, f, () => leastSquares(where, train, alpha, fitIntercept));
        const model = new FittedLinearRegressor({ id: RidgeCV.id, params: {}, link: "identity", ...learned });
        const scorer = scorers[scoring ?? "r2"];
        scores[a]! += scorer(model, test.x, test.y, { sampleWeight: test.weights }) / folds.length;
        yield { iteration: f * alphas.length + a + 1, total };
      }
    }
    return { scores };
  }
}

interface Scores {
  /** One per α. */
  readonly scores: Float64Array;
  readonly cvValues?: Matrix | undefined;
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

  override toState(): ModelState {
    const state = super.toState();
    if (this.cvValues === undefined) return state;
    const { rows, cols, data } = this.cvValues;
    return { ...state, tensors: { ...state.tensors, cvValues: { shape: [rows, cols], data } } };
  }
}
