import { logOf, vexp, vlog1pUnit } from "../shared/elementary";
import { vexpBelow } from "../shared/negative-exp";
import { ABSOLUTE_ERROR, ChunkLoss, GAMMA, LOG_LOSS, POISSON, QUANTILE, SQUARED_ERROR } from "./layout";

/**
 * Losses of raw predictions z, their gradients g and hessians h times the row's weight.
 *
 *   squared     ½(z − y)²               g = z − y              h = 1
 *   absolute    |z − y|                 g = ±1                 h = 1
 *   quantile    q or 1 − q times |z − y|   g = 1 − q or −q     h = 1
 *   poisson     e^z − y z               g = e^z − y            h = e^z
 *   gamma       z + y e^−z              g = 1 − y e^−z         h = y e^−z
 *   logistic    log(1 + e^z) − y z      g = p − y              h = p (1 − p),  p = 1/(1 + e^−z)
 */

/** Of rows from … to − 1: writes gradient and hessian, and to `sums` the loss and the largest |g| and h. `weights` may be 0. */
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
  let maxG = f64x2.splat(0);
  let maxH = f64x2.splat(0);
  const one = f64x2.splat(1);
  // One logarithm of many factors in [1, 2], in place of one each.
  let product = one;
  for (let i = from; i < to; i += 2) {
    if ((i & 511) == 0) {
      total = f64x2.replace_lane(
        total,
        0,
        f64x2.extract_lane(total, 0) + logOf(f64x2.extract_lane(product, 0)),
      );
      total = f64x2.replace_lane(
        total,
        1,
        f64x2.extract_lane(total, 1) + logOf(f64x2.extract_lane(product, 1)),
      );
      product = one;
    }
    const place = (<usize>i) << 3;
    const zs = v128.load(z + place);
    const ys = v128.load(y + place);
    let g = one;
    let h = one;
    let value = one;
    if (loss == LOG_LOSS) {
      const e = vexpBelow(f64x2.neg(f64x2.abs(zs)));
      const top = v128.bitselect(one, e, f64x2.ge(zs, f64x2.splat(0)));
      const share = f64x2.div(one, f64x2.add(one, e));
      g = f64x2.sub(f64x2.mul(top, share), ys);
      // p (1 − p) without the cancellation of 1 − p.
      h = f64x2.mul(f64x2.mul(e, share), share);
      value = f64x2.sub(f64x2.pmax(zs, f64x2.splat(0)), f64x2.mul(ys, zs));
      if (weights != 0) value = f64x2.add(value, vlog1pUnit(e));
      else
        product = f64x2.mul(
          product,
          i + 1 == to ? f64x2.replace_lane(f64x2.add(one, e), 1, 1) : f64x2.add(one, e),
        );
    } else if (loss == SQUARED_ERROR) {
      g = f64x2.sub(zs, ys);
      value = f64x2.mul(f64x2.mul(g, g), f64x2.splat(0.5));
    } else if (loss == POISSON) {
      h = vexp(zs);
      g = f64x2.sub(h, ys);
      value = f64x2.sub(h, f64x2.mul(ys, zs));
    } else if (loss == GAMMA) {
      h = f64x2.mul(ys, vexp(f64x2.neg(zs)));
      g = f64x2.sub(one, h);
      value = f64x2.add(zs, h);
    } else {
      const share = loss == QUANTILE ? q : 0.5;
      const scale = loss == ABSOLUTE_ERROR ? 2 : 1;
      g = v128.bitselect(f64x2.splat(scale * (1 - share)), f64x2.splat(-scale * share), f64x2.gt(zs, ys));
      value = f64x2.mul(g, f64x2.sub(zs, ys));
    }
    if (weights != 0) {
      const w = v128.load(weights + place);
      g = f64x2.mul(g, w);
      h = f64x2.mul(h, w);
      value = f64x2.mul(value, w);
    }
    // The second lane of the last pair is nobody's.
    if (i + 1 == to) {
      value = f64x2.replace_lane(value, 1, 0);
      g = f64x2.replace_lane(g, 1, 0);
      h = f64x2.replace_lane(h, 1, 0);
    }
    total = f64x2.add(total, value);
    maxG = f64x2.max(maxG, f64x2.abs(g));
    maxH = f64x2.max(maxH, h);
    const out = gradients + ((<usize>i) << 4);
    v128.store(out, v128.shuffle<i64>(g, h, 0, 2));
    if (i + 1 < to) v128.store(out, v128.shuffle<i64>(g, h, 1, 3), 16);
  }
  const logs = logOf(f64x2.extract_lane(product, 0)) + logOf(f64x2.extract_lane(product, 1));
  sums.loss = f64x2.extract_lane(total, 0) + f64x2.extract_lane(total, 1) + logs;
  sums.maxAbsGradient = max(f64x2.extract_lane(maxG, 0), f64x2.extract_lane(maxG, 1));
  sums.maxHessian = max(f64x2.extract_lane(maxH, 0), f64x2.extract_lane(maxH, 1));
}

/**
 * K classes: z[k·n + i] are scores, y the number of the class, g = p_k − [y = k] and h = p_k (1 − p_k) of class k from row k·n on;
 * `stride` is n, rounded up to an even number. `sums` is −log p of the rows' classes, and the largest |g| and h.
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
  // One logarithm of many factors ≥ 1, in place of one each.
  let product: f64 = 1;
  let maxG = f64x2.splat(0);
  let maxH = f64x2.splat(0);
  const one = f64x2.splat(1);
  const classBytes = (<usize>stride) << 3;
  for (let i = from; i < to; i += 2) {
    const place = (<usize>i) << 3;
    const both = i + 1 < to;
    let top = v128.load(z + place);
    for (let k: i32 = 1; k < K; k++) top = f64x2.pmax(top, v128.load(z + place + <usize>k * classBytes));
    let sum = f64x2.splat(0);
    for (let k: i32 = 0; k < K; k++) {
      const out = gradients + ((<usize>k * <usize>stride + <usize>i) << 4);
      const e = vexpBelow(f64x2.sub(v128.load(z + place + <usize>k * classBytes), top));
      v128.store(out, e);
      sum = f64x2.add(sum, e);
    }
    const share = f64x2.div(one, sum);
    const ys = v128.load(y + place);
    const w = weights != 0 ? v128.load(weights + place) : one;
    for (let k: i32 = 0; k < K; k++) {
      const out = gradients + ((<usize>k * <usize>stride + <usize>i) << 4);
      const e = v128.load(out);
      const p = f64x2.mul(e, share);
      const is = f64x2.eq(ys, f64x2.splat(<f64>k));
      const g = f64x2.mul(w, f64x2.sub(p, v128.and(one, is)));
      // (Σ − e)/Σ keeps what 1 − p would lose of a p that rounds to 1.
      const h = f64x2.mul(w, f64x2.mul(p, f64x2.mul(f64x2.sub(sum, e), share)));
      v128.store(out, v128.shuffle<i64>(g, h, 0, 2));
      if (both) v128.store(out, v128.shuffle<i64>(g, h, 1, 3), 16);
      const limit = both ? f64x2.splat(Infinity) : f64x2.replace_lane(f64x2.splat(Infinity), 1, 0);
      maxG = f64x2.pmax(maxG, f64x2.pmin(f64x2.abs(g), limit));
      maxH = f64x2.pmax(maxH, f64x2.pmin(h, limit));
    }
    const lost0 = f64x2.extract_lane(top, 0) - scoreOf(<i32>f64x2.extract_lane(ys, 0), z + place, classBytes);
    const lost1 =
      f64x2.extract_lane(top, 1) - scoreOf(<i32>f64x2.extract_lane(ys, 1), z + place + 8, classBytes);
    const sum0 = f64x2.extract_lane(sum, 0);
    const sum1 = f64x2.extract_lane(sum, 1);
    if (weights != 0) {
      total += f64x2.extract_lane(w, 0) * (lost0 + logOf(sum0));
      if (both) total += f64x2.extract_lane(w, 1) * (lost1 + logOf(sum1));
      continue;
    }
    total += both ? lost0 + lost1 : lost0;
    product *= both ? sum0 * sum1 : sum0;
    if (product > 1e150) {
      total += logOf(product);
      product = 1;
    }
  }
  sums.loss = total + logOf(product);
  sums.maxAbsGradient = max(f64x2.extract_lane(maxG, 0), f64x2.extract_lane(maxG, 1));
  sums.maxHessian = max(f64x2.extract_lane(maxH, 0), f64x2.extract_lane(maxH, 1));
}

/** A row's score of its class. */
// @inline
function scoreOf(k: i32, z: usize, classBytes: usize): f64 {
  return load<f64>(z + <usize>k * classBytes);
}
