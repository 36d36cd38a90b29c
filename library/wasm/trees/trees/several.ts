import { real } from "../../shared/arrays";
import { POISSON } from "../trees.layout";
import { targetLanes, targets } from "./data";
import { isPositive, logRatio, wlogw } from "./impurity";
import { classes, criterion, totals } from "./task";

/**
 * Several targets: `classes` numbers per row, padded with a 0 to an even number. The error of a node is the mean over the targets of
 * their squared errors, or of their Poisson deviances. `totals` has the weighted sum per target, the pad, and one sum over all
 * targets: of squares, or of y log y.
 */

/** The address of a row's targets. */
// @inline
export function targetsOf(row: usize): usize {
  return targets + row * (targetLanes << 3);
}

/** Adds w times the vector at `from` to that at `to`. */
// @inline
export function addScaled(from: usize, w: f64, to: usize): void {
  const factor = f64x2.splat(w);
  for (let e: usize = 0; e < targetLanes << 3; e += 16)
    v128.store(to + e, f64x2.add(v128.load(to + e), f64x2.mul(factor, v128.load(from + e))));
}

/** Σ y², or Σ y log y, of one row. */
// @inline
export function errorTerm(own: usize): f64 {
  let sum: f64 = 0;
  for (let t: i32 = 0; t < classes; t++) {
    const y = real(own, t);
    sum += criterion == POISSON ? wlogw(y) : y * y;
  }
  return sum;
}

// @inline
export function sameTargets(a: usize, b: usize): bool {
  let same = true;
  for (let e: usize = 0; e < targetLanes << 3; e += 16)
    same = same && i64x2.all_true(f64x2.eq(v128.load(a + e), v128.load(b + e)));
  return same;
}

/** The score of a split from the sums on its left, as `targetSplitScore` summed over the targets. */
// @inline
export function severalScore(left: usize, wl: f64, wr: f64): f64 {
  if (criterion == POISSON) return poissonScore(left, wl, wr);
  let a = f64x2.splat(0);
  let b = f64x2.splat(0);
  for (let e: usize = 0; e < targetLanes << 3; e += 16) {
    const l = v128.load(left + e);
    const r = f64x2.sub(v128.load(totals + e), l);
    a = f64x2.add(a, f64x2.mul(l, l));
    b = f64x2.add(b, f64x2.mul(r, r));
  }
  const sl = f64x2.extract_lane(a, 0) + f64x2.extract_lane(a, 1);
  const sr = f64x2.extract_lane(b, 0) + f64x2.extract_lane(b, 1);
  return (sl * wr + sr * wl) / (wl * wr);
}

/** Every target needs a positive mean on both sides. */
function poissonScore(left: usize, wl: f64, wr: f64): f64 {
  let score: f64 = 0;
  for (let t: i32 = 0; t < classes; t++) {
    const sl = real(left, t);
    const sr = real(totals, t) - sl;
    if (!isPositive(sl, sr) || !isPositive(sr, sl)) return -Infinity;
    score += sl * logRatio(sl / wl) + sr * logRatio(sr / wr);
  }
  return score;
}

/** The score of the current node as it is: Σ (Σ y)²/N, or Σ (Σ y) log ȳ. */
function nodeScore(weight: f64): f64 {
  let score: f64 = 0;
  for (let t: i32 = 0; t < classes; t++) {
    const sum = real(totals, t);
    if (criterion != POISSON) score += (sum * sum) / weight;
    else if (sum > 0) score += sum * logRatio(sum / weight);
  }
  return score;
}

/** The mean over the targets of the error of the current node. */
export function severalImpurity(weight: f64): f64 {
  if (!(weight > 0)) return 0;
  return max(0, (real(totals, <i32>targetLanes) - nodeScore(weight)) / (weight * <f64>classes));
}

/** Δi of a split of the current node, from its score. */
export function severalDecrease(score: f64, weight: f64): f64 {
  return (score - nodeScore(weight)) / (weight * <f64>classes);
}
