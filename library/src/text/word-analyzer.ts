import { type NgramRange, stopWordsOf } from "./params.js";
import { type AnalyzerParams, Source } from "./source.js";
import { HASH_PRIME, HASH_START, hashBytes, TermIndex, Terms } from "./terms.js";
import { wordCharacters } from "./unicode.js";
import { decode, widthOf, writeText } from "./utf8.js";

const SPACE = 0x20;

/**
 * Words that are runs of word characters, at least so many of them: scikit-learn's default pattern, without a RegExp. The
 * document is read once as UTF-8, ASCII by a table of 256 entries, the rest by the set of word characters.
 *
 * With `pairs` the n-grams are left to whoever reads the words (see TermIndex).
 */
export class WordAnalyzer {
  readonly terms = new Terms();
  readonly pairs: boolean;
  readonly #source: Source;
  readonly #table: Uint8Array;
  readonly #least: number;
  readonly #stop: TermIndex | undefined;
  readonly #range: NgramRange;

  constructor(params: AnalyzerParams, least: number, pairs: boolean) {
    this.#source = new Source(params);
    this.#table = asciiWords(this.#source.lowers);
    this.#least = least;
    this.#range = params.ngramRange;
    this.pairs = pairs && params.ngramRange[1] > 1;
    this.#stop = params.stopWords === null ? undefined : indexOf(stopWordsOf(params.stopWords));
  }

  analyse(document: string): void {
    const { terms } = this;
    const end = this.#source.read(document);
    terms.reserveBytes(end + 1);
    terms.reserveTerms((end >>> 1) + 1);
    terms.size = this.#scan(this.#source.bytes, end);
    if (!this.pairs) expandWords(terms, this.#range);
  }

  #scan(source: Uint8Array, end: number): number {
    const { bytes, starts, ends, hashes } = this.terms;
    const table = this.#table;
    const least = this.#least;
    const stop = this.#stop;
    let size = 0;
    let begin = 0;
    let out = 0;
    for (let at = 0; at < end; ) {
      let hash = HASH_START;
      let points = 0;
      // The 0 behind the text ends the last word.
      for (;;) {
        const byte = source[at]!;
        const mapped = table[byte]!;
        if (mapped !== 0) {
          bytes[out++] = mapped;
          hash = Math.imul(hash ^ mapped, HASH_PRIME);
          at++;
          points++;
          continue;
        }
        const width = widthOf(byte);
        if (width === 1 || !wordCharacters.has(decode(source, at, width))) {
          at += width;
          break;
        }
        for (let k = 0; k < width; k++) {
          const next = source[at++]!;
          bytes[out++] = next;
          hash = Math.imul(hash ^ next, HASH_PRIME);
        }
        points++;
      }
      if (points < least || (stop !== undefined && stop.string(bytes, begin, out, hash) >= 0)) {
        out = begin;
        continue;
      }
      starts[size] = begin;
      ends[size] = out;
      hashes[size++] = hash;
      bytes[out++] = SPACE;
      begin = out;
    }
    return size;
  }
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

/** Words that stand side by side into the n-grams asked for: each is a range of bytes. */
function expandWords(terms: Terms, [least, greatest]: NgramRange): void {
  if (greatest === 1) return;
  const words = terms.size;
  terms.reserveTerms(words * (Math.min(greatest, words) - least + 2));
  const { bytes, starts, ends, hashes } = terms;
  // Behind the words first, then all to the front.
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

/** ASCII word characters to themselves (or their lower case), everything else to 0. */
function asciiWords(lowers: boolean): Uint8Array {
  const table = new Uint8Array(256);
  for (let byte = 0; byte < 0x80; byte++) {
    if (wordCharacters.has(byte)) table[byte] = lowers && byte >= 0x41 && byte <= 0x5a ? byte + 32 : byte;
  }
  return table;
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
