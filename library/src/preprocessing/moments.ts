import { DataError } from "../core/errors.js";
import type { CsrMatrix } from "../data/csr-matrix.js";
import type { Design } from "../data/input.js";
import { Matrix } from "../data/matrix.js";

/** Mean and population variance of every column: Σ w x / Σ w and Σ w (x − mean)² / Σ w. */
export interface ColumnMoments {
  readonly mean: Float64Array;
  readonly variance: Float64Array;
  /** √variance, also where the variance itself is outside the range of doubles; exactly 0 for a constant column. */
  readonly deviation: Float64Array;
}

/**
 * Two passes: the mean, then centred squares. Raw second moments would cancel: at an offset of 1e6 they give a
 * negative variance. The second pass also corrects the mean by the average deviation from it, which removes the
 * rounding of a long sum. Rows of weight 0 do not exist.
 */
export function columnMoments(where: string, x: Design, weights: Float64Array | undefined): ColumnMoments {
  const total = weights === undefined ? x.rows : weights.reduce((sum, w) => sum + w, 0);
  const { sum, low, high } = x instanceof Matrix ? denseSums(x, weights) : sparseSums(x, weights);
  const mean = sum.map((s) => s / total);
  const { shift, squares } =
    x instanceof Matrix ? denseSquares(x, weights, mean) : sparseSquares(x, weights, mean, total);
  const variance = squares.map((s, j) => s / total - (shift[j]! / total) * (shift[j]! / total));
  for (let j = 0; j < x.cols; j++) mean[j]! += shift[j]! / total;
  const deviation = variance.map(Math.sqrt);
  for (let j = 0; j < x.cols; j++) {
    if (low[j] === high[j]) {
      mean[j] = low[j]!;
      variance[j] = 0;
      deviation[j] = 0;
    } else if (!(variance[j]! > SMALLEST && variance[j]! < Infinity)) {
      [mean[j], deviation[j]] = extremeColumn(where, x, weights, j, low[j]!, high[j]!);
      variance[j] = deviation[j]! * deviation[j]!;
    }
  }
  return { mean, variance, deviation };
}

/** Below this, squares of deviations come near the subnormal numbers and lose digits: 2⁻¹⁰²² × 2⁵² ≈ 1e-292. */
const SMALLEST = 1e-290;

interface Sums {
  readonly sum: Float64Array;
  readonly low: Float64Array;
  readonly high: Float64Array;
}

function denseSums({ data, rows, cols }: Matrix, weights: Float64Array | undefined): Sums {
  const sum = new Float64Array(cols);
  const low = new Float64Array(cols).fill(Infinity);
  const high = new Float64Array(cols).fill(-Infinity);
  for (let i = 0, e = 0; i < rows; i++) {
    const weight = weights === undefined ? 1 : weights[i]!;
    if (weight === 0) {
      e += cols;
      continue;
    }
    for (let j = 0; j < cols; j++, e++) {
      const value = data[e]!;
      sum[j]! += weight * value;
      if (value < low[j]!) low[j] = value;
      if (value > high[j]!) high[j] = value;
    }
  }
  return { sum, low, high };
}

function denseSquares({ data, rows, cols }: Matrix, weights: Float64Array | undefined, mean: Float64Array) {
  const shift = new Float64Array(cols);
  const squares = new Float64Array(cols);
  for (let i = 0, e = 0; i < rows; i++) {
    const weight = weights === undefined ? 1 : weights[i]!;
    for (let j = 0; j < cols; j++, e++) {
      const deviation = data[e]! - mean[j]!;
      const weighted = weight * deviation;
      shift[j]! += weighted;
      squares[j]! += weighted * deviation;
    }
  }
  return { shift, squares };
}

function sparseSums(x: CsrMatrix, weights: Float64Array | undefined): Sums {
  const sum = new Float64Array(x.cols);
  const low = new Float64Array(x.cols).fill(Infinity);
  const high = new Float64Array(x.cols).fill(-Infinity);
  const stored = new Int32Array(x.cols);
  let present = 0;
  for (let i = 0; i < x.rows; i++) {
    const weight = weights === undefined ? 1 : weights[i]!;
    if (weight === 0) continue;
    present++;
    for (let e = x.indptr[i]!; e < x.indptr[i + 1]!; e++) {
      const j = x.indices[e]!;
      const value = x.values[e]!;
      sum[j]! += weight * value;
      stored[j]!++;
      if (value < low[j]!) low[j] = value;
      if (value > high[j]!) high[j] = value;
    }
  }
  for (let j = 0; j < x.cols; j++) {
    if (stored[j] === present) continue;
    low[j] = Math.min(low[j]!, 0);
    high[j] = Math.max(high[j]!, 0);
  }
  return { sum, low, high };
}

/** The zeros that are not stored all deviate by −mean. */
function sparseSquares(x: CsrMatrix, weights: Float64Array | undefined, mean: Float64Array, total: number) {
  const shift = new Float64Array(x.cols);
  const squares = new Float64Array(x.cols);
  const stored = new Float64Array(x.cols);
  for (let i = 0; i < x.rows; i++) {
    const weight = weights === undefined ? 1 : weights[i]!;
    for (let e = x.indptr[i]!; e < x.indptr[i + 1]!; e++) {
      const j = x.indices[e]!;
      const deviation = x.values[e]! - mean[j]!;
      stored[j]! += weight;
      shift[j]! += weight * deviation;
      squares[j]! += weight * deviation * deviation;
    }
  }
  for (let j = 0; j < x.cols; j++) {
    const rest = total - stored[j]!;
    shift[j]! -= rest * mean[j]!;
    squares[j]! += rest * mean[j]! * mean[j]!;
  }
  return { shift, squares };
}

/** Mean and deviation of one column whose squares do not fit a double, in units of its range. */
function extremeColumn(
  where: string,
  x: Design,
  weights: Float64Array | undefined,
  j: number,
  low: number,
  high: number,
): [mean: number, deviation: number] {
  const range = high - low;
  if (!Number.isFinite(range)) {
    throw new DataError({
      where,
      subject: `column ${j} of X`,
      expected: "of a range that fits a double",
      received: `values from ${low} to ${high}`,
    });
  }
  const column = x instanceof Matrix ? x.column(j) : x.transpose().selectRows([j]).toDense().data;
  const weight = (i: number) => (weights === undefined ? 1 : weights[i]!);
  const total = weights === undefined ? column.length : weights.reduce((sum, w) => sum + w, 0);
  const average = (at: (u: number) => number) =>
    column.reduce((sum, value, i) => sum + (weight(i) / total) * at((value - low) / range), 0);
  const center = average((u) => u);
  const variance = average((u) => (u - center) * (u - center));
  return [low + center * range, range * Math.sqrt(variance)];
}
