import { CsrMatrix } from "../../data/csr-matrix.js";
import type { Matrix } from "../../data/matrix.js";
import { DenseMarginSum } from "./margin-sum.js";
import type { LossCode, RowSum } from "./row-sum.js";
import { SoftmaxSum } from "./softmax-sum.js";
import { SparseMarginSum } from "./sparse-margin-sum.js";

/** The right RowSum for the data: dense or sparse, one margin or one a class. */
export function openRowSum(
  where: string,
  x: Matrix | CsrMatrix,
  y: Float64Array,
  weights: Float64Array | undefined,
  loss: LossCode,
  outputs: number,
): RowSum {
  if (outputs > 1) return new SoftmaxSum(where, x, y, weights, outputs);
  if (x instanceof CsrMatrix) return new SparseMarginSum(where, x, y, weights, loss);
  return new DenseMarginSum(where, x, y, weights, loss);
}
