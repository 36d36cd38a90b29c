import type { Capabilities, FitOptions, FittedTransformer, MatrixLike } from "../core/contract.js";
import { describeParams, Estimator, reviveParams } from "../core/estimator.js";
import { type Params, type ParamValues, readParams } from "../core/params.js";
import { type Json, type ModelState, StateReader } from "../core/state.js";
import type { CsrMatrix } from "../data/csr-matrix.js";
import { refuseFunctions } from "./analyzer.js";
import { countVectorizerParams, restoreVocabulary, vectorizerCapabilities } from "./count-vectorizer.js";
import type { AsyncDocuments, Documents } from "./documents.js";
import { type Learned, VocabularyCounter } from "./learning.js";
import { tfidfParams } from "./params.js";
import { requireReachable } from "./reachable.js";
import { documentFrequency, inverseFrequency, weighInto } from "./tfidf.js";
import { restoreIdf } from "./tfidf-transformer.js";
import { countAll, countAllAsync, learn, learnAsync, termsOf } from "./vectorizing.js";
import type { Vocabulary } from "./vocabulary.js";

export const tfidfVectorizerParams = { ...countVectorizerParams, ...tfidfParams };

/**
 * Documents into weighed terms: CountVectorizer, then TfidfTransformer, in one.
 *
 *   X[i][j] = tf · idf,    idf = log((n + 1) / (df + 1)) + 1,    then every row divided by its norm.
 *
 * Parity: scikit-learn's TfidfVectorizer.
 */
export class TfidfVectorizer extends Estimator<typeof tfidfVectorizerParams> {
  static readonly id = "TfidfVectorizer";
  static readonly table = tfidfVectorizerParams;
  static readonly capabilities: Capabilities = vectorizerCapabilities;

  constructor(params: Params<typeof tfidfVectorizerParams> = {}) {
    super(TfidfVectorizer.id, tfidfVectorizerParams, params);
    requireReachable(TfidfVectorizer.id, this.params);
  }

  fit(documents: Documents, y?: ArrayLike<unknown>, options: FitOptions = {}): FittedTfidfVectorizer {
    return this.#model(learn("TfidfVectorizer.fit", this.params, documents, options, y));
  }

  fitTransform(documents: Documents, y?: ArrayLike<unknown>, options: FitOptions = {}): CsrMatrix {
    return this.fitAndTransform(documents, y, options).X;
  }

  /** The model and the weights of its documents from one pass: for documents that pass by only once. */
  fitAndTransform(
    documents: Documents,
    y?: ArrayLike<unknown>,
    options: FitOptions = {},
  ): { readonly model: FittedTfidfVectorizer; readonly X: CsrMatrix } {
    return this.#both(learn("TfidfVectorizer.fit", this.params, documents, options, y));
  }

  async fitAndTransformAsync(
    documents: AsyncDocuments,
    options: FitOptions = {},
  ): Promise<{ readonly model: FittedTfidfVectorizer; readonly X: CsrMatrix }> {
    return this.#both(await learnAsync("TfidfVectorizer.fit", this.params, documents, options));
  }

  #both(learned: Learned): { readonly model: FittedTfidfVectorizer; readonly X: CsrMatrix } {
    const model = this.#model(learned);
    weighInto("TfidfVectorizer.fit", this.params, model.idf, learned.X);
    return { model, X: learned.X };
  }

  #model({ vocabulary, X }: Learned): FittedTfidfVectorizer {
    const { useIdf, smoothIdf } = this.params;
    if (!useIdf) return new FittedTfidfVectorizer(this.params, vocabulary, undefined);
    const idf = inverseFrequency("TfidfVectorizer.fit", documentFrequency(X), X.rows, smoothIdf);
    return new FittedTfidfVectorizer(this.params, vocabulary, idf);
  }

  override toJSON(): { estimator: string; params: Readonly<Record<string, Json>> } {
    refuseFunctions("TfidfVectorizer.toJSON", this.params);
    return super.toJSON();
  }

  static restore(state: ModelState): FittedTfidfVectorizer {
    const reader = new StateReader(state);
    const params = readParams(
      reader.where,
      tfidfVectorizerParams,
      reviveParams(tfidfVectorizerParams, state.params),
    );
    const vocabulary = restoreVocabulary(reader, params);
    return new FittedTfidfVectorizer(params, vocabulary, restoreIdf(reader, params, vocabulary.size));
  }
}

export class FittedTfidfVectorizer implements FittedTransformer<Documents> {
  readonly #terms: Vocabulary;
  #counter: VocabularyCounter | undefined;

  constructor(
    readonly params: ParamValues<typeof tfidfVectorizerParams>,
    terms: Vocabulary,
    /** Weight of each term; absent when `useIdf` is false. */
    readonly idf: Float64Array | undefined,
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
    return this.#weighed(countAll("FittedTfidfVectorizer.transform", this.#counting(), documents));
  }

  async transformAsync(documents: AsyncDocuments): Promise<CsrMatrix> {
    return this.#weighed(await countAllAsync("FittedTfidfVectorizer.transform", this.#counting(), documents));
  }

  /** The terms of each row, in the order of the columns. */
  inverseTransform(x: MatrixLike): string[][] {
    return termsOf("FittedTfidfVectorizer.inverseTransform", this.#terms, x);
  }

  toState(): ModelState {
    refuseFunctions("FittedTfidfVectorizer.toState", this.params);
    return {
      kind: TfidfVectorizer.id,
      params: describeParams(this.params),
      values: {},
      tensors: {
        ...(this.params.vocabulary === null ? this.#terms.toTensors() : {}),
        ...(this.idf ? { idf: { shape: [this.idf.length], data: this.idf } } : {}),
      },
    };
  }

  #weighed(counts: CsrMatrix): CsrMatrix {
    weighInto("FittedTfidfVectorizer.transform", this.params, this.idf, counts);
    return counts;
  }

  #counting(): VocabularyCounter {
    this.#counter ??= new VocabularyCounter("FittedTfidfVectorizer", this.params, this.#terms);
    return this.#counter;
  }
}
