import { textDecoder } from "../../core/utf8-coders.js";
import { BooleanColumn, CategoricalColumn, DateColumn, NumericColumn, TextColumn } from "../column.js";
import { DecimalScanner } from "../decimal.js";
import { doubled } from "../text-bytes.js";
import type { Fields } from "./fields.js";

/** A cell that is not of the kind that was asked for. */
export interface Refused {
  readonly row: number;
}

export const isRefused = (column: object): column is Refused => "row" in column;

const ZERO = 48;
const NINE = 57;
const MINUS = 45;
const PLUS = 43;
/** Integers of more digits than this may not be exact as numbers. */
const EXACT_DIGITS = 15;

/** The cells of one column of a file, read as one kind or another. */
export class CellReader {
  readonly #decoder = textDecoder();
  readonly #decimals: DecimalScanner;
  readonly #quoteTwice: RegExp;
  readonly #missing: readonly Uint8Array[];
  /** For each length up to the longest: whether a missing cell may be so long. */
  readonly #missingLengths: Uint8Array;

  constructor(
    readonly bytes: Uint8Array,
    readonly fields: Fields,
    readonly firstRow: number,
    quote: number,
    decimal: string,
    missing: readonly Uint8Array[],
  ) {
    const textOf = (start: number, end: number) => this.#decoder.decode(bytes.subarray(start, end));
    this.#decimals = new DecimalScanner(bytes, textOf, decimal.charCodeAt(0));
    const mark = String.fromCharCode(quote);
    this.#quoteTwice = new RegExp(mark + mark, "g");
    this.#missing = missing;
    this.#missingLengths = new Uint8Array(1 + Math.max(0, ...missing.map(({ length }) => length)));
    for (const { length } of missing) this.#missingLengths[length] = 1;
  }

  get rows(): number {
    return this.fields.rows - this.firstRow;
  }

  /** The cell of a row of the table, or of a row before the first as a negative one. */
  text(row: number, col: number): string {
    const f = (this.firstRow + row) * this.fields.cols + col;
    const end = this.fields.ends[f]!;
    const text = this.#decoder.decode(this.bytes.subarray(this.fields.starts[f]!, end < 0 ? ~end : end));
    return end < 0 ? text.replace(this.#quoteTwice, String.fromCharCode(this.bytes[~end]!)) : text;
  }

  isMissing(row: number, col: number): boolean {
    const f = (this.firstRow + row) * this.fields.cols + col;
    return this.#isMissing(this.fields.starts[f]!, this.fields.ends[f]!);
  }

  #isMissing(start: number, end: number): boolean {
    const length = end - start;
    if (length < 0 || length >= this.#missingLengths.length || this.#missingLengths[length] === 0)
      return false;
    return this.#missing.some(
      (token) => token.length === length && token.every((code, k) => this.bytes[start + k] === code),
    );
  }

  /**
   * Numbers. With `exactly`, an integer of more than 15 digits or with a zero in front is refused: these are identifiers, which
   * would not survive as numbers.
   */
  numbers(col: number, exactly: boolean): NumericColumn | Refused {
    const { bytes, fields, firstRow } = this;
    const { starts, ends, cols } = fields;
    const decimals = this.#decimals;
    const out = new Float64Array(this.rows);
    for (let row = 0, f = firstRow * cols + col; row < out.length; row++, f += cols) {
      const start = starts[f]!;
      const end = ends[f]!;
      const value = decimals.read(start);
      if (decimals.end === end && end > start) {
        // Only these can be identifiers: a zero in front, or many digits.
        if (
          exactly &&
          (bytes[start]! <= ZERO || end - start > EXACT_DIGITS) &&
          this.#isIdentifier(start, end)
        )
          return { row };
        out[row] = value;
      } else if (this.#isMissing(start, end)) out[row] = Number.NaN;
      else {
        const infinite =
          end < 0 ? undefined : INFINITIES.get(this.#decoder.decode(bytes.subarray(start, end)));
        if (infinite === undefined) return { row };
        out[row] = infinite;
      }
    }
    return new NumericColumn(out);
  }

  #isIdentifier(start: number, end: number): boolean {
    const { bytes } = this;
    const first = bytes[start]!;
    const digits = first === MINUS || first === PLUS ? start + 1 : start;
    const isLong = end - digits > EXACT_DIGITS;
    if (!isLong && (bytes[digits] !== ZERO || end - digits < 2)) return false;
    for (let at = digits; at < end; at++) if (bytes[at]! < ZERO || bytes[at]! > NINE) return false;
    return true;
  }

  booleans(col: number, words: ReadonlyMap<string, number>): BooleanColumn | Refused {
    const out = new Uint8Array(this.rows);
    for (let row = 0; row < out.length; row++) {
      const value = this.isMissing(row, col) ? 2 : words.get(this.text(row, col).toLowerCase());
      if (value === undefined) return { row };
      out[row] = value;
    }
    return new BooleanColumn(out);
  }

  dates(col: number): DateColumn | Refused {
    const out = new Float64Array(this.rows);
    for (let row = 0; row < out.length; row++) {
      const f = (this.firstRow + row) * this.fields.cols + col;
      const [start, end] = [this.fields.starts[f]!, this.fields.ends[f]!];
      let value: number | undefined = end - start === 10 ? readDay(this.bytes, start) : undefined;
      value ??= this.#isMissing(start, end) ? Number.NaN : readDate(this.text(row, col));
      if (value === undefined) return { row };
      out[row] = value;
    }
    return new DateColumn(out);
  }

  /** Categories; undefined once there are more than `most` of them. Cells are compared by their bytes, and decoded once each. */
  categories(col: number, most: (row: number) => number): CategoricalColumn | undefined {
    const { bytes, fields, firstRow } = this;
    const { starts, ends, cols } = fields;
    const codes = new Int32Array(this.rows);
    const names: (string | null)[] = [];
    let mask = 255;
    let slots = new Int32Array(mask + 1).fill(-1);
    let hashes = new Int32Array(64);
    let places = new Int32Array(64);
    for (let row = 0, f = firstRow * cols + col; row < codes.length; row++, f += cols) {
      const start = starts[f]!;
      const end = ends[f]! < 0 ? ~ends[f]! : ends[f]!;
      const hash = hashOf(bytes, start, end);
      let slot = hash & mask;
      let code = slots[slot]!;
      while (code >= 0 && !(hashes[code] === hash && this.#same(places[code]!, f))) {
        slot = (slot + 1) & mask;
        code = slots[slot]!;
      }
      if (code < 0) {
        code = names.length;
        if (code >= most(row)) return undefined;
        if (code === hashes.length) {
          hashes = doubled(hashes);
          places = doubled(places);
        }
        hashes[code] = hash;
        places[code] = f;
        slots[slot] = code;
        names.push(this.#isMissing(start, ends[f]!) ? null : this.text(row, col));
        if (2 * names.length > mask) {
          mask = 2 * mask + 1;
          slots = new Int32Array(mask + 1).fill(-1);
          for (let k = 0; k < names.length; k++) {
            let free = hashes[k]! & mask;
            while (slots[free]! >= 0) free = (free + 1) & mask;
            slots[free] = k;
          }
        }
      }
      codes[row] = code;
    }
    return sorted(codes, names);
  }

  #same(f: number, g: number): boolean {
    const { bytes, fields } = this;
    const { starts, ends } = fields;
    let at = starts[f]!;
    let other = starts[g]!;
    const end = ends[f]! < 0 ? ~ends[f]! : ends[f]!;
    if ((ends[g]! < 0 ? ~ends[g]! : ends[g]!) - other !== end - at) return false;
    while (at < end) if (bytes[at++] !== bytes[other++]) return false;
    return true;
  }

  texts(col: number): TextColumn {
    return new TextColumn(
      Array.from({ length: this.rows }, (_, row) => (this.isMissing(row, col) ? null : this.text(row, col))),
    );
  }
}

const INFINITIES = new Map(
  ["inf", "Inf", "infinity", "Infinity", "INF"].flatMap((word): [string, number][] => [
    [word, Number.POSITIVE_INFINITY],
    [`+${word}`, Number.POSITIVE_INFINITY],
    [`-${word}`, Number.NEGATIVE_INFINITY],
  ]),
);

/** Of the length and at most 16 bytes, at both ends: cells that agree in these are compared byte by byte. */
function hashOf(bytes: Uint8Array, start: number, end: number): number {
  let hash = end - start;
  const middle = Math.min(end, start + 8);
  for (let at = start; at < middle; at++) hash = Math.imul(hash ^ bytes[at]!, 0x01000193);
  for (let at = Math.max(middle, end - 8); at < end; at++) hash = Math.imul(hash ^ bytes[at]!, 0x01000193);
  return hash ^ (hash >>> 15);
}

/** By code unit, as every categorical column has them. Cells that differ by quoting only are one category; null is a missing one. */
function sorted(codes: Int32Array, names: readonly (string | null)[]): CategoricalColumn {
  const present = names.filter((name) => name !== null);
  const categories = [...new Set(present)].sort((a, b) => (a < b ? -1 : 1));
  const places = new Map<string | null, number>(categories.map((name, code) => [name, code]));
  const place = Int32Array.from(names, (name) => places.get(name) ?? -1);
  for (let i = 0; i < codes.length; i++) codes[i] = place[codes[i]!]!;
  return new CategoricalColumn(codes, Object.freeze(categories));
}

const HYPHEN = MINUS;
const DAY = 86_400_000;

/** Milliseconds of the ten bytes YYYY-MM-DD since 1970; undefined if they are something else. */
function readDay(bytes: Uint8Array, at: number): number | undefined {
  if (bytes[at + 4] !== HYPHEN || bytes[at + 7] !== HYPHEN) return undefined;
  const pair = (k: number) => {
    const [a, b] = [bytes[at + k]! - ZERO, bytes[at + k + 1]! - ZERO];
    return a >= 0 && a <= 9 && b >= 0 && b <= 9 ? 10 * a + b : Number.NaN;
  };
  const [year, month, day] = [100 * pair(0) + pair(2), pair(5), pair(8)];
  if (!(month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month))) return undefined;
  return Number.isNaN(year) ? undefined : DAY * daysBefore(year, month, day);
}

const LENGTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const isLeap = (year: number) => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
const daysIn = (year: number, month: number) => LENGTHS[month - 1]! + (month === 2 && isLeap(year) ? 1 : 0);

/** Days since 1970 in the Gregorian calendar, in which years begin in March [Hinnant 2013]. */
function daysBefore(year: number, month: number, day: number): number {
  const y = month <= 2 ? year - 1 : year;
  const era = Math.floor(y / 400);
  const yearOfEra = y - 400 * era;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  const dayOfEra = 365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return 146_097 * era + dayOfEra - 719_468;
}

const DATE =
  /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?(?:Z|([+-])(\d\d):?(\d\d))?)?$/;

/** Milliseconds of a date by ISO 8601 since 1970; without a zone it is in UTC. Undefined if it is none. */
export function readDate(text: string): number | undefined {
  const found = DATE.exec(text);
  if (found === null) return undefined;
  const [year, month, day, hour = 0, minute = 0, second = 0] = found
    .slice(1, 7)
    .map((part) => Number(part ?? 0));
  const fraction = found[7] === undefined ? 0 : Math.floor(Number(`0.${found[7]}`) * 1000);
  const date = new Date(0);
  date.setUTCFullYear(year!, month! - 1, day);
  date.setUTCHours(hour, minute, second, fraction);
  // A 31st of April would be the first of May.
  const isReal =
    date.getUTCMonth() === month! - 1 && date.getUTCDate() === day && date.getUTCHours() === hour;
  if (!isReal || minute > 59 || second > 59) return undefined;
  const zone = found[8] === undefined ? 0 : Number(found[9]) * 60 + Number(found[10]);
  return date.getTime() + (found[8] === "-" ? zone : -zone) * 60_000;
}
