import { BooleanColumn, CategoricalColumn, type Column, DateColumn, NumericColumn, Table } from "argmax";
import { DataError, type FittedModel, type Label, ParameterError, type SignalLike } from "argmax/core";
import type { BatchColumn, BatchValues, SourceColumn } from "../engines/engine.js";
import { type Expression, number } from "../expressions/expression.js";
import { type ChosenColumns, checked, column, columnsOf } from "../rows/columns.js";
import type { AnyEstimator } from "../rows/learner.js";
import { DataChangedError, Passes } from "../rows/passes.js";
import { trainingRows } from "./checked-rows.js";
import type { DatabaseRows } from "./database-rows.js";
import { requireOptions } from "./options.js";

export interface BatchesOptions {
  /** The column to predict. */
  readonly target?: string | undefined;
  /** The columns of X; all but the target, the weights and the shard key unless given. */
  readonly features?: readonly string[] | undefined;
  /** The column of sample weights. */
  readonly sampleWeight?: string | undefined;
  /** Rows per block; 10,000 unless given. */
  readonly batchSize?: number | undefined;
  /**
   * Whether rows come in an order drawn by a hash of their values, which the database sorts by. Without, they come as it has them: what learns
   * step by step needs them mixed.
   */
  readonly shuffle?: boolean | undefined;
  readonly signal?: SignalLike | undefined;
  /** Milliseconds that a block may take; 600,000 unless given. */
  readonly timeoutMs?: number | undefined;
  /** How often it is tried again to connect; 3 unless given. */
  readonly retries?: number | undefined;
}

/** Some of the rows of a source. */
export interface RowBlock {
  readonly X: Table;
  /** Labels or numbers, where a target is given. */
  readonly y: readonly (Label | null)[] | Float64Array | undefined;
  readonly sampleWeight: Float64Array | undefined;
}

/**
 * The rows of a source in blocks, for estimators with `partialFit`: one block is in memory at a time. Text is categories, the same in each
 * block.
 *
 * ```ts
 * import { DuckDBInstance } from "@duckdb/node-api";
 * import { batches, duckdb } from "@argmax/sql";
 *
 * const connection = await (await DuckDBInstance.create(":memory:")).connect();
 * await connection.run("CREATE TABLE parts AS SELECT i AS size, i > 500 AS large FROM range(1000) t(i)");
 * let rows = 0;
 * for await (const { X } of batches(duckdb(connection).table("parts"), { target: "large", batchSize: 100 })) rows += X.rows;
 * ```
 */
export async function* batches(
  rows: DatabaseRows,
  options: BatchesOptions = {},
): AsyncGenerator<RowBlock, void, undefined> {
  requireOptions("batches", options);
  const reader = await BlockReader.open("batches", rows, options);
  try {
    yield* reader.blocks(0);
    await reader.passes.end();
  } finally {
    await reader.passes.close();
  }
}

/** An estimator that learns from one block of rows after the other. */
interface LearnsInParts<M> extends AnyEstimator {
  partialFit(...given: never[]): M;
}

export interface PartialFitInDatabaseOptions<M> extends BatchesOptions {
  /** How often all rows are read; 1 unless given. */
  readonly epochs?: number | undefined;
  /** The model to go on from. */
  readonly model?: M | undefined;
  readonly onProgress?: ((progress: BatchProgress<M>) => void) | undefined;
}

/** How far the rows have been read. */
export interface BatchProgress<M> {
  /** From 0 on. */
  readonly epoch: number;
  /** The rows of this epoch so far. */
  readonly rows: number;
  readonly totalRows: number;
  readonly model: M;
}

/**
 * Fits an estimator with `partialFit` to the rows of a database, block by block: stochastic gradient descent, naive Bayes, mini-batch k-means,
 * networks. Classes are those of all rows.
 */
export async function partialFitInDatabase<M extends FittedModel>(
  estimator: LearnsInParts<M>,
  rows: DatabaseRows,
  options: PartialFitInDatabaseOptions<M> = {},
): Promise<M> {
  const where = "partialFitInDatabase";
  requireOptions(where, options);
  const { epochs = 1, onProgress } = options;
  if (typeof estimator.partialFit !== "function") {
    const name = (estimator as { constructor: { name: string } }).constructor.name;
    const advice = "Fit it by fitInDatabase, or in memory to a sample of the rows.";
    throw new ParameterError(where, "the estimator", "one with partialFit", name, advice);
  }
  if (!Number.isInteger(epochs) || epochs < 1)
    throw new ParameterError(where, "epochs", "a whole number ≥ 1", String(epochs));
  const reader = await BlockReader.open(where, rows, options);
  try {
    // Checks the target and the weights, as a fit does, and finds the classes.
    const checkedRows = await trainingRows(where, estimator, reader.passes, reader.columns);
    const classes = checkedRows.target?.classes ?? [];
    const partialFit = estimator.partialFit.bind(estimator) as (...given: unknown[]) => M;
    let { model } = options;
    for (let epoch = 0; epoch < epochs; epoch++) {
      let done = 0;
      for await (const { X, y, sampleWeight } of reader.blocks(epoch)) {
        const own = { ...(classes.length > 0 && { classes }), ...(sampleWeight && { sampleWeight }) };
        model =
          y === undefined
            ? partialFit(model ?? null, X, undefined, own)
            : partialFit(model ?? null, X, y, own);
        done += X.rows;
        onProgress?.({ epoch, rows: done, totalRows: reader.passes.rows, model });
      }
    }
    await reader.passes.end();
    return model!;
  } finally {
    await reader.passes.close();
  }
}

/** Rows of the chosen columns of a source, in blocks. */
class BlockReader {
  readonly passes: Passes;
  readonly columns: ChosenColumns;
  readonly #where: string;
  readonly #options: BatchesOptions;
  readonly #size: number;
  #categories: ReadonlyMap<SourceColumn, readonly string[]> | undefined;

  private constructor(where: string, passes: Passes, columns: ChosenColumns, options: BatchesOptions) {
    const { batchSize = 10_000 } = options;
    if (!Number.isInteger(batchSize) || batchSize < 1)
      throw new ParameterError(where, "batchSize", "a whole number ≥ 1", String(batchSize));
    this.#where = where;
    this.passes = passes;
    this.columns = columns;
    this.#options = options;
    this.#size = batchSize;
  }

  static async open(where: string, rows: DatabaseRows, options: BatchesOptions): Promise<BlockReader> {
    const { signal, timeoutMs = 600_000, retries = 3 } = options;
    const passes = await Passes.open(where, rows, { signal, timeoutMs, retries });
    try {
      const columns = columnsOf(where, passes.columns, options, rows.source.shardKey);
      const reader = new BlockReader(where, passes, columns, options);
      await passes.begin(reader.#read.map(checked));
      if (passes.rows === 0) throw new DataError(where, "the source", "at least one row", "none");
      return reader;
    } catch (error) {
      await passes.close();
      throw error;
    }
  }

  get #read(): readonly SourceColumn[] {
    const { features, target, weight } = this.columns;
    return [...features, target, weight].flatMap((one) => (one ? [one] : []));
  }

  /** All rows, counted. `epoch`: of the order. */
  async *blocks(epoch: number): AsyncGenerator<RowBlock, void, undefined> {
    const { features, target, weight } = this.columns;
    const categories = await this.#known();
    const asked = this.#read.map(({ name, type }): BatchColumn => {
      const as = type === "text" ? "text" : "number";
      return { of: column(name, type)(as), type: as };
    });
    const read = this.passes.batches(asked, {
      ...this.passes.options,
      rows: this.#size,
      orderBy: this.#options.shuffle ? this.#order(epoch) : undefined,
    });
    let rows = 0;
    for await (const block of exactly(read, this.#size)) {
      rows += block[0]!.length;
      const X = new Map(features.map((one, j) => [one.name, columnOf(one, block[j]!, categories.get(one))]));
      const y = target && labelsOf(target, block[features.length]!);
      const sampleWeight = weight && (block.at(-1) as Float64Array);
      yield { X: Table.fromColumns(X), y, sampleWeight };
    }
    if (rows === this.passes.rows) return;
    const expected = `the ${this.passes.rows} rows that were counted`;
    throw new DataChangedError(this.#where, "the rows of an epoch", expected, String(rows));
  }

  #order(epoch: number): Expression {
    const values = this.#read.map((one) => checked(one));
    return { kind: "hash", of: [...values, number(epoch)] };
  }

  /** The categories of the columns of text. */
  async #known(): Promise<ReadonlyMap<SourceColumn, readonly string[]>> {
    if (this.#categories) return this.#categories;
    const texts = this.columns.features.filter(({ type }) => type === "text");
    const queries = texts.map(({ name, type }) => ({
      groupBy: [{ of: column(name, type)("text"), type: "text" as const }],
      aggregates: [],
    }));
    const answers = texts.length > 0 ? await this.passes.sums(queries) : [];
    this.#categories = new Map(
      texts.map((one, t) => {
        const keys = answers[t]!.flatMap(({ keys }) => (keys[0] === null ? [] : [String(keys[0])]));
        return [one, Object.freeze(keys.sort())];
      }),
    );
    return this.#categories;
  }
}

/** Blocks of as many rows each, and a last one of the rest. */
async function* exactly(
  blocks: AsyncIterable<readonly BatchValues[]>,
  size: number,
): AsyncGenerator<readonly BatchValues[]> {
  let rest: readonly BatchValues[] | undefined;
  for await (const block of blocks) {
    let all = rest ? block.map((values, c) => joined(rest![c]!, values)) : block;
    while (all[0]!.length >= size) {
      yield all.map((values) => values.slice(0, size));
      all = all.map((values) => values.slice(size));
    }
    rest = all[0]!.length > 0 ? all : undefined;
  }
  if (rest) yield rest;
}

function joined(a: BatchValues, b: BatchValues): BatchValues {
  if (!(a instanceof Float64Array)) return [...a, ...(b as readonly (string | null)[])];
  const out = new Float64Array(a.length + b.length);
  out.set(a);
  out.set(b as Float64Array, a.length);
  return out;
}

/** The value of a missing entry of a `BooleanColumn`. */
const ABSENT = 2;

function columnOf({ type }: SourceColumn, values: BatchValues, categories: readonly string[] = []): Column {
  if (type === "text") {
    const places = new Map(categories.map((category, k) => [category, k]));
    const codes = Int32Array.from(values as readonly (string | null)[], (value) =>
      value === null ? -1 : places.get(value)!,
    );
    return new CategoricalColumn(codes, categories);
  }
  const numbers = values as Float64Array;
  if (type === "date") return new DateColumn(numbers);
  if (type === "boolean")
    return new BooleanColumn(Uint8Array.from(numbers, (value) => (Number.isNaN(value) ? ABSENT : value)));
  return new NumericColumn(numbers);
}

function labelsOf({ type }: SourceColumn, values: BatchValues): NonNullable<RowBlock["y"]> {
  if (type === "text") return values as readonly (string | null)[];
  if (type !== "boolean") return values as Float64Array;
  return Array.from(values as Float64Array, (value) => (Number.isNaN(value) ? null : value === 1));
}
