import { headOf, isGzip, type Progress, sha256Of, unpacked } from "./bytes.js";
import { withCleanNames } from "./columns.js";
import { encodingOf } from "./encoding.js";
import { type ReadTable, readCsv } from "./read-csv.js";
import { readJson } from "./read-json.js";
import { readParquet } from "./read-parquet.js";

interface ReadFile extends ReadTable {
  readonly sha256: string;
}

/** Reads a file by what it begins with, not by its name. */
export async function readTable(file: Blob, name: string, progress: Progress): Promise<ReadFile> {
  if (file.size === 0) throw new Error(`${name} is empty.`);
  const sha256 = await sha256Of(file);
  const blob = isGzip(await headOf(file, 2)) ? await unpacked(file) : file;
  const { data, notes } = await readerOf(await headOf(blob, 4096), name)(blob, tableName(name), progress);
  return { data: withCleanNames(data), notes, sha256 };
}

function readerOf(head: Uint8Array, name: string): typeof readCsv {
  // spread: 8 bytes.
  const start = String.fromCharCode(...head.subarray(0, 8));
  if (start.startsWith("PAR1")) return readParquet;
  const known = foreign.find(([mark]) => start.startsWith(mark));
  if (known !== undefined) throw new Error(`${name} is ${known[1]}: load a CSV, TSV, JSON or Parquet file.`);
  const encoding = encodingOf(head);
  if (!encoding.startsWith("utf-16") && head.includes(0))
    throw new Error(`${name} is neither text nor Parquet: load a CSV, TSV, JSON or Parquet file.`);
  const first = new TextDecoder(encoding).decode(head).trimStart();
  return first.startsWith("{") || /^\[\s*(\[|\{|\]|$)/.test(first) ? readJson : readCsv;
}

/** What people drop that looks like a table to them. */
const foreign: readonly (readonly [string, string])[] = [
  ["PK\u0003\u0004", "an Excel or zip file (in Excel: save as CSV)"],
  ["\u00d0\u00cf\u0011\u00e0", "an old Excel file (in Excel: save as CSV)"],
  ["%PDF", "a PDF"],
  ["\u0089PNG", "a picture"],
  ["\u00ff\u00d8\u00ff", "a picture"],
  ["SQLite f", "a database (export the table as CSV)"],
  ["ARROW1", "an Arrow file (save it as Parquet)"],
  ["\u0028\u00b5\u002f\u00fd", "compressed with Zstandard (unpack it first)"],
  ["BZh", "compressed with bzip2 (unpack it first)"],
];

const tableName = (name: string): string =>
  name.replace(/\.(csv|tsv|txt|json|ndjson|jsonl|parquet)?(\.gz)?$/i, "") || name;
