import { boostGive, boostRoot, boostSearch, boostSplit } from "../generated/boosting.js";
import {
  CHUNK_BYTES,
  candidateBytes,
  LEFT_COUNTS,
  nodeBytes,
  nodeF64,
  nodeI32,
  PANEL_COLUMNS,
  problemBytes,
  problemF64,
  STRIDE,
} from "../generated/boosting.layout.js";
import { ArenaOwner, type F64 } from "../runtime/arena.js";
import { Fields } from "../runtime/fields.js";
import type { Address } from "../runtime/kernels.js";
import { type BinnedColumn, binCount, columnTable } from "./bins.js";
import { type GrownTree, nodeRecord, nodeSet, readNodes } from "./boosted-tree.js";
import { hessianBits, type integerScales } from "./integer-sums.js";
import { type ColumnRestrictions, restrictions } from "./restrictions.js";

/** What bounds the trees. */
export interface TreeLimits {
  readonly maxLeaves: number;
  readonly maxDepth: number;
  readonly minSamplesLeaf: number;
  readonly minHessian: number;
  readonly l2: number;
  readonly learningRate: number;
  /** Monotonic constraint per column: 1 increasing, −1 decreasing, 0 none; null if there is none. */
  readonly monotone: Int32Array | null;
}

export interface HistogramProblem extends TreeLimits, ColumnRestrictions {
  readonly columns: readonly BinnedColumn[];
  /** The number of rows, and of threads that sum histograms. */
  readonly rows: number;
  readonly threads: number;
  /** Maximum number of histograms that are asked for at a time. */
  readonly maxWanted: number;
  /** Maximum bytes of histograms that are kept, from which those of siblings are computed. */
  readonly slotBytes?: number;
}

/** Default of `slotBytes`. */
const SLOT_BYTES = 192 * 2 ** 20;
/** Nodes are 16-bit numbers per row. */
const MAX_NODES = 65_535;
/** The maximum number of leaves; fewer of the best of them, since others are split in vain. */
export const MAX_LEAVES = 32_767;
export const MAX_BEST_LEAVES = 8_191;
/** Nodes per leaf that may be split in vain: what the best leaves are is only known afterwards. */
const SPARE_NODES = 32;

/** A leaf whose histogram is asked for, and where it is written to. */
export interface WantedHistogram {
  readonly node: number;
  readonly slot: number;
}

/** Leaves that are to be searched for splits once histograms are known. */
interface Search {
  readonly larger: number;
  readonly smaller: number;
  readonly built: number;
  readonly parentSlot: number;
}

/** Index of the gradient of a bin of column j in a histogram; the hessian, with the number of rows, follows it. */
export const histogramPlace = (j: number, bin: number): number => (j * STRIDE) / 8 + 2 * bin;

/** Bytes of a histogram of d columns. */
export const histogramBytes = (d: number): number => PANEL_COLUMNS * Math.ceil(d / PANEL_COLUMNS) * STRIDE;

/**
 * A tree that grows best first, like those of `Boosting`, from histograms that others sum: as many at a time as there are leaves that may be
 * split next. Some of these splits turn out not to be among the best; the tree is the one that grows leaf by leaf.
 *
 * With columns that are drawn, one leaf is split at a time, so that they are drawn in the same order.
 */
export class HistogramGrowth extends ArenaOwner {
  readonly #problem: HistogramProblem;
  readonly #fields: Fields<keyof typeof problemF64>;
  readonly #nodes: F64;
  readonly #slots: F64;
  readonly #columns: readonly BinnedColumn[];
  readonly #table: Int32Array;
  readonly #maxNodes: number;
  /** Whether there may be more leaves with a gain than the tree may have. */
  readonly #isBound: boolean;
  #freeSlots: number[] = [];
  readonly #slotCount: number;
  #wanted: WantedHistogram[] = [];
  #searches: Search[] = [];
  #isRootKnown = false;
  #order: Order = { splits: [], next: [], leaves: 1 };

  constructor(where: string, problem: HistogramProblem) {
    super(where);
    const { arena } = this;
    this.#problem = problem;
    this.#columns = problem.columns;
    try {
      const d = problem.columns.length;
      const maxLeaves = mostLeaves(problem);
      this.#isBound = maxLeaves < mostLeaves({ ...problem, maxLeaves: Infinity });
      const histogram = histogramBytes(d);
      const kept = Math.floor((problem.slotBytes ?? SLOT_BYTES) / histogram);
      this.#slotCount = problem.maxWanted + Math.max(1, Math.min(3 * maxLeaves + 1, kept));
      this.#maxNodes = Math.min(MAX_NODES, 2 * maxLeaves * Math.min(maxLeaves + 1, SPARE_NODES) + 1);
      this.#nodes = arena.f64((this.#maxNodes * nodeBytes) / 8);
      this.#slots = arena.f64((this.#slotCount * histogram) / 8);
      this.#table = columnTable(problem.columns, null, problem.monotone);
      this.#fields = new Fields(arena.zeros(problemBytes / 8), problemF64);
      this.#fields.write({
        n: problem.rows,
        d,
        columns: arena.copyI32(this.#table).ptr,
        shift: hessianBits(problem.rows),
        nodes: this.#nodes.ptr,
        slots: this.#slots.ptr,
        slotCount: this.#slotCount,
        chunks: arena.f64((problem.threads * CHUNK_BYTES) / 8).ptr,
        candidates: arena.f64((2 * d * candidateBytes) / 8).ptr,
        jobs: arena.zeros(LEFT_COUNTS / 8).ptr,
        maxLeaves,
        maxDepth: Math.min(problem.maxDepth, 2 ** 30),
        minSamplesLeaf: problem.minSamplesLeaf,
        minHessian: problem.minHessian,
        l2: problem.l2,
        shrinkage: problem.learningRate,
        bounded: problem.monotone?.some((sign) => sign !== 0) ? 1 : 0,
        // Histograms are whole when they are searched, by one thread.
        threads: 1,
        ...restrictions(arena, d, problem),
      });
    } catch (error) {
      arena.close();
      throw error;
    }
  }

  /** Address of the problem, for the kernels that move rows. */
  get ptr() {
    return this.#fields.ptr;
  }

  get nodeCount(): number {
    return this.#fields.get("nodeCount");
  }

  /** The state of the generator that draws columns, which goes on from tree to tree. */
  get seed(): number {
    return this.#fields.get("seed");
  }

  /** Begins a tree; gradients and hessians are integers times these scales. */
  begin(scales: ReturnType<typeof integerScales>, seed: number): void {
    this.#fields.write({ ...scales, seed, nodeCount: 1 });
    this.#freeSlots = Array.from({ length: this.#slotCount - 1 }, (_, s) => this.#slotCount - 1 - s);
    const root = this.#record(0);
    root.whole[nodeI32.left] = 0;
    this.#isRootKnown = false;
    this.#order = { splits: [], next: [], leaves: 1 };
    this.#wanted = [{ node: 0, slot: 0 }];
  }

  /** The leaves whose histograms are needed next; none: the tree is grown. Their nodes have their rows. */
  get wanted(): readonly WantedHistogram[] {
    return this.#wanted;
  }

  /** The histogram in a slot, as 64-bit integers: see `histogramPlace`. */
  histogram(slot: number): BigInt64Array<ArrayBufferLike> {
    const bytes = histogramBytes(this.#columns.length);
    const { buffer } = this.arena.heap.floats;
    return new BigInt64Array(buffer, this.#slots.ptr + slot * bytes, bytes / 8);
  }

  /** Copies a histogram in memory to a slot, or adds it to the one that is there. */
  give(from: Address, slot: number, isFirst: boolean): void {
    this.arena.heap.call(boostGive({ address: this.ptr, from, slot, isFirst: isFirst ? 1 : 0 }));
  }

  /** The histograms of all wanted leaves are in their slots: finds the best splits, and what is wanted then. */
  search(): void {
    const { heap } = this.arena;
    if (!this.#isRootKnown) {
      this.#findGaps();
      heap.call(boostRoot({ address: this.ptr, slot: 0 }));
      this.#isRootKnown = true;
    }
    for (const { larger, smaller, built, parentSlot } of this.#searches) {
      for (const v of [larger, smaller])
        if (v >= 0)
          this.#record(v).whole[nodeI32.slot] = v === larger && parentSlot >= 0 ? parentSlot : built;
      heap.call(boostSearch({ address: this.ptr, larger, smaller, built, parentSlot }));
      const known = [larger, smaller].filter((v) => v >= 0);
      const kept = known.filter((v) => this.#record(v).real[nodeF64.gain]! > 0);
      const held = new Set(kept.map((v) => this.#record(v).whole[nodeI32.slot]!));
      for (const slot of [built, parentSlot]) if (slot >= 0 && !held.has(slot)) this.#freeSlots.push(slot);
    }
    this.#advance();
  }

  /** The grown tree: nodes as `Boosting` numbers them. */
  tree(): GrownTree {
    const { splits } = this.#order;
    const nodes = [0];
    const left = new Int32Array(2 * splits.length + 1);
    const place = new Map([[0, 0]]);
    for (const v of splits) {
      const child = this.#record(v).whole[nodeI32.left]!;
      left[place.get(v)!] = nodes.length;
      for (const u of [child, child + 1]) place.set(u, nodes.push(u) - 1);
    }
    const tree = readNodes(this.arena.heap, this.#nodes.ptr, nodes, left);
    return { ...tree, value: tree.value.map((value) => value * this.#problem.learningRate) };
  }

  /** Per node that rows may be at: the value of the leaf of the grown tree above it. */
  leafValues(): Float64Array {
    const { learningRate } = this.#problem;
    const isSplit = new Set(this.#order.splits);
    const values = new Float64Array(this.nodeCount);
    const isBelow = new Uint8Array(this.nodeCount);
    for (let v = 0; v < values.length; v++) {
      const { whole, real } = this.#record(v);
      const parent = whole[nodeI32.parent]!;
      if (v > 0) values[v] = isBelow[parent] === 1 ? values[parent]! : real[nodeF64.value]! * learningRate;
      isBelow[v] = isSplit.has(v) ? 0 : 1;
    }
    return values;
  }

  /** The split of a node, undefined for a leaf: rows whose bin is at most `bin`, or in `set`, go left. */
  split(v: number): NodeSplit | undefined {
    const { whole } = this.#record(v);
    if (whole[nodeI32.left] === 0) return undefined;
    const isCategorical = whole[nodeI32.categorical] === 1;
    return {
      left: whole[nodeI32.left]!,
      feature: whole[nodeI32.feature]!,
      bin: whole[nodeI32.bin]!,
      missingLeft: whole[nodeI32.missingLeft] === 1,
      set: isCategorical ? nodeSet(whole).slice() : undefined,
    };
  }

  /** Columns with missing values are those of the root's histogram. */
  #findGaps(): void {
    const root = this.histogram(0);
    const columns = this.arena.heap.integers;
    const words = this.#table.length / this.#columns.length;
    for (const [j, column] of this.#columns.entries()) {
      const missing = root[histogramPlace(j, binCount(column)) + 1]! !== 0n;
      columns[this.#fields.get("columns") / 4 + words * j + 1] = missing ? 1 : 0;
    }
  }

  /** Splits leaves, until histograms are needed or the tree is grown. */
  #advance(): void {
    this.#wanted = [];
    this.#searches = [];
    const { maxWanted, maxFeatures } = this.#problem;
    const maxLeaves = this.#fields.get("maxLeaves");
    while (this.#wanted.length === 0) {
      const order = this.#replayed();
      this.#order = order;
      const first = order.next[0];
      if (first === undefined) return;
      const rest = maxLeaves - order.leaves;
      if (rest === 1) {
        this.#splitLeaf(first);
        continue;
      }
      const isSure = maxFeatures < 1 || (this.#isBound && this.nodeCount + 4 * rest > this.#maxNodes);
      for (const v of order.next.slice(0, isSure ? 1 : rest)) {
        if (this.#wanted.length + 2 > maxWanted && v !== first) break;
        this.#open(v);
      }
    }
  }

  /** The splits in the order of their gains, as far as children are known, and the leaves that come next. */
  #replayed(): Order {
    const splits: number[] = [];
    const maxLeaves = this.#fields.get("maxLeaves");
    // Ascending by gain; of ties the older is later.
    const queue: { readonly v: number; readonly gain: number }[] = [];
    const push = (v: number) => {
      const gain = this.#record(v).real[nodeF64.gain]!;
      if (!(gain > 0)) return;
      let [from, to] = [0, queue.length];
      while (from < to) {
        const middle = (from + to) >> 1;
        if (queue[middle]!.gain < gain) from = middle + 1;
        else to = middle;
      }
      queue.splice(from, 0, { v, gain });
    };
    push(0);
    while (queue.length > 0 && splits.length + 1 < maxLeaves) {
      const { v } = queue.at(-1)!;
      const left = this.#record(v).whole[nodeI32.left]!;
      if (left === 0) {
        const next = queue.map((entry) => entry.v).filter((u) => this.#record(u).whole[nodeI32.left] === 0);
        return { splits, next: next.reverse(), leaves: splits.length + 1 };
      }
      queue.pop();
      splits.push(v);
      push(left);
      push(left + 1);
    }
    return { splits, next: [], leaves: splits.length + 1 };
  }

  #splitLeaf(v: number): number {
    return this.arena.heap.call(boostSplit({ address: this.ptr, v }));
  }

  /** Splits a leaf and asks for what its children need. */
  #open(v: number): void {
    const open = this.#splitLeaf(v);
    const { whole } = this.#record(v);
    const [parentSlot, left] = [whole[nodeI32.slot]!, whole[nodeI32.left]!];
    const rows = (u: number) => {
      const own = this.#record(u).whole;
      return own[nodeI32.stop]! - own[nodeI32.start]!;
    };
    const [small, large] = rows(left) <= rows(left + 1) ? [left, left + 1] : [left + 1, left];
    const isOpen = (u: number) => (open & (u === left ? 1 : 2)) !== 0;
    const release = () => {
      if (parentSlot >= 0) this.#freeSlots.push(parentSlot);
    };
    if (open === 0) {
      release();
      return;
    }
    // One slot more than is asked for stays free, for the next leaf that has to be split.
    const isKept = parentSlot >= 0 && this.#freeSlots.length > 2;
    if (isKept) {
      const slot = this.#freeSlots.pop()!;
      this.#wanted.push({ node: small, slot });
      this.#searches.push({
        larger: isOpen(large) ? large : -1,
        smaller: isOpen(small) ? small : -1,
        built: slot,
        parentSlot: isOpen(large) ? parentSlot : -1,
      });
      if (!isOpen(large)) release();
      return;
    }
    release();
    for (const u of [large, small]) {
      if (!isOpen(u)) continue;
      const slot = this.#freeSlots.pop()!;
      this.#wanted.push({ node: u, slot });
      this.#searches.push({ larger: u, smaller: -1, built: slot, parentSlot: -1 });
    }
  }

  #record(v: number) {
    return nodeRecord(this.arena.heap, this.#nodes.ptr, v);
  }
}

interface Order {
  /** Nodes that are split, in this order. */
  readonly splits: readonly number[];
  /** Leaves that may be split next, the best first. */
  readonly next: readonly number[];
  readonly leaves: number;
}

export interface NodeSplit {
  /** The left child; the right one follows it. */
  readonly left: number;
  readonly feature: number;
  readonly bin: number;
  readonly missingLeft: boolean;
  /** Of a categorical column: the bins that go left, SET_WORDS 32-bit words. */
  readonly set: Int32Array | undefined;
}

/** The maximum number of leaves of a tree. */
export function mostLeaves({
  maxLeaves,
  maxDepth,
  minSamplesLeaf,
  rows,
}: Pick<HistogramProblem, "maxLeaves" | "maxDepth" | "minSamplesLeaf" | "rows">): number {
  const byDepth = maxDepth < 31 ? 2 ** maxDepth : rows;
  return Math.max(1, Math.min(maxLeaves, Math.floor(rows / minSamplesLeaf), byDepth));
}
