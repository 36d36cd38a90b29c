import { dialects } from "../dialects/index.js";
import type { ColumnType } from "../expressions/expression.js";
import type { SumQuery } from "../expressions/sums.js";
import { columnNames } from "../printing/layers.js";
import {
  type BatchColumn,
  type BatchOptions,
  type BatchValues,
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
  getColumnVector(column: number): object;
}

/** What a vector of doubles is made of, though its declaration does not say so: values, and a bit per value that is not NULL. */
interface DoubleVector {
  readonly items?: unknown;
  readonly validity?: { readonly data?: unknown; readonly offset?: unknown };
}

const dialect = dialects.duckdb;

/** Sources that are text, which every SELECT would parse again. */
const PARSED = /\bread_(csv|json|ndjson)\w*\s*\(|['"][^'"]*\.(csv|tsv|json|jsonl|ndjson)\b/i;
const PARSED_ROWS = "_argmax_parsed";

/**
 * A statement of several SELECTs over the same parsed rows: those columns of them that it reads, which DuckDB writes to its temporary directory
 * where its memory limit ends. 20 SELECTs of a CSV file of 150 MB took 0.6 s of CPU instead of 5.5 s, and 230 MB instead of 780 MB, since each
 * SELECT has a parser with its buffers; one statement after the other took as long as all at once.
 */
function parsedOnce(
  statement: string,
  queries: readonly SumQuery[],
  from: string,
  shardKey: string | undefined,
): string {
  const roots = queries.flatMap(({ groupBy, aggregates }) => [...groupBy, ...aggregates].map(({ of }) => of));
  const names = new Set([...columnNames(roots), ...(shardKey === undefined ? [] : [shardKey])]);
  const columns = names.size > 0 ? Array.from(names, dialect.identifier).join(", ") : "1 AS one";
  const kept = statement.includes(" UNION ALL SELECT ") ? " MATERIALIZED" : "";
  return `WITH ${dialect.identifier(PARSED_ROWS)} AS${kept} (SELECT ${columns} FROM ${from}) ${statement}`;
}

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
      inTurn(connection, () =>
        limited(own, {
          run: async () => (await connection.runAndReadAll(sql)).getRowObjectsJS(),
          stop: () => connection.interrupt(),
          late: stopped,
        }),
      );
    const described = await read(`DESCRIBE SELECT * FROM ${from}`, options);
    const columns = described.map(({ column_name, column_type }) => ({
      name: String(column_name),
      type: typeOf(String(column_type)),
    }));
    const transaction = await held(connection);
    const isParsed = PARSED.test(from);
    return {
      columns,
      isSnapshot: transaction.isOpen && !/\bread_\w+\s*\(|['"][^'"]*\.(parquet|csv|json)/i.test(from),
      sums: (queries: readonly SumQuery[], own) =>
        sumsOf(
          dialect,
          queries,
          isParsed ? dialect.identifier(PARSED_ROWS) : from,
          async (statement) => {
            const rows = await read(
              isParsed ? parsedOnce(statement, queries, from, shardKey) : statement,
              own,
            );
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
  const own = sessions.get(connection) ?? { count: 0, begun: inTurn(connection, () => begun(connection)) };
  sessions.set(connection, own);
  own.count++;
  const state = await own.begun;
  return {
    isOpen: state !== "none",
    release: async () => {
      if (--own.count > 0) return;
      sessions.delete(connection);
      if (state === "own") await inTurn(connection, () => connection.run("ROLLBACK")).catch(() => undefined);
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

const lastTurns = new WeakMap<DuckdbConnection, Promise<void>>();

/** Waits until a connection is free: another statement would end a stream before its last row. The answer frees it again. */
async function turn(connection: DuckdbConnection): Promise<() => void> {
  const before = lastTurns.get(connection);
  let release = () => {};
  lastTurns.set(
    connection,
    new Promise((resolve) => {
      release = resolve;
    }),
  );
  await before;
  return release;
}

async function inTurn<T>(connection: DuckdbConnection, run: () => Promise<T>): Promise<T> {
  const release = await turn(connection);
  try {
    return await run();
  } finally {
    release();
  }
}

/** Other statements wait until all batches have been read, or no more are. */
async function* batchesOf(...given: Parameters<typeof streamed>) {
  const release = await turn(given[0]);
  try {
    yield* streamed(...given);
  } finally {
    release();
  }
}

async function* streamed(
  connection: DuckdbConnection,
  columns: readonly BatchColumn[],
  from: string,
  options: PassOptions & BatchOptions,
) {
  const stream = await connection.stream(batchStatement(dialect, columns, from, options));
  let waiting = columns.map((column) => new WaitingColumn(column));
  let count = 0;
  for (;;) {
    const chunk = await limited(options, {
      run: () => stream.fetchChunk(),
      stop: () => connection.interrupt(),
      late: stopped,
    });
    if (chunk === null || chunk.rowCount === 0) break;
    for (const [c, column] of waiting.entries()) column.add(chunk, c);
    count += chunk.rowCount;
    if (count < options.rows) continue;
    yield waiting.map((column) => column.values());
    waiting = columns.map((column) => new WaitingColumn(column));
    count = 0;
  }
  if (count > 0) yield waiting.map((column) => column.values());
}

/** A column of a block that is not yet full. */
class WaitingColumn {
  readonly #type: BatchColumn;
  readonly #parts: BatchValues[] = [];

  constructor(type: BatchColumn) {
    this.#type = type;
  }

  add(chunk: DuckdbChunk, c: number): void {
    const plain = this.#type.type === "number" && doublesOf(chunk.getColumnVector(c), chunk.rowCount);
    this.#parts.push(plain || batchValues([this.#type], [chunk.getColumnValues(c)])[0]!);
  }

  values(): BatchValues {
    const length = this.#parts.reduce((sum, part) => sum + part.length, 0);
    if (this.#type.type === "text") return (this.#parts as (readonly (string | null)[])[]).flat();
    const out = new Float64Array(length);
    let at = 0;
    for (const part of this.#parts as Float64Array[]) {
      out.set(part, at);
      at += part.length;
    }
    return out;
  }
}

/** The doubles of a vector at once; undefined if it is made of something else. */
function doublesOf({ items, validity }: DoubleVector, rows: number): Float64Array | undefined {
  if (!(items instanceof Float64Array) || items.length !== rows) return undefined;
  const { data, offset } = validity ?? {};
  if (data === null) return items.slice();
  if (!(data instanceof BigUint64Array) || offset !== 0) return undefined;
  const bits = new Uint32Array(data.buffer, data.byteOffset, 2 * data.length);
  return items.map((value, i) => ((bits[i >> 5]! >>> (i & 31)) & 1 ? value : Number.NaN));
}

function typeOf(type: string): ColumnType | undefined {
  // Lists are written as the type of their entries and brackets.
  if (type.endsWith("]")) return undefined;
  if (/^(U?(TINY|SMALL|BIG|HUGE)?INT|U?INTEGER|FLOAT|DOUBLE|DECIMAL\(.*\))$/.test(type)) return "number";
  if (type === "BOOLEAN") return "boolean";
  if (/^(DATE|TIMESTAMP)/.test(type)) return "date";
  return /^(VARCHAR$|ENUM\(|UUID$)/.test(type) ? "text" : undefined;
}
