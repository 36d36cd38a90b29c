import type { TermIndex } from "./terms.js";

/**
 * The given terms in the order of their code points, as Python sorts strings. That is the order of UTF-8 bytes. Strings are
 * compared byte by byte; n-grams of words by the places of their words, since the space between them is smaller than
 * any character of a word.
 */
export function sortTerms(index: TermIndex, terms: Int32Array): Int32Array {
  let longest = 1;
  for (const term of terms) longest = Math.max(longest, index.length[term]!);
  if (longest === 1) {
    const sorted = terms.slice();
    sortStrings(index, sorted, 0, sorted.length, 0);
    return sorted;
  }
  return sortByWords(index, terms, longest);
}

/** Radix sort from the last word to the first: a counting sort by the place of the k-th word, a shorter term first. */
function sortByWords(index: TermIndex, terms: Int32Array, longest: number): Int32Array {
  const words = Int32Array.from({ length: index.size }, (_, term) => term).filter(
    (term) => index.length[term] === 1,
  );
  sortStrings(index, words, 0, words.length, 0);
  const place = new Int32Array(index.size);
  for (let w = 0; w < words.length; w++) place[words[w]!] = w + 1;
  let from = terms.slice();
  let to = new Int32Array(terms.length);
  const keys = new Int32Array(terms.length);
  for (let k = longest; k >= 1; k--) {
    const ends = new Int32Array(words.length + 2);
    for (let t = 0; t < from.length; t++) {
      const key = placeOf(index, place, from[t]!, k);
      keys[t] = key;
      ends[key + 1]!++;
    }
    for (let b = 0; b <= words.length; b++) ends[b + 1]! += ends[b]!;
    for (let t = 0; t < from.length; t++) to[ends[keys[t]!]!++] = from[t]!;
    [from, to] = [to, from];
  }
  return from;
}

/** The place of a term's k-th word among all words, from 1; 0 if it is shorter. */
function placeOf(index: TermIndex, place: Int32Array, term: number, k: number): number {
  let at = term;
  let length = index.length[term]!;
  if (length < k) return 0;
  for (; length > k; length--) at = index.parts[2 * at]!;
  return place[length === 1 ? at : index.parts[2 * at + 1]!]!;
}

/** Below this, comparing whole strings is faster than splitting by the next byte. */
const FEW = 12;

/**
 * Multikey quicksort [Bentley, Sedgewick 1997]: splits by one byte into smaller, equal and larger, and continues with the next
 * byte among the equal ones only. The terms from `low` to `high` agree in their first `depth` bytes.
 */
function sortStrings(index: TermIndex, terms: Int32Array, low: number, high: number, depth: number): void {
  const { parts, bytes } = index;
  let [from, to, at] = [low, high, depth];
  while (to - from > FEW) {
    const pivotTerm = terms[(from + to) >>> 1]!;
    const pivotAt = parts[2 * pivotTerm]! + at;
    const pivot = pivotAt < parts[2 * pivotTerm + 1]! ? bytes[pivotAt]! : -1;
    let [less, k, more] = [from, from, to];
    while (k < more) {
      const term = terms[k]!;
      const place = parts[2 * term]! + at;
      const byte = place < parts[2 * term + 1]! ? bytes[place]! : -1;
      if (byte < pivot) {
        terms[k++] = terms[less]!;
        terms[less++] = term;
      } else if (byte > pivot) {
        terms[k] = terms[--more]!;
        terms[more] = term;
      } else {
        k++;
      }
    }
    sortStrings(index, terms, from, less, at);
    sortStrings(index, terms, more, to, at);
    if (pivot < 0) return; // strings that end here are all the same, so there is only one
    [from, to, at] = [less, more, at + 1];
  }
  insertionSort(index, terms, from, to, at);
}

function insertionSort(index: TermIndex, terms: Int32Array, low: number, high: number, depth: number): void {
  for (let k = low + 1; k < high; k++) {
    const term = terms[k]!;
    let at = k;
    while (at > low && isBefore(index, term, terms[at - 1]!, depth)) {
      terms[at] = terms[at - 1]!;
      at--;
    }
    terms[at] = term;
  }
}

function isBefore({ parts, bytes }: TermIndex, one: number, other: number, depth: number): boolean {
  let p = parts[2 * one]! + depth;
  let q = parts[2 * other]! + depth;
  const pEnd = parts[2 * one + 1]!;
  const qEnd = parts[2 * other + 1]!;
  while (p < pEnd && q < qEnd && bytes[p] === bytes[q]) {
    p++;
    q++;
  }
  if (q === qEnd) return false;
  return p === pEnd || bytes[p]! < bytes[q]!;
}

/** The bytes of the terms one after the other, words of an n-gram with a space between them. */
export function termBytes(
  index: TermIndex,
  terms: Int32Array,
): { readonly bytes: Uint8Array; readonly offsets: Int32Array } {
  const { parts, length } = index;
  const sizeOf = (word: number) => parts[2 * word + 1]! - parts[2 * word]!;
  const offsets = new Int32Array(terms.length + 1);
  for (let j = 0; j < terms.length; j++) {
    let term = terms[j]!;
    let size = 0;
    for (; length[term]! > 1; term = parts[2 * term]!) size += 1 + sizeOf(parts[2 * term + 1]!);
    offsets[j + 1] = offsets[j]! + size + sizeOf(term);
  }
  const bytes = new Uint8Array(offsets[terms.length]!);
  for (let j = 0; j < terms.length; j++) {
    // From the last word to the first, since a pair stores its last word.
    let term = terms[j]!;
    let end = offsets[j + 1]!;
    for (; length[term]! > 1; term = parts[2 * term]!) {
      end = writeBefore(index, parts[2 * term + 1]!, end, bytes) - 1;
      bytes[end] = 0x20;
    }
    writeBefore(index, term, end, bytes);
  }
  return { bytes, offsets };
}

/** Writes a string term so that it ends at `end`; returns where it begins. */
function writeBefore({ parts, bytes }: TermIndex, term: number, end: number, out: Uint8Array): number {
  const from = parts[2 * term]!;
  const start = end - (parts[2 * term + 1]! - from);
  for (let at = start, k = from; at < end; at++, k++) out[at] = bytes[k]!;
  return start;
}
