import { gramChunk } from "../generated/gram.js";
import { DEPTH, PIECE } from "../generated/gram.layout.js";
import type { DenseRows } from "../rows/dense-rows.js";
import type { Arena, F64 } from "../runtime/arena.js";
import { parallel } from "../runtime/threads.js";

/** Partial results of a Gram matrix are m × m each, so there are only a few; blocks of rows are assigned to them in turn. */
function slotsOf(n: number, area: number): number {
  const most = Math.max(1, Math.min(16, Math.floor((32 * 2 ** 20) / (8 * area))));
  return Math.min(most, Math.ceil(n / PIECE));
}

export interface GramInput {
  /** Row weights ≥ 0. */
  readonly weights?: F64 | undefined;
  /** Subtracted from every row. */
  readonly mean?: Float64Array | undefined;
  /** Targets, one list after the other, appended as columns, minus yMean. */
  readonly y?: F64 | undefined;
  /** Their number; one if absent. */
  readonly targets?: number;
  readonly yMean?: Float64Array | undefined;
  /** Append a column of ones. */
  readonly ones?: boolean;
}

/** The memory of a Gram matrix: partial results and packed rows. Reused when the input changes. */
export interface GramWork {
  readonly arena: Arena;
  readonly rows: DenseRows;
  readonly input: GramInput;
  readonly mean: F64 | undefined;
  readonly yMean: F64 | undefined;
  readonly partials: F64;
  /** Doubles per slot: m² for its sum, the rest to pack rows. */
  readonly area: number;
  readonly slots: number;
  /** The side of the matrix, and that rounded up to tiles of four. */
  readonly side: number;
  readonly m: number;
}

export function gramWork(arena: Arena, rows: DenseRows, input: GramInput): GramWork {
  const side = rows.cols + targetsOf(input) + (input.ones ? 1 : 0);
  const m = Math.ceil(side / 4) * 4;
  const area = m * m + DEPTH * m;
  const slots = slotsOf(rows.rows, area);
  const mean = input.mean ? arena.copy(input.mean) : undefined;
  const yMean = input.yMean ? arena.copy(input.yMean) : undefined;
  return { arena, rows, input, mean, yMean, partials: arena.f64(slots * area), area, slots, side, m };
}

const targetsOf = ({ y, targets = 1 }: GramInput): number => (y ? targets : 0);

/**
 * Σ s_i u_i u_iᵀ with u = [x − mean, y − yMean, 1]; the full symmetric matrix of side d (+1 per target) (+1 with ones).
 * Second moments are centred before they are summed: raw sums lose all digits at an offset of 1e6.
 */
export function gramInto(work: GramWork, out: Float64Array): void {
  const { arena, rows, input, mean, yMean, area, slots, side, m } = work;
  const { weights, y, ones = false } = input;
  rows.forEachBlock((x, from, count, meanwhile) => {
    const call = gramChunk({
      x,
      n: count,
      d: rows.cols,
      s: weights?.at(from) ?? 0,
      mean: mean?.ptr ?? 0,
      y: y?.at(from) ?? 0,
      targets: targetsOf(input),
      stride: rows.rows * 8,
      yMean: yMean?.ptr ?? 0,
      ones: ones ? 1 : 0,
      out: work.partials.ptr,
      area: area * 8,
      m,
      fresh: from === 0 ? 1 : 0,
      first: from / PIECE,
      slots,
    });
    parallel(arena.heap, call, slots, count * m * m, meanwhile);
  });
  const partials = work.partials.array;
  for (let a = 0; a < side; a++) {
    for (let b = a; b < side; b++) {
      let sum = 0;
      for (let c = 0, at = a * m + b; c < slots; c++, at += area) sum += partials[at]!;
      out[a * side + b] = sum;
      out[b * side + a] = sum;
    }
  }
}
