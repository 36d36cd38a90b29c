import { real, setReal } from "../../shared/arrays";
import { ENTROPY, FoundSplit, GINI, MISSING } from "../trees.layout";
import { codeOf, several, targetLanes, targetOf, weightOf } from "./data";
import { entryAt, rankOf, rowOf } from "./entries";
import { classSplitScore, giniScore, targetSplitScore, twoClassScore } from "./impurity";
import { addScaled, severalScore, targetsOf } from "./several";
import { classes, criterion, logs, minLeaf, minWeight, totals } from "./task";
import { scratch } from "./thread";

// The best split of the current column so far.
let bestScore: f64 = 0;
let bestPlace: i32 = 0;
let bestMissingLeft: i32 = 0;

/** The first place whose value is missing, or `to`. */
export function presentEnd(list: i32, from: i32, to: i32): i32 {
  if (rankOf(entryAt(list, to - 1)) != MISSING) return to;
  let low = from;
  let high = to - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (rankOf(entryAt(list, middle)) == MISSING) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Finds the best threshold of a column, whose entries are in `list`, between places from … to − 1. `weight` is that of the node. */
export function scanColumn(list: i32, from: i32, to: i32, weight: f64, out: FoundSplit): void {
  bestScore = -Infinity;
  bestPlace = -1;
  bestMissingLeft = 0;
  const end = presentEnd(list, from, to);
  // Missing values go right, then left. Without any, their side is set when the node is split.
  scan(list, from, end, to, weight, false);
  if (end < to) scan(list, from, end, to, weight, true);
  out.score = bestScore;
  out.place = <f64>bestPlace;
  out.missingLeft = <f64>bestMissingLeft;
}

// @inline
function keepIfBetter(splitScore: f64, place: i32, missingLeft: bool): void {
  if (splitScore > bestScore) {
    bestScore = splitScore;
    bestPlace = place;
    bestMissingLeft = missingLeft ? 1 : 0;
  }
}

function scan(list: i32, from: i32, end: i32, to: i32, weight: f64, missingLeft: bool): void {
  if (end == from) return;
  const first = entryAt(list, from);
  const last = entryAt(list, end - 1);
  // A constant column without missing values has no split.
  if (end == to && rankOf(first) == rankOf(last)) return;
  if (several) scanSeveral(list, from, end, to, weight, missingLeft);
  else if (classes == 0) scanTargets(list, from, end, to, weight, missingLeft);
  else if (classes == 2 && criterion == GINI) scanTwo(list, from, end, to, weight, missingLeft);
  else if (criterion == ENTROPY && logs != 0) scanLogs(list, from, end, to, missingLeft);
  else scanClasses(list, from, end, to, weight, missingLeft);
}

/** For criteria of one sum: of targets, or (`two`) of the weight of the second of two classes with Gini. */
// @inline
function scanSums(list: i32, from: i32, end: i32, to: i32, weight: f64, missingLeft: bool, two: bool): void {
  const total = real(totals, two ? 1 : 0);
  let wl: f64 = 0;
  let sl: f64 = 0;
  let before = from;
  if (missingLeft) {
    for (let p = end; p < to; p++) {
      const row = rowOf(entryAt(list, p));
      const w = weightOf(row);
      wl += w;
      sl += w * (two ? <f64>codeOf(row) : targetOf(row));
    }
    before = from - (to - end);
  }
  const stop = missingLeft || end == to ? end - 1 : end;
  let entry = entryAt(list, from);
  let rank = rankOf(entry);
  for (let p = from; p < stop; p++) {
    const row = rowOf(entry);
    const w = weightOf(row);
    wl += w;
    sl += w * (two ? <f64>codeOf(row) : targetOf(row));
    entry += 8;
    const next = p + 1 < end ? rankOf(entry) : MISSING;
    const changes = next != rank;
    rank = next;
    if (!changes || p + 1 - before < minLeaf || to - p - 1 + (before - from) < minLeaf) continue;
    const wr = weight - wl;
    if (wl < minWeight || wr < minWeight) continue;
    const sr = total - sl;
    const splitScore = two ? twoClassScore(sl, sr, wl, wr) : targetSplitScore(sl, sr, wl, wr);
    keepIfBetter(splitScore, p + 1, missingLeft);
  }
}

function scanTwo(list: i32, from: i32, end: i32, to: i32, weight: f64, missingLeft: bool): void {
  scanSums(list, from, end, to, weight, missingLeft, true);
}

function scanTargets(list: i32, from: i32, end: i32, to: i32, weight: f64, missingLeft: bool): void {
  scanSums(list, from, end, to, weight, missingLeft, false);
}

function scanClasses(list: i32, from: i32, end: i32, to: i32, weight: f64, missingLeft: bool): void {
  const left = scratch;
  const right = scratch + ((<usize>classes) << 3);
  memory.fill(left, 0, (<usize>classes) << 3);
  memory.copy(right, totals, (<usize>classes) << 3);
  let wl: f64 = 0;
  let before = from;
  // Sums of squared class weights for Gini, updated row by row.
  let sl: f64 = 0;
  let sr: f64 = 0;
  for (let k: i32 = 0; k < classes; k++) sr += real(right, k) * real(right, k);
  const gini = criterion == GINI;
  const stop = missingLeft || end == to ? end - 1 : end;
  // Missing values come first if they go left.
  const begin = missingLeft ? from - (to - end) : from;
  if (missingLeft) before = begin;
  for (let q = begin; q < stop; q++) {
    const p = q < from ? end + (q - begin) : q;
    const entry = entryAt(list, p);
    const row = rowOf(entry);
    const w = weightOf(row);
    const k = codeOf(row);
    const lk = real(left, k);
    const rk = real(right, k);
    sl += w * (lk + lk + w);
    sr -= w * (rk + rk - w);
    setReal(left, k, lk + w);
    setReal(right, k, rk - w);
    wl += w;
    if (q < from) continue;
    const next = p + 1 < end ? rankOf(entry + 8) : MISSING;
    if (next == rankOf(entry) || p + 1 - before < minLeaf || to - p - 1 + (before - from) < minLeaf) continue;
    const wr = weight - wl;
    if (wl < minWeight || wr < minWeight) continue;
    keepIfBetter(gini ? giniScore(sl, sr, wl, wr) : classSplitScore(left, right, wl, wr), p + 1, missingLeft);
  }
}

/** For several targets: the sums of the left side are a vector. */
function scanSeveral(list: i32, from: i32, end: i32, to: i32, weight: f64, missingLeft: bool): void {
  const left = scratch;
  memory.fill(left, 0, targetLanes << 3);
  const stop = missingLeft || end == to ? end - 1 : end;
  // Missing values come first if they go left.
  const begin = missingLeft ? from - (to - end) : from;
  let wl: f64 = 0;
  for (let q = begin; q < stop; q++) {
    const p = q < from ? end + (q - begin) : q;
    const entry = entryAt(list, p);
    const row = rowOf(entry);
    const w = weightOf(row);
    wl += w;
    addScaled(targetsOf(row), w, left);
    if (q < from) continue;
    const next = p + 1 < end ? rankOf(entry + 8) : MISSING;
    const leftRows = p + 1 - begin;
    if (next == rankOf(entry) || leftRows < minLeaf || to - from - leftRows < minLeaf) continue;
    const wr = weight - wl;
    if (wl < minWeight || wr < minWeight) continue;
    keepIfBetter(severalScore(left, wl, wr), p + 1, missingLeft);
  }
}

/** Entropy of rows of weight 1: w log w is looked up by counts. */
function scanLogs(list: i32, from: i32, end: i32, to: i32, missingLeft: bool): void {
  const left = scratch;
  const right = scratch + ((<usize>classes) << 2);
  let logSum: f64 = 0;
  for (let k: i32 = 0; k < classes; k++) {
    const count = <i32>real(totals, k);
    store<i32>(left + ((<usize>k) << 2), 0);
    store<i32>(right + ((<usize>k) << 2), count);
    logSum += real(logs, count);
  }
  const stop = missingLeft || end == to ? end - 1 : end;
  const begin = missingLeft ? from - (to - end) : from;
  let wl: i32 = 0;
  let wr = to - from;
  for (let q = begin; q < stop; q++) {
    const p = q < from ? end + (q - begin) : q;
    const entry = entryAt(list, p);
    const k = (<usize>codeOf(rowOf(entry))) << 2;
    const lk = load<i32>(left + k);
    const rk = load<i32>(right + k);
    logSum += real(logs, lk + 1) - real(logs, lk) + (real(logs, rk - 1) - real(logs, rk));
    store<i32>(left + k, lk + 1);
    store<i32>(right + k, rk - 1);
    wl++;
    wr--;
    if (q < from) continue;
    const next = p + 1 < end ? rankOf(entry + 8) : MISSING;
    if (next == rankOf(entry) || wl < minLeaf || wr < minLeaf || <f64>wl < minWeight || <f64>wr < minWeight)
      continue;
    keepIfBetter(logSum - real(logs, wl) - real(logs, wr), p + 1, missingLeft);
  }
}
