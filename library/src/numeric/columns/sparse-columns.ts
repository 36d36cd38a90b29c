import type { CsrMatrix } from "../../data/csr-matrix.js";
import { sparseCorrelateChunk, sparseSweeps } from "../generated/coordinate-descent.js";
import { type PlacedRows, placedRows } from "../rows/placed-rows.js";
import type { Arena, F64 } from "../runtime/arena.js";
import { type ColumnProblem, Columns, type Strengths, type SweepEnd } from "./column-problem.js";

/** Columns of a sparse matrix, centred implicitly: the residual of row i is r_i + shift. */
export class SparseColumns extends Columns implements ColumnProblem {
  readonly norms: Float64Array;
  readonly targetNorm: number;
  readonly mean: Float64Array;
  /** The transpose: its rows are the columns. */
  readonly #x: PlacedRows;
  readonly #s: F64 | undefined;
  readonly #means: F64;
  readonly #state: F64;
  readonly #total: number;

  constructor(
    arena: Arena,
    x: CsrMatrix,
    y: Float64Array,
    weights: Float64Array | undefined,
    intercept: boolean,
    start: Float64Array | undefined,
  ) {
    super(arena, x, y, weights, intercept, start);
    const columns = x.transpose();
    this.#total = weights ? weights.reduce((sum, s) => sum + s, 0) : x.rows;
    this.mean = new Float64Array(x.cols);
    this.norms = new Float64Array(x.cols);
    this.#measure(columns, weights, intercept);
    this.targetNorm = this.centred.reduce((sum, v, i) => sum + (weights ? weights[i]! : 1) * v * v, 0);
    this.#x = placedRows(arena, columns);
    this.#s = weights ? arena.copy(weights) : undefined;
    this.q.array.set(this.norms);
    this.#means = arena.copy(this.mean);
    this.#state = arena.zeros(1);
    this.renewResidual();
  }

  sweep(
    list: Int32Array,
    _c: Float64Array,
    { l1, l2 }: Strengths,
    sweeps: number,
    { enough }: SweepEnd,
  ): number {
    return this.arena.heap.call(
      sparseSweeps({
        colptr: this.#x.indptr.ptr,
        rows: this.#x.indices.ptr,
        values: this.#x.values.ptr,
        s: this.#s?.ptr ?? 0,
        q: this.q.ptr,
        mean: this.#means.ptr,
        total: this.#total,
        list: this.placed(list),
        m: list.length,
        w: this.w.ptr,
        r: this.r.ptr,
        state: this.#state.ptr,
        l1,
        l2,
        sweeps,
        enough,
      }),
    );
  }

  correlationsInto(out: Float64Array, list?: Int32Array): void {
    const { indptr, indices, values } = this.#x;
    const entries = values.length / this.cols;
    this.overColumns(list, entries, 6 * entries, out, (listed, m, c, chunkCols) =>
      sparseCorrelateChunk({
        colptr: indptr.ptr,
        rows: indices.ptr,
        values: values.ptr,
        s: this.#s?.ptr ?? 0,
        mean: this.#means.ptr,
        total: this.#total,
        list: listed,
        m,
        r: this.r.ptr,
        shift: this.#state.array[0]!,
        c,
        chunkCols,
      }),
    );
  }

  renewResidual(): void {
    const [r, w, values] = [this.r.array, this.w.array, this.#x.values.array];
    const [starts, rows] = [this.#x.indptr.array, this.#x.indices.array];
    r.set(this.centred);
    let shift = 0;
    for (let j = 0; j < this.cols; j++) {
      if (w[j] === 0) continue;
      for (let e = starts[j]!; e < starts[j + 1]!; e++) r[rows[e]!]! -= w[j]! * values[e]!;
      shift += w[j]! * this.mean[j]!;
    }
    this.#state.array[0] = shift;
  }

  residualInto(out: Float64Array): void {
    const r = this.r.array;
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
    return this.#weighted((r, i) => r * this.centred[i]!);
  }

  #weighted(term: (residual: number, i: number) => number): number {
    const r = this.r.array;
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
