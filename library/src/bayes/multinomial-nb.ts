import type { FitOptions, MatrixLike } from "../core/contract.js";
import { log } from "../core/elementary.js";
import { Estimator, reviveParams } from "../core/estimator.js";
import type { Label, Labels } from "../core/labels.js";
import { classWeight, type Params, type ParamValues, readParams } from "../core/params.js";
import { type ModelState, StateReader, type Tensor } from "../core/state.js";
import type { Design } from "../data/input.js";
import { Matrix } from "../data/matrix.js";
import type { PartialFitOptions } from "../data/training-set.js";
import { logInto } from "../numeric/bayes.js";
import { classLogPriors, classPriorParams, columnAlpha, LEAST_ALPHA, spread } from "./class-priors.js";
import { countScores, featureSums } from "./feature-sums.js";
import { type ClassState, FittedNaiveBayes, readClasses, readSums } from "./fitted-naive-bayes.js";
import { columnNames, mostTelling, type TellingFeatures, type TellingOptions } from "./most-telling.js";
import { added, bayesCapabilities, classCounts, type EventRows, fitRows, partialRows } from "./rows.js";

export const multinomialNBParams = {
  alpha: columnAlpha,
  ...classPriorParams,
  classWeight: classWeight(),
};
type Values = ParamValues<typeof multinomialNBParams>;

/**
 * The text event model: a document is a sequence of words, each drawn from its class's distribution over the vocabulary.
 *
 *   log P(x | y = k) = Σⱼ xⱼ log θₖⱼ,      θₖⱼ = (Nₖⱼ + αⱼ) / Σⱼ (Nₖⱼ + αⱼ)
 *
 * Nₖⱼ = Σ sᵢ xᵢⱼ over the rows of class k. xⱼ are counts, or any weights ≥ 0 (tf-idf). The multinomial coefficient is left
 * out: it is the same for every class. α = 1 is Laplace's smoothing, α = β − 1 the mode under a Dirichlet(β) prior.
 * Parity: scikit-learn's MultinomialNB; α below 1e-10 counts as 1e-10, as there.
 */
export class MultinomialNB extends Estimator<typeof multinomialNBParams> {
  static readonly id = "MultinomialNB";
  static readonly table = multinomialNBParams;
  static readonly capabilities = bayesCapabilities;

  constructor(params: Params<typeof multinomialNBParams> = {}) {
    super(MultinomialNB.id, multinomialNBParams, params);
  }

  fit<L extends Label>(x: MatrixLike, y: Labels<L>, options: FitOptions = {}): FittedMultinomialNB<L> {
    const where = "MultinomialNB.fit";
    const rows = fitRows(where, x, y, options, true, this.params.classWeight);
    return learnMultinomial(where, this.params, rows, null);
  }

  /** The model of the old rows and the new ones together (null: of the new ones). The old model is untouched. */
  partialFit<L extends Label>(
    model: FittedMultinomialNB<L> | null,
    x: MatrixLike,
    y: Labels<L>,
    options: PartialFitOptions<L> = {},
  ): FittedMultinomialNB<L> {
    const where = "MultinomialNB.partialFit";
    const rows = partialRows(where, model, FittedMultinomialNB, x, y, options, true, this.params.classWeight);
    return learnMultinomial(where, this.params, rows, model);
  }

  static restore(state: ModelState): FittedMultinomialNB {
    const reader = new StateReader(state);
    const params = readParams(
      reader.where,
      multinomialNBParams,
      reviveParams(multinomialNBParams, state.params),
    );
    const { classes, classCount } = readClasses(reader);
    const featureCount = readSums(reader, "featureCount", [classes.length, -1]);
    return multinomialOf(reader.where, params, classes, classCount, featureCount);
  }
}

/** Rows → sums, merged with those of the model so far. */
export function learnMultinomial<L extends Label>(
  where: string,
  params: Values,
  rows: EventRows<L>,
  from: FittedMultinomialNB<L> | null,
): FittedMultinomialNB<L> {
  const classCount = added(from?.classCount, classCounts(rows));
  const featureCount = added(from?.featureCount.data, featureSums(where, rows));
  return multinomialOf(where, params, rows.classes, classCount, featureCount);
}

/** Sums → model. */
function multinomialOf<L extends Label>(
  where: string,
  params: Values,
  classes: readonly L[],
  classCount: Float64Array,
  counts: Float64Array,
): FittedMultinomialNB<L> {
  const K = classes.length;
  const featureCount = new Matrix(counts, K, counts.length / K);
  const alpha = spread(where, "alpha", params.alpha, featureCount.cols, "columns");
  const classLogPrior = classLogPriors(where, classCount, params);
  const state = { id: MultinomialNB.id, params, classes, classCount, classLogPrior };
  return new FittedMultinomialNB(state, featureCount, alpha);
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

/** Log of how many times as likely each word is in class k as in all others together, both smoothed by α. */
export function wordRatios(counts: Matrix, alpha: Float64Array, k: number): Float64Array {
  const d = counts.cols;
  const both = Matrix.zeros(2, d);
  for (let l = 0, e = 0; l < counts.rows; l++)
    for (let j = 0, to = l === k ? 0 : d; j < d; j++, e++, to++) both.data[to]! += counts.data[e]!;
  const logs = smoothedLogs(both, alpha);
  const others = logs.row(1);
  return logs.row(0).map((inside, j) => inside - others[j]!);
}

export class FittedMultinomialNB<L extends Label = Label> extends FittedNaiveBayes<L> {
  /** log P(word j | y = k), classes × columns. */
  readonly featureLogProb: Matrix;
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
    this.featureLogProb = smoothedLogs(featureCount, alpha);
  }

  get nFeatures(): number {
    return this.featureCount.cols;
  }

  get nParameters(): number {
    const K = this.classes.length;
    return K * (this.nFeatures - 1) + K - 1;
  }

  /** For every class the k words that are most times as likely in it as in the other classes. */
  mostTelling(k: number, options: TellingOptions = {}): readonly TellingFeatures<L>[] {
    const where = "MultinomialNB.mostTelling";
    const ratios = (code: number) => wordRatios(this.featureCount, this.#alpha, code);
    const names = columnNames(where, this.nFeatures, options);
    return mostTelling(where, this.classes, k, ratios, (j) => ({ feature: j, name: names[j]! }));
  }

  override rowLikelihood(where: string, x: Design, columns?: readonly number[]): Matrix {
    return countScores(where, x, this.featureLogProb, columns);
  }

  protected override tensors(): Readonly<Record<string, Tensor>> {
    const { data, rows, cols } = this.featureCount;
    return { featureCount: { shape: [rows, cols], data } };
  }
}
