import { FormatError, ShapeError, show } from "../../core/errors.js";
import { textDecoder } from "../../core/text/utf8-coders.js";
import { DecimalScanner } from "../text/decimal.js";

const TAB = 9;
const NEWLINE = 10;
const RETURN = 13;
const SPACE = 32;
const HASH = 35;
const ZERO = 48;
const NINE = 57;
const COLON = 58;

/** Columns are kept as 32-bit integers. */
const MAX_INDEX = 2 ** 31 - 1;

const isDigit = (code: number): boolean => code >= ZERO && code <= NINE;
const isBlank = (code: number): boolean =>
  code === SPACE || (code >= TAB && code <= RETURN && code !== NEWLINE);
const endsToken = (code: number): boolean => isBlank(code) || code === NEWLINE || code === HASH;

const word = (text: string): readonly number[] => Array.from(text, (letter) => letter.charCodeAt(0));
const QID = word("qid:");
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

export interface SvmlightParts {
  readonly rows: number;
  readonly indptr: Int32Array;
  /** As the file counts them. */
  readonly indices: Int32Array;
  readonly values: Float64Array;
  readonly y: Float64Array;
  readonly queryIds: Float64Array | undefined;
}

/**
 * Reads rows of `label index:value …` from bytes, in one pass after a count of lines and colons that sizes the arrays.
 * The bytes end with a newline, so that no loop over a token needs to look for their end.
 */
export class SvmlightReader {
  /** The smallest and the largest index. */
  lowest = Number.POSITIVE_INFINITY;
  highest = -1;
  readonly #bytes: Uint8Array;
  readonly #y: Float64Array;
  readonly #indptr: Int32Array;
  readonly #indices: Int32Array;
  readonly #values: Float64Array;
  #queryIds: Float64Array | undefined;
  #at = 0;
  #line = 1;
  #rows = 0;
  #entries = 0;
  #highestLine = 0;
  readonly #decoder = textDecoder({ skipMark: true });
  readonly #decimals: DecimalScanner;
  #decoded = "";
  #decodedFrom = 0;
  #decodedLine = 0;

  /** `leastIndex` is the smallest legal one. */
  constructor(
    readonly where: string,
    bytes: Uint8Array,
    readonly leastIndex: 0 | 1,
  ) {
    this.#bytes = endedByNewline(bytes);
    this.#decimals = new DecimalScanner(this.#bytes, (start, end) => this.#ascii(start, end));
    const { lines, colons } = count(this.#bytes);
    this.#y = new Float64Array(lines);
    this.#indptr = new Int32Array(lines + 1);
    this.#indices = new Int32Array(colons);
    this.#values = new Float64Array(colons);
  }

  readAll(): void {
    if (this.#startsWith(BYTE_ORDER_MARK)) this.#at += BYTE_ORDER_MARK.length;
    for (; this.#at < this.#bytes.length; this.#line++) {
      if (this.#findToken()) this.#readRow();
      this.#at = this.#bytes.indexOf(NEWLINE, this.#at) + 1;
    }
  }

  parts(): SvmlightParts {
    const rows = this.#rows;
    return {
      rows,
      indptr: shortened(this.#indptr, rows + 1),
      indices: shortened(this.#indices, this.#entries),
      values: shortened(this.#values, this.#entries),
      y: shortened(this.#y, rows),
      queryIds: this.#queryIds && shortened(this.#queryIds, rows),
    };
  }

  /** The error for a file that is wider than requested. */
  refuseHighest(limit: number, cols: number): never {
    const subject = `an index in line ${this.#highestLine}`;
    throw new ShapeError(this.where, subject, `at most ${limit}, as cols is ${cols}`, `${this.highest}`);
  }

  #readRow(): void {
    this.#readLabel();
    const more = this.#findToken();
    this.#readQueryId(more && this.#startsWith(QID));
    this.#readFeatures();
    this.#indptr[++this.#rows] = this.#entries;
  }

  #readLabel(): void {
    const start = this.#at;
    const label = this.#readNumber();
    if (Number.isFinite(label) && endsToken(this.#bytes[this.#at]!)) {
      this.#y[this.#rows] = label;
      return;
    }
    const token = this.#token(start);
    const advice = token.includes(",")
      ? "Several labels a row are not supported: write one file a label, with 1 for the rows that have it."
      : token.includes(":")
        ? "A row begins with its label."
        : undefined;
    this.#fail("the label", "one finite number", show(token), advice);
  }

  /** Either every row has a query id or none. */
  #readQueryId(present: boolean): void {
    if (this.#rows === 0 && present) this.#queryIds = new Float64Array(this.#y.length);
    if (present !== (this.#queryIds !== undefined)) {
      const [expected, received] = present ? ["absent", "one"] : ["present", "none"];
      this.#fail("qid", `${expected}, as in the rows before`, received);
    }
    if (!present) return;
    this.#at += QID.length;
    const start = this.#at;
    const id = this.#readNumber();
    if (!Number.isSafeInteger(id) || !endsToken(this.#bytes[this.#at]!)) {
      this.#fail("qid", "an integer", show(this.#token(start)));
    }
    this.#queryIds![this.#rows] = id;
  }

  #readFeatures(): void {
    let previous = this.leastIndex - 1;
    const from = this.#entries;
    while (this.#findToken()) {
      const index = this.#readIndex(previous);
      const start = this.#at;
      const value = this.#readNumber();
      if (!Number.isFinite(value) || !endsToken(this.#bytes[this.#at]!)) {
        this.#fail(`the value of index ${index}`, "a finite number", show(this.#token(start)));
      }
      this.#indices[this.#entries] = index;
      this.#values[this.#entries++] = value;
      previous = index;
    }
    if (this.#entries === from) return;
    if (this.#indices[from]! < this.lowest) this.lowest = this.#indices[from]!;
    if (previous <= this.highest) return;
    this.highest = previous;
    this.#highestLine = this.#line;
  }

  /** Moves over the index and its colon. */
  #readIndex(previous: number): number {
    const bytes = this.#bytes;
    const start = this.#at;
    let at = start;
    let index = 0;
    let code = bytes[at]!;
    while (isDigit(code)) {
      index = 10 * index + code - ZERO;
      code = bytes[++at]!;
    }
    if (code !== COLON || at === start || index <= previous || index > MAX_INDEX) {
      this.#refuseIndex(this.#token(start), previous);
    }
    this.#at = at + 1;
    return index;
  }

  #refuseIndex(token: string, previous: number): never {
    const colon = token.indexOf(":");
    if (colon < 0) this.#fail("a feature", "index:value", show(token));
    const text = token.slice(0, colon);
    if (!/^\d+$/.test(text)) this.#fail("an index", "a whole number", show(text));
    if (Number(text) > MAX_INDEX) this.#fail("an index", `at most ${MAX_INDEX}`, text);
    if (Number(text) < this.leastIndex) {
      this.#fail("an index", "≥ 1", text, "Pass { zeroBased: true } if the file counts from 0.");
    }
    this.#fail("an index", `> ${previous}, the one before it`, text, "The indices of a row ascend.");
  }

  /** Moves over a decimal number; NaN if there is none. */
  #readNumber(): number {
    const value = this.#decimals.read(this.#at);
    this.#at = this.#decimals.end;
    return value;
  }

  /** Bytes that are ASCII, as text: a line is decoded once and then cut, which is much faster than number by number. */
  #ascii(start: number, end: number): string {
    if (this.#decodedLine !== this.#line) {
      this.#decodedLine = this.#line;
      this.#decodedFrom = start;
      this.#decoded = this.#decoder.decode(this.#bytes.subarray(start, this.#bytes.indexOf(NEWLINE, start)));
    }
    return this.#decoded.slice(start - this.#decodedFrom, end - this.#decodedFrom);
  }

  /** Skips blanks; returns whether anything is left of the line. */
  #findToken(): boolean {
    let code = this.#bytes[this.#at]!;
    while (isBlank(code)) code = this.#bytes[++this.#at]!;
    return code !== NEWLINE && code !== HASH;
  }

  #startsWith(codes: readonly number[]): boolean {
    return codes.every((code, k) => this.#bytes[this.#at + k] === code);
  }

  #token(start: number): string {
    let end = start;
    while (!endsToken(this.#bytes[end]!)) end++;
    return this.#decoder.decode(this.#bytes.subarray(start, end));
  }

  #fail(subject: string, expected: string, received: string, advice?: string): never {
    throw new FormatError(this.where, `${subject} in line ${this.#line}`, expected, received, advice);
  }
}

function endedByNewline(bytes: Uint8Array): Uint8Array {
  if (bytes.at(-1) === NEWLINE) return bytes;
  const ended = new Uint8Array(bytes.length + 1);
  ended.set(bytes);
  ended[bytes.length] = NEWLINE;
  return ended;
}

/** At least as many as there are rows and entries; comments may add to both. */
function count(bytes: Uint8Array): { lines: number; colons: number } {
  let lines = 0;
  let colons = 0;
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at] === NEWLINE) lines++;
    else if (bytes[at] === COLON) colons++;
  }
  return { lines, colons };
}

/** A view would keep the longer memory alive. */
function shortened<A extends Int32Array | Float64Array>(list: A, length: number): A {
  return (list.length === length ? list : list.slice(0, length)) as A;
}
