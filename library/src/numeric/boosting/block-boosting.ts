import { addBlock, addBlockScores, boostGradients, packBlock } from "../generated/boosting.js";
import { chunkLossBytes, chunkLossF64, SUB_BLOCK } from "../generated/boosting.layout.js";
import { type Arena, ArenaOwner, type F64, type I32, withArena } from "../runtime/arena.js";
import { type Address, after } from "../runtime/kernels.js";
import { activeThreads, parallel } from "../runtime/threads.js";
import type { BinnedColumn } from "./bins.js";
import {
  BlockFiller,
  BlockLayout,
  BlockReader,
  type BlockStore,
  type RowBlock,
  type StoredBlock,
} from "./block-rows.js";
import type { GrownTree } from "./boosted-tree.js";
import { type BoostingLoss, boostingLosses, type RoundLosses } from "./gradient-boosting.js";
import { HistogramGrowth, histogramBytes, type TreeLimits } from "./histogram-growth.js";
import { integerScales } from "./integer-sums.js";
import type { ColumnRestrictions } from "./restrictions.js";

export interface BlockProblem extends TreeLimits, ColumnRestrictions {
  readonly columns: readonly BinnedColumn[];
  readonly loss: BoostingLoss;
  readonly quantile: number;
  /** Raw predictions before the first tree, one per score. */
  readonly baseline: Float64Array;
  readonly isWeighted: boolean;
  /** Maximum rows per block. */
  readonly blockRows?: number;
}

/** Rows per chunk of gradients, as in memory: then losses are the same sums. */
const ROWS = 2048;
/** From so many rows on, gradients of the bits that their sums leave fit into 32-bit words. */
const NARROW_ROWS = 2 ** 19;
/** Maximum bytes of the histograms that are summed at a time. */
const SUM_BYTES = 128 * 2 ** 20;
/** Operations that are worth starting threads for: a run has many passes. */
const MANY = 1e9;

/**
 * Boosting on rows that do not fit into memory: they are binned once, and kept in blocks that passes read one after the other. A pass sums the
 * histograms of all leaves that may be split next. Trees, sums of losses and predictions have the same bits as those of `Boosting`.
 */
export class BlockBoosting extends ArenaOwner {
  readonly #problem: BlockProblem;
  readonly #layout: BlockLayout;
  readonly #reader: BlockReader;
  readonly #train: BlockFiller;
  readonly #validation: BlockFiller;
  #growths: HistogramGrowth[] = [];
  #seed: number;
  #blocks = 0;
  #isGrown = false;
  #maxAbsGradient = 0;
  #maxHessian = 0;

  constructor(where: string, problem: BlockProblem, store: BlockStore) {
    super(where);
    this.#problem = problem;
    this.#seed = problem.seed;
    try {
      const { columns, baseline, isWeighted, blockRows } = problem;
      this.#layout = new BlockLayout(columns.length, baseline.length, isWeighted, blockRows);
      this.#reader = new BlockReader(this.arena, this.#layout, store);
      const place = () => this.#blocks++ * this.#layout.bytes;
      const filler = () => new BlockFiller(this.arena, this.#layout, columns, baseline, store, place);
      this.#train = filler();
      this.#validation = filler();
    } catch (error) {
      this.arena.close();
      throw error;
    }
  }

  /** Adds rows to learn from, or held-out ones. */
  add(rows: RowBlock, isHeldOut = false): void {
    (isHeldOut ? this.#validation : this.#train).add(rows);
  }

  /** All rows have been added. */
  begin(): void {
    const { baseline, columns } = this.#problem;
    this.#train.flush();
    this.#validation.flush();
    const threads = activeThreads();
    const most = Math.floor(SUM_BYTES / (threads * histogramBytes(columns.length)));
    const rows = this.#train.rows;
    this.#growths = Array.from(
      baseline,
      () =>
        new HistogramGrowth(this.arena.where, {
          ...this.#problem,
          rows,
          threads,
          maxWanted: Math.max(2, Math.min(64, most)),
        }),
    );
  }

  override close(): void {
    for (const growth of this.#growths) growth.close();
    super.close();
  }

  /** Adds the last trees to the predictions, and computes the losses and the largest gradients. */
  losses(): RoundLosses {
    const validation = this.#validation.rows > 0 ? this.#lossOf(this.#validation) : null;
    const train = this.#lossOf(this.#train);
    this.#isGrown = false;
    return { train, validation, maxAbsGradient: this.#maxAbsGradient };
  }

  /** Grows the trees of a round; yields after each pass over the rows. */
  *grow(): Generator<void, GrownTree[], void> {
    const scales = integerScales(this.#train.rows, this.#maxAbsGradient, this.#maxHessian);
    // Trees whose columns are drawn take turns, so that they draw in the same order as in memory.
    const together = this.#problem.maxFeatures < 1 ? 1 : this.#growths.length;
    for (let first = 0; first < this.#growths.length; first += together) {
      const turn = this.#growths.slice(first, first + together);
      for (const growth of turn) growth.begin(scales, this.#seed);
      for (let pass = 0; turn.some(({ wanted }) => wanted.length > 0); pass++) {
        this.#sumHistograms(turn, first, first === 0 && pass === 0);
        for (const growth of turn) if (growth.wanted.length > 0) growth.search();
        yield;
      }
      this.#seed = turn.at(-1)!.seed;
    }
    this.#isGrown = true;
    return this.#growths.map((growth) => growth.tree());
  }

  #lossOf({ blocks, total }: BlockFiller): number {
    const { K, rows, z, places, bytes } = this.#layout;
    this.#maxAbsGradient = 0;
    this.#maxHessian = 0;
    return withArena(this.arena.where, (room) => {
      const gradients = room.f64(2 * K * rows + 2);
      const sums = room.f64((chunkLossBytes / 8) * Math.ceil(rows / ROWS));
      const values = this.#isGrown ? this.#growths.map((growth) => room.copy(growth.leafValues())) : [];
      let sum = 0;
      this.#reader.sweep(blocks, [this.#isGrown ? 0 : places, bytes], (block, buffer, readNext) => {
        for (const [k, list] of values.entries())
          this.#addScores(k, list.ptr, block, buffer, k === 0 ? readNext : undefined);
        this.#computeGradients(block, buffer, gradients.ptr, sums.ptr);
        const { array } = sums;
        for (let at = 0; at < (chunkLossBytes / 8) * Math.ceil(block.rows / ROWS); at += chunkLossBytes / 8) {
          sum += array[at + chunkLossF64.loss]!;
          this.#maxAbsGradient = Math.max(this.#maxAbsGradient, array[at + chunkLossF64.maxAbsGradient]!);
          this.#maxHessian = Math.max(this.#maxHessian, array[at + chunkLossF64.maxHessian]!);
        }
        if (!this.#isGrown) return;
        this.#reader.write(block, buffer, [places, places + 2 * K * rows]);
        this.#reader.write(block, buffer, [z, z + 8 * K * rows]);
      });
      return sum / total;
    });
  }

  #addScores(k: number, values: Address, block: StoredBlock, buffer: Address, readNext?: () => void): void {
    const { rows, places, z } = this.#layout;
    const call = addBlockScores({
      address: this.#growths[k]!.ptr,
      rowBins: buffer,
      places: after(buffer, places + 2 * k * rows),
      values,
      z: after(buffer, z + 8 * k * rows),
      count: block.rows,
      rows: ROWS,
    });
    parallel(this.arena.heap, call, Math.ceil(block.rows / ROWS), block.rows * 40, readNext, MANY);
  }

  #computeGradients(block: StoredBlock, buffer: Address, gradients: Address, sums: Address): void {
    const { K, rows, y, z, weights, isWeighted } = this.#layout;
    const { loss, quantile } = this.#problem;
    const call = boostGradients({
      loss: boostingLosses[loss],
      q: quantile,
      K,
      count: block.rows,
      stride: rows,
      y: after(buffer, y),
      z: after(buffer, z),
      weights: isWeighted ? after(buffer, weights) : 0,
      gradients,
      sums,
      rows: ROWS,
    });
    parallel(this.arena.heap, call, Math.ceil(block.rows / ROWS), block.rows * K * 60, undefined, MANY);
  }

  /** A pass over all rows, for the wanted leaves of trees from score `first` on. `isFirst`: gradients are made integers. */
  #sumHistograms(growths: readonly HistogramGrowth[], first: number, isFirst: boolean): void {
    const { K, rows, places, packed, bytes } = this.#layout;
    const { wide, word } = this.#words;
    withArena(this.arena.where, (room) => {
      const gradients = isFirst ? room.f64(2 * K * rows + 2) : null;
      const lossSums = room.f64((chunkLossBytes / 8) * Math.ceil(rows / ROWS));
      const sums = growths.map((growth) => new LeafSums(room, growth, this.#problem.columns.length));
      const read = [0, isFirst ? bytes : packed + word * K * rows] as const;
      this.#reader.sweep(this.#train.blocks, read, (block, buffer, readNext) => {
        if (gradients !== null) {
          this.#computeGradients(block, buffer, gradients.ptr, lossSums.ptr);
          for (let k = 0; k < K; k++) {
            const call = packBlock({
              address: growths[0]!.ptr,
              gradients: after(gradients.ptr, 16 * k * rows),
              packed: after(buffer, packed + word * k * rows),
              wide,
              count: block.rows,
              rows: ROWS,
            });
            parallel(this.arena.heap, call, Math.ceil(block.rows / ROWS), block.rows * 20, undefined, MANY);
          }
          this.#reader.write(block, buffer, [packed, packed + word * K * rows]);
        }
        for (const [e, own] of sums.entries()) {
          const k = first + e;
          own.add(
            block.rows,
            buffer,
            after(buffer, places + 2 * k * rows),
            after(buffer, packed + word * k * rows),
            wide,
            e === 0 ? readNext : undefined,
          );
        }
        this.#reader.write(block, buffer, [places, places + 2 * K * rows]);
      });
      for (const own of sums) own.give();
    });
  }

  /** Whether gradients are 64-bit integers, and the bytes of those of a row. */
  get #words(): { readonly wide: number; readonly word: number } {
    const wide = this.#train.rows < NARROW_ROWS ? 1 : 0;
    return { wide, word: wide === 1 ? 16 : 8 };
  }
}

/** The histograms of the wanted leaves of a tree, per thread. */
class LeafSums {
  readonly #threads = activeThreads();
  readonly #histogram: number;
  readonly #sums: F64;
  readonly #wanted: I32;
  readonly #work: F64;
  readonly #taken: I32;

  constructor(
    private readonly room: Arena,
    private readonly growth: HistogramGrowth,
    private readonly d: number,
  ) {
    const { wanted, nodeCount } = growth;
    this.#histogram = histogramBytes(d);
    this.#sums = room.zeros((this.#threads * wanted.length * this.#histogram) / 8);
    this.#wanted = room.i32(nodeCount);
    this.#wanted.array.fill(-1);
    for (const [w, { node }] of wanted.entries()) this.#wanted.array[node] = w;
    const perThread = 64 * Math.ceil((4 * (SUB_BLOCK + wanted.length + 1)) / 64);
    this.#work = room.f64((this.#threads * perThread) / 8);
    this.#taken = room.i32(1);
  }

  add(
    rows: number,
    rowBins: Address,
    places: Address,
    packed: Address,
    wide: number,
    readNext?: () => void,
  ): void {
    this.#taken.array[0] = 0;
    const wantedCount = this.growth.wanted.length;
    if (wantedCount === 0) return;
    const call = addBlock({
      address: this.growth.ptr,
      rowBins,
      places,
      packed,
      wide,
      count: rows,
      wanted: this.#wanted.ptr,
      wantedCount,
      histograms: this.#sums.ptr,
      work: this.#work.ptr,
      taken: this.#taken.ptr,
    });
    parallel(this.room.heap, call, this.#threads, rows * (50 + 5 * this.d), readNext, MANY);
  }

  /** Gives the sums of all threads to the tree. */
  give(): void {
    const { wanted } = this.growth;
    for (let t = 0; t < this.#threads; t++)
      for (const [w, { slot }] of wanted.entries())
        this.growth.give(after(this.#sums.ptr, (t * wanted.length + w) * this.#histogram), slot, t === 0);
  }
}
