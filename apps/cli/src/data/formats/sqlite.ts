import type { Table } from "argmax";
import sqlite from "node-sqlite3-wasm";
import { Failure } from "../../command.js";
import { type DatabaseCell, tableOfCells } from "../cells.js";
import { requireNames } from "../names.js";
import { hint, listed } from "../nearest.js";
import type { SourceOptions } from "../source.js";

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;

/** The rows of a table (or view) of a SQLite database. */
export function* sqliteTables(
  path: string,
  asked: string | undefined,
  options: SourceOptions,
  batchRows: number,
): Generator<Table> {
  const database = open(path);
  try {
    const table = tableName(database, path, asked);
    const known = database.all(`PRAGMA table_xinfo(${quoted(table)})`).map((row) => String(row["name"]));
    requireNames(`${path}, table ${table}`, [...(options.columns ?? []), ...(options.asText ?? [])], known);
    const names = known.filter((name) => options.columns?.includes(name) ?? true);
    const limit = options.limit === undefined ? "" : ` LIMIT ${options.limit}`;
    const statement = database.prepare(
      `SELECT ${names.map(quoted).join(", ")} FROM ${quoted(table)}${limit}`,
    );
    let rows: DatabaseCell[][] = [];
    for (const row of statement.iterate()) {
      rows.push(names.map((name) => row[name] as DatabaseCell));
      if (rows.length < batchRows) continue;
      options.signal?.throwIfAborted();
      yield tableOfCells(names, rows);
      rows = [];
    }
    if (rows.length > 0) yield tableOfCells(names, rows);
    statement.finalize();
  } catch (error) {
    if (error instanceof sqlite.SQLite3Error) throw new Failure(`${path} cannot be read: ${error.message}.`);
    throw error;
  } finally {
    database.close();
  }
}

function open(path: string): sqlite.Database {
  try {
    return new sqlite.Database(path, { fileMustExist: true, readOnly: true });
  } catch (error) {
    throw new Failure(`${path} cannot be opened as a SQLite database: ${(error as Error).message}.`);
  }
}

/** The table that was asked for, or the only one. */
function tableName(database: sqlite.Database, path: string, asked: string | undefined): string {
  const names = database
    .all(
      "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite_%' ORDER BY name",
    )
    .map((row) => String(row["name"]));
  if (asked !== undefined) {
    if (names.includes(asked)) return asked;
    throw new Failure(
      `${path} has no table ${JSON.stringify(asked)}.${hint(asked, names)} The tables are ${listed(names)}.`,
    );
  }
  if (names.length === 1) return names[0]!;
  if (names.length === 0) throw new Failure(`${path} has no tables.`);
  throw new Failure(`${path} has ${names.length} tables: choose one with --table (${listed(names)}).`);
}
