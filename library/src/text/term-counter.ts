import type { Analyzer } from "./analyzer.js";
import type { NgramRange } from "./params.js";
import type { RowBuilder } from "./row-builder.js";
import { findString, grown, type TermIndex } from "./terms.js";

/** Numbers the terms of documents and counts them, one document at a time; the cost depends only on the terms that occur. */
export class TermCounter {
  readonly #analyzer: Analyzer;
  readonly #index: TermIndex;
  readonly #range: NgramRange;
  /** By term, all 0 between documents. */
  #counts = new Int32Array(1 << 10);
  #touched = new Int32Array(1 << 10);
  /** The terms of 1, 2, … words that end with the word before this one. */
  readonly #ending: Int32Array;

  constructor(analyzer: Analyzer, index: TermIndex, range: NgramRange) {
    this.#analyzer = analyzer;
    this.#index = index;
    this.#range = range;
    this.#ending = new Int32Array(range[1]);
  }

  /** Adds the document's row to `out`; its columns are numbers of terms, by first appearance. */
  count(document: string, out: RowBuilder): void {
    const analyzer = this.#analyzer;
    analyzer.analyse(document);
    const words = analyzer.terms.size;
    // A word ends at most one term of each length.
    const most = analyzer.pairs ? words * this.#range[1] : words;
    this.#reserve(this.#index.size + most);
    const size = analyzer.pairs ? this.#countPairs() : this.#countTerms();
    const touched = this.#touched;
    const counts = this.#counts;
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

  /** Counts the terms and returns the number of different ones. */
  #countTerms(): number {
    const { bytes, starts, ends, hashes, size } = this.#analyzer.terms;
    const index = this.#index;
    const counts = this.#counts;
    const touched = this.#touched;
    let different = 0;
    let { slots, parts, bytes: own } = index;
    for (let t = 0; t < size; t++) {
      let term = findString(slots, parts, own, bytes, starts[t]!, ends[t]!, hashes[t]!);
      if (term < 0) {
        term = index.addString(bytes, starts[t]!, ends[t]!, hashes[t]!, ~term);
        ({ slots, parts, bytes: own } = index);
      }
      if (counts[term]!++ === 0) touched[different++] = term;
    }
    return different;
  }

  /** n-grams of words: the term of n words is the pair of the n − 1 before this one, and this one. */
  #countPairs(): number {
    const { bytes, starts, ends, hashes, size } = this.#analyzer.terms;
    const index = this.#index;
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
        if (counts[term]!++ === 0) touched[different++] = term;
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
