import type { CsrMatrix } from "../../data/csr-matrix.js";
import { sparseCorrelateChunk, sparseSweeps } from "../generated/coordinate-descent.js";
import type { Arena, F64, I32 } from "../runtime/arena.js";
import { parallel } from "../runtime/threads.js";
import {
  type ColumnProblem,
  chunkColumns,
  type Strengths,
  type SweepEnd,
  takeListed,
  weightedMean,
} from "./column-problem.js";

/** Columns of a sparse matrix, centred implicitly: the residual of row i is r_i + shift. */
export class SparseColumns implements ColumnProblem {
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
    this.#r = arena.f64(n);
    this.renewResidual();
  }

  get coefficients(): Float64Array<ArrayBufferLike> {
    return this.#w.array;
  }

  sweep(
    list: Int32Array,
    _c: Float64Array,
    { l1, l2 }: Strengths,
    sweeps: number,
    { enough }: SweepEnd,
  ): number {
    this.#list.array.set(list);
    return this.arena.heap.call(
      sparseSweeps({
        colptr: this.#colptr.ptr,
        rows: this.#indices.ptr,
        values: this.#values.ptr,
        s: this.#s?.ptr ?? 0,
        q: this.#q.ptr,
        mean: this.#means.ptr,
        total: this.#total,
        list: this.#list.ptr,
        m: list.length,
        w: this.#w.ptr,
        r: this.#r.ptr,
        state: this.#state.ptr,
        l1,
        l2,
        sweeps,
        enough,
      }),
    );
  }

  correlationsInto(out: Float64Array, list?: Int32Array): void {
    const perColumn = this.#nonZeros / this.cols;
    const m = list?.length ?? this.cols;
    const size = chunkColumns(perColumn, 1);
    if (list) this.#list.array.set(list);
    const chunks = Math.ceil(m / size);
    const call = sparseCorrelateChunk({
      colptr: this.#colptr.ptr,
      rows: this.#indices.ptr,
      values: this.#values.ptr,
      s: this.#s?.ptr ?? 0,
      mean: this.#means.ptr,
      total: this.#total,
      list: list ? this.#list.ptr : 0,
      m,
      r: this.#r.ptr,
      shift: this.#state.array[0]!,
      c: this.#c.ptr,
      chunkCols: size,
    });
    parallel(this.arena.heap, call, chunks, 6 * m * perColumn);
    takeListed(this.#c.array, list, out);
  }

  renewResidual(): void {
    const [r, w, values] = [this.#r.array, this.#w.array, this.#values.array];
    const [starts, rows] = [this.#colptr.array, this.#indices.array];
    r.set(this.#target);
    let shift = 0;
    for (let j = 0; j < this.cols; j++) {
      if (w[j] === 0) continue;
      for (let e = starts[j]!; e < starts[j + 1]!; e++) r[rows[e]!]! -= w[j]! * values[e]!;
      shift += w[j]! * this.mean[j]!;
    }
    this.#state.array[0] = shift;
  }

  residualInto(out: Float64Array): void {
    const r = this.#r.array;
    const s = this.#s?.array;
    const shift = this.#state.array[0]!;
    for (let i = 0; i < r.length; i++) out[i] = (s ? Math.sqrt(s[i]!) : 1) * (r[i]! + shift);
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
      // Centred second moment: stored entries around the mean, and the zeros, which all deviate by −mean.
      let second = (this.#total - weight) * mean * mean;
      for (let e = indptr[j]!; e < indptr[j + 1]!; e++) {
        const s = weights ? weights[indices[e]!]! : 1;
        second += s * (values[e]! - mean) * (values[e]! - mean);
      }
      this.mean[j] = mean;
      this.norms[j] = second;
    }
  }
}
