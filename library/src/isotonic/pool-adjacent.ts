import { ascendingOrder } from "../core/numbers/sort-order.js";
import { largestSize, unitScale } from "../numeric/rows/unit-scale.js";

/** A monotone function: linear between knots, constant outside. */
export interface MonotoneCurve {
  /** Ascending. */
  readonly x: Float64Array;
  readonly y: Float64Array;
}

/** What bounds a fit. */
export interface Bounds {
  readonly increasing: boolean;
  readonly yMin: number;
  readonly yMax: number;
}

/**
 * Isotonic regression by pooling adjacent violators [Best & Chakravarti 1990]:
 *
 *   minimise Σᵢ wᵢ (yᵢ − f(xᵢ))²   over all f that do not decrease (or increase)
 *
 * Rows of one x are one point, their weighted mean. Of points in a block of equal values only the ends are knots. `weights` are positive.
 */
export function fitMonotone(
  x: Float64Array,
  y: Float64Array,
  weights: Float64Array | undefined,
  { increasing, yMin, yMax }: Bounds,
): MonotoneCurve {
  const sign = increasing ? 1 : -1;
  const scaled = brought(y, LARGEST.y);
  const points = distinct(x, scaled.values, weights && relative(weights));
  const values = pooled(
    points.y.map((v) => sign * v),
    points.w,
  );
  const clipped = values.map((v) => Math.min(Math.max(scaled.back(sign * v), yMin), yMax));
  const inner = (e: number) => clipped[e] === clipped[e - 1] && clipped[e] === clipped[e + 1];
  const kept = Int32Array.from(clipped.keys()).filter((e) => !inner(e));
  return {
    x: Float64Array.from(kept, (e) => points.x[e]!),
    y: Float64Array.from(kept, (e) => clipped[e]!),
  };
}

/** Targets and weights are brought to these sizes: their products and sums do not overflow, and small ones underflow late. */
const LARGEST = { y: 2 ** 500, weight: 2 ** 400 };

/** Numbers times powers of two, the largest between `size` and twice that; and the way back. */
function brought(values: Float64Array, size: number) {
  const unit = unitScale(largestSize(values));
  // A mean of the largest doubles may be rounded to more than them.
  const back = (v: number) => Math.max(-Number.MAX_VALUE, Math.min(v / size / unit, Number.MAX_VALUE));
  return { values: values.map((v) => v * unit * size), back };
}

/** Weights below 2^-900 of the largest count as that: none becomes 0. */
const relative = (weights: Float64Array): Float64Array =>
  brought(weights, LARGEST.weight).values.map((w) => Math.max(w, 2 ** -500));

/** x that differ by less are one point, as in scikit-learn: probabilities near 1 differ by rounding. */
const RESOLUTION = 1e-15;

/** Distinct x, ascending, with the weighted mean of their y. */
function distinct(x: Float64Array, y: Float64Array, weights: Float64Array | undefined) {
  const [xs, sums, ws]: [number[], number[], number[]] = [[], [], []];
  for (const i of ascendingOrder(x)) {
    const w = weights ? weights[i]! : 1;
    if (xs.length === 0 || x[i]! - xs.at(-1)! >= RESOLUTION) {
      xs.push(x[i]!);
      sums.push(0);
      ws.push(0);
    }
    sums[xs.length - 1]! += w * y[i]!;
    ws[xs.length - 1]! += w;
  }
  return {
    x: Float64Array.from(xs),
    y: Float64Array.from(sums, (sum, e) => sum / ws[e]!),
    w: Float64Array.from(ws),
  };
}

/** The closest values that do not decrease: a block takes in the one before it while that is no smaller. */
function pooled(y: Float64Array, w: Float64Array): Float64Array {
  const starts: number[] = [];
  const means: number[] = [];
  const weights: number[] = [];
  for (let e = 0; e < y.length; e++) {
    let [start, mean, weight] = [e, y[e]!, w[e]!];
    while (means.length > 0 && means.at(-1)! >= mean) {
      const other = weights.pop()!;
      mean = (means.pop()! * other + mean * weight) / (other + weight);
      weight += other;
      start = starts.pop()!;
    }
    starts.push(start);
    means.push(mean);
    weights.push(weight);
  }
  const out = new Float64Array(y.length);
  starts.forEach((start, b) => {
    out.fill(means[b]!, start, starts[b + 1] ?? y.length);
  });
  return out;
}

/** The value at v: linear between knots, constant outside. */
export function valueAt({ x, y }: MonotoneCurve, v: number): number {
  const last = x.length - 1;
  if (v <= x[0]!) return y[0]!;
  if (v >= x[last]!) return y[last]!;
  let [low, high] = [0, last];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (x[middle]! <= v) low = middle;
    else high = middle;
  }
  return between(y[low]!, y[high]!, shareOf(x[low]!, x[high]!, v));
}

/** Where v lies between two numbers, from 0 to 1. */
function shareOf(low: number, high: number, v: number): number {
  if (high - low < Infinity) return (v - low) / (high - low);
  return (v / 2 - low / 2) / (high / 2 - low / 2);
}

function between(low: number, high: number, share: number): number {
  if (Math.abs(high - low) < Infinity) return low + share * (high - low);
  return low * (1 - share) + high * share;
}
