import type { Design } from "../../data/input.js";
import { Matrix } from "../../data/matrix.js";
import { matrixChunk, scoreChunk } from "../generated/kernel-scores.js";
import type { PointsInputs } from "../generated/kernel-scores.layout.js";
import { pointsBytes, pointsF64, ROWS, STRETCH } from "../generated/kernel-scores.layout.js";
import { type Arena, type F64, withArena } from "../runtime/arena.js";
import { chunksOf } from "../runtime/chunks.js";
import { Fields } from "../runtime/fields.js";
import type { Address, ChunkCall } from "../runtime/kernels.js";
import { parallel } from "../runtime/threads.js";
import { type KernelPoints, placePoints } from "./kernel-points.js";
import type { KernelTree } from "./kernel-tree.js";

/** Rows per chunk: some hundred microseconds of work with a thousand points. */
const CHUNK_ROWS = 64;
/** Most entries of z in the arena at a time. */
const BLOCK_ENTRIES = 2 ** 22;

/** f_k(z) = Σ_t coef[k, t] k(z, x_t) + b_k: one row of `coef` per output. */
export interface KernelExpansion {
  readonly points: KernelPoints;
  readonly tree: KernelTree;
  readonly coef: Matrix;
  readonly intercept: Float64Array;
  /** Two ranges [from, to) per output that contain its nonzero coefficients; absent for all points. */
  readonly ranges?: Int32Array | undefined;
}

/** out[i, k] = Σ_t coef[k, t] k(z_i, x_t) + b_k for all rows of z and all outputs. */
export function kernelScores(where: string, z: Design, expansion: KernelExpansion): Matrix {
  const { points, tree, coef, intercept } = expansion;
  const outputs = coef.rows;
  const out = Matrix.zeros(z.rows, outputs);
  if (z.rows === 0) return out;
  return withArena(where, (arena) => {
    const weights = arena.copy(coef.data);
    const b = arena.copy(intercept);
    const ranges = arena.copyI32(expansion.ranges ?? fullRanges(outputs, points.count));
    const operations = points.count * (2 * points.cols + 2 * outputs + 20);
    const { height, run } = rowBlocks(arena, points, tree, z.rows, outputs);
    const block = arena.f64(height * outputs);
    const own = { coef: weights.ptr, ranges: ranges.ptr, b: b.ptr, outputs, out: block.ptr };
    for (let from = 0; from < z.rows; from += height) {
      const n = Math.min(height, z.rows - from);
      run(z, from, n, operations, (rows) => scoreChunk({ ...rows, ...own }));
      out.data.set(block.array.subarray(0, n * outputs), from * outputs);
    }
    return out;
  });
}

function fullRanges(outputs: number, count: number): Int32Array {
  const ranges = new Int32Array(4 * outputs);
  for (let k = 0; k < outputs; k++) ranges[4 * k + 1] = count;
  return ranges;
}

/** k(z_i, x_t) for all rows of z and all points. */
export function kernelRows(where: string, z: Design, points: KernelPoints, tree: KernelTree): Matrix {
  const out = Matrix.zeros(z.rows, points.count);
  if (out.data.length === 0) return out;
  return withArena(where, (arena) => {
    const { height, write } = kernelBlocks(arena, points, tree, z.rows);
    const block = arena.f64(height * points.count);
    for (let from = 0; from < z.rows; from += height) {
      const n = Math.min(height, z.rows - from);
      write(z, from, n, block.ptr, points.count);
      out.data.set(block.array.subarray(0, n * points.count), from * points.count);
    }
    return out;
  });
}

/** k(x_s, x_t) for t ≤ s in an n × n matrix of the arena; entries above the diagonal are undefined. */
export function lowerKernelMatrix(arena: Arena, x: Design, points: KernelPoints, tree: KernelTree): F64 {
  const n = x.rows;
  const out = arena.f64(n * n);
  const { height, write } = kernelBlocks(arena, points, tree, n);
  for (let from = 0; from < n; from += height) {
    write(x, from, Math.min(height, n - from), out.at(from * n), n, from);
  }
  return out;
}

/** Writes rows of a kernel matrix into the arena, at most `height` per call. */
export interface KernelBlocks {
  readonly height: number;
  /** Rows `from` … `from + n − 1` of z to address `out`, `stride` doubles apart; with `lower` ≥ 0, row r only up to its diagonal entry at `lower` + r. */
  write(z: Design, from: number, n: number, out: Address, stride: number, lower?: number): void;
}

export function kernelBlocks(
  arena: Arena,
  points: KernelPoints,
  tree: KernelTree,
  rows: number,
): KernelBlocks {
  const { count, cols } = points;
  const { height, run } = rowBlocks(arena, points, tree, rows, count);
  return {
    height,
    write: (z, from, n, out, stride, lower = -1) => {
      const operations = (lower < 0 ? count : lower + n / 2) * (2 * cols + 20);
      run(z, from, n, operations, (rows) => matrixChunk({ ...rows, out, stride, lower }));
    },
  };
}

/** What both kernels are given. */
type RowArguments = Omit<Parameters<typeof matrixChunk>[0], "out" | "stride" | "lower">;

/** Copies rows of z into the arena and runs a WASM function over them. */
interface RowBlocks {
  readonly height: number;
  /** Each row costs `operations`. */
  run(z: Design, from: number, n: number, operations: number, call: (rows: RowArguments) => ChunkCall): void;
}

function rowBlocks(
  arena: Arena,
  points: KernelPoints,
  tree: KernelTree,
  mostRows: number,
  width: number,
): RowBlocks {
  const { count, cols } = points;
  const placed = placePoints(arena, points, tree);
  const { x, starts, columns, values, norms, program, length, depth } = placed;
  const fields = new Fields(arena.f64(pointsBytes / 8), pointsF64);
  const inputs: PointsInputs = {
    ...{ x, starts, columns, values, count, d: cols },
    ...{ norms: norms.ptr, program, length },
  };
  fields.write(inputs);
  const most = Math.max(CHUNK_ROWS, Math.floor(BLOCK_ENTRIES / Math.max(cols, width)));
  const height = Math.min(mostRows, most);
  const area = ROWS * cols + (ROWS + depth) * STRETCH;
  const chunks = chunksOf(height, area, CHUNK_ROWS);
  const work = arena.f64(chunks.count * area);
  const rows = arena.f64(height * cols);
  return {
    height,
    run: (z, from, n, operations, call) => {
      denseRowsInto(z, from, n, rows.array);
      if (points.origin) subtractFrom(rows.array, n * cols, points.origin);
      const given = {
        z: rows.ptr,
        n,
        points: fields.ptr,
        work: work.ptr,
        workBytes: area * 8,
        chunkRows: chunks.rows,
      };
      parallel(arena.heap, call(given), Math.ceil(n / chunks.rows), n * operations);
    },
  };
}

function denseRowsInto(z: Design, from: number, n: number, out: Float64Array<ArrayBufferLike>): void {
  const { cols } = z;
  if (z instanceof Matrix) {
    out.set(z.data.subarray(from * cols, (from + n) * cols));
    return;
  }
  out.fill(0, 0, n * cols);
  for (let i = 0; i < n; i++) {
    const end = z.indptr[from + i + 1]!;
    for (let e = z.indptr[from + i]!; e < end; e++) out[i * cols + z.indices[e]!] = z.values[e]!;
  }
}

function subtractFrom(rows: Float64Array<ArrayBufferLike>, count: number, origin: Float64Array): void {
  for (let e = 0; e < count; e++) rows[e]! -= origin[e % origin.length]!;
}
