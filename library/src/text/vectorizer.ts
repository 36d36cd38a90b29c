import type { FitOptions, MatrixLike, Unlabelled } from "../core/contract.js";
import { beginUnweightedFit } from "../core/params/options.js";
import { CsrMatrix } from "../data/csr-matrix.js";
import { readMatrix } from "../data/input.js";
import { type AsyncDocuments, type Documents, forEachDocument, forEachDocumentAsync } from "./documents.js";
import { Vocabulary } from "./vocabulary.js";
import { VocabularyCounter } from "./vocabulary-counter.js";
import type { CountingParams, LearnedVocabulary } from "./vocabulary-learner.js";
import { requireDocuments, VocabularyLearner } from "./vocabulary-learner.js";

/** What CountVectorizer and TfidfVectorizer share, for documents in memory and for asynchronous ones. */

interface Learner {
  add(document: string): void;
  finish(): LearnedVocabulary;
  /** Frees kernel memory, whether it has finished or not. */
  close?(): void;
}

/** Learns the vocabulary or, if it is fixed, only counts its terms. */
function learner(where: string, params: CountingParams): Learner {
  if (params.vocabulary === null) return new VocabularyLearner(where, params);
  const vocabulary = Vocabulary.of(params.vocabulary);
  const counter = new VocabularyCounter(where, params, vocabulary);
  const { add, finish } = counter.open();
  return { add, finish: () => ({ vocabulary, X: finish() }), close: () => counter.close() };
}

export function learn(
  where: string,
  params: CountingParams,
  documents: Documents,
  y: Unlabelled,
  options: FitOptions | undefined,
): LearnedVocabulary {
  const { signal } = beginUnweightedFit(where, y, options);
  const learning = learner(where, params);
  const add = (document: string) => learning.add(document);
  try {
    requireDocuments(where, forEachDocument(where, documents, add, signal));
    return learning.finish();
  } finally {
    learning.close?.();
  }
}

export async function learnAsync(
  where: string,
  params: CountingParams,
  documents: AsyncDocuments,
  options: FitOptions,
): Promise<LearnedVocabulary> {
  beginUnweightedFit(where, undefined, options);
  const learning = learner(where, params);
  const add = (document: string) => learning.add(document);
  try {
    requireDocuments(where, await forEachDocumentAsync(where, documents, add, options.signal));
    return learning.finish();
  } finally {
    learning.close?.();
  }
}

export function countAll(where: string, counter: VocabularyCounter, documents: Documents): CsrMatrix {
  const { add, finish } = counter.open();
  forEachDocument(where, documents, add);
  return finish();
}

export async function countAllAsync(
  where: string,
  counter: VocabularyCounter,
  documents: AsyncDocuments,
): Promise<CsrMatrix> {
  const { add, finish } = counter.open();
  await forEachDocumentAsync(where, documents, add);
  return finish();
}

/** The terms whose entry is not zero, row by row. */
export function termsOf(where: string, { names }: Vocabulary, x: MatrixLike): string[][] {
  const design = readMatrix(where, x, { sparse: true, cols: names.length });
  return Array.from({ length: design.rows }, (_, i) => {
    const terms: string[] = [];
    if (design instanceof CsrMatrix) {
      for (let e = design.indptr[i]!; e < design.indptr[i + 1]!; e++) {
        if (design.values[e] !== 0) terms.push(names[design.indices[e]!]!);
      }
    } else {
      for (let j = 0; j < design.cols; j++) if (design.data[i * design.cols + j] !== 0) terms.push(names[j]!);
    }
    return terms;
  });
}
