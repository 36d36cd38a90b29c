import { DataError, ShapeError, show } from "../core/errors.js";

/** Computes the columns of a stage for one sample when it reaches the stage. */
export interface FeatureProvider {
  /** Number of samples. */
  readonly rows: number;
  /** The values of `columns` (those of the stage, in its order) for sample `row`. */
  features(row: number, stage: number, columns: readonly number[]): ArrayLike<number>;
}

/** An asynchronous `FeatureProvider`: a measurement, a network request, another model. */
export interface AsyncFeatureProvider {
  readonly rows: number;
  features(
    row: number,
    stage: number,
    columns: readonly number[],
  ): ArrayLike<number> | PromiseLike<ArrayLike<number>>;
}

export const isProvider = (x: unknown): x is FeatureProvider =>
  typeof x === "object" && x !== null && "features" in x && typeof x.features === "function";

export function rowCountOf(where: string, provider: AsyncFeatureProvider): number {
  const { rows } = (provider ?? {}) as Partial<AsyncFeatureProvider>;
  if (rows !== undefined && Number.isSafeInteger(rows) && rows >= 0) return rows;
  throw new ShapeError(where, "rows of the provider", "an integer ≥ 0", show(rows));
}

/** Checks the values of a provider. */
export function checkValues(
  where: string,
  row: number,
  stage: number,
  values: ArrayLike<number>,
  count: number,
): void {
  const subject = `the provider's features for row ${row} in stage ${stage}`;
  if (values?.length !== count) {
    throw new ShapeError(where, subject, count === 1 ? "one number" : `${count} numbers`, show(values));
  }
  for (let j = 0; j < count; j++) {
    const value: unknown = values[j];
    if (typeof value === "number" && Number.isFinite(value)) continue;
    throw new DataError(where, subject, "finite numbers", show(value));
  }
}
