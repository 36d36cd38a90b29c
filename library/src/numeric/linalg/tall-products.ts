import type { Matrix } from "../../data/matrix.js";
import type { Arena, F64 } from "../runtime/arena.js";
import { addPartials, chunksOf } from "../runtime/chunks.js";
import { parallel } from "../runtime/threads.js";
import { kernelSystemKernels } from "../runtime/wasm-modules.js";

/** Rows per chunk: about ten microseconds of work, for matrices that stay in the cache. */
const CHUNK_ROWS = 256;

/** Products of a tall matrix Φ, and of its transpose, with one vector at a time. */
export class TallProducts {
  readonly #phi: F64;
  readonly #long: F64;
  readonly #short: F64;
  readonly #partials: F64;
  readonly #chunks: { readonly rows: number; readonly count: number };

  constructor(
    private readonly arena: Arena,
    readonly matrix: Matrix,
  ) {
    const { rows, cols, data } = matrix;
    this.#chunks = chunksOf(rows, cols, CHUNK_ROWS);
    this.#phi = arena.copy(data);
    this.#long = arena.f64(rows);
    this.#short = arena.f64(cols);
    this.#partials = arena.f64(this.#chunks.count * cols);
  }

  /** out = Φᵀ v. */
  projectInto(v: Float64Array, out: Float64Array): void {
    this.#long.array.set(v);
    this.#run("projectChunk", this.#long, this.#partials);
    out.fill(0);
    addPartials(this.#partials.array, this.#chunks.count, out);
  }

  /** out = Φ u. */
  expandInto(u: Float64Array, out: Float64Array): void {
    this.#short.array.set(u);
    this.#run("expandChunk", this.#short, this.#long);
    out.set(this.#long.array);
  }

  #run(kernel: string, given: F64, out: F64): void {
    const { rows: n, cols: r } = this.matrix;
    const { rows, count } = this.#chunks;
    const args = [this.#phi.ptr, n, r, given.ptr, out.ptr, rows];
    parallel(this.arena.heap, kernelSystemKernels, kernel, args, count, 2 * n * r);
  }
}
