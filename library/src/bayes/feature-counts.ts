import type { Label } from "../core/labels.js";
import { log } from "../core/numbers/elementary.js";
import type { ParamsTable } from "../core/params/params.js";
import type { Learned } from "../core/state/model-state.js";
import type { ModelState } from "../core/state/state.js";
import { readSums } from "../core/state/state-lists.js";
import { readFeatureNames } from "../data/feature-names-in.js";
import type { Design } from "../data/input.js";
import { Matrix } from "../data/matrix.js";
import { logInto } from "../numeric/bayes/event-scores.js";
import { LEAST_ALPHA } from "./class-priors.js";
import { added, classCounts, type EventRows } from "./feature-rows.js";
import { countScores, featureSums } from "./feature-sums.js";
import type { ClassScores, ClassState, ClassSums } from "./fitted-naive-bayes.js";
import { FittedNaiveBayes, readClassSums } from "./fitted-naive-bayes.js";
import { type ClassTopFeatures, type TopFeaturesOptions, topFeatures } from "./top-features.js";

/** What models of counts are computed from. */
export interface FeatureCounts<L extends Label> extends ClassSums<L> {
  /** Σ of the (weighted) counts of every column in every class. */
  readonly featureCount: Matrix;
}

/** The sums of rows, merged with those of the model so far. */
export function mergedCounts<L extends Label>(
  { where, classes, featureNamesIn }: EventRows<L>,
  classCount: Float64Array,
  sums: Float64Array,
  from: Pick<FeatureCounts<L>, "classCount" | "featureCount"> | null,
): FeatureCounts<L> {
  const counts = added(from?.featureCount.data, sums);
  return {
    where,
    classes,
    classCount: added(from?.classCount, classCount),
    featureCount: new Matrix(counts, classes.length, counts.length / classes.length),
    featureNamesIn,
  };
}

/** Rows → sums of a model of text. */
export const countWords = <L extends Label>(
  rows: EventRows<L>,
  from: FittedWordCounts<L> | null,
): FeatureCounts<L> => mergedCounts(rows, classCounts(rows), featureSums(rows.where, rows), from);

export function readFeatureCounts<T extends ParamsTable>(table: T, state: ModelState) {
  const { reader, params, ...sums } = readClassSums(table, state);
  const K = sums.classes.length;
  const counts = readSums(reader, "featureCount", [K, -1]);
  const cols = counts.length / K;
  const featureCount = new Matrix(counts, K, cols);
  return { params, sums: { ...sums, featureCount, featureNamesIn: readFeatureNames(reader, cols) } };
}

/** log((countₖⱼ + αⱼ) / Σⱼ (countₖⱼ + αⱼ)), row by row. */
export function smoothedLogs({ data, rows, cols }: Matrix, alpha: Float64Array): Matrix {
  const logs = Matrix.zeros(rows, cols);
  const out = logs.data;
  const totals = new Float64Array(rows);
  for (let k = 0, e = 0; k < rows; k++) {
    for (let j = 0; j < cols; j++, e++) {
      out[e] = data[e]! + Math.max(alpha[j]!, LEAST_ALPHA);
      totals[k]! += out[e]!;
    }
  }
  logInto(out);
  for (let k = 0, e = 0; k < rows; k++) {
    const logTotal = log(totals[k]!);
    for (let j = 0; j < cols; j++, e++) out[e]! -= logTotal;
  }
  return logs;
}

/** log(P(word | class k) / P(word | all other classes together)), both smoothed by α. */
function wordRatios(counts: Matrix, alpha: Float64Array, k: number): Float64Array {
  const d = counts.cols;
  const both = Matrix.zeros(2, d);
  for (let l = 0, e = 0; l < counts.rows; l++)
    for (let j = 0, to = l === k ? 0 : d; j < d; j++, e++, to++) both.data[to]! += counts.data[e]!;
  const logs = smoothedLogs(both, alpha);
  const others = logs.row(1);
  return logs.row(0).map((inside, j) => inside - others[j]!);
}

/** A model of counts of columns. */
export abstract class FittedFeatureCounts<L extends Label = Label> extends FittedNaiveBayes<L> {
  /** Of every column in every class, classes × columns. */
  abstract readonly featureLogProb: Matrix;
  protected readonly takesSparse = true;

  constructor(
    state: ClassState<L>,
    /** Σ of the (weighted) counts of every column in every class. */
    readonly featureCount: Matrix,
  ) {
    super(state);
  }

  get nFeatures(): number {
    return this.featureCount.cols;
  }

  /** Per class, the k columns (or words) with the largest ratio P(column | class) / P(column | other classes). */
  topFeatures(k: number, options: TopFeaturesOptions = {}): readonly ClassTopFeatures<L>[] {
    return topFeatures(`${this.id}.topFeatures`, this, k, options, (code) => this.ratios(code));
  }

  /** log(P(column | class k) / P(column | all other classes together)), both smoothed. */
  protected abstract ratios(k: number): Float64Array;

  protected learned(): Learned {
    return { featureCount: this.featureCount };
  }
}

/** A model of text: a document's score is linear in its counts of words. */
export abstract class FittedWordCounts<L extends Label = Label> extends FittedFeatureCounts<L> {
  readonly #alpha: Float64Array;

  constructor(state: ClassState<L>, featureCount: Matrix, alpha: Float64Array) {
    super(state, featureCount);
    this.#alpha = alpha;
  }

  override rowLikelihood(where: string, x: Design, columns?: readonly number[]): Matrix {
    return countScores(where, x, this.featureLogProb, columns);
  }

  override scoresWith(intercept: Float64Array): ClassScores {
    return { scores: { kind: "linear", coef: this.featureLogProb, intercept }, steps: [] };
  }

  protected ratios(k: number): Float64Array {
    return wordRatios(this.featureCount, this.#alpha, k);
  }
}
