import type { Matrix } from "../../data/matrix.js";
import { type Arena, withArena } from "../runtime/arena.js";
import { parallel } from "../runtime/threads.js";
import { boostingKernels } from "../runtime/wasm-modules.js";

/** How a column's values become bins. */
export interface BinnedColumn {
  /** Of numbers: x is in bin b if edges[b − 1] < x ≤ edges[b]. Of categories: their values, ascending. */
  readonly edges: Float64Array;
  readonly categorical: boolean;
}

/** Bins of present values; missing ones have the bin of this number. */
export const binCount = ({ edges, categorical }: BinnedColumn): number =>
  categorical ? edges.length : edges.length + 1;

/** Columns of a word of bins, and columns that are sorted at a time. */
const WIDTH = 8;
/** Bytes of counts that sorting needs; see wasm/boosting/sort.ts. */
const COUNT_BYTES = 6 * 8192;

/** The present values of every column, sorted; `visit` is called column by column and must not keep its list. */
export function sortedColumns(
  where: string,
  x: Matrix,
  rows: Int32Array | null,
  visit: (j: number, values: Float64Array<ArrayBufferLike>) => void,
): void {
  const { data, cols } = x;
  const count = rows ? rows.length : x.rows;
  withArena(where, (arena) => {
    // One more: a missing value at the end of the last list is written, too.
    const lists = arena.f64(WIDTH * count + 1);
    const work = arena.f64(WIDTH * (count + COUNT_BYTES / 8));
    const lengths = arena.i32(WIDTH);
    for (let first = 0; first < cols; first += WIDTH) {
      const width = Math.min(WIDTH, cols - first);
      const out = lists.array;
      const ends = Int32Array.from({ length: WIDTH }, (_, c) => c * count);
      for (let e = 0; e < count; e++) {
        const from = (rows ? rows[e]! : e) * cols + first;
        for (let c = 0; c < width; c++) {
          const value = data[from + c]!;
          out[ends[c]!] = value;
          // A missing value is overwritten by the next one.
          if (!Number.isNaN(value)) ends[c]!++;
        }
      }
      for (let c = 0; c < width; c++) ends[c]! -= c * count;
      lengths.array.set(ends);
      const args = [lists.ptr, count, lengths.ptr, work.ptr];
      parallel(arena.heap, boostingKernels, "boostSort", args, width, width * count * 60);
      for (let c = 0; c < width; c++) visit(first + c, lists.array.subarray(c * count, c * count + ends[c]!));
    }
  });
}

/** Rows that are brought to the kernels at a time, and those of a chunk. */
const BLOCK = 16384;
const CHUNK = 512;

/** Bins of rows, a byte each. */
export interface Bins {
  /** Row by row, each filled up to whole words. */
  readonly rowBins: number;
  /** Column by column; 0 if that was not asked for. */
  readonly colBins: number;
  /** 1 for columns with a missing value. */
  readonly missing: Int32Array;
}

/** The columns as wasm/boosting/problem.ts wants them, four whole numbers each. */
export function columnTable(
  columns: readonly BinnedColumn[],
  missing: ArrayLike<number> | null,
  ways: ArrayLike<number> | null,
): Int32Array {
  const table = new Int32Array(4 * columns.length);
  for (const [j, column] of columns.entries()) {
    table.set([binCount(column), missing?.[j] ?? 0, column.categorical ? 1 : 0, ways?.[j] ?? 0], 4 * j);
  }
  return table;
}

/** The bins of the given rows (all, if null), `twice`: by rows and by columns. */
export function binRows(
  arena: Arena,
  x: Matrix,
  rows: Int32Array | null,
  columns: readonly BinnedColumn[],
  twice: boolean,
): Bins {
  const { data, cols: d } = x;
  const n = rows ? rows.length : x.rows;
  const words = Math.ceil(d / WIDTH) * n;
  // Columns that fill up a row have bin 0 everywhere.
  const byRow = d % WIDTH === 0 ? arena.f64(words) : arena.zeros(words);
  const rowBins = byRow.ptr;
  const colBins = twice ? arena.f64(Math.ceil((d * n) / 8)).ptr : 0;
  const missing = new Int32Array(d);
  withArena(arena.where, (room) => {
    const table = room.copyI32(columnTable(columns, null, null));
    const edges = room.f64(256 * d);
    edges.array.fill(Infinity);
    for (const [j, column] of columns.entries()) edges.array.set(column.edges, 256 * j);
    const seen = room.i32(d);
    seen.array.fill(0);
    const block = room.f64(Math.min(n, BLOCK) * d);
    for (let first = 0; first < n; first += BLOCK) {
      const count = Math.min(BLOCK, n - first);
      const to = block.array;
      if (rows === null) to.set(data.subarray(first * d, (first + count) * d));
      else
        for (let e = 0; e < count; e++) {
          const i = rows[first + e]!;
          to.set(data.subarray(i * d, (i + 1) * d), e * d);
        }
      const places = [rowBins, colBins, seen.ptr];
      const args = [block.ptr, count, d, n, first, edges.ptr, table.ptr, ...places, CHUNK];
      const chunks = Math.ceil(count / CHUNK);
      parallel(room.heap, boostingKernels, "boostBins", args, chunks, count * d * 40, undefined, n * d * 40);
    }
    missing.set(seen.array);
  });
  return { rowBins, colBins, missing };
}
