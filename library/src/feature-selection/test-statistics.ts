import { DataError, show } from "../core/errors.js";
import { CsrMatrix } from "../data/csr-matrix.js";
import type { Design } from "../data/input.js";
import { Matrix } from "../data/matrix.js";
import { largestSize, unitScale } from "../numeric/rows/unit-scale.js";

/** Calls `each` with every stored entry: row, column, value. */
function forEachEntry(x: Design, each: (i: number, j: number, value: number) => void): void {
  if (x instanceof CsrMatrix) {
    for (let i = 0; i < x.rows; i++)
      for (let e = x.indptr[i]!; e < x.indptr[i + 1]!; e++) each(i, x.indices[e]!, x.values[e]!);
    return;
  }
  for (let i = 0, e = 0; i < x.rows; i++) for (let j = 0; j < x.cols; j++, e++) each(i, j, x.data[e]!);
}

/** 1 for columns of equal numbers, whose means are rounded and whose squares therefore need not be 0. */
function constantColumns(x: Design): Uint8Array {
  const first = x.row(0);
  const same = new Uint8Array(x.cols).fill(1);
  const stored = new Int32Array(x.cols);
  forEachEntry(x, (_, j, value) => {
    stored[j]!++;
    if (value !== first[j]) same[j] = 0;
  });
  // A column with entries that sparse rows do not store has a 0 besides.
  return same.map((all, j) => (all === 1 && (stored[j] === x.rows || first[j] === 0) ? 1 : 0));
}

/**
 * X with each column times a power of two that brings its largest entry to between 1 and 2, so that squares neither overflow nor underflow.
 * The powers are exact, and ratios of variances do not depend on them.
 */
function scaledColumns(x: Design): Design {
  const most = new Float64Array(x.cols);
  forEachEntry(x, (_, j, value) => {
    most[j] = Math.max(most[j]!, Math.abs(value));
  });
  const scales = most.map(unitScale);
  if (x instanceof CsrMatrix)
    return new CsrMatrix({ ...x, values: x.values.map((value, e) => value * scales[x.indices[e]!]!) });
  return new Matrix(
    Float64Array.from(x.data, (value, e) => value * scales[e % x.cols]!),
    x.rows,
    x.cols,
  );
}

/**
 * Analysis of variance of one factor, the class: F = (Σₖ nₖ (x̄ₖ − x̄)² / (K − 1)) / (Σₖ Σᵢ (xᵢ − x̄ₖ)² / (n − K)).
 * Parity: scikit-learn's f_classif, which subtracts sums of squares; here squares are of differences from means.
 */
export function fByClass(rows: Design, codes: Int32Array, K: number): Float64Array {
  const x = scaledColumns(rows);
  const { rows: n, cols } = x;
  const means = new Float64Array(K * cols);
  const total = new Float64Array(cols);
  const counts = new Float64Array(K);
  for (const k of codes) counts[k]!++;
  forEachEntry(x, (i, j, value) => {
    means[codes[i]! * cols + j]! += value;
    total[j]! += value;
  });
  for (let e = 0; e < means.length; e++) means[e]! /= counts[Math.floor(e / cols)]!;
  const constant = constantColumns(x);
  const within = new Float64Array(cols);
  const stored = new Float64Array(K * cols);
  forEachEntry(x, (i, j, value) => {
    const at = codes[i]! * cols + j;
    within[j]! += (value - means[at]!) ** 2;
    stored[at]!++;
  });
  return total.map((sum, j) => {
    if (constant[j]) return Number.NaN;
    let inside = within[j]!;
    const own = Float64Array.from({ length: K }, (_, k) => means[k * cols + j]!);
    // Zeros that sparse rows do not store.
    for (let k = 0; k < K; k++) inside += (counts[k]! - stored[k * cols + j]!) * own[k]! * own[k]!;
    return fOfClasses(counts, own, sum / n, inside);
  });
}

/** F of a column from the rows and the mean of each class, the mean of all, and Σ of squares within classes. */
export function fOfClasses(counts: Float64Array, means: Float64Array, mean: number, inside: number): number {
  const K = counts.length;
  const n = counts.reduce((sum, count) => sum + count, 0);
  let between = 0;
  for (let k = 0; k < K; k++) between += counts[k]! * (means[k]! - mean) ** 2;
  return between / (K - 1) / (inside / (n - K));
}

/**
 * F = r² / (1 − r²) · (n − 2), with r the correlation of the column and y; 0 for a constant column or y, and for two rows, which every line
 * fits. Parity: f_regression.
 */
export function fByCorrelation(rows: Design, targets: Float64Array): Float64Array {
  const { rows: n, cols } = rows;
  // Of equal numbers the mean is rounded, and squares of differences from it need not be 0.
  if (n <= 2 || targets.every((value) => value === targets[0])) return new Float64Array(cols);
  const x = scaledColumns(rows);
  const scale = unitScale(largestSize(targets));
  const y = targets.map((value) => value * scale);
  const yMean = y.reduce((sum, value) => sum + value / n, 0);
  const ySquares = y.reduce((sum, value) => sum + (value - yMean) ** 2, 0);
  const means = new Float64Array(cols);
  forEachEntry(x, (_, j, value) => {
    means[j]! += value;
  });
  for (let j = 0; j < cols; j++) means[j]! /= n;
  const constant = constantColumns(x);
  const squares = new Float64Array(cols);
  const products = new Float64Array(cols);
  const stored = new Float64Array(cols);
  const storedY = new Float64Array(cols);
  forEachEntry(x, (i, j, value) => {
    squares[j]! += (value - means[j]!) ** 2;
    products[j]! += (value - means[j]!) * (y[i]! - yMean);
    stored[j]!++;
    storedY[j]! += y[i]! - yMean;
  });
  return means.map((mean, j) => {
    // The rest of Σ (y − ȳ) = 0 belongs to zeros that sparse rows do not store.
    const square = squares[j]! + (n - stored[j]!) * mean * mean;
    const product = products[j]! + mean * storedY[j]!;
    if (constant[j]) return 0;
    return fOfCorrelation(n, square, product, ySquares);
  });
}

/** F from Σ (x − x̄)², Σ (x − x̄)(y − ȳ) and Σ (y − ȳ)². */
export function fOfCorrelation(n: number, square: number, product: number, ySquares: number): number {
  const r2 = (product / square) * (product / ySquares);
  return r2 >= 1 ? Number.MAX_VALUE : (r2 / (1 - r2)) * (n - 2);
}

/** Σₖ (oₖ − eₖ)² / eₖ of the sums oₖ of a column by class and what they would be if the class said nothing. Parity: chi2. */
export function chi2Statistics(where: string, x: Design, codes: Int32Array, K: number): Float64Array {
  const { rows: n, cols } = x;
  const observed = new Float64Array(K * cols);
  const total = new Float64Array(cols);
  const shares = new Float64Array(K);
  for (const k of codes) shares[k]! += 1 / n;
  forEachEntry(x, (i, j, value) => {
    if (value < 0) {
      throw new DataError(where, `X[${i}][${j}]`, "a count or frequency ≥ 0, as chi2 requires", show(value));
    }
    observed[codes[i]! * cols + j]! += value;
    total[j]! += value;
  });
  return total.map((sum, j) =>
    chi2Of(
      Float64Array.from({ length: K }, (_, k) => observed[k * cols + j]!),
      sum,
      shares,
    ),
  );
}

/** χ² of the sums of a column by class. */
export function chi2Of(observed: Float64Array, sum: number, shares: Float64Array): number {
  let score = 0;
  for (let k = 0; k < observed.length; k++)
    score += (observed[k]! - sum * shares[k]!) ** 2 / (sum * shares[k]!);
  return score;
}
