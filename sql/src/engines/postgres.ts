import { connect } from "node:net";
import { AbortError, DataError, ParameterError, type SignalLike } from "argmax/core";
import type { Dialect } from "../dialects/dialect.js";
import { dialects } from "../dialects/index.js";
import { shardedPostgres } from "../dialects/postgres.js";
import type { ColumnType, Expression } from "../expressions/expression.js";
import type { SumGroup, SumQuery } from "../expressions/sums.js";
import { sizes } from "../printing/layers.js";
import {
  type BatchColumn,
  type BatchOptions,
  type Engine,
  type EngineSession,
  type PassOptions,
  type Source,
  type SourceColumn,
  TransientError,
} from "./engine.js";
import { LONGEST, limited } from "./limited.js";
import { withoutSecrets } from "./secrets.js";
import { batchStatement, batchValues, sumsOf } from "./sql-session.js";

/** What is used of a `Client` or `PoolClient` of `pg`. */
export interface PostgresClient {
  query(query: PostgresQuery): Promise<PostgresResult | PostgresResult[]>;
  on(event: "error", listener: () => void): unknown;
  removeListener(event: "error", listener: () => void): unknown;
  end(): Promise<void>;
}

/** What is used of a `Pool` of `pg`. */
export interface PostgresPool {
  readonly totalCount: number;
  connect(): Promise<PostgresClient & { release(destroy?: boolean): void }>;
}

interface PostgresQuery {
  readonly text: string;
  readonly rowMode: "array";
  readonly types: { getTypeParser(): (value: string) => string };
}

interface PostgresResult {
  readonly fields: readonly { readonly name: string; readonly dataTypeID: number }[];
  readonly rows: readonly Cells[];
}

/** Cells as PostgreSQL writes them. */
type Cells = readonly (string | null)[];

/** What a `Client` has besides: how it is connected. */
interface Connected {
  readonly host?: string;
  readonly port?: number;
  readonly processID?: number | null;
  readonly secretKey?: number | null;
  readonly password?: unknown;
  readonly connectionParameters?: object;
}

/** Milliseconds that a cancelled statement may take to end before its connection is closed. */
const GRACE = 5000;

const dialect = dialects.postgres;

/** PostgreSQL through one connection: one read-only transaction whose snapshot all passes read. */
export class PostgresEngine implements Engine {
  readonly dialect = "postgres";
  readonly #given: PostgresClient | PostgresPool;
  /** Whether the connection that was given is still open. */
  #isAlive = true;

  constructor(given: PostgresClient | PostgresPool) {
    this.#given = given;
  }

  async open(source: Source, options: PassOptions): Promise<EngineSession> {
    const held = await this.#hold(options);
    const session = new PostgresSession(held, source);
    try {
      await session.begin(options);
    } catch (error) {
      await session.close();
      throw error;
    }
    return session;
  }

  async #hold(options: PassOptions): Promise<Held> {
    const given = this.#given;
    if ("totalCount" in given) return heldOf(given, options);
    if (busy.has(given)) {
      const advice = "Wait for the other fit, or give a Pool.";
      throw new ParameterError("postgres", "the client", "one that no other fit uses", "a busy one", advice);
    }
    if (this.#isAlive) {
      busy.add(given);
      const release = async (isLost: boolean) => {
        busy.delete(given);
        if (isLost) this.#isAlive = false;
      };
      return { client: given, release };
    }
    // A `Client` cannot connect twice: another one takes its place until the fit ends.
    const client = await another(given, options.timeoutMs);
    return { client, release: () => client.end().catch(() => undefined) };
  }
}

/** Clients that hold the transaction of a fit: there is one transaction per connection. */
const busy = new WeakSet<PostgresClient>();

interface Held {
  readonly client: PostgresClient;
  release(isLost: boolean): Promise<void>;
}

async function heldOf(pool: PostgresPool, options: PassOptions): Promise<Held> {
  const waiting = pool.connect();
  let stop = () => {};
  const stopped = new Promise<never>((_, reject) => {
    stop = () => reject(new Error("stopped"));
  });
  try {
    const client = await limited(options, {
      run: () => Promise.race([waiting, stopped]),
      stop: () => stop(),
      late: () => new TransientError(`No connection of the pool was free for ${options.timeoutMs} ms.`),
    });
    return { client, release: async (isLost) => client.release(isLost) };
  } catch (error) {
    // It may come yet, and nobody waits for it any more.
    waiting.then((client) => client.release()).catch(() => undefined);
    throw understood(error, [], false);
  }
}

/** A new connection with the settings of another one. */
async function another(given: PostgresClient, timeoutMs: number): Promise<PostgresClient> {
  const { connectionParameters, password } = given as Connected;
  const Client = given.constructor as new (settings: object) => PostgresClient & { connect(): Promise<void> };
  const client = new Client({
    ...connectionParameters,
    password,
    connectionTimeoutMillis: Math.min(timeoutMs, 30_000),
  });
  client.on("error", ignore);
  try {
    await client.connect();
    return client;
  } catch (error) {
    await client.end().catch(ignore);
    throw understood(error, [password], true);
  }
}

const ignore = () => undefined;
const asText = { getTypeParser: () => (value: string) => value };

class PostgresSession implements EngineSession {
  columns: readonly SourceColumn[] = [];
  isSnapshot = true;
  readonly #held: Held;
  readonly #source: Source;
  #process = "";
  /** Whether a transaction was open before. */
  #isInside = false;
  #isLost = false;
  #cursors = 0;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(held: Held, source: Source) {
    this.#held = held;
    this.#source = source;
    // Without a listener a connection that breaks between two statements would end the process.
    held.client.on("error", this.#onError);
  }

  readonly #onError = () => {
    this.#isLost = true;
  };

  async begin(options: PassOptions): Promise<void> {
    const milliseconds = options.timeoutMs <= LONGEST ? Math.max(1, Math.ceil(options.timeoutMs)) : 0;
    // A transaction may be open: a savepoint then takes back what is set here, and the snapshot is as good as its isolation.
    this.#isInside = await this.#run("SAVEPOINT argmax_fit", options).then(
      () => true,
      (error) => {
        if (error.code === NO_TRANSACTION) return false;
        throw error;
      },
    );
    const begin = this.#isInside
      ? []
      : ["BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", "SAVEPOINT argmax_fit"];
    const settings = [
      "transaction_read_only = on",
      `statement_timeout = ${milliseconds}`,
      // A solver may compute for long between two passes.
      "idle_in_transaction_session_timeout = 0",
      ...(this.#source.shardKey === undefined ? [] : shardedSettings),
      // All digits of a double; servers before 12 write 15.
      "extra_float_digits = 3",
    ].map((setting) => `SET LOCAL ${setting}`);
    const asked = "SELECT pg_backend_pid(), current_setting('transaction_isolation')";
    const { rows } = await this.#run([...begin, ...settings, asked].join("; "), options);
    const [process, isolation] = rows[0]!;
    this.#process = process!;
    this.isSnapshot = !isolation!.startsWith("read ");
    this.columns = await this.#described(options);
  }

  sums(queries: readonly SumQuery[], options: PassOptions): Promise<SumGroup[][]> {
    const { from, shardKey } = this.#source;
    const run = async (statement: string) => {
      const { rows } = await this.#statement(statement, options);
      return rows.map(([q, k, n, v]) => [q, arrayOf(k!), n, arrayOf(v!)] as const);
    };
    return sumsOf(dialect, queries, from, run, shardKey === undefined ? {} : { shardKey, dialectOf });
  }

  async *batches(columns: readonly BatchColumn[], options: PassOptions & BatchOptions) {
    const cursor = `argmax_cursor_${this.#cursors++}`;
    const select = batchStatement(dialect, columns, this.#source.from, options);
    await this.#statement(`DECLARE ${cursor} NO SCROLL CURSOR FOR ${select}`, options);
    try {
      for (;;) {
        const { rows } = await this.#statement(`FETCH ${options.rows} FROM ${cursor}`, options);
        if (rows.length === 0) return;
        yield batchValues(
          columns,
          columns.map((_, c) => rows.map((row) => row[c])),
        );
      }
    } finally {
      if (!this.#isLost) await this.#run(`CLOSE ${cursor}`, { timeoutMs: GRACE }).catch(ignore);
    }
  }

  async close(): Promise<void> {
    const { client, release } = this.#held;
    await this.#turn.catch(ignore);
    // A transaction that was open before stays open.
    const end = this.#isInside
      ? "ROLLBACK TO SAVEPOINT argmax_fit; RELEASE SAVEPOINT argmax_fit"
      : "ROLLBACK";
    if (!this.#isLost) await this.#run(end, { timeoutMs: GRACE }).catch(ignore);
    client.removeListener("error", this.#onError);
    if (this.#isLost) client.on("error", ignore);
    await release(this.#isLost);
  }

  async #described(options: PassOptions): Promise<SourceColumn[]> {
    const { fields } = await this.#statement(`SELECT * FROM ${this.#source.from} LIMIT 0`, options);
    const numbers = [...new Set(fields.map(({ dataTypeID }) => dataTypeID))].join(", ");
    const known = `SELECT oid, typname, typcategory FROM pg_catalog.pg_type WHERE oid IN (${numbers || "0"})`;
    const { rows } = await this.#statement(known, options);
    const types = new Map(rows.map(([id, name, category]) => [Number(id), typeOf(name!, category!)]));
    return fields.map(({ name, dataTypeID }) => ({ name, type: types.get(dataTypeID) }));
  }

  /** One statement at a time, behind a savepoint: an error would end the transaction, and with it the snapshot. */
  #statement(text: string, options: PassOptions): Promise<PostgresResult> {
    const whole = `SAVEPOINT argmax_pass; ${text}; RELEASE SAVEPOINT argmax_pass`;
    const own = this.#turn.then(async () => {
      // Before it is sent there is no savepoint to go back to, and to try would end the transaction.
      if (options.signal?.aborted) throw new AbortError("fitInDatabase", options.signal);
      try {
        return await this.#run(whole, options, 1);
      } catch (error) {
        if (!this.#isLost) await this.#takeBack();
        throw understood(error, [(this.#held.client as Connected).password], this.#isLost);
      }
    });
    this.#turn = own.catch(ignore);
    return own;
  }

  async #takeBack(): Promise<void> {
    const back = "ROLLBACK TO SAVEPOINT argmax_pass; RELEASE SAVEPOINT argmax_pass";
    await this.#run(back, { timeoutMs: GRACE }).catch(() => {
      this.#isLost = true;
    });
  }

  /** Runs statements; the result is that of the last one, or of one by its place. */
  async #run(
    text: string,
    { signal, timeoutMs }: { readonly signal?: SignalLike | undefined; readonly timeoutMs: number },
    place?: number,
  ): Promise<PostgresResult> {
    const { client } = this.#held;
    let end: (error: Error) => void = ignore;
    const ended = new Promise<never>((_, reject) => {
      end = reject;
    });
    ended.catch(ignore);
    let timer: ReturnType<typeof setTimeout> | undefined;
    let cancelled: Promise<unknown> = Promise.resolve();
    const given = await limited(
      { signal, timeoutMs },
      {
        run: () => Promise.race([client.query({ text, rowMode: "array", types: asText }), ended]),
        stop: () => {
          cancelled = Promise.race([cancel(client, this.#process), ended.catch(ignore)]);
          // Of a host that is gone no answer comes.
          timer = setTimeout(() => {
            this.#isLost = true;
            end(new Error("The connection does not answer."));
            client.end().catch(ignore);
          }, GRACE);
        },
        late: (message) => new TransientError(message, { isLost: this.#isLost }),
      },
    ).finally(async () => {
      // A cancel that arrives late would end the next statement, as the ROLLBACK that gives the connection back.
      await cancelled;
      clearTimeout(timer);
    });
    return Array.isArray(given) ? given.at(place ?? -1)! : given;
  }
}

/**
 * With these each shard adds up its own rows. Costs of operators are left out: they are the same here and there, and of two plans whose costs
 * are within 1% of each other PostgreSQL takes the one that begins sooner (add_path), which fetches the rows.
 */
const shardedSettings = ["enable_partitionwise_aggregate = on", "cpu_operator_cost = 0"];

/** Operations of a SELECT up to which shards add up themselves. More, and it costs less to send rows to where a fence computes them once. */
const INLINE = 8000;

function dialectOf(roots: readonly Expression[]): Dialect {
  const sizeOf = sizes();
  return roots.reduce((sum, root) => sum + sizeOf(root), 0) > INLINE ? dialect : shardedPostgres;
}

/** Tells the server to stop what a connection runs, through another one. */
async function cancel(client: PostgresClient, process: string): Promise<void> {
  try {
    const second = await another(client, GRACE);
    const text = `SELECT pg_catalog.pg_cancel_backend(${Number(process)})`;
    await second.query({ text, rowMode: "array", types: asText }).finally(() => second.end());
  } catch {
    await cancelUnasked(client);
  }
}

/** A cancel request, which needs no free connection: length, code 1234 5678, process and secret (protocol 3.0, 53.7). */
async function cancelUnasked(client: PostgresClient): Promise<void> {
  const { host, port, processID, secretKey } = client as Connected;
  if (!host || !port || !processID || !secretKey) return;
  const request = Buffer.alloc(16);
  [16, (1234 << 16) | 5678, processID, secretKey].forEach((word, w) => {
    request.writeInt32BE(word | 0, 4 * w);
  });
  const path = `${host}/.s.PGSQL.${port}`;
  const socket = host.startsWith("/") ? connect(path) : connect(port, host);
  socket.setTimeout(GRACE, () => socket.destroy());
  socket.on("error", ignore);
  socket.end(request);
  // The server closes it when the statement has been told.
  await new Promise((resolve) => socket.once("close", resolve).resume());
}

/** SAVEPOINT outside of a transaction (errcodes.txt). */
const NO_TRANSACTION = "25P01";

/**
 * Error classes that may be gone the next time (errcodes.txt): connection (08), resources (53), a cancelled query or a server that ends (57),
 * a conflict with another transaction (40), a lock that is not free (55), and servers behind a foreign table (HV).
 */
const PASSING = /^(08|53|57|40|55|HV00N)/;

/** Other databases go on with ±Infinity and 0 (errcodes.txt). */
const OUT_OF_RANGE = "22003";

/** Errors as those of a pass: what may be tried again, and no passwords. */
function understood(error: unknown, secrets: readonly unknown[], isLost: boolean): unknown {
  if (error instanceof TransientError)
    return isLost && !error.isLost ? new TransientError(error.message, { isLost }) : error;
  if (!(error instanceof Error) || error.name === "AbortError") return error;
  const { code, message } = error as Error & { code?: string };
  const isAnswer = code !== undefined && /^[0-9A-Z]{5}$/.test(code) && "severity" in error;
  const said = withoutSecrets(message || code || "the connection failed", secrets);
  if (code === OUT_OF_RANGE)
    return new DataError(
      "fitInDatabase",
      "the source",
      "numbers whose sums and squares fit a double",
      said,
      "Scale the columns that are far from 1, or leave such rows out, in the query.",
    );
  if (!isAnswer || PASSING.test(code) || isLost)
    // Without a foreign server that it has begun to read, a transaction cannot go on.
    return new TransientError(`PostgreSQL: ${said}`, {
      isLost: isLost || !isAnswer || /^(08|HV)/.test(code),
    });
  if (said !== message) error.message = said;
  return error;
}

function typeOf(name: string, category: string): ColumnType | undefined {
  if (category === "B") return "boolean";
  if (/^(int[248]|float[48]|numeric)$/.test(name)) return "number";
  if (/^(date|timestamp|timestamptz)$/.test(name)) return "date";
  return category === "S" || category === "E" || name === "uuid" ? "text" : undefined;
}

/** The entries of an array as PostgreSQL writes it: {1,"a b",NULL}. */
function arrayOf(text: string): (string | null)[] {
  return Array.from(text.matchAll(/"((?:[^"\\]|\\.)*)"|([^{},]+)/gs), ([, quoted, plain]) =>
    quoted === undefined ? (plain === "NULL" ? null : plain!) : quoted.replace(/\\(.)/gs, "$1"),
  );
}
