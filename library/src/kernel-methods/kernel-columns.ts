import { DataError } from "../core/errors.js";
import { Matrix } from "../data/matrix.js";
import { finiteValue, kernelRowsOf, type LearningRows } from "../kernel-functions/learning-rows.js";
import { kernelPoints } from "../numeric/kernel-functions/kernel-points.js";
import { kernelRows } from "../numeric/kernel-functions/kernel-scores.js";
import { kernelValue } from "../numeric/kernel-functions/kernel-tree.js";

/** k(x_i, x_t): one row for each of all rows, one column for each of `chosen`. */
export function kernelColumnsOf(where: string, learning: LearningRows, chosen: Int32Array): Matrix {
  const { kernel, x } = learning;
  if (kernel.kind === "tree" && x instanceof Matrix)
    return kernelRows(where, x, kernelPoints(x.selectRows(chosen), kernel.tree), kernel.tree);
  // Of sparse rows only the chosen ones are made dense.
  return kernelRowsOf(where, learning, chosen).transpose();
}

/** k(x_i, x_i). Finite: what is larger has no products that could be added up. */
export function kernelDiagonalOf(where: string, { kernel, x, rows }: LearningRows): Float64Array {
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
    throw new DataError({
      where,
      subject: `row ${rows[i]} of X`,
      expected: "numbers whose kernel values can be added up",
      received: "larger ones",
      advice: "Scale the columns (StandardScaler).",
    });
  }
  return diagonal;
}

/** Squares of sums of this fit a double. */
const LARGEST = 1e140;
