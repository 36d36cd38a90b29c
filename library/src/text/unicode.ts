import { combiningRuns, digitRuns, spaceRuns, wordRuns } from "./unicode-tables.js";

const POINTS = 0x110000;

/** A set of code points with a lookup of a few instructions: one bit per code point, filled at the first lookup. */
export class CharacterSet {
  #bits: Uint32Array | undefined;
  readonly #runs: string;

  constructor(runs: string) {
    this.#runs = runs;
  }

  has(point: number): boolean {
    return ((this.#filled()[point >>> 5]! >>> (point & 31)) & 1) === 1;
  }

  /** First and last code point of every run inside the set (or outside it). */
  *ranges(inside = true): Generator<readonly [number, number]> {
    let at = 0;
    let within = false;
    for (const run of this.#runs.trim().split(/\s+/)) {
      const length = Number.parseInt(run, 36);
      if (within === inside && length > 0) yield [at, at + length - 1];
      at += length;
      within = !within;
    }
    if (at < POINTS && within === inside) yield [at, POINTS - 1];
  }

  /** The set as the content of a character class of a RegExp in Unicode mode. */
  toClass(inside = true): string {
    const escaped = (point: number) => `\\u{${point.toString(16)}}`;
    const text = ([from, to]: readonly [number, number]) =>
      from === to ? escaped(from) : `${escaped(from)}-${escaped(to)}`;
    return Array.from(this.ranges(inside), text).join("");
  }

  #filled(): Uint32Array {
    if (this.#bits) return this.#bits;
    const bits = new Uint32Array(POINTS >>> 5);
    for (const [from, to] of this.ranges()) {
      for (let point = from; point <= to; point++) bits[point >>> 5]! |= 1 << (point & 31);
    }
    this.#bits = bits;
    return bits;
  }
}

export const wordCharacters = new CharacterSet(wordRuns);
export const digitCharacters = new CharacterSet(digitRuns);
export const spaceCharacters = new CharacterSet(spaceRuns);
const combiningCharacters = new CharacterSet(combiningRuns);

/** NFKD normalisation (é into e and an accent, ﬁ into f and i), then combining characters are removed. */
export function stripAccents(text: string): string {
  let kept = "";
  for (const character of text.normalize("NFKD")) {
    if (!combiningCharacters.has(character.codePointAt(0)!)) kept += character;
  }
  return kept;
}

/** NFKD normalisation, then everything outside ASCII is removed: ß, 漢 and 🙂 disappear. */
export function toAscii(text: string): string {
  let kept = "";
  for (const character of text.normalize("NFKD")) if (character.charCodeAt(0) < 0x80) kept += character;
  return kept;
}
