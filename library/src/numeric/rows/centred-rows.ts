import { Matrix } from "../../data/matrix.js";

/** √s (x − centre), row by row. */
export function centredRows(x: Matrix, centre: Float64Array, weights: Float64Array | undefined): Matrix {
  const { rows, cols, data } = x;
  const out = Matrix.zeros(rows, cols);
  for (let i = 0, at = 0; i < rows; i++) {
    const s = weights ? Math.sqrt(weights[i]!) : 1;
    for (let j = 0; j < cols; j++, at++) out.data[at] = s * (data[at]! - centre[j]!);
  }
  return out;
}
