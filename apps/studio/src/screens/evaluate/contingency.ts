import { adjustedRandScore, contingencyMatrix } from "argmax/metrics";

/** Rows by cluster and by category. */
interface Contingency {
  /** Ascending; −1 is noise. */
  readonly clusters: readonly number[];
  /** Codes that occur, ascending; −1 is missing. */
  readonly used: readonly number[];
  readonly counts: Float64Array;
  readonly adjustedRand: number;
}

/** `rows[e]` is the row of the table that `clusters[e]` is about, `codes` are those of the table's column. */
export function contingencyOf(
  predicted: ArrayLike<number>,
  rows: ArrayLike<number>,
  codes: ArrayLike<number>,
): Contingency {
  const own = Int32Array.from(rows, (row) => codes[row] ?? -1);
  const { classes: clusters, clusters: used, matrix } = contingencyMatrix(Array.from(predicted), own);
  return { clusters, used, counts: matrix.data, adjustedRand: adjustedRandScore(Array.from(predicted), own) };
}
