import { type NgramRange, stopWordsOf } from "./params.js";
import { type AnalyzerParams, Source } from "./source.js";
import { HASH_PRIME, HASH_START, hashBytes, TermIndex, Terms } from "./terms.js";
import { wordCharacters } from "./unicode.js";
import { decode, widthOf, writeText } from "./utf8.js";

const SPACE = 0x20;
// Engines fold constants of a module into its loops, but not those it imports.
const START = HASH_START;
const PRIME = HASH_PRIME;

/** 1 for the word characters of ASCII. */
// Below 128 Python's \w is JavaScript's; the table would unpack all of Unicode while the library loads.
const asciiWords = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte < 128 && /\w/.test(String.fromCharCode(byte)) ? 1 : 0,
);

/**
 * Words that are runs of word characters, of a minimum length: scikit-learn's default pattern, without a RegExp. The
 * document is read once as UTF-8, ASCII by a table of 256 entries, the rest by the set of word characters.
 *
 * With `pairs` the caller builds the n-grams (see TermIndex).
 */
export class WordAnalyzer {
  readonly terms = new Terms();
  readonly pairs: boolean;
  /** Bytes of the last document. */
  length = 0;
  readonly #source: Source;
  /** The shortest word, in characters. */
  readonly least: number;
  readonly #stop: TermIndex | undefined;
  readonly #range: NgramRange;

  readonly #hashed: boolean;

  /** `looksUp`: whether the caller has an index of terms, which needs hashes and with which it can build n-grams itself. */
  constructor(params: AnalyzerParams, least: number, looksUp: boolean) {
    this.#hashed = looksUp || params.stopWords !== null;
    this.#source = new Source(params);
    this.least = least;
    this.#range = params.ngramRange;
    this.pairs = looksUp && params.ngramRange[1] > 1;
    this.#stop = params.stopWords === null ? undefined : indexOf(stopWordsOf(params.stopWords));
  }

  analyse(document: string): void {
    this.read(document);
    this.scan();
  }

  /** Reads a document. If its text is ASCII, `text` and `length` are enough to find its words. */
  read(document: string): void {
    this.length = this.#source.read(document);
  }

  get isAscii(): boolean {
    return this.#source.ascii;
  }

  get text(): Uint8Array {
    return this.#source.bytes;
  }

  /** Finds the terms of the document that was read last. */
  scan(): void {
    const { terms, length: end } = this;
    const source = this.#source.bytes;
    terms.reserveTerms((end >>> 1) + 1);
    const scan = !this.#source.ascii ? scanWords : this.#hashed ? scanAscii : scanUnhashed;
    terms.size = scan(source, end, this.least, terms);
    if (this.#stop) dropStopWords(source, this.#stop, terms);
    if (this.pairs || this.#range[1] === 1) {
      terms.bytes = source;
      return;
    }
    alignWords(source, terms);
    expandWords(terms, this.#range);
  }
}

/**
 * Writes the start, end and hash of each word of an ASCII text; returns their number. Most of the time is spent
 * here, and a function that contains only this loop is compiled to twice the speed.
 */
function scanAscii(source: Uint8Array, end: number, least: number, terms: Terms): number {
  const { starts, ends, hashes } = terms;
  let size = 0;
  let hash = START;
  let start = 0;
  // The 0 behind the text ends the last word.
  for (let at = 0; at <= end; at++) {
    const byte = source[at]!;
    // A letter of either case, a digit or an underscore: faster than a table lookup.
    if (((byte | 0x20) - 0x61) >>> 0 < 26 || (byte - 0x30) >>> 0 < 10 || byte === 0x5f) {
      hash = Math.imul(hash ^ byte, PRIME);
      continue;
    }
    if (at - start >= least) {
      starts[size] = start;
      ends[size] = at;
      hashes[size++] = hash;
    }
    start = at + 1;
    hash = START;
  }
  return size;
}

/** The same without hashes. */
function scanUnhashed(source: Uint8Array, end: number, least: number, { starts, ends }: Terms): number {
  let size = 0;
  let start = 0;
  for (let at = 0; at <= end; at++) {
    const byte = source[at]!;
    if (((byte | 0x20) - 0x61) >>> 0 < 26 || (byte - 0x30) >>> 0 < 10 || byte === 0x5f) continue;
    if (at - start >= least) {
      starts[size] = start;
      ends[size++] = at;
    }
    start = at + 1;
  }
  return size;
}

/** The same for any text. */
function scanWords(source: Uint8Array, end: number, least: number, terms: Terms): number {
  const { starts, ends, hashes } = terms;
  let size = 0;
  let hash = START;
  let start = 0;
  // Bytes of the word beyond the first of each character.
  let more = 0;
  for (let at = 0; at <= end; at++) {
    const byte = source[at]!;
    if (asciiWords[byte] === 1) {
      hash = Math.imul(hash ^ byte, PRIME);
      continue;
    }
    let width = 1;
    if (byte >= 0x80) {
      width = wordWidth(source, at);
      if (width > 0) {
        for (let k = 0; k < width; k++) hash = Math.imul(hash ^ source[at + k]!, PRIME);
        more += width - 1;
        at += width - 1;
        continue;
      }
      width = -width;
    }
    if (at - start - more >= least) {
      starts[size] = start;
      ends[size] = at;
      hashes[size++] = hash;
    }
    at += width - 1;
    start = at + 1;
    hash = START;
    more = 0;
  }
  return size;
}

function dropStopWords(source: Uint8Array, stop: TermIndex, out: Terms): void {
  const { starts, ends, hashes } = out;
  let size = 0;
  for (let t = 0; t < out.size; t++) {
    if (stop.string(source, starts[t]!, ends[t]!, hashes[t]!) >= 0) continue;
    starts[size] = starts[t]!;
    ends[size] = ends[t]!;
    hashes[size++] = hashes[t]!;
  }
  out.size = size;
}

/** Number of bytes of a character outside ASCII, negative if it is not a word character. */
function wordWidth(source: Uint8Array, at: number): number {
  const width = widthOf(source[at]!);
  return wordCharacters.has(decode(source, at, width)) ? width : -width;
}

/** Words that a RegExp or a function finds. They may be anything, spaces included, so n-grams are made as text. */
export class CustomWordAnalyzer {
  readonly terms = new Terms();
  readonly pairs = false;
  readonly #source: Source;
  readonly #words: (text: string) => Iterable<string>;
  readonly #stop: ReadonlySet<string>;
  readonly #range: NgramRange;

  constructor(params: AnalyzerParams, words: (text: string) => Iterable<string>) {
    this.#source = new Source(params);
    this.#words = words;
    this.#stop = new Set(stopWordsOf(params.stopWords));
    this.#range = params.ngramRange;
  }

  analyse(document: string): void {
    const { terms } = this;
    let size = 0;
    let out = 0;
    for (const word of this.#words(this.#source.text(document))) {
      if (this.#stop.has(word)) continue;
      terms.reserveBytes(out + word.length * 3 + 1);
      terms.reserveTerms(size + 1);
      const start = out;
      out = writeText(terms.bytes, start, word);
      terms.starts[size] = start;
      terms.ends[size] = out;
      terms.hashes[size++] = hashBytes(terms.bytes, start, out);
      terms.bytes[out++] = SPACE;
    }
    terms.size = size;
    expandWords(terms, this.#range);
  }
}

/** Copies the words into `out.bytes`, one space between them. */
function alignWords(source: Uint8Array, out: Terms): void {
  const { starts, ends, size } = out;
  let at = 0;
  for (let t = 0; t < size; t++) {
    out.reserveBytes(at + ends[t]! - starts[t]! + 1);
    const start = at;
    for (let k = starts[t]!; k < ends[t]!; k++) out.bytes[at++] = source[k]!;
    starts[t] = start;
    ends[t] = at;
    out.bytes[at++] = SPACE;
  }
}

/** Adjacent words into n-grams of the required lengths: each is a range of bytes. */
function expandWords(terms: Terms, [least, greatest]: NgramRange): void {
  if (greatest === 1) return;
  const words = terms.size;
  terms.reserveTerms(words * (Math.min(greatest, words) - least + 2));
  const { bytes, starts, ends, hashes } = terms;
  // Written behind the words first, then moved to the front.
  let size = words;
  for (let n = least; n <= Math.min(greatest, words); n++) {
    for (let i = 0; i + n <= words; i++, size++) {
      starts[size] = starts[i]!;
      ends[size] = ends[i + n - 1]!;
      hashes[size] = n === 1 ? hashes[i]! : hashBytes(bytes, starts[size]!, ends[size]!);
    }
  }
  for (const list of [starts, ends, hashes]) list.copyWithin(0, words, size);
  terms.size = size - words;
}

function indexOf(words: Iterable<string>): TermIndex {
  const index = new TermIndex();
  const terms = new Terms();
  for (const word of words) {
    terms.reserveBytes(word.length * 3);
    const end = writeText(terms.bytes, 0, word);
    index.string(terms.bytes, 0, end, hashBytes(terms.bytes, 0, end));
  }
  index.frozen = true;
  return index;
}
