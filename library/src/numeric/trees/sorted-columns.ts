import type { Matrix } from "../../data/matrix.js";
import { PAIR_BYTES, SORT_TABLE_BYTES } from "../generated/trees.layout.js";
import { Arena, type F64 } from "../runtime/arena.js";
import type { Heap } from "../runtime/heap.js";
import { activeThreads, parallel } from "../runtime/threads.js";
import { treesKernels } from "../runtime/wasm-modules.js";
import { CategoryRanks } from "./category-ranks.js";

/** The columns of X, sorted once for all trees that are grown on them. The caller closes them. */
export class SortedColumns {
  readonly rows: number;
  readonly cols: number;
  readonly arena: Arena;
  readonly x: F64;
  readonly entries: F64;
  readonly categories: CategoryRanks;
  /** False: `entries` lists the rows once, unsorted, which suffices for random thresholds. */
  readonly sorted: boolean;

  /** `categories`: the largest code + 1 of each categorical column; 0 for a numeric one. */
  constructor(where: string, x: Matrix, categories: Int32Array, randomThresholds: boolean) {
    const { rows, cols, data } = x;
    this.rows = rows;
    this.cols = cols;
    this.sorted = !randomThresholds || categories.some((count) => count > 0);
    this.arena = new Arena(where);
    try {
      const { arena } = this;
      this.x = arena.f64(rows * cols);
      transposeInto(data, rows, cols, this.x.array);
      this.categories = new CategoryRanks(arena, x, categories);
      this.entries = arena.f64(this.sorted ? rows * cols : rows);
      if (this.sorted) this.#sort();
      else listInto(this.entries, arena.heap, rows);
    } catch (error) {
      this.arena.close();
      throw error;
    }
  }

  /** Number of values that a tree may read. */
  get numbers(): number {
    return this.rows * this.cols;
  }

  /** Bytes of the entries of a tree. */
  get treeBytes(): number {
    return 8 * this.entries.length;
  }

  close(): void {
    this.arena.close();
  }

  #sort(): void {
    const { rows, cols } = this;
    const scratch = new Arena(this.arena.where);
    try {
      const list = scratch.i32(rows);
      for (let i = 0; i < rows; i++) list.array[i] = i;
      // Two lists of pairs and a table of counts per thread.
      const bytes = 2 * PAIR_BYTES * rows + SORT_TABLE_BYTES;
      const batch = Math.min(cols, activeThreads());
      const work = scratch.f64((batch * bytes) / 8);
      for (let from = 0; from < cols; from += batch) {
        const count = Math.min(batch, cols - from);
        const x = this.x.ptr + from * rows * 8;
        const out = this.entries.ptr + from * rows * 8;
        const args = [x, rows, list.ptr, rows, from, this.categories.counts.ptr, work.ptr, bytes, out];
        parallel(scratch.heap, treesKernels, "sortChunk", args, count, 60 * rows * count);
      }
    } finally {
      scratch.close();
    }
  }
}

/** Writes an entry of rank 0 for each row. */
export function listInto(entries: F64, heap: Heap, rows: number): void {
  const words = heap.integers.subarray(entries.ptr / 4, entries.ptr / 4 + 2 * rows);
  for (let i = 0; i < rows; i++) {
    words[2 * i] = i;
    words[2 * i + 1] = 0;
  }
}

/** Transposes a row-major matrix by tiles that fit into the cache. */
function transposeInto(
  data: Float64Array,
  rows: number,
  cols: number,
  out: Float64Array<ArrayBufferLike>,
): void {
  const TILE = 64;
  for (let i0 = 0; i0 < rows; i0 += TILE) {
    const i1 = Math.min(rows, i0 + TILE);
    for (let j = 0; j < cols; j++) for (let i = i0; i < i1; i++) out[j * rows + i] = data[i * cols + j]!;
  }
}
