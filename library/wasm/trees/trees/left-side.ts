import { real, setReal } from "../../shared/arrays";
import { vsum } from "../../shared/elementary";
import { several, targetLanes, weights } from "./data";
import { entryAt, rowOf } from "./entries";
import { gatheredTargets, gatheredWeights } from "./gathered";
import { classSplitScore, targetSplitScore } from "./impurity";
import { severalScore } from "./several";
import { classes, many, minLeaf, minWeight, totals } from "./task";
import { scratch } from "./thread";

// Of the rows on the left: their number, weight, and sum of `gatheredTargets`.
export let leftRows: i32 = 0;
let leftWeight: f64 = 0;
let leftSum: f64 = 0;

// @inline
function setLeft(rows: v128, sum: v128, weight: v128): void {
  leftRows = <i32>(i64x2.extract_lane(rows, 0) + i64x2.extract_lane(rows, 1));
  leftSum = vsum(sum);
  leftWeight = weights != 0 ? vsum(weight) : <f64>leftRows;
}

/** Sums over those of `count` gathered values that are at most the threshold. */
function sumLeft(values: usize, count: i32, threshold: f64): void {
  const limit = f64x2.splat(threshold);
  let rows = i64x2.splat(0);
  let weight = f64x2.splat(0);
  let sum = f64x2.splat(0);
  const end = (<usize>count) << 3;
  const weighted = weights != 0;
  for (let e: usize = 0; e < end; e += 16) {
    // The second lane of an odd last value is ignored.
    let left = f64x2.le(v128.load(values + e), limit);
    if (e + 8 == end) left = i64x2.replace_lane(left, 1, 0);
    rows = i64x2.sub(rows, left);
    sum = f64x2.add(sum, v128.and(left, v128.load(gatheredTargets + e)));
    if (weighted) weight = f64x2.add(weight, v128.and(left, v128.load(gatheredWeights + e)));
  }
  setLeft(rows, sum, weight);
}

/** `sumLeft` for more than two classes: writes class weights to `counts`. */
function countLeft(values: usize, count: i32, threshold: f64, counts: usize): void {
  memory.fill(counts, 0, (<usize>classes) << 3);
  leftRows = 0;
  leftWeight = 0;
  for (let e: i32 = 0; e < count; e++) {
    const left = real(values, e) <= threshold;
    // The weight or 0, by a mask: a branch could not be predicted.
    const w = reinterpret<f64>(load<u64>(gatheredWeights + ((<usize>e) << 3)) & -(<u64>left));
    const own = counts + <usize>reinterpret<u64>(real(gatheredTargets, e));
    store<f64>(own, load<f64>(own) + w);
    leftRows += <i32>left;
    leftWeight += w;
  }
}

/** `sumLeft` for several targets: writes their sums to `sums`. */
function sumTargetsLeft(values: usize, count: i32, threshold: f64, sums: usize): void {
  const bytes = targetLanes << 3;
  memory.fill(sums, 0, bytes);
  leftRows = 0;
  leftWeight = 0;
  let own = gatheredTargets;
  for (let e: i32 = 0; e < count; e++, own += bytes) {
    const left = real(values, e) <= threshold;
    // The targets or 0, by a mask: a branch could not be predicted.
    const mask = i64x2.splat(-(<i64>left));
    for (let at: usize = 0; at < bytes; at += 16)
      v128.store(sums + at, f64x2.add(v128.load(sums + at), v128.and(mask, v128.load(own + at))));
    leftRows += <i32>left;
    leftWeight += reinterpret<f64>(load<u64>(gatheredWeights + ((<usize>e) << 3)) & -(<u64>left));
  }
}

/** `sumLeft` for the rows of a node in bin 0. */
function sumFirstBin(bins: usize, from: i32, to: i32): void {
  let rows = i64x2.splat(0);
  let weight = f64x2.splat(0);
  let sum = f64x2.splat(0);
  const weighted = weights != 0;
  const end = entryAt(0, to);
  let at: usize = 0;
  for (let entry = entryAt(0, from); entry < end; entry += 16, at += 16) {
    // Both lanes: 0 − 1 has all bits. The second lane of an odd last row is ignored.
    let left = i64x2.splat(<i64>load<u8>(bins + rowOf(entry)) - 1);
    const other = entry + 8 < end ? <i64>load<u8>(bins + rowOf(entry + 8)) - 1 : 0;
    left = i64x2.replace_lane(left, 1, other);
    rows = i64x2.sub(rows, left);
    sum = f64x2.add(sum, v128.and(left, v128.load(gatheredTargets + at)));
    if (weighted) weight = f64x2.add(weight, v128.and(left, v128.load(gatheredWeights + at)));
  }
  setLeft(rows, sum, weight);
}

/**
 * The score of the split of a node of `count` rows, whose values are gathered, by a threshold; −∞ if it is not allowed. `scratch` has two
 * doubles per class.
 */
export function leftScore(values: usize, count: i32, threshold: f64, weight: f64): f64 {
  if (several) sumTargetsLeft(values, count, threshold, scratch);
  else if (many) countLeft(values, count, threshold, scratch);
  else sumLeft(values, count, threshold);
  return scoreOf(count, weight);
}

/** `leftScore` of the split after bin 0 if there is one sum, not many. */
export function leftBinScore(bins: usize, from: i32, to: i32, weight: f64): f64 {
  sumFirstBin(bins, from, to);
  return scoreOf(to - from, weight);
}

function scoreOf(count: i32, weight: f64): f64 {
  const left = scratch;
  const right = scratch + ((<usize>classes) << 3);
  const rest = weight - leftWeight;
  if (leftRows < minLeaf || count - leftRows < minLeaf || leftWeight < minWeight || rest < minWeight)
    return -Infinity;
  if (several) return severalScore(left, leftWeight, rest);
  if (classes == 0) return targetSplitScore(leftSum, real(totals, 0) - leftSum, leftWeight, rest);
  if (classes == 2) {
    // The weight of the first of two classes follows from that of the second.
    setReal(left, 0, leftWeight - leftSum);
    setReal(left, 1, leftSum);
  }
  for (let k: i32 = 0; k < classes; k++) setReal(right, k, real(totals, k) - real(left, k));
  return classSplitScore(left, right, leftWeight, rest);
}
