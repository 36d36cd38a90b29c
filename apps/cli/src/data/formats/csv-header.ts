import { ArgmaxError, type CsvGuess, type CsvOptions, parseCsv, type Table } from "argmax";
import { requireNames } from "../names.js";
import { listed } from "../nearest.js";
import { lastRowEnd, type Marks } from "./csv-blocks.js";
import { csvFailure } from "./csv-errors.js";

/** Bytes from which delimiter, quote and names are guessed. */
const SAMPLE = 1 << 18;

const show = (text: unknown) => JSON.stringify(text);

/** The rows of some bytes, with errors that name the file. */
export function parse(label: string, bytes: Uint8Array, options: CsvOptions, linesBefore = 0): Table {
  try {
    return parseCsv(bytes, options) as Table;
  } catch (error) {
    if (error instanceof ArgmaxError && /^(?:columns|types)\b/.test(error.subject)) {
      const asked = [...(options.columns ?? []), ...Object.keys(options.types ?? {})];
      requireNames(label, asked, headerOf(bytes, options).names);
    }
    throw csvFailure(label, error, linesBefore);
  }
}

export interface Header {
  readonly guess: CsvGuess;
  readonly names: readonly string[];
}

/** Names and dialect, from the rows that end within the first bytes. */
export function headerOf(bytes: Uint8Array, options: CsvOptions): Header {
  let guess: CsvGuess | undefined;
  let names: readonly string[] = [];
  const read = (end: number) => {
    const table = parseCsv(bytes.subarray(0, end), {
      ...options,
      columns: undefined,
      types: undefined,
      badRows: "skip",
      onGuess: (found) => {
        guess = found;
      },
    });
    names = table.columnNames;
  };
  let end = bytes.length <= SAMPLE ? bytes.length : bytes.lastIndexOf(10, SAMPLE) + 1 || bytes.length;
  for (;;) {
    try {
      read(end);
      return { guess: guess!, names };
    } catch (error) {
      // The sample may end within quotes; an earlier row then does not.
      const earlier = bytes.lastIndexOf(10, end - 2) + 1;
      if (end === bytes.length || earlier <= 0) throw error;
      end = earlier;
    }
  }
}

export const marksOf = ({ delimiter, quote }: CsvGuess): Marks => ({
  delimiter: delimiter.charCodeAt(0),
  quote: quote === "" ? -1 : quote.charCodeAt(0),
});

export function remarksOf(label: string, bytes: Uint8Array, guess: CsvGuess): string[] {
  const remarks: string[] = [];
  if (guess.skippedLines.length > 0)
    remarks.push(
      `${label}: ${guess.skippedLines.length} rows of another width were left out (lines ${listed(
        guess.skippedLines.slice(0, 5).map(String),
      )}${guess.skippedLines.length > 5 ? ", …" : ""}).`,
    );
  if (guess.encodingGuessed)
    remarks.push(`${label} is read as ${guess.encoding}: if that is wrong, give --encoding.`);
  if (!guess.header) {
    remarks.push(`${label}: the first row has a number, so that columns are named column1, column2, ….`);
    return remarks;
  }
  const written = firstRow(bytes, guess);
  const empty = written.filter((name) => name === "").length;
  const twice = [...new Set(written.filter((name, k) => name !== "" && written.indexOf(name) !== k))];
  if (empty > 0)
    remarks.push(`${label}: ${empty} ${empty === 1 ? "column has" : "columns have"} no name and got one.`);
  if (twice.length > 0)
    remarks.push(
      `${label}: several columns are named ${listed(twice.map(show))}; the later ones end in .1, .2, ….`,
    );
  return remarks;
}

/** The cells of the row of names as they are written. */
function firstRow(bytes: Uint8Array, guess: CsvGuess): string[] {
  const sample = bytes.subarray(0, SAMPLE);
  const newline = sample.indexOf(10);
  let end = newline < 0 ? bytes.length : newline + 1;
  // Names in quotes may have line breaks.
  for (
    let k = 0;
    k < 100 && end < sample.length && lastRowEnd(sample.subarray(0, end + 1), marksOf(guess)) === 0;
    k++
  )
    end = sample.indexOf(10, end) + 1 || sample.length;
  const { delimiter, quote } = guess;
  try {
    const row = parseCsv(bytes.subarray(0, end), { delimiter, quote, header: false, missing: [] });
    return row.columnNames.map((name) => String(row.column(name).at(0)));
  } catch {
    return [];
  }
}
