import { DataError } from "argmax/core";
import { dialects } from "../dialects/index.js";
import type { BatchValues, Engine, EngineSession, Source, SourceColumn } from "../engines/engine.js";
import type { Expression } from "../expressions/expression.js";
import { mergedGroups, type SumGroup, type SumQuery, sumOf } from "../expressions/sums.js";
import { sumSelect } from "../printing/aggregate.js";
import type { AnswerLog, FitCheckpoint } from "./checkpoint.js";
import { type Fingerprint, fingerprintQuery, isNumber, sameRows } from "./fingerprint.js";
import { LastingSession, type RetryOptions } from "./lasting-session.js";

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

/** Where a fit may keep rows while it lasts. */
export interface ScratchOptions {
  /** A directory for files; that of the system for temporary files unless given. */
  readonly directory?: string | undefined;
}

export interface PassesOptions extends RetryOptions {
  readonly scratch?: ScratchOptions | undefined;
  readonly onProgress?: ((progress: PassProgress) => void) | undefined;
  readonly onWarning?: ((warning: string) => void) | undefined;
  /** Called after each pass. */
  readonly onCheckpoint?: ((checkpoint: FitCheckpoint) => void) | undefined;
}

/** Folds that ask the same do so within this many passes: answers are not kept for longer. */
const REMEMBERED = 4;

/** A source, and what opens it. */
interface OpenableRows {
  readonly engine: Engine;
  readonly source: Source;
}

/** Queries until the next pass. */
interface Waiting {
  readonly queries: readonly SumQuery[];
  resolve(answers: SumGroup[][]): void;
  reject(error: unknown): void;
}

/** The passes of a fit over one source: each is tried again where that may help, and each has to see every row. */
export class Passes {
  readonly #where: string;
  readonly #dialect: keyof typeof dialects;
  readonly #session: LastingSession;
  readonly #options: PassesOptions;
  #columns: readonly SourceColumn[] = [];
  readonly #answers = new Map<string, { readonly since: number; readonly groups: Promise<SumGroup[]> }>();
  readonly #columnSums = new Map<Expression, Promise<number>>();
  readonly #finite = new Set<Expression>();
  #waiting: Waiting[] = [];
  #passes = 0;
  #checked: readonly Expression[] = [];
  #fingerprint: Fingerprint | undefined;
  #log: AnswerLog | undefined;

  private constructor(where: string, rows: OpenableRows, options: PassesOptions) {
    this.#where = where;
    this.#dialect = rows.engine.dialect;
    this.#options = options;
    this.#session = new LastingSession(where, rows, options, (session) => this.#requireSame(session));
  }

  static async open(where: string, rows: OpenableRows, options: PassesOptions): Promise<Passes> {
    const passes = new Passes(where, rows, options);
    await passes.#session.retried(async ({ columns }) => {
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

  /** Counts the rows, and adds up what would change with them. With a log, goes on from its checkpoint. */
  async begin(columns: readonly Expression[], log?: AnswerLog): Promise<void> {
    this.#checked = columns;
    const current = await this.#session.retried((session) => this.#fingerprintOf(session));
    this.#fingerprint = log?.fingerprint(current) ?? current;
    this.#refuseOther(current);
    // Sums as they were then: centres that differ in the last digit would be other queries.
    const found = this.#fingerprint;
    this.#log = log;
    log?.begin(found);
    this.#checkpoint();
    columns.forEach((column, c) => {
      if (!isNumber(column)) return;
      this.#columnSums.set(column, Promise.resolve(found.sums[c]!));
      if (Number.isFinite(found.sums[c]) && found.gaps[c] === 0) this.#finite.add(column);
    });
  }

  /** Whether a column is known to have neither gaps nor infinities. */
  isFinite(column: Expression): boolean {
    return this.#finite.has(column);
  }

  /** Whether the rows are still those of the beginning; without a snapshot only sums can say. */
  async end(): Promise<void> {
    await this.#session.retried(async (session) => {
      if (!session.isSnapshot) await this.#requireSame(session);
    });
  }

  close(): Promise<void> {
    return this.#session.end();
  }

  /** Sums over all rows, several queries in one pass. What is asked at the same time shares it. */
  sums(queries: readonly SumQuery[]): Promise<SumGroup[][]> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ queries, resolve, reject });
      if (this.#waiting.length === 1) setImmediate(() => this.#pass());
    });
  }

  async #pass(): Promise<void> {
    const waiting = this.#waiting;
    this.#waiting = [];
    try {
      const answers = await this.#logged(waiting.flatMap(({ queries }) => queries));
      let from = 0;
      for (const { queries, resolve } of waiting) {
        resolve(answers.slice(from, from + queries.length));
        from += queries.length;
      }
    } catch (error) {
      for (const { reject } of waiting) reject(error);
    }
  }

  /** Σ of columns over all rows. Those of the source itself are known from the beginning. */
  async columnSums(columns: readonly Expression[]): Promise<Float64Array> {
    const missing = columns.filter((column) => !this.#columnSums.has(column));
    if (missing.length > 0) {
      const asked = this.sums([{ groupBy: [], aggregates: missing.map(sumOf) }]);
      for (const [e, column] of missing.entries())
        this.#columnSums.set(
          column,
          asked.then(([groups]) => groups![0]!.values[e]!),
        );
    }
    const sums = await Promise.all(columns.map((column) => this.#columnSums.get(column)!));
    return Float64Array.from(sums);
  }

  /** The same, of queries that several fits ask: folds of a cross-validation share their passes. */
  async sharedSums(queries: readonly SumQuery[]): Promise<SumGroup[][]> {
    const keys = queries.map((query) => this.#nameOf(query));
    const missing = [...keys.keys()].filter((q) => !this.#answers.has(keys[q]!));
    if (missing.length > 0) {
      for (const [key, { since }] of this.#answers)
        if (since < this.#passes - REMEMBERED) this.#answers.delete(key);
      const asked = this.sums(missing.map((q) => queries[q]!));
      missing.forEach((q, e) => {
        this.#answers.set(keys[q]!, { since: this.#passes, groups: asked.then((all) => all[e]!) });
      });
    }
    return Promise.all(keys.map((key) => this.#answers.get(key)!.groups));
  }

  /** The first block of rows; undefined if there are none. */
  firstBlock(...given: Parameters<EngineSession["batches"]>): Promise<readonly BatchValues[] | undefined> {
    return this.#session.retried(async (session) => {
      for await (const block of session.batches(...given)) return block;
      return undefined;
    });
  }

  async *batches(...given: Parameters<EngineSession["batches"]>): ReturnType<EngineSession["batches"]> {
    yield* (await this.#session.opened()).batches(...given);
  }

  /** Refuses rows that were read in another number than sums have counted. */
  requireRows(count: number, expected: number): void {
    if (count === expected) return;
    this.#refuse(`the ${expected} rows that sums have counted`, `${count}`);
  }

  get options(): PassesOptions {
    return this.#options;
  }

  /** What a learner that iterates says of itself. */
  report(iteration: number, objective?: number): void {
    this.#options.onProgress?.({ passes: this.#passes, rows: this.rows, iteration, objective });
  }

  /** Answers of the checkpoint, and of a pass for what that has not. */
  async #logged(queries: readonly SumQuery[]): Promise<SumGroup[][]> {
    const log = this.#log;
    if (log === undefined) return this.#ask(queries);
    const names = queries.map((query) => this.#nameOf(query));
    const known = names.map((name) => log.answer(name));
    const missing = [...known.keys()].filter((q) => known[q] === undefined);
    if (missing.length === 0) return known as SumGroup[][];
    const asked = await this.#ask(missing.map((q) => queries[q]!));
    for (const [e, q] of missing.entries()) {
      log.add(names[q]!, asked[e]!);
      known[q] = asked[e]!;
    }
    this.#checkpoint();
    return known as SumGroup[][];
  }

  async #ask(queries: readonly SumQuery[]): Promise<SumGroup[][]> {
    const answers = await this.#session.retried((session) => this.#answersOf(session, queries));
    for (const groups of answers) {
      const count = groups.reduce((sum, group) => sum + group.count, 0);
      if (count !== this.rows) this.#refuseCount(count);
    }
    return answers;
  }

  #nameOf(query: SumQuery): string {
    return sumSelect(dialects[this.#dialect], query, "rows");
  }

  #checkpoint(): void {
    if (this.#log) this.#options.onCheckpoint?.(this.#log.checkpoint());
  }

  /**
   * Computes what depends on many sums, as a tree does on histograms. A checkpoint then has the result, of plain values and typed arrays,
   * instead of the sums. Results of the same name and the same query are the same.
   */
  async stage<T>(name: string, of: SumQuery, compute: () => Promise<T>): Promise<T> {
    if (this.#log === undefined) return compute();
    const result = await this.#log.stage(`${name} ${this.#nameOf(of)}`, compute);
    this.#checkpoint();
    return result;
  }

  async #answersOf(session: EngineSession, queries: readonly SumQuery[]): Promise<SumGroup[][]> {
    const answers = await session.sums(queries, this.#options);
    this.#passes++;
    const counted = () => (answers[0] ?? []).reduce((sum, { count }) => sum + count, 0);
    this.#options.onProgress?.({ passes: this.#passes, rows: this.#fingerprint?.rows ?? counted() });
    return answers.map((groups, q) => mergedGroups(groups, queries[q]!.aggregates));
  }

  async #fingerprintOf(session: EngineSession): Promise<Fingerprint> {
    const { query, read } = fingerprintQuery(this.#checked);
    const [groups] = await this.#answersOf(session, [query]);
    return read(groups![0]);
  }

  /** Refuses other rows than those of the beginning. */
  async #requireSame(session: EngineSession): Promise<void> {
    if (!this.#fingerprint) return;
    this.#refuseOther(await this.#fingerprintOf(session));
  }

  #refuseOther(found: Fingerprint): void {
    if (found.rows !== this.rows) this.#refuseCount(found.rows);
    if (!sameRows(found, this.#fingerprint!)) this.#refuse("the same until the fit ended", "changed values");
  }

  #refuseCount(count: number): never {
    this.#refuse(`the ${this.rows} rows that the fit began with`, `${count}`);
  }

  #refuse(expected: string, received: string): never {
    const advice = "Train on rows that nobody writes, or on a snapshot, and see that every shard answers.";
    throw new DataChangedError(this.#where, "the rows of a pass", expected, received, advice);
  }
}
