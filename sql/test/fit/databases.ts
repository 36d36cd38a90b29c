import { DuckDBInstance } from "@duckdb/node-api";
import { Table } from "argmax";
import { clickhouse, type DatabaseRows, duckdb, local, postgres } from "../../src/index.js";
import { clickhouseStatements, startClickhouse } from "../clickhouse-server.js";
import { startPostgres } from "../postgres-server.js";
import { type Cell, tableStatements } from "../tables.js";

export type Columns = Readonly<Record<string, readonly Cell[]>>;

/** A database that holds the tables of the tests. */
export interface FitDatabase {
  readonly name: string;
  /** The columns as the database has them, where it does not have all types. */
  seen?(columns: Columns): Columns;
  /** The rows of these columns, in a table of their own. */
  rows(columns: Columns): Promise<DatabaseRows>;
  close(): Promise<void>;
}

let tables = 0;
export const nextTable = (): string => `fit_${++tables}`;

/** A table per list of columns, however often it is asked for. */
function kept(make: (columns: Columns) => Promise<DatabaseRows>): FitDatabase["rows"] {
  const tables = new WeakMap<Columns, Promise<DatabaseRows>>();
  return (columns) => {
    const known = tables.get(columns) ?? make(columns);
    tables.set(columns, known);
    return known;
  };
}

/** The columns without a database: the reference of the others. */
export const openLocal = (): FitDatabase => ({
  name: "local",
  rows: kept((columns) => Promise.resolve(local(tableOf(columns)))),
  close: () => Promise.resolve(),
});

export interface DuckdbFitsOptions {
  /** To plan a statement of 4 KB takes longer than to run it over a hundred rows: the optimiser takes half of that. */
  readonly optimizes?: boolean;
}

export async function openDuckdbFits({ optimizes = true }: DuckdbFitsOptions = {}): Promise<FitDatabase> {
  const connection = await (await DuckDBInstance.create(":memory:", { threads: "1" })).connect();
  if (!optimizes) await connection.run("PRAGMA disable_optimizer");
  return {
    name: "duckdb",
    rows: kept(async (columns) => {
      const name = nextTable();
      for (const statement of tableStatements(name, columns)) await connection.run(statement);
      return duckdb(connection).table(name);
    }),
    close: () => Promise.resolve(connection.closeSync()),
  };
}

export async function openPostgresFits(): Promise<FitDatabase> {
  const server = await startPostgres();
  const client = await server.connect();
  return {
    name: "postgres",
    rows: kept(async (columns) => {
      const name = nextTable();
      await client.query(tableStatements(name, columns).join("; "));
      return postgres(client).table(name);
    }),
    close: async () => {
      await client.end();
      await server.close();
    },
  };
}

const numbered = new WeakMap<Columns, Columns>();

/** The same columns each time, so that they have one table. */
function booleansAsNumbers(columns: Columns): Columns {
  const known = numbered.get(columns);
  if (known) return known;
  const made = Object.fromEntries(
    Object.entries(columns).map(([name, cells]) => [
      name,
      cells.map((cell) => (typeof cell === "boolean" ? Number(cell) : cell)),
    ]),
  );
  numbered.set(columns, made);
  return made;
}

/** Two shards of ClickHouse with half of the rows each, as one table. */
export async function openClickhouseFits(): Promise<FitDatabase> {
  const servers = await startClickhouse({ shards: 2 });
  const clients = servers.urls.map((_, shard) => servers.connect(shard));
  return {
    name: "clickhouse",
    // Booleans are numbers before version 21.
    seen: booleansAsNumbers,
    rows: kept(async (columns) => {
      const name = nextTable();
      for (const [shard, client] of clients.entries())
        for (const query of clickhouseStatements(name, columns, shard, clients.length))
          await client.command({ query, clickhouse_settings: { max_query_size: "10000000" } });
      return clickhouse(clients[0]!).table("default", `${name}_all`);
    }),
    close: async () => {
      for (const client of clients) await client.close();
      await servers.close();
    },
  };
}

export const tableOf = (columns: Columns): Table => {
  const names = Object.keys(columns);
  const rows = columns[names[0]!]!.map((_, i) => Object.fromEntries(names.map((n) => [n, columns[n]![i]!])));
  return Table.fromRows(rows);
};
