import type { Matrix } from "../../data/matrix.js";
import { columnMeans, columnVariances, gramInto, gramWork } from "../linalg/gram.js";
import { type Arena, type F64, withArena } from "../runtime/arena.js";
import { type DenseRows, streamedRows } from "./dense-rows.js";

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
 * First and centred second moments of [X, y]: all that least squares learns from rows. With `centre` false nothing is
 * subtracted.
 *
 * One streamed pass: the rows are centred on the mean c of a sample, and the sums are moved to the true mean m by
 *
 *   Σ s (u − m)(u − m)ᵀ = Σ s (u − c)(u − c)ᵀ − Σ s · (m − c)(m − c)ᵀ
 *
 * which loses nothing while m − c is no larger than a few standard deviations. Where the sample was that wrong (sorted
 * rows with a trend and no luck), a second pass centres on m itself.
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
    const targets = arena.copy(y);
    if (!centre) {
      const side = x.cols + 1;
      const scatter = new Float64Array(side * side);
      gramInto(gramWork(arena, rows, { weights: s, y: targets }), scatter);
      const total = weights ? weights.reduce((sum, v) => sum + v, 0) : x.rows;
      return { total, mean: new Float64Array(x.cols), yMean: 0, scatter };
    }
    let centreOn = sampleMean(x, y);
    for (let pass = 0; ; pass++) {
      const { moments, shift } = centredPass(arena, rows, s, targets, centreOn);
      if (pass > 0 || shift <= LARGEST_SHIFT) return moments;
      centreOn = { mean: moments.mean, yMean: moments.yMean };
    }
  });
}

/** (m − c)² may be this many variances: then the subtraction costs less than two digits. */
const LARGEST_SHIFT = 30;
/** Rows of the sample whose mean is subtracted. */
const SAMPLE_ROWS = 512;

function sampleMean(x: Matrix, y: Float64Array): { mean: Float64Array; yMean: number } {
  const { rows, cols, data } = x;
  const count = Math.min(rows, SAMPLE_ROWS);
  const mean = new Float64Array(cols);
  let yMean = 0;
  for (let e = 0; e < count; e++) {
    const i = Math.floor((e * rows) / count);
    for (let j = 0; j < cols; j++) mean[j]! += data[i * cols + j]!;
    yMean += y[i]!;
  }
  return { mean: mean.map((sum) => sum / count), yMean: yMean / count };
}

/** One pass around a given centre, and the largest shift to the true mean, in variances. */
function centredPass(
  arena: Arena,
  rows: DenseRows,
  s: F64 | undefined,
  y: F64,
  centre: { readonly mean: Float64Array; readonly yMean: number },
): { moments: Moments; shift: number } {
  const d = rows.cols;
  const wide = d + 2;
  const sums = new Float64Array(wide * wide);
  gramInto(gramWork(arena, rows, { weights: s, y, ones: true, ...centre }), sums);
  const total = sums[wide * wide - 1]!;
  const offset = Float64Array.from({ length: d + 1 }, (_, j) => sums[j * wide + d + 1]! / total);
  const side = d + 1;
  const scatter = new Float64Array(side * side);
  let shift = 0;
  for (let i = 0; i < side; i++) {
    for (let j = 0; j < side; j++)
      scatter[i * side + j] = sums[i * wide + j]! - total * offset[i]! * offset[j]!;
    const moved = total * offset[i]! * offset[i]!;
    if (moved > 0) shift = Math.max(shift, moved / Math.max(scatter[i * side + i]!, Number.MIN_VALUE));
  }
  const mean = centre.mean.map((c, j) => c + offset[j]!);
  return { moments: { total, mean, yMean: centre.yMean + offset[d]!, scatter }, shift };
}

/** Σ s [x, 1][x, 1]ᵀ. */
export function gramOf(where: string, x: Matrix, weights: Float64Array | undefined, out: Float64Array): void {
  withArena(where, (arena) => {
    const s = weights ? arena.copy(weights) : undefined;
    gramInto(gramWork(arena, streamedRows(arena, x, ALIGN), { weights: s, ones: true }), out);
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
