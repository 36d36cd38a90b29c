import { DataError } from "../core/errors.js";
import type { Label } from "../core/labels.js";
import { CsrMatrix } from "../data/csr-matrix.js";
import type { Design } from "../data/input.js";
import type { Matrix } from "../data/matrix.js";
import type { ClassificationSet } from "../data/training-set.js";

export interface ClassMeans {
  /** One row of d means per class. */
  readonly centroids: Float64Array;
  /** Σ w per class. */
  readonly sizes: Float64Array;
}

/** Weighted means per class, relative to each class's first row so that an offset loses no digits. */
export function classMeans(
  x: Design,
  codes: Int32Array,
  weights: Float64Array | undefined,
  K: number,
): ClassMeans {
  const { rows, cols } = x;
  const sizes = new Float64Array(K);
  for (let i = 0; i < rows; i++) sizes[codes[i]!]! += weights ? weights[i]! : 1;
  const sums = new Float64Array(K * cols);
  if (x instanceof CsrMatrix) {
    for (let i = 0; i < rows; i++) {
      const share = (weights ? weights[i]! : 1) / sizes[codes[i]!]!;
      for (let e = x.indptr[i]!; e < x.indptr[i + 1]!; e++)
        sums[codes[i]! * cols + x.indices[e]!]! += share * x.values[e]!;
    }
    return { centroids: sums, sizes };
  }
  const origins = firstRows(x, codes, K);
  for (let i = 0, e = 0; i < rows; i++) {
    const share = (weights ? weights[i]! : 1) / sizes[codes[i]!]!;
    for (let j = 0, at = codes[i]! * cols; j < cols; j++, e++, at++)
      sums[at]! += share * (x.data[e]! - origins[at]!);
  }
  for (let at = 0; at < sums.length; at++) sums[at]! += origins[at]!;
  return { centroids: sums, sizes };
}

function firstRows(x: Matrix, codes: Int32Array, K: number): Float64Array {
  const origins = new Float64Array(K * x.cols);
  for (let k = 0; k < K; k++) origins.set(x.row(codes.indexOf(k)), k * x.cols);
  return origins;
}

/** Medians per class and column; for an even number of rows the mean of the two middle ones. */
export function classMedians(x: Matrix, codes: Int32Array, K: number): Float64Array {
  const { cols } = x;
  const out = new Float64Array(K * cols);
  for (let k = 0; k < K; k++) {
    const rows = Int32Array.from(codes.keys()).filter((i) => codes[i] === k);
    const column = new Float64Array(rows.length);
    for (let j = 0; j < cols; j++) {
      for (let r = 0; r < rows.length; r++) column[r] = x.data[rows[r]! * cols + j]!;
      out[k * cols + j] = median(column.sort());
    }
  }
  return out;
}

/** Of ascending numbers. */
function median(sorted: Float64Array): number {
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : sorted[middle - 1]! / 2 + sorted[middle]! / 2;
}

/** Shrinks centroids towards the mean of all rows; the formulas are those of NearestCentroid. */
export function shrinkInto(
  where: string,
  { x, codes, weights, classes }: ClassificationSet<Label>,
  { centroids, sizes }: ClassMeans,
  threshold: number,
  out: Float64Array,
): void {
  const K = classes.length;
  const { rows, cols } = x;
  const n = sizes.reduce((sum, size) => sum + size, 0);
  const mean = new Float64Array(cols);
  for (let k = 0; k < K; k++)
    for (let j = 0; j < cols; j++) mean[j]! += (sizes[k]! / n) * centroids[k * cols + j]!;
  const squares = new Float64Array(cols);
  for (let i = 0; i < rows; i++) {
    const row = x.row(i);
    const at = codes[i]! * cols;
    for (let j = 0; j < cols; j++) {
      const gap = row[j]! - centroids[at + j]!;
      squares[j]! += (weights ? weights[i]! : 1) * gap * gap;
    }
  }
  const spread = squares.map((sum) => Math.sqrt(sum / (n - K)));
  if (!(n > K) || spread.every((s) => s === 0)) {
    const expected = "rows that differ within a class, since centroids are shrunk by their standard errors";
    const advice = "Omit shrinkThreshold.";
    throw new DataError(where, "X", expected, "classes without any spread", advice);
  }
  const offset = median(spread.slice().sort());
  for (let k = 0; k < K; k++) {
    const error = Math.sqrt(1 / sizes[k]! - 1 / n);
    for (let j = 0, at = k * cols; j < cols; j++, at++) {
      const unit = error * (spread[j]! + offset);
      const gap = unit === 0 ? 0 : (centroids[at]! - mean[j]!) / unit;
      out[at] = mean[j]! + unit * Math.sign(gap) * Math.max(Math.abs(gap) - threshold, 0);
    }
  }
}
