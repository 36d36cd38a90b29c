import { integer, setInteger } from "../../shared/arrays";
import { ENTROPY, FoundSplit, GINI, TWOING } from "../trees.layout";
import { markCategories, scanCategories } from "./categories";
import { binsOf, hasTwoValues, keepBins, markBins, scanTwoValues, sortBins } from "./column-bins";
import { several } from "./data";
import { drawSorted, drawUnsorted, markUnsorted } from "./drawn";
import { entryAt, listCount, rowOf, unsorted } from "./entries";
import { partitionEntries } from "./partition";
import { draw, drawBelow } from "./random";
import { presentEnd, scanColumn } from "./scan";
import {
  clearRunIndex,
  drawNext,
  findEntries,
  firstRun,
  indexRuns,
  markSparse,
  partitionBlock,
  sharesEntries,
  swapSparse,
  takeRun,
} from "./sparse-columns";
import { drawSparse, scanSparse } from "./sparse-scan";
import { classes, columns, criterion, side, sparse, task } from "./task";
import { PARTITION, SCAN, shareColumns } from "./team";
import { spare } from "./thread";

// @inline
function foundAt(column: i32): FoundSplit {
  return changetype<FoundSplit>(<usize>task.found + <usize>column * offsetof<FoundSplit>());
}

/** Stands for the best split while there is none. */
const NONE: FoundSplit = changetype<FoundSplit>(0);

// @inline
export function copySplit(from: FoundSplit, to: FoundSplit): void {
  memory.copy(changetype<usize>(to), changetype<usize>(from), offsetof<FoundSplit>());
}

/** The split of the column that `bestColumn` returned. Sparse columns share two records, the first for the best split. */
// @inline
export function bestFound(column: i32): FoundSplit {
  return foundAt(sparse ? 0 : column);
}

/** Finds the best split of one column of the node. */
export function scanOneColumn(column: i32, from: i32, to: i32, weight: f64): void {
  const out = foundAt(column);
  if (unsorted) drawUnsorted(column, from, to, weight, out);
  else if (hasCategories(column)) scanCategories(column, from, to, weight, out);
  else if (task.random == 0 && hasTwoValues(column)) scanTwoValues(column, from, to, weight, out);
  else {
    const binned = binsOf(column) > 0;
    const list = binned ? sortBins(column, from, to) : listOf(column);
    if (task.random != 0) drawSorted(column, list, from, to, weight, out);
    else scanColumn(list, from, to, weight, out);
    if (binned) keepBins(list, from, to, out);
  }
}

/** The list of the entries of a column. */
// @inline
export function listOf(column: i32): i32 {
  return integer(<usize>task.lists, column);
}

/** Whether ties go to a random column, so that forests do not prefer the first columns; else to the first. */
let randomTies: bool = false;
export function useRandomTies(on: bool): void {
  randomTies = on;
}

/** The column with the best split of the node; −1 if there is no split. */
export function bestColumn(from: i32, to: i32, weight: f64): i32 {
  if (sparse) return bestSparseColumn(from, to, weight);
  const most = <i32>task.maxFeatures;
  if (most >= columns && task.random == 0) {
    shareColumns(SCAN, columns, from, to, weight);
    let best = -1;
    let ties: u32 = 1;
    for (let c: i32 = 0; c < columns; c++) {
      if (isBetter(foundAt(c), best < 0 ? NONE : foundAt(best))) {
        best = c;
        ties = 1;
      } else if (randomTies && best >= 0 && isAsGood(foundAt(c), foundAt(best))) {
        ties++;
        if (draw() % ties == 0) best = c;
      }
    }
    return best;
  }
  // `maxFeatures` columns in random order, and more only while all were constant.
  const order = <usize>task.order;
  let best = -1;
  let any = false;
  for (let c: i32 = 0; c < columns && (c < most || !any); c++) {
    const column = drawColumn(order, c);
    const found = foundAt(column);
    scanOneColumn(column, from, to, weight);
    if (found.place < 0) continue;
    any = true;
    if (!isBetter(found, best < 0 ? NONE : foundAt(best))) continue;
    best = column;
    if (isPerfect(found, weight)) break;
  }
  return best;
}

/** `bestColumn` for sparse columns, which are drawn and compared like dense ones, so that both grow the same trees. */
function bestSparseColumn(from: i32, to: i32, weight: f64): i32 {
  const most = <i32>task.maxFeatures;
  const kept = foundAt(0);
  const found = foundAt(1);
  let best = -1;
  if (most >= columns && task.random == 0) {
    let ties: u32 = 1;
    firstRun();
    for (let column = takeRun(); column >= 0; column = takeRun()) {
      scanSparse(column, from, to, weight, found);
      if (isBetter(found, best < 0 ? NONE : kept)) ties = 1;
      else if (randomTies && best >= 0 && isAsGood(found, kept)) {
        ties++;
        if (draw() % ties != 0) continue;
      } else continue;
      best = column;
      copySplit(found, kept);
    }
    return best;
  }
  const order = <usize>task.order;
  indexRuns();
  let any = false;
  for (let c: i32 = 0; ; c++) {
    const end = any ? min(most, columns) : columns;
    if (c < end) c = drawNext(order, c, end);
    if (c >= end) break;
    const column = integer(order, c);
    findEntries(column, from, to);
    if (task.random != 0) drawSparse(column, from, to, weight, found);
    else scanSparse(column, from, to, weight, found);
    if (found.place < 0) continue;
    any = true;
    if (!isBetter(found, best < 0 ? NONE : kept)) continue;
    best = column;
    copySplit(found, kept);
    if (isPerfect(found, weight)) break;
  }
  clearRunIndex();
  return best;
}

/** Whether both sides of a split are pure, so that no other column can do better. */
function isPerfect(found: FoundSplit, weight: f64): bool {
  if (classes == 0 || several || criterion == TWOING) return false;
  // The scores of pure sides; see `classSplitScore`.
  const pure: f64 = criterion == ENTROPY || (criterion == GINI && classes == 2) ? 0 : weight;
  return found.score >= pure - weight * ROUNDING;
}

/** Relative rounding error of sums of squares over weights. */
const ROUNDING: f64 = 1e-14;

/** Draws the next column of a random order. */
function drawColumn(order: usize, next: i32): i32 {
  const other = next + drawBelow(columns - next);
  const column = integer(order, other);
  setInteger(order, other, integer(order, next));
  setInteger(order, next, column);
  return column;
}

function isAsGood(found: FoundSplit, best: FoundSplit): bool {
  return found.place >= 0 && found.score == best.score;
}

/** Whether a split is better than the best so far. */
function isBetter(found: FoundSplit, best: FoundSplit): bool {
  if (found.place < 0 || !(found.score > -Infinity)) return false;
  return changetype<usize>(best) == 0 || found.score > best.score;
}

// @inline
export function hasCategories(column: i32): bool {
  return !sparse && integer(<usize>task.categories, column) > 0;
}

/** Marks the rows of the node that go left, and partitions every list. */
export function partitionNode(column: i32, found: FoundSplit, from: i32, to: i32, weight: f64): void {
  const missingLeft = found.missingLeft != 0;
  // A list that needs no partition.
  let done = -1;
  if (unsorted) markUnsorted(column, found.drawn, from, to);
  else if (hasCategories(column)) markCategories(column, from, to, weight, missingLeft);
  else if (binsOf(column) > 0) markBins(column, <u32>found.low, missingLeft, from, to);
  else {
    const list = listOf(column);
    markEntries(list, <i32>found.place, missingLeft, from, to);
    // The split column's own, if its left side came first.
    if (!missingLeft) done = list;
  }
  shareColumns(PARTITION, listCount, from, to, <f64>done);
}

/** Marks the rows of entries before `place`, and those of missing values if they go left. */
function markEntries(list: i32, place: i32, missingLeft: bool, from: i32, to: i32): void {
  const end = presentEnd(list, from, to);
  for (let p = from; p < to; p++) {
    const left = p < place || (missingLeft && p >= end);
    store<u8>(side + rowOf(entryAt(list, p)), left ? 1 : 0);
  }
}

/** Partitions the sparse rows of a node by a split; returns the weight on the left. `deeper`: the children may be split again. */
export function partitionSparse(
  column: i32,
  found: FoundSplit,
  from: i32,
  to: i32,
  weight: f64,
  deeper: bool,
): f64 {
  const low = <u32>found.low;
  const missingLeft = found.missingLeft != 0;
  if (sharesEntries()) return swapSparse(column, low, missingLeft, from, to, weight);
  const left = markSparse(column, low, missingLeft, from, to, weight);
  partitionList(0, from, to);
  partitionBlock(deeper);
  return left;
}

/** Stable partition of a list: left entries first. */
export function partitionList(list: i32, from: i32, to: i32): void {
  const end = entryAt(list, to);
  const left = partitionEntries(entryAt(list, from), end, entryAt(list, from), spare);
  memory.copy(left, spare, end - left);
}
