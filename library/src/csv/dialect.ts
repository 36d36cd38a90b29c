import { CsvCells, type CsvText, type Dialect } from "../numeric/csv/csv-cells.js";

const DELIMITERS = [",", ";", "\t", "|"] as const;
const APOSTROPHE = 39;
const NEWLINE = 10;
const QUOTES = ['"', "'"] as const;
/** Rows from which the dialect is guessed. */
const SAMPLE_ROWS = 200;

export interface GivenDialect {
  readonly delimiter: string | null;
  readonly quote: string | null;
  readonly trim: boolean;
}

/**
 * The delimiter and the quote of a file: the pair that gives rows of the most equal width, of several the one with more columns.
 * A file of one column has none, for which a comma does.
 */
export function guessDialect(bytes: Uint8Array, text: CsvText, given: GivenDialect): Dialect {
  const delimiters = given.delimiter === null ? DELIMITERS : [given.delimiter];
  const quotes = given.quote === null ? QUOTES : [given.quote];
  let best: Dialect | undefined;
  let highest = Number.NEGATIVE_INFINITY;
  for (const quote of quotes) {
    for (const delimiter of delimiters) {
      const dialect = { delimiter: codeOf(delimiter), quote: codeOf(quote), trim: given.trim };
      const score = scoreOf(bytes, text, dialect);
      if (score <= highest) continue;
      highest = score;
      best = dialect;
    }
  }
  return best!;
}

/** No byte has code 256: without a quote nothing is quoted. */
const codeOf = (text: string): number => (text === "" ? 256 : text.charCodeAt(0));

/**
 * Share of rows with the width of the first one, then the width, then the share of cells in these quotes. Rows of one cell speak
 * for no delimiter; single quotes count only where cells stand in them, since they are apostrophes elsewhere.
 */
function scoreOf(bytes: Uint8Array, text: CsvText, dialect: Dialect): number {
  const { rows, cols, starts, badRows, badQuote } = new CsvCells(text, dialect, SAMPLE_ROWS);
  if (badQuote !== undefined) {
    // Another dialect, or, if none is better, an error of the file.
    const divides = bytes.subarray(0, bytes.indexOf(NEWLINE)).includes(dialect.delimiter);
    return dialect.quote !== APOSTROPHE && divides ? 0.001 : -1;
  }
  let quoted = 0;
  for (let f = 0; f < starts.length; f++)
    if (starts[f]! > 0 && bytes[starts[f]! - 1] === dialect.quote) quoted++;
  if (quoted === 0 && dialect.quote === APOSTROPHE) return -1;
  const share = rows / Math.max(1, rows + badRows.length);
  const width = cols < 2 ? 0 : share + cols / (1 + cols) / 10;
  return width + quoted / (1 + starts.length) / 1000;
}
