import { BIN_SIDES, Candidate, CHUNK, LEFT_COUNTS, Node, PIECE, TOUCHED } from "../boosting.layout";
import { isAllowed, writeAllowed } from "./allowed";
import { binsOf, direction, hasMissing, isCategorical } from "./columns";
import { addColumn, addRows, clearHistogram, subtractColumn } from "./histogram";
import { jobArgument, run, setJobArgument } from "./jobs";
import { partitionInPlace, partitionRows, writeSides } from "./partition";
import { candidateAt, d, n, nodeAt, partialAt, problem, slotAt, thread } from "./problem";
import { clearQueue, isQueueEmpty, pop, push } from "./queue";
import { findSplit, NONE } from "./split";
import { hessianIn, rowsIn } from "./units";

/** Kinds of jobs. */
const PACK: i32 = 0;
const ADD: i32 = 1;
const PARTITION: i32 = 2;
const MOVE: i32 = 3;
const SPLIT: i32 = 4;

/**
 * Indices of job arguments.
 *
 *   FIRST, SECOND   SPLIT: the two nodes, −1 for none; PARTITION, MOVE: FIRST is the node
 *   FROM, TO        range of its rows
 *   SLOT            histogram; MOVE: the first place on the right
 *   PARENT_SLOT     histogram of the parent, which becomes that of the larger child; −1 for none
 *   SEARCH          SPLIT: number of the search for splits, counted on from tree to tree
 */
const FIRST: i32 = 0;
const SECOND: i32 = 1;
const FROM: i32 = 2;
const TO: i32 = 3;
const SLOT: i32 = 4;
const PARENT_SLOT: i32 = 5;
const SEARCH: i32 = 6;
/** Not the number of a search, which has 32 bits. */
const NO_SEARCH: i64 = i64.MIN_VALUE;

/** Sharing costs about a microsecond: below these numbers a job is not shared. */
const MIN_SHARED_ADDS: i32 = 65536;
const MIN_SHARED_BINS: i32 = 2048;

/** Address of the number of rows of a piece that go left. */
// @inline
function leftCountAt(task: i32): usize {
  return <usize>problem.jobs + LEFT_COUNTS + ((<usize>task) << 2);
}
// @inline
function sides(): usize {
  return <usize>problem.jobs + BIN_SIDES;
}
/** Whether a thread has added rows to its own histogram. */
// @inline
function touched(helper: i32): usize {
  return <usize>problem.jobs + TOUCHED + ((<usize>helper) << 2);
}

export function doTask(kind: i32, task: i32): void {
  if (kind == ADD) addTask(task);
  else if (kind == SPLIT) splitTask(task);
  else if (kind == PARTITION) partitionTask(task);
  else if (kind == MOVE) moveTask(task);
  else packTask(task);
}

/** 1.5 · 2⁵²: adding it leaves the nearest integer in the low bits. */
const ROUND: f64 = 6755399441055744;
const ROUND_BITS: i64 = 0x4338000000000000;

/** Converts gradients and hessians of a piece of rows to integers. */
function packTask(task: i32): void {
  const from = (<usize>(task * PIECE)) << 4;
  const end = (<usize>min(n, (task + 1) * PIECE)) << 4;
  const gradients = <usize>problem.gradients;
  const packed = <usize>problem.packed;
  const scales = f64x2.replace_lane(f64x2.splat(problem.gradientScale), 1, problem.hessianScale);
  const one = i64x2.replace_lane(
    i64x2.splat(-ROUND_BITS),
    1,
    ((<i64>1) << (<i64>problem.shift)) - ROUND_BITS,
  );
  for (let e = from; e < end; e += 16) {
    const scaled = f64x2.add(f64x2.mul(v128.load(gradients + e), scales), f64x2.splat(ROUND));
    v128.store(packed + e, i64x2.add(scaled, one));
  }
}

/** Adds a chunk of rows to the histogram (thread 0), or to the thread's own (other threads). */
function addTask(task: i32): void {
  const from = jobArgument(FROM) + task * CHUNK;
  const count = min(CHUNK, jobArgument(TO) - from);
  let out = slotAt(jobArgument(SLOT));
  if (thread > 0) {
    out = partialAt(thread);
    if (load<i32>(touched(thread)) == 0) {
      clearHistogram(out);
      store<i32>(touched(thread), 1);
    }
  }
  addRows(from, count, out);
}

/** Builds the histogram of a node; `splitTask` adds the histograms of other threads. */
function buildHistogram(v: i32): void {
  const node = nodeAt(v);
  const rows = node.stop - node.start;
  setJobArgument(FROM, node.start);
  setJobArgument(TO, node.stop);
  setJobArgument(SLOT, node.slot);
  for (let helper: i32 = 1; helper < <i32>problem.threads; helper++) store<i32>(touched(helper), 0);
  clearHistogram(slotAt(node.slot));
  run(ADD, (rows + CHUNK - 1) / CHUNK, <i64>rows * <i64>d >= <i64>MIN_SHARED_ADDS);
}

/** Completes column `task` of the histogram that was built last, subtracts it from the parent's to get the sibling's, and finds the best splits. */
function splitTask(task: i32): void {
  const built = slotAt(jobArgument(SLOT));
  for (let helper: i32 = 1; helper < <i32>problem.threads; helper++) {
    if (load<i32>(touched(helper)) == 0) continue;
    addColumn(task, partialAt(helper), built);
  }
  const parentSlot = jobArgument(PARENT_SLOT);
  if (parentSlot >= 0) subtractColumn(task, built, slotAt(parentSlot));
  const search: i64 = jobArgument(SEARCH);
  if (search != bestOf) {
    bestOf = search;
    bestOfFirst = -Infinity;
    bestOfSecond = -Infinity;
  }
  bestOfFirst = findNodeSplit(0, jobArgument(FIRST), task, bestOfFirst);
  bestOfSecond = findNodeSplit(1, jobArgument(SECOND), task, bestOfSecond);
}

// The best scores that this thread has found in a search, and its number; none on entry. Any thread may lead, so that searches are
// numbered in the memory that they share.
let bestOf: i64 = NO_SEARCH;
let bestOfFirst: f64 = -Infinity;
let bestOfSecond: f64 = -Infinity;

/** Called by every thread before a tree. */
export function forgetSearches(): void {
  bestOf = NO_SEARCH;
}

/**
 * The best split of node v (−1: none) by column j; `which` is 0 for the first and 1 for the second node of the job. A split that is not
 * better than `best`, the score of an earlier column, is as good as none: threads take columns in ascending order, and the first of
 * ties is chosen. Returns the better score.
 */
function findNodeSplit(which: i32, v: i32, j: i32, best: f64): f64 {
  if (v < 0) return best;
  const found = candidateAt(which * d + j);
  if (problem.restricted == 0 || isAllowed(which, j))
    return findSplit(nodeAt(v), j, slotAt(nodeAt(v).slot), best, found);
  found.gain = NONE;
  return best;
}

/** Finds the best splits of up to two nodes (−1: none); of a node without one the gain is 0. */
function searchNodes(first: i32, second: i32, parentSlot: i32): void {
  setJobArgument(FIRST, first);
  setJobArgument(SECOND, second);
  setJobArgument(PARENT_SLOT, parentSlot);
  setJobArgument(SEARCH, jobArgument(SEARCH) + 1);
  if (problem.restricted != 0) {
    if (first >= 0) writeAllowed(0, first);
    if (second >= 0) writeAllowed(1, second);
  }
  run(SPLIT, d, d * 256 >= MIN_SHARED_BINS);
  if (first >= 0) chooseColumn(first, 0);
  if (second >= 0) chooseColumn(second, d);
}

/** `searchNodes`, then queues the nodes; one without a split stays a leaf. */
function findSplits(first: i32, second: i32, parentSlot: i32): void {
  searchNodes(first, second, parentSlot);
  if (first >= 0) queueNode(first);
  if (second >= 0) queueNode(second);
}

function queueNode(v: i32): void {
  const node = nodeAt(v);
  if (node.gain > 0) push(v);
  else closeNode(node);
}

/** Chooses the column with the largest gain, the first of ties. */
function chooseColumn(v: i32, from: i32): void {
  const node = nodeAt(v);
  let best: i32 = 0;
  for (let j: i32 = 1; j < d; j++) if (candidateAt(from + j).gain > candidateAt(from + best).gain) best = j;
  const found = candidateAt(from + best);
  if (!(found.gain > 0)) {
    node.gain = 0;
    return;
  }
  node.gain = found.gain;
  node.feature = best;
  node.bin = found.bin;
  node.missingLeft = found.missingLeft;
  node.categorical = isCategorical(best) ? 1 : 0;
  node.leftGradient = found.leftGradient;
  node.leftHessian = found.leftHessian;
  node.leftValue = found.leftValue;
  node.rightValue = found.rightValue;
  const to = changetype<usize>(node) + offsetof<Node>("set0");
  memory.copy(to, changetype<usize>(found) + offsetof<Candidate>("set0"), 32);
}

// Free histograms: their numbers, and how many there are.
let freeCount: i32 = 0;

function resetSlots(): void {
  freeCount = <i32>problem.slotCount;
  for (let slot: i32 = 0; slot < freeCount; slot++)
    store<i32>(<usize>problem.freeSlots + ((<usize>slot) << 2), slot);
}
function takeSlot(): i32 {
  if (freeCount == 0) return -1;
  freeCount--;
  return load<i32>(<usize>problem.freeSlots + ((<usize>freeCount) << 2));
}
function releaseSlot(slot: i32): void {
  if (slot < 0) return;
  store<i32>(<usize>problem.freeSlots + ((<usize>freeCount) << 2), slot);
  freeCount++;
}

/** The node stays a leaf. */
function closeNode(node: Node): void {
  releaseSlot(node.slot);
  node.slot = -1;
}

function partitionTask(task: i32): void {
  const from = jobArgument(FROM) + task * PIECE;
  const to = min(jobArgument(TO), from + PIECE);
  store<i32>(leftCountAt(task), partitionRows(nodeAt(jobArgument(FIRST)).feature, sides(), from, to));
}

/** Copies both sides of a piece to their places. */
function moveTask(task: i32): void {
  const from = jobArgument(FROM) + task * PIECE;
  const count = min(jobArgument(TO), from + PIECE) - from;
  let before: i32 = 0;
  for (let e: i32 = 0; e < task; e++) before += load<i32>(leftCountAt(e));
  const lefts = load<i32>(leftCountAt(task));
  const rows = <usize>problem.rows;
  const source = (<usize>from) << 2;
  memory.copy(
    rows + ((<usize>(jobArgument(FROM) + before)) << 2),
    <usize>problem.lefts + source,
    (<usize>lefts) << 2,
  );
  const place = jobArgument(SLOT) + task * PIECE - before;
  memory.copy(rows + ((<usize>place) << 2), <usize>problem.rights + source, (<usize>(count - lefts)) << 2);
}

/** Partitions the rows of a node; returns the first place on the right. */
function partition(v: i32): i32 {
  const node = nodeAt(v);
  writeSides(node, sides());
  const rows = node.stop - node.start;
  const pieces = (rows + PIECE - 1) / PIECE;
  if (pieces == 1 || problem.threads < 2)
    return node.start + partitionInPlace(node.feature, sides(), node.start, node.stop);
  setJobArgument(FIRST, v);
  setJobArgument(FROM, node.start);
  setJobArgument(TO, node.stop);
  run(PARTITION, pieces, pieces > 1);
  let middle = node.start;
  for (let task: i32 = 0; task < pieces; task++) middle += load<i32>(leftCountAt(task));
  setJobArgument(SLOT, middle);
  run(MOVE, pieces, pieces > 1);
  return middle;
}

function initChild(v: i32, up: i32, start: i32, stop: i32, gradient: i64, hessian: i64, value: f64): Node {
  const node = nodeAt(v);
  const parent = nodeAt(up);
  node.start = start;
  node.stop = stop;
  node.left = 0;
  node.parent = up;
  node.depth = parent.depth + 1;
  node.slot = -1;
  node.gain = 0;
  node.gradient = gradient;
  node.hessian = hessian;
  node.value = value;
  node.lower = parent.lower;
  node.upper = parent.upper;
  return node;
}

/** Monotonic constraint: values in both subtrees stay on their side of the midpoint. */
function boundChildren(parent: Node, left: Node, right: Node): void {
  const monotone = direction(parent.feature);
  if (monotone == 0) return;
  const middle = (left.value + right.value) / 2;
  if (monotone > 0) {
    left.upper = middle;
    right.lower = middle;
  } else {
    left.lower = middle;
    right.upper = middle;
  }
}

/** Whether a node has enough rows and is not too deep to be split. */
function mayBeSplit(node: Node): bool {
  return node.stop - node.start >= 2 * <i32>problem.minSamplesLeaf && node.depth < <i32>problem.maxDepth;
}

/** Adds the children of a node by its best split; the rows of the right one begin at `middle`. */
function addChildren(v: i32, middle: i32): void {
  const node = nodeAt(v);
  const l = <i32>problem.nodeCount;
  problem.nodeCount += 2;
  node.left = l;
  const gl = node.leftGradient;
  const hl = node.leftHessian;
  const left = initChild(l, v, node.start, middle, gl, hl, node.leftValue);
  const right = initChild(
    l + 1,
    v,
    middle,
    node.stop,
    node.gradient - gl,
    node.hessian - hl,
    node.rightValue,
  );
  if (problem.bounded != 0) boundChildren(node, left, right);
  // Without missing values in fit, those in predict go to the side with more rows.
  if (!hasMissing(node.feature)) node.missingLeft = middle - node.start > node.stop - middle ? 1 : 0;
}

function splitNode(v: i32): void {
  const node = nodeAt(v);
  const middle = partition(v);
  addChildren(v, middle);
  problem.leafCount += 1;
  if (problem.leafCount >= problem.maxLeaves) {
    releaseSlot(node.slot);
    node.slot = -1;
    return;
  }
  const l = node.left;
  const leftSmaller = middle - node.start <= node.stop - middle;
  growChildren(node, leftSmaller ? l : l + 1, leftSmaller ? l + 1 : l);
}

/** Builds the histograms of a node's children and finds their best splits, if they may be split. */
function growChildren(parent: Node, small: i32, large: i32): void {
  const smaller = nodeAt(small);
  const larger = nodeAt(large);
  const slot = parent.slot;
  parent.slot = -1;
  const goSmall = mayBeSplit(smaller);
  const goLarge = mayBeSplit(larger);
  if (!goSmall && !goLarge) {
    releaseSlot(slot);
    return;
  }
  // Without the parent's histogram, or without a free slot, both are built one after the other in the same slot.
  const other = slot < 0 ? -1 : takeSlot();
  if (other < 0) {
    const room = slot < 0 ? takeSlot() : slot;
    if (goLarge) findSplitAlone(large, room);
    if (goSmall) findSplitAlone(small, room);
    releaseSlot(room);
    return;
  }
  smaller.slot = other;
  larger.slot = slot;
  buildHistogram(small);
  findSplits(goLarge ? large : -1, goSmall ? small : -1, goLarge ? slot : -1);
  if (!goSmall) closeNode(smaller);
  if (!goLarge) closeNode(larger);
}

/** Finds the best split of a node whose histogram is not kept. */
function findSplitAlone(v: i32, slot: i32): void {
  const node = nodeAt(v);
  node.slot = slot;
  buildHistogram(v);
  const kept = freeCount;
  findSplits(v, -1, -1);
  // `chooseColumn` releases the slot if there is no split, but the caller still needs it.
  freeCount = kept;
  node.slot = -1;
}

function openRoot(rows: i32, gradient: i64, hessian: i64): Node {
  problem.nodeCount = 1;
  const root = nodeAt(0);
  root.start = 0;
  root.stop = rows;
  root.left = 0;
  root.parent = -1;
  root.depth = 0;
  root.slot = -1;
  root.gain = 0;
  root.value = 0;
  root.lower = -Infinity;
  root.upper = Infinity;
  root.gradient = gradient;
  root.hessian = hessian;
  return root;
}

function isRootSplit(root: Node): bool {
  return mayBeSplit(root) && hessianIn(root.hessian) >= problem.minHessian && problem.maxLeaves >= 2;
}

/** Grows one tree. */
export function growTree(): void {
  run(PACK, (n + PIECE - 1) / PIECE, n > 2 * PIECE);
  memory.copy(<usize>problem.rows, <usize>problem.identity, (<usize>n) << 2);
  resetSlots();
  clearQueue();
  problem.leafCount = 1;
  let sums = i64x2.splat(0);
  for (let i: i32 = 0; i < n; i++)
    sums = i64x2.add(sums, v128.load(<usize>problem.packed + ((<usize>i) << 4)));
  const root = openRoot(n, i64x2.extract_lane(sums, 0), i64x2.extract_lane(sums, 1));
  if (!isRootSplit(root)) return;
  root.slot = takeSlot();
  buildHistogram(0);
  findSplits(0, -1, -1);
  while (!isQueueEmpty() && problem.leafCount < problem.maxLeaves) splitNode(pop());
  const count = <i32>problem.nodeCount;
  for (let v: i32 = 1; v < count; v++) nodeAt(v).value *= problem.shrinkage;
}

/**
 * Trees whose histograms come from outside, several nodes at a time. Nodes are numbered as they are added, the rows of a node are known by
 * their number only, and slots are given out by the caller.
 */

/** Adds the root, whose histogram is in a slot, and finds its best split. */
export function searchRoot(slot: i32): void {
  const place = slotAt(slot);
  let gradient: i64 = 0;
  let hessian: i64 = 0;
  const end = (<usize>(binsOf(0) + 1)) << 4;
  for (let e: usize = 0; e < end; e += 16) {
    gradient += load<i64>(place + e);
    hessian += load<i64>(place + e, 8);
  }
  const root = openRoot(rowsIn(hessian), gradient, hessian);
  if (!isRootSplit(root)) return;
  root.slot = slot;
  searchGiven(0, -1, slot, -1);
}

/** Adds the children of node v by its best split. */
export function splitApart(v: i32): void {
  const node = nodeAt(v);
  addChildren(v, node.start + rowsIn(node.leftHessian));
}

/** Whether a child may be split, so that its histogram is needed. */
export function needsHistogram(v: i32): bool {
  return mayBeSplit(nodeAt(v));
}

/** Finds the best splits of the children `larger` and `smaller` (−1: not needed) of a node; see SLOT and PARENT_SLOT. */
export function searchGiven(larger: i32, smaller: i32, built: i32, parentSlot: i32): void {
  // Searches of several trees take turns.
  forgetSearches();
  setJobArgument(SLOT, built);
  searchNodes(larger, smaller, parentSlot);
}
