import { CsrMatrix } from "../../data/csr-matrix.js";
import type { Matrix } from "../../data/matrix.js";
import { softmaxChunk, sparseSoftmaxChunk } from "../generated/softmax.js";
import { BLOCK } from "../generated/softmax.layout.js";
import { ArenaOwner, type F64, type I32 } from "../runtime/arena.js";
import { addPartials, type Chunks, chunksOf } from "../runtime/chunks.js";
import { parallel } from "../runtime/threads.js";
import { type DenseRows, denseRows } from "./dense-rows.js";
import { type PlacedRows, placedRows } from "./placed-rows.js";
import type { RowSum } from "./row-sum.js";
import { sparseChunks } from "./sparse-margin-sum.js";

type Rows = { readonly dense: DenseRows } | { readonly sparse: PlacedRows };

/**
 * RowSum of softmax cross-entropy, dense or sparse. θ is K blocks of [w_k, b_k].
 * Coefficients are converted to and from the layout of the kernels (class quads, or features by class).
 */
export class SoftmaxSum extends ArenaOwner implements RowSum {
  readonly rows: number;
  readonly cols: number;
  readonly outputs: number;
  readonly #x: Rows;
  readonly #y: I32;
  readonly #s: F64 | undefined;
  readonly #weights: F64;
  readonly #intercepts: F64;
  readonly #probabilities: F64;
  readonly #chunks: Chunks;
  readonly #partials: F64;
  readonly #work: F64;
  /** Classes rounded up to a multiple of four. */
  readonly #wide: number;

  constructor(
    where: string,
    x: Matrix | CsrMatrix,
    y: Float64Array,
    s: Float64Array | undefined,
    classes: number,
  ) {
    super(where);
    this.rows = x.rows;
    this.cols = x.cols;
    this.outputs = classes;
    const wide = Math.ceil(classes / 4) * 4;
    this.#wide = wide;
    const partial = 1 + wide * (x.cols + 1);
    this.#chunks = x instanceof CsrMatrix ? sparseChunks(x.rows, partial) : chunksOf(x.rows, partial, 1024);
    const { arena } = this;
    try {
      this.#x =
        x instanceof CsrMatrix
          ? { sparse: placedRows(arena, x) }
          : { dense: denseRows(arena, x, this.#chunks.rows) };
      this.#y = arena.copyI32(y);
      this.#s = s ? arena.copy(s) : undefined;
      this.#weights = arena.zeros(wide * x.cols);
      this.#intercepts = arena.f64(wide);
      this.#probabilities = arena.f64(x.rows * wide);
      this.#partials = arena.f64(this.#chunks.count * partial);
      this.#work = arena.f64(this.#chunks.count * BLOCK * wide);
    } catch (error) {
      arena.close();
      throw error;
    }
  }

  evaluate(theta: Float64Array, gradientOut: Float64Array | null): number {
    const wide = this.#wide;
    const d = this.cols;
    this.#place(theta);
    const sums = new Float64Array(1 + wide * (d + 1));
    const partials = this.#partials;
    const [w, b, out, work] = [this.#weights.ptr, this.#intercepts.ptr, partials.ptr, this.#work.ptr];
    const area = sums.length * 8;
    const gradient = gradientOut ? 1 : 0;
    const { rows: chunkRows, count } = this.#chunks;
    const kp = wide;
    const { heap } = this.arena;
    if ("dense" in this.#x) {
      this.#x.dense.forEachBlock((x, from, n) => {
        const chunks = Math.ceil(n / chunkRows);
        const [y, s, p] = [this.#y.at(from), this.#s?.at(from) ?? 0, this.#probabilities.at(from * wide)];
        const call = softmaxChunk({ x, n, d, y, s, w, b, kp, p, out, area, work, gradient, chunkRows });
        parallel(heap, call, chunks, n * wide * (4 * d + 30));
        addPartials(partials.array, chunks, sums);
      });
    } else {
      const { rows: n, indptr, indices, values } = this.#x.sparse;
      const call = sparseSoftmaxChunk({
        indptr: indptr.ptr,
        indices: indices.ptr,
        values: values.ptr,
        n,
        _d: d,
        y: this.#y.ptr,
        s: this.#s?.ptr ?? 0,
        w,
        b,
        kp,
        p: this.#probabilities.ptr,
        out,
        area,
        work,
        gradient,
        chunkRows,
      });
      parallel(heap, call, count, wide * (6 * values.length + 30 * n));
      if (gradientOut) addPartials(partials.array, count, sums);
      else for (let c = 0; c < count; c++) sums[0]! += partials.array[c * sums.length]!;
    }
    if (gradientOut) this.#collect(sums, gradientOut);
    return sums[0]!;
  }

  /** The full (K(d + 1))² matrix, for small problems: blocks Σ s (p_k δ_kl − p_k p_l) [x, 1][x, 1]ᵀ. */
  hessianInto(out: Float64Array): void {
    const { outputs, cols } = this;
    const width = cols + 1;
    const side = outputs * width;
    const wide = this.#wide;
    const p = this.#probabilities.array;
    const s = this.#s?.array;
    out.fill(0);
    this.#forEachRow((i, columns, values, count) => {
      const si = s ? s[i]! : 1;
      for (let k = 0; k < outputs; k++) {
        const pk = p[i * wide + k]! * si;
        for (let l = 0; l <= k; l++) {
          const h = (k === l ? pk : 0) - pk * p[i * wide + l]!;
          // Every block is symmetric: its lower triangle is enough.
          for (let a = 0; a < count; a++) {
            const row = (k * width + columns[a]!) * side + l * width;
            const hv = h * values[a]!;
            for (let b = 0; b <= a; b++) out[row + columns[b]!]! += hv * values[b]!;
          }
        }
      }
    });
    for (let k = 0; k < outputs; k++)
      for (let l = 0; l <= k; l++) mirrorBlock(out, side, k * width, l * width, width);
  }

  hessianVectorInto(v: Float64Array, out: Float64Array): void {
    const { outputs, cols } = this;
    const wide = this.#wide;
    const p = this.#probabilities.array;
    const s = this.#s?.array;
    const u = new Float64Array(outputs);
    out.fill(0);
    this.#forEachRow((i, columns, values, count) => {
      let mean = 0;
      for (let k = 0; k < outputs; k++) {
        let z = 0;
        for (let a = 0; a < count; a++) z += values[a]! * v[k * (cols + 1) + columns[a]!]!;
        u[k] = z;
        mean += p[i * wide + k]! * z;
      }
      for (let k = 0; k < outputs; k++) {
        const r = p[i * wide + k]! * (u[k]! - mean) * (s ? s[i]! : 1);
        for (let a = 0; a < count; a++) out[k * (cols + 1) + columns[a]!]! += r * values[a]!;
      }
    });
  }

  hessianDiagonalInto(out: Float64Array, stride = 1): void {
    const { outputs, cols } = this;
    const wide = this.#wide;
    const p = this.#probabilities.array;
    const s = this.#s?.array;
    out.fill(0);
    const squares = new Float64Array(cols + 1);
    const dense = "dense" in this.#x;
    this.#forEachRow((i, columns, values, count) => {
      for (let a = 0; a < count; a++) squares[a] = values[a]! * values[a]!;
      for (let k = 0, at = 0; k < outputs; k++, at += cols + 1) {
        const pk = p[i * wide + k]!;
        const h = stride * pk * (1 - pk) * (s ? s[i]! : 1);
        // Dense rows need no column indices: a loop without lookups is several times as fast.
        if (dense) for (let a = 0; a < count; a++) out[at + a]! += h * squares[a]!;
        else for (let a = 0; a < count; a++) out[at + columns[a]!]! += h * squares[a]!;
      }
    }, stride);
  }

  meanCurvatures(rows: Int32Array): Float64Array {
    const p = this.#probabilities.array;
    const s = this.#s?.array;
    const out = new Float64Array(rows.length);
    for (let e = 0; e < rows.length; e++) {
      const at = rows[e]! * this.#wide;
      let sum = 0;
      for (let k = at; k < at + this.outputs; k++) sum += p[k]! * (1 - p[k]!);
      out[e] = (sum / this.outputs) * (s ? s[rows[e]!]! : 1);
    }
    return out;
  }

  /** θ into the kernels' layout. */
  #place(theta: Float64Array): void {
    const { outputs, cols } = this;
    const wide = this.#wide;
    const w = this.#weights.array;
    const b = this.#intercepts.array.fill(-Infinity);
    const dense = "dense" in this.#x;
    for (let k = 0; k < outputs; k++) {
      const from = k * (cols + 1);
      b[k] = theta[from + cols]!;
      const quad = (k >> 2) * cols * 4 + (k & 3);
      for (let j = 0; j < cols; j++) w[dense ? quad + 4 * j : j * wide + k] = theta[from + j]!;
    }
  }

  /** The gradient out of the kernels' layout. */
  #collect(sums: Float64Array, out: Float64Array): void {
    const { outputs, cols } = this;
    const wide = this.#wide;
    const dense = "dense" in this.#x;
    for (let k = 0; k < outputs; k++) {
      const to = k * (cols + 1);
      out[to + cols] = sums[1 + k]!;
      for (let j = 0; j < cols; j++) out[to + j] = sums[1 + wide + (dense ? k * cols + j : j * wide + k)]!;
    }
  }

  /** Rows, or every `stride`-th of them, as (column, value) lists with the intercept's 1 at the end. */
  #forEachRow(
    visit: (i: number, columns: Int32Array, values: Float64Array, count: number) => void,
    stride = 1,
  ): void {
    const columns = new Int32Array(this.cols + 1);
    const entries = new Float64Array(this.cols + 1);
    if ("dense" in this.#x) {
      for (let j = 0; j <= this.cols; j++) columns[j] = j;
      entries[this.cols] = 1;
      this.#x.dense.forEachBlock((ptr, from, count) => {
        const x = this.arena.heap.floats;
        // The first row of this block whose index in the matrix is a multiple of the stride.
        for (let i = (stride - (from % stride)) % stride; i < count; i += stride) {
          const at = ptr / 8 + i * this.cols;
          for (let j = 0; j < this.cols; j++) entries[j] = x[at + j]!;
          visit(from + i, columns, entries, this.cols + 1);
        }
      });
      return;
    }
    const { sparse } = this.#x;
    const [indptr, indices, values] = [sparse.indptr.array, sparse.indices.array, sparse.values.array];
    for (let i = 0; i < this.rows; i += stride) {
      const start = indptr[i]!;
      const count = indptr[i + 1]! - start;
      for (let e = 0; e < count; e++) {
        columns[e] = indices[start + e]!;
        entries[e] = values[start + e]!;
      }
      columns[count] = this.cols;
      entries[count] = 1;
      visit(i, columns, entries, count + 1);
    }
  }
}

/** Completes the symmetric block at (top, left) from its lower triangle, and its mirror image across the diagonal. */
function mirrorBlock(out: Float64Array, side: number, top: number, left: number, width: number): void {
  for (let a = 0; a < width; a++) {
    for (let b = 0; b <= a; b++) {
      const value = out[(top + a) * side + left + b]!;
      out[(top + b) * side + left + a] = value;
      out[(left + a) * side + top + b] = value;
      out[(left + b) * side + top + a] = value;
    }
  }
}
