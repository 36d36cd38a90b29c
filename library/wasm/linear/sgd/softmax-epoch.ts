import { logOf, vexp } from "../../shared/elementary";
import { SgdRun } from "../sgd.layout";
import { addTo, dotOf, rate, shrinkBySign, shrunkScale, truncate, writeState } from "./steps";

/**
 * One epoch of stochastic gradient descent on mean softmax cross-entropy + l1‖W‖₁ + ½ l2‖W‖², in the given order.
 *
 *   w_k ← (1 − η l2) w_k − η s_i (p_ik − δ(y_i = k)) x_i,   b_k ← b_k − η s_i (p_ik − δ(y_i = k)) · intercept
 *
 * then the l1 penalty by truncation (or first, by the subgradient), as in `epoch` of sgd.ts. All w_k share one scale.
 *
 * Returns 0 if the coefficients became NaN or infinite.
 */
export function softmaxEpoch(run: SgdRun): i32 {
  const d = run.d;
  const w = run.w;
  const blocks = run.blocks;
  const work = run.work;
  const state = run.state;
  const b = state + 64;
  let scale = load<f64>(state);
  let t = load<f64>(state, 16);
  let u = load<f64>(state, 24);
  let total: f64 = 0;
  for (let start = 0; start < run.n; start += run.batch) {
    const count = min(run.batch, run.n - start);
    const rows = run.order + ((<usize>start) << 2);
    const eta = rate(run, run.l2 + run.l1, t);
    for (let e = 0; e < count; e++) {
      const i = load<i32>(rows + ((<usize>e) << 2));
      const z = work + ((<usize>(e * run.classes)) << 3);
      scoresInto(run, i, scale, b, blocks, run.classes, z);
      const si = run.s == 0 ? 1.0 : load<f64>(run.s + ((<usize>i) << 3));
      total += residuals(z, load<i32>(run.y + ((<usize>i) << 2)), si, run.classes);
    }
    scale = shrunkScale(scale, eta, run.l2, w, blocks * d);
    if (run.l1 > 0 && run.subgradient) shrinkBySign(w, blocks * d, eta * run.l1, scale);
    const step = -eta / <f64>count;
    for (let e = 0; e < count; e++) {
      const i = load<i32>(rows + ((<usize>e) << 2));
      for (let k = 0; k < blocks; k++) {
        const r = load<f64>(work + ((<usize>(e * run.classes + k)) << 3));
        if (r == 0) continue;
        addTo(run, (step * r) / scale, i, w + ((<usize>(k * d)) << 3));
        const at = b + ((<usize>k) << 3);
        store<f64>(at, load<f64>(at) + step * r * run.intercept);
      }
    }
    if (run.l1 > 0 && !run.subgradient) {
      u += eta * run.l1;
      truncate(run, rows, count, blocks, u, scale);
    }
    t += 1;
    if (run.mean != 0 && t >= run.meanFrom) average(w, scale, b, d, blocks, run.mean, state);
  }
  if (!(scale == scale)) return 0;
  for (let k = 0; k < blocks; k++) {
    const bk = load<f64>(b + ((<usize>k) << 3));
    if (!(bk - bk == 0)) return 0;
  }
  writeState(run, blocks * d, scale, t, u, total);
  return 1;
}

/** z_k = scale · w_k·x_i + b_k, and 0 for the reference class. */
// @inline
function scoresInto(run: SgdRun, i: i32, scale: f64, b: usize, blocks: i32, classes: i32, z: usize): void {
  const row = (<usize>run.d) << 3;
  for (let k = 0; k < classes; k++) {
    const at = (<usize>k) << 3;
    const score = k < blocks ? scale * dotOf(run, i, run.w + <usize>k * row) + load<f64>(b + at) : 0;
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
