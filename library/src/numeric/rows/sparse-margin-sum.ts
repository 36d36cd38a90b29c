import type { CsrMatrix } from "../../data/csr-matrix.js";
import { Arena, type F64, type I32 } from "../runtime/arena.js";
import type { Chunks } from "../runtime/chunks.js";
import { parallel } from "../runtime/threads.js";
import { quasiNewtonKernels, sparseKernels } from "../runtime/wasm-modules.js";
import type { LossCode, RowSum } from "./row-sum.js";

/** Every chunk has a gradient of its own, so wide sparse problems get few chunks. */
export function sparseChunks(rows: number, partial: number): Chunks {
  const count = Math.max(
    1,
    Math.min(16, Math.ceil(rows / 512), Math.floor((4 * 2 ** 20) / (8 * partial)) || 1),
  );
  // At least four where there are rows for them, or a second thread would have nothing to do.
  const wanted = Math.max(count, Math.min(4, Math.ceil(rows / 512)));
  const size = 2 * Math.ceil(rows / wanted / 2);
  return { rows: size, count: Math.max(1, Math.ceil(rows / size)) };
}

/** RowSum of a one-margin loss over compressed sparse rows. */
export class SparseMarginSum implements RowSum {
  readonly rows: number;
  readonly cols: number;
  readonly outputs = 1;
  readonly #arena: Arena;
  readonly #indptr: I32;
  readonly #indices: I32;
  readonly #values: F64;
  readonly #nonZeros: number;
  readonly #y: F64;
  readonly #s: F64 | undefined;
  readonly #loss: LossCode;
  readonly #theta: F64;
  readonly #margin: F64;
  readonly #derivative: F64;
  readonly #curvature: F64;
  readonly #chunks: Chunks;
  readonly #partials: F64;

  constructor(where: string, x: CsrMatrix, y: Float64Array, s: Float64Array | undefined, loss: LossCode) {
    this.rows = x.rows;
    this.cols = x.cols;
    this.#loss = loss;
    this.#nonZeros = x.nonZeros;
    this.#chunks = sparseChunks(x.rows, x.cols + 2);
    const arena = new Arena(where);
    this.#arena = arena;
    try {
      this.#indptr = arena.copyI32(x.indptr);
      this.#indices = arena.copyI32(x.indices);
      this.#values = arena.copy(x.values);
      this.#y = arena.copy(y);
      this.#s = s ? arena.copy(s) : undefined;
      this.#theta = arena.f64(x.cols + 1);
      this.#margin = arena.f64(x.rows);
      this.#derivative = arena.f64(x.rows);
      this.#curvature = arena.f64(x.rows);
      this.#partials = arena.f64(this.#chunks.count * (x.cols + 2));
    } catch (error) {
      arena.close();
      throw error;
    }
  }

  evaluate(theta: Float64Array, gradientOut: Float64Array | null): number {
    const targets = { y: this.#y.ptr, s: this.#s?.ptr ?? 0, h: this.#curvature.ptr };
    return this.#pass(theta, this.#loss, targets, gradientOut);
  }

  /** Dense (d + 1)²: for callers that know d to be small. */
  hessianInto(out: Float64Array): void {
    const side = this.cols + 1;
    const indptr = this.#indptr.array;
    const indices = this.#indices.array;
    const values = this.#values.array;
    const h = this.#curvature.array;
    out.fill(0);
    for (let i = 0; i < this.rows; i++) {
      const start = indptr[i]!;
      const end = indptr[i + 1]!;
      for (let e = start; e < end; e++) {
        const hv = h[i]! * values[e]!;
        const row = indices[e]! * side;
        for (let f = start; f <= e; f++) out[row + indices[f]!]! += hv * values[f]!;
        out[(side - 1) * side + indices[e]!]! += hv;
      }
      out[side * side - 1]! += h[i]!;
    }
    for (let a = 0; a < side; a++) for (let b = 0; b < a; b++) out[b * side + a] = out[a * side + b]!;
  }

  hessianVectorInto(v: Float64Array, out: Float64Array): void {
    this.#zero ??= this.#arena.zeros(this.rows + 1);
    const targets = { y: this.#zero.ptr, s: this.#curvature.ptr, h: 0 };
    this.#pass(v, { code: 0, param: 0 }, targets, out);
  }
  #zero: F64 | undefined;

  hessianDiagonalInto(out: Float64Array): void {
    const diagonal = this.#arena.zeros(this.cols + 1);
    const { sparseDiagonal } = this.#arena.heap.exports(sparseKernels);
    sparseDiagonal!(
      this.#indptr.ptr,
      this.#indices.ptr,
      this.#values.ptr,
      this.rows,
      this.cols,
      this.#curvature.ptr,
      diagonal.ptr,
    );
    out.set(diagonal.array);
  }

  reweigh(weight: (z: number, y: number) => number): void {
    const [z, y, s, h] = [this.#margin.array, this.#y.array, this.#s?.array, this.#curvature.array];
    for (let i = 0; i < this.rows; i++) h[i] = (s ? s[i]! : 1) * weight(z[i]!, y[i]!);
  }

  close(): void {
    this.#arena.close();
  }

  #pass(
    theta: Float64Array,
    loss: LossCode,
    at: { y: number; s: number; h: number },
    gradientOut: Float64Array | null,
  ): number {
    const d = this.cols;
    this.#theta.array.set(theta);
    const args = [
      this.#indptr.ptr,
      this.#indices.ptr,
      this.#values.ptr,
      this.rows,
      d,
      at.y,
      at.s,
      this.#theta.ptr,
      this.#margin.ptr,
      this.#derivative.ptr,
      at.h,
      this.#partials.ptr,
      loss.code,
      loss.param,
      gradientOut ? 1 : 0,
      this.#chunks.rows,
    ];
    const { count } = this.#chunks;
    parallel(
      this.#arena.heap,
      sparseKernels,
      "sparseGlmChunk",
      args,
      count,
      8 * this.#nonZeros + 40 * this.rows,
    );
    const partials = this.#partials.array;
    if (gradientOut === null) {
      let value = 0;
      for (let c = 0; c < count; c++) value += partials[c * (d + 2)]!;
      return value;
    }
    // In the kernel: a wide gradient has many entries, and there is one a chunk.
    this.#arena.heap.exports(quasiNewtonKernels).foldPartials!(this.#partials.ptr, d + 2, count);
    gradientOut.set(partials.subarray(2, d + 2));
    gradientOut[d] = partials[1]!;
    return partials[0]!;
  }
}
