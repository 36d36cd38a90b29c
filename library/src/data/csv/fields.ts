import { FormatError } from "../../core/errors.js";
import { doubled } from "../text-bytes.js";

const NEWLINE = 10;
const RETURN = 13;
const SPACE = 32;

/** How a file is written. */
export interface Dialect {
  /** Codes of single bytes. */
  readonly delimiter: number;
  readonly quote: number;
  /** Leave out blanks around cells that are not quoted. */
  readonly trim: boolean;
}

/** What is wrong with a row. */
export interface BadRow {
  readonly line: number;
  readonly expected: string;
  readonly received: string;
}

/**
 * Where the cells of a file are: cell f is bytes[starts[f]] … bytes[ends[f] − 1]. A quoted one is without its quotes; if it has
 * doubled quotes inside, its end is stored as ~end. All rows are `cols` wide.
 */
export interface Fields {
  readonly rows: number;
  readonly cols: number;
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  /** Rows that are wider or narrower than the first, which are left out of the others. */
  readonly bad: readonly BadRow[];
}

/**
 * Finds the cells of a file, by RFC 4180: cells are divided by the delimiter, rows by a line break; a cell in quotes may have both
 * inside, and quotes if doubled. Lines without anything are passed over.
 */
export class FieldFinder {
  readonly #special = new Uint8Array(256);
  /** The line of byte `#countedTo`. */
  #lines = 1;
  #countedTo = 0;

  /** The bytes end with a line break. */
  constructor(
    readonly where: string,
    readonly bytes: Uint8Array,
    readonly dialect: Dialect,
  ) {
    for (const code of [dialect.delimiter, NEWLINE, RETURN]) this.#special[code] = 1;
  }

  /** All rows from byte `from` on, or the first `most`. */
  find(from: number, most = Number.POSITIVE_INFINITY): Fields {
    const { bytes, dialect } = this;
    const { delimiter, quote, trim } = dialect;
    const special = this.#special;
    const bad: BadRow[] = [];
    let starts = new Int32Array(1 << 12);
    let ends = new Int32Array(1 << 12);
    let cols = -1;
    let rows = 0;
    let at = from;
    let count = 0;
    while (at < bytes.length && rows < most) {
      const first = count;
      const rowStart = at;
      let code = delimiter;
      while (code === delimiter) {
        if (count === starts.length) {
          starts = doubled(starts);
          ends = doubled(ends);
        }
        code = bytes[at]!;
        if (trim) while (code === SPACE) code = bytes[++at]!;
        if (code === quote) {
          starts[count] = at + 1;
          let isDoubled = false;
          for (at++; at < bytes.length; at++) {
            if (bytes[at] !== quote) continue;
            if (bytes[at + 1] !== quote) break;
            isDoubled = true;
            at++;
          }
          ends[count] = isDoubled ? ~at : at;
          at = this.#afterQuote(starts[count]! - 1, at);
          code = bytes[at]!;
        } else {
          starts[count] = at;
          while (special[code] === 0) code = bytes[++at]!;
          let end = at;
          if (trim) while (end > starts[count]! && bytes[end - 1] === SPACE) end--;
          ends[count] = end;
        }
        count++;
        at++;
      }
      if (code === RETURN && bytes[at] === NEWLINE) at++;
      const width = count - first;
      if (width === 1 && this.#isBlank(starts[first]!, ends[first]!)) count = first;
      else if (cols < 0 || width === cols) {
        cols = width;
        rows++;
      } else {
        count = first;
        const line = this.lineAt(rowStart);
        bad.push({ line, expected: `${cols} cells, as in the first row`, received: `${width}` });
      }
    }
    return {
      rows,
      cols: Math.max(0, cols),
      starts: starts.subarray(0, count),
      ends: ends.subarray(0, count),
      bad,
    };
  }

  /** The line in which a byte is, from 1 on. */
  lineAt(at: number): number {
    if (at < this.#countedTo) {
      this.#countedTo = 0;
      this.#lines = 1;
    }
    for (;;) {
      const end = this.bytes.indexOf(NEWLINE, this.#countedTo);
      if (end < 0 || end >= at) return this.#lines;
      this.#countedTo = end + 1;
      this.#lines++;
    }
  }

  /** An empty line, or one of blanks; quotes around nothing are a cell. */
  #isBlank(start: number, end: number): boolean {
    return end === start && (start === 0 || this.bytes[start - 1] !== this.dialect.quote);
  }

  /** Where the delimiter or the line break after a quoted cell is. */
  #afterQuote(open: number, close: number): number {
    const { bytes, where } = this;
    if (close >= bytes.length) {
      throw new FormatError({
        where,
        subject: `the quote that opens a cell in line ${this.lineAt(open)}`,
        expected: "closed by another one",
        received: "none up to the end",
        advice: 'If quotes are ordinary characters of this file, pass { quote: "" }.',
      });
    }
    let after = close + 1;
    if (this.dialect.trim) while (bytes[after] === SPACE) after++;
    if (this.#special[bytes[after]!] !== 0) return after;
    throw new FormatError({
      where,
      subject: `the quoted cell in line ${this.lineAt(close)}`,
      expected: "followed by the delimiter or the end of the line",
      received: JSON.stringify(String.fromCharCode(bytes[after]!)),
      advice:
        'A quote inside is written twice. If quotes are ordinary characters of this file, pass { quote: "" }.',
    });
  }
}
