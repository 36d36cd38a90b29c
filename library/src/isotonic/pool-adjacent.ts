import { ascendingOrder } from "../core/sort-order.js";

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
  const points = distinct(x, y, weights);
  const values = pooled(
    points.y.map((v) => sign * v),
    points.w,
  );
  const clipped = values.map((v) => Math.min(Math.max(sign * v, yMin), yMax));
  const inner = (e: number) => clipped[e] === clipped[e - 1] && clipped[e] === clipped[e + 1];
  const kept = Int32Array.from(clipped.keys()).filter((e) => !inner(e));
  return {
    x: Float64Array.from(kept, (e) => points.x[e]!),
    y: Float64Array.from(kept, (e) => clipped[e]!),
  };
}

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
  return y[low]! + ((v - x[low]!) / (x[high]! - x[low]!)) * (y[high]! - y[low]!);
}
