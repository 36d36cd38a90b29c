import type { FitReport, FittedModel, Samples } from "../core/contract.js";
import { ArgmaxError, DataError } from "../core/errors.js";
import type { Label, Labels } from "../core/labels.js";
import { pushAll } from "../core/numbers/extremes.js";
import type { Matrix } from "../data/matrix.js";
import { type ScorerName, scorers } from "../metrics/scorers.js";
import type { BoostingRows, RoundLosses } from "../numeric/boosting/gradient-boosting.js";

/** What scorers ask of a model, with predictions that are already known: X is not read. */
export interface Predictor {
  predict(x?: Samples): Labels<Label>;
  /** Of a classifier: the codes 0, 1, …, as in the task's y. */
  readonly classes?: readonly number[];
  predictProba?(x?: Samples): Matrix;
  decisionFunction?(x?: Samples): Matrix;
}

/** The part of a task that scores need. */
interface Scored {
  readonly where: string;
  readonly predictor: (raw: Matrix) => Predictor;
  readonly positive?: number;
}

/** Rows that are learned from, and rows held out. */
export interface ScoredRows {
  readonly train: BoostingRows;
  readonly validation: BoostingRows | null;
  /** Raw predictions of them. */
  raw(of: "train" | "validation"): Matrix;
}

/** Products of squared sums of larger gradients with sums of hessians could overflow. */
const MAX_GRADIENT = 1e130;

/**
 * Scores before the first round and after each: minus the mean loss, or the scorer of that name. Both come from the raw predictions that
 * boosting keeps, so that no tree is evaluated again.
 * Parity: scikit-learn's `scoring`; it computes training scores by name on 10,000 random rows, here they are of all rows.
 */
export class Scores {
  readonly train: number[] = [];
  readonly validation: number[] = [];
  readonly #losses: number[] = [];
  readonly #maxAbsGradients: number[] = [];

  constructor(
    private readonly task: Scored,
    private readonly scoring: "loss" | ScorerName,
    private readonly rows: ScoredRows,
    private readonly scale: number,
  ) {}

  /** The scores of earlier rounds; those of the last one are recorded again. Losses of the others are not asked for. */
  begin(earlier: { readonly trainScore: Float64Array; readonly validationScore: Float64Array }): void {
    pushAll(this.train, earlier.trainScore.slice(0, -1));
    pushAll(this.validation, earlier.validationScore.slice(0, -1));
    for (let round = 0; round + 1 < earlier.trainScore.length; round++) {
      this.#losses.push(Number.NaN);
      this.#maxAbsGradients.push(Number.NaN);
    }
  }

  record({ train, validation, maxAbsGradient }: RoundLosses): void {
    if (!Number.isFinite(train) || maxAbsGradient > MAX_GRADIENT) {
      const expected = "small enough for sums of squared gradients to be finite";
      const received = "larger numbers";
      const advice = "Divide y by a constant, or lower learningRate.";
      throw new DataError(this.task.where, "y", expected, received, advice);
    }
    this.#losses.push(train);
    this.#maxAbsGradients.push(maxAbsGradient / this.scale);
    const { scoring } = this;
    // The loss of classifiers is the log loss.
    if (scoring === "loss" || scoring === "negLogLoss") {
      this.train.push(-train);
      if (validation !== null) this.validation.push(-validation);
      return;
    }
    this.train.push(this.#score(scoring, this.rows.train, this.rows.raw("train")));
    if (this.rows.validation)
      this.validation.push(this.#score(scoring, this.rows.validation, this.rows.raw("validation")));
  }

  #score(scoring: ScorerName, { y, weights }: BoostingRows, raw: Matrix): number {
    const { where, predictor, positive = -1 } = this.task;
    const options = { sampleWeight: weights, ...(positive >= 0 && { positiveLabel: positive }) };
    try {
      return scorers[scoring](predictor(raw) as unknown as FittedModel, raw, y, options);
    } catch (error) {
      throw error instanceof ArgmaxError ? error.within(where) : error;
    }
  }

  /** The training loss after the last round. */
  get lastLoss(): number {
    return this.#losses.at(-1)!;
  }

  /** Scores and report after `rounds` rounds; `cutOff`: early stopping had not stopped the fit by then. */
  after(
    rounds: number,
    cutOff: boolean,
  ): { trainScore: Float64Array; validationScore: Float64Array; report: FitReport } {
    const change =
      this.scoring === "loss" ? "The loss was still falling" : `${this.scoring} was still rising`;
    return {
      trainScore: Float64Array.from(this.train.slice(0, rounds + 1)),
      validationScore: Float64Array.from(this.validation.slice(0, rounds + 1)),
      report: {
        converged: !cutOff,
        iterations: rounds,
        objective: this.#losses[rounds]!,
        gradientNorm: this.#maxAbsGradients[rounds]!,
        solver: "histogram boosting",
        warnings: cutOff ? [`${change} after maxIter rounds.`] : [],
      },
    };
  }

  /** Whether none of the last `patience` rounds is better than the one before them. */
  stalled(patience: number, tol: number): boolean {
    const scores = this.validation.length > 0 ? this.validation : this.train;
    if (scores.length <= patience) return false;
    const reference = scores.at(-patience - 1)! + tol;
    return !scores.slice(-patience).some((score) => score > reference);
  }
}
