import type { CsrMatrix } from "../../data/csr-matrix.js";
import { checkRows } from "../../data/input.js";
import { sparseScoresChunk, sparseSumsChunk } from "../generated/bayes.js";
import { eachBlock } from "../rows/dense-rows.js";
import { type Arena, withArena } from "../runtime/arena.js";
import { addPartials } from "../runtime/chunks.js";
import type { ChunkCall } from "../runtime/kernels.js";
import { parallel } from "../runtime/threads.js";

/** How an entry becomes an event: 1 where (entry > threshold) differs from `flip`, else 0. Without it, entries are counts. */
export interface Threshold {
  readonly threshold: number;
  /** Whether zeros, which are not stored, are above the threshold. */
  readonly flip: boolean;
}

/** Below this many entries plain loops are faster than a copy to the arena. */
const SMALL = 4000;
/** Entries of a streamed block: 768 KB, two tenths of a millisecond of work for two threads. */
const BLOCK = 1 << 16;
/** Chunks per block, whatever the number of threads: sums must not depend on it. */
const PARTS = 2;

/**
 * sums[k][j] += Σ of row weight × event over the rows of class k. One pass.
 * Returns the least of 0 and the entries (counts), or NaN if an entry is not finite (thresholds), else 0. Also checks the
 * indices.
 */
export function addClassSums(
  where: string,
  x: CsrMatrix,
  codes: Int32Array,
  weights: Float64Array | undefined,
  rule: Threshold | null,
  sums: Float64Array,
): number {
  if (x.nonZeros <= SMALL) return smallSums(checkRows(where, x), codes, weights, rule, sums);
  return withArena(where, (arena) => {
    const tables = arena.zeros(PARTS * sums.length);
    const codesAt = arena.copyI32(codes);
    const s = weights ? arena.copy(weights) : undefined;
    const status = overBlocks(where, arena, x, rule, (block, from) =>
      sparseSumsChunk({
        ...block,
        codes: codesAt.at(from),
        s: s?.at(from) ?? 0,
        sums: tables.ptr,
        area: sums.length * 8,
        d: x.cols,
      }),
    );
    addPartials(tables.array, PARTS, sums);
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
  if (x.nonZeros <= SMALL) return smallScores(checkRows(where, x), w, K, rule, out);
  const even = K + (K % 2);
  return withArena(where, (arena) => {
    const table = arena.copy(K === even ? w : widened(w, K, even));
    const scores = arena.f64(x.rows * even);
    const status = overBlocks(where, arena, x, rule, (block, from) =>
      sparseScoresChunk({ ...block, w: table.ptr, d: x.cols, K: even, out: scores.at(from * even) }),
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

/** What both kernels of sparse rows are given. */
type BlockArguments = Omit<Parameters<typeof sparseScoresChunk>[0], "w" | "d" | "K" | "out">;

/**
 * Rows are streamed through two slots of the arena block by block: while other threads work on one block this one copies the
 * next. `call` adds what is its own to the arguments of a block that begins at the given row.
 * Returns the least status of all chunks.
 */
function overBlocks(
  where: string,
  arena: Arena,
  x: CsrMatrix,
  rule: Threshold | null,
  call: (block: BlockArguments, from: number) => ChunkCall,
): number {
  const { rows, indptr, indices, values } = x;
  const ends = blockEnds(indptr, rows);
  const starts = ends.map((_, b) => (b === 0 ? 0 : ends[b - 1]!));
  const most = ends.reduce((longest, to, b) => Math.max(longest, indptr[to]! - indptr[starts[b]!]!), 0);
  const indptrAt = arena.copyI32(indptr);
  const slots = [0, 1].map(() => ({ columns: arena.i32(most), numbers: arena.f64(most) }));
  const states = arena.zeros(2 * PARTS);
  const asked = {
    binary: rule === null ? 0 : 1,
    threshold: rule?.threshold ?? 0,
    flip: rule?.flip ? 1 : 0,
    states: states.ptr,
    chunks: PARTS,
  };
  const fetch = (b: number) => {
    const { columns, numbers } = slots[b % 2]!;
    columns.array.set(indices.subarray(indptr[starts[b]!]!, indptr[ends[b]!]!));
    numbers.array.set(values.subarray(indptr[starts[b]!]!, indptr[ends[b]!]!));
  };
  eachBlock(ends.length, fetch, (b, meanwhile) => {
    const [from, to] = [starts[b]!, ends[b]!];
    const { columns, numbers } = slots[b % 2]!;
    const base = indptr[from]!;
    const block = {
      indptr: indptrAt.at(from),
      base,
      indices: columns.ptr,
      values: numbers.ptr,
      n: to - from,
    };
    const operations = OPERATIONS * (indptr[to]! - base);
    const whole = OPERATIONS * indptr[rows]!;
    parallel(arena.heap, call({ ...asked, ...block }, from), PARTS, operations, meanwhile, whole);
  });
  if (states.array.subarray(PARTS).includes(1)) checkRows(where, x);
  return states.array
    .subarray(0, PARTS)
    .reduce((least, state) => (state <= least ? state : Number.isNaN(state) ? state : least), 0);
}

/** Cost of an entry in floating-point operations, mostly memory latency. */
const OPERATIONS = 12;

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

/** The twin of the kernel: with two classes, even and odd entries have separate sums. */
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
