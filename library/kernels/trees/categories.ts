import { classWorth, targetWorth } from "./impurity";
import { MISSING_LEFT, PLACE, presentEnd, WORTH } from "./scan";
import {
  classes, codeOf, entryAt, integer, minLeaf, minWeight, rankOf, real, rowOf, rows, setInteger, setReal, side, targetOf, task, totals, weightOf,
} from "./task";

/**
 * A split of categories sends some of them left. With two classes, or a number to predict, the best of all 2^(C−1) − 1 ways is
 * among the C − 1 that send the first ones left when they are ordered by the mean of what is predicted [Fisher 1958; Breiman et
 * al. 1984, theorem 4.5]. With more classes they are ordered by the share of each class in turn, and the best of those ways is
 * taken: right whenever one class is told from the others, and otherwise an approximation.
 *
 * Scratch, behind the counts of classes: for every category of the node its first and last place, its weight, its sum (of
 * targets, or of the class in turn) and its mean, doubles; the order, 32-bit; and a heap of them.
 */
let begins: usize = 0;
let ends: usize = 0;
let sizes: usize = 0;
let sums: usize = 0;
let means: usize = 0;
let order: usize = 0;

function layOut(scratch: usize, column: i32): void {
  const room = <usize>min(integer(<usize>task.categories, column), rows) << 3;
  begins = scratch + (<usize>max(classes, 1) << 4);
  ends = begins + room;
  sizes = ends + room;
  sums = sizes + room;
  means = sums + room;
  order = means + room;
}

/** The categories of the node, runs of equal ranks up to `end`; gives how many. */
function collect(column: i32, from: i32, end: i32): i32 {
  let count: i32 = -1;
  for (let p = from; p < end; p++) {
    const entry = entryAt(column, p);
    if (p == from || rankOf(entry) != rankOf(entry - 8)) {
      count++;
      setReal(begins, count, <f64>p);
      setReal(sizes, count, 0);
    }
    setReal(ends, count, <f64>(p + 1));
    setReal(sizes, count, real(sizes, count) + weightOf(rowOf(entry)));
  }
  return count + 1;
}

/** Orders categories by the mean of the targets, or by the share of class k. */
function arrange(column: i32, count: i32, k: i32): void {
  for (let c: i32 = 0; c < count; c++) {
    let sum: f64 = 0;
    const end = <i32>real(ends, c);
    for (let p = <i32>real(begins, c); p < end; p++) {
      const row = rowOf(entryAt(column, p));
      if (classes == 0) sum += weightOf(row) * targetOf(row);
      else if (codeOf(row) == k) sum += weightOf(row);
    }
    setReal(sums, c, sum);
    setReal(means, c, sum / real(sizes, c));
    setInteger(order, c, c);
  }
  sort(count);
}

@inline
function comesAfter(a: i32, b: i32): bool {
  const difference = real(means, a) - real(means, b);
  return difference > 0 || (difference == 0 && a > b);
}

/** Heapsort of the order: no worst case, no room of its own. */
function sort(count: i32): void {
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

// The best of all ways: how many categories of the order go left, in the order by which class, missing values with them.
let bestWorth: f64 = 0;
let bestCount: i32 = 0;
let bestClass: i32 = 0;
let bestRows: i32 = 0;
let bestMissingLeft: bool = false;

/** Adds the rows of places from … to − 1 to the left. */
function addLeft(column: i32, from: i32, to: i32, left: usize, right: usize): void {
  for (let p = from; p < to; p++) {
    const row = rowOf(entryAt(column, p));
    const w = weightOf(row);
    leftWeight += w;
    if (classes == 0) {
      leftSum += w * targetOf(row);
      continue;
    }
    const k = codeOf(row);
    setReal(left, k, real(left, k) + w);
    setReal(right, k, real(right, k) - w);
  }
}
let leftWeight: f64 = 0;
let leftSum: f64 = 0;

function walk(column: i32, from: i32, end: i32, to: i32, count: i32, weight: f64, scratch: usize, k: i32, missingLeft: bool): void {
  const left = scratch;
  const right = scratch + (<usize>classes << 3);
  memory.fill(left, 0, <usize>classes << 3);
  memory.copy(right, totals, <usize>classes << 3);
  leftWeight = 0;
  leftSum = 0;
  let leftRows: i32 = 0;
  if (missingLeft) {
    addLeft(column, end, to, left, right);
    leftRows = to - end;
  }
  // All present values on one side only if the missing ones are on the other.
  const most = !missingLeft && end < to ? count : count - 1;
  for (let c: i32 = 0; c < most; c++) {
    const category = integer(order, c);
    const first = <i32>real(begins, category);
    const last = <i32>real(ends, category);
    addLeft(column, first, last, left, right);
    leftRows += last - first;
    const wr = weight - leftWeight;
    if (leftRows < minLeaf || to - from - leftRows < minLeaf || leftWeight < minWeight || wr < minWeight) continue;
    const total = real(totals, 0);
    const worth = classes == 0
      ? targetWorth(leftSum, total - leftSum, leftWeight, wr)
      : classWorth(left, right, leftWeight, wr);
    if (worth > bestWorth) {
      bestWorth = worth;
      bestCount = c + 1;
      bestClass = k;
      bestRows = leftRows;
      bestMissingLeft = missingLeft;
    }
  }
}

function search(column: i32, from: i32, to: i32, weight: f64, scratch: usize): void {
  bestWorth = -Infinity;
  bestCount = 0;
  const end = presentEnd(column, from, to);
  layOut(scratch, column);
  const count = end > from ? collect(column, from, end) : 0;
  if (count == 0 || (count == 1 && end == to)) return;
  // Of two classes one order is the other backwards.
  const turns = classes > 2 ? classes : 1;
  for (let turn: i32 = 0; turn < turns; turn++) {
    const k = classes > 2 ? turn : 1;
    arrange(column, count, k);
    walk(column, from, end, to, count, weight, scratch, k, false);
    if (end < to) walk(column, from, end, to, count, weight, scratch, k, true);
  }
}

/** The best split of a column of categories. PLACE is as many places from the first as rows go left. */
export function scanCategories(column: i32, from: i32, to: i32, weight: f64, scratch: usize, out: usize): void {
  search(column, from, to, weight, scratch);
  setReal(out, WORTH, bestWorth);
  setReal(out, PLACE, bestCount == 0 ? -1 : <f64>(from + bestRows));
  setReal(out, MISSING_LEFT, bestMissingLeft ? 1 : 0);
}

/** Finds that split again, marks the side of every row, and lists the categories that go left at the end of the pool. */
export function markCategories(column: i32, from: i32, to: i32, weight: f64, missingLeft: bool, scratch: usize): void {
  search(column, from, to, weight, scratch);
  const end = presentEnd(column, from, to);
  const count = collect(column, from, end);
  arrange(column, count, bestClass);
  for (let p = from; p < to; p++) store<u8>(side + rowOf(entryAt(column, p)), missingLeft && p >= end ? 1 : 0);
  const pool = <usize>task.pool;
  const used = <i32>task.poolUsed;
  if (used + bestCount + 1 > <i32>task.poolSize) {
    task.overflow = 1;
    return;
  }
  // Sums are not needed any more: they tell who goes left, so that the list ascends like the categories.
  for (let c: i32 = 0; c < count; c++) setReal(sums, c, 0);
  for (let c: i32 = 0; c < bestCount; c++) setReal(sums, integer(order, c), 1);
  setInteger(pool, used, bestCount);
  let listed: i32 = used + 1;
  for (let c: i32 = 0; c < count; c++) {
    if (real(sums, c) == 0) continue;
    const last = <i32>real(ends, c);
    for (let p = <i32>real(begins, c); p < last; p++) store<u8>(side + rowOf(entryAt(column, p)), 1);
    setInteger(pool, listed, <i32>rankOf(entryAt(column, last - 1)));
    listed++;
  }
  task.poolUsed = <f64>listed;
}
