import { log } from "../core/elementary.js";
import { Matrix } from "../data/matrix.js";
import { gemm } from "../numeric/products.js";
import { forEachFarRow, LARGEST_MARGIN } from "./fitted-discriminant.js";

/** What a Gaussian needs besides its mean: W with W Wᵀ = Σ⁻¹ (d × d, upper triangle), and log |Σ|. */
export interface QuadraticPart {
  readonly w: Float64Array;
  readonly logDet: number;
}

/** Below this many multiplications plain loops beat a trip to the kernels. */
const SMALL = 100_000;
/** Rows whitened together: their products with all W stay in the second-level cache. */
const BLOCK_ROWS = 512;

/**
 * log πₖ − ½ log |Σₖ| − ½ ‖Wₖᵀ(x − μₖ)‖², one column a class; for two classes the second less the first.
 * `parts` has one entry a class, or one for all.
 */
export function quadraticMargins(
  x: Matrix,
  means: Matrix,
  priors: Float64Array,
  parts: readonly QuadraticPart[],
): Matrix {
  const K = means.rows;
  const d = means.cols;
  const constants = priors.map((p, k) => log(p) - 0.5 * (parts[k] ?? parts[0]!).logDet);
  const scores = new Float64Array(x.rows * K);
  if (x.rows * K * d * d <= SMALL) {
    for (let i = 0; i < x.rows; i++) {
      const row = x.row(i);
      for (let k = 0; k < K; k++)
        scores[i * K + k] = constants[k]! - 0.5 * distance(row, means.row(k), (parts[k] ?? parts[0]!).w, 1);
    }
  } else blockScores(x, means, constants, parts, scores);
  rescue(x, means, parts, scores);
  if (K > 2) return new Matrix(scores, x.rows, K);
  const out = Matrix.zeros(x.rows, 1);
  for (let i = 0; i < x.rows; i++) out.data[i] = scores[2 * i + 1]! - scores[2 * i]!;
  return out;
}

/** ‖Wᵀ(x − μ)/size‖². */
function distance(x: Float64Array, mean: Float64Array, w: Float64Array, size: number): number {
  const d = mean.length;
  let sum = 0;
  for (let c = 0; c < d; c++) {
    let z = 0;
    for (let j = 0; j <= c; j++) z += (x[j]! / size - mean[j]! / size) * w[j * d + c]!;
    sum += z * z;
  }
  return sum;
}

/** Blocks of rows times all W side by side. Rows are centred first: far from the origin x·W − μ·W would cancel. */
function blockScores(
  x: Matrix,
  means: Matrix,
  constants: Float64Array,
  parts: readonly QuadraticPart[],
  out: Float64Array,
): void {
  const K = means.rows;
  const d = means.cols;
  const P = parts.length;
  const centre = new Float64Array(d);
  for (let k = 0; k < K; k++) for (let j = 0; j < d; j++) centre[j]! += means.at(k, j) / K;
  const all = Matrix.zeros(d, P * d);
  parts.forEach(({ w }, p) => {
    for (let j = 0; j < d; j++) all.data.set(w.subarray(j * d, (j + 1) * d), j * P * d + p * d);
  });
  const offsets = new Float64Array(K * d);
  for (let k = 0; k < K; k++) {
    const { w } = parts[k] ?? parts[0]!;
    for (let j = 0; j < d; j++) {
      const apart = means.at(k, j) - centre[j]!;
      for (let c = j; c < d; c++) offsets[k * d + c]! += apart * w[j * d + c]!;
    }
  }
  const tall = BLOCK_ROWS * Math.max(1, Math.floor(2048 / (P * d)));
  for (let from = 0; from < x.rows; from += tall) {
    const count = Math.min(tall, x.rows - from);
    const block = Matrix.zeros(count, d);
    for (let i = 0, e = 0, at = from * d; i < count; i++)
      for (let j = 0; j < d; j++) block.data[e++] = x.data[at++]! - centre[j]!;
    const z = gemm(block, all).data;
    for (let i = 0; i < count; i++) {
      for (let k = 0; k < K; k++) {
        let sum = 0;
        for (let c = 0, o = k * d, at = (i * P + (P === 1 ? 0 : k)) * d; c < d; c++) {
          const u = z[at++]! - offsets[o++]!;
          sum += u * u;
        }
        out[(from + i) * K + k] = constants[k]! - 0.5 * sum;
      }
    }
  }
}

/** Rows so far away that distances do not fit a double: the distances of a smaller copy of the picture, as large as they may be. */
function rescue(x: Matrix, means: Matrix, parts: readonly QuadraticPart[], scores: Float64Array): void {
  const K = means.rows;
  forEachFarRow(scores, K, (i, row) => {
    const size = x.row(i).reduce((most, value) => Math.max(most, Math.abs(value)), 0);
    for (let k = 0; k < K; k++) row[k] = -distance(x.row(i), means.row(k), (parts[k] ?? parts[0]!).w, size);
    const top = row.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
    for (let k = 0; k < K; k++) row[k] = (row[k]! / top) * LARGEST_MARGIN;
  });
}
