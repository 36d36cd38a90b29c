import { classSplitScore, targetSplitScore } from "./impurity";
import { FoundSplit } from "./layout";
import { presentEnd } from "./scan";
import { addScaled, severalScore, targetsOf } from "./several";
import {
  classes,
  codeOf,
  draw,
  entryAt,
  gatheredTargets,
  gatheredWeights,
  minLeaf,
  minWeight,
  real,
  rowOf,
  setReal,
  several,
  side,
  stride,
  targetLanes,
  targetOf,
  task,
  totals,
  weightOf,
  weights,
  x,
} from "./task";

// @inline
function valueAt(column: i32, place: i32): f64 {
  return load<f64>(x + ((<usize>column * stride + rowOf(entryAt(column, place))) << 3));
}

/** A threshold drawn uniformly between the smallest and the largest value of the node [Geurts et al. 2006]; missing values go right. */
export function drawSorted(
  column: i32,
  from: i32,
  to: i32,
  weight: f64,
  scratch: usize,
  out: FoundSplit,
): void {
  out.score = -Infinity;
  out.place = -1;
  out.missingLeft = 0;
  const end = presentEnd(column, from, to);
  if (end == from) return;
  const low = valueAt(column, from);
  const high = valueAt(column, end - 1);
  if (!(low < high)) return;
  let threshold = low + (<f64>draw() / 4294967296) * (high - low);
  if (!(threshold < high)) threshold = low;
  // The first place above it.
  let place = from;
  let above = end - 1;
  while (place < above) {
    const middle = (place + above) >> 1;
    if (valueAt(column, middle) > threshold) above = middle;
    else place = middle + 1;
  }
  out.place = <f64>place;
  out.drawn = threshold;
  if (place - from < minLeaf || to - place < minLeaf) return;
  out.score = splitScoreOf(column, from, place, weight, scratch);
}

function splitScoreOf(column: i32, from: i32, place: i32, weight: f64, scratch: usize): f64 {
  if (several) return severalScoreOf(column, from, place, weight, scratch);
  const left = scratch;
  const right = scratch + ((<usize>classes) << 3);
  memory.fill(left, 0, (<usize>classes) << 3);
  memory.copy(right, totals, (<usize>classes) << 3);
  let wl: f64 = 0;
  let sl: f64 = 0;
  for (let p = from; p < place; p++) {
    const row = rowOf(entryAt(column, p));
    const w = weightOf(row);
    wl += w;
    if (classes == 0) {
      sl += w * targetOf(row);
      continue;
    }
    const k = codeOf(row);
    setReal(left, k, real(left, k) + w);
    setReal(right, k, real(right, k) - w);
  }
  const wr = weight - wl;
  if (wl < minWeight || wr < minWeight) return -Infinity;
  if (classes == 0) return targetSplitScore(sl, real(totals, 0) - sl, wl, wr);
  return classSplitScore(left, right, wl, wr);
}

function severalScoreOf(column: i32, from: i32, place: i32, weight: f64, left: usize): f64 {
  memory.fill(left, 0, targetLanes << 3);
  let wl: f64 = 0;
  for (let p = from; p < place; p++) {
    const row = rowOf(entryAt(column, p));
    const w = weightOf(row);
    wl += w;
    addScaled(targetsOf(row), w, left);
  }
  const wr = weight - wl;
  return wl < minWeight || wr < minWeight ? -Infinity : severalScore(left, wl, wr);
}

// The smallest and the largest gathered value.
let least: f64 = 0;
let greatest: f64 = 0;

/** Gathers the values of a column for the unsorted rows of a node, and finds the smallest and the largest; missing values are ignored. */
function gather(column: i32, from: i32, to: i32, out: usize): void {
  const values = x + ((<usize>column * stride) << 3);
  const end = entryAt(0, to);
  let low = f64x2.splat(Infinity);
  let high = f64x2.splat(-Infinity);
  let entry = entryAt(0, from);
  for (; entry + 16 <= end; entry += 16, out += 16) {
    const first = v128.load_zero<f64>(values + (rowOf(entry) << 3));
    const pair = v128.load_lane<f64>(values + (rowOf(entry + 8) << 3), first, 1);
    v128.store(out, pair);
    low = f64x2.pmin(low, pair);
    high = f64x2.pmax(high, pair);
  }
  if (entry < end) {
    const last = v128.load_splat<f64>(values + (rowOf(entry) << 3));
    v128.store(out, last);
    low = f64x2.pmin(low, last);
    high = f64x2.pmax(high, last);
  }
  least = min(f64x2.extract_lane(low, 0), f64x2.extract_lane(low, 1));
  greatest = max(f64x2.extract_lane(high, 0), f64x2.extract_lane(high, 1));
}

// Of the rows on the left: their number, weight, and sum of `gatheredTargets`.
let leftRows: i32 = 0;
let leftWeight: f64 = 0;
let leftSum: f64 = 0;

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
  leftRows = <i32>(i64x2.extract_lane(rows, 0) + i64x2.extract_lane(rows, 1));
  leftSum = f64x2.extract_lane(sum, 0) + f64x2.extract_lane(sum, 1);
  leftWeight = weighted ? f64x2.extract_lane(weight, 0) + f64x2.extract_lane(weight, 1) : <f64>leftRows;
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

/**
 * `drawSorted` for unsorted rows, whose weights and targets `sumNode` has gathered. `scratch` has two doubles per class.
 */
export function drawUnsorted(
  column: i32,
  from: i32,
  to: i32,
  weight: f64,
  scratch: usize,
  out: FoundSplit,
): void {
  out.score = -Infinity;
  out.place = -1;
  out.missingLeft = 0;
  const values = <usize>task.spare;
  gather(column, from, to, values);
  if (!(least < greatest)) return;
  let threshold = least + (<f64>draw() / 4294967296) * (greatest - least);
  if (!(threshold < greatest)) threshold = least;
  const left = scratch;
  const right = scratch + ((<usize>classes) << 3);
  if (several) sumTargetsLeft(values, to - from, threshold, left);
  else if (classes > 2) countLeft(values, to - from, threshold, left);
  else sumLeft(values, to - from, threshold);
  out.place = <f64>(from + leftRows);
  out.drawn = threshold;
  const rest = weight - leftWeight;
  if (leftRows < minLeaf || to - from - leftRows < minLeaf || leftWeight < minWeight || rest < minWeight)
    return;
  if (several) {
    out.score = severalScore(left, leftWeight, rest);
    return;
  }
  if (classes == 0) {
    out.score = targetSplitScore(leftSum, real(totals, 0) - leftSum, leftWeight, rest);
    return;
  }
  if (classes == 2) {
    // The weight of the first of two classes follows from that of the second.
    setReal(left, 0, leftWeight - leftSum);
    setReal(left, 1, leftSum);
  }
  for (let k: i32 = 0; k < classes; k++) setReal(right, k, real(totals, k) - real(left, k));
  out.score = classSplitScore(left, right, leftWeight, rest);
}

/** Marks the rows on the left of a threshold. */
export function markUnsorted(column: i32, threshold: f64, from: i32, to: i32): void {
  const values = x + ((<usize>column * stride) << 3);
  const end = entryAt(0, to);
  for (let entry = entryAt(0, from); entry < end; entry += 8) {
    const row = rowOf(entry);
    store<u8>(side + row, <u8>(load<f64>(values + (row << 3)) <= threshold));
  }
}
