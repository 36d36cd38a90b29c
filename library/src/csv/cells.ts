import { maxOf } from "../core/numbers/extremes.js";
import { textDecoder } from "../core/text/utf8-coders.js";
import {
  BooleanColumn,
  CategoricalColumn,
  DateColumn,
  NumericColumn,
  TextColumn,
} from "../data/table/column.js";
import { DecimalScanner } from "../data/text/decimal.js";
import { readDate } from "../data/text/iso-date.js";
import type { CsvCells } from "../numeric/csv/csv-cells.js";

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

/** The cells of a file, read as one kind or another. Kernels read most of them. */
export class CellReader {
  readonly #decoder = textDecoder();
  readonly #decimals: DecimalScanner;
  readonly #mark: number;
  readonly #quote: string;
  readonly #missing: readonly Uint8Array[];
  /** For each length up to the longest: whether a missing cell may be so long. */
  readonly #missingLengths: Uint8Array;

  constructor(
    readonly bytes: Uint8Array,
    readonly cells: CsvCells,
    /** The row of the file that is row 0 of the table. */
    readonly firstRow: number,
    quote: number,
    decimal: string,
    missing: readonly Uint8Array[],
  ) {
    const textOf = (start: number, end: number) => this.#decoder.decode(bytes.subarray(start, end));
    this.#mark = decimal.charCodeAt(0);
    this.#decimals = new DecimalScanner(bytes, textOf, this.#mark);
    this.#quote = String.fromCharCode(quote);
    this.#missing = missing;
    this.#missingLengths = new Uint8Array(
      1 +
        maxOf(
          missing.map(({ length }) => length),
          0,
        ),
    );
    for (const { length } of missing) this.#missingLengths[length] = 1;
  }

  get rows(): number {
    return this.cells.rows - this.firstRow;
  }

  get cols(): number {
    return this.cells.cols;
  }

  /** In how many ways a missing entry may be written. */
  get missingTokens(): number {
    return this.#missing.length;
  }

  /** Where the cell of a row of the table is in the file. */
  placeOf(row: number, col: number): number {
    return this.cells.starts[this.#cellOf(row, col)]!;
  }

  text(row: number, col: number): string {
    const f = this.#cellOf(row, col);
    return this.#textBetween(this.cells.starts[f]!, this.cells.ends[f]!);
  }

  #cellOf(row: number, col: number): number {
    return (this.firstRow + row) * this.cells.cols + col;
  }

  /** A negative end is that of a cell with doubled quotes. */
  #textBetween(start: number, end: number): string {
    const text = this.#decoder.decode(this.bytes.subarray(start, end < 0 ? ~end : end));
    return end < 0 ? text.replaceAll(this.#quote + this.#quote, this.#quote) : text;
  }

  #isMissing(start: number, end: number): boolean {
    const length = end - start;
    if (length < 0 || length >= this.#missingLengths.length || this.#missingLengths[length] === 0)
      return false;
    return this.#missing.some(
      (token) => token.length === length && token.every((code, k) => this.bytes[start + k] === code),
    );
  }

  get #emptyIsMissing(): boolean {
    return this.#missingLengths[0] === 1;
  }

  /**
   * Numbers. With `exactly`, an integer of more than 15 digits or with a zero in front is refused: these are identifiers, which
   * would not survive as numbers.
   */
  numbers(col: number, exactly: boolean): NumericColumn | Refused {
    const rules = { mark: this.#mark, exactly, emptyIsMissing: this.#emptyIsMissing };
    const values = this.cells.numbers(col, this.firstRow, rules, (row) => this.#number(row, col, exactly));
    return typeof values === "number" ? { row: values } : new NumericColumn(values);
  }

  /** The number of any cell, NaN if it is missing; undefined if it has none. */
  #number(row: number, col: number, exactly: boolean): number | undefined {
    const f = this.#cellOf(row, col);
    const [start, end] = [this.cells.starts[f]!, this.cells.ends[f]!];
    const value = this.#decimals.read(start);
    if (this.#decimals.end === end && end > start)
      return exactly && this.#isIdentifier(start, end) ? undefined : value;
    if (this.#isMissing(start, end)) return Number.NaN;
    return end < 0 ? undefined : INFINITIES.get(this.#textBetween(start, end));
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
    if (this.rows === 0) return new BooleanColumn(new Uint8Array(0));
    // Most columns of other things are refused here.
    if (this.#flags(words)(this.#cellOf(0, col)) === undefined) return { row: 0 };
    // Words differ by upper and lower case only, so that there are few.
    const found = this.cells.categories(col, this.firstRow, MOST_SPELLINGS);
    const flagOf = this.#flags(words);
    const seen = found?.cells ?? Int32Array.from({ length: this.rows }, (_, row) => this.#cellOf(row, col));
    const values = new Uint8Array(seen.length);
    for (const [code, f] of seen.entries()) {
      const value = flagOf(f);
      if (value === undefined) return { row: (f - col) / this.cols - this.firstRow };
      values[code] = value;
    }
    return new BooleanColumn(found ? Uint8Array.from(found.codes, (code) => values[code]!) : values);
  }

  /** The flag of a cell, undefined if it has none. Valid until the next allocation, which may move the places of all cells. */
  #flags(words: ReadonlyMap<string, number>): (f: number) => number | undefined {
    const { starts, ends } = this.cells;
    return (f) =>
      this.#isMissing(starts[f]!, ends[f]!)
        ? MISSING
        : words.get(this.#textBetween(starts[f]!, ends[f]!).toLowerCase());
  }

  dates(col: number): DateColumn | Refused {
    const values = this.cells.days(col, this.firstRow, this.#emptyIsMissing, (row) => {
      const f = this.#cellOf(row, col);
      const [start, end] = [this.cells.starts[f]!, this.cells.ends[f]!];
      return this.#isMissing(start, end) ? Number.NaN : readDate(this.#textBetween(start, end));
    });
    return typeof values === "number" ? { row: values } : new DateColumn(values);
  }

  /** Categories; undefined if there are more than `most`. Cells are compared by their bytes, and decoded once each. */
  categories(col: number, most: number): CategoricalColumn | undefined {
    const found = this.cells.categories(col, this.firstRow, most);
    if (found === undefined) return undefined;
    const { starts, ends } = this.cells;
    const names = Array.from(found.cells, (f) =>
      this.#isMissing(starts[f]!, ends[f]!) ? null : this.#textBetween(starts[f]!, ends[f]!),
    );
    return sorted(found.codes, names);
  }

  texts(col: number): TextColumn {
    const { cols, starts, ends } = this.cells;
    const out = new Array<string | null>(this.rows);
    for (let row = 0, f = this.#cellOf(0, col); row < out.length; row++, f += cols)
      out[row] = this.#isMissing(starts[f]!, ends[f]!) ? null : this.#textBetween(starts[f]!, ends[f]!);
    return new TextColumn(out);
  }
}

/** A missing entry of a column of booleans. */
const MISSING = 2;
/** Different cells of a column of booleans: more than the ways to write its words and what is missing. */
const MOST_SPELLINGS = 256;

const INFINITIES = new Map(
  ["inf", "Inf", "infinity", "Infinity", "INF"].flatMap((word): [string, number][] => [
    [word, Number.POSITIVE_INFINITY],
    [`+${word}`, Number.POSITIVE_INFINITY],
    [`-${word}`, Number.NEGATIVE_INFINITY],
  ]),
);

/** By code unit, as every categorical column has them. Cells that differ by quoting only are one category; null is a missing one. */
function sorted(codes: Int32Array, names: readonly (string | null)[]): CategoricalColumn {
  const present = names.filter((name) => name !== null);
  const categories = [...new Set(present)].sort((a, b) => (a < b ? -1 : 1));
  const places = new Map<string | null, number>(categories.map((name, code) => [name, code]));
  const place = Int32Array.from(names, (name) => places.get(name) ?? -1);
  for (let i = 0; i < codes.length; i++) codes[i] = place[codes[i]!]!;
  return new CategoricalColumn(codes, Object.freeze(categories));
}
