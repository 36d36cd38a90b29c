import { LOG_TWO_PI, log } from "../core/numbers/elementary.js";
import { Matrix } from "../data/matrix.js";
import { triangularFactor } from "../numeric/linalg/qr.js";
import { forEachFarRow, stretchInto } from "../numeric/rows/far-scores.js";
import { quadraticScores } from "../numeric/rows/quadratic-scores.js";
import { largestSize } from "../numeric/rows/unit-scale.js";

/** Gaussians of classes: means, one row each, and parts, one each or one for all. */
export interface ClassGaussians {
  readonly means: Matrix;
  readonly parts: readonly QuadraticPart[];
}

/** What a Gaussian needs besides its mean: W with W Wᵀ = Σ⁻¹ (d × d, upper triangle), and log |Σ|. */
export interface QuadraticPart {
  readonly w: Float64Array;
  readonly logDet: number;
}

/** Below this many multiplications plain loops are faster than the kernels. */
const SMALL = 100_000;

/** log πₖ − ½ log |Σₖ| − ½ ‖Wₖᵀ(x − μₖ)‖², one column per class; for two classes the second less the first. */
export function quadraticMargins(
  where: string,
  x: Matrix,
  classes: ClassGaussians,
  priors: Float64Array,
): Matrix {
  const constants = priors.map((p, k) => log(p) - 0.5 * partOf(classes, k).logDet);
  const scores = classScores(where, x, classes, constants);
  if (priors.length > 2) return new Matrix(scores, x.rows, priors.length);
  const out = Matrix.zeros(x.rows, 1);
  for (let i = 0; i < x.rows; i++) out.data[i] = scores[2 * i + 1]! - scores[2 * i]!;
  return out;
}

const partOf = ({ parts }: ClassGaussians, k: number): QuadraticPart => parts[k] ?? parts[0]!;

/** log N(x; μₖ, Σₖ) = −½ (d log 2π + log |Σₖ| + ‖Wₖᵀ(x − μₖ)‖²), one column per class. */
export function logDensities(where: string, x: Matrix, classes: ClassGaussians): Matrix {
  const { rows: K, cols: d } = classes.means;
  const constants = new Float64Array(K).map((_, k) => -0.5 * (d * LOG_TWO_PI + partOf(classes, k).logDet));
  return new Matrix(classScores(where, x, classes, constants), x.rows, K);
}

/** constantₖ − ½ ‖Wₖᵀ(x − μₖ)‖², one column per class; finite for finite rows. */
function classScores(
  where: string,
  x: Matrix,
  classes: ClassGaussians,
  constants: Float64Array,
): Float64Array {
  const { rows: K, cols: d } = classes.means;
  const few = x.rows * K * d * d <= SMALL;
  const scores = few ? loopScores(x, classes, constants) : kernelScores(where, x, classes, constants);
  rescue(x, classes, scores);
  return scores;
}

/**
 * The upper triangle U with U Uᵀ = W Wᵀ, for a W of any shape: with the columns in reverse order, QR of Wᵀ returns RᵀR = W Wᵀ, and
 * turning Rᵀ around in both directions makes it upper again.
 */
export function upperPart(w: Matrix): QuadraticPart {
  const d = w.rows;
  const { r } = triangularFactor(w.cols, d, (c, out) => {
    for (let j = 0; j < d; j++) out[j] = w.data[(d - 1 - j) * w.cols + c]!;
    out[d] = 0;
  });
  const upper = new Float64Array(d * d);
  let logDet = 0;
  for (let i = 0; i < d; i++) {
    logDet -= 2 * log(Math.abs(r[i * d + i]!));
    for (let j = i; j < d; j++) upper[(d - 1 - j) * d + (d - 1 - i)] = r[i * d + j]!;
  }
  return { w: upper, logDet };
}

/** Few rows, by plain loops. */
function loopScores({ data, rows }: Matrix, classes: ClassGaussians, constants: Float64Array): Float64Array {
  const { means } = classes;
  const { rows: K, cols: d } = means;
  const out = new Float64Array(rows * K);
  const u = new Float64Array(d);
  for (let k = 0; k < K; k++) {
    const { w } = partOf(classes, k);
    for (let i = 0; i < rows; i++) {
      for (let j = 0, at = i * d, m = k * d; j < d; j++) u[j] = data[at + j]! - means.data[m + j]!;
      let sum = 0;
      for (let c = 0; c < d; c++) {
        let z = 0;
        for (let j = 0, at = c; j <= c; j++, at += d) z += u[j]! * w[at]!;
        sum += z * z;
      }
      out[i * K + k] = constants[k]! - 0.5 * sum;
    }
  }
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

/** Many rows, by kernels. */
function kernelScores(
  where: string,
  x: Matrix,
  classes: ClassGaussians,
  constants: Float64Array,
): Float64Array {
  const { means, parts } = classes;
  const { rows: K, cols: d } = means;
  const centre = new Float64Array(d);
  for (let k = 0; k < K; k++) for (let j = 0; j < d; j++) centre[j]! += means.at(k, j) / K;
  const offsets = new Float64Array(K * d);
  for (let k = 0; k < K; k++) {
    const { w } = partOf(classes, k);
    for (let j = 0; j < d; j++) {
      const apart = means.at(k, j) - centre[j]!;
      for (let c = j; c < d; c++) offsets[k * d + c]! += apart * w[j * d + c]!;
    }
  }
  return quadraticScores(where, x, { centre, w: parts.map(({ w }) => w), offsets, constants });
}

/** Rows so far away that distances do not fit a double: the distances of a scaled-down copy, as large as doubles allow. */
function rescue(x: Matrix, classes: ClassGaussians, scores: Float64Array): void {
  const { means } = classes;
  forEachFarRow(scores, means.rows, (i, row) => {
    const size = largestSize(x.row(i));
    for (let k = 0; k < row.length; k++)
      row[k] = -distance(x.row(i), means.row(k), partOf(classes, k).w, size);
    stretchInto(row);
  });
}
