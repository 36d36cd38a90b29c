import { AbortError, DataError, type SignalLike } from "argmax/core";
import { dialects } from "../dialects/index.js";
import {
  type Engine,
  type EngineSession,
  type PassOptions,
  type Source,
  type SourceColumn,
  TransientError,
} from "../engines/engine.js";
import { call, type Expression, multiply, number, shared, subtract } from "../expressions/expression.js";
import { type Aggregate, mergedGroups, type SumGroup, type SumQuery, sumOf } from "../expressions/sums.js";
import { sumSelect } from "../printing/aggregate.js";

/** The rows are not those that the fit began with: some were inserted, changed or deleted, or a shard did not answer. */
export class DataChangedError extends DataError {}

/** What a fit has asked of the database so far. */
export interface PassProgress {
  /** The number of passes over the rows. */
  readonly passes: number;
  /** The number of rows of a pass. */
  readonly rows: number;
  /** What a learner that iterates says of itself. */
  readonly iteration?: number | undefined;
  readonly objective?: number | undefined;
}

export interface PassesOptions extends PassOptions {
  /** How often a pass is tried again after a lost connection or a time limit. */
  readonly retries: number;
  readonly onProgress?: ((progress: PassProgress) => void) | undefined;
}

/** What the rows are known by: their number, and sums that change with them. */
interface Fingerprint {
  readonly query: SumQuery;
  readonly rows: number;
  readonly sums: Float64Array;
}

export interface PassesRows {
  readonly engine: Engine;
  readonly source: Source;
}

/** Milliseconds before the first retry of a pass; each further one waits twice as long. */
const FIRST_PAUSE = 200;

/** The passes of a fit over one source: each is tried again where that may help, and each has to see every row. */
export class Passes {
  readonly #where: string;
  readonly #rowsOf: PassesRows;
  readonly #options: PassesOptions;
  #session: EngineSession | undefined;
  #columns: readonly SourceColumn[] = [];
  readonly #answers = new Map<string, Promise<SumGroup[]>>();
  #passes = 0;
  #opening: Promise<EngineSession> | undefined;
  #fingerprint: Fingerprint | undefined;

  private constructor(where: string, rows: PassesRows, options: PassesOptions) {
    this.#where = where;
    this.#rowsOf = rows;
    this.#options = options;
  }

  static async open(where: string, rows: PassesRows, options: PassesOptions): Promise<Passes> {
    const passes = new Passes(where, rows, options);
    await passes.#retried(async ({ columns }) => {
      passes.#columns = columns;
    });
    return passes;
  }

  get columns(): readonly SourceColumn[] {
    return this.#columns;
  }

  /** The number of rows of the source. */
  get rows(): number {
    return this.#fingerprint!.rows;
  }

  get count(): number {
    return this.#passes;
  }

  /** Counts the rows, and adds up what would change with them. */
  async begin(columns: readonly Expression[]): Promise<void> {
    const query = fingerprintQuery(columns);
    this.#fingerprint = await this.#retried((session) => this.#fingerprintOf(session, query));
  }

  /** Whether the rows are still those of the beginning; without a snapshot only sums can say. */
  async end(): Promise<void> {
    await this.#retried(async (session) => {
      if (!session.isSnapshot) await this.#requireSame(session);
    });
  }

  async close(): Promise<void> {
    const session = this.#session;
    this.#session = undefined;
    await session?.close();
  }

  /** Sums over all rows, several queries in one pass. */
  async sums(queries: readonly SumQuery[]): Promise<SumGroup[][]> {
    const answers = await this.#ask(queries);
    for (const groups of answers) {
      const count = groups.reduce((sum, group) => sum + group.count, 0);
      if (count !== this.rows) this.#refuseCount(count);
    }
    return answers;
  }

  /** The same, of queries that several fits ask: folds of a cross-validation share their passes. */
  async sharedSums(queries: readonly SumQuery[]): Promise<SumGroup[][]> {
    const keys = queries.map((query) => sumSelect(dialects[this.#rowsOf.engine.dialect], [query], "rows"));
    const missing = [...keys.keys()].filter((q) => !this.#answers.has(keys[q]!));
    if (missing.length > 0) {
      const asked = this.sums(missing.map((q) => queries[q]!));
      missing.forEach((q, e) => {
        this.#answers.set(
          keys[q]!,
          asked.then((all) => all[e]!),
        );
      });
    }
    return Promise.all(keys.map((key) => this.#answers.get(key)!));
  }

  batches(...given: Parameters<EngineSession["batches"]>): ReturnType<EngineSession["batches"]> {
    return this.#session!.batches(...given);
  }

  get options(): PassesOptions {
    return this.#options;
  }

  /** What a learner that iterates says of itself. */
  report(iteration: number, objective?: number): void {
    this.#options.onProgress?.({ passes: this.#passes, rows: this.rows, iteration, objective });
  }

  #ask(queries: readonly SumQuery[]): Promise<SumGroup[][]> {
    return this.#retried((session) => this.#pass(session, queries));
  }

  async #pass(session: EngineSession, queries: readonly SumQuery[]): Promise<SumGroup[][]> {
    const answers = await session.sums(queries, this.#options);
    this.#passes++;
    this.#options.onProgress?.({ passes: this.#passes, rows: this.#fingerprint?.rows ?? 0 });
    return answers.map((groups, q) => mergedGroups(groups, queries[q]!.aggregates));
  }

  /** Tries again what may go right the next time. A session that is lost took its snapshot with it: the next one must have the same rows. */
  async #retried<T>(run: (session: EngineSession) => Promise<T>): Promise<T> {
    for (let attempt = 0; ; attempt++) {
      try {
        return await run(await this.#opened());
      } catch (error) {
        if (!(error instanceof TransientError)) throw error;
        if (error.isLost) await this.close().catch(() => undefined);
        if (attempt >= this.#options.retries) throw error;
        await pause(FIRST_PAUSE * 2 ** attempt, this.#where, this.#options.signal);
      }
    }
  }

  /** The session; several passes that find it lost open one together. */
  #opened(): Promise<EngineSession> {
    if (this.#session) return Promise.resolve(this.#session);
    this.#opening ??= this.#open().finally(() => {
      this.#opening = undefined;
    });
    return this.#opening;
  }

  async #open(): Promise<EngineSession> {
    const { engine, source } = this.#rowsOf;
    const session = await engine.open(source, this.#options);
    try {
      if (this.#fingerprint) await this.#requireSame(session);
    } catch (error) {
      await session.close().catch(() => undefined);
      throw error;
    }
    this.#session = session;
    return session;
  }

  async #fingerprintOf(session: EngineSession, query: SumQuery): Promise<Fingerprint> {
    const [groups] = await this.#pass(session, [query]);
    const { count = 0, values = new Float64Array(query.aggregates.length) } = groups![0] ?? {};
    return { query, rows: count, sums: values };
  }

  async #requireSame(session: EngineSession): Promise<void> {
    const { query, sums } = this.#fingerprint!;
    const found = await this.#fingerprintOf(session, query);
    if (found.rows !== this.rows) this.#refuseCount(found.rows);
    // Sums in another order round differently.
    const differs = found.sums.some((sum, e) => Math.abs(sum - sums[e]!) > 1e-9 * Math.abs(sum));
    if (differs) this.#refuse("the same until the fit ended", "changed values");
  }

  #refuseCount(count: number): never {
    this.#refuse(`the ${this.rows} rows that the fit began with`, `${count}`);
  }

  #refuse(expected: string, received: string): never {
    const advice = "Train on rows that nobody writes, or on a snapshot, and see that every shard answers.";
    throw new DataChangedError(this.#where, "the rows of a pass", expected, received, advice);
  }
}

/** (√5 − 1) / 2: its multiples are spread evenly over the unit interval (Knuth, The Art of Computer Programming 3, 6.4). */
const GOLDEN = 0.6180339887498949;

/** Sums of numbers, of where they fall in the unit interval, which one changed row changes however large the others are, and of hashes of text. */
function fingerprintQuery(columns: readonly Expression[]): SumQuery {
  const aggregates = columns.flatMap((of): Aggregate[] => {
    if (of.kind === "column" && of.as !== "number") return [sumOf({ kind: "hash", of: [of] })];
    const place = shared(multiply(of, number(GOLDEN)));
    return [sumOf(of), sumOf(subtract(place, call("floor", place)))];
  });
  return { groupBy: [], aggregates: aggregates.length > 0 ? aggregates : [sumOf(number(1))] };
}

async function pause(milliseconds: number, where: string, signal: SignalLike | undefined): Promise<void> {
  let stop: (() => void) | undefined;
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    stop = () => {
      clearTimeout(timer);
      resolve();
    };
    signal?.addEventListener?.("abort", stop);
  });
  if (stop) signal?.removeEventListener?.("abort", stop);
  if (signal?.aborted) throw new AbortError(where, signal);
}
