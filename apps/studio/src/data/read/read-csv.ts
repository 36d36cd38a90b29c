import { ArgmaxError } from "argmax/core";
import { type CsvGuess, parseCsv } from "argmax/csv";
import { type Column, Table } from "argmax/data";
import { tableData } from "../library-table.js";
import type { TableData } from "../table.js";
import { bytesOf, headOf, type Progress, slicesOf } from "./bytes.js";
import { asUtf8, encodingOf } from "./encoding.js";
import { MOST_CELLS, sampleRows } from "./sample.js";

/** A table and what its reader wants to be known, in sentences. */
export interface ReadTable {
  readonly data: TableData;
  readonly notes: readonly string[];
}

/** What is looked at to guess the size of the whole. */
const HEAD = 2 ** 20;
/** Larger files are not read at once, however few cells they have. */
const MOST_BYTES = 2 ** 30;
/** A file of which more rows than this share have another width is not divided as it seems. */
const MOST_RAGGED = 0.1;

/** Text of rows: commas, semicolons, tabs or bars divide the cells. */
export async function readCsv(blob: Blob, name: string, progress: Progress): Promise<ReadTable> {
  const head = await headOf(blob, HEAD);
  const perByte = cellsOf(head) / head.length;
  if (perByte * blob.size > MOST_CELLS || blob.size > MOST_BYTES)
    return readSample(blob, name, perByte * blob.size, head, progress);
  const bytes = await bytesOf(blob, (share) => progress(0.5 * share));
  const encoding = encodingOf(bytes);
  const read = parsed(asUtf8(bytes, encoding), name);
  progress(1);
  return { ...read, notes: [...encodingNotes(encoding), ...read.notes] };
}

const encodingNotes = (encoding: string): string[] =>
  encoding === "windows-1252"
    ? ["The text is not UTF-8 and was read as Windows-1252: look at its accented letters."]
    : [];

function parsed(bytes: Uint8Array, name: string): ReadTable {
  let guess: CsvGuess | undefined;
  let table: Table;
  try {
    table = parseCsv(bytes, {
      badRows: "skip",
      onGuess: (found) => {
        guess = found;
      },
    });
  } catch (error) {
    throw error instanceof ArgmaxError ? new Error(sentence(error)) : error;
  }
  const skipped = guess?.skippedLines ?? [];
  if (table.rows + skipped.length === 0)
    throw new Error(`${name} has names of columns but no row below them.`);
  if (skipped.length > MOST_RAGGED * (table.rows + skipped.length))
    throw new Error(
      `${skipped.length} of ${table.rows + skipped.length} rows have another number of cells than the first (the first is line ${skipped[0]}): ` +
        "is this a table with one row of names and one line per row?",
    );
  const { table: whole, notes } = withCodes(bytes, table);
  const read = table.warnings.map(({ message }) => message);
  return { data: tableData(name, whole), notes: [...skippedNotes(skipped), ...notes, ...read] };
}

/** Fewer categories may be letters of any kind. */
const MANY_CODES = 8;

/** In a column whose other entries are codes of two capital letters, NA is one of them: Namibia, or natrium. */
function withCodes(
  bytes: Uint8Array,
  table: Table,
): { readonly table: Table; readonly notes: readonly string[] } {
  const columns = new Map(table.columnNames.map((name) => [name, table.column(name)]));
  const isOfCodes = (column: Column) =>
    column.kind === "categorical" &&
    column.categories.length >= MANY_CODES &&
    column.codes.includes(-1) &&
    column.categories.every((category) => /^[A-Z]{2}$/.test(category));
  const suspects = [...columns].filter(([, column]) => isOfCodes(column)).map(([name]) => name);
  if (suspects.length === 0) return { table, notes: [] };
  const again = parseCsv(bytes, { badRows: "skip", columns: suspects, missing: [""] });
  const found = suspects.filter((name) => {
    const column = again.column(name);
    const isCode = column.kind === "categorical" && column.categories.every((one) => /^[A-Z]{2}$/.test(one));
    if (isCode && column.categories.includes("NA")) columns.set(name, column);
    return columns.get(name) === column;
  });
  return {
    table: Table.fromColumns(columns),
    notes: found.map((name) => `In ${name}, NA is read as a code like the others, not as a missing entry.`),
  };
}

function skippedNotes(lines: readonly number[]): string[] {
  if (lines.length === 0) return [];
  const shown = lines.slice(0, 5).join(", ") + (lines.length > 5 ? ", …" : "");
  return [
    lines.length === 1
      ? `Line ${shown} has another number of cells than the first and was left out.`
      : `${lines.length} rows have another number of cells than the first and were left out: lines ${shown}.`,
  ];
}

/** The library's advice is for code: here the sentence ends before it. */
const sentence = ({ subject, expected, received }: ArgmaxError): string =>
  `${subject[0]!.toUpperCase()}${subject.slice(1)} must be ${expected}, but is ${received}: correct the file and load it again.`;

/** Cells at the beginning of a file, up to its last whole line. */
function cellsOf(head: Uint8Array): number {
  const end = head.lastIndexOf(10);
  const lines = head.subarray(0, end < 0 ? head.length : end + 1);
  try {
    const { columnNames, rows } = parseCsv(asUtf8(lines, encodingOf(lines)), { badRows: "skip" });
    return (rows + 1) * columnNames.length;
  } catch {
    // A quote that closes later: every comma and line counts.
    return lines.filter((code) => code === 10 || code === 44).length;
  }
}

async function readSample(
  blob: Blob,
  name: string,
  cells: number,
  head: Uint8Array,
  progress: Progress,
): Promise<ReadTable> {
  if (encodingOf(head.subarray(0, 4096)) !== "utf-8")
    throw new Error(`${name} is too large to be read in this encoding: save it as UTF-8.`);
  const share = Math.min(1, MOST_CELLS / cells, MOST_BYTES / blob.size);
  let done = 0;
  const onBytes = (length: number) => {
    done += length;
    progress((0.8 * done) / blob.size);
  };
  const sample =
    (await sampleRows(slicesOf(blob), share, true, onBytes)) ??
    (await sampleRows(slicesOf(blob), share, false, onBytes));
  if (sample === undefined)
    throw new Error(`${name} has no line breaks: it is not a table with one line per row.`);
  const { data, notes } = parsed(sample.bytes, name);
  const kept = data.rows.toLocaleString("en");
  return {
    data,
    notes: [
      `The file has ${sample.rows.toLocaleString("en")} rows, more than this page can hold: ${kept} of them, drawn at random, are shown and learned from.`,
      ...notes.map((note) => note.replace(/ \(.*\)|: lines.*$/, "")),
    ],
  };
}
