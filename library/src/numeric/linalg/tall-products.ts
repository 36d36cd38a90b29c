import type { Matrix } from "../../data/matrix.js";
import { gemvChunk, projectChunk } from "../generated/kernel-system.js";
import type { Arena, F64 } from "../runtime/arena.js";
import { addPartials, chunksOf } from "../runtime/chunks.js";
import type { ChunkCall } from "../runtime/kernels.js";
import { parallel } from "../runtime/threads.js";

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
    this.#run(projectChunk({ ...this.#given(), v: this.#long.ptr, out: this.#partials.ptr }));
    out.fill(0);
    addPartials(this.#partials.array, this.#chunks.count, out);
  }

  /** out = Φ u. */
  expandInto(u: Float64Array, out: Float64Array): void {
    this.#short.array.set(u);
    const { phi: a, n, r: d, chunkRows } = this.#given();
    this.#run(gemvChunk({ a, n, d, w: this.#short.ptr, b: 0, z: this.#long.ptr, chunkRows }));
    out.set(this.#long.array);
  }

  #given() {
    const { rows: n, cols: r } = this.matrix;
    return { phi: this.#phi.ptr, n, r, chunkRows: this.#chunks.rows };
  }

  #run(call: ChunkCall): void {
    const { rows: n, cols: r } = this.matrix;
    parallel(this.arena.heap, call, this.#chunks.count, 2 * n * r);
  }
}
