import type { Matrix } from "../../data/matrix.js";
import { boostBins, boostSort } from "../generated/boosting.js";
import {
  BINS,
  columnBytes,
  columnI32,
  PANEL_COLUMNS,
  SORT_COUNT_BYTES,
} from "../generated/boosting.layout.js";
import { type Arena, withArena } from "../runtime/arena.js";
import type { Address } from "../runtime/kernels.js";
import { parallel } from "../runtime/threads.js";

/** The bins of a column. */
export interface BinnedColumn {
  /** Numeric column: x is in bin b if edges[b − 1] < x ≤ edges[b]. Categorical column: the categories, ascending. */
  readonly edges: Float64Array;
  readonly categorical: boolean;
}

/** Number of bins; it is also the bin of missing values. */
export const binCount = ({ edges, categorical }: BinnedColumn): number =>
  categorical ? edges.length : edges.length + 1;

/** Columns sorted at a time. */
const SORTED_COLUMNS = 8;

/** Calls `visit` with the sorted values of each column, without missing ones. The list is reused. */
export function sortedColumns(
  where: string,
  x: Matrix,
  rows: Int32Array | null,
  visit: (j: number, values: Float64Array<ArrayBufferLike>) => void,
): void {
  const { data, cols } = x;
  const count = rows ? rows.length : x.rows;
  withArena(where, (arena) => {
    // One more, since a missing value at the end of the last list is written too.
    const lists = arena.f64(SORTED_COLUMNS * count + 1);
    const work = arena.f64(SORTED_COLUMNS * (count + SORT_COUNT_BYTES / 8));
    const lengths = arena.i32(SORTED_COLUMNS);
    for (let first = 0; first < cols; first += SORTED_COLUMNS) {
      const width = Math.min(SORTED_COLUMNS, cols - first);
      const out = lists.array;
      const ends = Int32Array.from({ length: SORTED_COLUMNS }, (_, c) => c * count);
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
      parallel(
        arena.heap,
        boostSort({ lists: lists.ptr, room: count, lengths: lengths.ptr, work: work.ptr }),
        width,
        width * count * 60,
      );
      for (let c = 0; c < width; c++) visit(first + c, lists.array.subarray(c * count, c * count + ends[c]!));
    }
  });
}

/** Rows copied to the arena at a time, and rows per chunk. */
const BLOCK = 16384;
const CHUNK = 512;

/** Bins of rows, one byte each. */
export interface Bins {
  /** Address of the bins row by row, each row padded to 8 bytes. */
  readonly rowBins: Address;
  /** Address of the bins column by column; 0 unless requested. */
  readonly colBins: Address;
  /** 1 for columns with a missing value. */
  readonly missing: Int32Array;
}

/** The columns for the kernels. `directions`: monotonic constraints. */
export function columnTable(
  columns: readonly BinnedColumn[],
  missing: ArrayLike<number> | null,
  directions: ArrayLike<number> | null,
): Int32Array {
  const words = columnBytes / 4;
  const table = new Int32Array(words * columns.length);
  for (const [j, column] of columns.entries()) {
    const own = table.subarray(words * j);
    own[columnI32.bins] = binCount(column);
    own[columnI32.missing] = missing?.[j] ?? 0;
    own[columnI32.categorical] = column.categorical ? 1 : 0;
    own[columnI32.direction] = directions?.[j] ?? 0;
  }
  return table;
}

/** The bins of the given rows (null: all) row by row, and with `byColumn` also column by column. */
export function binRows(
  arena: Arena,
  x: Matrix,
  rows: Int32Array | null,
  columns: readonly BinnedColumn[],
  byColumn: boolean,
): Bins {
  const { data, cols: d } = x;
  const n = rows ? rows.length : x.rows;
  const words = Math.ceil(d / PANEL_COLUMNS) * n;
  // Padding columns have bin 0.
  const byRow = d % PANEL_COLUMNS === 0 ? arena.f64(words) : arena.zeros(words);
  const rowBins = byRow.ptr;
  const colBins = byColumn ? arena.f64(Math.ceil((d * n) / 8)).ptr : 0;
  const missing = new Int32Array(d);
  withArena(arena.where, (room) => {
    const table = room.copyI32(columnTable(columns, null, null));
    const edges = room.f64(BINS * d);
    edges.array.fill(Infinity);
    for (const [j, column] of columns.entries()) edges.array.set(column.edges, BINS * j);
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
      const call = boostBins({
        x: block.ptr,
        count,
        d,
        total: n,
        first,
        edges: edges.ptr,
        columns: table.ptr,
        rowBins,
        colBins,
        missing: seen.ptr,
        rows: CHUNK,
      });
      const chunks = Math.ceil(count / CHUNK);
      parallel(room.heap, call, chunks, count * d * 40, undefined, n * d * 40);
    }
    missing.set(seen.array);
  });
  return { rowBins, colBins, missing };
}
