import type { Analyzer } from "./analyzer.js";
import type { NgramRange } from "./params.js";
import { type RowBuilder, sortFirst } from "./row-builder.js";
import { findString, grown, type TermIndex } from "./terms.js";

/** Counts the terms of documents, one at a time; the cost depends only on the terms that occur. */
export class TermCounter {
  readonly #analyzer: Analyzer;
  readonly #index: TermIndex;
  readonly #range: NgramRange;
  /** The column of each term; absent while terms are being learned, when the column is the number of the term. */
  readonly #columns: Int32Array | undefined;
  /** By column, all 0 between documents. */
  #counts = new Int32Array(1 << 10);
  #touched = new Int32Array(1 << 10);
  /** The terms of 1, 2, … words that end with the word before this one. */
  readonly #ending: Int32Array;

  constructor(analyzer: Analyzer, index: TermIndex, range: NgramRange, columns?: Int32Array) {
    this.#analyzer = analyzer;
    this.#index = index;
    this.#range = range;
    this.#columns = columns;
    this.#ending = new Int32Array(range[1]);
    if (columns) this.#reserve(columns.length);
  }

  /** Adds the document's row to `out`. Columns are sorted once the vocabulary is fixed. */
  count(document: string, out: RowBuilder): void {
    const analyzer = this.#analyzer;
    analyzer.analyse(document);
    const words = analyzer.terms.size;
    // A word ends at most one term of each length.
    const most = analyzer.pairs ? words * this.#range[1] : words;
    if (!this.#columns) this.#reserve(this.#index.size + most);
    const size = analyzer.pairs ? this.#countPairs() : this.#countTerms();
    const touched = this.#touched;
    const counts = this.#counts;
    if (this.#columns) sortFirst(touched, size);
    out.reserve(size);
    const { indices, values } = out;
    let at = out.nonZeros;
    for (let e = 0; e < size; e++, at++) {
      const term = touched[e]!;
      indices[at] = term;
      values[at] = counts[term]!;
      counts[term] = 0;
    }
    out.nonZeros = at;
    out.endRow();
  }

  /** Counts the terms and returns the number of distinct columns. */
  #countTerms(): number {
    const { bytes, starts, ends, hashes, size } = this.#analyzer.terms;
    const index = this.#index;
    const columns = this.#columns;
    const counts = this.#counts;
    const touched = this.#touched;
    let different = 0;
    let { slots, parts, bytes: own } = index;
    for (let t = 0; t < size; t++) {
      let term = findString(slots, parts, own, bytes, starts[t]!, ends[t]!, hashes[t]!);
      if (term < 0) {
        if (index.frozen) continue;
        term = index.addString(bytes, starts[t]!, ends[t]!, hashes[t]!, ~term);
        ({ slots, parts, bytes: own } = index);
      }
      const column = columns === undefined ? term : columns[term]!;
      if (column >= 0 && counts[column]!++ === 0) touched[different++] = column;
    }
    return different;
  }

  /** n-grams of words: the term of n words is the pair of the n − 1 before this one, and this one. */
  #countPairs(): number {
    const { bytes, starts, ends, hashes, size } = this.#analyzer.terms;
    const index = this.#index;
    const columns = this.#columns;
    const counts = this.#counts;
    const touched = this.#touched;
    const [least, greatest] = this.#range;
    const ending = this.#ending.fill(-1);
    let different = 0;
    for (let t = 0; t < size; t++) {
      const word = index.string(bytes, starts[t]!, ends[t]!, hashes[t]!);
      for (let n = greatest; n >= 1; n--) {
        const term = n === 1 ? word : index.pair(ending[n - 2]!, word);
        ending[n - 1] = term;
        if (n < least || term < 0) continue;
        const column = columns === undefined ? term : columns[term]!;
        if (column >= 0 && counts[column]!++ === 0) touched[different++] = column;
      }
    }
    return different;
  }

  #reserve(terms: number): void {
    if (terms <= this.#counts.length) return;
    this.#counts = grown(this.#counts, terms);
    this.#touched = grown(this.#touched, terms);
  }
}
