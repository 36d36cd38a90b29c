import type { Matrix } from "../../data/matrix.js";
import { signsOf } from "../../data/training-set.js";
import { bestSplitsOfMany, bestSplitsOfTwo, sortColumns, splitRows } from "../generated/stumps.js";
import { ArenaOwner, type F64, type I32, type U8, withArena } from "../runtime/arena.js";
import type { ChunkCall } from "../runtime/kernels.js";
import { parallel } from "../runtime/threads.js";

export type SplitCriterion = "gini" | "error";

/** Rows with x ≤ threshold in column `feature` go left. feature is −1 if all columns are constant. */
export interface Split {
  readonly feature: number;
  readonly threshold: number;
  /** Class weights: K on the left, then K on the right. */
  readonly leaves: Float64Array;
}

export interface ScoredSplit extends Split {
  /** The larger the better; −1 of a constant column. */
  readonly score: number;
}

/** Whether a split beats one of an earlier column. As in the kernel: smaller differences are ties. */
export const beats = (score: number, earlier: number): boolean => score > earlier * (1 + 1e-12);

/** Maximum number of threads that sort, each with its own buffer. */
const MAX_SORTERS = 8;

/**
 * Finds the best split for changing weights: the columns are sorted once, then each search is one pass over them. Ties go to the
 * first column and the lowest threshold.
 */
export class StumpSearch extends ArenaOwner {
  readonly #columns: F64;
  readonly #order: I32;
  readonly #codes: I32;
  /** Row weights; with two classes with the sign of the class. */
  readonly #weights: F64;
  readonly #totals: F64;
  readonly #sums: F64;
  readonly #found: F64;
  /** With two classes: −1 for rows of the first, 1 for the second. */
  readonly #signs: Float64Array;
  readonly #leaves: F64;
  /** Side of each row: 0 left, 1 right. */
  readonly #sides: U8;
  readonly #n: number;
  readonly #d: number;

  /** `searches`: expected number of searches, which decides whether workers are started. */
  constructor(
    where: string,
    x: Matrix,
    codes: Int32Array,
    private readonly K: number,
    private readonly criterion: SplitCriterion,
    private readonly searches: number,
  ) {
    super(where);
    const { arena } = this;
    const { rows: n, cols: d } = x;
    this.#n = n;
    this.#d = d;
    this.#columns = arena.f64(n * d);
    transposeInto(x, this.#columns.array);
    this.#order = arena.i32(n * d);
    this.#codes = arena.copyI32(codes);
    this.#signs = signsOf(codes, 1);
    this.#weights = arena.f64(n);
    this.#totals = arena.f64(K);
    this.#sums = arena.f64(2 * K * d);
    this.#found = arena.f64(2 * d);
    this.#leaves = arena.f64(2 * K);
    this.#sides = arena.u8(n);
    this.#sort();
  }

  #sort(): void {
    withArena(this.arena.where, (scratch) => {
      const chunks = Math.min(MAX_SORTERS, this.#d);
      const each = 3 * (this.#n + 1) + 1024; // 24 bytes per row, and eight tables of 256 counts
      const room = scratch.f64(chunks * each);
      const call = sortColumns({
        x: this.#columns.ptr,
        n: this.#n,
        d: this.#d,
        order: this.#order.ptr,
        scratch: room.ptr,
        chunks,
      });
      parallel(this.arena.heap, call, chunks, 100 * this.#n * this.#d);
    });
  }

  /**
   * out[i] = 1 if the last split of `best` misclassifies row i, else 0. `answers` are the predicted classes on the left and on the
   * right.
   */
  mistakesInto(answers: readonly [number, number], out: Uint8Array): void {
    const { K } = this;
    // A table instead of a branch, which could not be predicted.
    const wrong = Uint8Array.from({ length: 2 * K }, (_, e) => (e % K === answers[e < K ? 0 : 1] ? 0 : 1));
    const sides = this.#sides.array;
    const codes = this.#codes.array;
    for (let i = 0; i < out.length; i++) out[i] = wrong[sides[i]! * K + codes[i]!]!;
  }

  /** The best split for these weights, which are > 0 and sum to about 1. */
  best(weights: Float64Array): ScoredSplit {
    if (this.K === 2) this.#searchTwo(weights);
    else this.#searchMany(weights);
    const found = this.#found.array;
    let feature = -1;
    for (let j = 0; j < this.#d; j++) {
      if (found[2 * j + 1]! < 0) continue;
      if (feature < 0 || beats(found[2 * j]!, found[2 * feature]!)) feature = j;
    }
    if (feature < 0) return this.#constantSplit();
    const threshold = this.#threshold(feature, found[2 * feature + 1]!);
    return { feature, threshold, leaves: this.#splitRows(feature, threshold), score: found[2 * feature]! };
  }

  #searchTwo(weights: Float64Array): void {
    const n = this.#n;
    const signed = this.#weights.array;
    const signs = this.#signs;
    const totals = this.#totals.array;
    let total = 0;
    let difference = 0;
    for (let i = 0; i < n; i++) {
      const s = weights[i]! * signs[i]!;
      signed[i] = s;
      total += weights[i]!;
      difference += s;
    }
    totals[0] = (total - difference) / 2;
    totals[1] = (total + difference) / 2;
    const call = bestSplitsOfTwo({
      order: this.#order.ptr,
      n,
      d: this.#d,
      signed: this.#weights.ptr,
      weight: total,
      difference,
      byError: this.criterion === "error" ? 1 : 0,
      out: this.#found.ptr,
    });
    this.#run(call, Math.ceil(this.#d / 2), 6);
  }

  #searchMany(weights: Float64Array): void {
    const totals = this.#totals.array.fill(0);
    const codes = this.#codes.array;
    for (let i = 0; i < this.#n; i++) totals[codes[i]!]! += weights[i]!;
    this.#weights.array.set(weights);
    const call = bestSplitsOfMany({
      order: this.#order.ptr,
      n: this.#n,
      K: this.K,
      weights: this.#weights.ptr,
      codes: this.#codes.ptr,
      totals: this.#totals.ptr,
      byError: this.criterion === "error" ? 1 : 0,
      sums: this.#sums.ptr,
      out: this.#found.ptr,
    });
    this.#run(call, this.#d, 6 * this.K);
  }

  #run(call: ChunkCall, chunks: number, perEntry: number): void {
    const operations = perEntry * this.#n * this.#d;
    const whole = operations * this.searches;
    parallel(this.arena.heap, call, chunks, operations, undefined, whole);
  }

  /** The midpoint to the next value, or the value itself if the midpoint rounds up. */
  #threshold(feature: number, place: number): number {
    const at = feature * this.#n + place;
    const order = this.#order.array;
    const values = this.#columns.array;
    const from = feature * this.#n;
    const low = values[from + (order[at]! & 0x7fffffff)]!;
    const high = values[from + (order[at + 1]! & 0x7fffffff)]!;
    const middle = low / 2 + high / 2;
    return middle >= low && middle < high ? middle : low;
  }

  #splitRows(feature: number, threshold: number): Float64Array {
    const n = this.#n;
    const call = splitRows({
      column: this.#columns.at(feature * n),
      n,
      threshold,
      weights: this.#weights.ptr,
      codes: this.#codes.ptr,
      K: this.K,
      leaves: this.#leaves.ptr,
      sides: this.#sides.ptr,
    });
    this.arena.heap.call(call);
    return Float64Array.from(this.#leaves.array);
  }

  #constantSplit(): ScoredSplit {
    const totals = this.#totals.array;
    const leaves = new Float64Array(2 * this.K);
    leaves.set(totals);
    leaves.set(totals, this.K);
    this.#sides.array.fill(0);
    return { feature: -1, threshold: 0, leaves, score: -1 };
  }
}

/** Transposes; −0 becomes 0, so that equal values have equal bits. */
function transposeInto({ data, rows, cols }: Matrix, out: Float64Array<ArrayBufferLike>): void {
  for (let i = 0, e = 0; i < rows; i++) {
    for (let j = 0, at = i; j < cols; j++, e++, at += rows) out[at] = data[e]! + 0;
  }
}
