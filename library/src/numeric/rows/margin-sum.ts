import type { Matrix } from "../../data/matrix.js";
import { type GramWork, gramInto, gramWork } from "../linalg/gram.js";
import { Arena, type F64, withArena } from "../runtime/arena.js";
import { addPartials, type Chunks, chunksOf } from "../runtime/chunks.js";
import { parallel } from "../runtime/threads.js";
import { glmKernels } from "../runtime/wasm-modules.js";
import { type DenseRows, denseRows } from "./dense-rows.js";
import type { LossCode, RowSum } from "./row-sum.js";

/** Entries of a Hessian whose working memory is kept for the next one. */
const SMALL_HESSIAN = 2500;

/** RowSum of a one-margin loss over dense rows, which are copied unless they are in the arena already. */
export class DenseMarginSum implements RowSum {
  readonly rows: number;
  readonly cols: number;
  readonly outputs = 1;
  readonly #arena: Arena;
  readonly #x: DenseRows;
  readonly #y: F64;
  readonly #s: F64 | undefined;
  readonly #loss: LossCode;
  readonly #theta: F64;
  readonly #margin: F64;
  readonly #derivative: F64;
  readonly #curvature: F64;
  readonly #chunks: Chunks;
  readonly #partials: F64;
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
    const d = this.cols;
    this.#theta.array.set(theta);
    const sums = new Float64Array(d + 2);
    this.#x.forEachBlock((x, from, count) => {
      const at = from * 8;
      const args = [
        x,
        count,
        d,
        this.#y.ptr + at,
        this.#s ? this.#s.ptr + at : 0,
        this.#theta.ptr,
        this.#margin.ptr + at,
        this.#derivative.ptr + at,
        this.#curvature.ptr + at,
        this.#partials.ptr,
        this.#loss.code,
        this.#loss.param,
        gradientOut ? 1 : 0,
        this.#chunks.rows,
      ];
      const chunks = Math.ceil(count / this.#chunks.rows);
      parallel(this.#arena.heap, glmKernels, "glmChunk", args, chunks, count * (4 * d + 40));
      addPartials(this.#partials.array, chunks, sums);
    });
    if (gradientOut) {
      gradientOut.set(sums.subarray(2));
      gradientOut[d] = sums[1]!;
    }
    return sums[0]!;
  }

  hessianInto(out: Float64Array): void {
    const input = { weights: this.#curvature, ones: true };
    if (out.length > SMALL_HESSIAN) {
      withArena(this.#arena.where, (scratch) => gramInto(gramWork(scratch, this.#x, input), out));
      return;
    }
    this.#gram ??= gramWork(this.#arena, this.#x, input);
    gramInto(this.#gram, out);
  }

  /** Through the squared-loss kernel with targets 0 and weights h: its gradient at v is Σ h_i (x_i·v) x_i. */
  hessianVectorInto(v: Float64Array, out: Float64Array): void {
    const d = this.cols;
    this.#theta.array.set(v);
    const sums = new Float64Array(d + 2);
    const zeros = this.#zeros();
    this.#x.forEachBlock((x, from, count) => {
      const at = from * 8;
      const args = [
        x,
        count,
        d,
        zeros.ptr + at,
        this.#curvature.ptr + at,
        this.#theta.ptr,
        this.#margin.ptr + at,
        this.#derivative.ptr + at,
        0,
        this.#partials.ptr,
        0,
        0,
        1,
        this.#chunks.rows,
      ];
      const chunks = Math.ceil(count / this.#chunks.rows);
      parallel(this.#arena.heap, glmKernels, "glmChunk", args, chunks, count * (4 * d + 8));
      addPartials(this.#partials.array, chunks, sums);
    });
    out.set(sums.subarray(2));
    out[d] = sums[1]!;
  }

  hessianDiagonalInto(out: Float64Array): void {
    const d = this.cols;
    out.fill(0);
    const h = this.#curvature.array;
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
    const [z, y, s, h] = [this.#margin.array, this.#y.array, this.#s?.array, this.#curvature.array];
    for (let i = 0; i < this.rows; i++) h[i] = (s ? s[i]! : 1) * weight(z[i]!, y[i]!);
  }

  close(): void {
    this.#arena.close();
  }

  #zeroTargets: F64 | undefined;
  #zeros(): F64 {
    this.#zeroTargets ??= this.#arena.zeros(this.rows + 1);
    return this.#zeroTargets;
  }
}
