import type { Label } from "../core/labels.js";
import { log } from "../core/numbers/elementary.js";
import type { StateReader, Tensor } from "../core/state.js";
import { readFeatureNames } from "../data/feature-names-in.js";
import type { Design } from "../data/input.js";
import { Matrix } from "../data/matrix.js";
import { logInto } from "../numeric/bayes/event-scores.js";
import { LEAST_ALPHA } from "./class-priors.js";
import { added, classCounts, type EventRows } from "./feature-rows.js";
import { countScores, featureSums } from "./feature-sums.js";
import type { ClassScores } from "./fitted-naive-bayes.js";
import { type ClassState, FittedNaiveBayes, readClassCounts, readSums } from "./fitted-naive-bayes.js";
import { type ClassTopFeatures, columnNames, type TopFeaturesOptions, topFeatures } from "./top-features.js";

/** What the models of text are computed from. */
export interface WordCounts<L extends Label> extends WordSums<L> {
  /** The method that was called, for error messages. */
  readonly where: string;
  readonly featureNamesIn?: readonly string[] | undefined;
}

/** The sums of one model, from which it can go on. */
export interface WordSums<L extends Label> {
  readonly classes: readonly L[];
  /** Σ of the row weights of each class. */
  readonly classCount: Float64Array;
  /** Σ of the (weighted) counts of every word in every class. */
  readonly featureCount: Matrix;
}

/** Rows → sums, merged with those of the model so far. */
export function countWords<L extends Label>(rows: EventRows<L>, from: WordSums<L> | null): WordCounts<L> {
  const { where, classes, featureNamesIn } = rows;
  const counts = added(from?.featureCount.data, featureSums(where, rows));
  return {
    where,
    classes,
    classCount: added(from?.classCount, classCounts(rows)),
    featureCount: new Matrix(counts, classes.length, counts.length / classes.length),
    featureNamesIn,
  };
}

export function readWordCounts(reader: StateReader): WordCounts<Label> {
  const { classes, classCount } = readClassCounts(reader);
  const counts = readSums(reader, "featureCount", [classes.length, -1]);
  return {
    where: reader.where,
    classes,
    classCount,
    featureCount: new Matrix(counts, classes.length, counts.length / classes.length),
    featureNamesIn: readFeatureNames(reader, counts.length / classes.length),
  };
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

/** A model of text: a document's score is linear in its counts of words. */
export abstract class FittedWordCounts<L extends Label = Label>
  extends FittedNaiveBayes<L>
  implements WordSums<L>
{
  /** The weight of every word in every class, classes × columns. */
  abstract readonly featureLogProb: Matrix;
  protected readonly takesSparse = true;
  readonly #alpha: Float64Array;

  constructor(
    state: ClassState<L>,
    /** Σ of the (weighted) counts of every word in every class. */
    readonly featureCount: Matrix,
    alpha: Float64Array,
  ) {
    super(state);
    this.#alpha = alpha;
  }

  get nFeatures(): number {
    return this.featureCount.cols;
  }

  /** Per class, the k words with the largest ratio P(word | class) / P(word | other classes). */
  topFeatures(k: number, options: TopFeaturesOptions = {}): readonly ClassTopFeatures<L>[] {
    const where = `${this.state.id}.topFeatures`;
    const ratios = (code: number) => wordRatios(this.featureCount, this.#alpha, code);
    const names = columnNames(where, this, options);
    return topFeatures(where, this.classes, k, ratios, (j) => ({ feature: j, name: names[j]! }));
  }

  override rowLikelihood(where: string, x: Design, columns?: readonly number[]): Matrix {
    return countScores(where, x, this.featureLogProb, columns);
  }

  override scoresWith(intercept: Float64Array): ClassScores {
    return { scores: { kind: "linear", coef: this.featureLogProb, intercept }, steps: [] };
  }

  protected override tensors(): Readonly<Record<string, Tensor>> {
    const { data, rows, cols } = this.featureCount;
    return { featureCount: { shape: [rows, cols], data } };
  }
}
