import { symmetricChunk } from "../generated/kernel-system.js";
import type { Arena, F64 } from "../runtime/arena.js";
import { parallel } from "../runtime/threads.js";

/** Minimum number of rows per chunk; a multiple of four. */
const CHUNK_ROWS = 64;
/** Maximum number of chunks: enough for the threads, and few sums to add. */
const MOST_CHUNKS = 24;

/** Products of a symmetric n × n matrix, whose lower triangle is in the arena, with `vectors` vectors at once. */
export class SymmetricProducts {
  readonly #x: F64;
  readonly #partials: F64;
  readonly #chunkRows: number;
  readonly #chunks: number;

  constructor(
    private readonly arena: Arena,
    private readonly lower: F64,
    readonly n: number,
    readonly vectors: number,
  ) {
    this.#chunkRows = Math.max(CHUNK_ROWS, 4 * Math.ceil(n / MOST_CHUNKS / 4));
    this.#chunks = Math.ceil(n / this.#chunkRows);
    this.#x = arena.f64(n * vectors);
    this.#partials = arena.f64(this.#chunks * n * vectors);
  }

  /** out = K x, vector by vector. */
  multiplyInto(x: Float64Array, out: Float64Array): void {
    const { n, vectors } = this;
    this.#x.array.set(x);
    const call = symmetricChunk({
      k: this.lower.ptr,
      n,
      x: this.#x.ptr,
      vectors,
      out: this.#partials.ptr,
      chunkRows: this.#chunkRows,
    });
    parallel(this.arena.heap, call, this.#chunks, 2 * n * n * vectors);
    const partials = this.#partials.array;
    out.fill(0);
    for (let c = 0; c < this.#chunks; c++) {
      const end = Math.min(n, (c + 1) * this.#chunkRows);
      for (let v = 0; v < vectors; v++) {
        const from = (c * vectors + v) * n;
        for (let i = 0, o = v * n; i < end; i++, o++) out[o]! += partials[from + i]!;
      }
    }
  }
}
