import type { FittedClassifier, MatrixLike, ScoreOptions } from "../core/contract.js";
import { log, sigmoid } from "../core/elementary.js";
import { DataError } from "../core/errors.js";
import { codeLabels, type Label, type Labels } from "../core/labels.js";
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
    const labels = new Array<L>(rows);
    if (K === 2) {
      for (let i = 0; i < rows; i++) labels[i] = classes[data[i]! > 0 ? 1 : 0]!;
      return labels;
    }
    const ranking =
      this.rule.multiClass === "ovr"
        ? scores
        : this.rule.breakTies
          ? this.#perClass(scores)
          : this.#votes(scores);
    const { order } = this.rule;
    for (let i = 0; i < rows; i++) {
      let best = order ? order[0]! : 0;
      for (let e = 1; e < K; e++) {
        const k = order ? order[e]! : e;
        if (ranking.data[i * K + k]! > ranking.data[i * K + best]!) best = k;
      }
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
export class FittedProbabilisticSVC<L extends Label = Label> extends FittedSVC<L> {
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
    const K = this.classes.length;
    const out = Matrix.zeros(scores.rows, K);
    for (let i = 0; i < scores.rows; i++) out.data.set(this.#ofRow(scores.row(i)), i * K);
    return out;
  }

  predictLogProba(x: MatrixLike): Matrix {
    const p = this.predictProba(x);
    return new Matrix(
      p.data.map((v) => (v > 0 ? log(v) : -Infinity)),
      p.rows,
      p.cols,
    );
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

  #ofRow(margins: Float64Array): ArrayLike<number> {
    const K = this.classes.length;
    const p = this.sigmoids.map(({ a, b }, k) => sigmoid(-(a * margins[k]! + b)));
    if (K === 2) return [1 - p[0]!, p[0]!];
    if (this.rule.multiClass === "ovr") {
      const sum = p.reduce((total, v) => total + v, 0);
      return p.map((v) => (sum > 0 ? v / sum : 1 / K));
    }
    const places = this.#places;
    const pairs = new Float64Array(K * K);
    for (let a = 0, at = 0; a < K; a++) {
      for (let b = a + 1; b < K; b++, at++) {
        pairs[places[a]! * K + places[b]!] = clipped(p[at]!);
        pairs[places[b]! * K + places[a]!] = 1 - clipped(p[at]!);
      }
    }
    const joined = coupled(pairs, K);
    return places.map((place) => joined[place]!);
  }
}
