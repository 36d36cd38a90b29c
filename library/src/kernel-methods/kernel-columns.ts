import { DataError } from "../core/errors.js";
import { Matrix } from "../data/matrix.js";
import { finiteValue, kernelRowsOf, type TrainingRows } from "../kernel-functions/training-rows.js";
import { kernelPoints } from "../numeric/kernel-functions/kernel-points.js";
import { kernelRows } from "../numeric/kernel-functions/kernel-scores.js";
import { kernelValue } from "../numeric/kernel-functions/kernel-tree.js";

/** k(x_i, x_t): one row per training row i, one column per index t of `chosen`. */
export function kernelColumnsOf(where: string, training: TrainingRows, chosen: Int32Array): Matrix {
  const { kernel, x } = training;
  if (kernel.kind === "tree" && x instanceof Matrix)
    return kernelRows(where, x, kernelPoints(x.selectRows(chosen), kernel.tree), kernel.tree);
  // Of sparse rows, only the chosen ones become dense.
  return kernelRowsOf(where, training, chosen).transpose();
}

/** k(x_i, x_i); throws for values whose products overflow. */
export function kernelDiagonalOf(where: string, { kernel, x, rows }: TrainingRows): Float64Array {
  const own = (i: number): number => {
    if (kernel.kind === "precomputed") return (x as Matrix).data[i * x.cols + rows[i]!]!;
    if (kernel.kind === "function") {
      const row = (x as Matrix).row(i);
      return finiteValue(where, kernel.value(row, row), () => `row ${rows[i]} with itself`);
    }
    const [data, from, to] =
      x instanceof Matrix
        ? [x.data, i * x.cols, (i + 1) * x.cols]
        : [x.values, x.indptr[i]!, x.indptr[i + 1]!];
    const row = data.subarray(from, to);
    return kernelValue(kernel.tree, row, row);
  };
  const diagonal = new Float64Array(x.rows);
  for (let i = 0; i < x.rows; i++) {
    diagonal[i] = own(i);
    if (Math.abs(diagonal[i]!) < LARGEST) continue;
    const expected = "small enough for sums of kernel values";
    const received = "larger numbers";
    const advice = "Scale the columns (StandardScaler).";
    throw new DataError(where, `row ${rows[i]} of X`, expected, received, advice);
  }
  return diagonal;
}

/** Squares of sums of such values are finite. */
const LARGEST = 1e140;
