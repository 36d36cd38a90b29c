import type { Matrix } from "../data/matrix.js";
import { Arena, type F64 } from "./arena.js";
import { chunksOf } from "./chunks.js";
import { kernelScoresKernels } from "./families.js";
import { type KernelCode, panelsInto } from "./smo.js";
import { parallel } from "./threads.js";

/** The kernel's STRETCH. */
const STRETCH = 512;
/** Rows a chunk: a few hundred microseconds of work with a thousand points. */
const CHUNK_ROWS = 64;

/**
 * out[i, k] = Σ_s coef[k, s] k(z_i, x_s) + b_k: what a kernel machine says of rows z, for all its outputs at once.
 * `coef` has one row an output.
 */
export function kernelScores(
  where: string,
  z: Matrix,
  x: Matrix,
  kernel: KernelCode,
  coef: Matrix,
  intercept: Float64Array,
): Float64Array {
  const { rows: m, cols: d } = x;
  const machines = coef.rows;
  const out = new Float64Array(z.rows * machines);
  if (z.rows === 0) return out;
  const arena = new Arena(where);
  try {
    const padded = (m + 7) & ~7;
    const panels = arena.zeros(Math.max(1, padded * d));
    panelsInto(x, panels.array);
    const norms = arena.copy(squaresOf(x, padded));
    const weights = arena.zeros(machines * padded);
    for (let k = 0; k < machines; k++) weights.array.set(coef.row(k), k * padded);
    const b = arena.copy(intercept);
    const chunks = chunksOf(z.rows, STRETCH, CHUNK_ROWS);
    const work = arena.f64(chunks.count * STRETCH);
    const rows: F64 = arena.copy(z.data);
    const scores = arena.f64(z.rows * machines);
    const { code, a, c, degree } = kernel;
    const point = [panels.ptr, m, norms.ptr, code, a, c, degree, weights.ptr, b.ptr, machines];
    const args = [rows.ptr, z.rows, d, ...point, scores.ptr, work.ptr, chunks.rows];
    const operations = z.rows * m * (2 * d + 2 * machines + 20);
    parallel(arena.heap, kernelScoresKernels, "scoreChunk", args, chunks.count, operations);
    out.set(scores.array);
    return out;
  } finally {
    arena.close();
  }
}

/** ‖x_s‖², zeros behind the last. */
function squaresOf({ data, rows, cols }: Matrix, padded: number): Float64Array {
  const squares = new Float64Array(padded);
  for (let i = 0, at = 0; i < rows; i++) {
    let sum = 0;
    for (let j = 0; j < cols; j++, at++) sum += data[at]! * data[at]!;
    squares[i] = sum;
  }
  return squares;
}
