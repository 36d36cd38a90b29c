import { DataError, ParameterError } from "argmax/core";
import type { DialectName } from "../dialects/index.js";
import type { SumGroup } from "../expressions/sums.js";
import type {
  BatchColumn,
  BatchOptions,
  BatchValues,
  Engine,
  EngineSession,
  PassOptions,
  Source,
} from "./engine.js";

interface Part {
  readonly engine: Engine;
  readonly source: Source;
}

/** Several sources of the same columns as one: sums of each at the same time, rows one source after the other. */
export class ShardedEngine implements Engine {
  readonly dialect: DialectName;
  readonly #parts: readonly Part[];

  constructor(parts: readonly Part[]) {
    const names = [...new Set(parts.map(({ engine }) => engine.dialect))];
    if (names.length !== 1)
      throw new ParameterError("shards", "the parts", "of one kind of database", names.join(", ") || "none");
    this.dialect = names[0]!;
    this.#parts = parts;
  }

  async open({ shardKey }: Source, options: PassOptions): Promise<EngineSession> {
    const opened = await Promise.allSettled(
      this.#parts.map(({ engine, source }) =>
        engine.open({ ...source, shardKey: shardKey ?? source.shardKey }, options),
      ),
    );
    const sessions = opened.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
    const close = async () => {
      await Promise.allSettled(sessions.map((session) => session.close()));
    };
    const failed = opened.find((one) => one.status === "rejected");
    try {
      if (failed) throw failed.reason;
      requireSameColumns(sessions);
    } catch (error) {
      await close();
      throw error;
    }
    return {
      columns: sessions[0]!.columns,
      isSnapshot: sessions.every(({ isSnapshot }) => isSnapshot),
      sums: async (queries, own) => {
        const answers = await all(sessions.map((session) => session.sums(queries, own)));
        return queries.map((_, q): SumGroup[] => answers.flatMap((groups) => groups[q]!));
      },
      batches: (columns, own) =>
        own.orderBy ? ordered(sessions, columns, own) : inTurn(sessions, columns, own),
      close,
    };
  }
}

/** All answers, or the first error once none is on its way: a session runs one statement at a time. */
async function all<T>(waiting: readonly Promise<T>[]): Promise<T[]> {
  const settled = await Promise.allSettled(waiting);
  return settled.map((one) => {
    if (one.status === "rejected") throw one.reason;
    return one.value;
  });
}

function requireSameColumns([first, ...others]: readonly EngineSession[]): void {
  const listed = ({ columns }: EngineSession) =>
    columns
      .map(({ name, type }) => `${name} ${type}`)
      .sort()
      .join(", ");
  for (const other of others)
    if (listed(other) !== listed(first!))
      throw new DataError("shards", "the parts", `of the same columns: ${listed(first!)}`, listed(other));
}

type Options = PassOptions & BatchOptions;

async function* inTurn(
  sessions: readonly EngineSession[],
  columns: readonly BatchColumn[],
  options: Options,
) {
  let left = options.limit ?? Number.POSITIVE_INFINITY;
  for (const session of sessions) {
    if (left <= 0) return;
    const own = Number.isFinite(left) ? { ...options, limit: left } : options;
    for await (const block of session.batches(columns, own)) {
      left -= block[0]!.length;
      yield block;
    }
  }
}

/** The first rows of each source, sorted together: of each, as many are in memory as `limit` says. */
async function* ordered(
  sessions: readonly EngineSession[],
  columns: readonly BatchColumn[],
  options: Options,
) {
  const blocks: (readonly BatchValues[])[] = [];
  const asked = [...columns, { of: options.orderBy!, type: "number" as const }];
  for (const session of sessions)
    for await (const block of session.batches(asked, options)) blocks.push(block);
  const rows = blocks.flatMap((block, b) =>
    Array.from(block.at(-1) as Float64Array, (key, i) => ({ key, b, i })),
  );
  rows.sort((a, b) => a.key - b.key);
  const kept = rows.slice(0, options.limit ?? rows.length);
  for (let from = 0; from < kept.length; from += options.rows) {
    const own = kept.slice(from, from + options.rows);
    yield columns.map(({ type }, c): BatchValues => {
      const cells = own.map(({ b, i }) => blocks[b]![c]![i]!);
      return type === "text" ? (cells as (string | null)[]) : Float64Array.from(cells as number[]);
    });
  }
}
