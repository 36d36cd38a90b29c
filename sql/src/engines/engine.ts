import type { SignalLike } from "argmax/core";
import type { DialectName } from "../dialects/index.js";
import type { ColumnType, Expression } from "../expressions/expression.js";
import type { SumGroup, SumQuery } from "../expressions/sums.js";

/** A column of a source. */
export interface SourceColumn {
  readonly name: string;
  /** undefined: a type that no model reads, as a list. */
  readonly type: ColumnType | undefined;
}

export interface PassOptions {
  readonly signal?: SignalLike | undefined;
  /** Milliseconds after which the database is told to stop. */
  readonly timeoutMs: number;
}

/** Where the rows are: a table, or a query in parentheses. */
export interface Source {
  /** As it stands behind FROM. */
  readonly from: string;
  /** Its name in parts, if it is a table. */
  readonly table?: readonly string[] | undefined;
  /** A column of few values that every sum is grouped by too. */
  readonly shardKey?: string | undefined;
}

/** A database, as learners see it. */
export interface Engine {
  readonly dialect: DialectName;
  /** Opens a source: one snapshot of it, read-only, where the database has that. */
  open(source: Source, options: PassOptions): Promise<EngineSession>;
}

/** A source while a fit lasts. */
export interface EngineSession {
  readonly columns: readonly SourceColumn[];
  /** Whether all passes see the same rows whatever others write. */
  readonly isSnapshot: boolean;
  /** The answers of several queries, in one pass over the rows where the database can. Groups come in no particular order. */
  sums(queries: readonly SumQuery[], options: PassOptions): Promise<SumGroup[][]>;
  /** Rows of these expressions, in blocks of columns. A column of numbers is NaN where it is NULL. */
  batches(
    columns: readonly BatchColumn[],
    options: PassOptions & BatchOptions,
  ): AsyncIterable<readonly BatchValues[]>;
  close(): Promise<void>;
}

export interface BatchColumn {
  readonly of: Expression;
  readonly type: "number" | "text";
}

export type BatchValues = Float64Array | readonly (string | null)[];

export interface BatchOptions {
  /** Maximum number of rows per block. */
  readonly rows: number;
  /** Only rows whose value is at least 1. */
  readonly where?: Expression | undefined;
  readonly orderBy?: Expression | undefined;
  /** Maximum number of rows of all blocks. */
  readonly limit?: number | undefined;
}

/** A pass that failed for a reason that may be gone the next time: a lost connection, a time limit. */
export class TransientError extends Error {
  override readonly name = "TransientError";
  /** Whether the session has ended with it, and its snapshot: the source has to be opened again. */
  readonly isLost: boolean;

  constructor(message: string, { isLost = false, ...options }: ErrorOptions & { isLost?: boolean } = {}) {
    super(message, options);
    this.isLost = isLost;
  }
}
