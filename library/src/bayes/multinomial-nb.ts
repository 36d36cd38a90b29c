import type { Capabilities, FitOptions, MatrixLike } from "../core/contract.js";
import { Estimator } from "../core/estimator.js";
import type { Label, Labels } from "../core/labels.js";
import { classWeight, type ParamValues } from "../core/params/params.js";
import type { ModelState } from "../core/state.js";
import type { Matrix } from "../data/matrix.js";
import type { PartialFitOptions } from "../data/training-set.js";
import { broadcast, classPriorParams, columnAlpha } from "./class-priors.js";
import type { FeatureCounts } from "./feature-counts.js";
import { countWords, FittedWordCounts, readFeatureCounts, smoothedLogs } from "./feature-counts.js";
import { bayesCapabilities, type EventRows, fitRows, partialFitRows } from "./feature-rows.js";
import type { ClassState } from "./fitted-naive-bayes.js";
import { classState } from "./fitted-naive-bayes.js";

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
  params: Values,
  rows: EventRows<L>,
  from: FittedMultinomialNB<L> | null,
): FittedMultinomialNB<L> {
  return multinomialOf(params, countWords(rows, from));
}

/** Sums → model. */
function multinomialOf<L extends Label>(params: Values, sums: FeatureCounts<L>): FittedMultinomialNB<L> {
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
