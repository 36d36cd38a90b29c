import type { Matrix } from "../../data/matrix.js";
import { signsOf } from "../../data/training-set.js";
import { Arena, type F64, type I32, type U8 } from "../runtime/arena.js";
import { parallel } from "../runtime/threads.js";
import { stumpsKernels } from "../runtime/wasm-modules.js";

export type SplitCriterion = "gini" | "error";

/** Rows whose value in `feature` is at most `threshold` go left. Without any two values that differ, feature is −1. */
export interface Split {
  readonly feature: number;
  readonly threshold: number;
  /** Weight of each class, left in the first K places, right in the others. */
  readonly leaves: Float64Array;
}

/** Columns are sorted by this many threads at most, each with room of its own. */
const SORTERS = 8;

/**
 * Finds the best split of one column for changing weights: the columns are sorted once, then every search is one pass over
 * them. Of equal splits the one in the first column with the lowest threshold wins.
 */
export class StumpSearch {
  readonly #arena: Arena;
  readonly #columns: F64;
  readonly #order: I32;
  readonly #codes: I32;
  /** Two classes: weights with the sign of the class. More: weights. */
  readonly #weights: F64;
  readonly #totals: F64;
  readonly #sums: F64;
  readonly #found: F64;
  /** −1 for rows of the first of two classes, 1 for the others. */
  readonly #signs: Float64Array;
  readonly #leaves: F64;
  /** Bytes, one per row. */
  readonly #sides: U8;
  readonly #n: number;
  readonly #d: number;

  /** `searches`: how many there will be, roughly, which decides whether workers are started. */
  constructor(
    where: string,
    x: Matrix,
    codes: Int32Array,
    private readonly K: number,
    private readonly criterion: SplitCriterion,
    private readonly searches: number,
  ) {
    const arena = new Arena(where);
    this.#arena = arena;
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
    const scratch = new Arena(this.#arena.where, true);
    try {
      const chunks = Math.min(SORTERS, this.#d);
      const each = 3 * (this.#n + 1) + 1024; // 24 bytes per row, and eight tables of 256 counts
      const room = scratch.f64(chunks * each);
      const args = [this.#columns.ptr, this.#n, this.#d, this.#order.ptr, room.ptr, chunks];
      parallel(this.#arena.heap, stumpsKernels, "sortColumns", args, chunks, 100 * this.#n * this.#d);
    } finally {
      scratch.close();
    }
  }

  /**
   * out[i] = 0 where a split answers with the row's class, else 1: of the split that `best` found last. `answers` are the classes
   * on its left and right.
   */
  mistakesInto(answers: readonly [number, number], out: Uint8Array): void {
    const { K } = this;
    // One look-up per row: branches that go either way half of the time cost more than all else here.
    const wrong = Uint8Array.from({ length: 2 * K }, (_, e) => (e % K === answers[e < K ? 0 : 1] ? 0 : 1));
    const sides = this.#sides.array;
    const codes = this.#codes.array;
    for (let i = 0; i < out.length; i++) out[i] = wrong[sides[i]! * K + codes[i]!]!;
  }

  /** `weights` are > 0 and sum to something near 1. */
  best(weights: Float64Array): Split {
    if (this.K === 2) this.#searchTwo(weights);
    else this.#searchMany(weights);
    const found = this.#found.array;
    let feature = -1;
    for (let j = 0; j < this.#d; j++) {
      if (found[2 * j + 1]! < 0) continue;
      // As in the kernel: smaller differences are rounding.
      if (feature < 0 || found[2 * j]! > found[2 * feature]! * (1 + 1e-12)) feature = j;
    }
    if (feature < 0) return this.#unsplit();
    const threshold = this.#threshold(feature, found[2 * feature + 1]!);
    return { feature, threshold, leaves: this.#divide(feature, threshold) };
  }

  close(): void {
    this.#arena.close();
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
    const args = [
      this.#order.ptr,
      n,
      this.#d,
      this.#weights.ptr,
      total,
      difference,
      this.criterion === "error" ? 1 : 0,
      this.#found.ptr,
    ];
    this.#run("bestSplitsOfTwo", args, Math.ceil(this.#d / 2), 6);
  }

  #searchMany(weights: Float64Array): void {
    const totals = this.#totals.array.fill(0);
    const codes = this.#codes.array;
    for (let i = 0; i < this.#n; i++) totals[codes[i]!]! += weights[i]!;
    this.#weights.array.set(weights);
    const args = [
      this.#order.ptr,
      this.#n,
      this.K,
      this.#weights.ptr,
      this.#codes.ptr,
      this.#totals.ptr,
      this.criterion === "error" ? 1 : 0,
      this.#sums.ptr,
      this.#found.ptr,
    ];
    this.#run("bestSplitsOfMany", args, this.#d, 6 * this.K);
  }

  #run(name: string, args: readonly number[], chunks: number, perEntry: number): void {
    const operations = perEntry * this.#n * this.#d;
    const whole = operations * this.searches;
    parallel(this.#arena.heap, stumpsKernels, name, args, chunks, operations, undefined, whole);
  }

  /** Half-way to the next value, unless that rounds up to it. */
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

  #divide(feature: number, threshold: number): Float64Array {
    const n = this.#n;
    const split = this.#arena.heap.exports(stumpsKernels)["splitRows"]!;
    const column = this.#columns.ptr + feature * n * 8;
    const rows = [column, n, threshold, this.#weights.ptr, this.#codes.ptr, this.K];
    split(...rows, this.#leaves.ptr, this.#sides.ptr);
    return Float64Array.from(this.#leaves.array);
  }

  #unsplit(): Split {
    const totals = this.#totals.array;
    const leaves = new Float64Array(2 * this.K);
    leaves.set(totals);
    leaves.set(totals, this.K);
    this.#sides.array.fill(0);
    return { feature: -1, threshold: 0, leaves };
  }
}

/** Column after column; −0 becomes 0, so that equal values have equal bits. */
function transposeInto({ data, rows, cols }: Matrix, out: Float64Array<ArrayBufferLike>): void {
  for (let i = 0, e = 0; i < rows; i++) {
    for (let j = 0, at = i; j < cols; j++, e++, at += rows) out[at] = data[e]! + 0;
  }
}
