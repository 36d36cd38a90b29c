import { CsrMatrix } from "../data/csr-matrix.js";
import type { Matrix } from "../data/matrix.js";
import { Arena, type F64, type I32, withArena } from "./arena.js";
import { cholesky, choleskySolveInto } from "./cholesky.js";
import { coordinateDescentKernels } from "./families.js";
import { gramInto } from "./gram.js";
import { parallel } from "./threads.js";

/**
 * Weighted least squares seen column by column, for coordinate descent on
 *
 *   ½ Σ s_i (y_i − x_i·w − b)² + l1 ‖w‖₁ + ½ l2 ‖w‖²
 *
 * with b eliminated by centring: the residual is that of centred columns and centred y. Columns of a dense matrix
 * are copied centred and scaled by √s; sparse ones are centred implicitly.
 */
export interface ColumnProblem {
  readonly rows: number;
  readonly cols: number;
  /** ‖column‖² after centring, weighted. */
  readonly norms: Float64Array;
  /** ‖y‖² after centring, weighted. */
  readonly targetNorm: number;
  readonly mean: Float64Array;
  readonly yMean: number;
  /** Current coefficients; a view, valid until the next call. */
  readonly coefficients: Float64Array<ArrayBufferLike>;
  /** Sweeps over the listed columns until a sweep gains less than `enough`; returns the sweeps made. */
  sweep(list: Int32Array, l1: number, l2: number, sweeps: number, enough: number): number;
  /**
   * The minimiser with the signs of the listed columns held fixed, one value a column, or null when the listed columns
   * are dependent (or this would cost more than sweeping).
   */
  solveSigned(list: Int32Array, l1: number, l2: number): Float64Array | null;
  /** Sets the listed coefficients and brings the residual up to date. */
  place(list: Int32Array, values: Float64Array): void;
  /** c_j = x_j · residual for every column. */
  correlationsInto(out: Float64Array): void;
  /** ½ ‖residual‖², weighted. */
  residualHalfSquare(): number;
  /** residual · y, both centred. */
  residualDotTarget(): number;
  close(): void;
}

export function openColumns(
  where: string,
  x: Matrix | CsrMatrix,
  y: Float64Array,
  weights: Float64Array | undefined,
  intercept: boolean,
  start: Float64Array | undefined,
): ColumnProblem {
  const arena = new Arena(where);
  try {
    return x instanceof CsrMatrix
      ? new SparseColumns(arena, x, y, weights, intercept, start)
      : new DenseColumns(arena, x, y, weights, intercept, start);
  } catch (error) {
    arena.close();
    throw error;
  }
}

/** Columns a chunk of the parallel passes: about a millisecond of work. */
const chunkColumns = (entriesPerColumn: number, align: number) =>
  Math.max(align, align * Math.ceil(2 ** 18 / Math.max(1, entriesPerColumn) / align));

function weightedMean(y: Float64Array, weights: Float64Array | undefined): number {
  let sum = 0;
  let total = 0;
  for (let i = 0; i < y.length; i++) {
    const s = weights ? weights[i]! : 1;
    sum += s * y[i]!;
    total += s;
  }
  return sum / total;
}

class DenseColumns implements ColumnProblem {
  readonly rows: number;
  readonly cols: number;
  readonly norms: Float64Array;
  readonly targetNorm: number;
  readonly mean: Float64Array;
  readonly yMean: number;
  readonly #a: F64;
  readonly #q: F64;
  readonly #w: F64;
  readonly #r: F64;
  readonly #c: F64;
  readonly #list: I32;
  readonly #target: Float64Array;

  constructor(
    private readonly arena: Arena,
    x: Matrix,
    y: Float64Array,
    weights: Float64Array | undefined,
    intercept: boolean,
    start: Float64Array | undefined,
  ) {
    const { rows: n, cols: d } = x;
    this.rows = n;
    this.cols = d;
    this.mean = intercept ? columnMeans(x, weights) : new Float64Array(d);
    this.yMean = intercept ? weightedMean(y, weights) : 0;
    const roots = weights?.map(Math.sqrt);
    this.#target = y.map((v, i) => (v - this.yMean) * (roots ? roots[i]! : 1));
    this.targetNorm = sumOfSquares(this.#target);
    this.#a = arena.f64(n * d);
    this.#q = arena.f64(d);
    this.#c = arena.f64(d);
    this.#list = arena.i32(d);
    const scratch = new Arena(arena.where);
    try {
      const size = chunkColumns(n, 8);
      const rows = scratch.copy(x.data);
      const root = roots ? scratch.copy(roots).ptr : 0;
      const args = [rows.ptr, n, d, root, scratch.copy(this.mean).ptr, this.#a.ptr, this.#q.ptr, size];
      parallel(arena.heap, coordinateDescentKernels, "columnsChunk", args, Math.ceil(d / size), 8 * n * d);
    } finally {
      scratch.close();
    }
    this.norms = this.#q.array.slice();
    this.#w = start ? arena.copy(start.subarray(0, d)) : arena.zeros(d);
    this.#r = arena.copy(this.#target);
    if (start) this.#subtractFit();
  }

  get coefficients(): Float64Array<ArrayBufferLike> {
    return this.#w.array;
  }

  sweep(list: Int32Array, l1: number, l2: number, sweeps: number, enough: number): number {
    this.#list.array.set(list);
    const { denseSweeps } = this.arena.heap.exports(coordinateDescentKernels);
    return denseSweeps!(
      this.#a.ptr,
      this.rows,
      this.#q.ptr,
      this.#list.ptr,
      list.length,
      this.#w.ptr,
      this.#r.ptr,
      l1,
      l2,
      sweeps,
      enough,
    );
  }

  correlationsInto(out: Float64Array): void {
    const { rows: n, cols: d } = this;
    const size = chunkColumns(n, 1);
    const args = [this.#a.ptr, n, d, this.#r.ptr, this.#c.ptr, size];
    parallel(
      this.arena.heap,
      coordinateDescentKernels,
      "correlateChunk",
      args,
      Math.ceil(d / size),
      4 * n * d,
    );
    out.set(this.#c.array);
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
        right[e] = product - l1 * Math.sign(this.#w.array[list[e]!]!);
      }
      return wide
        ? solveWide(scratch, gathered, m, n, right, l2)
        : solveNarrow(scratch, gathered, m, n, right, l2);
    });
  }

  place(list: Int32Array, values: Float64Array): void {
    const w = this.#w.array;
    const r = this.#r.array;
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
    return 0.5 * sumOfSquares(this.#r.array);
  }

  residualDotTarget(): number {
    const r = this.#r.array;
    let sum = 0;
    for (let i = 0; i < r.length; i++) sum += r[i]! * this.#target[i]!;
    return sum;
  }

  close(): void {
    this.arena.close();
  }

  #subtractFit(): void {
    const r = this.#r.array;
    const w = this.#w.array;
    const a = this.#a.array;
    for (let j = 0; j < this.cols; j++) {
      if (w[j] === 0) continue;
      for (let i = 0, at = j * this.rows; i < this.rows; i++, at++) r[i]! -= w[j]! * a[at]!;
    }
  }
}

class SparseColumns implements ColumnProblem {
  readonly rows: number;
  readonly cols: number;
  readonly norms: Float64Array;
  readonly targetNorm: number;
  readonly mean: Float64Array;
  readonly yMean: number;
  readonly #colptr: I32;
  readonly #indices: I32;
  readonly #values: F64;
  readonly #nonZeros: number;
  readonly #s: F64 | undefined;
  readonly #q: F64;
  readonly #means: F64;
  readonly #w: F64;
  readonly #r: F64;
  readonly #c: F64;
  readonly #state: F64;
  readonly #list: I32;
  readonly #total: number;
  readonly #target: Float64Array;

  constructor(
    private readonly arena: Arena,
    x: CsrMatrix,
    y: Float64Array,
    weights: Float64Array | undefined,
    intercept: boolean,
    start: Float64Array | undefined,
  ) {
    const { rows: n, cols: d } = x;
    this.rows = n;
    this.cols = d;
    const columns = x.transpose();
    this.#nonZeros = x.nonZeros;
    this.#total = weights ? weights.reduce((sum, s) => sum + s, 0) : n;
    this.mean = new Float64Array(d);
    this.norms = new Float64Array(d);
    this.#measure(columns, weights, intercept);
    this.yMean = intercept ? weightedMean(y, weights) : 0;
    this.#target = y.map((v) => v - this.yMean);
    this.targetNorm = this.#target.reduce((sum, v, i) => sum + (weights ? weights[i]! : 1) * v * v, 0);
    this.#colptr = arena.copyI32(columns.indptr);
    this.#indices = arena.copyI32(columns.indices);
    this.#values = arena.copy(columns.values);
    this.#s = weights ? arena.copy(weights) : undefined;
    this.#q = arena.copy(this.norms);
    this.#means = arena.copy(this.mean);
    this.#c = arena.f64(d);
    this.#list = arena.i32(d);
    this.#state = arena.zeros(1);
    this.#w = start ? arena.copy(start.subarray(0, d)) : arena.zeros(d);
    this.#r = arena.copy(this.#target);
    if (start) this.#subtractFit(columns);
  }

  get coefficients(): Float64Array<ArrayBufferLike> {
    return this.#w.array;
  }

  sweep(list: Int32Array, l1: number, l2: number, sweeps: number, enough: number): number {
    this.#list.array.set(list);
    const { sparseSweeps } = this.arena.heap.exports(coordinateDescentKernels);
    return sparseSweeps!(
      this.#colptr.ptr,
      this.#indices.ptr,
      this.#values.ptr,
      this.#s?.ptr ?? 0,
      this.#q.ptr,
      this.#means.ptr,
      this.#total,
      this.#list.ptr,
      list.length,
      this.#w.ptr,
      this.#r.ptr,
      this.#state.ptr,
      l1,
      l2,
      sweeps,
      enough,
    );
  }

  correlationsInto(out: Float64Array): void {
    const d = this.cols;
    const size = chunkColumns(this.#nonZeros / d, 1);
    const args = [
      this.#colptr.ptr,
      this.#indices.ptr,
      this.#values.ptr,
      this.#s?.ptr ?? 0,
      this.#means.ptr,
      this.#total,
      d,
      this.#r.ptr,
      this.#state.array[0]!,
      this.#c.ptr,
      size,
    ];
    parallel(
      this.arena.heap,
      coordinateDescentKernels,
      "sparseCorrelateChunk",
      args,
      Math.ceil(d / size),
      6 * this.#nonZeros,
    );
    out.set(this.#c.array);
  }

  /** Sparse columns barely overlap: sweeps converge fast, and a Gram matrix of them would be mostly zeros. */
  solveSigned(): null {
    return null;
  }

  place(): void {
    throw new Error("sparse columns have no signed solution to place");
  }

  residualHalfSquare(): number {
    return 0.5 * this.#weighted((r) => r * r);
  }

  residualDotTarget(): number {
    return this.#weighted((r, i) => r * this.#target[i]!);
  }

  close(): void {
    this.arena.close();
  }

  #weighted(term: (residual: number, i: number) => number): number {
    const r = this.#r.array;
    const s = this.#s?.array;
    const shift = this.#state.array[0]!;
    let sum = 0;
    for (let i = 0; i < r.length; i++) sum += (s ? s[i]! : 1) * term(r[i]! + shift, i);
    return sum;
  }

  #measure(columns: CsrMatrix, weights: Float64Array | undefined, intercept: boolean): void {
    const { indptr, indices, values } = columns;
    for (let j = 0; j < this.cols; j++) {
      let first = 0;
      let weight = 0;
      for (let e = indptr[j]!; e < indptr[j + 1]!; e++) {
        const s = weights ? weights[indices[e]!]! : 1;
        first += s * values[e]!;
        weight += s;
      }
      const mean = intercept ? first / this.#total : 0;
      // Centred second moment: stored entries around the mean, and the zeros, which are all mean away from it.
      let second = (this.#total - weight) * mean * mean;
      for (let e = indptr[j]!; e < indptr[j + 1]!; e++) {
        const s = weights ? weights[indices[e]!]! : 1;
        second += s * (values[e]! - mean) * (values[e]! - mean);
      }
      this.mean[j] = mean;
      this.norms[j] = second;
    }
  }

  #subtractFit(columns: CsrMatrix): void {
    const r = this.#r.array;
    const w = this.#w.array;
    for (let j = 0; j < this.cols; j++) {
      if (w[j] === 0) continue;
      for (let e = columns.indptr[j]!; e < columns.indptr[j + 1]!; e++)
        r[columns.indices[e]!]! -= w[j]! * columns.values[e]!;
      this.#state.array[0]! += w[j]! * this.mean[j]!;
    }
  }
}

/** Largest system that is solved at once. */
const MAX_SOLVE = 1500;

/** (M Mᵀ + l2 I) w = right, M of m rows and n ≥ m columns. */
function solveNarrow(
  arena: Arena,
  rows: F64,
  m: number,
  n: number,
  right: Float64Array,
  l2: number,
): Float64Array | null {
  const gram = arena.f64(m * m);
  const size = chunkColumns(n * m, 1);
  const args = [rows.ptr, n, m, gram.ptr, size];
  parallel(arena.heap, coordinateDescentKernels, "pairsChunk", args, Math.ceil(m / size), m * m * n);
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
function solveWide(
  arena: Arena,
  rows: F64,
  m: number,
  n: number,
  right: Float64Array,
  l2: number,
): Float64Array | null {
  const a = new Float64Array(n * n);
  const block = {
    rows: m,
    cols: n,
    forEachBlock: (visit: (ptr: number, from: number, count: number) => void) => visit(rows.ptr, 0, m),
  };
  gramInto(arena, block, {}, a);
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

function columnMeans(x: Matrix, weights: Float64Array | undefined): Float64Array {
  const sums = new Float64Array(x.cols);
  let total = 0;
  for (let i = 0, at = 0; i < x.rows; i++) {
    const s = weights ? weights[i]! : 1;
    total += s;
    for (let j = 0; j < x.cols; j++, at++) sums[j]! += s * x.data[at]!;
  }
  return sums.map((sum) => sum / total);
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

/**
 * Coordinate descent on a small quadratic ½ wᵀQw − cᵀw + Σ l1_j |w_j| + ½ Σ l2_j w_j², with w and g = c − Qw updated in
 * place. Returns the sweeps made.
 */
export function quadraticSweeps(
  where: string,
  q: Float64Array,
  penalties: { readonly l1: Float64Array; readonly l2: Float64Array },
  w: Float64Array,
  g: Float64Array,
  sweeps: number,
  enough: number,
): number {
  return withArena(where, (arena) => {
    const matrix = arena.copy(q);
    const weights = arena.copy(w);
    const gradient = arena.copy(g);
    const l1 = arena.copy(penalties.l1);
    const l2 = arena.copy(penalties.l2);
    const { gramSweeps } = arena.heap.exports(coordinateDescentKernels);
    const made = gramSweeps!(matrix.ptr, w.length, weights.ptr, gradient.ptr, l1.ptr, l2.ptr, sweeps, enough);
    w.set(weights.array);
    g.set(gradient.array);
    return made;
  });
}
