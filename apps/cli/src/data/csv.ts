import { readFile } from "node:fs/promises";
import {
  ArgmaxError,
  type CsvGuess,
  type CsvKind,
  type CsvOptions,
  type InputKind,
  parseCsv,
  type Table,
} from "argmax";
import { Failure } from "../command.js";
import { readBytes } from "./bytes.js";
import { columnsOf, requireFinite, settled, tableOf } from "./columns.js";
import { lastRowEnd, type Marks, rowBlocks } from "./csv-blocks.js";
import { csvFailure } from "./csv-errors.js";
import { requireText, utf8Chunks } from "./encoding.js";
import type { DataFile } from "./locate.js";
import { requireNames } from "./names.js";
import { listed } from "./nearest.js";
import type { SourceOptions, StreamOptions } from "./source.js";

/** Bytes of a block: large enough for kernels to be busy, small enough to stay in the caches of a machine. */
const BLOCK = 4 << 20;
/** Bytes from which delimiter, quote and names are guessed. */
const SAMPLE = 1 << 18;
/** Files up to this size are read at once; beyond, block by block. The parser's memory ends at 4 GB. */
const WHOLE = 1 << 30;

const csvKinds: Readonly<Record<InputKind, CsvKind>> = {
  numeric: "number",
  categorical: "category",
  boolean: "boolean",
  date: "date",
  text: "text",
};

const show = (text: unknown) => JSON.stringify(text);

const delimiterOf = ({ format }: DataFile, { delimiter }: SourceOptions): string | undefined =>
  delimiter ?? (format === "tsv" ? "\t" : undefined);

/** The whole file as parseCsv reads it. */
export async function loadCsvFile(
  file: DataFile,
  options: SourceOptions,
): Promise<{ table: Table; remarks: string[] }> {
  const bytes = await wholeFile(file, options);
  requireText(file.label, bytes);
  let guess: CsvGuess | undefined;
  const asText = new Set(options.asText);
  const table = parse(file.label, bytes, {
    delimiter: delimiterOf(file, options),
    columns: options.columns,
    types: Object.fromEntries([...asText].map((name) => [name, "category"])),
    badRows: options.badRows,
    onGuess: (found) => {
      guess = found;
    },
  });
  requireRows(file.label, table);
  requireFinite(table, (name, i) => `${file.label}, row ${i + 1}, column ${show(name)}: the cell`);
  const columns = columnsOf(table).map(
    ([name, column]) => [name, asText.has(name) ? settled(column) : column] as const,
  );
  return { table: tableOf(columns), remarks: remarksOf(file.label, bytes, guess!) };
}

async function wholeFile(file: DataFile, { stdin }: SourceOptions): Promise<Uint8Array> {
  if (file.path !== undefined && file.compression === undefined) return readFile(file.path);
  const chunks: Uint8Array[] = [];
  for await (const chunk of readBytes(file, stdin)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Whether the file is small enough to be read at once. */
export const fitsWhole = (size: number): boolean => size <= WHOLE;

function parse(label: string, bytes: Uint8Array, options: CsvOptions, linesBefore = 0): Table {
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

function requireRows(label: string, table: Table): void {
  if (table.rows === 0) throw new Failure(`${label} has names of columns, but no rows.`);
}

interface Header {
  readonly guess: CsvGuess;
  readonly names: readonly string[];
}

/** Names and dialect, from the rows that end within the first bytes. */
function headerOf(bytes: Uint8Array, options: CsvOptions): Header {
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

const marksOf = ({ delimiter, quote }: CsvGuess): Marks => ({
  delimiter: delimiter.charCodeAt(0),
  quote: quote === "" ? -1 : quote.charCodeAt(0),
});

function remarksOf(label: string, bytes: Uint8Array, guess: CsvGuess): string[] {
  const remarks: string[] = [];
  if (guess.skippedLines.length > 0)
    remarks.push(
      `${label}: ${guess.skippedLines.length} rows of another width were left out (lines ${listed(
        guess.skippedLines.slice(0, 5).map(String),
      )}${guess.skippedLines.length > 5 ? ", …" : ""}).`,
    );
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

/** The rows in batches. Kinds that are not given are those of the first block. */
export async function* streamCsvFile(file: DataFile, options: StreamOptions): AsyncGenerator<Table> {
  const { label } = file;
  let header: Header | undefined;
  let types: Record<string, CsvKind> = {};
  let decimal: "." | "," | undefined;
  let [consumed, rows] = [0, 0];
  const given = { delimiter: delimiterOf(file, options) };
  const blocks = rowBlocks(
    label,
    utf8Chunks(label, readBytes(file, options.stdin)),
    (start) => marksOf(sniff(start).guess),
    BLOCK,
  );
  const sniff = (start: Uint8Array): Header => {
    try {
      header ??= headerOf(start, given);
    } catch (error) {
      throw csvFailure(label, error);
    }
    return header;
  };
  for await (const block of blocks) {
    options.signal?.throwIfAborted();
    const isFirst = consumed === 0;
    const { guess, names } = sniff(block);
    if (isFirst) types = requestedTypes(label, names, options);
    const table = await located(label, file, consumed, options, (linesBefore) =>
      parse(
        label,
        block,
        {
          delimiter: guess.delimiter,
          quote: guess.quote,
          decimal,
          header: isFirst ? guess.header : names,
          columns: options.columns,
          types,
          badRows: options.badRows,
          onGuess: (found) => {
            decimal = found.decimal as "." | ",";
            if (isFirst) for (const remark of remarksOf(label, block, found)) options.onRemark?.(remark);
          },
        },
        linesBefore,
      ),
    );
    if (isFirst) {
      requireRows(label, table);
      for (const [name, { kind }] of columnsOf(table)) types[name] ??= csvKinds[kind];
    }
    const before = rows;
    requireFinite(table, (name, i) => `${label}, row ${before + i + 1}, column ${show(name)}: the cell`);
    consumed += block.length;
    rows += table.rows;
    yield table;
  }
  if (consumed === 0) throw new Failure(`${label} is empty: it has no rows.`);
}

function requestedTypes(
  label: string,
  names: readonly string[],
  options: StreamOptions,
): Record<string, CsvKind> {
  requireNames(label, [...(options.columns ?? []), ...(options.asText ?? [])], names);
  const kinds = Object.entries(options.kinds ?? {}).filter(([name]) => names.includes(name));
  const others =
    options.otherKinds === undefined
      ? []
      : names.map((name) => [name, csvKinds[options.otherKinds!]] as const);
  return {
    ...Object.fromEntries(others),
    ...Object.fromEntries((options.asText ?? []).map((name) => [name, "category" as const])),
    ...Object.fromEntries(kinds.map(([name, kind]) => [name, csvKinds[kind]])),
  };
}

/** Runs `read`; if it fails, counts the lines before the block and runs it again, so that its error names the line. */
async function located(
  label: string,
  file: DataFile,
  consumed: number,
  options: StreamOptions,
  read: (linesBefore: number) => Table,
): Promise<Table> {
  try {
    return read(0);
  } catch (error) {
    // What was read from standard input is gone.
    if (consumed === 0 || file.path === undefined) throw error;
    return read(await linesWithin(label, file, consumed, options));
  }
}

/** Line breaks in the first bytes of a file. */
async function linesWithin(
  label: string,
  file: DataFile,
  end: number,
  { stdin }: StreamOptions,
): Promise<number> {
  let [at, lines] = [0, 0];
  for await (const chunk of utf8Chunks(label, readBytes(file, stdin))) {
    const rest = chunk.subarray(0, end - at);
    for (const code of rest) if (code === 10) lines++;
    at += rest.length;
    if (at >= end) break;
  }
  return lines;
}
