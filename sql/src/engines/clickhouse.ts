import { randomUUID } from "node:crypto";
import { ParameterError } from "argmax/core";
import { dialects } from "../dialects/index.js";
import type { ColumnType } from "../expressions/expression.js";
import type { SumQuery } from "../expressions/sums.js";
import { lambdas } from "../printing/lambdas.js";
import { layered } from "../printing/layers.js";
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
import { limited } from "./limited.js";
import { withoutSecrets } from "./secrets.js";
import { batchStatement, batchValues, sumsOf } from "./sql-session.js";

/** What is used of a client of `@clickhouse/client`. */
export interface ClickhouseClient {
  query(request: ClickhouseRequest & { readonly format: "JSONCompact" | "JSONEachRow" }): Promise<unknown>;
  command(request: ClickhouseRequest): Promise<unknown>;
}

interface ClickhouseRequest {
  readonly query: string;
  readonly query_id?: string;
  readonly abort_signal?: AbortSignal;
  readonly clickhouse_settings?: Record<string, string | number>;
}

/** The result of a query in one of the two formats. */
interface ClickhouseResult {
  json(): Promise<{ readonly meta: readonly Meta[]; readonly data: readonly (readonly unknown[])[] }>;
  stream(): AsyncIterable<readonly { json(): Readonly<Record<string, unknown>> }[]>;
  close(): void;
}

interface Meta {
  readonly name: string;
  readonly type: string;
}

/** Milliseconds that the end of a cancelled query is waited for. */
const GRACE = 5000;

const dialect = dialects.clickhouse;

/** Settings with which a query answers for all rows or fails, whatever the profile of the user says. */
const WHOLE: Readonly<Record<string, string>> = {
  skip_unavailable_shards: "0",
  timeout_overflow_mode: "throw",
  read_overflow_mode: "throw",
  group_by_overflow_mode: "throw",
  result_overflow_mode: "throw",
  distributed_group_by_no_merge: "0",
};

/** Settings that a query is better with. Versions that do not have one do without. */
const WANTED: Readonly<Record<string, string>> = {
  readonly: "2",
  // The same replica each time: another one may be behind.
  load_balancing: "in_order",
  max_query_size: String(2 ** 26),
  max_ast_elements: "1000000",
  max_expanded_ast_elements: "5000000",
  output_format_json_quote_denormals: "1",
  cancel_http_readonly_queries_on_client_close: "1",
  send_progress_in_http_headers: "1",
  transform_null_in: "0",
  use_query_cache: "0",
};

/** ClickHouse: there are no snapshots, so that passes count and compare what they see. */
export class ClickhouseEngine implements Engine {
  readonly dialect = "clickhouse";
  readonly #client: ClickhouseClient;

  constructor(client: ClickhouseClient) {
    this.#client = client;
  }

  async open({ from, table, shardKey }: Source, options: PassOptions): Promise<EngineSession> {
    const server = new ClickhouseServer(this.#client);
    try {
      await server.begin(options);
      const { meta } = await server.answer(`SELECT * FROM ${from} LIMIT 0`, options);
      const layering = (await isDistributed(server, from, table, options)) ? lambdas : layered;
      return {
        columns: meta.map(({ name, type }): SourceColumn => ({ name, type: typeOf(type) })),
        isSnapshot: false,
        sums: (queries: readonly SumQuery[], own) =>
          sumsOf(
            dialect,
            queries,
            from,
            async (statement) =>
              (await server.answer(statement, own)).data.map(
                ([q, keys, n, values]) => [q, keys as unknown[], n, values as (string | null)[]] as const,
              ),
            { layering, shardKey },
          ),
        batches: (columns, own) => server.batches(columns, from, own),
        close: () => server.close(),
      };
    } catch (error) {
      await server.close();
      throw error;
    }
  }
}

/** Whether the rows are on several shards, to which sums are sent as they are. */
async function isDistributed(
  server: ClickhouseServer,
  from: string,
  table: readonly string[] | undefined,
  options: PassOptions,
): Promise<boolean> {
  if (/^\s*(remote|remoteSecure|cluster|clusterAllReplicas)\s*\(/i.test(from)) return true;
  if (table === undefined) return false;
  const [name, database] = [...table].reverse().map((part) => dialect.text(part));
  const where = `name = ${name} AND database = ${database ?? "currentDatabase()"}`;
  const { data } = await server.answer(`SELECT engine FROM system.tables WHERE ${where}`, options);
  return data[0]?.[0] === "Distributed";
}

/** Queries of one fit, and the settings that they are sent with. */
class ClickhouseServer {
  readonly #client: ClickhouseClient;
  #settings: Record<string, string | number> = {};
  #canSet = true;
  readonly #kills = new Set<Promise<unknown>>();

  constructor(client: ClickhouseClient) {
    this.#client = client;
  }

  async begin(options: PassOptions): Promise<void> {
    const names = ["readonly", "max_execution_time", "http_headers_progress_interval_ms"];
    const listed = [...names, ...Object.keys(WHOLE), ...Object.keys(WANTED)].map((name) =>
      dialect.text(name),
    );
    const { data } = await this.answer(
      `SELECT name, value FROM system.settings WHERE name IN (${listed.join(", ")})`,
      options,
    );
    const current = new Map(data as [string, string][]);
    const changes = (wanted: Readonly<Record<string, string>>) =>
      Object.entries(wanted).filter(([name, value]) => (current.get(name) ?? value) !== value);
    // 1: nothing is written and no setting changed; 2: nothing is written.
    this.#canSet = current.get("readonly") !== "1";
    const [partial] = changes(WHOLE);
    if (!this.#canSet && partial)
      throw new ParameterError(
        "clickhouse",
        "the profile of the user",
        "one whose queries read all rows or fail",
        `${partial[0]} = ${current.get(partial[0])}, which readonly = 1 does not let a query change`,
        "Give a user with readonly = 2, or a profile without that setting.",
      );
    if (!this.#canSet) return;
    this.#settings = Object.fromEntries([...changes(WHOLE), ...changes(WANTED)]);
    if (current.get("readonly") === "2") delete this.#settings["readonly"];
    if (Number.isFinite(options.timeoutMs))
      this.#settings["max_execution_time"] = Math.max(1, Math.ceil(options.timeoutMs / 1000));
    // Signs of life, so that the client does not take a long query for a dead one; not more than the headers that Node reads.
    if (current.has("http_headers_progress_interval_ms"))
      this.#settings["http_headers_progress_interval_ms"] = 20_000;
  }

  /** The answer of a query, which is sent once it is complete: an error in the midst of it would be lost. */
  answer(query: string, options: PassOptions) {
    const id = randomUUID();
    const stop = new AbortController();
    return this.#limited(id, stop, options, async () => {
      const result = await this.#client.query({
        query,
        query_id: id,
        format: "JSONCompact",
        abort_signal: stop.signal,
        clickhouse_settings: { ...this.#settings, wait_end_of_query: 1 },
      });
      return (result as ClickhouseResult).json();
    });
  }

  async *batches(columns: readonly BatchColumn[], from: string, options: PassOptions & BatchOptions) {
    const id = randomUUID();
    const stop = new AbortController();
    const bounded = <T>(run: () => Promise<T>) => this.#limited(id, stop, options, run);
    const result = (await bounded(() =>
      this.#client.query({
        query: batchStatement(dialect, columns, from, options),
        query_id: id,
        format: "JSONEachRow",
        abort_signal: stop.signal,
        clickhouse_settings: this.#settings,
      }),
    )) as ClickhouseResult;
    const chunks = result.stream()[Symbol.asyncIterator]();
    let waiting: unknown[][] = columns.map(() => []);
    try {
      for (;;) {
        const { done, value } = await bounded(() => chunks.next());
        if (done) break;
        for (const row of value)
          for (const [c, cell] of Object.values(row.json()).entries()) waiting[c]!.push(cell);
        while (waiting[0]!.length >= options.rows) {
          yield batchValues(
            columns,
            waiting.map((cells) => cells.slice(0, options.rows)),
          );
          waiting = waiting.map((cells) => cells.slice(options.rows));
        }
      }
      if (waiting[0]!.length > 0) yield batchValues(columns, waiting);
    } finally {
      result.close();
    }
  }

  async close(): Promise<void> {
    await Promise.allSettled(this.#kills);
  }

  async #limited<T>(
    id: string,
    stop: AbortController,
    options: PassOptions,
    run: () => Promise<T>,
  ): Promise<T> {
    try {
      return await limited(options, {
        run,
        stop: () => {
          this.#kill(id);
          stop.abort();
        },
        late: (message) => new TransientError(message),
      });
    } catch (error) {
      throw understood(error);
    }
  }

  /** Ends a query on all servers; a closed connection alone ends it only where it next writes. */
  #kill(id: string): void {
    const end = new AbortController();
    const timer = setTimeout(() => end.abort(), GRACE);
    const kill = this.#client
      .command({ query: `KILL QUERY WHERE query_id = ${dialect.text(id)}`, abort_signal: end.signal })
      .catch(() => undefined)
      .finally(() => {
        clearTimeout(timer);
        this.#kills.delete(kill);
      });
    this.#kills.add(kill);
  }
}

/**
 * Codes of errors that may be gone the next time (ErrorCodes.cpp): an answer that ends too early (3, 32), an unexpected packet (101, 102), a
 * time limit (159, 209), too many queries (202, 203), the network (210, 198, 279), a query that was cancelled (394).
 */
const PASSING: ReadonlySet<string> = new Set(
  [3, 32, 101, 102, 159, 198, 202, 203, 209, 210, 279, 394].map(String),
);

/** Errors as those of a pass: what may be tried again, and no passwords. */
function understood(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof TransientError || error.name === "AbortError")
    return error;
  const { code: known, message } = error as Error & { code?: string };
  const said = withoutSecrets(message || known || "the connection failed");
  // The client does not read the code of an answer of an old version.
  const code = /^Code: (\d+)/.exec(message)?.[1] ?? known;
  if (code === undefined || !/^\d+$/.test(code) || PASSING.has(code))
    return new TransientError(`ClickHouse: ${said}`, { cause: code });
  if (said !== message) error.message = said;
  return error;
}

function typeOf(name: string): ColumnType | undefined {
  const inner = /^(?:Nullable|LowCardinality)\((.*)\)$/.exec(name);
  if (inner) return typeOf(inner[1]!);
  if (/^(U?Int\d+|Float(32|64)|Decimal)/.test(name)) return "number";
  if (name === "Bool") return "boolean";
  if (name.startsWith("Date")) return "date";
  return /^(String|FixedString|Enum|UUID|IPv)/.test(name) ? "text" : undefined;
}
