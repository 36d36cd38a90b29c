import { transformerCapabilities } from "../core/capabilities.js";
import type { Capabilities, FitOptions, Unlabelled } from "../core/contract.js";
import { Estimator } from "../core/estimator.js";
import { restoring } from "../core/model-state.js";
import type { Params } from "../core/params/params.js";
import type { Json, ModelState } from "../core/state.js";
import type { CsrMatrix } from "../data/csr-matrix.js";
import { refuseFunctions, requirePattern } from "./analyzer.js";
import type { AsyncDocuments, Documents } from "./documents.js";
import { FittedVectorizer, restoreVocabulary } from "./fitted-vectorizer.js";
import { requireReachable } from "./fixed-vocabulary.js";
import { analyzerParams, vocabularyParams } from "./params.js";
import { learn, learnAsync } from "./vectorizer.js";
import type { CountingParams } from "./vocabulary-learner.js";

export const countVectorizerParams = { ...analyzerParams, ...vocabularyParams };

export const vectorizerCapabilities: Capabilities = { ...transformerCapabilities, input: "text" };

/**
 * Documents into counts of terms, the bag of words:  X[i][j] = number of occurrences of term j in document i.
 *
 * Terms are words, or n-grams of words or characters; columns are sorted by code point. Documents may be any
 * iterable, which is read once. Parity: scikit-learn's CountVectorizer; the terms are the same because words, white space
 * and accents follow Python's tables (Unicode 14). `maxDf: 1` means all documents and `minDf: 1` one document, as
 * their defaults do there.
 */
export class CountVectorizer extends Estimator<typeof countVectorizerParams> {
  static readonly id = "CountVectorizer";
  static readonly table = countVectorizerParams;
  static readonly capabilities = vectorizerCapabilities;

  constructor(params: Params<typeof countVectorizerParams> = {}) {
    super(params);
    requirePattern(this.id, this.params);
    requireReachable(this.id, this.params);
  }

  fit(documents: Documents, y?: Unlabelled, options?: FitOptions): FittedCountVectorizer {
    return this.fitAndTransform(documents, y, options).model;
  }

  fitTransform(documents: Documents, y?: Unlabelled, options?: FitOptions): CsrMatrix {
    return this.fitAndTransform(documents, y, options).X;
  }

  /** The model and the counts of its documents in one pass, for documents that can be read only once. */
  fitAndTransform(
    documents: Documents,
    y?: Unlabelled,
    options?: FitOptions,
  ): { readonly model: FittedCountVectorizer; readonly X: CsrMatrix } {
    const { vocabulary, X } = learn(this.where("fit"), this.params, documents, y, options);
    return { model: new FittedCountVectorizer(this.params, vocabulary), X };
  }

  async fitAndTransformAsync(
    documents: AsyncDocuments,
    options: FitOptions = {},
  ): Promise<{ readonly model: FittedCountVectorizer; readonly X: CsrMatrix }> {
    const { vocabulary, X } = await learnAsync(this.where("fit"), this.params, documents, options);
    return { model: new FittedCountVectorizer(this.params, vocabulary), X };
  }

  override toJSON(): { estimator: string; params: Readonly<Record<string, Json>> } {
    refuseFunctions(this.where("toJSON"), this.params);
    return super.toJSON();
  }

  static restore(state: ModelState): FittedCountVectorizer {
    const { reader, params } = restoring(countVectorizerParams, state);
    requirePattern(reader.where, params);
    return new FittedCountVectorizer(params, restoreVocabulary(reader, params));
  }
}

export class FittedCountVectorizer extends FittedVectorizer<CountingParams> {
  protected readonly id = CountVectorizer.id;
}
