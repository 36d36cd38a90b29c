import { AbortError, DataError, show } from "../core/errors.js";
import type { SignalLike } from "../core/signal.js";

/** Texts, one per document: an array, a Set, a generator, … */
export type Documents = Iterable<string> & object;

/** Documents that arrive one at a time: lines of a file, rows of a cursor. A plain iterable works too. */
export type AsyncDocuments = AsyncIterable<string> | Iterable<string | Promise<string>>;

/** Documents between two checks of the abort signal. */
const ABORT_EVERY = 1024;

/** Calls `each` on every document and returns their number; throws on one that is not a string. */
export function forEachDocument(
  where: string,
  documents: Documents,
  each: (document: string) => void,
  signal?: SignalLike,
): number {
  requireIterable(where, documents, Symbol.iterator in Object(documents));
  let i = 0;
  for (const document of documents) {
    if (i % ABORT_EVERY === 0 && signal?.aborted) throw new AbortError(where, signal);
    each(readDocument(where, document, i++));
  }
  return i;
}

export async function forEachDocumentAsync(
  where: string,
  documents: AsyncDocuments,
  each: (document: string) => void,
  signal?: SignalLike,
): Promise<number> {
  const source = Object(documents);
  requireIterable(where, documents, Symbol.asyncIterator in source || Symbol.iterator in source);
  let i = 0;
  for await (const document of documents) {
    if (signal?.aborted) throw new AbortError(where, signal);
    each(readDocument(where, document, i++));
  }
  return i;
}

/** A string is an iterable of strings too (its characters): a common mistake, never intended. */
export function requireIterable(where: string, documents: unknown, iterable: boolean): void {
  if (iterable && typeof documents !== "string") return;
  const expected = "an array (or another iterable) of strings";
  const advice = typeof documents === "string" ? "One document is an array too: [text]." : undefined;
  throw new DataError(where, "documents", expected, show(documents), advice);
}

function readDocument(where: string, document: unknown, i: number): string {
  if (typeof document === "string") return document;
  throw new DataError(where, `documents[${i}]`, "a string", show(document), 'An empty document is "".');
}
