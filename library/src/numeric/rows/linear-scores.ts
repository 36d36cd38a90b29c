import { CsrMatrix } from "../../data/csr-matrix.js";
import { Matrix } from "../../data/matrix.js";
import { linearChunk } from "../generated/gemm.js";
import { withArena } from "../runtime/arena.js";
import { chunksOf } from "../runtime/chunks.js";
import { parallel } from "../runtime/threads.js";
import { streamedRows } from "./dense-rows.js";

/** Below this many multiplications plain loops are faster than the kernels. */
const SMALL = 20_000;
/** Rows whose margins the kernel computes together; its MARGIN_BLOCK. */
const BLOCK = 64;

/**
 * Z = X Wᵀ + b, one row per sample and one column per output. W is outputs × d.
 * Small inputs are computed in TypeScript, with the kernel's order of additions: one row has the same bits alone and in a batch.
 */
export function linearScores(where: string, x: Matrix | CsrMatrix, w: Float64Array, b: Float64Array): Matrix {
  const out = Matrix.zeros(x.rows, b.length);
  if (x instanceof CsrMatrix) sparseScores(x, w, b, out.data);
  else if (x.rows * x.cols * b.length <= SMALL) smallScores(x, w, b, out.data);
  else denseScores(where, x, w, b, out.data);
  return out;
}

function smallScores(x: Matrix, w: Float64Array, b: Float64Array, out: Float64Array): void {
  const { rows, cols, data } = x;
  for (let i = 0, o = 0; i < rows; i++) {
    for (let k = 0; k < b.length; k++, o++) out[o] = dotRow(data, i * cols, w, k * cols, cols) + b[k]!;
  }
}

/** The twin of the kernels' dotRow: four running sums, joined in the same order. */
export function dotRow(x: Float64Array, xAt: number, w: Float64Array, wAt: number, d: number): number {
  let a0 = 0;
  let a1 = 0;
  let b0 = 0;
  let b1 = 0;
  let j = 0;
  for (; j + 4 <= d; j += 4) {
    a0 += x[xAt + j]! * w[wAt + j]!;
    a1 += x[xAt + j + 1]! * w[wAt + j + 1]!;
    b0 += x[xAt + j + 2]! * w[wAt + j + 2]!;
    b1 += x[xAt + j + 3]! * w[wAt + j + 3]!;
  }
  let sum = a0 + b0 + (a1 + b1);
  for (; j < d; j++) sum += x[xAt + j]! * w[wAt + j]!;
  return sum;
}

function denseScores(where: string, x: Matrix, w: Float64Array, b: Float64Array, out: Float64Array): void {
  const { cols } = x;
  const outputs = b.length;
  withArena(where, (arena) => {
    const chunks = chunksOf(x.rows, BLOCK);
    const weights = arena.copy(w);
    const intercepts = arena.copy(b);
    const rows = streamedRows(arena, x, chunks.rows);
    rows.forEachBlock((ptr, from, count) => {
      const parts = Math.ceil(count / chunks.rows);
      const z = arena.f64(count * outputs);
      const work = arena.f64(parts * BLOCK);
      const call = linearChunk({
        x: ptr,
        n: count,
        d: cols,
        w: weights.ptr,
        b: intercepts.ptr,
        classes: outputs,
        z: z.ptr,
        work: work.ptr,
        chunkRows: chunks.rows,
      });
      parallel(arena.heap, call, parts, 2 * count * cols * outputs);
      out.set(z.array, from * outputs);
    });
  });
}

function sparseScores(x: CsrMatrix, w: Float64Array, b: Float64Array, out: Float64Array): void {
  const outputs = b.length;
  for (let i = 0; i < x.rows; i++) {
    for (let k = 0; k < outputs; k++) {
      let z = 0;
      for (let e = x.indptr[i]!; e < x.indptr[i + 1]!; e++)
        z += x.values[e]! * w[k * x.cols + x.indices[e]!]!;
      out[i * outputs + k] = z + b[k]!;
    }
  }
}
