import { readFile, stat } from "node:fs/promises";
import type { CsvGuess, Table } from "argmax";
import { readWhole } from "../bytes.js";
import { columnsOf, requireFinite, settled, tableOf } from "../columns.js";
import type { DataFile } from "../locate.js";
import type { SourceOptions } from "../source.js";
import { parse, remarksOf } from "./csv-header.js";
import { delimiterOf, requireRows } from "./csv-stream.js";
import { requireText } from "./encoding.js";

/** Files up to this size are read at once; beyond, block by block. The parser's memory ends at 4 GB. */
const WHOLE = 1 << 30;

const show = (text: unknown) => JSON.stringify(text);

/** The whole file as parseCsv reads it. */
export async function loadCsvFile(
  file: DataFile,
  options: SourceOptions,
): Promise<{ table: Table; remarks: string[] }> {
  const bytes = await readText(file, options);
  requireText(file.label, bytes, options.encoding);
  let guess: CsvGuess | undefined;
  const asText = new Set(options.asText);
  const table = parse(file.label, bytes, {
    encoding: options.encoding,
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

async function readText(file: DataFile, options: SourceOptions): Promise<Uint8Array> {
  const isPlain =
    file.path !== undefined && file.compression === undefined && (await stat(file.path)).isFile();
  return isPlain ? readFile(file.path!) : readWhole(file, options);
}

/** Whether the file is small enough to be read at once. */
export const fitsWhole = (size: number): boolean => size <= WHOLE;
