import { createWriteStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { DuckDBConnection, DuckDBDataChunk, DuckDBResult, DuckDBVector } from "@duckdb/node-api";
import { DuckDBInstance, DuckDBTypeId } from "@duckdb/node-api";
import { BooleanColumn, type Column, DateColumn, NumericColumn, type Table, TextColumn } from "argmax";
import { Failure } from "../../command.js";
import { readBounded } from "../bytes.js";
import { tableOf } from "../columns.js";
import type { DataFile } from "../locate.js";
import { requireNames } from "../names.js";
import type { SourceOptions } from "../source.js";

/** Settings with which DuckDB never downloads an extension. */
export const noDownloads = {
  autoinstall_known_extensions: "false",
  autoload_known_extensions: "false",
} as const;

/** A connection to a database in memory, which is closed afterwards. It never downloads an extension. */
export async function* withDuckDb<T>(
  use: (connection: DuckDBConnection) => AsyncGenerator<T>,
): AsyncGenerator<T> {
  const instance = await DuckDBInstance.create(":memory:", noDownloads);
  const connection = await instance.connect();
  try {
    yield* use(connection);
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

export const quotedText = (text: string) => `'${text.replaceAll("'", "''")}'`;
/** A path as DuckDB reads it: a pattern in which `[` stands for itself only as `[[]`. */
export const quotedPath = (path: string) => quotedText(path.replaceAll(/[*?[]/g, "[$&]"));
export const quotedName = (name: string) => `"${name.replaceAll('"', '""')}"`;

/** The rows of a Parquet or JSON file. Text is not yet divided into categories and free text. */
export async function* duckTables(
  file: DataFile,
  options: SourceOptions,
  batchRows: number,
): AsyncGenerator<Table> {
  const { path, remove } = await onDisk(file, options);
  try {
    yield* withDuckDb((connection) => rowsOf(connection, { ...file, path }, options, batchRows));
  } finally {
    await remove();
  }
}

/** Rows and columns of a Parquet file, as its directory has them. */
export async function parquetShape(
  file: DataFile & { path: string },
): Promise<{ readonly rows: number; readonly columns: number }> {
  const name = quotedPath(file.path);
  const shape = withDuckDb(async function* (connection) {
    const rows = await connection.runAndReadAll(`SELECT num_rows FROM parquet_file_metadata(${name})`);
    const columns = await connection.run(`SELECT * FROM read_parquet(${name}) LIMIT 0`);
    yield { rows: Number(rows.getRows()[0]?.[0] ?? 0), columns: columns.columnCount };
  });
  try {
    for await (const found of shape) return found;
  } catch (error) {
    throw duckFailure(file, error);
  }
  return { rows: 0, columns: 0 };
}

/** DuckDB reads files only: standard input is copied to one. */
async function onDisk(
  file: DataFile,
  options: SourceOptions,
): Promise<{ path: string; remove(): Promise<void> }> {
  if (file.path !== undefined) return { path: file.path, remove: async () => {} };
  const folder = await mkdtemp(join(tmpdir(), "argmax-"));
  const path = join(folder, `stdin.${file.format}`);
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    await pipeline(readBounded(file, options), createWriteStream(path));
  } catch (error) {
    await remove();
    throw error;
  }
  return { path, remove };
}

function scanOf({ path, format, compression }: DataFile & { path: string }): string {
  if (format === "parquet") return `read_parquet(${quotedPath(path)})`;
  const shape = format === "ndjson" ? "newline_delimited" : "auto";
  return (
    `read_json(${quotedPath(path)}, format = '${shape}', records = true, sample_size = -1, ` +
    `maximum_object_size = 268435456, compression = '${compression ?? "uncompressed"}')`
  );
}

async function* rowsOf(
  connection: DuckDBConnection,
  file: DataFile & { path: string },
  options: SourceOptions,
  batchRows: number,
): AsyncGenerator<Table> {
  try {
    const scan = scanOf(file);
    const selected = await selection(connection, file.label, scan, options);
    const casts = selected.map(({ sql, name }) => `${sql} AS ${quotedName(name)}`).join(", ");
    const limit = options.limit === undefined ? "" : ` LIMIT ${options.limit}`;
    const result = await connection.stream(`SELECT ${casts} FROM ${scan}${limit}`);
    yield* batches(result, selected, batchRows, options.signal);
  } catch (error) {
    if (error instanceof Failure || options.signal?.aborted) throw error;
    throw duckFailure(file, error);
  }
}

function duckFailure({ label, format }: DataFile, error: unknown): Failure {
  const [sentence = ""] = (error as Error).message.split("\n");
  if (/expected records/.test(sentence))
    return new Failure(
      `${label} must hold at least one row, as [{"a": 1, "b": 2}, …] or as one object per line.`,
    );
  const why = sentence.replace(/^(?:[A-Z]\w+ )*Error: /, "").replace(/\.$/, "");
  return new Failure(`${label} cannot be read as ${format === "ndjson" ? "NDJSON" : format}: ${why}.`);
}

/** A column, and how it is read: as a double, a boolean, milliseconds or text. */
interface Selected {
  readonly name: string;
  readonly sql: string;
  readonly kind: "numeric" | "boolean" | "date" | "text";
}

const integers = new Set([
  DuckDBTypeId.BIGINT,
  DuckDBTypeId.UBIGINT,
  DuckDBTypeId.HUGEINT,
  DuckDBTypeId.UHUGEINT,
]);
const numbers = new Set([
  DuckDBTypeId.TINYINT,
  DuckDBTypeId.SMALLINT,
  DuckDBTypeId.INTEGER,
  DuckDBTypeId.UTINYINT,
  DuckDBTypeId.USMALLINT,
  DuckDBTypeId.UINTEGER,
  DuckDBTypeId.FLOAT,
  DuckDBTypeId.DOUBLE,
  DuckDBTypeId.DECIMAL,
  ...integers,
]);
const dates = new Set([
  DuckDBTypeId.DATE,
  DuckDBTypeId.TIMESTAMP,
  DuckDBTypeId.TIMESTAMP_S,
  DuckDBTypeId.TIMESTAMP_MS,
  DuckDBTypeId.TIMESTAMP_NS,
  DuckDBTypeId.TIMESTAMP_TZ,
]);
const nested = new Set([
  DuckDBTypeId.LIST,
  DuckDBTypeId.STRUCT,
  DuckDBTypeId.MAP,
  DuckDBTypeId.ARRAY,
  DuckDBTypeId.UNION,
  DuckDBTypeId.BLOB,
  DuckDBTypeId.BIT,
  DuckDBTypeId.VARIANT,
]);

async function selection(
  connection: DuckDBConnection,
  label: string,
  scan: string,
  { columns, asText = [] }: SourceOptions,
): Promise<Selected[]> {
  const empty = await connection.run(`SELECT * FROM ${scan} LIMIT 0`);
  const names = empty.deduplicatedColumnNames();
  requireNames(label, [...(columns ?? []), ...asText], names);
  const types = empty.columnTypes();
  const wanted = names.flatMap((name, k) =>
    columns === undefined || columns.includes(name) ? [{ name, type: types[k]! }] : [],
  );
  const long = await longIntegers(
    connection,
    scan,
    wanted.filter(({ type }) => integers.has(type.typeId)).map(({ name }) => name),
  );
  return wanted.map(({ name, type }) => {
    const column = quotedName(name);
    if (nested.has(type.typeId))
      throw new Failure(
        `${label}, column ${JSON.stringify(name)} holds values of type ${type}, which are not cells of a table. ` +
          "Flatten it first, or name the columns to read with --columns.",
      );
    if (asText.includes(name) || long.has(name)) return { name, sql: `${column}::VARCHAR`, kind: "text" };
    if (numbers.has(type.typeId)) return { name, sql: `${column}::DOUBLE`, kind: "numeric" };
    if (type.typeId === DuckDBTypeId.BOOLEAN) return { name, sql: column, kind: "boolean" };
    // Microseconds would overflow no double, but the library counts milliseconds.
    if (dates.has(type.typeId)) return { name, sql: `epoch_ms(${column})::DOUBLE`, kind: "date" };
    return { name, sql: `${column}::VARCHAR`, kind: "text" };
  });
}

/** Integers past 2⁵³ (identifiers, as a rule) would lose digits as numbers, so that such a column is read as text. */
export async function longIntegers(
  connection: DuckDBConnection,
  scan: string,
  names: readonly string[],
): Promise<Set<string>> {
  if (names.length === 0) return new Set();
  const tests = names.map((name) => `bool_or(abs(${quotedName(name)}::HUGEINT) > 9007199254740992)`);
  const found = await (await connection.run(`SELECT ${tests.join(", ")} FROM ${scan}`)).getRows();
  return new Set(names.filter((_, k) => found[0]?.[k] === true));
}

async function* batches(
  result: DuckDBResult,
  selected: readonly Selected[],
  batchRows: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<Table> {
  let held: DuckDBDataChunk[] = [];
  let rows = 0;
  for await (const chunk of result) {
    signal?.throwIfAborted();
    if (chunk.rowCount === 0) continue;
    held.push(chunk);
    rows += chunk.rowCount;
    if (rows + 2048 <= batchRows) continue;
    yield toTable(held, selected, rows);
    [held, rows] = [[], 0];
  }
  if (rows > 0) yield toTable(held, selected, rows);
}

function toTable(chunks: readonly DuckDBDataChunk[], selected: readonly Selected[], rows: number): Table {
  return tableOf(
    selected.map(({ name, kind }, k) => {
      const vectors = chunks.map((chunk) => chunk.getColumnVector(k));
      return [name, readVectors(kind, vectors, rows)] as const;
    }),
  );
}

function readVectors(kind: Selected["kind"], vectors: readonly DuckDBVector[], rows: number): Column {
  if (kind === "text")
    return new TextColumn(filled(vectors, new Array<string | null>(rows), (item) => item as string | null));
  if (kind === "boolean")
    return new BooleanColumn(
      filled(vectors, new Uint8Array(rows), (item) => (item === null ? 2 : item ? 1 : 0)),
    );
  const values = filled(vectors, new Float64Array(rows), (item) =>
    item === null ? Number.NaN : (item as number),
  );
  return kind === "date" ? new DateColumn(values) : new NumericColumn(values);
}

function filled<A extends { [i: number]: unknown }>(
  vectors: readonly DuckDBVector[],
  out: A,
  read: (item: unknown) => A[number],
): A {
  let at = 0;
  for (const vector of vectors)
    for (let i = 0; i < vector.itemCount; i++) out[at++] = read(vector.getItem(i));
  return out;
}

/** The lines of a text file that is compressed by zstd: a table of one column whose delimiter no text has. */
export async function* zstdLines(path: string, label: string): AsyncGenerator<Uint8Array> {
  const scan =
    `read_csv(${quotedPath(path)}, columns = {'line': 'VARCHAR'}, auto_detect = false, header = false, delim = '\u0001', ` +
    "quote = '', escape = '', compression = 'zstd', max_line_size = 268435456, null_padding = true)";
  try {
    yield* withDuckDb(async function* (connection) {
      for await (const chunk of await connection.stream(`SELECT line FROM ${scan}`)) {
        const lines = chunk.getColumnValues(0);
        if (lines.length > 0) yield Buffer.from(`${lines.map((line) => line ?? "").join("\n")}\n`);
      }
    });
  } catch (error) {
    if (error instanceof Failure) throw error;
    const [why] = (error as Error).message.split("\n");
    throw new Failure(`${label} is damaged: its zstd stream cannot be read (${why}).`);
  }
}
