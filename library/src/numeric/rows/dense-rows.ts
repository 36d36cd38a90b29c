import type { Matrix } from "../../data/matrix.js";
import type { Arena, F64 } from "../runtime/arena.js";
import type { Address } from "../runtime/kernels.js";

/** Largest matrix that is copied to the arena as a whole; larger ones are streamed through it in blocks in every pass. */
export const limits = {
  residentBytes: 3 * 2 ** 30,
  /** A streamed block: large enough to share between threads, small enough for the last-level cache. */
  blockBytes: 8 * 2 ** 20,
};

/**
 * The rows of a dense matrix in the arena. A visitor receives the address, first row and number of rows of a
 * block, and may call `meanwhile` while other threads work: it copies the next block.
 */
export interface DenseRows {
  readonly rows: number;
  readonly cols: number;
  /** Calls `visit` for consecutive blocks that cover the matrix. */
  forEachBlock(visit: (ptr: Address, from: number, count: number, meanwhile?: () => void) => void): void;
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

/** Rows that are streamed through two slots of the arena in turn; blocks are a multiple of `align` rows, the size of a chunk. */
export function streamedRows(arena: Arena, matrix: Matrix, align: number): DenseRows {
  const { data, rows, cols } = matrix;
  const blockRows = align * Math.max(1, Math.floor(limits.blockBytes / (8 * cols * align)));
  const slots: F64[] = [];
  return {
    rows,
    cols,
    forEachBlock: (visit) => {
      const fetch = (block: number) => {
        const from = block * blockRows;
        if (from >= rows) return;
        slots[block % 2] ??= arena.f64(Math.min(rows, blockRows) * cols);
        slots[block % 2]!.array.set(data.subarray(from * cols, Math.min(rows, from + blockRows) * cols));
      };
      fetch(0);
      for (let block = 0; block * blockRows < rows; block++) {
        let fetched = false;
        const meanwhile = () => {
          fetched = true;
          fetch(block + 1);
        };
        const from = block * blockRows;
        visit(slots[block % 2]!.ptr, from, Math.min(blockRows, rows - from), meanwhile);
        if (!fetched) fetch(block + 1);
      }
    },
  };
}
