import type { Capabilities, FitOptions, MatrixLike } from "../core/contract.js";
import { Estimator } from "../core/estimator.js";
import type { Label, Labels } from "../core/labels.js";
import { log } from "../core/numbers/elementary.js";
import { classWeight, either, optional, type ParamValues, real } from "../core/params/params.js";
import type { ModelState } from "../core/state/state.js";
import type { Design } from "../data/input.js";
import { Matrix } from "../data/matrix.js";
import type { PartialFitOptions } from "../data/training-set.js";
import { addClassSums, eventScoresInto } from "../numeric/bayes/class-sums.js";
import { logInto } from "../numeric/bayes/event-scores.js";
import type { BetaCounts, PseudoCounts } from "./class-priors.js";
import { betaCounts, broadcast, classPriorParams, columnAlpha, LEAST_ALPHA } from "./class-priors.js";
import type { FeatureCounts } from "./feature-counts.js";
import { FittedFeatureCounts, mergedCounts, readFeatureCounts } from "./feature-counts.js";
import {
  bayesCapabilities,
  classCounts,
  type EventRows,
  fitRows,
  partialFitRows,
  throwOnWrongEntry,
} from "./feature-rows.js";
import { type ClassScores, type ClassState, classState } from "./fitted-naive-bayes.js";

export const bernoulliNBParams = {
  alpha: either(columnAlpha, betaCounts),
  binarize: {
    ...optional(real({ default: 0, doc: "Values above this are 1, others 0; null: X holds 0 and 1 only." })),
    default: 0,
  },
  ...classPriorParams,
  classWeight: classWeight(),
};
type Values = ParamValues<typeof bernoulliNBParams>;

/**
 * The multivariate Bernoulli event model: within a class every column is 1 with a probability of its own.
 *
 *   log P(x | y = k) = Σⱼ xⱼ log φₖⱼ + (1 − xⱼ) log(1 − φₖⱼ),      φₖⱼ = (Nₖⱼ + αⱼ) / (Nₖ + 2αⱼ),      xⱼ ∈ {0, 1}
 *
 * Nₖⱼ are the (weighted) rows of class k with xⱼ = 1, Nₖ all of them. `alpha: betaPrior(a, b)` is the mode under a Beta
 * prior: φ = (Nₖⱼ + a − 1) / (Nₖ + a + b − 2). Absent features count, unlike in MultinomialNB.
 * Parity: scikit-learn's BernoulliNB; with a `binarize` below 0 it refuses sparse rows, whose zeros are then ones: we count
 * them as such. With `binarize: null` it takes any number for a probability; we refuse what is not 0 or 1.
 */
export class BernoulliNB extends Estimator<typeof bernoulliNBParams> {
  static readonly id = "BernoulliNB";
  static readonly table = bernoulliNBParams;
  static readonly capabilities: Capabilities = { ...bayesCapabilities, manyColumns: true };
  static readonly searchSpace = { alpha: { log: [1e-3, 10] } } as const;

  fit<L extends Label>(x: MatrixLike, y: Labels<L>, options: FitOptions = {}): FittedBernoulliNB<L> {
    return learnBernoulli(this.params, fitRows(this, x, y, options), null);
  }

  /** The model of the old rows and the new ones together (null: of the new ones). The old model is untouched. */
  partialFit<L extends Label>(
    model: FittedBernoulliNB<L> | null,
    x: MatrixLike,
    y: Labels<L>,
    options: PartialFitOptions<L> = {},
  ): FittedBernoulliNB<L> {
    const rows = partialFitRows(this, model, FittedBernoulliNB, x, y, options);
    return learnBernoulli(this.params, rows, model);
  }

  static restore(state: ModelState): FittedBernoulliNB {
    const { params, sums } = readFeatureCounts(bernoulliNBParams, state);
    return bernoulliOf(params, sums);
  }
}

/** Rows → sums, merged with those of the model so far. */
export function learnBernoulli<L extends Label>(
  params: Values,
  rows: EventRows<L>,
  from: FittedBernoulliNB<L> | null,
): FittedBernoulliNB<L> {
  const counted = classCounts(rows);
  const ones = onesByClass(rows, params.binarize, counted);
  return bernoulliOf(params, mergedCounts(rows, counted, ones, from));
}

/** Entries above `threshold` are 1; `flip`: entries that are not stored are 1 too. */
function rule(binarize: number | null): { threshold: number; flip: boolean } {
  const threshold = binarize ?? 0.5;
  return { threshold, flip: 0 > threshold };
}

/** Weighted number of ones in every column of every class, K × d. One pass over the stored entries. */
function onesByClass(
  { where, x, codes, weights, classes, columns }: EventRows<Label>,
  binarize: number | null,
  classCount: Float64Array,
): Float64Array {
  const { rows, cols } = x;
  const { threshold, flip } = rule(binarize);
  // Of the entries that differ from a zero's value, so that zeros need not be read.
  const counts = new Float64Array(classes.length * cols);
  let check = 0;
  if (x instanceof Matrix) {
    const { data } = x;
    for (let i = 0, e = 0; i < rows; i++) {
      const at = codes[i]! * cols;
      const weight = weights === undefined ? 1 : weights[i]!;
      for (let j = 0; j < cols; j++, e++) {
        const value = data[e]!;
        check += value - value;
        if (value > threshold !== flip) counts[at + j]! += weight;
      }
    }
  } else {
    check = addClassSums(where, x, codes, weights, { threshold, flip }, counts);
  }
  if (check !== 0 || binarize === null) requireBits(where, x, binarize, columns);
  if (flip)
    for (let e = 0; e < counts.length; e++) counts[e] = classCount[Math.floor(e / cols)]! - counts[e]!;
  return counts;
}

/** What an entry is that has no threshold, for messages. */
export const BIT = { expected: "0 or 1 when binarize is null", advice: "binarize: 0 makes it so." } as const;

/** Throws on NaN and ±∞, and without a threshold on anything but 0 and 1. */
function requireBits(
  where: string,
  x: Design,
  binarize: number | null,
  columns: readonly number[] | undefined,
): void {
  const wrong = (value: number) => binarize === null && value !== 0 && value !== 1;
  throwOnWrongEntry(where, x, columns, wrong, BIT.expected, BIT.advice);
}

/** Sums → model. */
function bernoulliOf<L extends Label>(params: Values, sums: FeatureCounts<L>): FittedBernoulliNB<L> {
  const { where, featureCount } = sums;
  const pseudo = coins(where, params.alpha, featureCount.cols);
  return new FittedBernoulliNB(classState(sums, params), featureCount, pseudo, params.binarize);
}

/** Pseudo-counts of ones and of zeros, one per column. */
export interface Coins {
  readonly ones: Float64Array;
  readonly zeros: Float64Array;
}

export function coins(where: string, alpha: PseudoCounts | BetaCounts, cols: number): Coins {
  const bounded = (list: Float64Array) => list.map((a) => Math.max(a, LEAST_ALPHA));
  const { ones, zeros } =
    typeof alpha === "object" && "ones" in alpha ? alpha : { ones: alpha, zeros: alpha };
  return {
    ones: bounded(broadcast(where, "alpha", ones, cols, "columns")),
    zeros: bounded(broadcast(where, "alpha", zeros, cols, "columns")),
  };
}

export class FittedBernoulliNB<L extends Label = Label> extends FittedFeatureCounts<L> {
  protected readonly id = BernoulliNB.id;
  /** log P(xⱼ = 1 | y = k), classes × columns. */
  readonly featureLogProb: Matrix;
  readonly #pseudo: Coins;
  readonly #binarize: number | null;
  /** log P(0 | y = k), a row of zeros; and, columns × classes, what an entry of the other value adds to it. */
  readonly #base: Float64Array;
  readonly #turn: Float64Array;

  constructor(state: ClassState<L>, featureCount: Matrix, pseudo: Coins, binarize: number | null) {
    super(state, featureCount);
    const { rows: K, cols: d, data } = featureCount;
    this.#pseudo = pseudo;
    this.#binarize = binarize;
    this.featureLogProb = Matrix.zeros(K, d);
    this.#base = new Float64Array(K);
    this.#turn = new Float64Array(K * d);
    const { flip } = rule(binarize);
    const ones = new Float64Array(K * d);
    const zeros = new Float64Array(K * d);
    for (let k = 0, e = 0; k < K; k++) {
      const n = state.classCount[k]!;
      for (let j = 0; j < d; j++, e++) {
        ones[e] = data[e]! + pseudo.ones[j]!;
        // From the count of zeros itself: 1 − φ would be 0 where φ rounds to 1.
        zeros[e] = Math.max(0, n - data[e]!) + pseudo.zeros[j]!;
      }
    }
    logInto(ones);
    logInto(zeros);
    for (let k = 0, e = 0; k < K; k++) {
      const n = state.classCount[k]!;
      let added = -1;
      let total = 0;
      for (let j = 0; j < d; j++, e++) {
        // Almost always the same as in the column before.
        if (pseudo.ones[j]! + pseudo.zeros[j]! !== added) {
          added = pseudo.ones[j]! + pseudo.zeros[j]!;
          total = log(n + added);
        }
        this.featureLogProb.data[e] = ones[e]! - total;
        this.#base[k]! += (flip ? ones[e]! : zeros[e]!) - total;
        this.#turn[j * K + k] = flip ? zeros[e]! - ones[e]! : ones[e]! - zeros[e]!;
      }
    }
  }

  get nParameters(): number {
    const K = this.classes.length;
    return K * this.nFeatures + K - 1;
  }

  override rowLikelihood(where: string, x: Design, columns?: readonly number[]): Matrix {
    const K = this.#base.length;
    const { threshold, flip } = rule(this.#binarize);
    const turn = this.#turn;
    const scores = Matrix.zeros(x.rows, K);
    const out = scores.data;
    const check =
      x instanceof Matrix
        ? addDense(x, threshold, flip, turn, K, out)
        : eventScoresInto(where, x, turn, K, { threshold, flip }, out);
    for (let i = 0, e = 0; i < x.rows; i++) for (let k = 0; k < K; k++, e++) out[e]! += this.#base[k]!;
    if (check !== 0 || this.#binarize === null) requireBits(where, x, this.#binarize, columns);
    return scores;
  }

  override scoresWith(constant: Float64Array): ClassScores {
    const { cols: d } = this.featureCount;
    const K = constant.length;
    const sign = rule(this.#binarize).flip ? -1 : 1;
    const coef = Matrix.zeros(K, d);
    const intercept = constant.map((value, k) => value + this.#base[k]!);
    for (let j = 0, e = 0; j < d; j++)
      for (let k = 0; k < K; k++, e++) {
        coef.data[k * d + j] = sign * this.#turn[e]!;
        if (sign < 0) intercept[k]! += this.#turn[e]!;
      }
    const threshold = this.#binarize;
    const steps = threshold === null ? [] : [{ kind: "binarize" as const, threshold }];
    return { scores: { kind: "linear", coef, intercept }, steps };
  }

  protected ratios(k: number): Float64Array {
    const { data, rows: K, cols: d } = this.featureCount;
    const { ones, zeros } = this.#pseudo;
    const total = this.classCount.reduce((sum, count) => sum + count, 0);
    return Float64Array.from({ length: d }, (_, j) => {
      let all = 0;
      for (let l = 0; l < K; l++) all += data[l * d + j]!;
      const pair = ones[j]! + zeros[j]!;
      const inside = log(data[k * d + j]! + ones[j]!) - log(this.classCount[k]! + pair);
      const others = Math.max(0, all - data[k * d + j]!);
      return inside - (log(others + ones[j]!) - log(total - this.classCount[k]! + pair));
    });
  }
}

/** Adds the contribution of every entry that differs from a zero's; returns 0 if all entries are finite, otherwise NaN. */
function addDense(
  { data, rows, cols }: Matrix,
  threshold: number,
  flip: boolean,
  turn: Float64Array,
  K: number,
  out: Float64Array,
): number {
  let check = 0;
  for (let i = 0, e = 0; i < rows; i++) {
    for (let j = 0; j < cols; j++, e++) {
      const value = data[e]!;
      check += value - value;
      if (value > threshold === flip) continue;
      for (let k = 0; k < K; k++) out[i * K + k]! += turn[j * K + k]!;
    }
  }
  return check;
}
