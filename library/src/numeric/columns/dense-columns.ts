import type { Matrix } from "../../data/matrix.js";
import {
  centreChunk,
  correlateChunk,
  denseSweeps,
  pairsChunk,
  transposeChunk,
} from "../generated/coordinate-descent.js";
import { cholesky, choleskySolveInto } from "../linalg/cholesky.js";
import { gramInto, gramWork } from "../linalg/gram.js";
import { streamedRows } from "../rows/dense-rows.js";
import { type Arena, type F64, withArena } from "../runtime/arena.js";
import type { Address } from "../runtime/kernels.js";
import { parallel } from "../runtime/threads.js";
import { ColumnGram } from "./column-gram.js";
import type { ColumnProblem, Strengths, SweepEnd } from "./column-problem.js";
import { Columns, chunkColumns } from "./column-problem.js";

/** Columns of a dense matrix, copied centred and scaled by √s. */
export class DenseColumns extends Columns implements ColumnProblem {
  readonly norms: Float64Array;
  readonly targetNorm: number;
  readonly mean: Float64Array;
  readonly #a: F64;
  readonly #target: Float64Array;
  readonly #gram: ColumnGram;

  constructor(
    arena: Arena,
    x: Matrix,
    y: Float64Array,
    weights: Float64Array | undefined,
    intercept: boolean,
    start: Float64Array | undefined,
  ) {
    super(arena, x, y, weights, intercept, start);
    const roots = weights?.map(Math.sqrt);
    this.#target = this.centred.map((v, i) => v * (roots ? roots[i]! : 1));
    this.targetNorm = sumOfSquares(this.#target);
    this.#a = arena.f64(x.rows * x.cols);
    this.mean = this.#fill(x, weights, roots, intercept);
    this.norms = this.q.array.slice();
    this.renewResidual();
    this.#gram = new ColumnGram(arena, this.#a, x.rows, x.cols);
  }

  /** Transposes the rows block by block, then centres and scales each column; returns the means. */
  #fill(
    x: Matrix,
    weights: Float64Array | undefined,
    roots: Float64Array | undefined,
    intercept: boolean,
  ): Float64Array {
    const { rows: n, cols: d } = x;
    return withArena(this.arena.where, (scratch) => {
      const size = chunkColumns(n, 8);
      const chunks = Math.ceil(d / size);
      streamedRows(scratch, x, 512).forEachBlock((ptr, from, count) => {
        parallel(
          scratch.heap,
          transposeChunk({ x: ptr, count, d, from, n, a: this.#a.ptr, chunkCols: size }),
          chunks,
          8 * count * d,
        );
      });
      const s = weights ? scratch.copy(weights).ptr : 0;
      const root = roots ? scratch.copy(roots).ptr : 0;
      const total = weights ? weights.reduce((sum, v) => sum + v, 0) : n;
      const mean = scratch.f64(d);
      const call = centreChunk({
        a: this.#a.ptr,
        n,
        d,
        s,
        roots: root,
        total,
        centre: intercept ? 1 : 0,
        mean: mean.ptr,
        q: this.q.ptr,
        chunkCols: size,
      });
      parallel(scratch.heap, call, chunks, 6 * n * d);
      return mean.array.slice() as Float64Array;
    });
  }

  sweep(
    list: Int32Array,
    c: Float64Array,
    penalty: Strengths,
    sweeps: number,
    { enough, finest }: SweepEnd,
  ): number {
    const made = this.#gram.has(list)
      ? withArena(this.arena.where, (scratch) =>
          this.#gram.sweep(list, c, this.w, this.r, penalty, sweeps, finest, scratch),
        )
      : this.#slowSweep(list, penalty, sweeps, enough);
    this.#gram.worked(made, list.length);
    return made;
  }

  #slowSweep(list: Int32Array, { l1, l2 }: Strengths, sweeps: number, enough: number): number {
    return this.arena.heap.call(
      denseSweeps({
        a: this.#a.ptr,
        n: this.rows,
        q: this.q.ptr,
        list: this.placed(list),
        m: list.length,
        w: this.w.ptr,
        r: this.r.ptr,
        l1,
        l2,
        sweeps,
        enough,
      }),
    );
  }

  correlationsInto(out: Float64Array, list?: Int32Array): void {
    const [a, r, n] = [this.#a.ptr, this.r.ptr, this.rows];
    this.overColumns(list, n, 4 * n, out, (listed, m, c, chunkCols) =>
      correlateChunk({ a, n, list: listed, m, r, c, chunkCols }),
    );
  }

  renewResidual(): void {
    const r = this.r.array;
    r.set(this.#target);
    const w = this.w.array;
    const a = this.#a.array;
    for (let j = 0; j < this.cols; j++) {
      if (w[j] === 0) continue;
      for (let i = 0, at = j * this.rows; i < this.rows; i++, at++) r[i]! -= w[j]! * a[at]!;
    }
  }

  residualInto(out: Float64Array): void {
    out.set(this.r.array);
  }

  solveSigned(list: Int32Array, l1: number, l2: number): Float64Array | null {
    const m = list.length;
    const n = this.rows;
    const wide = m > n;
    if (wide ? l2 === 0 || n > MAX_SOLVE : m > MAX_SOLVE) return null;
    return withArena(this.arena.where, (scratch) => {
      // Row e of M is column list[e] of X.
      const gathered = scratch.f64(m * n);
      const rows = gathered.array;
      const a = this.#a.array;
      for (let e = 0; e < m; e++) rows.set(a.subarray(list[e]! * n, (list[e]! + 1) * n), e * n);
      const right = new Float64Array(m);
      for (let e = 0; e < m; e++) {
        let product = 0;
        for (let i = 0, at = e * n; i < n; i++, at++) product += rows[at]! * this.#target[i]!;
        right[e] = product - l1 * Math.sign(this.w.array[list[e]!]!);
      }
      return (wide ? solveWide : solveNarrow)(scratch, { rows: gathered, m, n, right, l2 });
    });
  }

  place(list: Int32Array, values: Float64Array): void {
    const w = this.w.array;
    const r = this.r.array;
    const a = this.#a.array;
    for (let e = 0; e < list.length; e++) {
      const j = list[e]!;
      const change = values[e]! - w[j]!;
      if (change === 0) continue;
      w[j] = values[e]!;
      for (let i = 0, at = j * this.rows; i < this.rows; i++, at++) r[i]! -= change * a[at]!;
    }
  }

  residualHalfSquare(): number {
    return 0.5 * sumOfSquares(this.r.array);
  }

  residualDotTarget(): number {
    const r = this.r.array;
    let sum = 0;
    for (let i = 0; i < r.length; i++) sum += r[i]! * this.#target[i]!;
    return sum;
  }
}

/** Largest linear system that is solved directly. */
const MAX_SOLVE = 1500;

/** (M Mᵀ + l2 I) w = right, M of m rows and n columns. */
interface RidgeSystem {
  readonly rows: F64;
  readonly m: number;
  readonly n: number;
  readonly right: Float64Array;
  readonly l2: number;
}

/** w for n ≥ m; null where the matrix is singular. */
function solveNarrow(arena: Arena, { rows, m, n, right, l2 }: RidgeSystem): Float64Array | null {
  const gram = arena.f64(m * m);
  const size = chunkColumns(n * m, 1);
  parallel(
    arena.heap,
    pairsChunk({ a: rows.ptr, n, m, g: gram.ptr, chunkRows: size }),
    Math.ceil(m / size),
    m * m * n,
  );
  const a = gram.array.slice() as Float64Array;
  for (let e = 0; e < m; e++) {
    for (let f = 0; f < e; f++) a[f * m + e] = a[e * m + f]!;
    a[e * m + e]! += l2;
  }
  const factor = cholesky(a, m);
  if (factor.lifted > 0) return null;
  const out = new Float64Array(m);
  choleskySolveInto(factor, right, out);
  return out;
}

/** The same for m > n, through the n × n matrix MᵀM + l2 I [Woodbury]. */
function solveWide(arena: Arena, { rows, m, n, right, l2 }: RidgeSystem): Float64Array | null {
  const a = new Float64Array(n * n);
  const block = {
    rows: m,
    cols: n,
    forEachBlock: (visit: (ptr: Address, from: number, count: number) => void) => visit(rows.ptr, 0, m),
  };
  gramInto(gramWork(arena, block, {}), a);
  for (let i = 0; i < n; i++) a[i * n + i]! += l2;
  const factor = cholesky(a, n);
  if (factor.lifted > 0) return null;
  const values = rows.array;
  const folded = new Float64Array(n);
  for (let e = 0; e < m; e++)
    for (let i = 0, at = e * n; i < n; i++, at++) folded[i]! += right[e]! * values[at]!;
  const solved = new Float64Array(n);
  choleskySolveInto(factor, folded, solved);
  const out = new Float64Array(m);
  for (let e = 0; e < m; e++) {
    let product = 0;
    for (let i = 0, at = e * n; i < n; i++, at++) product += values[at]! * solved[i]!;
    out[e] = (right[e]! - product) / l2;
  }
  return out;
}

function sumOfSquares(v: Float64Array<ArrayBufferLike>): number {
  let a = 0;
  let b = 0;
  const whole = v.length & ~1;
  for (let e = 0; e < whole; e += 2) {
    a += v[e]! * v[e]!;
    b += v[e + 1]! * v[e + 1]!;
  }
  return a + b + (whole < v.length ? v[whole]! * v[whole]! : 0);
}
