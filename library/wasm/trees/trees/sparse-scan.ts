import { real, setReal } from "../../shared/arrays";
import { FoundSplit, GINI, MISSING } from "../trees.layout";
import { codeOf, several, targetOf, weightOf } from "./data";
import { clearSplit } from "./drawn";
import { rankOf, rowOf } from "./entries";
import { classSplitScore, giniScore, targetSplitScore, twoClassScore } from "./impurity";
import { drawBetween } from "./random";
import { severalScore, targetsOf } from "./several";
import { entriesAt, entryCount, valueOfRank, zeroRank } from "./sparse-columns";
import { classes, criterion, minLeaf, minWeight, totals, vectorBytes } from "./task";
import { scratch } from "./thread";

// The current column: stored entries, those with missing values last; and zeros, which are not stored.
let first: usize = 0;
let presentEnd: usize = 0;
let last: usize = 0;
let zero: u32 = 0;
let zeros: i32 = 0;
let missing: i32 = 0;
let nodeRows: i32 = 0;

// The best split so far.
let bestScore: f64 = 0;
let bestRows: i32 = 0;
let bestMissingLeft: bool = false;
let bestLow: u32 = 0;
let bestHigh: u32 = 0;

/** Prepares the current entries; returns false if all values of the node are equal. */
function openColumn(column: i32, count: i32): bool {
  nodeRows = count;
  first = entriesAt;
  last = entriesAt + ((<usize>entryCount) << 3);
  presentEnd = last;
  while (presentEnd > first && rankOf(presentEnd - 8) == MISSING) presentEnd -= 8;
  missing = <i32>((last - presentEnd) >> 3);
  zeros = count - entryCount;
  zero = zeroRank(column);
  if (presentEnd == first) return zeros > 0 && missing > 0;
  return zeros > 0 || missing > 0 || rankOf(first) != rankOf(presentEnd - 8);
}

/** Finds the best threshold of the column of the current entries, in the order and with the formulas of scan.ts. */
export function scanSparse(column: i32, from: i32, to: i32, weight: f64, out: FoundSplit): void {
  bestScore = -Infinity;
  bestRows = -1;
  bestMissingLeft = false;
  if (openColumn(column, to - from)) {
    for (let turn: i32 = 0; turn < (missing > 0 ? 2 : 1); turn++) {
      if (several) scanSeveral(weight, scratch, turn == 1);
      else if (classes == 0) scanTargets(weight, scratch, turn == 1);
      else if (classes == 2 && criterion == GINI) scanTwo(weight, scratch, turn == 1);
      else scanClasses(weight, scratch, turn == 1);
    }
  }
  out.score = bestScore;
  out.place = bestRows < 0 ? -1 : <f64>(from + bestRows);
  out.missingLeft = bestMissingLeft ? 1 : 0;
  out.low = <f64>bestLow;
  out.high = <f64>bestHigh;
  out.anyMissing = missing > 0 ? 1 : 0;
}

// @inline
function keepIfBetter(
  score: f64,
  leftRows: i32,
  missingLeft: bool,
  low: u32,
  entry: usize,
  zerosAhead: bool,
): void {
  if (!(score > bestScore)) return;
  bestScore = score;
  bestRows = leftRows;
  bestMissingLeft = missingLeft;
  bestLow = low;
  bestHigh = nextRank(entry, zerosAhead);
}

/** The rank of the next value: that of the entry, or of zeros that are still ahead. */
// @inline
function nextRank(entry: usize, zerosAhead: bool): u32 {
  const own = entry < presentEnd ? rankOf(entry) : MISSING;
  return zerosAhead && zero < own ? zero : own;
}

// @inline
function isAllowed(leftRows: i32, wl: f64, wr: f64): bool {
  return leftRows >= minLeaf && nodeRows - leftRows >= minLeaf && wl >= minWeight && wr >= minWeight;
}

// @inline
function summandOf(row: usize, two: bool): f64 {
  return two ? <f64>codeOf(row) : targetOf(row);
}

// Class weights of both sides and of the zeros, and sums of squares for Gini.
let left: usize = 0;
let right: usize = 0;
let zeroWeights: usize = 0;
let squaresLeft: f64 = 0;
let squaresRight: f64 = 0;

/** Starts with all rows on the right. `room` is the scratch, three doubles per class: with the global in its place trees take 3 % longer. */
function openClasses(room: usize): void {
  left = room;
  right = room + vectorBytes;
  zeroWeights = right + vectorBytes;
  memory.fill(left, 0, vectorBytes);
  memory.copy(right, totals, vectorBytes);
  memory.copy(zeroWeights, totals, vectorBytes);
  squaresLeft = squaresRight = 0;
  for (let k: i32 = 0; k < classes; k++) squaresRight += real(right, k) * real(right, k);
}

// @inline
function move(k: i32, w: f64): void {
  const lk = real(left, k);
  const rk = real(right, k);
  squaresLeft += w * (lk + lk + w);
  squaresRight -= w * (rk + rk - w);
  setReal(left, k, lk + w);
  setReal(right, k, rk - w);
}

/** Adds the targets of a row, or takes them away. */
// @inline
function addTargets(row: usize, w: f64, out: usize): void {
  const own = targetsOf(row);
  for (let t: i32 = 0; t < classes; t++) setReal(out, t, real(out, t) + w * real(own, t));
}

/** Puts the zeros on the left. */
// @inline
function moveZeros(kind: i32): void {
  for (let t: i32 = 0; t < classes; t++)
    if (kind == CLASSES) move(t, real(zeroWeights, t));
    else setReal(left, t, real(left, t) + real(zeroWeights, t));
}

// What is summed: targets; the weight of the second of two classes (Gini); weights per class; or each of several targets.
const TARGETS: i32 = 0;
const TWO: i32 = 1;
const CLASSES: i32 = 2;
const SEVERAL: i32 = 3;

/** Scans all thresholds in ascending order; inlined into a function per kind of sums below. */
// @inline
function scan(weight: f64, room: usize, missingLeft: bool, kind: i32): void {
  const total = real(totals, kind == TWO ? 1 : 0);
  if (kind >= CLASSES) openClasses(room);
  // The sums of zeros are those of the node minus the stored entries.
  let zeroWeight = weight;
  let zeroSum = total;
  let wl: f64 = 0;
  let sl: f64 = 0;
  let leftRows: i32 = 0;
  for (let entry = first; entry < last; entry += 8) {
    const row = rowOf(entry);
    const w = weightOf(row);
    const goesLeft = missingLeft && entry >= presentEnd;
    zeroWeight -= w;
    if (kind == CLASSES) {
      const k = codeOf(row);
      setReal(zeroWeights, k, real(zeroWeights, k) - w);
      if (goesLeft) move(k, w);
    } else if (kind == SEVERAL) {
      addTargets(row, -w, zeroWeights);
      if (goesLeft) addTargets(row, w, left);
    } else {
      const s = w * summandOf(row, kind == TWO);
      zeroSum -= s;
      if (goesLeft) sl += s;
    }
    if (!goesLeft) continue;
    wl += w;
    leftRows++;
  }
  let entry = first;
  let ahead = zeros > 0;
  const alone = missing > 0 && !missingLeft;
  while (entry < presentEnd || ahead) {
    const rank = nextRank(entry, ahead);
    if (ahead && rank == zero) {
      ahead = false;
      if (kind >= CLASSES) moveZeros(kind);
      else sl += zeroSum;
      wl += zeroWeight;
      leftRows += zeros;
    } else {
      do {
        const row = rowOf(entry);
        const w = weightOf(row);
        if (kind == CLASSES) move(codeOf(row), w);
        else if (kind == SEVERAL) addTargets(row, w, left);
        else sl += w * summandOf(row, kind == TWO);
        wl += w;
        leftRows++;
        entry += 8;
      } while (entry < presentEnd && rankOf(entry) == rank);
    }
    if (entry == presentEnd && !ahead && !alone) return;
    const wr = weight - wl;
    if (!isAllowed(leftRows, wl, wr)) continue;
    keepIfBetter(scoreOf(sl, total - sl, wl, wr, kind), leftRows, missingLeft, rank, entry, ahead);
  }
}

// @inline
function scoreOf(sl: f64, sr: f64, wl: f64, wr: f64, kind: i32): f64 {
  if (kind == SEVERAL) return severalScore(left, wl, wr);
  if (kind == TARGETS) return targetSplitScore(sl, sr, wl, wr);
  if (kind == TWO) return twoClassScore(sl, sr, wl, wr);
  return criterion == GINI
    ? giniScore(squaresLeft, squaresRight, wl, wr)
    : classSplitScore(left, right, wl, wr);
}

function scanTargets(weight: f64, room: usize, missingLeft: bool): void {
  scan(weight, room, missingLeft, TARGETS);
}

function scanTwo(weight: f64, room: usize, missingLeft: bool): void {
  scan(weight, room, missingLeft, TWO);
}

function scanClasses(weight: f64, room: usize, missingLeft: bool): void {
  scan(weight, room, missingLeft, CLASSES);
}

function scanSeveral(weight: f64, room: usize, missingLeft: bool): void {
  scan(weight, room, missingLeft, SEVERAL);
}

/** A threshold drawn uniformly between the smallest and the largest value of the node; missing values go right. See drawn.ts. */
export function drawSparse(column: i32, from: i32, to: i32, weight: f64, out: FoundSplit): void {
  clearSplit(out);
  if (!openColumn(column, to - from) || presentEnd == first) return;
  let lowest = rankOf(first);
  let highest = rankOf(presentEnd - 8);
  if (zeros > 0) {
    lowest = min(lowest, zero);
    highest = max(highest, zero);
  }
  if (lowest == highest) return;
  const least = valueOfRank(column, lowest);
  const greatest = valueOfRank(column, highest);
  const threshold = drawBetween(least, greatest);
  sumLeft(column, threshold, weight, scratch);
  out.place = <f64>(from + drawnRows);
  out.drawn = threshold;
  out.low = <f64>drawnLow;
  const rest = weight - drawnWeight;
  if (!isAllowed(drawnRows, drawnWeight, rest)) return;
  if (several) {
    out.score = severalScore(scratch, drawnWeight, rest);
    return;
  }
  if (classes == 0) {
    out.score = targetSplitScore(drawnSum, real(totals, 0) - drawnSum, drawnWeight, rest);
    return;
  }
  const other = scratch + ((<usize>classes) << 3);
  for (let k: i32 = 0; k < classes; k++) setReal(other, k, real(totals, k) - real(scratch, k));
  out.score = classSplitScore(scratch, other, drawnWeight, rest);
}

// Of the values up to the threshold: rows, weight, sum of targets, and the last rank.
let drawnRows: i32 = 0;
let drawnWeight: f64 = 0;
let drawnSum: f64 = 0;
let drawnLow: u32 = 0;

/** Sums over the values up to a threshold; writes class weights to `counts`. */
function sumLeft(column: i32, threshold: f64, weight: f64, counts: usize): void {
  // Sums over the side without zeros, all of whose rows are stored; the other side is the rest of the node.
  const zeroLeft = zeros > 0 && threshold >= 0;
  drawnRows = 0;
  drawnWeight = 0;
  drawnSum = 0;
  drawnLow = zeroLeft ? zero : 0;
  memory.fill(counts, 0, vectorBytes);
  for (let entry = first; entry < last; entry += 8) {
    const rank = rankOf(entry);
    const below = rank != MISSING && valueOfRank(column, rank) <= threshold;
    if (below) drawnLow = max(drawnLow, rank);
    if (below == zeroLeft) continue;
    const row = rowOf(entry);
    const w = weightOf(row);
    drawnRows++;
    drawnWeight += w;
    if (several) addTargets(row, w, counts);
    else if (classes == 0) drawnSum += w * targetOf(row);
    else setReal(counts, codeOf(row), real(counts, codeOf(row)) + w);
  }
  if (!zeroLeft) return;
  drawnRows = nodeRows - drawnRows;
  drawnWeight = weight - drawnWeight;
  if (classes == 0) drawnSum = real(totals, 0) - drawnSum;
  for (let k: i32 = 0; k < classes; k++) setReal(counts, k, real(totals, k) - real(counts, k));
}
