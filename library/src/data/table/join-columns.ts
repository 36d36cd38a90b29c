import { CsrMatrix } from "../csr-matrix.js";
import type { Design } from "../input.js";
import { Matrix } from "../matrix.js";

/** The given columns in the given order, each at most once; sparse rows stay sparse. */
export function selectColumns(x: Matrix, chosen: readonly number[]): Matrix;
export function selectColumns(x: Design, chosen: readonly number[]): Design;
export function selectColumns(x: Design, chosen: readonly number[]): Design {
  if (x instanceof Matrix) return x.selectColumns(chosen);
  const places = new Int32Array(x.cols).fill(-1);
  for (const [place, j] of chosen.entries()) places[j] = place;
  const indptr = new Int32Array(x.rows + 1);
  let stored = 0;
  for (let i = 0; i < x.rows; i++) {
    for (let e = x.indptr[i]!; e < x.indptr[i + 1]!; e++) if (places[x.indices[e]!]! >= 0) stored++;
    indptr[i + 1] = stored;
  }
  const indices = new Int32Array(stored);
  const values = new Float64Array(stored);
  let at = 0;
  for (let e = 0; e < x.indices.length; e++) {
    const place = places[x.indices[e]!]!;
    if (place < 0) continue;
    indices[at] = place;
    values[at++] = x.values[e]!;
  }
  const parts = { rows: x.rows, cols: chosen.length, indptr, indices, values };
  // In another order than that of X, rows have to be sorted.
  const ascending = chosen.every((j, place) => place === 0 || chosen[place - 1]! < j);
  return new CsrMatrix(parts, ascending);
}

/** Blocks of the same rows side by side. */
export function joinColumns(blocks: readonly Design[], rows: number, sparse: boolean): Design {
  const cols = blocks.reduce((sum, block) => sum + block.cols, 0);
  return sparse ? joinSparse(blocks, rows, cols) : joinDense(blocks, rows, cols);
}

function joinDense(blocks: readonly Design[], rows: number, cols: number): Matrix {
  const out = Matrix.zeros(rows, cols);
  let start = 0;
  for (const block of blocks) {
    if (block instanceof Matrix) copyInto(block, start, out);
    else
      for (let i = 0; i < rows; i++)
        for (let e = block.indptr[i]!; e < block.indptr[i + 1]!; e++)
          out.data[i * cols + start + block.indices[e]!] = block.values[e]!;
    start += block.cols;
  }
  return out;
}

function copyInto({ data, rows, cols }: Matrix, start: number, out: Matrix): void {
  for (let i = 0, e = 0; i < rows; i++) {
    const row = i * out.cols + start;
    for (let j = 0; j < cols; j++, e++) out.data[row + j] = data[e]!;
  }
}

function joinSparse(blocks: readonly Design[], rows: number, cols: number): CsrMatrix {
  const indptr = new Int32Array(rows + 1);
  for (const block of blocks) addStored(block, indptr);
  for (let i = 0; i < rows; i++) indptr[i + 1]! += indptr[i]!;
  const indices = new Int32Array(indptr[rows]!);
  const values = new Float64Array(indices.length);
  const next = indptr.slice(0, rows);
  let start = 0;
  for (const block of blocks) {
    if (block instanceof Matrix) placeDense(block, start, next, indices, values);
    else placeSparse(block, start, next, indices, values);
    start += block.cols;
  }
  return new CsrMatrix({ rows, cols, indptr, indices, values }, true);
}

/** Writes a block's entries at the next free place of each row, and moves these places on. */
function placeDense(
  { data, rows, cols }: Matrix,
  start: number,
  next: Int32Array,
  indices: Int32Array,
  values: Float64Array,
): void {
  for (let i = 0, e = 0; i < rows; i++) {
    let at = next[i]!;
    for (let j = 0; j < cols; j++, e++) {
      const value = data[e]!;
      if (value === 0) continue;
      indices[at] = start + j;
      values[at++] = value;
    }
    next[i] = at;
  }
}

function placeSparse(
  block: CsrMatrix,
  start: number,
  next: Int32Array,
  indices: Int32Array,
  values: Float64Array,
): void {
  for (let i = 0; i < block.rows; i++) {
    let at = next[i]!;
    for (let e = block.indptr[i]!; e < block.indptr[i + 1]!; e++) {
      indices[at] = start + block.indices[e]!;
      values[at++] = block.values[e]!;
    }
    next[i] = at;
  }
}

/** Adds the number of entries that row i stores to entry i + 1. */
function addStored(block: Design, indptr: Int32Array): void {
  if (block instanceof Matrix) {
    const { data, rows, cols } = block;
    for (let i = 0, e = 0; i < rows; i++) {
      let stored = 0;
      for (let j = 0; j < cols; j++, e++) if (data[e] !== 0) stored++;
      indptr[i + 1]! += stored;
    }
  } else {
    for (let i = 0; i < block.rows; i++) indptr[i + 1]! += block.indptr[i + 1]! - block.indptr[i]!;
  }
}
