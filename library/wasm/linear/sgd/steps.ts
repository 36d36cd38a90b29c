import { rowAdd, rowDot } from "../../shared/any-row";
import { logOf, vexp } from "../../shared/elementary";
import { SgdRun } from "../sgd.layout";

/** Learning-rate schedules, numbered as in src/solvers/sgd.ts; 0 is a constant rate. */
const OPTIMAL: i32 = 1;
const INV_SCALING: i32 = 2;
const ADAPTIVE: i32 = 3;
/** Below this the scale is multiplied into w, long before it underflows. */
const MIN_SCALE: f64 = 1e-9;

/** η at step t: eta0, 1/(α(t0 + t)), eta0/tᵖ, or the current adaptive rate. */
// @inline
export function rate(run: SgdRun, alpha: f64, t: f64): f64 {
  if (run.schedule == OPTIMAL) return 1 / (alpha * (run.t0 + t - 1));
  if (run.schedule == INV_SCALING) {
    const power = run.power;
    return power == 0.5 ? run.eta0 / Math.sqrt(t) : power == 1 ? run.eta0 / t : run.eta0 / powOf(t, power);
  }
  return run.schedule == ADAPTIVE ? load<f64>(run.state, 32) : run.eta0;
}

/** tᵖ for t ≥ 1; the same operations as `exp(p * log(t))` in src/core/elementary.ts. */
// @inline
function powOf(t: f64, p: f64): f64 {
  return f64x2.extract_lane(vexp(f64x2.splat(p * logOf(t))), 0);
}

/** w ← scale · w. */
// @inline
function rescale(w: usize, d: i32, scale: f64): void {
  if (scale == 1) return;
  for (let j = 0; j < d; j++) store<f64>(w + ((<usize>j) << 3), load<f64>(w + ((<usize>j) << 3)) * scale);
}

/** The scale after the l2 step, 1 − η l2 times as large; multiplied into w before it underflows. */
// @inline
export function shrunkScale(scale: f64, eta: f64, l2: f64, w: usize, d: i32): f64 {
  if (!(l2 > 0)) return scale;
  const next = scale * max(0, 1 - eta * l2);
  if (!(next < MIN_SCALE)) return next;
  rescale(w, d, next);
  return 1;
}

/** w ← w − amount · sign(w) for all d coefficients, where w is stored as scale · v; sign(0) = 0. */
// @inline
export function shrinkBySign(v: usize, d: i32, amount: f64, scale: f64): void {
  const step = amount / scale;
  for (let j = 0; j < d; j++) {
    const at = v + ((<usize>j) << 3);
    const before = load<f64>(at);
    store<f64>(at, before > 0 ? before - step : before < 0 ? before + step : before);
  }
}

/** Applies the cumulative l1 penalty to the coefficients of `count` rows, in each of `blocks` blocks. A dense row has all coefficients. */
// @inline
export function truncate(run: SgdRun, rows: usize, count: i32, blocks: i32, u: f64, scale: f64): void {
  const d = run.d;
  const truncated = run.indptr == 0 ? 1 : count;
  for (let e = 0; e < truncated; e++) {
    const i = load<i32>(rows + ((<usize>e) << 2));
    for (let k = 0; k < blocks; k++) {
      const block = (<usize>(k * d)) << 3;
      truncateRow(run, i, d, run.w + block, run.cut + block, u, scale);
    }
  }
}

// @inline
function truncateRow(run: SgdRun, i: i32, d: i32, w: usize, cut: usize, u: f64, scale: f64): void {
  const indptr = run.indptr;
  const indices = run.indices;
  const from = indptr == 0 ? 0 : load<i32>(indptr + ((<usize>i) << 2));
  const to = indptr == 0 ? d : load<i32>(indptr + ((<usize>i) << 2), 4);
  for (let e = from; e < to; e++) {
    const at = (<usize>(indptr == 0 ? e : load<i32>(indices + ((<usize>e) << 2)))) << 3;
    const before = load<f64>(w + at);
    const had = load<f64>(cut + at);
    let after = before;
    if (scale * before > 0) after = max(0, before - (u + had) / scale);
    else if (scale * before < 0) after = min(0, before + (u - had) / scale);
    store<f64>(w + at, after);
    store<f64>(cut + at, had + scale * (after - before));
  }
}

/** x_i · w. */
// @inline
export function dotOf(run: SgdRun, i: i32, w: usize): f64 {
  return rowDot(run.x, run.indptr, run.indices, i, run.d, w);
}

/** w += scale · x_i. */
// @inline
export function addTo(run: SgdRun, scale: f64, i: i32, w: usize): void {
  rowAdd(scale, run.x, run.indptr, run.indices, i, run.d, w);
}

/** Multiplies the scale into the `size` coefficients and writes the state that all losses have. */
// @inline
export function writeState(run: SgdRun, size: i32, scale: f64, t: f64, u: f64, total: f64): void {
  const state = run.state;
  rescale(run.w, size, scale);
  store<f64>(state, 1);
  store<f64>(state, t, 16);
  store<f64>(state, u, 24);
  store<f64>(state, total, 40);
}
