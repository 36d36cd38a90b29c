import type { Matrix } from "../../data/matrix.js";
import { glmChunk } from "../generated/glm.js";
import { type GramWork, gramInto, gramWork } from "../linalg/gram.js";
import { type F64, withArena } from "../runtime/arena.js";
import { addPartials, chunksOf } from "../runtime/chunks.js";
import { parallel } from "../runtime/threads.js";
import { type DenseRows, denseRows } from "./dense-rows.js";
import { MarginSum } from "./margin-sum.js";
import type { LossCode } from "./row-sum.js";

/** Entries of a Hessian whose working memory is kept for the next one. */
const SMALL_HESSIAN = 2500;

/** RowSum of a one-margin loss over dense rows, which are copied unless they are in the arena already. */
export class DenseMarginSum extends MarginSum<DenseRows> {
  #gram: GramWork | undefined;

  constructor(
    where: string,
    x: Matrix | DenseRows,
    y: Float64Array,
    s: Float64Array | undefined,
    loss: LossCode,
  ) {
    const chunks = chunksOf(x.rows, x.cols + 2);
    super(where, x, y, s, loss, chunks, (arena) =>
      "forEachBlock" in x ? x : denseRows(arena, x, chunks.rows),
    );
  }

  hessianInto(out: Float64Array): void {
    const input = { weights: this.curvature, ones: true };
    if (out.length > SMALL_HESSIAN) {
      withArena(this.arena.where, (scratch) => gramInto(gramWork(scratch, this.x, input), out));
      return;
    }
    this.#gram ??= gramWork(this.arena, this.x, input);
    gramInto(this.#gram, out);
  }

  hessianDiagonalInto(out: Float64Array): void {
    const d = this.cols;
    out.fill(0);
    const h = this.curvature.array;
    this.x.forEachBlock((ptr, from, count) => {
      const x = this.arena.heap.floats;
      for (let i = 0, at = ptr / 8; i < count; i++) {
        const hi = h[from + i]!;
        for (let j = 0; j < d; j++, at++) out[j]! += hi * x[at]! * x[at]!;
        out[d]! += hi;
      }
    });
  }

  protected pass(
    loss: LossCode,
    y: F64,
    s: F64 | undefined,
    h: F64 | undefined,
    gradientOut: Float64Array | null,
  ): number {
    const d = this.cols;
    const sums = new Float64Array(d + 2);
    this.x.forEachBlock((x, from, count) => {
      const chunks = Math.ceil(count / this.chunks.rows);
      const call = glmChunk({
        x,
        n: count,
        d,
        y: y.at(from),
        s: s?.at(from) ?? 0,
        theta: this.theta.ptr,
        z: this.margin.at(from),
        r: this.derivative.at(from),
        h: h?.at(from) ?? 0,
        out: this.partials.ptr,
        kind: loss.code,
        param: loss.param,
        gradient: gradientOut ? 1 : 0,
        chunkRows: this.chunks.rows,
      });
      parallel(this.arena.heap, call, chunks, count * (4 * d + 40));
      addPartials(this.partials.array, chunks, sums);
    });
    if (gradientOut) {
      gradientOut.set(sums.subarray(2));
      gradientOut[d] = sums[1]!;
    }
    return sums[0]!;
  }
}
