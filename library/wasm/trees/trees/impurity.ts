import { real } from "../../shared/arrays";
import { logOf } from "../../shared/elementary";
import { ENTROPY, GINI, NODE_ERROR, POISSON, SQUARED_ERROR, TWOING } from "../trees.layout";
import { classes, criterion, logs } from "./task";

/** w log w, 0 at 0. */
// @inline
export function wlogw(w: f64): f64 {
  if (!(w > 0)) return 0;
  return w * (w >= 1 ? logOf(w) : -logOf(1 / w));
}

/** Impurity i(t) from class weights; for twoing, which has none, Gini's. */
export function classImpurity(counts: usize, weight: f64): f64 {
  if (!(weight > 0)) return 0;
  let sum: f64 = 0;
  let most: f64 = 0;
  for (let k: i32 = 0; k < classes; k++) {
    const p = real(counts, k) / weight;
    if (criterion == ENTROPY) sum -= wlogw(p);
    else sum += p * p;
    most = max(most, p);
  }
  if (criterion == ENTROPY) return sum;
  return criterion == NODE_ERROR ? 1 - most : 1 - sum;
}

/** Impurity of targets with the given weight, sum and sum of squares. */
export function targetImpurity(weight: f64, sum: f64, squares: f64): f64 {
  if (!(weight > 0)) return 0;
  const mean = sum / weight;
  if (criterion == SQUARED_ERROR) return max(0, squares / weight - mean * mean);
  // Poisson: Σ y log(y/ȳ) over the weight; `squares` is Σ y log y.
  return max(0, (squares - sum * (mean > 0 ? wlogw(mean) / mean : 0)) / weight);
}

/**
 * The score of a split from its class weights, up to terms that are the same for all splits of a node; larger is better. All kinds of
 * splits (thresholds, random thresholds, groups of categories) use these formulas, so that their scores can be compared.
 *
 *   Gini       Σ L²/N_L + Σ R²/N_R; for two classes `twoClassScore`
 *   deviance   Σ L log L − N_L log N_L + the same of R
 *   twoing     N_L N_R (Σ |p_L − p_R|)²
 *   node error max L + max R
 */
export function classSplitScore(left: usize, right: usize, wl: f64, wr: f64): f64 {
  let a: f64 = 0;
  let b: f64 = 0;
  if (criterion == GINI) {
    if (classes == 2) return twoClassScore(real(left, 1), real(right, 1), wl, wr);
    for (let k: i32 = 0; k < classes; k++) {
      a += real(left, k) * real(left, k);
      b += real(right, k) * real(right, k);
    }
    return giniScore(a, b, wl, wr);
  }
  if (criterion == ENTROPY) {
    for (let k: i32 = 0; k < classes; k++) a += logTerm(real(left, k)) + logTerm(real(right, k));
    return a - logTerm(wl) - logTerm(wr);
  }
  if (criterion == TWOING) {
    for (let k: i32 = 0; k < classes; k++) a += Math.abs(real(left, k) / wl - real(right, k) / wr);
    return wl * wr * a * a;
  }
  for (let k: i32 = 0; k < classes; k++) {
    a = max(a, real(left, k));
    b = max(b, real(right, k));
  }
  return a + b;
}

/** w log w, from the table if weights are counts. */
// @inline
function logTerm(w: f64): f64 {
  return logs != 0 ? real(logs, <i32>w) : wlogw(w);
}

/** Gini's score from sums of squared class weights. */
// @inline
export function giniScore(squaresLeft: f64, squaresRight: f64, wl: f64, wr: f64): f64 {
  return (squaresLeft * wr + squaresRight * wl) / (wl * wr);
}

/**
 * Gini's score for two classes from the weights of the second: −(L₀L₁/N_L + R₀R₁/N_R). Since Σ L² = N_L² − 2 L₀L₁, the general score is N
 * plus twice this one, which is more accurate for nearly pure sides.
 */
// @inline
export function twoClassScore(sl: f64, sr: f64, wl: f64, wr: f64): f64 {
  return -((wl - sl) * sl * wr + (wr - sr) * sr * wl) / (wl * wr);
}

/**
 * Whether a sum of targets ≥ 0 is positive: one side is the difference of the node and the other side, so that a sum of zeros may be a
 * rounding error of the sum beside it. A leaf that predicts 0 would make the deviance infinite.
 */
// @inline
export function isPositive(sum: f64, other: f64): bool {
  return sum > 1e-12 * other;
}

/** The score from weighted sums Σ of targets: Σ²/N over both sides, or Σ log(Σ/N) for Poisson. */
// @inline
export function targetSplitScore(sl: f64, sr: f64, wl: f64, wr: f64): f64 {
  if (criterion == POISSON) {
    if (!isPositive(sl, sr) || !isPositive(sr, sl)) return -Infinity;
    return sl * logRatio(sl / wl) + sr * logRatio(sr / wr);
  }
  return (sl * sl * wr + sr * sr * wl) / (wl * wr);
}

// @inline
export function logRatio(v: f64): f64 {
  return v >= 1 ? logOf(v) : -logOf(1 / v);
}
