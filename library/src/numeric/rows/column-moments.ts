import { DataError } from "../../core/errors.js";
import type { CsrMatrix } from "../../data/csr-matrix.js";
import type { Design } from "../../data/input.js";
import { Matrix } from "../../data/matrix.js";
import { type ColumnSums, mergeInto, SMALLEST_SQUARES } from "./moments.js";
import { sparseAt } from "./sparse-at.js";

/** Mean and population variance of every column: Σ w x / Σ w and Σ w (x − mean)² / Σ w. */
export interface ColumnMoments {
  readonly mean: Float64Array;
  readonly variance: Float64Array;
  /** √variance, also where the variance itself is outside the range of doubles; exactly 0 for a constant column. */
  readonly deviation: Float64Array;
}

interface Sums extends ColumnSums {
  /** Σ w. */
  total: number;
}

/** Mean, variance and deviation of every column; rows of weight 0 are ignored. */
export function columnMoments(where: string, x: Design, weights: Float64Array | undefined): ColumnMoments {
  const { total, mean, squares } = x instanceof Matrix ? denseSums(x, weights) : sparseSums(x, weights);
  const variance = squares.map((s) => s / total);
  const deviation = variance.map(Math.sqrt);
  for (let j = 0; j < x.cols; j++) {
    const only = variance[j]! < Infinity ? constantOf(x, weights, j) : undefined;
    if (only !== undefined) {
      mean[j] = only;
      variance[j] = 0;
      deviation[j] = 0;
    } else if (!(variance[j]! > SMALLEST_SQUARES && variance[j]! < Infinity)) {
      [mean[j], deviation[j]] = extremeColumn(where, x, weights, j);
      variance[j] = deviation[j]! * deviation[j]!;
    }
  }
  return { mean, variance, deviation };
}

/** Numbers of a block: 16 KB, half of the smallest first-level cache in use, so that its second pass reads from the cache. */
const BLOCK = 2048;

/** Block by block: the mean, then centred squares, then merged into the rest. */
function denseSums({ data, rows, cols }: Matrix, weights: Float64Array | undefined): Sums {
  const sums: Sums = { total: 0, mean: new Float64Array(cols), squares: new Float64Array(cols) };
  const height = Math.max(1, Math.floor(BLOCK / cols));
  for (let from = 0; from < rows; from += height) {
    const to = Math.min(rows, from + height);
    let weight = to - from;
    if (weights !== undefined) {
      weight = 0;
      for (let i = from; i < to; i++) weight += weights[i]!;
      if (weight === 0) continue;
    }
    for (let j = 0; j < cols; j++) {
      const block = weights === undefined ? plainBlock : weightedBlock;
      block(data, cols, j, from, to, weights!, weight);
      mergeInto(sums.total, weight, found[0]!, found[1]!, j, sums);
    }
    sums.total += weight;
  }
  return sums;
}

/** Mean and centred squares of the last block: two numbers without an allocation per block. */
const found = new Float64Array(2);

type Block = (
  data: Float64Array,
  cols: number,
  j: number,
  from: number,
  to: number,
  weights: Float64Array,
  weight: number,
) => void;

/** `shift` is the rounding error of the mean; it corrects both results. */
const plainBlock: Block = (data, cols, j, from, to, _, weight) => {
  const end = to * cols;
  let sum = 0;
  for (let e = from * cols + j; e < end; e += cols) sum += data[e]!;
  const mean = sum / weight;
  let shift = 0;
  let squares = 0;
  for (let e = from * cols + j; e < end; e += cols) {
    const deviation = data[e]! - mean;
    shift += deviation;
    squares += deviation * deviation;
  }
  found[0] = mean + shift / weight;
  found[1] = squares - (shift / weight) * shift;
};

const weightedBlock: Block = (data, cols, j, from, to, weights, weight) => {
  let sum = 0;
  for (let i = from, e = from * cols + j; i < to; i++, e += cols) sum += weights[i]! * data[e]!;
  const mean = sum / weight;
  let shift = 0;
  let squares = 0;
  for (let i = from, e = from * cols + j; i < to; i++, e += cols) {
    const deviation = data[e]! - mean;
    shift += weights[i]! * deviation;
    squares += weights[i]! * deviation * deviation;
  }
  found[0] = mean + shift / weight;
  found[1] = squares - (shift / weight) * shift;
};

/** Two passes over the stored entries; the zeros that are not stored all deviate by −mean. */
function sparseSums(x: CsrMatrix, weights: Float64Array | undefined): Sums {
  const { rows, cols, indptr, indices, values } = x;
  const mean = new Float64Array(cols);
  const shift = new Float64Array(cols);
  const squares = new Float64Array(cols);
  const stored = new Float64Array(cols);
  let total = 0;
  for (let i = 0; i < rows; i++) {
    const weight = weights === undefined ? 1 : weights[i]!;
    total += weight;
    for (let e = indptr[i]!; e < indptr[i + 1]!; e++) {
      mean[indices[e]!]! += weight * values[e]!;
      stored[indices[e]!]! += weight;
    }
  }
  for (let j = 0; j < cols; j++) mean[j]! /= total;
  for (let i = 0; i < rows; i++) {
    const weight = weights === undefined ? 1 : weights[i]!;
    for (let e = indptr[i]!; e < indptr[i + 1]!; e++) {
      const j = indices[e]!;
      const deviation = values[e]! - mean[j]!;
      shift[j]! += weight * deviation;
      squares[j]! += weight * deviation * deviation;
    }
  }
  for (let j = 0; j < cols; j++) {
    const rest = total - stored[j]!;
    const left = shift[j]! - rest * mean[j]!;
    squares[j]! += rest * mean[j]! * mean[j]! - (left / total) * left;
    mean[j]! += left / total;
  }
  return { total, mean, squares };
}

/** The value of column j if it is constant: its computed variance may differ from 0 by rounding. */
function constantOf(x: Design, weights: Float64Array | undefined, j: number): number | undefined {
  let only: number | undefined;
  for (let i = 0; i < x.rows; i++) {
    if (weights?.[i] === 0) continue;
    const value = x instanceof Matrix ? x.data[i * x.cols + j]! : sparseAt(x, i, j);
    if (only === undefined) only = value;
    else if (value !== only) return undefined;
  }
  return only;
}

/** Mean and deviation of one column whose squares do not fit a double, in units of its range. */
function extremeColumn(
  where: string,
  x: Design,
  weights: Float64Array | undefined,
  j: number,
): [mean: number, deviation: number] {
  const weight = (i: number) => (weights === undefined ? 1 : weights[i]!);
  const rows = Array.from({ length: x.rows }, (_, i) => i).filter((i) => weight(i) > 0);
  const column = rows.map((i) => (x instanceof Matrix ? x.data[i * x.cols + j]! : sparseAt(x, i, j)));
  const low = column.reduce((least, value) => Math.min(least, value), Infinity);
  const high = column.reduce((most, value) => Math.max(most, value), -Infinity);
  const range = high - low;
  if (range === Infinity) {
    const expected = "of a range that fits a double";
    throw new DataError(where, `column ${j} of X`, expected, `values from ${low} to ${high}`);
  }
  const total = rows.reduce((sum, i) => sum + weight(i), 0);
  const average = (at: (u: number) => number) =>
    column.reduce((sum, value, r) => sum + (weight(rows[r]!) / total) * at((value - low) / range), 0);
  const center = average((u) => u);
  const variance = average((u) => (u - center) * (u - center));
  return [low + center * range, range * Math.sqrt(variance)];
}
