import { transformer } from "../core/capabilities.js";
import type { FitOptions, Unlabelled } from "../core/contract.js";
import { Estimator } from "../core/estimator.js";
import type { Params, ParamsTable } from "../core/params/params.js";
import type { Json } from "../core/state/state.js";
import type { CsrMatrix } from "../data/csr-matrix.js";
import type { Transformed } from "../fitted/transformers.js";
import { refuseFunctions, requirePattern } from "./analyzer.js";
import type { AsyncDocuments, Documents } from "./documents.js";
import { requireReachable } from "./fixed-vocabulary.js";
import { analyzerParams, vocabularyParams } from "./params.js";
import { learn, learnAsync } from "./vectorizer.js";
import type { CountingParams, LearnedVocabulary } from "./vocabulary-learner.js";

export const countVectorizerParams = { ...analyzerParams, ...vocabularyParams };

export const vectorizerCapabilities = transformer({ input: "text" });

/** A vectorizer that learns its vocabulary. */
export abstract class VocabularyEstimator<
  T extends typeof countVectorizerParams & ParamsTable,
  M,
> extends Estimator<T> {
  static readonly capabilities = vectorizerCapabilities;

  constructor(params: Params<T> = {} as Params<T>) {
    super(params);
    requirePattern(this.id, this.#counting);
    requireReachable(this.id, this.#counting);
  }

  fit(documents: Documents, y?: Unlabelled, options?: FitOptions): M {
    return this.fitted(this.#learn(documents, y, options));
  }

  fitTransform(documents: Documents, y?: Unlabelled, options?: FitOptions): CsrMatrix {
    return this.fitAndTransform(documents, y, options).X;
  }

  /** The model and what it makes of its documents in one pass, for documents that can be read only once. */
  fitAndTransform(documents: Documents, y?: Unlabelled, options?: FitOptions): Transformed<M, CsrMatrix> {
    return this.both(this.#learn(documents, y, options));
  }

  async fitAndTransformAsync(
    documents: AsyncDocuments,
    options: FitOptions = {},
  ): Promise<Transformed<M, CsrMatrix>> {
    return this.both(await learnAsync(this.where("fit"), this.#counting, documents, options));
  }

  override toJSON(): { estimator: string; params: Readonly<Record<string, Json>> } {
    refuseFunctions(this.where("toJSON"), this.#counting);
    return super.toJSON();
  }

  protected abstract fitted(learned: LearnedVocabulary): M;

  /** The model, and its counts as it weighs them. */
  protected both(learned: LearnedVocabulary): Transformed<M, CsrMatrix> {
    return { model: this.fitted(learned), X: learned.X };
  }

  get #counting(): CountingParams {
    return this.params as object as CountingParams;
  }

  #learn(documents: Documents, y: Unlabelled, options: FitOptions | undefined): LearnedVocabulary {
    return learn(this.where("fit"), this.#counting, documents, y, options);
  }
}
