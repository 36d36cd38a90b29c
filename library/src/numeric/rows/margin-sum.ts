import type { Matrix } from "../../data/matrix.js";
import { glmChunk } from "../generated/glm.js";
import { type GramWork, gramInto, gramWork } from "../linalg/gram.js";
import { Arena, type F64, withArena } from "../runtime/arena.js";
import { addPartials, type Chunks, chunksOf } from "../runtime/chunks.js";
import { parallel } from "../runtime/threads.js";
import { type DenseRows, denseRows } from "./dense-rows.js";
import { MarginMemory } from "./margin-memory.js";
import type { LossCode, RowSum } from "./row-sum.js";

/** Entries of a Hessian whose working memory is kept for the next one. */
const SMALL_HESSIAN = 2500;

const SQUARED: LossCode = { code: 0, param: 0 };

/** RowSum of a one-margin loss over dense rows, which are copied unless they are in the arena already. */
export class DenseMarginSum implements RowSum {
  readonly rows: number;
  readonly cols: number;
  readonly outputs = 1;
  readonly #arena: Arena;
  readonly #x: DenseRows;
  readonly #loss: LossCode;
  readonly #chunks: Chunks;
  readonly #memory: MarginMemory;
  #gram: GramWork | undefined;

  constructor(
    where: string,
    x: Matrix | DenseRows,
    y: Float64Array,
    s: Float64Array | undefined,
    loss: LossCode,
  ) {
    this.rows = x.rows;
    this.cols = x.cols;
    this.#loss = loss;
    this.#chunks = chunksOf(x.rows, x.cols + 2);
    const arena = new Arena(where);
    this.#arena = arena;
    try {
      this.#x = "forEachBlock" in x ? x : denseRows(arena, x, this.#chunks.rows);
      this.#memory = new MarginMemory(arena, y, s, x.cols, this.#chunks.count);
    } catch (error) {
      arena.close();
      throw error;
    }
  }

  evaluate(theta: Float64Array, gradientOut: Float64Array | null): number {
    const { y, s, curvature } = this.#memory;
    return this.#pass(theta, this.#loss, { y, s, h: curvature }, gradientOut);
  }

  hessianInto(out: Float64Array): void {
    const input = { weights: this.#memory.curvature, ones: true };
    if (out.length > SMALL_HESSIAN) {
      withArena(this.#arena.where, (scratch) => gramInto(gramWork(scratch, this.#x, input), out));
      return;
    }
    this.#gram ??= gramWork(this.#arena, this.#x, input);
    gramInto(this.#gram, out);
  }

  /** Through the squared-loss kernel with targets 0 and weights h: its gradient at v is Σ h_i (x_i·v) x_i. */
  hessianVectorInto(v: Float64Array, out: Float64Array): void {
    const { zeroTargets, curvature } = this.#memory;
    this.#pass(v, SQUARED, { y: zeroTargets, s: curvature, h: undefined }, out);
  }

  hessianDiagonalInto(out: Float64Array): void {
    const d = this.cols;
    out.fill(0);
    const h = this.#memory.curvature.array;
    this.#x.forEachBlock((ptr, from, count) => {
      const x = this.#arena.heap.floats;
      for (let i = 0, at = ptr / 8; i < count; i++) {
        const hi = h[from + i]!;
        for (let j = 0; j < d; j++, at++) out[j]! += hi * x[at]! * x[at]!;
        out[d]! += hi;
      }
    });
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
    of: { readonly y: F64; readonly s: F64 | undefined; readonly h: F64 | undefined },
    gradientOut: Float64Array | null,
  ): number {
    const d = this.cols;
    const { margin, derivative, partials } = this.#memory;
    this.#memory.theta.array.set(theta);
    const sums = new Float64Array(d + 2);
    this.#x.forEachBlock((x, from, count) => {
      const chunks = Math.ceil(count / this.#chunks.rows);
      const call = glmChunk({
        x,
        n: count,
        d,
        y: of.y.at(from),
        s: of.s?.at(from) ?? 0,
        theta: this.#memory.theta.ptr,
        z: margin.at(from),
        r: derivative.at(from),
        h: of.h?.at(from) ?? 0,
        out: partials.ptr,
        kind: loss.code,
        param: loss.param,
        gradient: gradientOut ? 1 : 0,
        chunkRows: this.#chunks.rows,
      });
      parallel(this.#arena.heap, call, chunks, count * (4 * d + 40));
      addPartials(partials.array, chunks, sums);
    });
    if (gradientOut) {
      gradientOut.set(sums.subarray(2));
      gradientOut[d] = sums[1]!;
    }
    return sums[0]!;
  }
}
