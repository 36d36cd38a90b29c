export { CountVectorizer, FittedCountVectorizer } from "./count-vectorizer.js";
export type { AsyncDocuments, Documents } from "./documents.js";
export { FittedHashingVectorizer, HashingVectorizer } from "./hashing-vectorizer.js";
export type { NgramRange, Preprocessor, StopWords, Tokenizer } from "./params.js";
export { englishStopWords } from "./stop-words.js";
export { FittedTfidfTransformer, TfidfTransformer, type Weighed } from "./tfidf-transformer.js";
export { FittedTfidfVectorizer, TfidfVectorizer } from "./tfidf-vectorizer.js";
