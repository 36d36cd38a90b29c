import type { ParamValues } from "../core/params/params.js";
import type { Learned } from "../core/state/model-state.js";
import type { ModelState } from "../core/state/state.js";
import type { Transform } from "../core/structure.js";
import { FittedVectorizer, restoreVocabulary } from "./fitted-vectorizer.js";
import { tfidfParams } from "./params.js";
import { documentFrequency, inverseFrequency, weighInto } from "./tfidf.js";
import { restoreIdf, weightingOf } from "./tfidf-transformer.js";
import type { Vocabulary } from "./vocabulary.js";
import { countVectorizerParams, VocabularyEstimator } from "./vocabulary-estimator.js";
import type { LearnedVocabulary } from "./vocabulary-learner.js";

export const tfidfVectorizerParams = { ...countVectorizerParams, ...tfidfParams };
type TfidfVectorizerParams = typeof tfidfVectorizerParams;

/**
 * Documents into weighed terms: CountVectorizer, then TfidfTransformer, in one.
 *
 *   X[i][j] = tf · idf,    idf = log((n + 1) / (df + 1)) + 1,    then every row divided by its norm.
 *
 * Parity: scikit-learn's TfidfVectorizer.
 */
export class TfidfVectorizer extends VocabularyEstimator<TfidfVectorizerParams, FittedTfidfVectorizer> {
  static readonly id = "TfidfVectorizer";
  static readonly table = tfidfVectorizerParams;

  protected override both(learned: LearnedVocabulary) {
    const model = this.fitted(learned);
    weighInto(this.where("fit"), this.params, model.idf, learned.X);
    return { model, X: learned.X };
  }

  protected fitted({ vocabulary, X }: LearnedVocabulary): FittedTfidfVectorizer {
    const { useIdf, smoothIdf } = this.params;
    if (!useIdf) return new FittedTfidfVectorizer(this.params, vocabulary, undefined);
    const idf = inverseFrequency(this.where("fit"), documentFrequency(X), X.rows, smoothIdf);
    return new FittedTfidfVectorizer(this.params, vocabulary, idf);
  }

  static restore(state: ModelState): FittedTfidfVectorizer {
    const { reader, params, vocabulary } = restoreVocabulary(tfidfVectorizerParams, state);
    return new FittedTfidfVectorizer(params, vocabulary, restoreIdf(reader, params, vocabulary.size));
  }
}

type TfidfVectorizerValues = ParamValues<TfidfVectorizerParams>;

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

  protected override learned(): Learned {
    return { ...super.learned(), idf: this.idf };
  }
}
