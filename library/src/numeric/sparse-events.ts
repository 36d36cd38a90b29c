import type { CsrMatrix } from "../data/csr-matrix.js";
import { type Arena, type F64, type I32, withArena } from "./arena.js";
import { bayesKernels } from "./families.js";
import { parallel } from "./threads.js";

/** How an entry becomes an event: 1 where (entry > threshold) differs from `flip`, else 0. Without it, entries are counts. */
export interface Threshold {
  readonly threshold: number;
  /** Whether zeros, which are not stored, are above the threshold. */
  readonly flip: boolean;
}

/** Below this many entries plain loops beat a trip to the arena. */
const SMALL = 4000;
/** Entries of a streamed block: 1.5 MB, so that what was copied is still in a cache when the kernel reads it. */
const BLOCK = 1 << 17;
/** Of an entry, gathering included. Threads are started for the whole pass: a block alone would never be worth it. */
const OPERATIONS = 8;
/** Parts of a block that threads share. Rows do not depend on each other, so that any number gives the same result. */
const PARTS = 4;

/**
 * sums[k][j] += Σ of row weight × event over the rows of class k. One pass.
 * Returns the least of 0 and the entries (counts), or NaN if an entry is not finite (thresholds), else 0.
 */
export function addClassSums(
  where: string,
  x: CsrMatrix,
  codes: Int32Array,
  weights: Float64Array | undefined,
  rule: Threshold | null,
  sums: Float64Array,
): number {
  if (x.nonZeros <= SMALL) return smallSums(x, codes, weights, rule, sums);
  const K = sums.length / x.cols;
  return withArena(where, (arena) => {
    const table = arena.copy(sums);
    const status = arena.zeros(K);
    const codesAt = arena.copyI32(codes);
    const s = weights ? arena.copy(weights) : undefined;
    const work = OPERATIONS * x.nonZeros;
    forEachBlock(arena, x, (block, meanwhile) => {
      const args = [
        ...block.args,
        x.cols,
        codesAt.ptr + block.from * 4,
        s ? s.ptr + block.from * 8 : 0,
        ...ruleArgs(rule),
        table.ptr,
        status.ptr,
      ];
      parallel(arena.heap, bayesKernels, "sparseSumChunk", args, K, work, meanwhile);
    });
    sums.set(table.array);
    return worst(status.array);
  });
}

/** Rows × K scores Σ event × w[j], for w laid out d × K. One pass; returns as `addClassSums` does. */
export function eventScoresInto(
  where: string,
  x: CsrMatrix,
  w: Float64Array,
  K: number,
  rule: Threshold | null,
  out: Float64Array,
): number {
  if (x.nonZeros <= SMALL) return smallScores(x, w, K, rule, out);
  const even = K + (K % 2);
  return withArena(where, (arena) => {
    const table = K === even ? arena.copy(w) : arena.copy(widened(w, K, even));
    const status = arena.zeros(PARTS);
    const scores = arena.f64(x.rows * even);
    const work = OPERATIONS * x.nonZeros * (even / 2);
    forEachBlock(arena, x, (block, meanwhile) => {
      const chunkRows = Math.ceil(block.rows / PARTS);
      const args = [
        ...block.args,
        table.ptr,
        even,
        ...ruleArgs(rule),
        scores.ptr + block.from * even * 8,
        status.ptr,
        chunkRows,
      ];
      const parts = Math.ceil(block.rows / chunkRows);
      parallel(arena.heap, bayesKernels, "sparseScoreChunk", args, parts, work, meanwhile);
    });
    const found = scores.array;
    if (K === even) out.set(found);
    else
      for (let i = 0, e = 0; i < x.rows; i++) for (let k = 0; k < K; k++, e++) out[e] = found[i * even + k]!;
    return worst(status.array);
  });
}

const ruleArgs = (rule: Threshold | null): number[] =>
  rule === null ? [0, 0, 0] : [1, rule.threshold, rule.flip ? 1 : 0];

/** NaN if there is one, else the least. */
function worst(status: Float64Array<ArrayBufferLike>): number {
  return status.reduce((least, value) => (Number.isNaN(least) || value >= least ? least : value), 0);
}

function widened(w: Float64Array, K: number, to: number): Float64Array {
  const d = w.length / K;
  const out = new Float64Array(d * to);
  for (let j = 0; j < d; j++) for (let k = 0; k < K; k++) out[j * to + k] = w[j * K + k]!;
  return out;
}

interface SparseBlock {
  /** Its first row, and how many there are. */
  readonly from: number;
  readonly rows: number;
  /** indptr, base, indices, values and rows, as the kernels take them. */
  readonly args: readonly number[];
}

/** Rows that pass through two slots of the arena in turn, so that one can be filled while the other is read. */
function forEachBlock(
  arena: Arena,
  x: CsrMatrix,
  visit: (block: SparseBlock, meanwhile: () => void) => void,
): void {
  const { rows, indptr, indices, values } = x;
  const indptrAt = arena.copyI32(indptr);
  const slots: { indices: I32; values: F64 }[] = [];
  const fetch = (from: number, number: number): SparseBlock | undefined => {
    if (from >= rows) return undefined;
    const base = indptr[from]!;
    let to = from + 1;
    while (to < rows && indptr[to + 1]! - base <= BLOCK) to++;
    const entries = indptr[to]! - base;
    let slot = slots[number % 2];
    if (slot === undefined || slot.values.length < entries) {
      const size = Math.max(entries, Math.min(BLOCK, values.length));
      slot = { indices: arena.i32(size), values: arena.f64(size) };
      slots[number % 2] = slot;
    }
    slot.indices.array.set(indices.subarray(base, base + entries));
    slot.values.array.set(values.subarray(base, base + entries));
    const args = [indptrAt.ptr + from * 4, base, slot.indices.ptr, slot.values.ptr, to - from];
    return { from, rows: to - from, args };
  };
  let block = fetch(0, 0);
  for (let number = 1; block !== undefined; number++) {
    const end = block.from + block.rows;
    let next: SparseBlock | undefined;
    let fetched = false;
    visit(block, () => {
      next = fetch(end, number);
      fetched = true;
    });
    block = fetched ? next : fetch(end, number);
  }
}

function smallSums(
  { rows, cols, indptr, indices, values }: CsrMatrix,
  codes: Int32Array,
  weights: Float64Array | undefined,
  rule: Threshold | null,
  out: Float64Array,
): number {
  let status = 0;
  for (let i = 0; i < rows; i++) {
    const at = codes[i]! * cols;
    const weight = weights === undefined ? 1 : weights[i]!;
    for (let e = indptr[i]!, end = indptr[i + 1]!; e < end; e++) {
      const value = values[e]!;
      if (rule !== null) {
        status += value - value;
        if (value > rule.threshold !== rule.flip) out[at + indices[e]!]! += weight;
      } else {
        if (value < status) status = value;
        out[at + indices[e]!]! += weight * value;
      }
    }
  }
  return status;
}

/** The twin of the kernel: for two classes even and odd entries have sums of their own. */
function smallScores(
  { rows, indptr, indices, values }: CsrMatrix,
  w: Float64Array,
  K: number,
  rule: Threshold | null,
  out: Float64Array,
): number {
  let status = 0;
  const odd = new Float64Array(2);
  for (let i = 0; i < rows; i++) {
    const from = indptr[i]!;
    const end = indptr[i + 1]!;
    const to = i * K;
    out.fill(0, to, to + K);
    odd.fill(0);
    for (let e = from; e < end; e++) {
      const value = values[e]!;
      let event = value;
      if (rule !== null) {
        status += value - value;
        event = value > rule.threshold !== rule.flip ? 1 : 0;
      } else if (value < status) status = value;
      const at = indices[e]! * K;
      if (K === 2 && (e - from) % 2 === 1) {
        odd[0]! += event * w[at]!;
        odd[1]! += event * w[at + 1]!;
      } else for (let k = 0; k < K; k++) out[to + k]! += event * w[at + k]!;
    }
    if (K === 2) {
      out[to]! += odd[0]!;
      out[to + 1]! += odd[1]!;
    }
  }
  return status;
}
