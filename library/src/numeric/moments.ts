import type { Matrix } from "../data/matrix.js";
import { withArena } from "./arena.js";
import { streamedRows } from "./dense-rows.js";
import { columnMeans, columnVariances, gramInto } from "./gram.js";

/** Blocks of streamed passes are a multiple of this many rows. */
const ALIGN = 2048;

export interface Moments {
  /** Σ of the row weights. */
  readonly total: number;
  readonly mean: Float64Array;
  readonly yMean: number;
  /** Σ s [x − mean, y − yMean][x − mean, y − yMean]ᵀ, side d + 1. */
  readonly scatter: Float64Array;
}

/**
 * First and centred second moments of [X, y] in two streamed passes: all that least squares learns from rows.
 * With `centre` false nothing is subtracted.
 */
export function momentsOf(
  where: string,
  x: Matrix,
  y: Float64Array,
  weights: Float64Array | undefined,
  centre: boolean,
): Moments {
  return withArena(where, (arena) => {
    const rows = streamedRows(arena, x, ALIGN);
    const s = weights ? arena.copy(weights) : undefined;
    const { total, mean } = columnMeans(arena, rows, s);
    let yMean = 0;
    for (let i = 0; i < y.length; i++) yMean += (weights ? weights[i]! : 1) * y[i]!;
    yMean /= total;
    if (!centre) {
      mean.fill(0);
      yMean = 0;
    }
    const side = x.cols + 1;
    const scatter = new Float64Array(side * side);
    const input = { weights: s, y: arena.copy(y), yMean, ...(centre ? { mean } : {}) };
    gramInto(arena, rows, input, scatter);
    return { total, mean, yMean, scatter };
  });
}

/** Σ s [x, 1][x, 1]ᵀ. */
export function gramOf(where: string, x: Matrix, weights: Float64Array | undefined, out: Float64Array): void {
  withArena(where, (arena) => {
    const s = weights ? arena.copy(weights) : undefined;
    gramInto(arena, streamedRows(arena, x, ALIGN), { weights: s, ones: true }, out);
  });
}

/** Weighted mean and population variance of every column. */
export function columnMoments(
  where: string,
  x: Matrix,
  weights: Float64Array | undefined,
): { total: number; mean: Float64Array; variance: Float64Array } {
  return withArena(where, (arena) => {
    const rows = streamedRows(arena, x, ALIGN);
    const s = weights ? arena.copy(weights) : undefined;
    const { total, mean } = columnMeans(arena, rows, s);
    return { total, mean, variance: columnVariances(arena, rows, s, total, mean) };
  });
}
