import { logOf, vexp } from "../../shared/elementary";

/** Learning-rate schedules, numbered as in src/solvers/sgd.ts; 0 is a constant rate. */
const OPTIMAL: i32 = 1;
const INV_SCALING: i32 = 2;
const ADAPTIVE: i32 = 3;
/** Below this the scale is multiplied into w, long before it underflows. */
const MIN_SCALE: f64 = 1e-9;

/** η at step t: eta0, 1/(α(t0 + t)), eta0/tᵖ, or the current adaptive rate. */
// @inline
export function rate(schedule: i32, eta0: f64, power: f64, t0: f64, alpha: f64, t: f64, current: f64): f64 {
  if (schedule == OPTIMAL) return 1 / (alpha * (t0 + t - 1));
  if (schedule == INV_SCALING)
    return power == 0.5 ? eta0 / Math.sqrt(t) : power == 1 ? eta0 / t : eta0 / powOf(t, power);
  if (schedule == ADAPTIVE) return current;
  return eta0;
}

/** tᵖ for t ≥ 1; the same operations as `exp(p * log(t))` in src/core/elementary.ts. */
// @inline
function powOf(t: f64, p: f64): f64 {
  return f64x2.extract_lane(vexp(f64x2.splat(p * logOf(t))), 0);
}

/** w ← scale · w. */
// @inline
export function rescale(w: usize, d: i32, scale: f64): void {
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

/** Applies the cumulative l1 penalty to the coefficients of row i (dense: all). */
// @inline
export function truncate(
  indptr: usize,
  indices: usize,
  i: i32,
  d: i32,
  w: usize,
  cut: usize,
  u: f64,
  scale: f64,
): void {
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
