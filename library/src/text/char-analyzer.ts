import type { NgramRange } from "./params.js";
import { type AnalyzerParams, Source } from "./source.js";
import { grown, HASH_PRIME, HASH_START, Terms } from "./terms.js";
import { spaceCharacters } from "./unicode.js";
import { decode, widthOf } from "./utf8.js";

const SPACE = 0x20;
// Engines fold constants of a module into its loops, but not those it imports.
const START = HASH_START;
const PRIME = HASH_PRIME;

/**
 * n-grams of characters: of the whole text, where a run of white space counts as one space; or ("charWb") of each word
 * padded with a space on both sides, where a word shorter than n counts once, whole.
 */
export class CharAnalyzer {
  readonly terms = new Terms();
  readonly pairs = false;
  readonly #source: Source;
  readonly #range: NgramRange;
  readonly #byWord: boolean;
  /** Where each character begins in `terms.bytes`, and where the last one ends. */
  #points = new Int32Array(1 << 10);
  #count = 0;
  #out = 0;

  constructor(params: AnalyzerParams) {
    this.#source = new Source(params);
    this.#range = params.ngramRange;
    this.#byWord = params.analyzer === "charWb";
  }

  analyse(document: string): void {
    const end = this.#source.read(document);
    // Each word adds two spaces, and there are at most half as many words as bytes.
    this.terms.reserveBytes(2 * end + 4);
    if (end + 4 > this.#points.length) this.#points = grown(this.#points, end + 4);
    this.terms.size = 0;
    this.#count = 0;
    this.#out = 0;
    if (this.#byWord) this.#words(end);
    else this.#text(end);
  }

  #text(end: number): void {
    const source = this.#source.bytes;
    let spaces = 0;
    for (let at = 0; at < end; ) {
      const width = widthOf(source[at]!);
      spaces = spaceCharacters.has(decode(source, at, width)) ? spaces + 1 : 0;
      if (spaces < 2) {
        this.#copy(at, width);
      } else if (spaces === 2) {
        // A run of white space of any kind becomes one space.
        this.#out = this.#points[--this.#count]!;
        this.#put(SPACE);
      }
      at += width;
    }
    const [least, greatest] = this.#range;
    this.#finish(least, greatest);
  }

  #words(end: number): void {
    const source = this.#source.bytes;
    for (let at = 0; at < end; ) {
      const width = widthOf(source[at]!);
      const space = spaceCharacters.has(decode(source, at, width));
      if (!space && this.#count === 0) this.#put(SPACE);
      if (!space) this.#copy(at, width);
      else if (this.#count > 0) this.#finishWord();
      at += width;
    }
    if (this.#count > 0) this.#finishWord();
  }

  #finishWord(): void {
    const [least, greatest] = this.#range;
    this.#put(SPACE);
    const count = this.#count;
    this.#finish(Math.min(least, count), greatest);
    this.#count = 0;
  }

  /** The n-grams of the recorded characters; the hash of a longer one continues that of a shorter one. */
  #finish(least: number, greatest: number): void {
    const { terms } = this;
    const points = this.#points;
    const count = this.#count;
    points[count] = this.#out;
    terms.reserveTerms(terms.size + count * (Math.min(greatest, count) - least + 1));
    const { bytes, starts, ends, hashes } = terms;
    let size = terms.size;
    for (let i = 0; i + least <= count; i++) {
      const start = points[i]!;
      const most = Math.min(greatest, count - i);
      let hash = START;
      let at = start;
      for (let n = 1; n <= most; n++) {
        const stop = points[i + n]!;
        for (; at < stop; at++) hash = Math.imul(hash ^ bytes[at]!, PRIME);
        if (n < least) continue;
        starts[size] = start;
        ends[size] = stop;
        hashes[size++] = hash;
      }
    }
    terms.size = size;
  }

  #copy(at: number, width: number): void {
    const { bytes } = this.#source;
    this.#put(bytes[at]!);
    for (let k = 1; k < width; k++) this.terms.bytes[this.#out++] = bytes[at + k]!;
  }

  /** The first byte of the next character. */
  #put(byte: number): void {
    this.#points[this.#count++] = this.#out;
    this.terms.bytes[this.#out++] = byte;
  }
}
