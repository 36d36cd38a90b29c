import { Matrix } from "../../data/matrix.js";
import { gramInto, gramWork } from "../linalg/gram.js";
import { type Arena, type F64, withArena } from "../runtime/arena.js";
import { streamedRows } from "./dense-rows.js";

/** Blocks of streamed passes are a multiple of this many rows, the block size of the Gram kernel. */
export const ALIGN = 2048;
/**
 * Sums around a centre c are shifted to the mean m afterwards. If (m − c)² is at most this many variances, the subtraction loses
 * less than two digits; otherwise a second pass computes the sums around m.
 */
export const LARGEST_SHIFT = 30;
/** Sums of squares below this are close to the subnormal numbers and lose digits: 2⁻¹⁰²² × 2⁵² ≈ 1e-292. */
export const SMALLEST_SQUARES = 1e-290;
/** Rows of the sample whose mean is the first centre. */
const SAMPLE_ROWS = 512;

/** Mean and centred squares per column: raw second moments cancel, and at an offset of 1e6 give a negative variance. */
export interface ColumnSums {
  readonly mean: Float64Array;
  /** Σ s (x − mean)². */
  readonly squares: Float64Array;
}

/**
 * Merges the mean and the squares of more rows of one column into entry e [Chan, Golub & LeVeque 1983, eq. 2.1]. `before` is the
 * weight of the rows so far, `weight` that of the new ones.
 */
export function mergeInto(
  before: number,
  weight: number,
  mean: number,
  squares: number,
  e: number,
  out: ColumnSums,
): void {
  const fraction = weight > 0 ? weight / (before + weight) : 0;
  const delta = mean - out.mean[e]!;
  if (fraction === 1) out.mean[e] = mean;
  else out.mean[e]! += delta * fraction;
  out.squares[e]! += squares + delta * delta * before * fraction;
}

/** Weight, mean and scatter of a set of rows. */
export interface Scatter {
  /** Σ of the row weights. */
  readonly count: number;
  readonly mean: Float64Array;
  /** Σ s (x − mean)(x − mean)ᵀ, d × d: centred, since raw second moments cancel far from the origin. */
  readonly scatter: Float64Array;
}

/** `mergeInto` for matrices: the scatter of two sets of rows together. */
export function mergeScatter(a: Scatter, b: Scatter): Scatter {
  const count = a.count + b.count;
  if (count === 0) return a;
  const d = a.mean.length;
  const delta = b.mean.map((m, j) => m - a.mean[j]!);
  const fraction = b.count / count;
  const mean = a.mean.map((m, j) => m + delta[j]! * fraction);
  const scatter = new Float64Array(d * d);
  for (let i = 0, e = 0; i < d; i++) {
    const moved = delta[i]! * a.count * fraction;
    for (let j = 0; j < d; j++, e++) scatter[e] = a.scatter[e]! + b.scatter[e]! + moved * delta[j]!;
  }
  return { count, mean, scatter };
}

/** Mean of at most 512 rows, evenly spaced among `rows` (or all): a centre near the mean of all of them. */
export function sampleMean({ data, rows: n, cols }: Matrix, rows?: Int32Array): Float64Array {
  const count = rows?.length ?? n;
  const sampled = Math.min(count, SAMPLE_ROWS);
  const mean = new Float64Array(cols);
  const weight = 1 / sampled;
  for (let e = 0; e < sampled; e++) {
    const r = Math.floor((e * count) / sampled);
    const at = (rows === undefined ? r : rows[r]!) * cols;
    for (let j = 0; j < cols; j++) mean[j]! += data[at + j]! * weight;
  }
  return mean;
}

/**
 * Moves sums around `centre` to the mean m that they imply; `offset` is Σ s (x − centre), and `scatter` is overwritten:
 *
 *   Σ s (x − m)(x − m)ᵀ = Σ s (x − c)(x − c)ᵀ − Σ s · (m − c)(m − c)ᵀ
 *
 * `shift` is the largest (m − c)² of a column in variances: above `LARGEST_SHIFT`, the sums must be recomputed around m.
 */
export function recentred(
  centre: Float64Array,
  count: number,
  offset: Float64Array,
  scatter: Float64Array,
): { moments: Scatter; shift: number } {
  const d = centre.length;
  let shift = 0;
  for (let i = 0; i < d; i++) {
    const moved = offset[i]! / count;
    for (let j = 0; j <= i; j++) {
      scatter[i * d + j]! -= moved * offset[j]!;
      scatter[j * d + i] = scatter[i * d + j]!;
    }
    const own = moved * offset[i]!;
    if (own > 0) shift = Math.max(shift, own / Math.max(scatter[i * d + i]!, Number.MIN_VALUE));
  }
  const mean = centre.map((c, j) => c + offset[j]! / count);
  return { moments: { count, mean, scatter }, shift };
}

/** Sums of [x, 1][x, 1]ᵀ around a centre, `side` = d + 1 per row, as offset, weight and d × d scatter around the mean. */
export function splitSums(sums: Float64Array, centre: Float64Array): { moments: Scatter; shift: number } {
  const d = centre.length;
  const side = d + 1;
  const offset = new Float64Array(d);
  const scatter = new Float64Array(d * d);
  for (let i = 0; i < d; i++) {
    scatter.set(sums.subarray(i * side, i * side + d), i * d);
    offset[i] = sums[i * side + d]!;
  }
  return recentred(centre, sums[side * side - 1]!, offset, scatter);
}

export interface Moments {
  /** Σ of the row weights. */
  readonly total: number;
  readonly mean: Float64Array;
  readonly yMean: number;
  /** Σ s [x − mean, y − yMean][x − mean, y − yMean]ᵀ, side d + 1. */
  readonly scatter: Float64Array;
}

/**
 * First and centred second moments of [X, y]: the sufficient statistics of least squares. With `centre` false nothing is
 * subtracted.
 *
 * One streamed pass: the rows are centred on the mean c of a sample, and the sums are shifted to the true mean m, which is
 * accurate while m − c is at most a few standard deviations. If the sample is less representative (sorted rows with a trend),
 * a second pass centres on m itself.
 */
export function momentsOf(
  where: string,
  x: Matrix,
  y: Float64Array,
  weights: Float64Array | undefined,
  centre: boolean,
): Moments {
  const { yMean, ...moments } = targetMoments(where, x, [y], weights, centre);
  return { ...moments, yMean: yMean[0]! };
}

/** The moments of several targets: of [X, Y]. */
export interface TargetMoments extends Omit<Moments, "yMean"> {
  readonly yMean: Float64Array;
}

/** `momentsOf` for several targets in the same passes; the scatter has side d + targets. */
export function targetMoments(
  where: string,
  x: Matrix,
  y: readonly Float64Array[],
  weights: Float64Array | undefined,
  centre: boolean,
): TargetMoments {
  const d = x.cols;
  const side = d + y.length;
  return withArena(where, (arena) => {
    const s = weights ? arena.copy(weights) : undefined;
    const rows = streamedRows(arena, x, ALIGN);
    const targets = { y: copyTargets(arena, y), targets: y.length };
    if (!centre) {
      const scatter = new Float64Array(side * side);
      gramInto(gramWork(arena, rows, { weights: s, ...targets }), scatter);
      const total = weights ? weights.reduce((sum, v) => sum + v, 0) : x.rows;
      return { total, mean: new Float64Array(d), yMean: new Float64Array(y.length), scatter };
    }
    let origin: Float64Array = new Float64Array(side);
    origin.set(sampleMean(x));
    for (const [t, target] of y.entries()) origin.set(sampleMean(new Matrix(target, x.rows, 1)), d + t);
    for (let pass = 0; ; pass++) {
      const sums = new Float64Array((side + 1) ** 2);
      const around = { mean: origin.subarray(0, d), yMean: origin.subarray(d) };
      gramInto(gramWork(arena, rows, { weights: s, ...targets, ones: true, ...around }), sums);
      const { moments, shift } = splitSums(sums, origin);
      const { count: total, mean, scatter } = moments;
      if (pass > 0 || shift <= LARGEST_SHIFT)
        return { total, mean: mean.slice(0, d), yMean: mean.slice(d), scatter };
      origin = mean;
    }
  });
}

/** The targets one after the other in the arena. */
function copyTargets(arena: Arena, y: readonly Float64Array[]): F64 {
  const n = y[0]!.length;
  const all = arena.f64(n * y.length);
  for (const [t, target] of y.entries()) all.array.set(target, t * n);
  return all;
}

/** Σ s [x, 1][x, 1]ᵀ. */
export function gramOf(where: string, x: Matrix, weights: Float64Array | undefined, out: Float64Array): void {
  withArena(where, (arena) => {
    const s = weights ? arena.copy(weights) : undefined;
    gramInto(gramWork(arena, streamedRows(arena, x, ALIGN), { weights: s, ones: true }), out);
  });
}
