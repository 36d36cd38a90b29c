import { DataError } from "argmax/core";
import { dialects } from "../dialects/index.js";
import { type EngineSession, type PassOptions, TransientError } from "../engines/engine.js";
import { type Expression, isNull, number, when } from "../expressions/expression.js";
import { mergedGroups, type SumGroup, type SumQuery, sumOf } from "../expressions/sums.js";
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

/** Milliseconds before the first retry of a pass; each further one waits twice as long. */
const FIRST_PAUSE = 200;

/** Queries until the next pass. */
interface Waiting {
  readonly queries: readonly SumQuery[];
  resolve(answers: SumGroup[][]): void;
  reject(error: unknown): void;
}

/** The passes of a fit over one source: each is tried again where that may help, and each has to see every row. */
export class Passes {
  readonly #where: string;
  readonly #session: EngineSession;
  readonly #options: PassesOptions;
  readonly #dialect: keyof typeof dialects;
  readonly #answers = new Map<string, Promise<SumGroup[]>>();
  readonly #columnSums = new Map<Expression, Promise<number>>();
  readonly #finite = new Set<Expression>();
  #waiting: Waiting[] = [];
  #passes = 0;
  #rows: number | undefined;
  #checksums: Float64Array | undefined;

  constructor(where: string, session: EngineSession, dialect: keyof typeof dialects, options: PassesOptions) {
    this.#where = where;
    this.#session = session;
    this.#dialect = dialect;
    this.#options = options;
  }

  get columns(): EngineSession["columns"] {
    return this.#session.columns;
  }

  /** The number of rows of the source. */
  get rows(): number {
    return this.#rows!;
  }

  get count(): number {
    return this.#passes;
  }

  /** Counts the rows, and adds up what would change with them: numbers themselves, of text a hash. */
  async begin(columns: readonly Expression[]): Promise<void> {
    const [groups] = await this.#ask([this.#fingerprint(columns)]);
    this.#rows = groups![0]?.count ?? 0;
    const { values } = groups![0] ?? {};
    this.#checksums = values;
    columns.forEach((column, c) => {
      const sum = values?.[c] ?? 0;
      if (isNumber(column)) this.#columnSums.set(column, Promise.resolve(sum));
      if (isNumber(column) && Number.isFinite(sum) && values?.[columns.length + c] === 0)
        this.#finite.add(column);
    });
  }

  /** Whether a column is known to have neither gaps nor infinities. */
  isFinite(column: Expression): boolean {
    return this.#finite.has(column);
  }

  /** Whether the rows are still those of the beginning; without a snapshot only sums can say. */
  async end(columns: readonly Expression[]): Promise<void> {
    if (this.#session.isSnapshot) return;
    const [groups] = await this.#ask([this.#fingerprint(columns)]);
    const { count = 0, values = new Float64Array() } = groups![0] ?? {};
    if (count !== this.#rows) this.#refuseCount(count);
    // Sums in another order round differently.
    const differs = values.some((v, e) => Math.abs(v - this.#checksums![e]!) > 1e-9 * Math.abs(v));
    if (differs) this.#refuse("the same until the fit ended", "changed values");
  }

  /** Sums over all rows, several queries in one pass. What is asked at the same time shares it. */
  sums(queries: readonly SumQuery[]): Promise<SumGroup[][]> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ queries, resolve, reject });
      if (this.#waiting.length === 1) setTimeout(() => this.#pass());
    });
  }

  async #pass(): Promise<void> {
    const waiting = this.#waiting;
    this.#waiting = [];
    try {
      const answers = await this.#ask(waiting.flatMap(({ queries }) => queries));
      for (const groups of answers) {
        const count = groups.reduce((sum, group) => sum + group.count, 0);
        if (count !== this.#rows) this.#refuseCount(count);
      }
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
    const keys = queries.map((query) => sumSelect(dialects[this.#dialect], [query], "rows"));
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
    return this.#session.batches(...given);
  }

  get options(): PassesOptions {
    return this.#options;
  }

  /** What a learner that iterates says of itself. */
  report(iteration: number, objective?: number): void {
    this.#options.onProgress?.({ passes: this.#passes, rows: this.rows, iteration, objective });
  }

  #fingerprint(columns: readonly Expression[]): SumQuery {
    const sums = columns.map((of) => sumOf(isNumber(of) ? of : { kind: "hash", of: [of] }));
    const gaps = columns.map((of) => sumOf(when(isNull(of), number(1), number(0))));
    return { groupBy: [], aggregates: columns.length > 0 ? [...sums, ...gaps] : [sumOf(number(1))] };
  }

  async #ask(queries: readonly SumQuery[]): Promise<SumGroup[][]> {
    for (let attempt = 0; ; attempt++) {
      try {
        const answers = await this.#session.sums(queries, this.#options);
        this.#passes++;
        this.#options.onProgress?.({ passes: this.#passes, rows: this.#rows ?? 0 });
        return answers.map((groups, q) => mergedGroups(groups, queries[q]!.aggregates));
      } catch (error) {
        if (!(error instanceof TransientError) || attempt >= this.#options.retries) throw error;
        await new Promise((resolve) => setTimeout(resolve, FIRST_PAUSE * 2 ** attempt));
      }
    }
  }

  #refuseCount(count: number): never {
    this.#refuse(`the ${this.#rows} rows that the fit began with`, `${count}`);
  }

  #refuse(expected: string, received: string): never {
    const advice = "Train on rows that nobody writes, or on a snapshot, and see that every shard answers.";
    throw new DataChangedError(this.#where, "the rows of a pass", expected, received, advice);
  }
}

/** Whether a column of the source is added up as it is. */
const isNumber = (of: Expression): boolean => of.kind !== "column" || of.as === "number";
