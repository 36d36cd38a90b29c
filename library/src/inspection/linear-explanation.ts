import type { LinearScores } from "../core/structure.js";
import { CsrMatrix } from "../data/csr-matrix.js";
import type { Design } from "../data/input.js";
import type { ShapValues } from "./shap-values.js";

/** φ_kj = w_kj (x_j − the mean of x_j in the background): exact, since z_k = w_k·x + b_k is additive. */
export function explainLinear(
  { coef: { data: coef }, intercept }: LinearScores,
  x: Design,
  background: Design,
): ShapValues {
  const K = intercept.length;
  const d = x.cols;
  const means = columnMeans(background);
  const baseValues = intercept.slice();
  for (let k = 0; k < K; k++) for (let j = 0; j < d; j++) baseValues[k]! += coef[k * d + j]! * means[j]!;
  const values = new Float64Array(x.rows * K * d);
  const fill = (i: number, j: number, value: number) => {
    for (let k = 0; k < K; k++) values[(i * K + k) * d + j] = coef[k * d + j]! * (value - means[j]!);
  };
  for (let i = 0; i < x.rows; i++) {
    for (let j = 0; j < d; j++) fill(i, j, x instanceof CsrMatrix ? 0 : x.data[i * d + j]!);
    if (x instanceof CsrMatrix)
      for (let e = x.indptr[i]!; e < x.indptr[i + 1]!; e++) fill(i, x.indices[e]!, x.values[e]!);
  }
  return { baseValues, values };
}

function columnMeans(x: Design): Float64Array {
  const sums = new Float64Array(x.cols);
  if (x instanceof CsrMatrix) for (let e = 0; e < x.values.length; e++) sums[x.indices[e]!]! += x.values[e]!;
  else for (let e = 0; e < x.data.length; e++) sums[e % x.cols]! += x.data[e]!;
  return sums.map((sum) => sum / x.rows);
}
