import type { Matrix } from "../data/matrix.js";
import type { Arena, F64 } from "./arena.js";

/** What may stay in the arena at once; larger matrices are streamed through it in blocks, pass by pass. */
export const limits = {
  residentBytes: 3 * 2 ** 30,
  /** A streamed block: large enough to share between threads, small enough for the last-level cache. */
  blockBytes: 8 * 2 ** 20,
};

/** The rows of a dense matrix where the kernels can reach them. */
export interface DenseRows {
  readonly rows: number;
  readonly cols: number;
  /** Calls `visit(address, first row, rows)` for consecutive blocks that cover the matrix. */
  forEachBlock(visit: (ptr: number, from: number, count: number) => void): void;
}

/** Copies the matrix into the arena once, or block by block in each pass when it is too large for that. */
export function denseRows(arena: Arena, matrix: Matrix, align: number): DenseRows {
  const { data, rows, cols } = matrix;
  if (data.byteLength <= limits.residentBytes) {
    const block = arena.copy(data);
    return { rows, cols, forEachBlock: (visit) => visit(block.ptr, 0, rows) };
  }
  return streamedRows(arena, matrix, align);
}

/** Rows that pass through one slot of the arena; blocks are a multiple of `align` rows, the size of a chunk. */
export function streamedRows(arena: Arena, matrix: Matrix, align: number): DenseRows {
  const { data, rows, cols } = matrix;
  const blockRows = align * Math.max(1, Math.floor(limits.blockBytes / (8 * cols * align)));
  let slot: F64 | undefined;
  return {
    rows,
    cols,
    forEachBlock: (visit) => {
      slot ??= arena.f64(Math.min(rows, blockRows) * cols);
      for (let from = 0; from < rows; from += blockRows) {
        const count = Math.min(blockRows, rows - from);
        slot.array.set(data.subarray(from * cols, (from + count) * cols));
        visit(slot.ptr, from, count);
      }
    },
  };
}
