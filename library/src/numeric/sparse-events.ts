import type { CsrMatrix } from "../data/csr-matrix.js";
import { type Arena, withArena } from "./arena.js";
import { bayesKernels } from "./families.js";

/** How an entry becomes an event: 1 where (entry > threshold) differs from `flip`, else 0. Without it, entries are counts. */
export interface Threshold {
  readonly threshold: number;
  /** Whether zeros, which are not stored, are above the threshold. */
  readonly flip: boolean;
}

/** Below this many entries plain loops beat a trip to the arena. */
const SMALL = 4000;
/**
 * Entries of a streamed block: 192 KB, which stay in the second-level cache until the kernel reads them. One thread does it
 * all: the pass is as fast as memory, and a worker would be woken for a tenth of a millisecond of work.
 */
const BLOCK = 1 << 14;

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
  return withArena(where, (arena) => {
    const table = arena.copy(sums);
    const codesAt = arena.copyI32(codes);
    const s = weights ? arena.copy(weights) : undefined;
    const { sparseSums } = arena.heap.exports(bayesKernels);
    const status = overBlocks(arena, x, rule, (args, from) =>
      sparseSums!(...args, codesAt.ptr + from * 4, s ? s.ptr + from * 8 : 0, table.ptr, x.cols),
    );
    sums.set(table.array);
    return status;
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
    const table = arena.copy(K === even ? w : widened(w, K, even));
    const scores = arena.f64(x.rows * even);
    const { sparseScores } = arena.heap.exports(bayesKernels);
    const status = overBlocks(arena, x, rule, (args, from) =>
      sparseScores!(...args, table.ptr, even, scores.ptr + from * even * 8),
    );
    const found = scores.array;
    if (K === even) out.set(found);
    else
      for (let i = 0, e = 0; i < x.rows; i++) for (let k = 0; k < K; k++, e++) out[e] = found[i * even + k]!;
    return status;
  });
}

function widened(w: Float64Array, K: number, to: number): Float64Array {
  const d = w.length / K;
  const out = new Float64Array(d * to);
  for (let j = 0; j < d; j++) for (let k = 0; k < K; k++) out[j * to + k] = w[j * K + k]!;
  return out;
}

/**
 * Rows pass through the arena block by block. `visit` gets the first arguments of the kernels (indptr, base, indices, values,
 * rows, the rule and the status so far) and the number of the block's first row, and returns the new status.
 */
function overBlocks(
  arena: Arena,
  { rows, indptr, indices, values }: CsrMatrix,
  rule: Threshold | null,
  visit: (args: readonly number[], from: number) => number,
): number {
  const ends = blockEnds(indptr, rows);
  let most = 0;
  for (let b = 0; b < ends.length; b++)
    most = Math.max(most, indptr[ends[b]!]! - indptr[b === 0 ? 0 : ends[b - 1]!]!);
  const indptrAt = arena.copyI32(indptr);
  const [columns, numbers] = [arena.i32(most), arena.f64(most)];
  const asked = rule === null ? [0, 0, 0] : [1, rule.threshold, rule.flip ? 1 : 0];
  let status = 0;
  let from = 0;
  for (const to of ends) {
    const base = indptr[from]!;
    columns.array.set(indices.subarray(base, indptr[to]!));
    numbers.array.set(values.subarray(base, indptr[to]!));
    const args = [indptrAt.ptr + from * 4, base, columns.ptr, numbers.ptr, to - from, ...asked, status];
    status = visit(args, from);
    from = to;
  }
  return status;
}

/** Where blocks of whole rows end: as many rows as fit, and at least one. */
function blockEnds(indptr: Int32Array, rows: number): number[] {
  const ends: number[] = [];
  for (let from = 0; from < rows; ) {
    let to = from + 1;
    while (to < rows && indptr[to + 1]! - indptr[from]! <= BLOCK) to++;
    ends.push(to);
    from = to;
  }
  return ends;
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
