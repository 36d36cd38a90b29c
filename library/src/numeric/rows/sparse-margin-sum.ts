import type { CsrMatrix } from "../../data/csr-matrix.js";
import { foldPartials } from "../generated/quasi-newton.js";
import { sparseDiagonal, sparseGlmChunk } from "../generated/sparse.js";
import type { F64 } from "../runtime/arena.js";
import type { Chunks } from "../runtime/chunks.js";
import { parallel } from "../runtime/threads.js";
import { MarginSum } from "./margin-sum.js";
import { type PlacedRows, placedRows } from "./placed-rows.js";
import type { LossCode } from "./row-sum.js";

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
export class SparseMarginSum extends MarginSum<PlacedRows> {
  constructor(where: string, x: CsrMatrix, y: Float64Array, s: Float64Array | undefined, loss: LossCode) {
    super(where, x, y, s, loss, sparseChunks(x.rows, x.cols + 2), (arena) => placedRows(arena, x));
  }

  /** Dense (d + 1)²: for small d only. */
  hessianInto(out: Float64Array): void {
    const side = this.cols + 1;
    const [indptr, indices, values] = [this.x.indptr.array, this.x.indices.array, this.x.values.array];
    const h = this.curvature.array;
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

  hessianDiagonalInto(out: Float64Array): void {
    const diagonal = this.arena.zeros(this.cols + 1);
    const call = sparseDiagonal({
      indptr: this.x.indptr.ptr,
      indices: this.x.indices.ptr,
      values: this.x.values.ptr,
      n: this.rows,
      d: this.cols,
      h: this.curvature.ptr,
      out: diagonal.ptr,
    });
    this.arena.heap.call(call);
    out.set(diagonal.array);
  }

  protected pass(
    loss: LossCode,
    y: F64,
    s: F64 | undefined,
    h: F64 | undefined,
    gradientOut: Float64Array | null,
  ): number {
    const d = this.cols;
    const { count } = this.chunks;
    const call = sparseGlmChunk({
      indptr: this.x.indptr.ptr,
      indices: this.x.indices.ptr,
      values: this.x.values.ptr,
      n: this.rows,
      d,
      y: y.ptr,
      s: s?.ptr ?? 0,
      theta: this.theta.ptr,
      z: this.margin.ptr,
      r: this.derivative.ptr,
      h: h?.ptr ?? 0,
      out: this.partials.ptr,
      kind: loss.code,
      param: loss.param,
      gradient: gradientOut ? 1 : 0,
      chunkRows: this.chunks.rows,
    });
    parallel(this.arena.heap, call, count, 8 * this.x.values.length + 40 * this.rows);
    const partials = this.partials.array;
    if (gradientOut === null) {
      let value = 0;
      for (let c = 0; c < count; c++) value += partials[c * (d + 2)]!;
      return value;
    }
    // In WASM: there is one gradient per chunk, and it may be wide.
    this.arena.heap.call(foldPartials({ partials: this.partials.ptr, size: d + 2, count }));
    gradientOut.set(partials.subarray(2, d + 2));
    gradientOut[d] = partials[1]!;
    return partials[0]!;
  }
}
