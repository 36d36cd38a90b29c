import { Candidate, Node, STRIDE } from "../boosting.layout";
import { binsOf, direction, isCategorical } from "./columns";
import { chunkBuffer, problem } from "./problem";
import { gradientUnit, hessianIn, hessianMask, hessianUnit, rowsIn, shift } from "./units";

/**
 * The best split of a node by one column: the one with the largest
 *
 *   gain = G_L²/(H_L + λ) + G_R²/(H_R + λ) − G²/(H + λ)
 *
 * with at least `minSamplesLeaf` rows and a hessian of `minHessian` on both sides; ties go to the first bin. Values are v = −G/(H + λ);
 * with monotonic constraints they are clipped to the node's bounds, and the gain is −G_L v_L − G_R v_R + G v.
 */

/** Minimum rows of a category to be considered, and the smoothing of the key by which categories are sorted. Parity: scikit-learn's. */
const CATEGORY_SUPPORT: f64 = 10;
/** The minimum, less the rounding of hessians. */
const MIN_SUPPORT: f64 = CATEGORY_SUPPORT * (1 - 1e-6);
/** Avoids a denominator of 0. */
const TINY: f64 = 1e-15;
/** Rounding error of a gain of 0, relative to the score of the node. */
const ROUNDING: f64 = 1e-14;
/** The gain if there is no split. */
export const NONE: f64 = -1;
/** 1 minus the rounding error of a product of sums. */
const ALMOST: f64 = 1 - 1e-14;

let node: Node = changetype<Node>(0);
let out: Candidate = changetype<Candidate>(0);
let nodeScore: f64 = 0;
// In integer units, like all gains and values until they are returned.
let lambda: f64 = 0;
let bounded: bool = false;
let monotone: i32 = 0;
let minRows: i32 = 0;
let minHessian: f64 = 0;

let lower: f64 = 0;
let upper: f64 = 0;

// @inline
function clip(value: f64): f64 {
  return max(lower, min(upper, value));
}

/** G²/(H + λ) of both sides, or its equivalent for clipped values; −Infinity if it violates the monotonic constraint. */
function splitScore(gl: f64, hl: f64, gr: f64, hr: f64): f64 {
  if (!bounded) return (gl * gl) / (hl + lambda) + (gr * gr) / (hr + lambda);
  const left = clip(-gl / (hl + lambda));
  const right = clip(-gr / (hr + lambda));
  if ((monotone > 0 && left > right) || (monotone < 0 && left < right)) return -Infinity;
  return -gl * left - gr * right;
}

/** The score of the node without a split. */
function scoreWithoutSplit(): f64 {
  const g = <f64>node.gradient;
  const h = <f64>(node.hessian & hessianMask) + lambda;
  return bounded ? -g * clip(-g / h) : (g * g) / h;
}

function keepSplit(gain: f64, bin: i32, missingLeft: bool, g: i64, h: i64): void {
  out.gain = gain;
  out.bin = bin;
  out.missingLeft = missingLeft ? 1 : 0;
  out.leftGradient = g;
  out.leftHessian = h;
}

/**
 * Scans bins from `first` to before `end` in steps of `onward`. Scanned bins are the left side (`passedLeft`) or the right one. Sums are
 * integers below 2⁵¹, so that they and their differences are exact in doubles.
 */
// @inline
function scan(bins: usize, first: i32, end: i32, onward: i32, passedLeft: bool): void {
  // Copies in locals, which stay in registers.
  const allG = <f64>node.gradient;
  const allH = <f64>(node.hessian & hessianMask);
  const least = minRows;
  const most = rowsIn(node.hessian) - least;
  const low = minHessian;
  const bits = shift;
  const mask = hessianMask;
  const ridge = lambda;
  const free = !bounded;
  let g: i64 = 0;
  let h: i64 = 0;
  let best = out.gain;
  for (let b = first; b != end; b += onward) {
    const place = bins + ((<usize>b) << 4);
    g += load<i64>(place);
    h += load<i64>(place, 8);
    const rows = <i32>(h >> bits);
    if (rows < least) continue;
    if (rows > most) break;
    const hOne = <f64>(h & mask);
    const hOther = allH - hOne;
    if (hOne < low) continue;
    if (hOther < low) break;
    const gOne = <f64>g;
    const gOther = allG - gOne;
    const a = hOne + ridge;
    const c = hOther + ridge;
    // A test without divisions first, since few bins are better than all before them.
    if (free && gOne * gOne * c + gOther * gOther * a <= best * (a * c) * ALMOST) continue;
    let gain: f64;
    if (free) gain = (gOne * gOne) / a + (gOther * gOther) / c;
    else gain = passedLeft ? splitScore(gOne, hOne, gOther, hOther) : splitScore(gOther, hOther, gOne, hOne);
    if (gain > best) {
      best = gain;
      if (passedLeft) keepSplit(gain, b, false, g, h);
      else keepSplit(gain, b - 1, true, node.gradient - g, node.hessian - h);
    }
  }
}

/** Left sides are bins 0 … b; missing values go right. The last bin splits missing values from all others. */
function scanUp(bins: usize, end: i32): void {
  scan(bins, 0, end, 1, true);
}

/** Left sides are bins 0 … b and the missing values. */
function scanDown(bins: usize, count: i32): void {
  scan(bins, count - 1, 0, -1, false);
}

// Categories sorted by gradient over hessian: keys and bins, in this thread's buffer.
let keys: usize = 0;
let order: usize = 0;

/** Sorts the categories with enough rows, missing values included; returns their number. */
function orderCategories(bins: usize, count: i32): i32 {
  const factor = <f64>rowsIn(node.hessian) / hessianIn(node.hessian);
  keys = chunkBuffer();
  order = keys + 4096;
  let used: i32 = 0;
  for (let b: i32 = 0; b <= count; b++) {
    const h = hessianIn(load<i64>(bins + ((<usize>b) << 4), 8));
    if (h * factor < MIN_SUPPORT) continue;
    const key = (<f64>load<i64>(bins + ((<usize>b) << 4)) * gradientUnit) / (h + CATEGORY_SUPPORT);
    let e = used;
    used++;
    for (; e > 0 && load<f64>(keys + ((<usize>(e - 1)) << 3)) > key; e--) {
      store<f64>(keys + ((<usize>e) << 3), load<f64>(keys + ((<usize>(e - 1)) << 3)));
      store<i32>(order + ((<usize>e) << 2), load<i32>(order + ((<usize>(e - 1)) << 2)));
    }
    store<f64>(keys + ((<usize>e) << 3), key);
    store<i32>(order + ((<usize>e) << 2), b);
  }
  return used;
}

/**
 * Left sides are the first or the last categories of the order, at most half of them [Fisher 1958; Ke et al. 2017]; every cut of
 * the order is tried once. Parity: scikit-learn's halves, which matter because categories with too few rows go right.
 */
function scanCategories(bins: usize, count: i32): void {
  const used = orderCategories(bins, count);
  if (used < 2) return;
  const allG = <f64>node.gradient;
  const allH = <f64>(node.hessian & hessianMask);
  const most = rowsIn(node.hessian) - minRows;
  let best = out.gain;
  let taken: i32 = 0;
  let fromEnd = false;
  for (let turn: i32 = 0; turn < 2; turn++) {
    let g: i64 = 0;
    let h: i64 = 0;
    const half = (used + 1) / 2 - turn;
    for (let e: i32 = 0; e < half; e++) {
      const b = load<i32>(order + ((<usize>(turn == 0 ? e : used - 1 - e)) << 2));
      g += load<i64>(bins + ((<usize>b) << 4));
      h += load<i64>(bins + ((<usize>b) << 4), 8);
      const rows = rowsIn(h);
      const hl = <f64>(h & hessianMask);
      if (rows < minRows || hl < minHessian) continue;
      const hr = allH - hl;
      if (rows > most || hr < minHessian) break;
      const gain = splitScore(<f64>g, hl, allG - <f64>g, hr);
      if (gain <= best) continue;
      best = gain;
      taken = e + 1;
      fromEnd = turn == 1;
      keepSplit(gain, 0, false, g, h);
    }
  }
  if (taken > 0) storeCategories(taken, used, fromEnd, count);
}

function storeCategories(taken: i32, used: i32, fromEnd: bool, count: i32): void {
  const set = changetype<usize>(out) + offsetof<Candidate>("set0");
  memory.fill(set, 0, 32);
  for (let e: i32 = 0; e < taken; e++) {
    const b = load<i32>(order + ((<usize>(fromEnd ? used - 1 - e : e)) << 2));
    const place = set + ((<usize>(b >> 6)) << 3);
    store<i64>(place, load<i64>(place) | ((<i64>1) << (b & 63)));
    if (b == count) out.missingLeft = 1;
  }
}

/**
 * The best split of `given` by column j of a histogram whose score is above `bound`. A gain ≤ 0 means that there is none. Returns the
 * score of the split, or the bound.
 */
export function findSplit(given: Node, j: i32, histogram: usize, bound: f64, found: Candidate): f64 {
  node = given;
  out = found;
  const perValue = gradientUnit / hessianUnit;
  lambda = (problem.l2 + TINY) / hessianUnit;
  lower = node.lower / perValue;
  upper = node.upper / perValue;
  bounded = problem.bounded != 0;
  monotone = direction(j);
  minRows = <i32>problem.minSamplesLeaf;
  minHessian = problem.minHessian / hessianUnit;
  nodeScore = scoreWithoutSplit();
  out.gain = max(bound, nodeScore + abs(nodeScore) * ROUNDING);
  const before = out.gain;
  const bins = histogram + <usize>j * STRIDE;
  const count = binsOf(j);
  if (isCategorical(j)) scanCategories(bins, count);
  else {
    const missing = load<i64>(bins + ((<usize>count) << 4), 8) != 0;
    scanUp(bins, count - 1 + (missing ? 1 : 0));
    if (missing) scanDown(bins, count);
  }
  if (out.gain == before) {
    out.gain = NONE;
    return bound;
  }
  const score = out.gain;
  out.gain = (out.gain - nodeScore) * gradientUnit * perValue;
  out.leftValue = leafValue(out.leftGradient, out.leftHessian);
  out.rightValue = leafValue(node.gradient - out.leftGradient, node.hessian - out.leftHessian);
  return score;
}

function leafValue(gradient: i64, hessian: i64): f64 {
  const value = -(<f64>gradient) / (<f64>(hessian & hessianMask) + lambda);
  return (bounded ? clip(value) : value) * (gradientUnit / hessianUnit);
}
