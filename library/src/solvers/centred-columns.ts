import { CsrMatrix } from "../data/csr-matrix.js";
import { Matrix } from "../data/matrix.js";
import type { Problem } from "./problem.js";

/** A problem in other coordinates, and the map back to the coefficients of the original problem. */
export interface View {
  readonly problem: Problem;
  back(theta: Float64Array): Float64Array;
}

/** Columns whose mean is this many standard deviations from 0 are centred before they are squared. */
const FAR = 1e3;

/** Sparse rows of at most this many entries, zeros included, may become dense. */
const DENSE_ENTRIES = 4e6;

/** Rows that are sampled to find columns far from 0. */
const SAMPLED_ROWS = 256;

/**
 * Columns far from the origin (years, timestamps) are nearly copies of the column of ones, and constant ones are copies of
 * it; second moments of them lose all digits. Since b is free they may be shifted: w is unchanged, b absorbs the difference.
 * Null when no column is far, or b is not learned.
 */
export function centreFarColumns(problem: Problem): View | null {
  const { x, intercept, far } = problem;
  if (!intercept) return null;
  const shift = far === undefined ? farColumnCentres(x) : far;
  return shift && movedBy(problem, shift);
}

/** Means of the columns that are far from 0, 0 for the others; null if none is far. */
export function farColumnCentres(x: Problem["x"]): Float64Array | null {
  return x instanceof CsrMatrix ? farSparse(x) : offsets(x, FAR);
}

/** X with its shift subtracted from each column. */
export function shiftedColumns(x: Problem["x"], shift: Float64Array): Problem["x"] {
  return x instanceof CsrMatrix ? movedSparse(x, shift) : movedDense(x, shift);
}

/** The same for every column, however near. */
export function centred(problem: Problem): View | null {
  const { x, intercept } = problem;
  if (!intercept || (x instanceof CsrMatrix && x.rows * x.cols > DENSE_ENTRIES)) return null;
  const dense = x instanceof CsrMatrix ? x.toDense() : x;
  const shift = offsets(dense, 0);
  return shift && movedBy({ ...problem, x: dense }, shift);
}

function movedBy(problem: Problem, shift: Float64Array): View {
  const { x, start } = problem;
  const moved = shiftedColumns(x, shift);
  return {
    problem: { ...problem, x: moved, start: start && shifted(start, shift, 1), opened: undefined, far: null },
    back: (theta) => shifted(theta, shift, -1),
  };
}

/** Every block [w, b] with b + sign · w·shift in place of b. */
function shifted(theta: Float64Array, shift: Float64Array, sign: number): Float64Array {
  const d = shift.length;
  const out = theta.slice();
  for (let from = 0; from < theta.length; from += d + 1) {
    for (let j = 0; j < d; j++) out[from + d]! += sign * theta[from + j]! * shift[j]!;
  }
  return out;
}

function movedDense(x: Matrix, shift: Float64Array): Matrix {
  const { rows, cols, data } = x;
  const out = new Float64Array(data.length);
  for (let i = 0, at = 0; i < rows; i++) for (let j = 0; j < cols; j++, at++) out[at] = data[at]! - shift[j]!;
  return new Matrix(out, rows, cols);
}

/** The shift of each column: its mean if that is far from 0, else 0; null if none is far. */
function offsets({ data, rows, cols }: Matrix, far: number): Float64Array | null {
  const count = Math.min(rows, SAMPLED_ROWS);
  const first = data.slice(0, cols);
  const mean = new Float64Array(cols);
  const square = new Float64Array(cols);
  const startOf = (e: number) => (count === rows ? e : Math.floor((e * rows) / count)) * cols;
  // Around the first row, so that constant columns are recognised exactly.
  for (let e = 0; e < count; e++) {
    for (let j = 0, at = startOf(e); j < cols; j++, at++) mean[j]! += data[at]! - first[j]!;
  }
  for (let j = 0; j < cols; j++) mean[j]! /= count;
  for (let e = 0; e < count; e++) {
    for (let j = 0, at = startOf(e); j < cols; j++, at++) {
      const deviation = data[at]! - first[j]! - mean[j]!;
      square[j]! += deviation * deviation;
    }
  }
  for (let j = 0; j < cols; j++) square[j]! /= count;
  return beyond(far, first, mean, square);
}

function beyond(
  far: number,
  first: Float64Array,
  mean: Float64Array,
  variance: Float64Array,
): Float64Array | null {
  let found = false;
  const out = new Float64Array(mean.length);
  for (let j = 0; j < out.length; j++) {
    const centre = first[j]! + mean[j]!;
    const size = Math.abs(centre);
    if (!(size > far * Math.sqrt(variance[j]!) && size < Infinity)) continue;
    out[j] = centre;
    found = true;
  }
  return found ? out : null;
}

/** The same for sparse rows: only a column that (nearly) every row stores can be far from 0. */
function farSparse(x: CsrMatrix): Float64Array | null {
  const { rows, cols, indptr, indices, values } = x;
  const count = Math.min(rows, SAMPLED_ROWS);
  const stored = new Int32Array(cols);
  const first = new Float64Array(cols);
  const mean = new Float64Array(cols);
  const rowOf = (e: number) => Math.floor((e * rows) / count);
  for (let e = 0; e < count; e++) {
    const i = rowOf(e);
    for (let at = indptr[i]!; at < indptr[i + 1]!; at++) {
      const j = indices[at]!;
      if (stored[j]!++ === 0) first[j] = values[at]!;
      mean[j]! += (values[at]! - first[j]!) / count;
    }
  }
  if (!stored.includes(count)) return null;
  const variance = new Float64Array(cols);
  for (let e = 0; e < count; e++) {
    const i = rowOf(e);
    for (let at = indptr[i]!; at < indptr[i + 1]!; at++) {
      const j = indices[at]!;
      variance[j]! += (values[at]! - first[j]! - mean[j]!) ** 2 / count;
    }
  }
  for (let j = 0; j < cols; j++) if (stored[j] !== count) first[j] = mean[j] = 0;
  return beyond(FAR, first, mean, variance);
}

/** Far columns become dense: a zero becomes −shift. */
function movedSparse(x: CsrMatrix, shift: Float64Array): CsrMatrix {
  const { rows, cols, indptr, indices, values } = x;
  const far = Array.from(shift.keys()).filter((j) => shift[j] !== 0);
  const starts = new Int32Array(rows + 1);
  const columns: number[] = [];
  const numbers: number[] = [];
  for (let i = 0; i < rows; i++) {
    let next = 0;
    for (let e = indptr[i]!; e <= indptr[i + 1]!; e++) {
      const j = e < indptr[i + 1]! ? indices[e]! : cols;
      for (; next < far.length && far[next]! < j; next++) {
        columns.push(far[next]!);
        numbers.push(-shift[far[next]!]!);
      }
      if (j === cols) break;
      if (far[next] === j) next++;
      columns.push(j);
      numbers.push(values[e]! - shift[j]!);
    }
    starts[i + 1] = columns.length;
  }
  const parts = {
    rows,
    cols,
    indptr: starts,
    indices: Int32Array.from(columns),
    values: Float64Array.from(numbers),
  };
  return new CsrMatrix(parts, true);
}
