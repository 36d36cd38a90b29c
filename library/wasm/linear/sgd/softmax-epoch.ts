import { rowAdd, rowDot } from "../../shared/any-row";
import { logOf, vexp } from "../../shared/elementary";
import { rate, rescale, shrinkBySign, shrunkScale, truncate } from "./steps";

/**
 * One epoch of stochastic gradient descent on mean softmax cross-entropy + l1‖W‖₁ + ½ l2‖W‖², in the given order.
 *
 *   w_k ← (1 − η l2) w_k − η s_i (p_ik − δ(y_i = k)) x_i,   b_k ← b_k − η s_i (p_ik − δ(y_i = k)) · intercept
 *
 * then the l1 penalty by truncation (or first, by the subgradient), as in `epoch` of sgd.ts, whose arguments these are, except:
 *
 * y       n class indices (i32)
 * w, cut  blocks × d doubles, one row per class; all w share one scale
 * mean    blocks × (d + 1) doubles of averaged [w_k, b_k], or 0
 * state   as in `epoch`, but b: from 8 on, one double per block
 * work    batch × classes doubles: s(p − δ) of the rows of a step
 * blocks  = classes, or classes − 1 if the last class is the reference with all scores 0
 *
 * Returns 0 if the coefficients became NaN or infinite.
 */
export function softmaxEpoch(
  x: usize,
  indptr: usize,
  indices: usize,
  n: i32,
  d: i32,
  order: usize,
  y: usize,
  s: usize,
  w: usize,
  cut: usize,
  mean: usize,
  meanFrom: f64,
  state: usize,
  work: usize,
  classes: i32,
  blocks: i32,
  l1: f64,
  l2: f64,
  schedule: i32,
  eta0: f64,
  power: f64,
  t0: f64,
  intercept: f64,
  batch: i32,
  subgradient: i32,
): i32 {
  let scale = load<f64>(state);
  let t = load<f64>(state, 16);
  let u = load<f64>(state, 24);
  let total: f64 = 0;
  const b = state + 64;
  const row = (<usize>d) << 3;
  for (let start = 0; start < n; start += batch) {
    const count = min(batch, n - start);
    const rows = order + ((<usize>start) << 2);
    const eta = rate(schedule, eta0, power, t0, l2 + l1, t, load<f64>(state, 32));
    for (let e = 0; e < count; e++) {
      const i = load<i32>(rows + ((<usize>e) << 2));
      const z = work + ((<usize>(e * classes)) << 3);
      scoresInto(x, indptr, indices, i, d, w, b, scale, blocks, classes, z);
      const si = s == 0 ? 1.0 : load<f64>(s + ((<usize>i) << 3));
      total += residuals(z, load<i32>(y + ((<usize>i) << 2)), si, classes);
    }
    scale = shrunkScale(scale, eta, l2, w, blocks * d);
    if (l1 > 0 && subgradient) shrinkBySign(w, blocks * d, eta * l1, scale);
    const step = -eta / <f64>count;
    for (let e = 0; e < count; e++) {
      const i = load<i32>(rows + ((<usize>e) << 2));
      for (let k = 0; k < blocks; k++) {
        const r = load<f64>(work + ((<usize>(e * classes + k)) << 3));
        if (r == 0) continue;
        rowAdd((step * r) / scale, x, indptr, indices, i, d, w + <usize>k * row);
        const at = b + ((<usize>k) << 3);
        store<f64>(at, load<f64>(at) + step * r * intercept);
      }
    }
    if (l1 > 0 && !subgradient) {
      u += eta * l1;
      // A dense row updates all coefficients.
      const truncated = indptr == 0 ? 1 : count;
      for (let e = 0; e < truncated; e++) {
        const i = load<i32>(rows + ((<usize>e) << 2));
        for (let k = 0; k < blocks; k++)
          truncate(indptr, indices, i, d, w + <usize>k * row, cut + <usize>k * row, u, scale);
      }
    }
    t += 1;
    if (mean != 0 && t >= meanFrom) average(w, scale, b, d, blocks, mean, state);
  }
  if (!(scale == scale)) return 0;
  for (let k = 0; k < blocks; k++) {
    const bk = load<f64>(b + ((<usize>k) << 3));
    if (!(bk - bk == 0)) return 0;
  }
  rescale(w, blocks * d, scale);
  store<f64>(state, 1);
  store<f64>(state, t, 16);
  store<f64>(state, u, 24);
  store<f64>(state, total, 40);
  return 1;
}

/** z_k = scale · w_k·x_i + b_k, and 0 for the reference class. */
// @inline
function scoresInto(
  x: usize,
  indptr: usize,
  indices: usize,
  i: i32,
  d: i32,
  w: usize,
  b: usize,
  scale: f64,
  blocks: i32,
  classes: i32,
  z: usize,
): void {
  const row = (<usize>d) << 3;
  for (let k = 0; k < classes; k++) {
    const at = (<usize>k) << 3;
    const score =
      k < blocks ? scale * rowDot(x, indptr, indices, i, d, w + <usize>k * row) + load<f64>(b + at) : 0;
    store<f64>(z + at, score);
  }
}

/** Scores z become s(p − δ) in place; returns s(log Σ e^z − z_label). */
function residuals(z: usize, label: i32, s: f64, classes: i32): f64 {
  let largest = load<f64>(z);
  for (let k = 1; k < classes; k++) largest = max(largest, load<f64>(z + ((<usize>k) << 3)));
  const shifted = load<f64>(z + ((<usize>label) << 3)) - largest;
  let sum: f64 = 0;
  for (let k = 0; k < classes; k++) {
    const at = z + ((<usize>k) << 3);
    const e = f64x2.extract_lane(vexp(f64x2.splat(load<f64>(at) - largest)), 0);
    store<f64>(at, e);
    sum += e;
  }
  for (let k = 0; k < classes; k++) {
    const at = z + ((<usize>k) << 3);
    store<f64>(at, s * (load<f64>(at) / sum - (k == label ? 1.0 : 0.0)));
  }
  return s * (logOf(sum) - shifted);
}

/** Running mean of all [w_k, b_k] over the steps since averaging began. */
function average(w: usize, scale: f64, b: usize, d: i32, blocks: i32, mean: usize, state: usize): void {
  const steps = load<f64>(state, 48) + 1;
  store<f64>(state, steps, 48);
  const f = 1 / steps;
  for (let k = 0; k < blocks; k++) {
    for (let j = 0; j <= d; j++) {
      const at = mean + ((<usize>(k * (d + 1) + j)) << 3);
      const value =
        j < d ? scale * load<f64>(w + ((<usize>(k * d + j)) << 3)) : load<f64>(b + ((<usize>k) << 3));
      const m = load<f64>(at);
      store<f64>(at, m + (value - m) * f);
    }
  }
}
