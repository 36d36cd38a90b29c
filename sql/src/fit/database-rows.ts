import type { Table } from "argmax";
import type { Label } from "argmax/core";
import { dialects } from "../dialects/index.js";
import { type ClickhouseClient, ClickhouseEngine } from "../engines/clickhouse.js";
import { type DuckdbConnection, DuckdbEngine } from "../engines/duckdb.js";
import type { Engine, Source, SourceColumn } from "../engines/engine.js";
import { LocalEngine } from "../engines/local.js";
import { type PostgresClient, PostgresEngine, type PostgresPool } from "../engines/postgres.js";
import { ShardedEngine } from "../engines/sharded.js";
import { type Condition, compare, isNull, number, text, when } from "../expressions/expression.js";
import { Printer } from "../printing/print.js";
import { column } from "../rows/columns.js";

/** Rows of a database: a description, nothing is read. */
export interface DatabaseRows {
  readonly engine: Engine;
  readonly source: Source;
  /**
   * The same rows, of a table that is partitioned by the values of a column. Sums are grouped by it too, which PostgreSQL needs to let
   * foreign servers add up their own rows: it does for moments and counts, and fetches the rows where more is computed of each. With a
   * connection to each server, `shards` never fetches rows.
   */
  shardedBy(column: string): DatabaseRows;
}

const databaseRows = (engine: Engine, source: Source): DatabaseRows =>
  Object.freeze({
    engine,
    source,
    shardedBy: (shardKey: string) => databaseRows(engine, { ...source, shardKey }),
  });

/** A database whose rows estimators can be fitted to. */
export interface Database {
  /** What may stand behind FROM: `read_parquet('trips/*.parquet')`. */
  from(sql: string): DatabaseRows;
  /** A table by its name; of several names, the last is the table: `table("sales", "trips")`. */
  table(...name: readonly string[]): DatabaseRows;
  /** The rows of a SELECT. */
  query(sql: string): DatabaseRows;
}

function database(engine: Engine): Database {
  const from = (sql: string, table?: readonly string[]) => databaseRows(engine, { from: sql, table });
  const { identifier } = dialects[engine.dialect];
  return Object.freeze({
    from: (sql: string) => from(sql),
    table: (...name: readonly string[]) => from(name.map((part) => identifier(part)).join("."), name),
    query: (sql: string) => from(`(${sql.trim().replace(/;$/, "")}\n) AS argmax_rows`),
  });
}

/** A connection of `@duckdb/node-api`. */
export const duckdb = (connection: DuckdbConnection): Database => database(new DuckdbEngine(connection));

/** A `Client`, `PoolClient` or `Pool` of `pg`: a fit holds one connection, with one read-only transaction. */
export const postgres = (client: PostgresClient | PostgresPool): Database =>
  database(new PostgresEngine(client));

/** A client of `@clickhouse/client`. Sums of a table of the engine Distributed are added up by each shard for itself. */
export const clickhouse = (client: ClickhouseClient): Database => database(new ClickhouseEngine(client));

/**
 * The rows of several sources of the same columns as one, as of servers that have a part of a table each. Each adds up its own rows, at the
 * same time as the others.
 */
export function shards(...parts: readonly DatabaseRows[]): DatabaseRows {
  const engine = new ShardedEngine(parts);
  return databaseRows(engine, { from: "" });
}

/** The rows of a database without those in which a column has one of some values; null is a gap. */
export function withoutValues(
  rows: DatabaseRows,
  { name, type }: SourceColumn,
  values: readonly (Label | null)[],
): DatabaseRows {
  const of = column(name, type)(type === "text" ? "text" : "number");
  const tests = values.map((value): Condition => {
    if (value === null) return isNull(of);
    return compare(of, "=", typeof value === "string" ? text(value) : number(Number(value)));
  });
  const { engine, source } = rows;
  const kept = new Printer(dialects[engine.dialect]).print(
    when({ kind: "or", all: tests }, number(0), number(1)),
  );
  return databaseRows(engine, {
    from: `(SELECT * FROM ${source.from} WHERE ${kept} >= 1) AS argmax_kept`,
    shardKey: source.shardKey,
  });
}

/** The rows of a table in memory, for tests and small data: the same sums, without a database. */
export const local = (table: Table): DatabaseRows => databaseRows(new LocalEngine(table), { from: "" });
