import type { Capabilities, FitOptions, MatrixLike } from "../core/contract.js";
import { Estimator } from "../core/estimator.js";
import type { Label, Labels } from "../core/labels.js";
import { classWeight, flag, type ParamValues } from "../core/params/params.js";
import type { ModelState } from "../core/state/state.js";
import { Matrix } from "../data/matrix.js";
import type { PartialFitOptions } from "../data/training-set.js";
import { broadcast, classPriorParams, columnAlpha } from "./class-priors.js";
import type { FeatureCounts } from "./feature-counts.js";
import { countWords, FittedWordCounts, readFeatureCounts, smoothedLogs } from "./feature-counts.js";
import { bayesCapabilities, type EventRows, fitRows, partialFitRows } from "./feature-rows.js";
import { type ClassState, classState } from "./fitted-naive-bayes.js";

export const multinomialNBParams = {
  alpha: columnAlpha,
  ...classPriorParams,
  classWeight: classWeight(),
};
type MultinomialValues = ParamValues<typeof multinomialNBParams>;

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
  static readonly capabilities: Capabilities = { ...bayesCapabilities, manyColumns: true };
  static readonly searchSpace = { alpha: { log: [1e-3, 10] } } as const;

  fit<L extends Label>(x: MatrixLike, y: Labels<L>, options: FitOptions = {}): FittedMultinomialNB<L> {
    return learnMultinomial(this.params, fitRows(this, x, y, options), null);
  }

  /** The model of the old rows and the new ones together (null: of the new ones). The old model is untouched. */
  partialFit<L extends Label>(
    model: FittedMultinomialNB<L> | null,
    x: MatrixLike,
    y: Labels<L>,
    options: PartialFitOptions<L> = {},
  ): FittedMultinomialNB<L> {
    const rows = partialFitRows(this, model, FittedMultinomialNB, x, y, options);
    return learnMultinomial(this.params, rows, model);
  }

  static restore(state: ModelState): FittedMultinomialNB {
    const { params, sums } = readFeatureCounts(multinomialNBParams, state);
    return multinomialOf(params, sums);
  }
}

/** Rows → model, going on from the sums of the model so far. */
export function learnMultinomial<L extends Label>(
  params: MultinomialValues,
  rows: EventRows<L>,
  from: FittedMultinomialNB<L> | null,
): FittedMultinomialNB<L> {
  return multinomialOf(params, countWords(rows, from));
}

/** Sums → model. */
function multinomialOf<L extends Label>(
  params: MultinomialValues,
  sums: FeatureCounts<L>,
): FittedMultinomialNB<L> {
  const { where, featureCount } = sums;
  const alpha = broadcast(where, "alpha", params.alpha, featureCount.cols, "columns");
  return new FittedMultinomialNB(classState(sums, params), featureCount, alpha);
}

export class FittedMultinomialNB<L extends Label = Label> extends FittedWordCounts<L> {
  protected readonly id = MultinomialNB.id;
  /** log P(word j | y = k), classes × columns. */
  readonly featureLogProb: Matrix;

  constructor(state: ClassState<L>, featureCount: Matrix, alpha: Float64Array) {
    super(state, featureCount, alpha);
    this.featureLogProb = smoothedLogs(featureCount, alpha);
  }

  get nParameters(): number {
    const K = this.classes.length;
    return K * (this.nFeatures - 1) + K - 1;
  }
}

export const complementNBParams = {
  alpha: columnAlpha,
  norm: flag({
    default: false,
    doc: "Divide each class's weights by their sum, so that long documents count less.",
  }),
  classWeight: classWeight(),
};
type ComplementValues = ParamValues<typeof complementNBParams>;

/**
 * Naive Bayes for text with classes of very different size: a class is scored by how little a document resembles all
 * the others [Rennie, Shih, Teevan & Karger 2003].
 *
 *   scoreₖ(x) = Σⱼ xⱼ wₖⱼ,      wₖⱼ = −log((N₍₋ₖ₎ⱼ + αⱼ) / Σⱼ (N₍₋ₖ₎ⱼ + αⱼ)),      N₍₋ₖ₎ⱼ = Σ over the rows not of class k
 *
 * With `norm`, wₖⱼ / Σⱼ wₖⱼ. There is no class prior: the classes are on one scale without it, and `classLogPrior` is 0.
 * Parity: scikit-learn's ComplementNB, whose fit_prior and class_prior are used for a single class only, which we refuse.
 */
export class ComplementNB extends Estimator<typeof complementNBParams> {
  static readonly id = "ComplementNB";
  static readonly table = complementNBParams;
  static readonly capabilities: Capabilities = { ...bayesCapabilities, manyColumns: true };

  fit<L extends Label>(x: MatrixLike, y: Labels<L>, options: FitOptions = {}): FittedComplementNB<L> {
    return complementOf(this.params, countWords(fitRows(this, x, y, options), null));
  }

  /** The model of the old rows and the new ones together (null: of the new ones). The old model is untouched. */
  partialFit<L extends Label>(
    model: FittedComplementNB<L> | null,
    x: MatrixLike,
    y: Labels<L>,
    options: PartialFitOptions<L> = {},
  ): FittedComplementNB<L> {
    const rows = partialFitRows(this, model, FittedComplementNB, x, y, options);
    return complementOf(this.params, countWords(rows, model));
  }

  static restore(state: ModelState): FittedComplementNB {
    const { params, sums } = readFeatureCounts(complementNBParams, state);
    return complementOf(params, sums);
  }
}

/** Sums → model. */
function complementOf<L extends Label>(
  params: ComplementValues,
  { where, classes, classCount, featureCount, featureNamesIn }: FeatureCounts<L>,
): FittedComplementNB<L> {
  const alpha = broadcast(where, "alpha", params.alpha, featureCount.cols, "columns");
  const classLogPrior = new Float64Array(classes.length);
  const state = { params, classes, classCount, classLogPrior, featureNamesIn };
  return new FittedComplementNB(state, featureCount, alpha, params.norm);
}

export class FittedComplementNB<L extends Label = Label> extends FittedWordCounts<L> {
  protected readonly id = ComplementNB.id;
  /** The weights w, classes × columns: −log P(word j | not class k), or that over its sum with `norm`. */
  readonly featureLogProb: Matrix;

  constructor(state: ClassState<L>, featureCount: Matrix, alpha: Float64Array, norm: boolean) {
    super(state, featureCount, alpha);
    const { data, rows, cols } = featureCount;
    const all = new Float64Array(cols);
    for (let k = 0, e = 0; k < rows; k++) for (let j = 0; j < cols; j++, e++) all[j]! += data[e]!;
    const others = Matrix.zeros(rows, cols);
    // Sums of fractions may differ from their parts by a rounding: never below 0.
    for (let k = 0, e = 0; k < rows; k++)
      for (let j = 0; j < cols; j++, e++) others.data[e] = Math.max(0, all[j]! - data[e]!);
    this.featureLogProb = smoothedLogs(others, alpha);
    for (let k = 0; k < rows; k++) {
      const weights = this.featureLogProb.row(k);
      let sum = 0;
      for (let j = 0; j < cols; j++) sum += weights[j]!;
      // A vocabulary of one word has weights 0, of sum 0: there is nothing to divide.
      const scale = norm && sum !== 0 ? sum : -1;
      for (let j = 0; j < cols; j++) weights[j]! /= scale;
    }
  }

  get nParameters(): number {
    return this.classes.length * (this.nFeatures - 1);
  }
}
