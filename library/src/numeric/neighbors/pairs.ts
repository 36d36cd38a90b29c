import type { I32 } from "../runtime/arena.js";
import { withArena } from "../runtime/arena.js";

/** Addresses of the pairs, and the capacity per chunk. */
export interface Room {
  readonly room: number;
  readonly distances: number;
  readonly indices: number;
}

/** The pairs of all queries, query by query. */
export interface Pairs {
  readonly starts: Int32Array;
  readonly distances: Float64Array;
  readonly indices: Int32Array;
}

/**
 * Collects pairs (query, point) whose number is not known in advance. Every chunk has the same capacity; if that is too small for one
 * of them, which still counts its pairs, all are run again with more. The capacity is kept for the next block.
 */
export class PairCollector {
  #room = 512;

  /** `run` searches `count` queries, `perChunk` in each chunk, and stores the number of points per query in `found`. */
  collect(where: string, count: number, perChunk: number, found: I32, run: (room: Room) => void): Pairs {
    const chunks = Math.ceil(count / perChunk);
    for (;;) {
      const room = this.#room;
      const pairs = withArena(where, (arena) => {
        const distances = arena.f64(chunks * room);
        const indices = arena.i32(chunks * room);
        run({ room, distances: distances.ptr, indices: indices.ptr });
        const starts = new Int32Array(count + 1);
        const counts = found.array;
        for (let r = 0; r < count; r++) starts[r + 1] = starts[r]! + counts[r]!;
        const begins = Array.from({ length: chunks + 1 }, (_, c) => starts[Math.min(count, c * perChunk)]!);
        const most = begins.reduce((top, at, c) => (c > 0 ? Math.max(top, at - begins[c - 1]!) : top), 0);
        this.#room = Math.max(room, most);
        if (most > room) return undefined;
        const all = new Float64Array(starts[count]!);
        const numbers = new Int32Array(starts[count]!);
        for (let c = 0; c < chunks; c++) {
          const length = begins[c + 1]! - begins[c]!;
          all.set(distances.array.subarray(c * room, c * room + length), begins[c]!);
          numbers.set(indices.array.subarray(c * room, c * room + length), begins[c]!);
        }
        return { starts, distances: all, indices: numbers };
      });
      if (pairs) return pairs;
    }
  }
}
