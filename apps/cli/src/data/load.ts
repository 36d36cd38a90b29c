import { stat } from "node:fs/promises";
import { convertText, type Table } from "argmax";
import { pushAll } from "argmax/numeric";
import { Failure } from "../command.js";
import { asKind, columnsOf, concatTables, requireFinite, settled, tableOf } from "./columns.js";
import { fitsWhole, loadCsvFile } from "./formats/csv.js";
import { streamCsvFile } from "./formats/csv-stream.js";
import { libsvmTarget, loadLibsvmFile } from "./formats/libsvm.js";
import { loadIncluded } from "./included.js";
import { type DataFile, locate, type Place } from "./locate.js";
import { requireNames } from "./names.js";
import type { LoadedTable, SourceOptions } from "./source.js";
import { requireUnpacked } from "./unpacked.js";

/** Rows that are read at once from a typed source. */
const BATCH = 65_536;

/** Reads a source as a whole: a file, several (`data/*.parquet`), `-`, a database, or an included dataset by name. */
export async function loadTable(source: string, options: SourceOptions = {}): Promise<LoadedTable> {
  const place = await locate(source, options);
  if (place.kind === "included") return chosenPart(await loadIncluded(place.name), options);
  if (place.kind === "files" && place.files[0]!.format === "libsvm") {
    const table = concatTables(
      await Promise.all(
        place.files.map(async (file) => ({ label: file.label, table: await loadLibsvmFile(file, options) })),
      ),
    );
    return chosenPart({ name: place.name, table, remarks: [], target: libsvmTarget }, options);
  }
  const remarks: string[] = [];
  const read: { label: string; table: Table }[] = [];
  if (place.kind === "files" && isCsv(place.files[0]!)) {
    for (const file of place.files) {
      const one = await loadCsv(file, options);
      read.push({ label: file.label, table: one.table });
      pushAll(remarks, one.remarks);
    }
    if (read.length === 1) return { name: place.name, table: read[0]!.table, remarks };
  } else {
    const size = await packedSize(place);
    if (place.kind === "files") for (const file of place.files) await requireParquet(file, options);
    let taken = 0;
    for await (const one of typedTables(place, options, BATCH)) {
      read.push(one);
      taken += bytesOf(one.table);
      if (size !== undefined) requireUnpacked(one.label, TAKES, taken, size, options);
    }
  }
  if (read.length === 0) throw new Failure(`${labelOf(place)} has no rows.`);
  const table = settledTable(concatTables(read), options);
  requireFinite(
    table,
    (name, i) => `${labelOf(place)}, row ${i + 1}, column ${JSON.stringify(name)}: the cell`,
  );
  return { name: place.name, table: firstRows(table, options.limit), remarks };
}

const TAKES = "takes";

/** Bytes of the files; undefined for databases and standard input. */
async function packedSize(place: Place): Promise<number | undefined> {
  if (place.kind !== "files") return undefined;
  let size = 0;
  for (const { path } of place.files) {
    if (path === undefined) return undefined;
    size += (await stat(path)).size;
  }
  return size;
}

/** The directory of a Parquet file says how many rows it has, before any is read. */
async function requireParquet(file: DataFile, options: SourceOptions): Promise<void> {
  if (file.format !== "parquet" || file.path === undefined) return;
  const { parquetShape } = await import("./formats/duckdb.js");
  const { rows, columns } = await parquetShape(file as DataFile & { path: string });
  const cells = Math.min(rows, options.limit ?? rows) * Math.min(columns, options.columns?.length ?? columns);
  requireUnpacked(file.label, TAKES, CELL * cells, (await stat(file.path)).size, options);
}

/** Bytes of a number, and of a reference to a text. */
const CELL = 8;

/** What a table takes in memory, about. */
function bytesOf(table: Table): number {
  let bytes = CELL * table.rows * table.cols;
  for (const [, column] of columnsOf(table))
    if (column.kind === "text") for (let i = 0; i < column.length; i++) bytes += column.at(i)?.length ?? 0;
  return bytes;
}

/** Text divided into categories and free text; columns that should be text made so. */
function settledTable(table: Table, { asText = [] }: SourceOptions): Table {
  return tableOf(
    columnsOf(table).map(([name, column]) => {
      const isOther = column.kind !== "text" && column.kind !== "categorical";
      return [
        name,
        settled(
          !asText.includes(name) ? convertText(column) : isOther ? asKind(column, "text", () => "") : column,
        ),
      ] as const;
    }),
  );
}

export const isCsv = ({ format }: DataFile): boolean => format === "csv" || format === "tsv";

export const labelOf = (place: Place): string =>
  place.kind === "files" ? place.files[0]!.label : place.kind === "sqlite" ? place.path : place.name;

async function loadCsv(file: DataFile, options: SourceOptions): Promise<{ table: Table; remarks: string[] }> {
  const size = file.path === undefined || file.compression !== undefined ? 0 : (await stat(file.path)).size;
  if (options.limit === undefined && fitsWhole(size)) return loadCsvFile(file, options);
  // By block: the first rows of a file, or a file larger than the parser's memory.
  const remarks: string[] = [];
  const tables: { label: string; table: Table }[] = [];
  let rows = 0;
  for await (const table of streamCsvFile(file, { ...options, onRemark: (remark) => remarks.push(remark) })) {
    tables.push({ label: file.label, table });
    rows += table.rows;
    if (options.limit !== undefined && rows >= options.limit) break;
  }
  return { table: settledTable(firstRows(concatTables(tables), options.limit), options), remarks };
}

/** Tables of a source that has types of its own. Text is in columns of text, or in dictionaries. */
export async function* typedTables(
  place: Exclude<Place, { kind: "included" }>,
  options: SourceOptions,
  batchRows: number,
): AsyncGenerator<{ label: string; table: Table }> {
  const label = labelOf(place);
  if (place.kind === "sqlite") {
    const { sqliteTables } = await import("./formats/sqlite.js");
    for (const table of sqliteTables(place.path, place.table, options, batchRows)) yield { label, table };
    return;
  }
  if (place.kind === "postgres") {
    const { postgresTables } = await import("./formats/postgres.js");
    for await (const table of postgresTables(place.url, place.table, options, batchRows))
      yield { label, table };
    return;
  }
  for (const file of place.files) {
    const tables =
      file.format === "arrow"
        ? (await import("./formats/arrow.js")).arrowTables(file, options)
        : (await import("./formats/duckdb.js")).duckTables(file, options, batchRows);
    for await (const table of tables) yield { label: file.label, table };
  }
}

/** The columns and rows that the options ask for, of a table that was read with all of them. */
function chosenPart(loaded: LoadedTable, { columns, asText = [], limit }: SourceOptions): LoadedTable {
  const { table, name } = loaded;
  const names: readonly string[] = table.columnNames;
  requireNames(name, [...(columns ?? []), ...asText], names);
  const chosen = columnsOf(table)
    .filter(([column]) => columns === undefined || columns.includes(column))
    .map(
      ([column, values]) =>
        [column, asText.includes(column) ? settled(asKind(values, "text", () => "")) : values] as const,
    );
  return { ...loaded, table: firstRows(tableOf(chosen), limit) };
}

const firstRows = (table: Table, limit: number | undefined): Table =>
  limit === undefined || table.rows <= limit ? table : table.head(limit);
