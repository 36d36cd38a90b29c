import type { Matrix } from "../../data/matrix.js";
import { gemvChunk } from "../generated/gemm.js";
import { combineChunk } from "../generated/glm.js";
import { gramInto, gramWork } from "../linalg/gram.js";
import { Arena, type F64 } from "../runtime/arena.js";
import { addPartials, chunksOf } from "../runtime/chunks.js";
import { parallel } from "../runtime/threads.js";
import { type DenseRows, denseRows } from "./dense-rows.js";

/** Dense rows [x, 1] as a linear operator: products with vectors, and weighted Gram matrices. */
export class RowOperator {
  readonly rows: number;
  readonly cols: number;
  readonly #arena: Arena;
  readonly #x: DenseRows;
  readonly #chunks: { rows: number; count: number };
  readonly #theta: F64;
  readonly #margin: F64;
  readonly #weights: F64;
  readonly #partials: F64;

  constructor(where: string, x: Matrix) {
    this.rows = x.rows;
    this.cols = x.cols;
    const arena = new Arena(where);
    this.#arena = arena;
    try {
      this.#chunks = chunksOf(x.rows, x.cols + 2);
      this.#x = denseRows(arena, x, this.#chunks.rows);
      this.#theta = arena.f64(x.cols + 1);
      this.#margin = arena.f64(x.rows);
      this.#weights = arena.f64(x.rows);
      this.#partials = arena.f64(this.#chunks.count * (x.cols + 2));
    } catch (error) {
      arena.close();
      throw error;
    }
  }

  /** out_i = x_i·w + b. */
  marginsInto(theta: Float64Array, out: Float64Array): void {
    this.#theta.array.set(theta);
    const d = this.cols;
    this.#x.forEachBlock((x, from, count) => {
      const call = gemvChunk({
        a: x,
        n: count,
        d,
        w: this.#theta.ptr,
        b: theta[d]!,
        z: this.#margin.at(from),
        chunkRows: this.#chunks.rows,
      });
      parallel(this.#arena.heap, call, Math.ceil(count / this.#chunks.rows), 2 * count * d);
    });
    out.set(this.#margin.array);
  }

  /** out = [Σ r_i x_i, Σ r_i]. */
  combineInto(r: Float64Array, out: Float64Array): void {
    const d = this.cols;
    this.#weights.array.set(r);
    const sums = new Float64Array(d + 1);
    this.#x.forEachBlock((x, from, count) => {
      const chunks = Math.ceil(count / this.#chunks.rows);
      const call = combineChunk({
        x,
        n: count,
        d,
        r: this.#weights.at(from),
        out: this.#partials.ptr,
        chunkRows: this.#chunks.rows,
      });
      parallel(this.#arena.heap, call, chunks, 2 * count * d);
      addPartials(this.#partials.array, chunks, sums);
    });
    out.set(sums);
  }

  /** Σ h_i [x_i, 1][x_i, 1]ᵀ. */
  gramInto(h: Float64Array, out: Float64Array): void {
    this.#weights.array.set(h);
    const scratch = new Arena(this.#arena.where);
    try {
      gramInto(gramWork(scratch, this.#x, { weights: this.#weights, ones: true }), out);
    } finally {
      scratch.close();
    }
  }

  close(): void {
    this.#arena.close();
  }
}
