import { dialects } from "../dialects/index.js";
import type { ColumnType } from "../expressions/expression.js";
import type { SumQuery } from "../expressions/sums.js";
import {
  type BatchColumn,
  type BatchOptions,
  type Engine,
  type EngineSession,
  type PassOptions,
  type Source,
  TransientError,
} from "./engine.js";
import { limited } from "./limited.js";
import { batchStatement, batchValues, sumsOf } from "./sql-session.js";

/** What is used of a connection of `@duckdb/node-api`. */
export interface DuckdbConnection {
  run(sql: string): Promise<unknown>;
  runAndReadAll(sql: string): Promise<{ getRowObjectsJS(): Record<string, unknown>[] }>;
  stream(sql: string): Promise<DuckdbStream>;
  interrupt(): void;
}

interface DuckdbStream {
  fetchChunk(): Promise<DuckdbChunk | null>;
}

interface DuckdbChunk {
  readonly rowCount: number;
  getColumnValues(column: number): readonly unknown[];
}

const dialect = dialects.duckdb;

/** DuckDB through a connection: tables are read in one transaction; files are what they are when a pass reads them. */
export class DuckdbEngine implements Engine {
  readonly dialect = "duckdb";
  readonly #connection: DuckdbConnection;

  constructor(connection: DuckdbConnection) {
    this.#connection = connection;
  }

  async open({ from }: Source, options: PassOptions): Promise<EngineSession> {
    const connection = this.#connection;
    const read = (sql: string, own: PassOptions) =>
      limited(own, {
        run: async () => (await connection.runAndReadAll(sql)).getRowObjectsJS(),
        stop: () => connection.interrupt(),
        late: (message) => new TransientError(message),
      });
    const described = await read(`DESCRIBE SELECT * FROM ${from}`, options);
    const columns = described.map(({ column_name, column_type }) => ({
      name: String(column_name),
      type: typeOf(String(column_type)),
    }));
    // A transaction sees tables as they were when it began. Another one may be open: then that is the snapshot.
    const opened = await connection.run("BEGIN TRANSACTION READ ONLY").then(
      () => true,
      () => false,
    );
    return {
      columns,
      isSnapshot: opened && !/\bread_\w+\s*\(|['"][^'"]*\.(parquet|csv|json)/i.test(from),
      sums: (queries: readonly SumQuery[], own) =>
        sumsOf(dialect, queries, from, async (statement) => {
          const rows = await read(statement, own);
          return rows.map((row) => Object.values(row) as never);
        }),
      batches: (columns, own) => batchesOf(connection, columns, from, own),
      close: async () => {
        if (opened) await connection.run("ROLLBACK").catch(() => undefined);
      },
    };
  }
}

async function* batchesOf(
  connection: DuckdbConnection,
  columns: readonly BatchColumn[],
  from: string,
  options: PassOptions & BatchOptions,
) {
  const stream = await connection.stream(batchStatement(dialect, columns, from, options));
  let waiting: unknown[][] = columns.map(() => []);
  for (;;) {
    const chunk = await limited(options, {
      run: () => stream.fetchChunk(),
      stop: () => connection.interrupt(),
      late: (message) => new TransientError(message),
    });
    if (chunk === null || chunk.rowCount === 0) break;
    columns.forEach((_, c) => {
      for (const value of chunk.getColumnValues(c)) waiting[c]!.push(value);
    });
    if (waiting[0]!.length < options.rows) continue;
    yield batchValues(columns, waiting);
    waiting = columns.map(() => []);
  }
  if (waiting[0]!.length > 0) yield batchValues(columns, waiting);
}

function typeOf(type: string): ColumnType | undefined {
  if (/^(U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|FLOAT|DOUBLE|DECIMAL)/.test(type)) return "number";
  if (type === "BOOLEAN") return "boolean";
  if (/^(DATE|TIMESTAMP)/.test(type)) return "date";
  return /^(VARCHAR|ENUM|UUID)/.test(type) ? "text" : undefined;
}
