import { CsrMatrix } from "../../data/csr-matrix.js";
import type { Matrix } from "../../data/matrix.js";
import { Arena } from "../runtime/arena.js";
import type { ColumnProblem } from "./column-problem.js";
import { DenseColumns } from "./dense-columns.js";
import { SparseColumns } from "./sparse-columns.js";

/** Opens the columns of dense or sparse data; `close` frees them. */
export function openColumns(
  where: string,
  x: Matrix | CsrMatrix,
  y: Float64Array,
  weights: Float64Array | undefined,
  intercept: boolean,
  start: Float64Array | undefined,
): ColumnProblem {
  const arena = new Arena(where);
  try {
    return x instanceof CsrMatrix
      ? new SparseColumns(arena, x, y, weights, intercept, start)
      : new DenseColumns(arena, x, y, weights, intercept, start);
  } catch (error) {
    arena.close();
    throw error;
  }
}
