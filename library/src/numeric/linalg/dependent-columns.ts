import { Matrix } from "../../data/matrix.js";
import type { IndependentColumns } from "./pivoted-cholesky.js";
import { gemm } from "./products.js";

/** Rounding error of x_j − X_I t_j for exactly dependent columns, relative to ‖x_j‖ + Σ |t_kj| ‖x_k‖. */
const ROUNDING = 1e-13;

/**
 * Whether the columns not chosen by `independentColumns` are combinations of the chosen ones in the data itself. A Gram matrix
 * has half the digits: it does not distinguish columns that differ by 1e-7 of their size. `a` holds centred, weighted rows.
 *
 *   E = A_rest − A_I T,    T corrected once by Q_II⁻¹ A_Iᵀ E, since T is computed from the Gram matrix too
 */
export function dependExactly(a: Matrix, columns: IndependentColumns): boolean {
  const { chosen, rest, combination } = columns;
  if (rest.length === 0) return true;
  const [own, other] = [columnsOf(a, chosen), columnsOf(a, rest)];
  const t = new Matrix(combination.slice(), chosen.length, rest.length);
  const sizes = columnNorms(own);
  const left = leftOver(own, other, t);
  if (isRounding(left, other, t, sizes)) return true;
  const pull = gemm(own.transpose(), left);
  const [v, out] = [new Float64Array(chosen.length), new Float64Array(chosen.length)];
  for (let c = 0; c < rest.length; c++) {
    for (let k = 0; k < v.length; k++) v[k] = pull.at(k, c);
    columns.solveInto(v, out);
    for (let k = 0; k < v.length; k++) t.data[k * rest.length + c]! += out[k]!;
  }
  return isRounding(leftOver(own, other, t), other, t, sizes);
}

function columnsOf(a: Matrix, list: Int32Array): Matrix {
  const out = Matrix.zeros(a.rows, list.length);
  for (let i = 0, to = 0; i < a.rows; i++) {
    for (let e = 0; e < list.length; e++, to++) out.data[to] = a.data[i * a.cols + list[e]!]!;
  }
  return out;
}

function leftOver(own: Matrix, other: Matrix, t: Matrix): Matrix {
  const product = gemm(own, t);
  for (let e = 0; e < product.data.length; e++) product.data[e] = other.data[e]! - product.data[e]!;
  return product;
}

const isRounding = (left: Matrix, other: Matrix, t: Matrix, sizes: Float64Array): boolean =>
  areRounding(columnNorms(left), columnNorms(other), t.data, sizes);

/** Whether all norms ‖x_j − X_I t_j‖ are rounding errors of the norms of the columns that they are made of. */
export function areRounding(
  left: Float64Array,
  norms: Float64Array,
  combination: Float64Array,
  chosenNorms: Float64Array,
): boolean {
  const cols = norms.length;
  return left.every((norm, c) => {
    let scale = norms[c]!;
    for (let k = 0; k < chosenNorms.length; k++)
      scale += Math.abs(combination[k * cols + c]!) * chosenNorms[k]!;
    return norm <= ROUNDING * scale;
  });
}

function columnNorms({ rows, cols, data }: Matrix): Float64Array {
  const out = new Float64Array(cols);
  for (let i = 0, at = 0; i < rows; i++)
    for (let j = 0; j < cols; j++, at++) out[j]! += data[at]! * data[at]!;
  return out.map(Math.sqrt);
}
