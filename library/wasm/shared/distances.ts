import { CHEBYSHEV, COSINE, EUCLIDEAN, HAMMING, MANHATTAN, MINKOWSKI } from "../neighbors/neighbors.layout";
import { logOf, vexp } from "./elementary";

/**
 * Reduced distances of two rows of d doubles: the same order as the metric, at a lower cost.
 *
 *   EUCLIDEAN   Σ (x_j − y_j)²          MINKOWSKI   Σ |x_j − y_j|^p        COSINE   1 − x·y / (‖x‖ ‖y‖)
 *   MANHATTAN   Σ |x_j − y_j|           HAMMING     fraction of x_j ≠ y_j
 *   CHEBYSHEV   max |x_j − y_j|         JACCARD     of the j with x_j or y_j not 0, the fraction with exactly one of them
 *
 * All methods measure with these functions, so that they return the same bits.
 */
export function reducedDistance(metric: i32, p: f64, x: usize, y: usize, d: i32, norms: f64): f64 {
  if (metric == EUCLIDEAN) return squaredDistance(x, y, d);
  if (metric == MANHATTAN) return manhattan(x, y, d);
  if (metric == CHEBYSHEV) return chebyshev(x, y, d);
  if (metric == MINKOWSKI) return minkowski(x, y, d, p);
  if (metric == COSINE) return cosine(x, y, d, norms);
  if (metric == HAMMING) return hamming(x, y, d);
  return jaccard(x, y, d);
}

/** Four running sums: those of j = 0, 1, 2, 3 modulo 4. */
export function squaredDistance(x: usize, y: usize, d: i32): f64 {
  let s = f64x2.splat(0);
  let t = f64x2.splat(0);
  const end = x + ((<usize>(d & ~3)) << 3);
  for (; x < end; x += 32, y += 32) {
    const a = f64x2.sub(v128.load(x), v128.load(y));
    const b = f64x2.sub(v128.load(x, 16), v128.load(y, 16));
    s = f64x2.add(s, f64x2.mul(a, a));
    t = f64x2.add(t, f64x2.mul(b, b));
  }
  return withRest(f64x2.add(s, t), x, y, d & 3);
}

/** The sum of a pair of running sums and of the squares of the last `rest` columns. */
// @inline
function withRest(s: v128, x: usize, y: usize, rest: i32): f64 {
  let sum = f64x2.extract_lane(s, 0) + f64x2.extract_lane(s, 1);
  for (; rest > 0; rest--, x += 8, y += 8) {
    const a = load<f64>(x) - load<f64>(y);
    sum += a * a;
  }
  return sum;
}

/** The columns after which a long sum is compared with its limit. */
const STRETCH: i32 = 64;

/** `squaredDistance`, or Infinity if that is above `limit`: partial sums only grow. */
export function squaredDistanceWithin(x: usize, y: usize, d: i32, limit: f64): f64 {
  if (d < 2 * STRETCH) return squaredDistance(x, y, d);
  let s = f64x2.splat(0);
  let t = f64x2.splat(0);
  const last = x + ((<usize>(d & ~3)) << 3);
  while (x < last) {
    const end = min(last, x + ((<usize>STRETCH) << 3));
    for (; x < end; x += 32, y += 32) {
      const a = f64x2.sub(v128.load(x), v128.load(y));
      const b = f64x2.sub(v128.load(x, 16), v128.load(y, 16));
      s = f64x2.add(s, f64x2.mul(a, a));
      t = f64x2.add(t, f64x2.mul(b, b));
    }
    const both = f64x2.add(s, t);
    if (f64x2.extract_lane(both, 0) + f64x2.extract_lane(both, 1) > limit) return Infinity;
  }
  return withRest(f64x2.add(s, t), x, y, d & 3);
}

function manhattan(x: usize, y: usize, d: i32): f64 {
  let s = f64x2.splat(0);
  const end = x + ((<usize>(d & ~1)) << 3);
  for (; x < end; x += 16, y += 16) s = f64x2.add(s, f64x2.abs(f64x2.sub(v128.load(x), v128.load(y))));
  const sum = f64x2.extract_lane(s, 0) + f64x2.extract_lane(s, 1);
  return d & 1 ? sum + abs(load<f64>(x) - load<f64>(y)) : sum;
}

function chebyshev(x: usize, y: usize, d: i32): f64 {
  let most: f64 = 0;
  for (let j: i32 = 0; j < d; j++, x += 8, y += 8) most = max(most, abs(load<f64>(x) - load<f64>(y)));
  return most;
}

function minkowski(x: usize, y: usize, d: i32, p: f64): f64 {
  let sum: f64 = 0;
  for (let j: i32 = 0; j < d; j++, x += 8, y += 8) sum += powOf(abs(load<f64>(x) - load<f64>(y)), p);
  return sum;
}

/** aᵖ for a ≥ 0 and p > 0, with the operations of `pow` in src/core/elementary.ts. */
function powOf(a: f64, p: f64): f64 {
  if (a == 0) return 0;
  if (p > 64 || floor(p) != p) return f64x2.extract_lane(vexp(f64x2.splat(p * logOf(a))), 0);
  let result: f64 = 1;
  let base = a;
  for (let k = <i32>p; k > 0; k >>= 1) {
    if (k & 1) result *= base;
    base *= base;
  }
  return result;
}

/** `norms` is ‖x‖ ‖y‖; rows of zeros are at a distance of 1 from all others. Clamped to [0, 2] against rounding. */
function cosine(x: usize, y: usize, d: i32, norms: f64): f64 {
  if (norms == 0) return 1;
  let s = f64x2.splat(0);
  const end = x + ((<usize>(d & ~1)) << 3);
  for (; x < end; x += 16, y += 16) s = f64x2.add(s, f64x2.mul(v128.load(x), v128.load(y)));
  let dot = f64x2.extract_lane(s, 0) + f64x2.extract_lane(s, 1);
  if (d & 1) dot += load<f64>(x) * load<f64>(y);
  return min(max(1 - dot / norms, 0), 2);
}

function hamming(x: usize, y: usize, d: i32): f64 {
  let differ: i32 = 0;
  for (let j: i32 = 0; j < d; j++, x += 8, y += 8) differ += i32(load<f64>(x) != load<f64>(y));
  return <f64>differ / <f64>d;
}

function jaccard(x: usize, y: usize, d: i32): f64 {
  let either: i32 = 0;
  let both: i32 = 0;
  for (let j: i32 = 0; j < d; j++, x += 8, y += 8) {
    const a = load<f64>(x) != 0;
    const b = load<f64>(y) != 0;
    either += i32(a || b);
    both += i32(a && b);
  }
  return either == 0 ? 0 : <f64>(either - both) / <f64>either;
}

/** The distance of a reduced distance. */
export function distanceOf(metric: i32, p: f64, reduced: f64): f64 {
  if (metric == EUCLIDEAN) return sqrt(reduced);
  if (metric == MINKOWSKI) return rootOf(reduced, p);
  return reduced;
}

/** The smallest normal number, below which `logOf` is not defined, and 54 ln 2. */
const SMALLEST: f64 = 2.2250738585072014e-308;
const LOG_LIFT: f64 = 37.429947750237046;

/** a^(1/p) for a ≥ 0. */
function rootOf(a: f64, p: f64): f64 {
  if (a == 0 || a == Infinity) return a;
  const log = a < SMALLEST ? logOf(a * 18014398509481984) - LOG_LIFT : logOf(a);
  return f64x2.extract_lane(vexp(f64x2.splat(log / p)), 0);
}

/** The reduced form of a distance. */
export function reducedOf(metric: i32, p: f64, distance: f64): f64 {
  if (metric == EUCLIDEAN) return distance * distance;
  if (metric == MINKOWSKI) return powOf(distance, p);
  return distance;
}
