import { rowAdd, rowDot } from "../shared/any-row";

/**
 * Dual coordinate descent [Hsieh et al. 2008, algorithm 3], one sweep over the listed rows with shrinking.
 *
 *   minimise over 0 ≤ a_i ≤ u_i:   ½‖Σ a_i σ_i x̃_i‖² + ½ Σ D_i a_i² − Σ c_i a_i,    x̃ = [x, √ρ] when there is an intercept
 *
 * The primal point w = Σ a_i σ_i x_i (and β = √ρ Σ a_i σ_i) is updated along with a. Margins are σ_i (w·x_i + b0 + √ρ β).
 *
 * indptr = 0: x is dense, n × d. Otherwise compressed sparse rows.
 * order   in: the active rows in the order of the sweep; out: those still active first. `state`:
 *         0 β, 1 upper shrink bound M̄, 2 lower shrink bound m̄, 3 largest and 4 smallest projected gradient of the sweep
 * Variable v belongs to row v % n, so that a two-sided loss has variables v < n and v ≥ n.
 * Returns the number still active.
 */
export function dualSweep(
  x: usize,
  indptr: usize,
  indices: usize,
  n: i32,
  d: i32,
  order: usize,
  active: i32,
  sigma: usize,
  c: usize,
  u: usize,
  diagonal: usize,
  norms: usize,
  a: usize,
  w: usize,
  root: f64,
  b0: f64,
  state: usize,
): i32 {
  let beta = load<f64>(state);
  const upper = load<f64>(state, 8);
  const lower = load<f64>(state, 16);
  let most: f64 = -Infinity;
  let least: f64 = Infinity;
  let e = 0;
  while (e < active) {
    const v = load<i32>(order + ((<usize>e) << 2));
    const at = (<usize>v) << 3;
    const i = v >= n ? v - n : v;
    const sign = load<f64>(sigma + at);
    const old = load<f64>(a + at);
    const limit = load<f64>(u + at);
    const extra = load<f64>(diagonal + at);
    const margin = rowDot(x, indptr, indices, i, d, w) + b0 + root * beta;
    const g = sign * margin - load<f64>(c + at) + extra * old;
    if (old == 0 ? g > upper : old == limit && g < lower) {
      active = setAside(order, e, active);
      continue;
    }
    const projected = old == 0 ? min(g, 0) : old == limit ? max(g, 0) : g;
    most = max(most, projected);
    least = min(least, projected);
    const curvature = load<f64>(norms + ((<usize>i) << 3)) + root * root + extra;
    if (abs(projected) > 1e-14 && curvature > 0) {
      const value = min(max(old - g / curvature, 0), limit);
      const change = (value - old) * sign;
      store<f64>(a + at, value);
      rowAdd(change, x, indptr, indices, i, d, w);
      beta += change * root;
    }
    e++;
  }
  store<f64>(state, beta);
  store<f64>(state, most, 24);
  store<f64>(state, least, 32);
  return active;
}

/** Shrinking: moves entry e, a variable likely to stay at its bound, behind the active ones. Returns their number. */
// @inline
function setAside(order: usize, e: i32, active: i32): i32 {
  const last = active - 1;
  const from = order + ((<usize>e) << 2);
  const to = order + ((<usize>last) << 2);
  const v = load<i32>(from);
  store<i32>(from, load<i32>(to));
  store<i32>(to, v);
  return last;
}
