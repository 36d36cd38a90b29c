import type { Learned } from "../core/state/model-state.js";
import type { StateReader } from "../core/state/state.js";
import { readBytes } from "../core/state/state-lists.js";
import { textDecoder } from "../core/text/utf8-coders.js";
import type { Ngrams, Strings } from "../numeric/text/term-table.js";
import type { NgramRange } from "./params.js";
import { hashBytes, TermIndex } from "./terms.js";
import { writeText } from "./utf8.js";

const SPACE = 0x20;

/** Terms in the order of their columns, as UTF-8 bytes: term j is the bytes from `offsets[j]` to `offsets[j + 1]`. */
export class Vocabulary {
  #names: readonly string[] | undefined;
  #columns: ReadonlyMap<string, number> | undefined;

  constructor(
    readonly bytes: Uint8Array,
    readonly offsets: Int32Array,
    /** Terms among which these were chosen: more, where a limit has left some out. */
    readonly found = offsets.length - 1,
  ) {}

  static of(terms: readonly string[]): Vocabulary {
    const room = terms.reduce((sum, term) => sum + term.length, 0) * 3;
    const bytes = new Uint8Array(room);
    const offsets = new Int32Array(terms.length + 1);
    for (const [j, term] of terms.entries()) offsets[j + 1] = writeText(bytes, offsets[j]!, term);
    return new Vocabulary(bytes.slice(0, offsets[terms.length]), offsets);
  }

  get size(): number {
    return this.offsets.length - 1;
  }

  /** The terms as strings, created when first used. */
  get names(): readonly string[] {
    if (this.#names) return this.#names;
    const decoder = textDecoder();
    const { bytes, offsets } = this;
    const names = Array.from({ length: this.size }, (_, j) =>
      decoder.decode(bytes.subarray(offsets[j]!, offsets[j + 1]!)),
    );
    this.#names = Object.freeze(names);
    return this.#names;
  }

  /** From term to column. */
  get columns(): ReadonlyMap<string, number> {
    this.#columns ??= new Map(this.names.map((name, j) => [name, j]));
    return this.#columns;
  }

  /** What a table of the terms is built from; single strings, without `ngrams`. */
  strings(): Strings {
    return { bytes: this.bytes, starts: this.offsets.subarray(0, -1), ends: this.offsets.subarray(1) };
  }

  /**
   * The same for n-grams of words, as an analyzer of words returns them: terms are cut at spaces. Words that are not terms but
   * occur in one are terms without a column.
   */
  ngrams(range: NgramRange): { readonly strings: Strings; readonly ngrams: Ngrams } {
    const index = new TermIndex();
    const { bytes, offsets, size } = this;
    const numbers = new Int32Array(size);
    const string = (start: number, end: number) =>
      index.string(bytes, start, end, hashBytes(bytes, start, end));
    for (let j = 0; j < size; j++) {
      const end = offsets[j + 1]!;
      let start = offsets[j]!;
      let term = -1;
      for (let at = start; at < end; at++) {
        if (bytes[at] !== SPACE) continue;
        const word = string(start, at);
        term = term < 0 ? word : index.pair(term, word);
        start = at + 1;
      }
      const last = string(start, end);
      numbers[j] = term < 0 ? last : index.pair(term, last);
    }
    const columns = new Int32Array(index.size).fill(-1);
    for (let j = 0; j < size; j++) columns[numbers[j]!] = j;
    return { strings: index.strings(), ngrams: { range, pairs: index.pairs(), columns } };
  }

  /** The terms as a saved model stores them. */
  learned(): Learned {
    return { vocabulary: this.bytes, vocabularyOffsets: this.offsets };
  }

  static restore(reader: StateReader): Vocabulary {
    const hasFound = Object.hasOwn(reader.state.values, "termsFound");
    const found = hasFound ? reader.count("termsFound") : undefined;
    const offsets = reader.integers("vocabularyOffsets", [-1]);
    const bytes = readBytes(reader, "vocabulary", [-1]);
    const fail = (received: string) => reader.fail("vocabulary", "distinct terms as UTF-8", received);
    if (offsets.length < 2 || offsets[0] !== 0 || offsets.at(-1) !== bytes.length)
      fail("offsets that do not fit");
    for (let j = 1; j < offsets.length; j++)
      if (offsets[j]! < offsets[j - 1]!) fail("offsets that do not fit");
    const strict = textDecoder({ fatal: true });
    const index = new TermIndex();
    for (let j = 0; j + 1 < offsets.length; j++) {
      const [start, end] = [offsets[j]!, offsets[j + 1]!];
      if (index.string(bytes, start, end, hashBytes(bytes, start, end)) !== j) fail("a term twice");
      try {
        strict.decode(bytes.subarray(start, end));
      } catch {
        fail("other bytes");
      }
    }
    return new Vocabulary(bytes, offsets, found);
  }
}
