import type { CsrMatrix } from "../../data/csr-matrix.js";
import { foldPartials } from "../generated/quasi-newton.js";
import { sparseDiagonal, sparseGlmChunk } from "../generated/sparse.js";
import { Arena, type F64, type I32 } from "../runtime/arena.js";
import type { Chunks } from "../runtime/chunks.js";
import type { Address } from "../runtime/kernels.js";
import { parallel } from "../runtime/threads.js";
import { MarginMemory } from "./margin-memory.js";
import type { LossCode, RowSum } from "./row-sum.js";

/** Every chunk has its own gradient, so wide sparse problems have few chunks. */
export function sparseChunks(rows: number, partial: number): Chunks {
  const count = Math.max(
    1,
    Math.min(16, Math.ceil(rows / 512), Math.floor((4 * 2 ** 20) / (8 * partial)) || 1),
  );
  // At least four if there are enough rows, so that a second thread has work.
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
  readonly #loss: LossCode;
  readonly #chunks: Chunks;
  readonly #memory: MarginMemory;

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
      this.#memory = new MarginMemory(arena, y, s, x.cols, this.#chunks.count);
    } catch (error) {
      arena.close();
      throw error;
    }
  }

  evaluate(theta: Float64Array, gradientOut: Float64Array | null): number {
    const { y, s, curvature } = this.#memory;
    return this.#pass(theta, this.#loss, { y: y.ptr, s: s?.ptr ?? 0, h: curvature.ptr }, gradientOut);
  }

  /** Dense (d + 1)²: for small d only. */
  hessianInto(out: Float64Array): void {
    const side = this.cols + 1;
    const indptr = this.#indptr.array;
    const indices = this.#indices.array;
    const values = this.#values.array;
    const h = this.#memory.curvature.array;
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
    const { zeroTargets, curvature } = this.#memory;
    this.#pass(v, { code: 0, param: 0 }, { y: zeroTargets.ptr, s: curvature.ptr, h: 0 }, out);
  }

  hessianDiagonalInto(out: Float64Array): void {
    const diagonal = this.#arena.zeros(this.cols + 1);
    const call = sparseDiagonal({
      indptr: this.#indptr.ptr,
      indices: this.#indices.ptr,
      values: this.#values.ptr,
      n: this.rows,
      d: this.cols,
      h: this.#memory.curvature.ptr,
      out: diagonal.ptr,
    });
    this.#arena.heap.call(call);
    out.set(diagonal.array);
  }

  reweigh(weight: (z: number, y: number) => number): void {
    this.#memory.reweigh(weight);
  }

  close(): void {
    this.#arena.close();
  }

  #pass(
    theta: Float64Array,
    loss: LossCode,
    at: { y: Address; s: Address; h: Address },
    gradientOut: Float64Array | null,
  ): number {
    const d = this.cols;
    this.#memory.theta.array.set(theta);
    const { count } = this.#chunks;
    const call = sparseGlmChunk({
      indptr: this.#indptr.ptr,
      indices: this.#indices.ptr,
      values: this.#values.ptr,
      n: this.rows,
      d,
      y: at.y,
      s: at.s,
      theta: this.#memory.theta.ptr,
      z: this.#memory.margin.ptr,
      r: this.#memory.derivative.ptr,
      h: at.h,
      out: this.#memory.partials.ptr,
      kind: loss.code,
      param: loss.param,
      gradient: gradientOut ? 1 : 0,
      chunkRows: this.#chunks.rows,
    });
    parallel(this.#arena.heap, call, count, 8 * this.#nonZeros + 40 * this.rows);
    const partials = this.#memory.partials.array;
    if (gradientOut === null) {
      let value = 0;
      for (let c = 0; c < count; c++) value += partials[c * (d + 2)]!;
      return value;
    }
    // In WASM: there is one gradient per chunk, and it may be wide.
    this.#arena.heap.call(foldPartials({ partials: this.#memory.partials.ptr, size: d + 2, count }));
    gradientOut.set(partials.subarray(2, d + 2));
    gradientOut[d] = partials[1]!;
    return partials[0]!;
  }
}
