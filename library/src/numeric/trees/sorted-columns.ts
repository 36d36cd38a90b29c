import type { Matrix } from "../../data/matrix.js";
import { sortChunk } from "../generated/trees.js";
import { PAIR_BYTES, SORT_TABLE_BYTES } from "../generated/trees.layout.js";
import { Arena, type F64, type I32 } from "../runtime/arena.js";
import type { Heap } from "../runtime/heap.js";
import type { Address } from "../runtime/kernels.js";
import { activeThreads, parallel } from "../runtime/threads.js";
import { CategoryRanks } from "./category-ranks.js";
import { ColumnBins } from "./column-bins.js";

/** The columns of X, sorted once for all trees that are grown on them. The caller closes them. */
export class SortedColumns {
  readonly rows: number;
  readonly cols: number;
  readonly arena: Arena;
  readonly x: F64;
  readonly entries: F64;
  readonly categories: CategoryRanks;
  readonly bins: ColumnBins;
  readonly #lists: I32;
  /** Number of lists of entries. */
  readonly listCount: number;
  /** False: `entries` lists the rows once, unsorted, which suffices for random thresholds. */
  readonly sorted: boolean;

  /**
   * `categories`: the largest code + 1 of each categorical column; 0 for a numeric one. `most`: the largest number of values of a column
   * with bins; see `maxBins`.
   */
  constructor(where: string, x: Matrix, categories: Int32Array, randomThresholds: boolean, most: number) {
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
      this.bins = new ColumnBins(arena, this.x, rows, categories, this.sorted ? most : 0);
      const own = this.sorted ? sortedOnes(categories, this.bins.counts) : [];
      // Bins are read through a list in the order of rows, which is faster than any other for very many rows.
      const rowLists = own.length === 0 || this.bins.any ? 1 : 0;
      this.listCount = rowLists + own.length;
      const lists = new Int32Array(cols).fill(-1);
      for (const [list, column] of own.entries()) lists[column] = rowLists + list;
      this.#lists = arena.copyI32(lists);
      this.entries = arena.f64(rows * this.listCount);
      if (rowLists > 0) listInto(this.entries, arena.heap, rows);
      if (own.length > 0) this.#sort(own, this.entries.at(rows * rowLists));
    } catch (error) {
      this.arena.close();
      throw error;
    }
  }

  /** The fields of all trees. */
  get fields() {
    const { rows: stride, listCount, categories, bins } = this;
    return {
      x: this.x.ptr,
      stride,
      listCount,
      lists: this.#lists.ptr,
      ...categories.fields,
      ...bins.fields,
    };
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

  #sort(columns: readonly number[], out: Address): void {
    const { rows } = this;
    const scratch = new Arena(this.arena.where);
    try {
      const list = scratch.i32(rows);
      for (let i = 0; i < rows; i++) list.array[i] = i;
      // Two lists of pairs and a table of counts per thread.
      const bytes = 2 * PAIR_BYTES * rows + SORT_TABLE_BYTES;
      const batch = Math.min(columns.length, activeThreads());
      const work = scratch.f64((batch * bytes) / 8);
      const listed = scratch.copyI32(columns);
      for (let from = 0; from < columns.length; from += batch) {
        const count = Math.min(batch, columns.length - from);
        const call = sortChunk({
          x: this.x.ptr,
          rows: list.ptr,
          n: rows,
          first: from,
          columns: listed.ptr,
          work: work.ptr,
          workBytes: bytes,
          entries: out,
        });
        parallel(scratch.heap, call, count, 60 * rows * count);
      }
    } finally {
      scratch.close();
    }
  }
}

/** The columns without categories and bins. */
function sortedOnes(categories: Int32Array, bins: Int32Array): number[] {
  const out: number[] = [];
  for (let j = 0; j < bins.length; j++) if (categories[j] === 0 && bins[j] === 0) out.push(j);
  return out;
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
