import type { Capabilities, FitOptions, FittedTransformer, MatrixLike } from "../core/contract.js";
import { describeParams, Estimator, reviveParams } from "../core/estimator.js";
import { type Params, readParams } from "../core/params.js";
import { type Json, type ModelState, StateReader } from "../core/state.js";
import type { CsrMatrix } from "../data/csr-matrix.js";
import { refuseFunctions } from "./analyzer.js";
import type { AsyncDocuments, Documents } from "./documents.js";
import { type CountingParams, VocabularyCounter } from "./learning.js";
import { analyzerParams, vocabularyParams } from "./params.js";
import { requireReachable } from "./reachable.js";
import { countAll, countAllAsync, learn, learnAsync, termsOf } from "./vectorizing.js";
import { Vocabulary } from "./vocabulary.js";

export const countVectorizerParams = { ...analyzerParams, ...vocabularyParams };

/** What a vectorizer can take and give. */
export const vectorizerCapabilities: Capabilities = {
  task: "transform",
  input: "text",
  sparse: false,
  missing: false,
  categorical: false,
  multiclass: true,
  probabilities: false,
  decisionFunction: false,
  sampleWeight: false,
  partialFit: false,
};

/**
 * Documents into counts of terms, the bag of words:  X[i][j] = how often term j occurs in document i.
 *
 * Terms are words, or n-grams of words or characters; columns are sorted by code point. Documents may come from any
 * iterable, which is read once. Parity: scikit-learn's CountVectorizer; the terms are the same because words, white space
 * and accents are taken from Python's tables (Unicode 14). `maxDf: 1` means all documents and `minDf: 1` one document, as
 * their defaults do there.
 */
export class CountVectorizer extends Estimator<typeof countVectorizerParams> {
  static readonly id = "CountVectorizer";
  static readonly table = countVectorizerParams;
  static readonly capabilities = vectorizerCapabilities;

  constructor(params: Params<typeof countVectorizerParams> = {}) {
    super(CountVectorizer.id, countVectorizerParams, params);
    requireReachable(CountVectorizer.id, this.params);
  }

  fit(documents: Documents, y?: ArrayLike<unknown>, options: FitOptions = {}): FittedCountVectorizer {
    return this.fitAndTransform(documents, y, options).model;
  }

  fitTransform(documents: Documents, y?: ArrayLike<unknown>, options: FitOptions = {}): CsrMatrix {
    return this.fitAndTransform(documents, y, options).X;
  }

  /** The model and the counts of its documents from one pass: for documents that pass by only once. */
  fitAndTransform(
    documents: Documents,
    y?: ArrayLike<unknown>,
    options: FitOptions = {},
  ): { readonly model: FittedCountVectorizer; readonly X: CsrMatrix } {
    const { vocabulary, X } = learn("CountVectorizer.fit", this.params, documents, options, y);
    return { model: new FittedCountVectorizer(this.params, vocabulary), X };
  }

  async fitAndTransformAsync(
    documents: AsyncDocuments,
    options: FitOptions = {},
  ): Promise<{ readonly model: FittedCountVectorizer; readonly X: CsrMatrix }> {
    const { vocabulary, X } = await learnAsync("CountVectorizer.fit", this.params, documents, options);
    return { model: new FittedCountVectorizer(this.params, vocabulary), X };
  }

  override toJSON(): { estimator: string; params: Readonly<Record<string, Json>> } {
    refuseFunctions("CountVectorizer.toJSON", this.params);
    return super.toJSON();
  }

  static restore(state: ModelState): FittedCountVectorizer {
    const reader = new StateReader(state);
    const params = readParams(
      reader.where,
      countVectorizerParams,
      reviveParams(countVectorizerParams, state.params),
    );
    return new FittedCountVectorizer(params, restoreVocabulary(reader, params));
  }
}

export class FittedCountVectorizer implements FittedTransformer<Documents> {
  readonly #terms: Vocabulary;
  #counter: VocabularyCounter | undefined;

  constructor(
    readonly params: CountingParams,
    terms: Vocabulary,
  ) {
    this.#terms = terms;
  }

  /** Terms, which are the columns of what `transform` gives. */
  get nFeatures(): number {
    return this.#terms.size;
  }

  /** The term of each column. */
  featureNames(): readonly string[] {
    return this.#terms.names;
  }

  /** The column of each term. */
  get vocabulary(): ReadonlyMap<string, number> {
    return this.#terms.columns;
  }

  /** One row a document. Terms that `fit` did not see are left out. */
  transform(documents: Documents): CsrMatrix {
    return countAll("FittedCountVectorizer.transform", this.#counting(), documents);
  }

  transformAsync(documents: AsyncDocuments): Promise<CsrMatrix> {
    return countAllAsync("FittedCountVectorizer.transform", this.#counting(), documents);
  }

  /** The terms of each row, in the order of the columns: what is left of a document in its bag of words. */
  inverseTransform(x: MatrixLike): string[][] {
    return termsOf("FittedCountVectorizer.inverseTransform", this.#terms, x);
  }

  toState(): ModelState {
    refuseFunctions("FittedCountVectorizer.toState", this.params);
    return {
      kind: CountVectorizer.id,
      params: describeParams(this.params),
      values: {},
      tensors: this.params.vocabulary === null ? this.#terms.toTensors() : {},
    };
  }

  #counting(): VocabularyCounter {
    this.#counter ??= new VocabularyCounter("FittedCountVectorizer", this.params, this.#terms);
    return this.#counter;
  }
}

/** A fixed vocabulary is among the parameters, a learned one in tensors. */
export function restoreVocabulary(reader: StateReader, { vocabulary }: CountingParams): Vocabulary {
  return vocabulary === null ? Vocabulary.restore(reader) : Vocabulary.of(vocabulary);
}
