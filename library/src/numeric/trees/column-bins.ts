import { binChunk } from "../generated/trees.js";
import { BIN_WORK_BYTES } from "../generated/trees.layout.js";
import { type Arena, type F64, type I32, type U8, withArena } from "../runtime/arena.js";
import { activeThreads, parallel } from "../runtime/threads.js";

/** Bins are bytes, and one of them is for missing values. */
const MAX_BINS = 255;
/** A column with fewer rows per value is sorted, unless it has two values. */
const ROWS_PER_BIN = 16;
/** Trees whose nodes consider a smaller proportion of the columns sort columns of few values at those nodes. */
const SORTED_PER_NODE_BELOW = 1 / 4;

/** The largest number of values of a column with bins; see wasm/trees/trees/column-bins.ts. */
export function maxBins(rows: number, cols: number, maxFeatures: number, random: boolean): number {
  if (maxFeatures < SORTED_PER_NODE_BELOW * cols)
    return Math.max(2, Math.min(MAX_BINS, Math.floor(rows / ROWS_PER_BIN)));
  // Random thresholds need the entries, sorted.
  return random ? 0 : 2;
}

/** Bins of columns of few values; see wasm/trees/trees/column-bins.ts. */
export class ColumnBins {
  /** Number of bins per column; 0 for a column without bins. */
  readonly counts: Int32Array;
  readonly any: boolean;
  readonly #counts: I32;
  readonly #bins: U8;

  /** x by columns; `most`: the largest number of values of a column with bins. Columns with `categories` have none. */
  constructor(arena: Arena, x: F64, rows: number, categories: Int32Array, most: number) {
    const cols = categories.length;
    const columns = candidates(x.array, rows, categories, most);
    this.#counts = arena.copyI32(new Int32Array(cols));
    this.#bins = arena.u8(columns.length > 0 ? rows * cols : 0);
    if (columns.length > 0) this.#fill(arena.where, x, rows, columns, most);
    this.counts = this.#counts.array.slice();
    this.any = this.counts.some((count) => count > 0);
  }

  /** The fields of a task. */
  get fields() {
    return { bins: this.any ? this.#bins.ptr : 0, binCounts: this.#counts.ptr };
  }

  #fill(where: string, x: F64, rows: number, columns: readonly number[], most: number): void {
    withArena(where, (scratch) => {
      const batch = Math.min(columns.length, activeThreads());
      const work = scratch.f64((batch * BIN_WORK_BYTES) / 8);
      const list = scratch.copyI32(columns);
      for (let from = 0; from < columns.length; from += batch) {
        const count = Math.min(batch, columns.length - from);
        const call = binChunk({
          x: x.ptr,
          n: rows,
          first: from,
          columns: list.ptr,
          most,
          work: work.ptr,
          bins: this.#bins.ptr,
          counts: this.#counts.ptr,
        });
        parallel(scratch.heap, call, count, 5 * rows * count);
      }
    });
  }
}

/** The numeric columns; if `most` is 2, only those of one or two values. */
function candidates(
  x: Float64Array<ArrayBufferLike>,
  rows: number,
  categories: Int32Array,
  most: number,
): number[] {
  const out: number[] = [];
  if (most === 0) return out;
  for (let j = 0; j < categories.length; j++)
    if (categories[j] === 0 && (most > 2 || hasTwoValues(x, j * rows, (j + 1) * rows))) out.push(j);
  return out;
}

function hasTwoValues(x: Float64Array<ArrayBufferLike>, from: number, to: number): boolean {
  const first = x[from]!;
  let at = from;
  while (at < to && x[at] === first) at++;
  const second = x[at]!;
  while (at < to && (x[at] === first || x[at] === second)) at++;
  return at === to;
}
