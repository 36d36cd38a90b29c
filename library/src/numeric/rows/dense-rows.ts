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
export function streamedRows(arena: Arena, { data, rows, cols }: Matrix, align: number): DenseRows {
  return blocksOfRows(arena, rows, cols, align, (from, to, out) =>
    out.set(data.subarray(from * cols, to * cols)),
  );
}

/** The same for any rows: `copy` writes rows from … to − 1. */
export function blocksOfRows(
  arena: Arena,
  rows: number,
  cols: number,
  align: number,
  copy: (from: number, to: number, out: Float64Array<ArrayBufferLike>) => void,
): DenseRows {
  const blockRows = align * Math.max(1, Math.floor(limits.blockBytes / (8 * cols * align)));
  const slots: F64[] = [];
  const fetch = (block: number) => {
    slots[block % 2] ??= arena.f64(Math.min(rows, blockRows) * cols);
    const from = block * blockRows;
    copy(from, Math.min(rows, from + blockRows), slots[block % 2]!.array);
  };
  const forEachBlock: DenseRows["forEachBlock"] = (visit) =>
    eachBlock(Math.ceil(rows / blockRows), fetch, (block, meanwhile) => {
      const from = block * blockRows;
      visit(slots[block % 2]!.ptr, from, Math.min(blockRows, rows - from), meanwhile);
    });
  return { rows, cols, forEachBlock };
}

/** Visits `count` blocks in turn. `fetch` brings one into memory: the next one while other threads work, if the visitor calls `meanwhile`. */
export function eachBlock(
  count: number,
  fetch: (block: number) => void,
  visit: (block: number, meanwhile: () => void) => void,
): void {
  for (let block = 0, fetched = 0; block < count; block++) {
    const fetchUpTo = (end: number) => {
      for (; fetched < Math.min(end, count); fetched++) fetch(fetched);
    };
    fetchUpTo(block + 1);
    visit(block, () => fetchUpTo(block + 2));
  }
}
