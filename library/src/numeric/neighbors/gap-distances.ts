import type { Matrix } from "../../data/matrix.js";
import { gapDistancesChunk } from "../generated/gap-distances.js";
import { withArena } from "../runtime/arena.js";
import { parallel } from "../runtime/threads.js";

/** Rows of a panel: see wasm/neighbors/gap-distances.ts. */
const PANEL = 8;
/** Queries per chunk, and per block, whose distances are in memory at once. */
const CHUNK = 16;
const BLOCK = 256;

/** Largest entry beyond which squares may overflow, and below whose reciprocal they may vanish. */
const BOUND = 2 ** 500;

/** A power of two for every query that keeps squares of differences within a double: 1 unless numbers are extreme. */
function scalesOf(columns: readonly Float64Array[], z: Matrix): Float64Array {
  const largest = columns.map((column) => {
    let most = 0;
    for (let r = 0; r < column.length; r++) if (Math.abs(column[r]!) > most) most = Math.abs(column[r]!);
    return most;
  });
  const scales = new Float64Array(z.rows).fill(1);
  for (let i = 0, e = 0; i < z.rows; i++) {
    let most = 0;
    for (let j = 0; j < z.cols; j++, e++) {
      const value = Math.abs(z.data[e]!);
      if (!Number.isNaN(value)) most = Math.max(most, value, largest[j]!);
    }
    if (most > BOUND) scales[i] = 2 ** -600;
    else if (most < 1 / BOUND && most > 0) scales[i] = 2 ** 600;
  }
  return scales;
}

/**
 * Squared distances of the rows of z from rows given by column, both with gaps (NaN), over the columns that both have,
 *
 *   d(x, z)² = D / |C| · Σ_{j ∈ C} (xⱼ − zⱼ)²,      C = columns present in both, D = number of columns         [Dixon 1979]
 *
 * up to a factor of the query; NaN where C is empty. `take` gets a view per query that is valid during the call only.
 */
export function eachGapDistances(
  where: string,
  columns: readonly Float64Array[],
  z: Matrix,
  take: (query: number, squares: Float64Array<ArrayBufferLike>) => void,
): void {
  const n = columns[0]!.length;
  const d = columns.length;
  const panelCount = Math.ceil(n / PANEL);
  const width = panelCount * PANEL;
  const scales = scalesOf(columns, z);
  withArena(where, (arena) => {
    const panels = arena.f64(width * d);
    const packed = panels.array.fill(Number.NaN);
    for (const [j, column] of columns.entries())
      for (let r = 0; r < n; r++) packed[((r >> 3) * d + j) * PANEL + (r & 7)] = column[r]!;
    const block = Math.min(BLOCK, z.rows);
    const queries = arena.f64(block * d);
    const factors = arena.f64(block);
    const out = arena.f64(block * width);
    for (let from = 0; from < z.rows; from += block) {
      const count = Math.min(block, z.rows - from);
      queries.array.set(z.data.subarray(from * d, (from + count) * d));
      factors.array.set(scales.subarray(from, from + count));
      const operations = 3 * count * n * d;
      const whole = 3 * z.rows * n * d;
      const chunks = Math.ceil(count / CHUNK);
      const call = gapDistancesChunk({
        panels: panels.ptr,
        panelCount,
        d,
        queries: queries.ptr,
        scales: factors.ptr,
        count,
        out: out.ptr,
        chunkRows: CHUNK,
      });
      parallel(arena.heap, call, chunks, operations, undefined, whole);
      for (let r = 0; r < count; r++) take(from + r, out.array.subarray(r * width, r * width + n));
    }
  });
}
