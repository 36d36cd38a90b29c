import type { Analyzer } from "./analyzer.js";
import type { NgramRange } from "./params.js";
import { type RowBuilder, sortFirst } from "./row-builder.js";
import { grown, type TermIndex } from "./terms.js";

/** Counts the terms of one document after the other; only terms that occur are ever looked at. */
export class TermCounter {
  readonly #analyzer: Analyzer;
  readonly #index: TermIndex;
  readonly #range: NgramRange;
  /** The column of each term; absent while terms are being learned, when each term is its own. */
  readonly #columns: Int32Array | undefined;
  /** By column, all 0 between documents. */
  #counts = new Int32Array(1 << 10);
  #touched = new Int32Array(1 << 10);
  #size = 0;
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

  /** Adds the document's row to `out`. Columns are sorted where they are known. */
  count(document: string, out: RowBuilder): void {
    this.#analyzer.analyse(document);
    if (this.#analyzer.pairs) this.#countPairs();
    else this.#countTerms();
    const size = this.#size;
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
    this.#size = 0;
  }

  #countTerms(): void {
    const { terms } = this.#analyzer;
    const { bytes, starts, ends, hashes, size } = terms;
    const index = this.#index;
    for (let t = 0; t < size; t++) this.#add(index.string(bytes, starts[t]!, ends[t]!, hashes[t]!));
  }

  /** n-grams of words: the term of n words is the pair of the n − 1 before this one, and this one. */
  #countPairs(): void {
    const { terms } = this.#analyzer;
    const { bytes, starts, ends, hashes, size } = terms;
    const index = this.#index;
    const [least, greatest] = this.#range;
    const ending = this.#ending.fill(-1);
    for (let t = 0; t < size; t++) {
      const word = index.string(bytes, starts[t]!, ends[t]!, hashes[t]!);
      for (let n = Math.min(greatest, t + 1); n > 1; n--) {
        const term = index.pair(ending[n - 2]!, word);
        if (n < greatest) ending[n - 1] = term;
        if (n >= least) this.#add(term);
      }
      ending[0] = word;
      if (least === 1) this.#add(word);
    }
  }

  #add(term: number): void {
    if (term < 0) return;
    let column = term;
    if (this.#columns) {
      column = this.#columns[term]!;
      if (column < 0) return;
    } else if (term >= this.#counts.length) {
      this.#reserve(term + 1);
    }
    if (this.#counts[column]!++ === 0) this.#touched[this.#size++] = column;
  }

  #reserve(terms: number): void {
    this.#counts = grown(this.#counts, terms);
    this.#touched = grown(this.#touched, terms);
  }
}
