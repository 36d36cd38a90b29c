import { ParameterError, show } from "../core/errors.js";
import { minOf } from "../core/numbers/extremes.js";
import { textDecoder } from "../core/text/utf8-coders.js";
import { CsvCells, type CsvText, type Dialect } from "../numeric/csv/csv-cells.js";
import type { CellReader } from "./cells.js";

const DELIMITERS = [",", ";", "\t", "|"] as const;
const APOSTROPHE = 39;
const COMMA = 44;
const SEMICOLON = 59;
const POINT = 46;
const LINE_BREAKS = [10, 13] as const;
const QUOTES = ['"', "'"] as const;
/** Rows from which the dialect is guessed. */
const SAMPLE_ROWS = 200;

/** What the caller says of a file; null is guessed. */
export interface GivenDialect {
  readonly delimiter: string | null;
  readonly quote: string | null;
  readonly decimal: string | null;
  readonly trim: boolean;
}

/** One character cannot mean two things. */
export function checkDialect(where: string, { delimiter, quote, decimal }: GivenDialect): void {
  const refuse = (subject: string, expected: string, received: string, advice = ""): never => {
    throw new ParameterError(where, subject, expected, show(received), advice);
  };
  if (delimiter !== null && /\d/.test(delimiter)) refuse("delimiter", "no digit", delimiter);
  if (delimiter !== null && delimiter === quote)
    refuse("delimiter", "another character than quote", delimiter);
  if (delimiter !== null && delimiter === decimal) {
    const advice =
      "Where numbers with decimal commas stand in quotes, pass decimal alone: the delimiter is guessed.";
    refuse("delimiter", "another character than decimal", delimiter, advice);
  }
  if (quote !== null && quote === decimal) refuse("quote", "another character than decimal", quote);
}

/**
 * The delimiter and the quote of a file: the pair that gives rows of the most equal width, of several the one with more columns.
 * A delimiter that leaves commas only inside of numbers (1,5;2,5) comes before the comma. A file of one column has none, for which a
 * comma does.
 */
export function guessDialect(bytes: Uint8Array, text: CsvText, given: GivenDialect): Dialect {
  const delimiters =
    given.delimiter === null ? DELIMITERS.filter((mark) => mark !== given.quote) : [given.delimiter];
  const quotes = given.quote === null ? QUOTES.filter((mark) => mark !== given.delimiter) : [given.quote];
  let best: Dialect | undefined;
  let highest = Number.NEGATIVE_INFINITY;
  for (const quote of quotes) {
    for (const delimiter of delimiters) {
      // A blank that divides or quotes cells is not one around them.
      const trim = given.trim && delimiter !== " " && quote !== " ";
      const dialect = { delimiter: codeOf(delimiter), quote: codeOf(quote), trim };
      const score = scoreOf(bytes, text, dialect, given.decimal);
      if (score <= highest) continue;
      highest = score;
      best = dialect;
    }
  }
  return best!;
}

/** No byte has this code: without a quote nothing is quoted. */
export const NO_QUOTE = 256;

const codeOf = (text: string): number => (text === "" ? NO_QUOTE : text.charCodeAt(0));

/**
 * Fraction of rows with the width of the first one, then the width, then the fraction of cells in these quotes. Rows of one cell speak
 * for no delimiter; single quotes count only where cells stand in them, since they are apostrophes elsewhere.
 */
function scoreOf(bytes: Uint8Array, text: CsvText, dialect: Dialect, decimal: string | null): number {
  const { rows, cols, starts, ends, badRows, badQuote } = new CsvCells(text, dialect, SAMPLE_ROWS);
  if (badQuote !== undefined) {
    // Another dialect, or, if none is better, an error of the file.
    const divides = firstLine(bytes).includes(dialect.delimiter);
    return dialect.quote !== APOSTROPHE && divides ? 0.001 : -1;
  }
  let quoted = 0;
  for (let f = 0; f < starts.length; f++)
    if (starts[f]! > 0 && bytes[starts[f]! - 1] === dialect.quote) quoted++;
  if (quoted === 0 && dialect.quote === APOSTROPHE) return -1;
  const share = rows / Math.max(1, rows + badRows.length);
  const width = cols < 2 ? 0 : share + cols / (1 + cols) / 10;
  // A column of 1,5 alone may as well be two columns, unless the caller says that commas are decimal.
  const mayBeDecimal = dialect.delimiter !== COMMA && share === 1 && (cols > 1 || decimal === ",");
  const decimals = mayBeDecimal && decimal !== "." && commasAreDecimal(bytes, starts, ends) ? DECIMALS : 0;
  return decimals + width + quoted / (1 + starts.length) / 1000;
}

/** More than any share and width. */
const DECIMALS = 2;

function firstLine(bytes: Uint8Array): Uint8Array {
  const ends = LINE_BREAKS.map((code) => bytes.indexOf(code)).filter((at) => at >= 0);
  return bytes.subarray(0, minOf(ends, bytes.length));
}

/** Whether commas are in numbers such as 12,5 only, and there are some. */
function commasAreDecimal(bytes: Uint8Array, starts: Int32Array, ends: Int32Array): boolean {
  const decoder = textDecoder();
  let commas = 0;
  for (let f = 0; f < starts.length; f++) {
    const end = ends[f]! < 0 ? ~ends[f]! : ends[f]!;
    const cell = bytes.subarray(starts[f]!, end);
    if (!cell.includes(COMMA)) continue;
    if (!DECIMAL_COMMA.test(decoder.decode(cell))) return false;
    commas++;
  }
  return commas > 0;
}

const DECIMAL_COMMA = /^[+-]?\d*,\d+(?:[eE][+-]?\d+)?$/;
const DECIMAL_POINT = /^[+-]?\d*\.\d+(?:[eE][+-]?\d+)?$/;
/** At least two commas: of 1,234 nobody knows what it is. */
const THOUSANDS = /^[+-]?\d{1,3}(?:,\d{3}){2,}$/;

const ONE_THOUSAND = /^[+-]?\d{1,3},\d{3}$/;

/** A comma, if cells look like 12,5 and none looks like 12.5 or 1,234,567. */
export function guessDecimal(first: CellReader, { delimiter, quote }: Dialect): "." | "," {
  if (delimiter === COMMA || quote === COMMA) return ".";
  if (delimiter === POINT || quote === POINT) return ",";
  let commas = 0;
  for (let row = 0; row < Math.min(SAMPLE_ROWS, first.rows); row++) {
    for (let col = 0; col < first.cols; col++) {
      const text = first.text(row, col);
      if (DECIMAL_POINT.test(text) || THOUSANDS.test(text)) return ".";
      // A semicolon is the mark of programs whose decimal mark is the comma; beside others 1,234 proves nothing.
      if (DECIMAL_COMMA.test(text) && (delimiter === SEMICOLON || !ONE_THOUSAND.test(text))) commas++;
    }
  }
  return commas > 0 ? "," : ".";
}

/**
 * Whether the first row has names: none is a number, with a decimal comma where these are possible, or all that are numbers are years
 * above something else. What is above nothing, as the number of the row has it in some files, is fine.
 */
export function looksLikeNames(first: CellReader, { delimiter }: Dialect, decimal: string | null): boolean {
  const allowsCommas = decimal === "," || (decimal === null && delimiter !== COMMA);
  const isNumber = (text: string) =>
    (text !== "" && Number.isFinite(Number(text))) || (allowsCommas && DECIMAL_COMMA.test(text));
  const cells = Array.from({ length: first.cols }, (_, col) => first.text(0, col).trim());
  const numbers = [...cells.keys()].filter((col) => isNumber(cells[col]!));
  return numbers.length === 0 || areYears(first, cells, numbers, isNumber);
}

const YEAR = /^(?:1[89]\d\d|20\d\d)$/;
/** Rows below the first that are compared with it. */
const COMPARED_ROWS = 20;

/**
 * `country,1990,2000` above `Norway,4241,4491`: two years or more in order, beside a name that stands above text. Where the rows below
 * have years in these columns too, the first row is one of them.
 */
function areYears(
  first: CellReader,
  cells: readonly string[],
  numbers: readonly number[],
  isNumber: (text: string) => boolean,
): boolean {
  const years = numbers.map((col) => cells[col]!);
  const inOrder = (sign: number) =>
    years.every((year, k) => k === 0 || sign * (Number(year) - Number(years[k - 1])) > 0);
  if (years.length < 2 || !years.every((year) => YEAR.test(year)) || !(inOrder(1) || inOrder(-1)))
    return false;
  const rows = Array.from({ length: Math.min(COMPARED_ROWS, first.rows - 1) }, (_, k) => k + 1);
  const below = (col: number) => rows.map((row) => first.text(row, col).trim()).filter((text) => text !== "");
  const isName = (col: number) =>
    cells[col] !== "" && !numbers.includes(col) && below(col).length > 0 && !below(col).some(isNumber);
  return (
    cells.some((_, col) => isName(col)) && numbers.some((col) => below(col).some((text) => !YEAR.test(text)))
  );
}
