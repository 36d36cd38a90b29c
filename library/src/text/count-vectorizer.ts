import type { ModelState } from "../core/state/state.js";
import { FittedVectorizer, restoreVocabulary } from "./fitted-vectorizer.js";
import { countVectorizerParams, VocabularyEstimator } from "./vocabulary-estimator.js";
import type { CountingParams, LearnedVocabulary } from "./vocabulary-learner.js";

type CountVectorizerParams = typeof countVectorizerParams;

/**
 * Documents into counts of terms, the bag of words:  X[i][j] = number of occurrences of term j in document i.
 *
 * Terms are words, or n-grams of words or characters; columns are sorted by code point. Documents may be any
 * iterable, which is read once. Parity: scikit-learn's CountVectorizer; the terms are the same because words, white space
 * and accents follow Python's tables (Unicode 14). `maxDf: 1` means all documents and `minDf: 1` one document, as
 * their defaults do there.
 */
export class CountVectorizer extends VocabularyEstimator<CountVectorizerParams, FittedCountVectorizer> {
  static readonly id = "CountVectorizer";
  static readonly table = countVectorizerParams;

  protected fitted({ vocabulary }: LearnedVocabulary): FittedCountVectorizer {
    return new FittedCountVectorizer(this.params, vocabulary);
  }

  static restore(state: ModelState): FittedCountVectorizer {
    const { params, vocabulary } = restoreVocabulary(countVectorizerParams, state);
    return new FittedCountVectorizer(params, vocabulary);
  }
}

export class FittedCountVectorizer extends FittedVectorizer<CountingParams> {
  protected readonly id = CountVectorizer.id;
}
