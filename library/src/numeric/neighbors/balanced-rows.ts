import { CsrMatrix } from "../../data/csr-matrix.js";
import { Matrix } from "../../data/matrix.js";

/** Largest entry of a row beyond which products of two rows may overflow, and below whose reciprocal they may underflow. */
const BOUND = 2 ** 500;

/**
 * The rows with those of extreme size multiplied by a power of two, so that norms and products of two rows neither overflow nor
 * underflow. Cosine distances do not change. Returns x itself if there are no such rows.
 */
export function balancedRows<X extends Matrix | CsrMatrix>(x: X): X {
  const isDense = x instanceof Matrix;
  const values: Float64Array = isDense ? x.data : x.values;
  let balanced: Float64Array | undefined;
  for (let i = 0; i < x.rows; i++) {
    const from = isDense ? i * x.cols : x.indptr[i]!;
    const to = isDense ? from + x.cols : x.indptr[i + 1]!;
    let most = 0;
    for (let e = from; e < to; e++) if (Math.abs(values[e]!) > most) most = Math.abs(values[e]!);
    if (most === 0 || (most <= BOUND && most >= 1 / BOUND)) continue;
    balanced ??= values.slice();
    const scale = most > 1 ? 2 ** -600 : 2 ** 600;
    for (let e = from; e < to; e++) balanced[e]! *= scale;
  }
  if (balanced === undefined) return x;
  const { rows, cols } = x;
  if (isDense) return new Matrix(balanced, rows, cols) as unknown as X;
  const { indptr, indices } = x as CsrMatrix;
  return new CsrMatrix({ rows, cols, indptr, indices, values: balanced }, true) as unknown as X;
}
