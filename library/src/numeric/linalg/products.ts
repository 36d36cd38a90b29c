import { ShapeError } from "../../core/errors.js";
import { Matrix } from "../../data/matrix.js";
import { expChunk, log1pExpChunk, sigmoidChunk } from "../generated/elementary.js";
import { gemmChunk, packRight } from "../generated/gemm.js";
import { DEPTH, ROWS } from "../generated/gemm.layout.js";
import { linearScores } from "../rows/linear-scores.js";
import { withArena } from "../runtime/arena.js";
import { chunksOf } from "../runtime/chunks.js";
import { parallel } from "../runtime/threads.js";

/** A·B. */
export function gemm(a: Matrix, b: Matrix): Matrix {
  if (a.cols !== b.rows) {
    throw new ShapeError("gemm", "b", `${a.cols} rows high, as a is wide`, `${b.rows} rows`);
  }
  const { rows: n, cols: k } = a;
  const m = b.cols;
  const out = Matrix.zeros(n, m);
  if (out.data.length === 0 || k === 0) return out;
  const pad = Math.ceil(m / 4) * 4;
  withArena("gemm", (arena) => {
    const left = arena.copy(a.data);
    const right = arena.copy(b.data);
    const packed = arena.f64(k * pad);
    const c = arena.f64(n * m);
    arena.heap.call(packRight({ b: right.ptr, k, m, pad, out: packed.ptr }));
    const chunkRows = ROWS * Math.ceil(n / ROWS / Math.min(32, Math.ceil(n / ROWS)));
    const chunks = Math.ceil(n / chunkRows);
    const area = ROWS * DEPTH + ROWS * pad;
    const work = arena.f64(chunks * area);
    const call = gemmChunk({
      a: left.ptr,
      n,
      k,
      b: packed.ptr,
      m,
      pad,
      c: c.ptr,
      work: work.ptr,
      area: area * 8,
      chunkRows,
    });
    parallel(arena.heap, call, chunks, 2 * n * k * m);
    out.data.set(c.array);
  });
  return out;
}

/** A·x. */
export function gemv(a: Matrix, x: Float64Array): Float64Array {
  if (a.cols !== x.length) throw new ShapeError("gemv", "x", `${a.cols} long, as a is wide`, `${x.length}`);
  return linearScores("gemv", a, x, new Float64Array(1)).data;
}

function elementwise(where: string, kernel: typeof expChunk, x: Float64Array): Float64Array {
  return withArena(where, (arena) => {
    const chunks = chunksOf(x.length, 1, 65536);
    const values = arena.copy(x);
    const call = kernel({ x: values.ptr, n: x.length, out: values.ptr, chunkRows: chunks.rows });
    parallel(arena.heap, call, chunks.count, 40 * x.length);
    return values.array.slice() as Float64Array;
  });
}

/** eˣ, entry by entry. */
export const vectorExp = (x: Float64Array): Float64Array => elementwise("vectorExp", expChunk, x);
/** log(1 + eˣ), entry by entry. */
export const vectorLog1pExp = (x: Float64Array): Float64Array =>
  elementwise("vectorLog1pExp", log1pExpChunk, x);
/** 1/(1 + e⁻ˣ), entry by entry. */
export const vectorSigmoid = (x: Float64Array): Float64Array => elementwise("vectorSigmoid", sigmoidChunk, x);
