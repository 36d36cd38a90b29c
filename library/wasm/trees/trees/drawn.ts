import { real, setReal } from "../../shared/arrays";
import { FoundSplit } from "../trees.layout";
import { codeOf, several, stride, targetLanes, targetOf, weightOf, x } from "./data";
import { entryAt, rowOf } from "./entries";
import { classSplitScore, targetSplitScore } from "./impurity";
import { leftRows, leftScore } from "./left-side";
import { drawBetween } from "./random";
import { presentEnd } from "./scan";
import { addScaled, severalScore, targetsOf } from "./several";
import { classes, minLeaf, minWeight, side, totals } from "./task";
import { scratch, spare } from "./thread";

// @inline
function valueAt(column: i32, list: i32, place: i32): f64 {
  return load<f64>(x + ((<usize>column * stride + rowOf(entryAt(list, place))) << 3));
}

/** No split, until one is found. */
// @inline
export function clearSplit(out: FoundSplit): void {
  out.score = -Infinity;
  out.place = -1;
  out.missingLeft = 0;
}

/** A threshold of a column, whose entries are in `list`, drawn uniformly between the smallest and the largest value of the node [Geurts et al. 2006]; missing values go right. */
export function drawSorted(column: i32, list: i32, from: i32, to: i32, weight: f64, out: FoundSplit): void {
  clearSplit(out);
  const end = presentEnd(list, from, to);
  if (end == from) return;
  const low = valueAt(column, list, from);
  const high = valueAt(column, list, end - 1);
  if (!(low < high)) return;
  const threshold = drawBetween(low, high);
  // The first place above it.
  let place = from;
  let above = end - 1;
  while (place < above) {
    const middle = (place + above) >> 1;
    if (valueAt(column, list, middle) > threshold) above = middle;
    else place = middle + 1;
  }
  out.place = <f64>place;
  out.drawn = threshold;
  if (place - from < minLeaf || to - place < minLeaf) return;
  out.score = splitScoreOf(list, from, place, weight);
}

function splitScoreOf(list: i32, from: i32, place: i32, weight: f64): f64 {
  if (several) return severalScoreOf(list, from, place, weight, scratch);
  const left = scratch;
  const right = scratch + ((<usize>classes) << 3);
  memory.fill(left, 0, (<usize>classes) << 3);
  memory.copy(right, totals, (<usize>classes) << 3);
  let wl: f64 = 0;
  let sl: f64 = 0;
  for (let p = from; p < place; p++) {
    const row = rowOf(entryAt(list, p));
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

function severalScoreOf(list: i32, from: i32, place: i32, weight: f64, left: usize): f64 {
  memory.fill(left, 0, targetLanes << 3);
  let wl: f64 = 0;
  for (let p = from; p < place; p++) {
    const row = rowOf(entryAt(list, p));
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

/**
 * `drawSorted` for unsorted rows, whose weights and targets `sumNode` has gathered.
 */
export function drawUnsorted(column: i32, from: i32, to: i32, weight: f64, out: FoundSplit): void {
  clearSplit(out);
  const values = spare;
  gather(column, from, to, values);
  if (!(least < greatest)) return;
  const threshold = drawBetween(least, greatest);
  out.score = leftScore(values, to - from, threshold, weight);
  out.place = <f64>(from + leftRows);
  out.drawn = threshold;
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
