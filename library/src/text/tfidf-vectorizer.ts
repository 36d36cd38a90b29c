import type { Capabilities, FitOptions, Unlabelled } from "../core/contract.js";
import { Estimator } from "../core/estimator.js";
import { restoring } from "../core/model-state.js";
import type { Params, ParamValues } from "../core/params/params.js";
import type { Json, ModelState } from "../core/state.js";
import type { Transform } from "../core/structure.js";
import type { CsrMatrix } from "../data/csr-matrix.js";
import { refuseFunctions, requirePattern } from "./analyzer.js";
import { countVectorizerParams, vectorizerCapabilities } from "./count-vectorizer.js";
import type { AsyncDocuments, Documents } from "./documents.js";
import { FittedVectorizer, restoreVocabulary } from "./fitted-vectorizer.js";
import { requireReachable } from "./fixed-vocabulary.js";
import { tfidfParams } from "./params.js";
import { documentFrequency, inverseFrequency, weighInto } from "./tfidf.js";
import { restoreIdf, weightingOf } from "./tfidf-transformer.js";
import { learn, learnAsync } from "./vectorizer.js";
import type { Vocabulary } from "./vocabulary.js";
import type { Learned } from "./vocabulary-learner.js";

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
    super(params);
    requirePattern(this.id, this.params);
    requireReachable(this.id, this.params);
  }

  fit(documents: Documents, y?: Unlabelled, options?: FitOptions): FittedTfidfVectorizer {
    return this.#model(learn(this.where("fit"), this.params, documents, y, options));
  }

  fitTransform(documents: Documents, y?: Unlabelled, options?: FitOptions): CsrMatrix {
    return this.fitAndTransform(documents, y, options).X;
  }

  /** The model and the weights of its documents in one pass, for documents that can be read only once. */
  fitAndTransform(
    documents: Documents,
    y?: Unlabelled,
    options?: FitOptions,
  ): { readonly model: FittedTfidfVectorizer; readonly X: CsrMatrix } {
    return this.#both(learn(this.where("fit"), this.params, documents, y, options));
  }

  async fitAndTransformAsync(
    documents: AsyncDocuments,
    options: FitOptions = {},
  ): Promise<{ readonly model: FittedTfidfVectorizer; readonly X: CsrMatrix }> {
    return this.#both(await learnAsync(this.where("fit"), this.params, documents, options));
  }

  #both(learned: Learned): { readonly model: FittedTfidfVectorizer; readonly X: CsrMatrix } {
    const model = this.#model(learned);
    weighInto(this.where("fit"), this.params, model.idf, learned.X);
    return { model, X: learned.X };
  }

  #model({ vocabulary, X }: Learned): FittedTfidfVectorizer {
    const { useIdf, smoothIdf } = this.params;
    if (!useIdf) return new FittedTfidfVectorizer(this.params, vocabulary, undefined);
    const idf = inverseFrequency(this.where("fit"), documentFrequency(X), X.rows, smoothIdf);
    return new FittedTfidfVectorizer(this.params, vocabulary, idf);
  }

  override toJSON(): { estimator: string; params: Readonly<Record<string, Json>> } {
    refuseFunctions(this.where("toJSON"), this.params);
    return super.toJSON();
  }

  static restore(state: ModelState): FittedTfidfVectorizer {
    const { reader, params } = restoring(tfidfVectorizerParams, state);
    requirePattern(reader.where, params);
    const vocabulary = restoreVocabulary(reader, params);
    return new FittedTfidfVectorizer(params, vocabulary, restoreIdf(reader, params, vocabulary.size));
  }
}

type TfidfVectorizerValues = ParamValues<typeof tfidfVectorizerParams>;

export class FittedTfidfVectorizer extends FittedVectorizer<TfidfVectorizerValues> {
  protected readonly id = TfidfVectorizer.id;

  constructor(
    params: TfidfVectorizerValues,
    terms: Vocabulary,
    /** Weight of each term; absent when `useIdf` is false. */
    readonly idf: Float64Array | undefined,
  ) {
    super(params, terms, (where, out) => weighInto(where, params, idf, out));
  }

  protected override get weighting(): readonly Transform[] {
    return [weightingOf(this.params, this.idf)];
  }

  override toState(): ModelState {
    const state = super.toState();
    if (this.idf === undefined) return state;
    return { ...state, tensors: { ...state.tensors, idf: { shape: [this.idf.length], data: this.idf } } };
  }
}
