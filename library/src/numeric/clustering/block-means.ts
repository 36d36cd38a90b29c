import type { BlockStore } from "../boosting/block-rows.js";
import { type Frame, MeansMemory } from "./means-memory.js";

/** Sums over rows by their nearest centres. */
export interface CenterSums {
  /** Σ w (x − shift) and Σ w per centre, k (d + 1) numbers. */
  readonly sums: Float64Array;
  /** Σ w ‖x − c‖²; 0 unless it was asked for. */
  readonly inertia: number;
}

/** About so many bytes of rows per block. */
const BLOCK_BYTES = 8 * 2 ** 20;

/** Passes of k-means over rows that do not fit into memory: they are kept in blocks, which every pass reads one after the other. */
export class BlockMeans {
  /** Rows of a block. */
  readonly blockRows: number;
  #rows = 0;
  #filled = 0;
  /** Rows, and their weights behind them, until the block is full. */
  readonly #block: Float64Array;
  #whole: MeansMemory | undefined;
  #last: MeansMemory | undefined;

  constructor(
    private readonly where: string,
    private readonly store: BlockStore,
    private readonly d: number,
    private readonly k: number,
    private readonly isWeighted: boolean,
  ) {
    this.blockRows = Math.max(512, Math.floor(BLOCK_BYTES / 8 / d));
    this.#block = new Float64Array(this.blockRows * (d + (isWeighted ? 1 : 0)));
  }

  get rows(): number {
    return this.#rows;
  }

  /** Adds rows, as columns. */
  add(columns: readonly Float64Array[], weights: Float64Array | undefined): void {
    const { d, blockRows } = this;
    const n = columns[0]!.length;
    for (let from = 0; from < n; ) {
      const count = Math.min(blockRows - this.#filled, n - from);
      const x = this.#block;
      for (let j = 0; j < d; j++) {
        const column = columns[j]!;
        for (let i = 0, to = this.#filled * d + j; i < count; i++, to += d) x[to] = column[from + i]!;
      }
      if (weights) x.set(weights.subarray(from, from + count), blockRows * d + this.#filled);
      this.#filled += count;
      this.#rows += count;
      from += count;
      if (this.#filled === blockRows) this.#flush();
    }
  }

  /** All rows have been added: they lie in this frame. */
  begin(frame: Frame): void {
    const { d, blockRows } = this;
    if (this.#rows >= blockRows) this.#whole = this.#memory(blockRows, frame);
    if (this.#filled === 0) return;
    this.#last = this.#memory(this.#filled, frame);
    this.#last.rows.array.set(this.#block.subarray(0, this.#filled * d));
    const weights = this.#block.subarray(blockRows * d, blockRows * d + this.#filled);
    this.#last.weights?.array.set(weights);
  }

  /** Sums by these centres (k × d); `measured` for the inertia too. Yields after every block. */
  *assign(centers: Float64Array, measured: boolean): Generator<void, CenterSums, void> {
    const sums = new Float64Array(this.k * (this.d + 1));
    let inertia = 0;
    const visit = (memory: MeansMemory) => {
      memory.centers.array.set(centers);
      memory.packRows();
      memory.assign(false);
      const own = memory.sums();
      for (let e = 0; e < sums.length; e++) sums[e]! += own[e]!;
      if (measured) inertia += memory.measure();
    };
    const blocks = Math.floor(this.#rows / this.blockRows);
    for (let block = 0; block < blocks; block++) {
      this.#read(block);
      visit(this.#whole!);
      yield;
    }
    if (this.#last) visit(this.#last);
    return { sums, inertia };
  }

  close(): void {
    this.#whole?.close();
    this.#last?.close();
  }

  #flush(): void {
    const at = (this.#rows / this.blockRows - 1) * this.#block.byteLength;
    this.store.write(at, bytesOf(this.#block));
    this.#filled = 0;
  }

  #read(block: number): void {
    const at = block * this.#block.byteLength;
    const { rows, weights } = this.#whole!;
    this.store.read(at, bytesOf(rows.array));
    if (weights) this.store.read(at + 8 * this.blockRows * this.d, bytesOf(weights.array));
  }

  #memory(rows: number, frame: Frame): MeansMemory {
    const weights = this.isWeighted ? new Float64Array(rows) : undefined;
    return new MeansMemory(this.where, rows, this.d, this.k, frame, weights);
  }
}

const bytesOf = (list: Float64Array): Uint8Array =>
  new Uint8Array(list.buffer, list.byteOffset, list.byteLength);
