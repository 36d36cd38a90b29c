import type {
  FittedClassifier,
  FittedProbabilisticClassifier,
  MatrixLike,
  ScoreOptions,
} from "../core/contract.js";
import { DataError } from "../core/errors.js";
import { codeLabels, type Label, type Labels } from "../core/labels.js";
import { sigmoid } from "../core/numbers/elementary.js";
import {
  logOneVsRest,
  logPosteriors,
  logProbabilities,
  oneVsRest,
  posteriors,
} from "../core/numbers/scores.js";
import type { DecidesBy, MarginOptions, NoReject, ProbaOptions } from "../core/params/predict-options.js";
import { acceptedLabels, leadOf, predictLabels, readPredictOptions } from "../core/params/predict-options.js";
import type { Learned } from "../core/state/model-state.js";
import type { ModelState } from "../core/state/state.js";
import type { ClassLink, Decision, DenseRows, Structure } from "../core/structure.js";
import { classifierStructure, structure } from "../core/structure.js";
import { Matrix } from "../data/matrix.js";
import type { Margins } from "../linear/fitted-classifier.js";
import { accuracyScore } from "../metrics/accuracy.js";
import { FittedSvm, type SvmState } from "./fitted-svm.js";
import { clipped, coupled, type Sigmoid } from "./sigmoid-calibration.js";

/** How the scores of several binary SVMs are combined into one prediction. */
export interface VotingRule {
  readonly multiClass: "ovo" | "ovr";
  readonly shape: "ovr" | "ovo";
  readonly breakTies: boolean;
  /**
   * The order of the classes (as indices into `classes`) for breaking ties and for pairwise coupling, where it differs from that of
   * `classes`: models read from LIBSVM files keep theirs.
   */
  readonly order?: readonly number[];
}

export class FittedSVC<L extends Label = Label> extends FittedSvm implements FittedClassifier<L> {
  constructor(
    state: SvmState,
    readonly classes: readonly L[],
    /** The number of support vectors of each class. */
    readonly nSupport: Int32Array,
    protected readonly rule: VotingRule,
  ) {
    super(state);
  }

  /**
   * w of each binary SVM, one per row, with the linear kernel only: two classes have one row, more have one per pair of classes (the
   * order of `intercept`) or, with multiClass "ovr", one per class.
   */
  get coef(): Matrix {
    return this.expansion.linearCoef("SVC.coef");
  }

  /** b of each binary SVM. */
  get intercept(): Float64Array {
    return this.expansion.parts.intercept;
  }

  /**
   * Two classes: one column, Σ y α k + b, positive for the second class. More: one column per class, or with
   * decisionFunctionShape "ovo" one per pair of classes, positive for the first of the pair.
   */
  decisionFunction(x: MatrixLike): Matrix {
    const scores = this.scores("SVC.decisionFunction", x);
    const pairs = this.classes.length > 2 && this.rule.multiClass === "ovo";
    return pairs && this.rule.shape === "ovr" ? this.#perClass(scores) : scores;
  }

  /**
   * The class with most votes ("ovo") or the highest score ("ovr"). Ties go to the first class, unless `breakTies` is true. With
   * pairs, `minMargin` is compared with the smallest margin of the winner in its pairs.
   */
  predict(x: MatrixLike, options?: NoReject<MarginOptions>): L[];
  predict(x: MatrixLike, options: MarginOptions): (L | undefined)[];
  predict(x: MatrixLike, options?: MarginOptions): (L | undefined)[] {
    return this.labelsOf(this.scores("SVC.predict", x), options, { margins: true });
  }

  /** Accuracy. */
  score(x: MatrixLike, y: Labels<L>, options: ScoreOptions = {}): number {
    return accuracyScore(y, this.predict(x), options);
  }

  /** ‖w‖² of each binary SVM, w in the kernel's feature space: Σ y α (w·x) over its support vectors, w·x = score − b. */
  get normSquares(): Float64Array {
    const { coef, intercept } = this.expansion.parts;
    const z = this.expansion.ownScores("SVC.normSquares");
    return Float64Array.from(intercept, (b, k) => {
      let square = 0;
      for (let s = 0; s < coef.cols; s++) square += coef.at(k, s) * (z.at(s, k) - b);
      return Math.max(0, square);
    });
  }

  /** 2/‖w‖ of each binary SVM: the distance between its two margins in the kernel's feature space. */
  get marginWidths(): Float64Array {
    return this.normSquares.map((square) => 2 / Math.sqrt(square));
  }

  /** Functional and geometric margins of labelled rows, positive on the correct side. Two classes only. */
  margins(x: MatrixLike, y: Labels<L>): Margins {
    const where = "SVC.margins";
    if (this.classes.length > 2) {
      const expected = "one of two classes, since every pair of classes has its own margins";
      const received = `${this.classes.length} classes`;
      throw new DataError(where, "the model", expected, received);
    }
    const z = this.scores(where, x);
    const codes = codeLabels(where, y, z.rows, this.classes);
    const functional = z.data.map((score, i) => (codes[i] === 1 ? score : -score));
    const norm = Math.sqrt(this.normSquares[0]!);
    const geometric = functional.map((m) => (norm > 0 ? m / norm : 0));
    const smallest = (list: Float64Array) => list.reduce((least, m) => Math.min(least, m), Infinity);
    return { functional, geometric, minFunctional: smallest(functional), minGeometric: smallest(geometric) };
  }

  [structure](): Structure {
    const { multiClass, breakTies, order = null } = this.rule;
    const pairs = this.classes.length > 2 && multiClass === "ovo";
    const decision: Decision = pairs ? { kind: "pairs", breakTies, order } : { kind: "scores" };
    return classifierStructure(this, this.expansion.described(), this.link, {
      decision,
      margins: pairs && this.rule.shape === "ovr" ? "pairVotes" : "scores",
    });
  }

  /** From scores to probabilities: none without `probability`. */
  protected get link(): ClassLink | null {
    return null;
  }

  /** The slack ξ = max(0, 1 − functional margin) of each labelled row. Two classes only. */
  slacks(x: MatrixLike, y: Labels<L>): Float64Array {
    return this.margins(x, y).functional.map((m) => Math.max(0, 1 - m));
  }

  toState(): ModelState {
    return this.stateWith(this.voting());
  }

  /** What a saved model stores besides the scores. */
  protected voting(): Learned {
    const { classes, nSupport } = this;
    const { multiClass, shape: decisionFunctionShape, breakTies, order } = this.rule;
    return { classes, multiClass, decisionFunctionShape, breakTies, order, nSupport };
  }

  protected labelsOf(scores: Matrix, options: unknown, decidesBy: DecidesBy): (L | undefined)[] {
    const { classes, rule } = this;
    const K = classes.length;
    if (K === 2) return predictLabels("SVC.predict", classes, scores, options, decidesBy);
    const given = readPredictOptions("SVC.predict", options, K, decidesBy);
    const pairs = rule.multiClass === "ovo";
    const ranking = !pairs ? scores : rule.breakTies ? this.#perClass(scores) : this.#votes(scores);
    const winners = this.#winners(ranking);
    const margin = (i: number, k: number) =>
      pairs ? leastOfPairs(scores.row(i), K, k) : leadOf(scores.data, i * K, K, k);
    return acceptedLabels(classes, winners, given, margin, decidesBy.probabilities);
  }

  /** The class with the largest entry per row, the first of equal ones in the order that counts. */
  #winners({ data, rows, cols }: Matrix): Int32Array {
    const order = this.rule.order ?? this.classes.map((_, k) => k);
    return Int32Array.from({ length: rows }, (_, i) => {
      let best = order[0]!;
      for (const k of order) if (data[i * cols + k]! > data[i * cols + best]!) best = k;
      return best;
    });
  }

  /** Votes of the pairs, one column per class. */
  #votes(scores: Matrix): Matrix {
    const votes = Matrix.zeros(scores.rows, this.classes.length);
    this.#overPairs(scores, (i, a, b, z) => {
      votes.data[i * votes.cols + (z > 0 ? a : b)]!++;
    });
    return votes;
  }

  /** Votes plus the sum of the class's pairwise scores, scaled to less than 1/3, which breaks ties. Parity: scikit-learn's ovr shape. */
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

/** The smallest margin of class k in its pairs: negative if it loses one. Margins are positive for the first of a pair. */
function leastOfPairs(margins: Float64Array, K: number, k: number): number {
  let least = Infinity;
  for (let a = 0, at = 0; a < K; a++) {
    for (let b = a + 1; b < K; b++, at++) {
      if (a === k) least = Math.min(least, margins[at]!);
      if (b === k) least = Math.min(least, -margins[at]!);
    }
  }
  return least;
}

/** An SVC with `probability: true`. */
export class FittedProbabilisticSVC<L extends Label = Label>
  extends FittedSVC<L>
  implements FittedProbabilisticClassifier<L>
{
  /** The position of each class in the order of `VotingRule`. */
  readonly #places: readonly number[];

  constructor(
    state: SvmState,
    classes: readonly L[],
    nSupport: Int32Array,
    rule: VotingRule,
    /** P = 1/(1 + e^(a f + b)) of the score f, per binary SVM. */
    readonly sigmoids: readonly Sigmoid[],
  ) {
    super(state, classes, nSupport, rule);
    this.#places = classes.map((_, k) => rule.order?.indexOf(k) ?? k);
  }

  override predict(x: MatrixLike, options?: NoReject<MarginOptions & ProbaOptions>): L[];
  override predict(x: MatrixLike, options: MarginOptions & ProbaOptions): (L | undefined)[];
  override predict(x: MatrixLike, options?: MarginOptions & ProbaOptions): (L | undefined)[] {
    const scores = this.scores("SVC.predict", x);
    return this.labelsOf(scores, options, {
      margins: true,
      probabilities: () => this.#probabilities(scores).data,
    });
  }

  /**
   * One column per class. Calibrated on held-out scores, so the most probable class may differ from `predict` where two classes are
   * close, as in LIBSVM.
   */
  predictProba(x: MatrixLike): Matrix {
    return this.#probabilities(this.scores("SVC.predictProba", x));
  }

  protected override get link(): ClassLink {
    return {
      kind: "platt",
      sigmoids: this.#sigmoids,
      pairs: this.#couplesPairs,
      order: this.rule.order ?? null,
    };
  }

  /** Logarithms of `predictProba`, also where those underflow to 0. */
  predictLogProba(x: MatrixLike): Matrix {
    const scores = this.scores("SVC.predictLogProba", x);
    const logOdds = this.#logOdds(scores);
    if (!this.#couplesPairs) return this.#perRow(logOdds, logPosteriors, logOneVsRest);
    const { data, rows, cols } = this.#coupled(logOdds);
    return new Matrix(logProbabilities(data, cols), rows, cols);
  }

  protected override voting(): Learned {
    return { ...super.voting(), probability: true, sigmoids: this.#sigmoids };
  }

  get #sigmoids(): DenseRows {
    const data = Float64Array.from(this.sigmoids.flatMap(({ a, b }) => [a, b]));
    return { data, rows: this.sigmoids.length, cols: 2 };
  }

  #probabilities(scores: Matrix): Matrix {
    const logOdds = this.#logOdds(scores);
    return this.#couplesPairs ? this.#coupled(logOdds) : this.#perRow(logOdds, posteriors, oneVsRest);
  }

  /** More than two classes, one binary SVM per pair of them. */
  get #couplesPairs(): boolean {
    return this.classes.length > 2 && this.rule.multiClass === "ovo";
  }

  /** log(P/(1 − P)) = −(a f + b) of the score f of every binary SVM. */
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
    const probabilities = coupled(pairs, K);
    for (let k = 0; k < K; k++) out[k] = probabilities[places[k]!]!;
  }
}
