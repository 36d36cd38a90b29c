import type {
  FittedClassifier,
  FittedProbabilisticClassifier,
  MatrixLike,
  ScoreOptions,
} from "../core/contract.js";
import { sigmoid } from "../core/elementary.js";
import { DataError } from "../core/errors.js";
import { codeLabels, type Label, type Labels } from "../core/labels.js";
import {
  logOneVsRest,
  logPosteriors,
  logProbabilities,
  oneVsRest,
  posteriors,
  predictedClasses,
} from "../core/scores.js";
import type { ModelState } from "../core/state.js";
import { Matrix } from "../data/matrix.js";
import type { Margins } from "../linear/fitted-classifier.js";
import { accuracyScore } from "../metrics/accuracy.js";
import { FittedSupport, type SupportState } from "./fitted-support.js";
import { clipped, coupled, type Sigmoid } from "./sigmoid-calibration.js";

/** How many machines make one answer. */
export interface VotingRule {
  readonly multiClass: "ovo" | "ovr";
  readonly shape: "ovr" | "ovo";
  readonly breakTies: boolean;
  /**
   * The classes by their numbers, when another order than that of `classes` counts: of equally many votes the first wins, and
   * the iteration that joins probabilities of pairs, which stops early, visits them so.
   */
  readonly order?: readonly number[];
}

export class FittedSVC<L extends Label = Label> extends FittedSupport implements FittedClassifier<L> {
  constructor(
    state: SupportState,
    readonly classes: readonly L[],
    protected readonly rule: VotingRule,
  ) {
    super(state);
  }

  /** b of each machine. */
  get intercept(): Float64Array {
    return this.learned.expansion.parts.intercept;
  }

  /**
   * Two classes: Σ y α k + b, positive for the second. More: one column a class, or one a pair (positive for its first class)
   * with decisionFunctionShape "ovo".
   */
  decisionFunction(x: MatrixLike): Matrix {
    const scores = this.scores("SVC.decisionFunction", x);
    const pairs = this.classes.length > 2 && this.rule.multiClass === "ovo";
    return pairs && this.rule.shape === "ovr" ? this.#perClass(scores) : scores;
  }

  /** Pairs of classes vote; of classes with equally many votes the first wins, unless `breakTies` was asked for. */
  predict(x: MatrixLike): L[] {
    const scores = this.scores("SVC.predict", x);
    const { data, rows } = scores;
    const { classes } = this;
    const K = classes.length;
    if (K === 2) return predictedClasses(classes, data, 1);
    const ranking =
      this.rule.multiClass === "ovr"
        ? scores
        : this.rule.breakTies
          ? this.#perClass(scores)
          : this.#votes(scores);
    const { order } = this.rule;
    if (order === undefined) return predictedClasses(classes, ranking.data, K);
    const labels = new Array<L>(rows);
    for (let i = 0; i < rows; i++) {
      let best = order[0]!;
      for (const k of order) if (ranking.data[i * K + k]! > ranking.data[i * K + best]!) best = k;
      labels[i] = classes[best]!;
    }
    return labels;
  }

  /** Accuracy. */
  score(x: MatrixLike, y: Labels<L>, options: ScoreOptions = {}): number {
    return accuracyScore(y, this.predict(x), options);
  }

  /** w·w of each machine, w in the space of the kernel: Σ y α (w·x) over its support vectors, and w·x is the score less b. */
  get normSquares(): Float64Array {
    const { coef, intercept } = this.learned.expansion.parts;
    const z = this.learned.expansion.ownScores("SVC.normSquares");
    return Float64Array.from(intercept, (b, k) => {
      let square = 0;
      for (let s = 0; s < coef.cols; s++) square += coef.at(k, s) * (z.at(s, k) - b);
      return Math.max(0, square);
    });
  }

  /** 2/‖w‖ of each machine, w in the space of the kernel: the width of the street between its margins. */
  get marginWidths(): Float64Array {
    return this.normSquares.map((square) => 2 / Math.sqrt(square));
  }

  /** How far labelled rows are on the right side. Two classes only. */
  margins(x: MatrixLike, y: Labels<L>): Margins {
    const where = "SVC.margins";
    if (this.classes.length > 2) {
      throw new DataError({
        where,
        subject: "the model",
        expected: "of two classes, since each pair has margins of its own",
        received: `${this.classes.length} classes`,
      });
    }
    const z = this.scores(where, x);
    const codes = codeLabels(where, y, z.rows, this.classes);
    const functional = z.data.map((score, i) => (codes[i] === 1 ? score : -score));
    const norm = Math.sqrt(this.normSquares[0]!);
    const geometric = functional.map((m) => (norm > 0 ? m / norm : 0));
    const smallest = (list: Float64Array) => list.reduce((least, m) => Math.min(least, m), Infinity);
    return { functional, geometric, minFunctional: smallest(functional), minGeometric: smallest(geometric) };
  }

  /** How far each labelled row is on the wrong side of its margin: max(0, 1 − functional margin). Two classes only. */
  slacks(x: MatrixLike, y: Labels<L>): Float64Array {
    return this.margins(x, y).functional.map((m) => Math.max(0, 1 - m));
  }

  toState(): ModelState {
    const values = {
      classes: [...this.classes],
      multiClass: this.rule.multiClass,
      decisionFunctionShape: this.rule.shape,
      breakTies: this.rule.breakTies,
      ...(this.rule.order === undefined ? {} : { order: [...this.rule.order] }),
    };
    return this.stateWith(values);
  }

  /** What pairs, or one class against the rest, make of a row. */
  #votes(scores: Matrix): Matrix {
    const votes = Matrix.zeros(scores.rows, this.classes.length);
    this.#overPairs(scores, (i, a, b, z) => {
      votes.data[i * votes.cols + (z > 0 ? a : b)]!++;
    });
    return votes;
  }

  /** Votes, and the sum of a class's margins to tell equal ones apart: at most a third of a vote, as scikit-learn has it. */
  #perClass(scores: Matrix): Matrix {
    const out = this.#votes(scores);
    const sums = Matrix.zeros(out.rows, out.cols);
    this.#overPairs(scores, (i, a, b, z) => {
      sums.data[i * sums.cols + a]! += z;
      sums.data[i * sums.cols + b]! -= z;
    });
    for (let e = 0; e < out.data.length; e++)
      out.data[e]! += sums.data[e]! / (3 * (Math.abs(sums.data[e]!) + 1));
    return out;
  }

  #overPairs(
    { data, rows, cols }: Matrix,
    visit: (i: number, a: number, b: number, z: number) => void,
  ): void {
    const K = this.classes.length;
    for (let i = 0; i < rows; i++) {
      let at = i * cols;
      for (let a = 0; a < K; a++) for (let b = a + 1; b < K; b++, at++) visit(i, a, b, data[at]!);
    }
  }
}

/** An SVC that was asked for probabilities. */
export class FittedProbabilisticSVC<L extends Label = Label>
  extends FittedSVC<L>
  implements FittedProbabilisticClassifier<L>
{
  /** Where each class is in the order that counts. */
  readonly #places: readonly number[];

  constructor(
    state: SupportState,
    classes: readonly L[],
    rule: VotingRule,
    /** P = 1/(1 + e^(a f + b)) of each machine's margin f. */
    readonly sigmoids: readonly Sigmoid[],
  ) {
    super(state, classes, rule);
    this.#places = classes.map((_, k) => rule.order?.indexOf(k) ?? k);
  }

  /**
   * One column a class. They come from other machines than `predict` (each row's from ones that had not seen it), so that the
   * likeliest class may be another where two are close.
   */
  predictProba(x: MatrixLike): Matrix {
    const scores = this.scores("SVC.predictProba", x);
    const logOdds = this.#logOdds(scores);
    return this.#joinsPairs ? this.#coupled(logOdds) : this.#perRow(logOdds, posteriors, oneVsRest);
  }

  /** Logarithms of `predictProba`, also where those underflow to 0. */
  predictLogProba(x: MatrixLike): Matrix {
    const scores = this.scores("SVC.predictLogProba", x);
    const logOdds = this.#logOdds(scores);
    if (!this.#joinsPairs) return this.#perRow(logOdds, logPosteriors, logOneVsRest);
    const joined = this.#coupled(logOdds);
    return new Matrix(logProbabilities(joined.data, joined.cols), joined.rows, joined.cols);
  }

  override toState(): ModelState {
    const state = super.toState();
    const data = Float64Array.from(this.sigmoids.flatMap(({ a, b }) => [a, b]));
    return {
      ...state,
      values: { ...state.values, probability: true },
      tensors: { ...state.tensors, sigmoids: { shape: [this.sigmoids.length, 2], data } },
    };
  }

  /** More than two classes, one machine per pair of them. */
  get #joinsPairs(): boolean {
    return this.classes.length > 2 && this.rule.multiClass === "ovo";
  }

  /** log(P/(1 − P)) = −(a f + b) of every machine's margin f. */
  #logOdds({ data, rows, cols }: Matrix): Matrix {
    return new Matrix(
      data.map((f, e) => {
        const { a, b } = this.sigmoids[e % cols]!;
        return -(a * f + b);
      }),
      rows,
      cols,
    );
  }

  #perRow({ data, rows, cols }: Matrix, two: typeof posteriors, more: typeof oneVsRest): Matrix {
    return new Matrix((cols === 1 ? two : more)(data, cols), rows, this.classes.length);
  }

  #coupled({ data, rows, cols }: Matrix): Matrix {
    const K = this.classes.length;
    const out = Matrix.zeros(rows, K);
    const pairs = new Float64Array(K * K);
    for (let i = 0; i < rows; i++)
      this.#coupleInto(data.subarray(i * cols, (i + 1) * cols), pairs, out.row(i));
    return out;
  }

  /** Probabilities of the classes from log-odds of the pairs. */
  #coupleInto(logOdds: Float64Array, pairs: Float64Array, out: Float64Array): void {
    const K = this.classes.length;
    const places = this.#places;
    for (let a = 0, at = 0; a < K; a++) {
      for (let b = a + 1; b < K; b++, at++) {
        const p = clipped(sigmoid(logOdds[at]!));
        pairs[places[a]! * K + places[b]!] = p;
        pairs[places[b]! * K + places[a]!] = 1 - p;
      }
    }
    const joined = coupled(pairs, K);
    for (let k = 0; k < K; k++) out[k] = joined[places[k]!]!;
  }
}
