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

  async open({ from, shardKey }: Source, options: PassOptions): Promise<EngineSession> {
    const connection = this.#connection;
    const read = (sql: string, own: PassOptions) =>
      limited(own, {
        run: async () => (await connection.runAndReadAll(sql)).getRowObjectsJS(),
        stop: () => connection.interrupt(),
        late: stopped,
      });
    const described = await read(`DESCRIBE SELECT * FROM ${from}`, options);
    const columns = described.map(({ column_name, column_type }) => ({
      name: String(column_name),
      type: typeOf(String(column_type)),
    }));
    const transaction = await held(connection);
    return {
      columns,
      isSnapshot: transaction.isOpen && !/\bread_\w+\s*\(|['"][^'"]*\.(parquet|csv|json)/i.test(from),
      sums: (queries: readonly SumQuery[], own) =>
        sumsOf(
          dialect,
          queries,
          from,
          async (statement) => {
            const rows = await read(statement, own);
            return rows.map((row) => Object.values(row) as never);
          },
          { shardKey },
        ),
      batches: (columns, own) => batchesOf(connection, columns, from, own),
      close: transaction.release,
    };
  }
}

/** A statement that was stopped ends its transaction, and so the snapshot. */
const stopped = (message: string) => new TransientError(message, { isLost: true });

interface Held {
  /** Whether there is a transaction: it sees tables as they were when it began. */
  readonly isOpen: boolean;
  release(): Promise<void>;
}

/** The sessions of a connection, which has one transaction for all of them. */
const sessions = new WeakMap<
  DuckdbConnection,
  { count: number; readonly begun: Promise<"own" | "given" | "none"> }
>();

async function held(connection: DuckdbConnection): Promise<Held> {
  const own = sessions.get(connection) ?? { count: 0, begun: begun(connection) };
  sessions.set(connection, own);
  own.count++;
  const state = await own.begun;
  return {
    isOpen: state !== "none",
    release: async () => {
      if (--own.count > 0) return;
      sessions.delete(connection);
      if (state === "own") await connection.run("ROLLBACK").catch(() => undefined);
    },
  };
}

/** Begins a transaction, unless one is open: to try would end that. Without one, each statement has a number of its own. */
async function begun(connection: DuckdbConnection): Promise<"own" | "given" | "none"> {
  const number = async () => {
    const read = await connection.runAndReadAll("SELECT txid_current() AS number");
    return read.getRowObjectsJS()[0]?.["number"];
  };
  const first = await number();
  if (first === (await number())) return "given";
  return connection.run("BEGIN TRANSACTION READ ONLY").then(
    () => "own" as const,
    () => "none" as const,
  );
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
      late: stopped,
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
