import { join } from "node:path";
import { type Database, type DatabaseRows, duckdb, postgres, type SourceColumn } from "@argmax/sql";
import type { DuckDBConnection } from "@duckdb/node-api";
import { AbortError } from "argmax";
import { Failure, UsageError } from "../command.js";
import { quotedPath, quotedText } from "../data/formats/duckdb.js";
import { withoutPassword } from "../data/formats/postgres.js";
import { type DataFile, firstBytes, isClickhouse, isDuckdb, locate, requireFile } from "../data/locate.js";
import { listed } from "../data/nearest.js";
import { readSourceOptions } from "../data/options.js";
import type { SourceOptions } from "../data/source.js";
import { openClickhouse } from "./clickhouse.js";
import { csvSelect } from "./csv-scan.js";
import { askDuckdb, openDuckdb, pathsOf } from "./duckdb.js";
import { databaseFailure } from "./failures.js";
import { type DatabaseValues, readMemory } from "./options.js";

/** A source that is read where it lies. */
export interface OpenedDatabase {
  /** For headings and file names: `titanic` for `data/titanic.parquet`. */
  readonly name: string;
  /** For messages, without credentials. */
  readonly label: string;
  readonly database: Database;
  readonly rows: DatabaseRows;
  readonly columns: readonly SourceColumn[];
  /** The connection of a DuckDB, which can write files. */
  readonly duckdb: DuckDBConnection | undefined;
  /** Sentences for the user: what was guessed that may be wrong. */
  readonly remarks: readonly string[];
}

type Opened = Omit<OpenedDatabase, "columns">;

/** Bytes of an object of a JSON file: DuckDB has twice as many in memory for each thread. */
const LONGEST_OBJECT = 2 ** 24;

/** Milliseconds to connect, and to describe a source. */
const CONNECTING = 30_000;

/**
 * Opens a source where it lies, and closes it afterwards. Errors of the database are Failures without credentials. What is learned from is read
 * many times: then text files are read once, into a Parquet file among the temporary ones.
 */
export async function withDatabase<T>(
  source: string,
  values: DatabaseValues,
  signal: AbortSignal,
  use: (opened: OpenedDatabase) => Promise<T>,
  { isLearned = false } = {},
): Promise<T> {
  const options = readSourceOptions(values, signal);
  const closers: (() => Promise<unknown>)[] = [];
  let label = withoutPassword(source);
  try {
    const opened = await open(source, options, { ...values, isLearned }, (close) => closers.push(close));
    label = opened.label;
    const session = await opened.rows.engine.open(opened.rows.source, { signal, timeoutMs: CONNECTING });
    const { columns } = session;
    await session.close();
    return await use({ ...opened, columns });
  } catch (error) {
    // What a database says of a query that was stopped differs.
    if (signal.aborted) throw error instanceof AbortError ? error : new AbortError("argmax", signal);
    throw databaseFailure(label, source, error);
  } finally {
    for (const close of closers.reverse()) await close().catch(() => undefined);
  }
}

type Keep = (close: () => Promise<unknown>) => void;

interface Wanted extends DatabaseValues {
  readonly isLearned: boolean;
}

async function open(source: string, options: SourceOptions, values: Wanted, keep: Keep): Promise<Opened> {
  const { table } = options;
  if (isClickhouse(source)) {
    requireNoMemory(values, "ClickHouse");
    if (table === undefined) throw new UsageError("A ClickHouse database needs --table NAME.");
    const { client, label, close } = await openClickhouse(source, options);
    keep(close);
    const { clickhouse } = await import("@argmax/sql");
    return ofTable(clickhouse(client), table, `${label}, table ${table}`, options);
  }
  if (await isDuckdbFile(source)) return duckdbTable(source, options, values, keep);
  const place = await locate(source, options);
  if (place.kind === "postgres") {
    requireNoMemory(values, "PostgreSQL");
    return postgresTable(place.url, place.table, options, keep);
  }
  if (place.kind === "included")
    throw new UsageError(
      `${place.name} is an included dataset, which is in memory: leave out --in-database.`,
    );
  if (place.kind === "sqlite")
    throw new UsageError(
      `${source} is a SQLite database, which --in-database does not work in: leave it out, or save the table as Parquet.`,
    );
  return files(place.name, place.files, options, values, keep);
}

function requireNoMemory({ memory }: DatabaseValues, database: string): void {
  if (memory !== undefined)
    throw new UsageError(`--memory is for DuckDB; the memory of ${database} is set on its server.`);
}

async function isDuckdbFile(source: string): Promise<boolean> {
  if (source === "-" || /^[a-z]+:\/\//.test(source)) return false;
  return firstBytes(source).then(isDuckdb, () => false);
}

/** A table by its name, `schema.table` included. */
function ofTable(database: Database, table: string, label: string, { limit }: SourceOptions): Opened {
  const parts = table.split(".");
  const whole = database.table(...parts);
  const rows =
    limit === undefined ? whole : database.query(`SELECT * FROM ${whole.source.from} LIMIT ${limit}`);
  return { name: parts.at(-1)!, label, database, rows, duckdb: undefined, remarks: [] };
}

async function postgresTable(
  url: string,
  table: string,
  options: SourceOptions,
  keep: Keep,
): Promise<Opened> {
  const { default: pg } = await import("pg");
  const client = new pg.Client({
    connectionString: url,
    application_name: "argmax",
    connectionTimeoutMillis: CONNECTING,
  });
  // A connection that breaks is an error of the next statement.
  client.on("error", () => undefined);
  keep(() => client.end());
  await client.connect();
  // The first rows are the same in every pass only if they are read in the same order.
  if (options.limit !== undefined)
    await client.query("SET synchronize_seqscans = off; SET max_parallel_workers_per_gather = 0");
  return ofTable(postgres(client), table, `${withoutPassword(url)}, table ${table}`, options);
}

async function duckdbTable(
  path: string,
  options: SourceOptions,
  values: DatabaseValues,
  keep: Keep,
): Promise<Opened> {
  await requireFile(path);
  const { connection, close } = await openDuckdb(path, readMemory(values));
  keep(close);
  const table = options.table ?? (await onlyTable(connection, path, options.signal));
  const opened = ofTable(duckdb(connection), table, `${path}, table ${table}`, options);
  return { ...opened, duckdb: connection };
}

async function onlyTable(connection: DuckDBConnection, path: string, signal?: AbortSignal): Promise<string> {
  const found = await askDuckdb(
    connection,
    "SELECT IF(table_schema = 'main', table_name, table_schema || '.' || table_name) FROM information_schema.tables ORDER BY 1",
    signal,
  );
  const names = found.map(([name]) => String(name));
  if (names.length === 1) return names[0]!;
  if (names.length === 0) throw new Failure(`${path} has no tables.`);
  throw new UsageError(`${path} has several tables: give --table ${names[0]}. There are ${listed(names)}.`);
}

/** Files through DuckDB in memory. */
async function files(
  name: string,
  list: readonly DataFile[],
  options: SourceOptions,
  values: Wanted,
  keep: Keep,
): Promise<Opened> {
  const [first] = list as [DataFile];
  if (first.path === undefined)
    throw new UsageError(
      "--in-database reads its source more than once: write standard input to a file first.",
    );
  if (first.format === "arrow" || first.format === "libsvm")
    throw new UsageError(
      `--in-database reads CSV, Parquet and JSON files, and ${first.label} is of the format ${first.format}: ` +
        "save it as Parquet, or leave out --in-database.",
    );
  const { connection, folder, close } = await openDuckdb(undefined, readMemory(values));
  keep(close);
  const remarks: string[] = [];
  const select = await selectOf(connection, list, {
    ...options,
    limit: undefined,
    columns: undefined,
    onRemark: (remark) => remarks.push(remark),
  });
  const whole = options.limit === undefined ? select : `${select} LIMIT ${options.limit}`;
  const isCopied = values.isLearned && first.format !== "parquet";
  const query = isCopied ? await parquetOf(connection, whole, folder, options.signal) : whole;
  const database = duckdb(connection);
  const label = list.length === 1 ? first.label : `${first.label} and ${list.length - 1} more`;
  return { name, label, database, rows: database.query(query), duckdb: connection, remarks };
}

/** A SELECT of the same rows from a Parquet file, which takes about a third of the bytes of text and a tenth of the time. */
async function parquetOf(
  connection: DuckDBConnection,
  select: string,
  folder: string,
  signal: AbortSignal | undefined,
): Promise<string> {
  const path = join(folder, "rows.parquet");
  await askDuckdb(connection, `COPY (${select}) TO ${quotedText(path)} (FORMAT parquet)`, signal);
  return `SELECT * FROM read_parquet(${quotedPath(path)})`;
}

function selectOf(
  connection: DuckDBConnection,
  list: readonly DataFile[],
  options: SourceOptions & { readonly onRemark: (remark: string) => void },
): Promise<string> | string {
  const { format } = list[0]!;
  if (format === "csv" || format === "tsv") return csvSelect(connection, list, options);
  if (format === "parquet") return `SELECT * FROM read_parquet(${pathsOf(list)})`;
  const shape = format === "ndjson" ? "newline_delimited" : "auto";
  const compression = list[0]!.compression ?? "uncompressed";
  return (
    `SELECT * FROM read_json(${pathsOf(list)}, format = '${shape}', records = true, sample_size = -1, ` +
    `maximum_object_size = ${LONGEST_OBJECT}, compression = ${quotedText(compression)})`
  );
}
