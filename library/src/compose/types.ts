import type { FitOptions, FittedModel, MatrixLike } from "../core/contract.js";
import type { Columns } from "./column-choice.js";

/** A transformer of a table, a matrix, or documents. */
export interface PartTransformer {
  fit(x: never, y: never, options?: FitOptions): FittedModel & { transform(x: never): MatrixLike };
}

/** What happens to columns: a transformer, or one of two names. */
export type Remainder = PartTransformer | "passthrough" | "drop";

/** A transformer and the columns that it gets. */
export type ColumnPart = readonly [Remainder, Columns];

/** The transformers by name. */
export type PartTypes<P extends Readonly<Record<string, ColumnPart>>, R extends Remainder> = {
  [K in keyof P as P[K][0] extends PartTransformer ? K : never]: P[K][0];
} & (R extends PartTransformer ? { remainder: R } : unknown);

/** The fitted transformer of a name. */
export type FittedPart<
  P extends Readonly<Record<string, ColumnPart>>,
  R extends Remainder,
  K,
> = K extends keyof P
  ? P[K][0] extends PartTransformer
    ? ReturnType<P[K][0]["fit"]>
    : undefined
  : R extends PartTransformer
    ? ReturnType<R["fit"]>
    : undefined;
