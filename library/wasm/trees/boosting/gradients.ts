import { logOf, vexp, vlog1pUnit } from "../../shared/elementary";
import { vexpBelow } from "../../shared/negative-exp";
import {
  ABSOLUTE_ERROR,
  ChunkLoss,
  GAMMA,
  LOG_LOSS,
  POISSON,
  QUANTILE,
  SQUARED_ERROR,
} from "../boosting.layout";

/**
 * Losses of raw predictions z, with gradients g and hessians h, all times the row's weight; two rows at a time.
 *
 *   squared     ½(z − y)²               g = z − y              h = 1
 *   absolute    |z − y|                 g = ±1                 h = 1
 *   quantile    q or 1 − q times |z − y|   g = 1 − q or −q     h = 1
 *   poisson     e^z − y z               g = e^z − y            h = e^z
 *   gamma       z + y e^−z              g = 1 − y e^−z         h = y e^−z
 *   logistic    log(1 + e^z) − y z      g = p − y              h = p (1 − p),  p = 1/(1 + e^−z)
 */

/** e^−|z| of the log loss, e^z of Poisson, y e^−z of gamma: what their gradients and hessians are made of. */
// @inline
function exponentialOf(loss: i32, zs: v128, ys: v128): v128 {
  if (loss == LOG_LOSS) return vexpBelow(f64x2.neg(f64x2.abs(zs)));
  if (loss == POISSON) return vexp(zs);
  if (loss == GAMMA) return f64x2.mul(ys, vexp(f64x2.neg(zs)));
  return f64x2.splat(1);
}

/** `e` is `exponentialOf` the pair, `inverse` 1/(1 + e) for the log loss. */
// @inline
function gradientOf(loss: i32, q: f64, zs: v128, ys: v128, e: v128, inverse: v128): v128 {
  if (loss == LOG_LOSS) {
    const top = v128.bitselect(f64x2.splat(1), e, f64x2.ge(zs, f64x2.splat(0)));
    return f64x2.sub(f64x2.mul(top, inverse), ys);
  }
  if (loss == SQUARED_ERROR) return f64x2.sub(zs, ys);
  if (loss == POISSON) return f64x2.sub(e, ys);
  if (loss == GAMMA) return f64x2.sub(f64x2.splat(1), e);
  const quantile = loss == QUANTILE ? q : 0.5;
  const scale = loss == ABSOLUTE_ERROR ? 2 : 1;
  return v128.bitselect(
    f64x2.splat(scale * (1 - quantile)),
    f64x2.splat(-scale * quantile),
    f64x2.gt(zs, ys),
  );
}

// @inline
function hessianOf(loss: i32, e: v128, inverse: v128): v128 {
  // p (1 − p) without the cancellation of 1 − p.
  return loss == LOG_LOSS ? f64x2.mul(f64x2.mul(e, inverse), inverse) : e;
}

/** The loss; of the log loss without its term log(1 + e). */
// @inline
function lossOf(loss: i32, zs: v128, ys: v128, e: v128, g: v128): v128 {
  if (loss == LOG_LOSS) return f64x2.sub(f64x2.pmax(zs, f64x2.splat(0)), f64x2.mul(ys, zs));
  if (loss == SQUARED_ERROR) return f64x2.mul(f64x2.mul(g, g), f64x2.splat(0.5));
  if (loss == POISSON) return f64x2.sub(e, f64x2.mul(ys, zs));
  if (loss == GAMMA) return f64x2.add(zs, e);
  return f64x2.mul(g, f64x2.sub(zs, ys));
}

/** The logarithms of both lanes. */
// @inline
function logs(product: v128): v128 {
  const first = f64x2.splat(logOf(f64x2.extract_lane(product, 0)));
  return f64x2.replace_lane(first, 1, logOf(f64x2.extract_lane(product, 1)));
}

/** The pair with its second lane set to `value` if it is the last of an odd number of rows. */
// @inline
function maskLast(pair: v128, isLast: bool, value: f64): v128 {
  return isLast ? f64x2.replace_lane(pair, 1, value) : pair;
}

/** For rows from … to − 1, writes gradients and hessians, and to `sums` the loss and the largest |g| and h. `weights` may be 0. */
export function gradientsInto(
  loss: i32,
  q: f64,
  from: i32,
  to: i32,
  y: usize,
  z: usize,
  weights: usize,
  gradients: usize,
  sums: ChunkLoss,
): void {
  let total = f64x2.splat(0);
  let maxG = total;
  let maxH = total;
  const one = f64x2.splat(1);
  // Log loss without weights: one logarithm of the product of many 1 + e, each in [1, 2], instead of one per row.
  let product = one;
  for (let i = from; i < to; i += 2) {
    if ((i & 511) == 0) {
      total = f64x2.add(total, logs(product));
      product = one;
    }
    const place = (<usize>i) << 3;
    const isLast = i + 1 == to;
    const zs = v128.load(z + place);
    const ys = v128.load(y + place);
    const e = exponentialOf(loss, zs, ys);
    const inverse = loss == LOG_LOSS ? f64x2.div(one, f64x2.add(one, e)) : one;
    let g = gradientOf(loss, q, zs, ys, e, inverse);
    let h = hessianOf(loss, e, inverse);
    let value = lossOf(loss, zs, ys, e, g);
    if (weights != 0) {
      if (loss == LOG_LOSS) value = f64x2.add(value, vlog1pUnit(e));
      const w = v128.load(weights + place);
      g = f64x2.mul(g, w);
      h = f64x2.mul(h, w);
      value = f64x2.mul(value, w);
    } else if (loss == LOG_LOSS) product = f64x2.mul(product, maskLast(f64x2.add(one, e), isLast, 1));
    g = maskLast(g, isLast, 0);
    h = maskLast(h, isLast, 0);
    total = f64x2.add(total, maskLast(value, isLast, 0));
    maxG = f64x2.max(maxG, f64x2.abs(g));
    maxH = f64x2.max(maxH, h);
    writePairs(g, h, !isLast, gradients + ((<usize>i) << 4));
  }
  const rest = logOf(f64x2.extract_lane(product, 0)) + logOf(f64x2.extract_lane(product, 1));
  writeSums(f64x2.extract_lane(total, 0) + f64x2.extract_lane(total, 1) + rest, maxG, maxH, sums);
}

// @inline
function writeSums(loss: f64, maxG: v128, maxH: v128, sums: ChunkLoss): void {
  sums.loss = loss;
  sums.maxAbsGradient = max(f64x2.extract_lane(maxG, 0), f64x2.extract_lane(maxG, 1));
  sums.maxHessian = max(f64x2.extract_lane(maxH, 0), f64x2.extract_lane(maxH, 1));
}

/** The gradients and hessians of two neighbouring rows, or of the first. */
// @inline
function writePairs(g: v128, h: v128, both: bool, out: usize): void {
  v128.store(out, v128.shuffle<i64>(g, h, 0, 2));
  if (both) v128.store(out, v128.shuffle<i64>(g, h, 1, 3), 16);
}

/** The largest score of two neighbouring rows. */
// @inline
function maxScores(z: usize, K: i32, classBytes: usize): v128 {
  let top = v128.load(z);
  for (let k: i32 = 1; k < K; k++) top = f64x2.pmax(top, v128.load(z + <usize>k * classBytes));
  return top;
}

/** Writes e^(z_k − top) of two neighbouring rows for each class; returns their sum. `out` is that of class 0. */
// @inline
function exponentialsInto(z: usize, top: v128, K: i32, classBytes: usize, out: usize): v128 {
  let sum = f64x2.splat(0);
  for (let k: i32 = 0; k < K; k++) {
    const e = vexpBelow(f64x2.sub(v128.load(z + <usize>k * classBytes), top));
    v128.store(out + 2 * <usize>k * classBytes, e);
    sum = f64x2.add(sum, e);
  }
  return sum;
}

/**
 * K classes: z[k · stride + i] is the score of class k, y the class index. Writes g = p_k − [y = k] and h = p_k (1 − p_k) of row i and
 * class k at k · stride + i, and to `sums` the log loss and the largest |g| and h. `stride` is n, rounded up to an even number.
 */
export function softmaxGradientsInto(
  K: i32,
  stride: i32,
  from: i32,
  to: i32,
  y: usize,
  z: usize,
  weights: usize,
  gradients: usize,
  sums: ChunkLoss,
): void {
  let total: f64 = 0;
  // One logarithm of the product of many sums ≥ 1, instead of one per row.
  let product: f64 = 1;
  let maxG = f64x2.splat(0);
  let maxH = f64x2.splat(0);
  const one = f64x2.splat(1);
  const classBytes = (<usize>stride) << 3;
  for (let i = from; i < to; i += 2) {
    const place = (<usize>i) << 3;
    const both = i + 1 < to;
    const limit = f64x2.replace_lane(f64x2.splat(Infinity), 1, both ? Infinity : 0);
    const top = maxScores(z + place, K, classBytes);
    const sum = exponentialsInto(z + place, top, K, classBytes, gradients + ((<usize>i) << 4));
    const inverse = f64x2.div(one, sum);
    const ys = v128.load(y + place);
    const w = weights != 0 ? v128.load(weights + place) : one;
    for (let k: i32 = 0; k < K; k++) {
      const out = gradients + ((<usize>k * <usize>stride + <usize>i) << 4);
      const e = v128.load(out);
      const p = f64x2.mul(e, inverse);
      const isClass = f64x2.eq(ys, f64x2.splat(<f64>k));
      const g = f64x2.mul(w, f64x2.sub(p, v128.and(one, isClass)));
      // (Σ − e)/Σ instead of 1 − p, which cancels where p rounds to 1.
      const h = f64x2.mul(w, f64x2.mul(p, f64x2.mul(f64x2.sub(sum, e), inverse)));
      writePairs(g, h, both, out);
      maxG = f64x2.pmax(maxG, f64x2.pmin(f64x2.abs(g), limit));
      maxH = f64x2.pmax(maxH, f64x2.pmin(h, limit));
    }
    const gap0 = f64x2.extract_lane(top, 0) - scoreOf(f64x2.extract_lane(ys, 0), z + place, classBytes);
    const gap1 = f64x2.extract_lane(top, 1) - scoreOf(f64x2.extract_lane(ys, 1), z + place + 8, classBytes);
    const sum0 = f64x2.extract_lane(sum, 0);
    const sum1 = f64x2.extract_lane(sum, 1);
    if (weights != 0) {
      total += f64x2.extract_lane(w, 0) * (gap0 + logOf(sum0));
      if (both) total += f64x2.extract_lane(w, 1) * (gap1 + logOf(sum1));
      continue;
    }
    total += both ? gap0 + gap1 : gap0;
    product *= both ? sum0 * sum1 : sum0;
    if (product > 1e150) {
      total += logOf(product);
      product = 1;
    }
  }
  writeSums(total + logOf(product), maxG, maxH, sums);
}

/** The score of class k. */
// @inline
function scoreOf(k: f64, z: usize, classBytes: usize): f64 {
  return load<f64>(z + <usize>(<i32>k) * classBytes);
}
