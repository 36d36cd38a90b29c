import type { CsrMatrix } from "../../data/csr-matrix.js";
import { sortStored } from "../generated/trees.js";
import { OWN_ENTRIES, PAIR_BYTES, SHARED_ENTRIES, SORT_TABLE_BYTES } from "../generated/trees.layout.js";
import { Arena, type F64, type I32, type U8 } from "../runtime/arena.js";
import { listInto } from "./sorted-columns.js";

/** If nodes consider a smaller proportion of the columns, trees share the entries; else each tree has its own. */
const OWN_ENTRIES_FROM = 1 / 4;

/**
 * The columns of sparse rows, sorted once for all trees that are grown on them; only entries other than zero are stored. The caller
 * closes them.
 */
export class SparseTreeColumns {
  readonly rows: number;
  readonly cols: number;
  readonly arena: Arena;
  /** An entry per row, unsorted. */
  readonly entries: F64;
  /** Whether each tree has its own entries, or uses those of the columns; see wasm/trees/trees/sparse-columns.ts. */
  readonly ownEntries: boolean;
  readonly #starts: I32;
  readonly #stored: F64;
  readonly #table: F64;
  readonly #zeroRanks: I32;
  readonly #longest: number;
  readonly #rowEntries:
    | (Readonly<Record<"starts" | "columns" | "ranks", I32>> & { readonly marks: U8 })
    | undefined;

  /** `maxFeatures`: columns that a node considers. */
  constructor(where: string, x: CsrMatrix, maxFeatures: number) {
    this.rows = x.rows;
    this.cols = x.cols;
    this.ownEntries = maxFeatures >= OWN_ENTRIES_FROM * x.cols;
    this.arena = new Arena(where);
    try {
      const { arena } = this;
      this.#starts = arena.copyI32(columnStarts(x));
      const count = this.#starts.array[x.cols]!;
      this.#longest = longestOf(this.#starts.array);
      this.#stored = arena.f64(count);
      this.#table = arena.f64(count);
      this.#zeroRanks = arena.i32(x.cols);
      this.entries = arena.f64(x.rows);
      listInto(this.entries, arena.heap, x.rows);
      this.#sort(x, count);
      if (!this.ownEntries) this.#rowEntries = this.#byRows(count);
    } catch (error) {
      this.arena.close();
      throw error;
    }
  }

  close(): void {
    this.arena.close();
  }

  /** Number of values that a tree may read; the zeros of a row count once. */
  get numbers(): number {
    return this.#stored.length + this.rows;
  }

  /** Bytes of the entries of a tree. */
  get treeBytes(): number {
    return this.ownEntries ? 32 * this.#stored.length : 12 * this.rows;
  }

  /** The fields of a tree on this many rows; see wasm/trees/trees.layout.ts. */
  fieldsOf(arena: Arena, rows: number) {
    const shared = {
      starts: this.#starts.ptr,
      stored: this.#stored.ptr,
      table: this.#table.ptr,
      zeroRanks: this.#zeroRanks.ptr,
    };
    const own = this.#rowEntries;
    if (own)
      return {
        ...shared,
        sparse: SHARED_ENTRIES,
        rowStarts: own.starts.ptr,
        rowColumns: own.columns.ptr,
        rowRanks: own.ranks.ptr,
        slots: own.marks.ptr,
        places: arena.i32(this.rows).ptr,
        columnEntries: arena.f64(Math.max(this.#longest, rows) + 1).ptr,
      };
    const room = () => arena.f64(this.#stored.length + 1).ptr;
    return {
      ...shared,
      sparse: OWN_ENTRIES,
      block: room(),
      runs: room(),
      blockSpare: room(),
      runSpare: room(),
      // 8 bytes per column, then a byte per column.
      slots: arena.zeros(this.cols + Math.ceil(this.cols / 8)).ptr,
    };
  }

  /** Writes the place of each row among the drawn ones, or among all; −1 for rows that were not drawn. */
  placesInto(counts: Int32Array | undefined, out: number): void {
    const places = this.arena.heap.integers.subarray(out / 4, out / 4 + this.rows);
    let next = 0;
    for (let i = 0; i < this.rows; i++) places[i] = counts === undefined || counts[i]! > 0 ? next++ : -1;
  }

  #sort(x: CsrMatrix, count: number): void {
    const scratch = new Arena(this.arena.where, true);
    try {
      const values = scratch.f64(count);
      const rows = scratch.i32(count);
      const work = scratch.f64((2 * PAIR_BYTES * this.#longest + SORT_TABLE_BYTES) / 8);
      const next = this.#starts.array.slice();
      const [numbers, list] = [values.array, rows.array];
      for (let i = 0; i < x.rows; i++) {
        for (let e = x.indptr[i]!; e < x.indptr[i + 1]!; e++) {
          const value = x.values[e]!;
          if (value === 0) continue;
          const at = next[x.indices[e]!]!++;
          numbers[at] = value;
          list[at] = i;
        }
      }
      const call = sortStored({
        values: values.ptr,
        rows: rows.ptr,
        starts: this.#starts.ptr,
        columns: x.cols,
        work: work.ptr,
        longest: this.#longest,
        stored: this.#stored.ptr,
        table: this.#table.ptr,
        zeroRanks: this.#zeroRanks.ptr,
      });
      scratch.heap.call(call);
    } finally {
      scratch.close();
    }
  }

  /** The entries row by row, columns ascending. */
  #byRows(count: number) {
    const { arena, rows, cols } = this;
    const starts = arena.i32(rows + 1);
    const columns = arena.i32(count);
    const ranks = arena.i32(count);
    const marks = arena.u8(cols);
    const words = arena.heap.integers.subarray(this.#stored.ptr / 4, this.#stored.ptr / 4 + 2 * count);
    const begins = starts.array.fill(0);
    for (let e = 0; e < count; e++) begins[words[2 * e]! + 1]!++;
    for (let i = 0; i < rows; i++) begins[i + 1]! += begins[i]!;
    const next = begins.slice();
    const marked = marks.array;
    const [columnOf, rankOf, columnEnds] = [columns.array, ranks.array, this.#starts.array];
    for (let j = 0; j < cols; j++) {
      marked[j] = columnEnds[j + 1]! > columnEnds[j]! ? 1 : 0;
      for (let e = columnEnds[j]!; e < columnEnds[j + 1]!; e++) {
        const at = next[words[2 * e]!]!++;
        columnOf[at] = j;
        rankOf[at] = words[2 * e + 1]!;
      }
    }
    return { starts, columns, ranks, marks };
  }
}

/** Start of each column's entries other than zero, and the end of the last. */
function columnStarts({ cols, indices, values }: CsrMatrix): Int32Array {
  const starts = new Int32Array(cols + 1);
  for (let e = 0; e < indices.length; e++) if (values[e] !== 0) starts[indices[e]! + 1]!++;
  for (let j = 0; j < cols; j++) starts[j + 1]! += starts[j]!;
  return starts;
}

function longestOf(starts: Int32Array<ArrayBufferLike>): number {
  let longest = 0;
  for (let j = 0; j + 1 < starts.length; j++) longest = Math.max(longest, starts[j + 1]! - starts[j]!);
  return longest;
}
