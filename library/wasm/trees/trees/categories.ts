import { integer, real, setInteger, setReal } from "../../shared/arrays";
import { CATEGORY_BYTES, CLASS_BYTES, FoundSplit, GINI } from "../trees.layout";
import { several, stride, targetLanes, weights } from "./data";
import { entryAt, rowOf } from "./entries";
import { gatheredTargets, gatheredWeights } from "./gathered";
import { classSplitScore, targetSplitScore, twoClassScore } from "./impurity";
import { severalScore } from "./several";
import { classes, criterion, many, minLeaf, minWeight, side, task, totals, vectorBytes } from "./task";
import { scratch } from "./thread";

/**
 * A split of categories sends a subset of them left. With two classes or in regression, the best of the 2^(C−1) − 1 subsets is one of the
 * C − 1 prefixes when categories are sorted by the mean of the target [Fisher 1958; Breiman et al. 1984, theorem 4.5]. With more
 * classes they are sorted by the proportion of each class in turn, with several targets by the mean of each, and the best prefix is
 * taken: optimal if one class is split from the others, otherwise an approximation; so is a split under `minLeaf` or `minWeight`.
 *
 * The column needs no sorting: one pass over the rows of the node sums up each category.
 *
 * Scratch, after the class weights:
 *   records        CATEGORY_BYTES per category rank, the last for missing values; all 0 between two columns
 *   order          32-bit: the ranks that occur in the node, sorted
 *   classWeights   with more than two classes, or several targets: `classes` doubles per rank
 */
let records: usize = 0;
let order: usize = 0;
let classWeights: usize = 0;
/** The rank of missing values in the current column, the last one. */
let missing: i32 = 0;

/** Byte offsets in a record: weight at 0, sum of targets (or weight of the second of two classes), mean, rows (32-bit), side (32-bit, 1: left). */
const SUM: usize = 8;
const MEAN: usize = 16;
const ROWS: usize = 24;
const SIDE: usize = 28;

// @inline
function recordAt(rank: i32): usize {
  return records + <usize>rank * CATEGORY_BYTES;
}

// @inline
function classWeightsOf(rank: i32): usize {
  return classWeights + ((<usize>rank * <usize>classes) << 3);
}

/** The rank of a row's category. */
// @inline
function rankAt(ranks: usize, narrow: bool, row: usize): i32 {
  return narrow ? <i32>load<u16>(ranks + (row << 1)) : load<i32>(ranks + (row << 2));
}

// @inline
function ranksOf(column: i32, narrow: bool): usize {
  return <usize>task.ranks + ((<usize>column * stride) << (narrow ? 1 : 2));
}

function setLayout(column: i32): void {
  setLayoutFor(integer(<usize>task.categories, column) - 1);
}

function setLayoutFor(lastRank: i32): void {
  missing = lastRank;
  const most = <usize>task.maxCategories;
  records = scratch + CLASS_BYTES * max(vectorBytes >> 3, 2);
  order = records + most * CATEGORY_BYTES;
  classWeights = order + (((most + 1) >> 1) << 3);
}

/** Sums up the categories of the node's rows; returns their number. */
function sumCategories(column: i32, from: i32, to: i32): i32 {
  const narrow = task.narrowRanks != 0;
  const ranks = ranksOf(column, narrow);
  const end = entryAt(0, to);
  const weighted = weights != 0 || classes != 2 || several;
  let count: i32 = 0;
  let offset: usize = 0;
  for (let entry = entryAt(0, from); entry < end; entry += 8, offset += 8) {
    const rank = rankAt(ranks, narrow, rowOf(entry));
    const record = recordAt(rank);
    const met = load<i32>(record, ROWS);
    // Overwritten by the next unless it is new.
    setInteger(order, count, rank);
    count += <i32>(met == 0 && rank != missing);
    store<i32>(record, met + 1, ROWS);
    const weight = weighted ? load<f64>(gatheredWeights + offset) : 1;
    if (several) {
      addTargets(gatheredTargets + offset * targetLanes, classWeightsOf(rank));
      store<f64>(record, load<f64>(record) + weight);
    } else if (many) {
      const own = classWeightsOf(rank) + <usize>load<u64>(gatheredTargets + offset);
      store<f64>(own, load<f64>(own) + weight);
      store<f64>(record, load<f64>(record) + weight);
    } else {
      const both = v128.load_lane<f64>(gatheredTargets + offset, f64x2.splat(weight), 1);
      v128.store(record, f64x2.add(v128.load(record), both));
    }
  }
  return count;
}

// @inline
function addTargets(from: usize, to: usize): void {
  for (let t: i32 = 0; t < classes; t++) setReal(to, t, real(to, t) + real(from, t));
}

/** Clears the records of the node's categories. */
function clear(count: i32): void {
  clearRecord(missing);
  for (let c: i32 = 0; c < count; c++) clearRecord(integer(order, c));
}

function clearRecord(rank: i32): void {
  const record = recordAt(rank);
  v128.store(record, f64x2.splat(0));
  v128.store(record, f64x2.splat(0), 16);
  if (many) memory.fill(classWeightsOf(rank), 0, (<usize>classes) << 3);
}

/** Sorts the node's categories by the mean of the targets, or by the proportion of class k. */
function sortByMean(count: i32, k: i32): void {
  for (let c: i32 = 0; c < count; c++) {
    const rank = integer(order, c);
    const record = recordAt(rank);
    const sum = many ? real(classWeightsOf(rank), k) : load<f64>(record, SUM);
    store<f64>(record, sum / load<f64>(record), MEAN);
  }
  sort(count);
}

// @inline
function comesAfter(a: i32, b: i32): bool {
  const difference = load<f64>(recordAt(a), MEAN) - load<f64>(recordAt(b), MEAN);
  return difference > 0 || (difference == 0 && a > b);
}

/** Shorter orders are sorted by insertion. */
const SHORT: i32 = 24;

function sort(count: i32): void {
  if (count > SHORT) {
    heapSort(count);
    return;
  }
  for (let e: i32 = 1; e < count; e++) {
    const rank = integer(order, e);
    let at = e;
    for (; at > 0 && comesAfter(integer(order, at - 1), rank); at--)
      setInteger(order, at, integer(order, at - 1));
    setInteger(order, at, rank);
  }
}

/** O(n log n) in the worst case, in place. */
function heapSort(count: i32): void {
  for (let top = count / 2 - 1; top >= 0; top--) sink(top, count);
  for (let last = count - 1; last > 0; last--) {
    const largest = integer(order, 0);
    setInteger(order, 0, integer(order, last));
    setInteger(order, last, largest);
    sink(0, last);
  }
}

function sink(top: i32, count: i32): void {
  const value = integer(order, top);
  for (;;) {
    let child = 2 * top + 1;
    if (child >= count) break;
    if (child + 1 < count && comesAfter(integer(order, child + 1), integer(order, child))) child++;
    if (!comesAfter(integer(order, child), value)) break;
    setInteger(order, top, integer(order, child));
    top = child;
  }
  setInteger(order, top, value);
}

// The best split: how many categories of the order go left, the class by which they are ordered, and the side of missing values.
let bestScore: f64 = 0;
let bestCount: i32 = 0;
let bestClass: i32 = 0;
let bestRows: i32 = 0;
let bestMissingLeft: bool = false;

// Sums of the left side.
let leftRows: i32 = 0;
let leftWeight: f64 = 0;
let leftSum: f64 = 0;

function addLeft(rank: i32, left: usize, right: usize): void {
  const record = recordAt(rank);
  leftRows += load<i32>(record, ROWS);
  leftWeight += load<f64>(record);
  leftSum += load<f64>(record, SUM);
  if (!many) return;
  const own = classWeightsOf(rank);
  for (let k: i32 = 0; k < classes; k++) {
    setReal(left, k, real(left, k) + real(own, k));
    setReal(right, k, real(right, k) - real(own, k));
  }
}

/** The score of the current left side; `rest` is the weight of the right side. */
function scoreOf(left: usize, right: usize, rest: f64): f64 {
  if (several) return severalScore(left, leftWeight, rest);
  if (classes == 0) return targetSplitScore(leftSum, real(totals, 0) - leftSum, leftWeight, rest);
  if (classes > 2) return classSplitScore(left, right, leftWeight, rest);
  const other = real(totals, 1) - leftSum;
  if (criterion == GINI) return twoClassScore(leftSum, other, leftWeight, rest);
  setReal(left, 0, leftWeight - leftSum);
  setReal(left, 1, leftSum);
  setReal(right, 0, real(totals, 0) - real(left, 0));
  setReal(right, 1, other);
  return classSplitScore(left, right, leftWeight, rest);
}

/** Moves one category of the order after the other to the left, and scores each split. */
function scanOrder(nodeRows: i32, count: i32, weight: f64, k: i32, missingLeft: bool): void {
  const left = scratch;
  const right = scratch + vectorBytes;
  if (many) {
    memory.fill(left, 0, vectorBytes);
    memory.copy(right, totals, vectorBytes);
  }
  leftRows = 0;
  leftWeight = 0;
  leftSum = 0;
  if (missingLeft) addLeft(missing, left, right);
  // All categories may go left only if missing values go right.
  const most = !missingLeft && load<i32>(recordAt(missing), ROWS) > 0 ? count : count - 1;
  for (let c: i32 = 0; c < most; c++) {
    addLeft(integer(order, c), left, right);
    const rest = weight - leftWeight;
    if (leftRows < minLeaf || nodeRows - leftRows < minLeaf || leftWeight < minWeight || rest < minWeight)
      continue;
    const score = scoreOf(left, right, rest);
    if (score > bestScore) {
      bestScore = score;
      bestCount = c + 1;
      bestClass = k;
      bestRows = leftRows;
      bestMissingLeft = missingLeft;
    }
  }
}

/** Finds the best split; returns the number of categories. The caller clears their records. */
function findBestSplit(column: i32, from: i32, to: i32, weight: f64): i32 {
  setLayout(column);
  return searchOrders(sumCategories(column, from, to), to - from, weight);
}

/** Finds the best split of the categories that are summed up; returns their number. */
function searchOrders(count: i32, nodeRows: i32, weight: f64): i32 {
  bestScore = -Infinity;
  bestCount = 0;
  const anyMissing = load<i32>(recordAt(missing), ROWS) > 0;
  if (count == 0 || (count == 1 && !anyMissing)) return count;
  // With two classes, the order by the first is the reverse of the order by the second.
  const turns = many ? classes : 1;
  for (let turn: i32 = 0; turn < turns; turn++) {
    sortByMean(count, turn);
    scanOrder(nodeRows, count, weight, turn, false);
    if (anyMissing) scanOrder(nodeRows, count, weight, turn, true);
  }
  return count;
}

/** The best split of a categorical column. `place` is the first place plus the number of rows that go left. */
export function scanCategories(column: i32, from: i32, to: i32, weight: f64, out: FoundSplit): void {
  const count = findBestSplit(column, from, to, weight);
  out.score = bestScore;
  out.place = bestCount == 0 ? -1 : <f64>(from + bestRows);
  out.missingLeft = bestMissingLeft ? 1 : 0;
  out.anyMissing = load<i32>(recordAt(missing), ROWS) > 0 ? 1 : 0;
  clear(count);
}

/**
 * The best split of a categorical column from a histogram; see histograms.ts. Writes the number of categories that go left and these to
 * `list`, 32-bit.
 */
export function scanCategoryHistogram(
  histogram: usize,
  bins: i32,
  lanes: i32,
  nodeRows: i32,
  weight: f64,
  out: FoundSplit,
  list: usize,
): void {
  setLayoutFor(bins);
  let count: i32 = 0;
  for (let b: i32 = 0; b <= bins; b++) {
    const own = histogram + ((<usize>b * <usize>(2 + lanes)) << 3);
    if (load<f64>(own) == 0) continue;
    if (b < bins) setInteger(order, count++, b);
    store<i32>(recordAt(b), <i32>load<f64>(own), ROWS);
    store<f64>(recordAt(b), load<f64>(own, 8));
    store<f64>(recordAt(b), load<f64>(own + ((<usize>(1 + lanes)) << 3)), SUM);
    if (many) memory.copy(classWeightsOf(b), own + 16, (<usize>lanes) << 3);
  }
  searchOrders(count, nodeRows, weight);
  out.score = bestScore;
  out.place = bestCount == 0 ? -1 : <f64>bestRows;
  out.missingLeft = bestMissingLeft ? 1 : 0;
  out.anyMissing = load<i32>(recordAt(missing), ROWS) > 0 ? 1 : 0;
  if (bestCount > 0 && many) sortByMean(count, bestClass);
  setInteger(list, 0, bestCount);
  for (let c: i32 = 0; c < bestCount; c++) setInteger(list, 1 + c, integer(order, c));
  clear(count);
}

/** Finds the split again, marks the side of each row, and appends the categories that go left to the pool. */
export function markCategories(column: i32, from: i32, to: i32, weight: f64, missingLeft: bool): void {
  const count = findBestSplit(column, from, to, weight);
  const used = <i32>task.poolUsed;
  if (used + bestCount + 1 > <i32>task.poolSize) {
    task.overflow = 1;
    clear(count);
    return;
  }
  if (many) sortByMean(count, bestClass);
  storeLeftCategories(column, <usize>task.pool, used);
  task.poolUsed = <f64>(used + 1 + bestCount);
  store<i32>(recordAt(missing), <i32>missingLeft, SIDE);
  const narrow = task.narrowRanks != 0;
  const ranks = ranksOf(column, narrow);
  const end = entryAt(0, to);
  for (let entry = entryAt(0, from); entry < end; entry += 8) {
    const row = rowOf(entry);
    store<u8>(side + row, load<u8>(recordAt(rankAt(ranks, narrow, row)), SIDE));
  }
  clear(count);
}

/** Appends the number of categories on the left and the categories, ascending, and marks their side. */
function storeLeftCategories(column: i32, pool: usize, used: i32): void {
  for (let c: i32 = 0; c < bestCount; c++) {
    const rank = integer(order, c);
    store<i32>(recordAt(rank), 1, SIDE);
    store<f64>(recordAt(rank), <f64>rank, MEAN);
  }
  sort(bestCount);
  setInteger(pool, used, bestCount);
  const codes = <usize>task.categoryCodes + ((<usize>integer(<usize>task.codeStarts, column)) << 2);
  for (let c: i32 = 0; c < bestCount; c++) setInteger(pool, used + 1 + c, integer(codes, integer(order, c)));
}
