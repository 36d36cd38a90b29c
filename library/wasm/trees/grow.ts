import { classImpurity, targetImpurity, wlogw } from "./impurity";
import { settle, startScattered } from "./local";
import { ANY_MISSING, DRAWN, MISSING_LEFT, PLACE, WORTH } from "./scan";
import {
  blockFrom,
  blockMiddle,
  blockTo,
  enterSparse,
  leftRuns,
  openBlock,
  rightRuns,
  runCount,
  valueOfRank,
} from "./sparse-columns";
import { HIGH, LOW } from "./sparse-scan";
import { bestColumn, bestFound, FOUND, hasCategories, part, partSparse } from "./split";
import {
  classes,
  codeOf,
  columns,
  criterion,
  ENTROPY,
  entryAt,
  heldShares,
  heldWeights,
  holds,
  listed,
  MISSING,
  NODE_ERROR,
  POISSON,
  real,
  rowOf,
  rows,
  setInteger,
  setReal,
  sparse,
  stride,
  TWOING,
  targetOf,
  task,
  totals,
  weightOf,
  weights,
  x,
} from "./task";

/**
 * Growing trees on sorted columns: at every node the split with the greatest fall of impurity,
 *
 *   Δi = i(P) − (N_L/N_P) i(L) − (N_R/N_P) i(R)
 *
 * Depth first, nodes numbered in the order in which they are met, or (with a limit of leaves) where the fall, weighted by the
 * node, is greatest.
 */

/**
 * A node that waits, doubles: its range, depth, parent and side; on sparse rows its block; and if trees grow by gain the split that was
 * found for it, with its column.
 */
const FROM: i32 = 0;
const TO: i32 = 1;
const DEPTH: i32 = 2;
const PARENT: i32 = 3;
const IS_LEFT: i32 = 4;
const NODE: i32 = 5;
const GAIN: i32 = 6;
const COLUMN: i32 = 7;
const BLOCK_FROM: i32 = 8;
const BLOCK_TO: i32 = 9;
const RUNS: i32 = 10;
const SPLIT: i32 = 12;
/** Doubles of a node that waits: without a split, and with one. */
const WAITING: usize = 12;
const WAITING_WITH_SPLIT: usize = 20;
let waitingBytes: usize = 0;

/** Impurities below this are rounding: the node is pure. */
const PURE: f64 = 2.220446049250313e-16;

// @inline
function waitingAt(slot: i32): usize {
  return <usize>task.frontier + <usize>slot * waitingBytes;
}

/** Whether all targets of the node that was measured are equal: its impurity is then 0, and not what rounding leaves of it. */
let allEqual: bool = false;

// @inline
function hold(e: i32, weight: f64, share: f64): void {
  setReal(heldWeights, e, weight);
  setReal(heldShares, e, share);
}

/** Weight and totals of the node's rows. Of a list, and where there are categories, what its rows weigh and have for targets is put side by side on the way. */
function measure(from: i32, to: i32): f64 {
  if (classes == 2 && weights == 0) return countTwo(from, to);
  if (classes == 2 && sparse) return weighTwo(from, to);
  memory.fill(totals, 0, (<usize>max(classes, 2)) << 3);
  let weight: f64 = 0;
  let sum: f64 = 0;
  let squares: f64 = 0;
  let low: f64 = Infinity;
  let high: f64 = -Infinity;
  for (let p = from; p < to; p++) {
    const row = rowOf(entryAt(0, p));
    const w = weightOf(row);
    weight += w;
    if (classes > 0) {
      const k = codeOf(row);
      setReal(totals, k, real(totals, k) + w);
      if (holds) hold(p - from, w, classes == 2 ? w * <f64>k : reinterpret<f64>((<u64>k) << 3));
    } else {
      const y = targetOf(row);
      if (holds) hold(p - from, w, w * y);
      low = min(low, y);
      high = max(high, y);
      sum += w * y;
      squares += criterion == POISSON ? w * wlogw(y) : w * y * y;
    }
  }
  if (classes == 0) {
    setReal(totals, 0, sum);
    setReal(totals, 1, squares);
  }
  allEqual = classes == 0 && low == high;
  return weight;
}

/** The same for two classes without weights. */
function countTwo(from: i32, to: i32): f64 {
  let second: i32 = 0;
  for (let p = from; p < to; p++) {
    const k = codeOf(rowOf(entryAt(0, p)));
    second += k;
    if (holds) setReal(heldShares, p - from, <f64>k);
  }
  setReal(totals, 0, <f64>(to - from - second));
  setReal(totals, 1, <f64>second);
  allEqual = false;
  return <f64>(to - from);
}

/** The same for two classes with weights, of sparse rows. */
function weighTwo(from: i32, to: i32): f64 {
  let first: f64 = 0;
  let second: f64 = 0;
  let weight: f64 = 0;
  const end = entryAt(0, to);
  for (let entry = entryAt(0, from); entry < end; entry += 8) {
    const row = rowOf(entry);
    const w = load<f64>(weights + (row << 3));
    // All bits of the weight or none: a choice would be a branch that cannot be foretold.
    const own = reinterpret<f64>(reinterpret<u64>(w) & -(<u64>codeOf(row)));
    weight += w;
    second += own;
    first += w - own;
  }
  setReal(totals, 0, first);
  setReal(totals, 1, second);
  allEqual = false;
  return weight;
}

function impurityOf(weight: f64): f64 {
  if (allEqual) return 0;
  return classes > 0
    ? classImpurity(totals, weight)
    : targetImpurity(weight, real(totals, 0), real(totals, 1));
}

/** Writes a new node, a leaf so far, and gives its number. */
function addNode(from: i32, to: i32, depth: i32, weight: f64, impurity: f64): i32 {
  const node = <i32>task.nodes;
  task.nodes += 1;
  setInteger(<usize>task.features, node, -1);
  setInteger(<usize>task.lefts, node, -1);
  setInteger(<usize>task.rights, node, -1);
  setInteger(<usize>task.counts, node, to - from);
  setInteger(<usize>task.depths, node, depth);
  setInteger(<usize>task.missingLeft, node, 0);
  setInteger(<usize>task.categoryStarts, node, -1);
  setReal(<usize>task.thresholds, node, 0);
  setReal(<usize>task.impurities, node, impurity);
  setReal(<usize>task.nodeWeights, node, weight);
  const width = <i32>task.width;
  for (let k: i32 = 0; k < width; k++)
    setReal(<usize>task.values, node * width + k, real(totals, k) / weight);
  return node;
}

function mayBeSplit(from: i32, to: i32, depth: i32, weight: f64, impurity: f64): bool {
  const count = to - from;
  return (
    depth < <i32>task.maxDepth &&
    count >= <i32>task.minSplit &&
    count >= 2 * <i32>task.minLeaf &&
    weight >= 2 * task.minWeight &&
    impurity > PURE
  );
}

/** Grows the tree of the task at hand. */
export function grow(): void {
  task.nodes = 0;
  task.leaves = 1;
  task.poolUsed = 0;
  task.overflow = 0;
  for (let c: i32 = 0; c < columns; c++) setInteger(<usize>task.order, c, c);
  waitingBytes = (task.maxLeaves > 0 ? WAITING_WITH_SPLIT : WAITING) << 3;
  startScattered();
  if (sparse) {
    enterSparse();
    openBlock(0, <i32>task.blockEntries, <i32>task.blockRuns);
  }
  if (task.maxLeaves > 0) growBestFirst();
  else growDepthFirst();
}

function wait(slot: i32, from: i32, to: i32, depth: i32, parent: i32, isLeft: bool): void {
  const at = waitingAt(slot);
  setReal(at, FROM, <f64>from);
  setReal(at, TO, <f64>to);
  setReal(at, DEPTH, <f64>depth);
  setReal(at, PARENT, <f64>parent);
  setReal(at, IS_LEFT, isLeft ? 1 : 0);
}

function link(at: usize, node: i32): void {
  const parent = <i32>real(at, PARENT);
  if (parent < 0) return;
  setInteger(real(at, IS_LEFT) != 0 ? <usize>task.lefts : <usize>task.rights, parent, node);
}

/** Notes which block the waiting node has. */
function keepBlock(slot: i32, from: i32, to: i32, runs: i32): void {
  const at = waitingAt(slot);
  setReal(at, BLOCK_FROM, <f64>from);
  setReal(at, BLOCK_TO, <f64>to);
  setReal(at, RUNS, <f64>runs);
}

// @inline
function openKept(at: usize): void {
  openBlock(<i32>real(at, BLOCK_FROM), <i32>real(at, BLOCK_TO), <i32>real(at, RUNS));
}

function growDepthFirst(): void {
  let waiting: i32 = 1;
  wait(0, 0, rows, 0, -1, false);
  keepBlock(0, blockFrom, blockTo, runCount);
  while (waiting > 0 && task.overflow == 0) {
    const at = waitingAt(--waiting);
    const from = <i32>real(at, FROM);
    const to = <i32>real(at, TO);
    const depth = <i32>real(at, DEPTH);
    if (sparse) openKept(at);
    if (listed) settle(from, to);
    const weight = measure(from, to);
    const impurity = impurityOf(weight);
    const node = addNode(from, to, depth, weight, impurity);
    link(at, node);
    if (!mayBeSplit(from, to, depth, weight, impurity)) continue;
    const column = bestColumn(from, to, weight);
    if (column < 0) continue;
    const found = bestFound(column);
    if (task.minDecrease > 0 && gainOf(real(found, WORTH), weight) < task.minDecrease) continue;
    const middle = split(node, column, found, from, to, depth, weight);
    wait(waiting, middle, to, depth + 1, node, false);
    if (sparse) keepBlock(waiting, blockMiddle, blockTo, rightRuns);
    waiting++;
    wait(waiting, from, middle, depth + 1, node, true);
    if (sparse) keepBlock(waiting, blockFrom, blockMiddle, leftRuns);
    waiting++;
  }
}

/** Turns a leaf into a branch; gives the first place on the right. */
function split(node: i32, column: i32, found: usize, from: i32, to: i32, depth: i32, weight: f64): i32 {
  setInteger(<usize>task.features, node, column);
  task.leaves += 1;
  if (sparse) return splitSparse(node, column, found, from, to, depth, weight);
  const place = <i32>real(found, PLACE);
  const missing = real(found, MISSING_LEFT) != 0;
  const drawn = real(found, DRAWN);
  let middle = place;
  if (hasCategories(column)) setInteger(<usize>task.categoryStarts, node, <i32>task.poolUsed);
  else {
    setReal(<usize>task.thresholds, node, task.random != 0 ? drawn : thresholdAt(column, place, to));
    if (missing) middle = place + missingIn(column, from, to);
  }
  const any = hasCategories(column)
    ? real(found, ANY_MISSING) != 0
    : !listed && missingIn(column, from, to) > 0;
  part(column, place, missing, drawn, from, to, weight);
  // Where nothing was missing, what is missing later goes with the heavier part. A list sends all that is missing to the right.
  if (!listed) {
    const left = any ? missing : isHeavier(from, middle, to, weight);
    setInteger(<usize>task.missingLeft, node, left ? 1 : 0);
  }
  return middle;
}

/** The same on sparse rows. */
function splitSparse(node: i32, column: i32, found: usize, from: i32, to: i32, depth: i32, weight: f64): i32 {
  const middle = <i32>real(found, PLACE);
  const drawn = task.random != 0;
  setReal(<usize>task.thresholds, node, drawn ? real(found, DRAWN) : sparseThreshold(column, found));
  const leftWeight = partSparse(column, found, from, to, weight, depth + 1 < <i32>task.maxDepth);
  if (drawn) return middle;
  const heavier = leftWeight > weight - leftWeight;
  const left = real(found, ANY_MISSING) != 0 ? real(found, MISSING_LEFT) != 0 : heavier;
  setInteger(<usize>task.missingLeft, node, left ? 1 : 0);
  return middle;
}

/** Whether the rows of the first places, parted already, have more than half of the node's weight. */
function isHeavier(from: i32, middle: i32, to: i32, weight: f64): bool {
  if (weights == 0) return middle - from > to - middle;
  let left: f64 = 0;
  for (let p = from; p < middle; p++) left += weightOf(rowOf(entryAt(0, p)));
  return left > weight - left;
}

function missingIn(column: i32, from: i32, to: i32): i32 {
  let count: i32 = 0;
  for (let p = to - 1; p >= from && load<u32>(entryAt(column, p), 4) == 0xffffffff; p--) count++;
  return count;
}

/** Half-way between the last value on the left and the first on the right; the greatest finite number if only missing ones are there. */
function thresholdAt(column: i32, place: i32, to: i32): f64 {
  const values = x + ((<usize>column * stride) << 3);
  const low = load<f64>(values + (rowOf(entryAt(column, place - 1)) << 3));
  if (place >= to || load<u32>(entryAt(column, place), 4) == MISSING) return f64.MAX_VALUE;
  return between(low, load<f64>(values + (rowOf(entryAt(column, place)) << 3)));
}

function sparseThreshold(column: i32, found: usize): f64 {
  const high = <u32>real(found, HIGH);
  if (high == MISSING) return f64.MAX_VALUE;
  return between(valueOfRank(column, <u32>real(found, LOW)), valueOfRank(column, high));
}

// @inline
function between(low: f64, high: f64): f64 {
  const middle = low + 0.5 * (high - low);
  // Between neighbours among doubles there is nothing, and the left one belongs to the left.
  return middle < high ? middle : low;
}

/** (N/N₀) Δi of a split of the node that was measured, from its score. */
function gainOf(score: f64, weight: f64): f64 {
  return (weight / task.totalWeight) * decrease(score, weight);
}

/** Δi. */
function decrease(score: f64, weight: f64): f64 {
  if (classes == 0) {
    if (criterion == POISSON) return (score - (real(totals, 0) > 0 ? poissonWhole(weight) : 0)) / weight;
    return (score - (real(totals, 0) * real(totals, 0)) / weight) / weight;
  }
  let squares: f64 = 0;
  let most: f64 = 0;
  let logs: f64 = 0;
  for (let k: i32 = 0; k < classes; k++) {
    squares += real(totals, k) * real(totals, k);
    logs += wlogw(real(totals, k));
    most = max(most, real(totals, k));
  }
  if (criterion == ENTROPY) return (score - logs + wlogw(weight)) / weight;
  if (criterion == TWOING) return score / (weight * weight);
  if (criterion == NODE_ERROR) return (score - most) / weight;
  // See `twoClassScore`.
  if (classes == 2) return (2 * (score + (real(totals, 0) * real(totals, 1)) / weight)) / weight;
  return (score - squares / weight) / weight;
}

function poissonWhole(weight: f64): f64 {
  const sum = real(totals, 0);
  const mean = sum / weight;
  return sum * (wlogw(mean) / mean);
}

// Best first: a heap of nodes whose best split is known, by gain; of equal ones the one that was met first.

function before(a: usize, b: usize): bool {
  const difference = real(a, GAIN) - real(b, GAIN);
  return difference > 0 || (difference == 0 && real(a, NODE) < real(b, NODE));
}

function copyWaiting(from: usize, to: usize): void {
  memory.copy(to, from, waitingBytes);
}

function growBestFirst(): void {
  const spare = waitingAt(rows + 2);
  let size = meet(0, rows, 0, -1, false, 0, spare);
  while (size > 0 && task.leaves < task.maxLeaves && task.overflow == 0) {
    copyWaiting(waitingAt(0), spare);
    size--;
    sinkWaiting(waitingAt(size), size);
    const from = <i32>real(spare, FROM);
    const to = <i32>real(spare, TO);
    const depth = <i32>real(spare, DEPTH);
    const node = <i32>real(spare, NODE);
    if (sparse) openKept(spare);
    const weight = measure(from, to);
    const found = spare + ((<usize>SPLIT) << 3);
    const middle = split(node, <i32>real(spare, COLUMN), found, from, to, depth, weight);
    const blockEnd = blockTo;
    const blockAt = blockMiddle;
    const ownRuns = rightRuns;
    if (sparse) openBlock(blockFrom, blockMiddle, leftRuns);
    size = meet(from, middle, depth + 1, node, true, size, spare);
    if (sparse) openBlock(blockAt, blockEnd, ownRuns);
    size = meet(middle, to, depth + 1, node, false, size, spare);
  }
}

/** A new node, and its best split into the heap. */
function meet(from: i32, to: i32, depth: i32, parent: i32, isLeft: bool, size: i32, spare: usize): i32 {
  const weight = measure(from, to);
  const impurity = impurityOf(weight);
  const node = addNode(from, to, depth, weight, impurity);
  if (parent >= 0) setInteger(isLeft ? <usize>task.lefts : <usize>task.rights, parent, node);
  if (!mayBeSplit(from, to, depth, weight, impurity)) return size;
  const column = bestColumn(from, to, weight);
  if (column < 0) return size;
  const found = bestFound(column);
  const gain = gainOf(real(found, WORTH), weight);
  if (task.minDecrease > 0 && gain < task.minDecrease) return size;
  wait(rows + 2, from, to, depth, parent, isLeft);
  keepBlock(rows + 2, blockFrom, blockTo, runCount);
  setReal(spare, NODE, <f64>node);
  setReal(spare, GAIN, gain);
  setReal(spare, COLUMN, <f64>column);
  memory.copy(spare + ((<usize>SPLIT) << 3), found, (<usize>FOUND) << 3);
  let slot = size;
  while (slot > 0) {
    const parentSlot = (slot - 1) >> 1;
    if (!before(spare, waitingAt(parentSlot))) break;
    copyWaiting(waitingAt(parentSlot), waitingAt(slot));
    slot = parentSlot;
  }
  copyWaiting(spare, waitingAt(slot));
  return size + 1;
}

/** Puts a node in at the top of a heap of `size` others. */
function sinkWaiting(node: usize, size: i32): void {
  let slot: i32 = 0;
  for (;;) {
    let child = 2 * slot + 1;
    if (child >= size) break;
    if (child + 1 < size && before(waitingAt(child + 1), waitingAt(child))) child++;
    if (!before(waitingAt(child), node)) break;
    copyWaiting(waitingAt(child), waitingAt(slot));
    slot = child;
  }
  copyWaiting(node, waitingAt(slot));
}
