import { boostBins } from "../generated/boosting.js";
import { BINS, PANEL_COLUMNS } from "../generated/boosting.layout.js";
import { type Arena, type F64, withArena } from "../runtime/arena.js";
import { type Address, after } from "../runtime/kernels.js";
import { parallel } from "../runtime/threads.js";
import { type BinnedColumn, columnTable } from "./bins.js";

/** Bytes outside of memory, as a file has them. Blocks are written before they are read. */
export interface BlockStore {
  read(at: number, out: Uint8Array): void;
  write(at: number, bytes: Uint8Array): void;
}

/** Rows of a block of few columns: jobs are long enough to be shared, and sums of losses are those of whole chunks. */
const MOST_ROWS = 65_536;
/** Approximate maximum bytes of a block. */
const BLOCK_BYTES = 16 * 2 ** 20;
/** Rows per chunk of binning. */
const CHUNK = 512;

/** Byte offsets of what a block has of its rows; lists of K scores come one after the other. */
export class BlockLayout {
  /** Rows of a block. */
  readonly rows: number;
  /** Bins, row by row. */
  readonly bins = 0;
  /** Nodes of the tree that is grown, 16 bits each. */
  readonly places: number;
  /** Gradients and hessians as integers; see wasm/trees/boosting/blocks.ts. */
  readonly packed: number;
  /** Raw predictions, targets, weights. */
  readonly z: number;
  readonly y: number;
  readonly weights: number;
  readonly bytes: number;

  constructor(
    d: number,
    readonly K: number,
    readonly isWeighted: boolean,
    mostRows = MOST_ROWS,
  ) {
    const rowBytes = PANEL_COLUMNS * Math.ceil(d / PANEL_COLUMNS);
    const perRow = rowBytes + 26 * K + (isWeighted ? 16 : 8);
    this.rows = Math.max(2048, Math.min(mostRows, 2048 * Math.floor(BLOCK_BYTES / perRow / 2048)));
    const { rows } = this;
    this.places = rowBytes * rows;
    this.packed = this.places + 2 * K * rows;
    this.z = this.packed + 16 * K * rows;
    this.y = this.z + 8 * K * rows;
    this.weights = this.y + 8 * rows;
    this.bytes = this.weights + (isWeighted ? 8 * rows : 0);
  }
}

/** A block in the store. */
export interface StoredBlock {
  readonly at: number;
  readonly rows: number;
}

/** Columns of rows to learn from. */
export interface RowBlock {
  readonly columns: readonly Float64Array[];
  readonly y: Float64Array;
  /** Undefined: all 1. Rows of weight 0 have been left out. */
  readonly weights: Float64Array | undefined;
}

/** Bins rows as they come, and stores them in blocks. */
export class BlockFiller {
  readonly blocks: StoredBlock[] = [];
  /** Σ of the weights. */
  total = 0;
  #filled = 0;
  readonly #buffer: F64;

  constructor(
    private readonly arena: Arena,
    private readonly layout: BlockLayout,
    private readonly columns: readonly BinnedColumn[],
    private readonly baseline: Float64Array,
    private readonly store: BlockStore,
    private readonly place: () => number,
  ) {
    this.#buffer = arena.f64(layout.bytes / 8);
  }

  get rows(): number {
    return this.blocks.reduce((sum, { rows }) => sum + rows, this.#filled);
  }

  add({ columns, y, weights }: RowBlock): void {
    for (let from = 0; from < y.length; ) {
      const count = Math.min(this.layout.rows - this.#filled, y.length - from);
      this.#bin(columns, from, count);
      this.#list(this.layout.y).set(y.subarray(from, from + count), this.#filled);
      if (this.layout.isWeighted)
        this.#list(this.layout.weights).set(weights!.subarray(from, from + count), this.#filled);
      for (let e = from; e < from + count; e++) this.total += weights ? weights[e]! : 1;
      this.#filled += count;
      from += count;
      if (this.#filled === this.layout.rows) this.flush();
    }
  }

  /** Stores the last block. */
  flush(): void {
    if (this.#filled === 0) return;
    const { rows, K, z, places } = this.layout;
    const scores = this.#list(z, rows * K);
    for (let k = 0; k < K; k++) scores.fill(this.baseline[k]!, k * rows, (k + 1) * rows);
    const bytes = this.#bytes();
    bytes.fill(0, places, places + 2 * K * rows);
    const at = this.place();
    this.store.write(at, bytes);
    this.blocks.push({ at, rows: this.#filled });
    this.#filled = 0;
  }

  #bytes(): Uint8Array {
    return new Uint8Array(this.arena.heap.floats.buffer, this.#buffer.ptr, this.layout.bytes);
  }

  #list(at: number, length = this.layout.rows): Float64Array<ArrayBufferLike> {
    return new Float64Array(this.arena.heap.floats.buffer, this.#buffer.ptr + at, length);
  }

  #bin(columns: readonly Float64Array[], from: number, count: number): void {
    const d = columns.length;
    withArena(this.arena.where, (room) => {
      const table = room.copyI32(columnTable(this.columns, null, null));
      const edges = room.f64(BINS * d);
      edges.array.fill(Infinity);
      for (const [j, column] of this.columns.entries()) edges.array.set(column.edges, BINS * j);
      const seen = room.i32(d);
      const x = room.f64(count * d);
      const to = x.array;
      for (const [j, column] of columns.entries())
        for (let i = 0, e = j; i < count; i++, e += d) to[e] = column[from + i]!;
      const call = boostBins({
        x: x.ptr,
        count,
        d,
        total: count,
        first: this.#filled,
        edges: edges.ptr,
        columns: table.ptr,
        rowBins: this.#buffer.ptr,
        colBins: 0,
        missing: seen.ptr,
        rows: CHUNK,
      });
      parallel(this.arena.heap, call, Math.ceil(count / CHUNK), count * d * 40, undefined, 1e9);
    });
  }
}

/** Two blocks in memory: while kernels work on one, the next is read into the other. */
export class BlockReader {
  readonly #buffers: readonly [F64, F64];

  constructor(
    private readonly arena: Arena,
    layout: BlockLayout,
    private readonly store: BlockStore,
  ) {
    this.#buffers = [arena.f64(layout.bytes / 8), arena.f64(layout.bytes / 8)];
  }

  /** Reads a range of bytes of each block; `visit` calls `readNext` once, or leaves it to this. */
  sweep(
    blocks: readonly StoredBlock[],
    [from, to]: readonly [number, number],
    visit: (block: StoredBlock, buffer: Address, readNext: () => void) => void,
  ): void {
    const read = (b: number) =>
      this.store.read(blocks[b]!.at + from, this.bytes(this.#buffers[b & 1]!.ptr, from, to));
    if (blocks.length > 0) read(0);
    for (const [b, block] of blocks.entries()) {
      let isRead = b + 1 === blocks.length;
      const readNext = () => {
        if (!isRead) read(b + 1);
        isRead = true;
      };
      visit(block, this.#buffers[b & 1]!.ptr, readNext);
      readNext();
    }
  }

  write({ at }: StoredBlock, buffer: Address, [from, to]: readonly [number, number]): void {
    this.store.write(at + from, this.bytes(buffer, from, to));
  }

  bytes(buffer: Address, from: number, to: number): Uint8Array {
    return new Uint8Array(this.arena.heap.floats.buffer, after(buffer, from), to - from);
  }
}
