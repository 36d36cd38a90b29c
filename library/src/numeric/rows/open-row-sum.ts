import { CsrMatrix } from "../../data/csr-matrix.js";
import type { Matrix } from "../../data/matrix.js";
import { DenseMarginSum } from "./dense-margin-sum.js";
import type { LossCode, RowSum } from "./row-sum.js";
import { SoftmaxSum } from "./softmax-sum.js";
import { SparseMarginSum } from "./sparse-margin-sum.js";

/** The RowSum of a loss of one margin, or of softmax (null) with one margin per class; for dense or sparse rows. */
export function openRowSum(
  where: string,
  x: Matrix | CsrMatrix,
  y: Float64Array,
  weights: Float64Array | undefined,
  loss: LossCode | null,
  outputs: number,
): RowSum {
  if (loss === null) return new SoftmaxSum(where, x, y, weights, outputs);
  if (x instanceof CsrMatrix) return new SparseMarginSum(where, x, y, weights, loss);
  return new DenseMarginSum(where, x, y, weights, loss);
}
