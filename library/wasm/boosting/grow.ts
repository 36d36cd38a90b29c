import { isAllowed, writeAllowed } from "./allowed";
import { addColumn, addRows, clearHistogram, subtractColumn } from "./histogram";
import { run, setSetting, setting } from "./jobs";
import { BIN_SIDES, Candidate, CHUNK, Node, PIECE, TALLIES, TOUCHED } from "./layout";
import { partitionInPlace, partitionRows, writeSides } from "./partition";
import {
  at,
  candidateAt,
  d,
  direction,
  hasMissing,
  hessianIn,
  isCategorical,
  n,
  nodeAt,
  partialAt,
  slotAt,
  thread,
} from "./problem";
import { findSplit, NONE } from "./split";

/** Kinds of jobs. */
const PACK: i32 = 0;
const ADD: i32 = 1;
const PARTITION: i32 = 2;
const MOVE: i32 = 3;
const SPLIT: i32 = 4;

/** Settings of jobs: the node (of SPLIT: the larger child and the smaller, −1 for none), its first row, its rows, the slot. */
const FIRST: i32 = 0;
const SECOND: i32 = 1;
const FROM: i32 = 2;
const TO: i32 = 3;
const SLOT: i32 = 4;
const LESS: i32 = 5;

/** Sharing costs a microsecond or so: what is shared takes several. */
const ADDS_WORTH_SHARING: i32 = 65536;
const BINS_WORTH_SHARING: i32 = 2048;

/** Where a piece of rows notes how many went left, and the sides of bins. */
// @inline
function tally(task: i32): usize {
  return <usize>at.jobs + TALLIES + ((<usize>task) << 2);
}
// @inline
function sides(): usize {
  return <usize>at.jobs + BIN_SIDES;
}
/** Whether a thread has added rows to its own histogram. */
// @inline
function touched(helper: i32): usize {
  return <usize>at.jobs + TOUCHED + ((<usize>helper) << 2);
}

export function doTask(kind: i32, task: i32): void {
  if (kind == ADD) addTask(task);
  else if (kind == SPLIT) splitTask(task);
  else if (kind == PARTITION) partitionTask(task);
  else if (kind == MOVE) moveTask(task);
  else packTask(task);
}

/** 1.5 · 2⁵²: adding it leaves the nearest whole number in the low bits. */
const ROUND: f64 = 6755399441055744;
const ROUND_BITS: i64 = 0x4338000000000000;

/** Gradients and hessians of a piece of rows as whole numbers. */
function packTask(task: i32): void {
  const from = (<usize>(task * PIECE)) << 4;
  const end = (<usize>min(n, (task + 1) * PIECE)) << 4;
  const gradients = <usize>at.gradients;
  const packed = <usize>at.packed;
  const scales = f64x2.replace_lane(f64x2.splat(at.gradientScale), 1, at.hessianScale);
  const one = i64x2.replace_lane(i64x2.splat(-ROUND_BITS), 1, ((<i64>1) << (<i64>at.shift)) - ROUND_BITS);
  for (let e = from; e < end; e += 16) {
    const scaled = f64x2.add(f64x2.mul(v128.load(gradients + e), scales), f64x2.splat(ROUND));
    v128.store(packed + e, i64x2.add(scaled, one));
  }
}

/** Thread 0 adds to the histogram itself, the others to their own. */
function addTask(task: i32): void {
  const from = setting(FROM) + task * CHUNK;
  const count = min(CHUNK, setting(TO) - from);
  let out = slotAt(setting(SLOT));
  if (thread > 0) {
    out = partialAt(thread);
    if (load<i32>(touched(thread)) == 0) {
      clearHistogram(out);
      store<i32>(touched(thread), 1);
    }
  }
  addRows(from, count, out);
}

/** The histogram of a node's rows. What other threads have added is fetched by `splitTask`. */
function build(v: i32): void {
  const node = nodeAt(v);
  const rows = node.stop - node.start;
  setSetting(FROM, node.start);
  setSetting(TO, node.stop);
  setSetting(SLOT, node.slot);
  for (let helper: i32 = 1; helper < <i32>at.threads; helper++) store<i32>(touched(helper), 0);
  clearHistogram(slotAt(node.slot));
  run(ADD, (rows + CHUNK - 1) / CHUNK, <i64>rows * <i64>d >= <i64>ADDS_WORTH_SHARING);
}

/** Completes column `task` of the histogram that was built last, makes its sibling's from the parent's, and finds the best splits. */
function splitTask(task: i32): void {
  const built = slotAt(setting(SLOT));
  for (let helper: i32 = 1; helper < <i32>at.threads; helper++) {
    if (load<i32>(touched(helper)) == 0) continue;
    addColumn(task, partialAt(helper), built);
  }
  const less = setting(LESS);
  if (less >= 0) subtractColumn(task, built, slotAt(less));
  lookAt(0, setting(FIRST), task);
  lookAt(1, setting(SECOND), task);
}

/** The best split of node v (−1: none) by column j, the first or the second node that is looked at. */
function lookAt(which: i32, v: i32, j: i32): void {
  if (v < 0) return;
  const found = candidateAt(which * d + j);
  if (at.restricted != 0 && !isAllowed(which, j)) found.gain = NONE;
  else findSplit(nodeAt(v), j, slotAt(nodeAt(v).slot), found);
}

/** The best splits of up to two nodes (−1: none). */
function findSplits(first: i32, second: i32, less: i32): void {
  setSetting(FIRST, first);
  setSetting(SECOND, second);
  setSetting(LESS, less);
  if (at.restricted != 0) {
    if (first >= 0) writeAllowed(0, first);
    if (second >= 0) writeAllowed(1, second);
  }
  run(SPLIT, d, d * 256 >= BINS_WORTH_SHARING);
  if (first >= 0) choose(first, 0);
  if (second >= 0) choose(second, d);
}

/** The column with the largest gain, of equals the first. */
function choose(v: i32, from: i32): void {
  const node = nodeAt(v);
  let best: i32 = 0;
  for (let j: i32 = 1; j < d; j++) if (candidateAt(from + j).gain > candidateAt(from + best).gain) best = j;
  const found = candidateAt(from + best);
  if (!(found.gain > 0)) {
    close(node);
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
  push(v);
}

// Free histograms: their numbers, and how many there are.
let free: i32 = 0;

function clearSlots(): void {
  free = <i32>at.slotCount;
  for (let slot: i32 = 0; slot < free; slot++) store<i32>(<usize>at.slotBook + ((<usize>slot) << 2), slot);
}
function takeSlot(): i32 {
  if (free == 0) return -1;
  free--;
  return load<i32>(<usize>at.slotBook + ((<usize>free) << 2));
}
function giveSlot(slot: i32): void {
  if (slot < 0) return;
  store<i32>(<usize>at.slotBook + ((<usize>free) << 2), slot);
  free++;
}

/** The node stays a leaf. */
function close(node: Node): void {
  giveSlot(node.slot);
  node.slot = -1;
}

function partitionTask(task: i32): void {
  const from = setting(FROM) + task * PIECE;
  const to = min(setting(TO), from + PIECE);
  store<i32>(tally(task), partitionRows(nodeAt(setting(FIRST)).feature, sides(), from, to));
}

/** Brings a piece's two sides to their places. */
function moveTask(task: i32): void {
  const from = setting(FROM) + task * PIECE;
  const count = min(setting(TO), from + PIECE) - from;
  let before: i32 = 0;
  for (let e: i32 = 0; e < task; e++) before += load<i32>(tally(e));
  const lefts = load<i32>(tally(task));
  const rows = <usize>at.rows;
  const source = (<usize>from) << 2;
  memory.copy(rows + ((<usize>(setting(FROM) + before)) << 2), <usize>at.lefts + source, (<usize>lefts) << 2);
  const place = setting(SLOT) + task * PIECE - before;
  memory.copy(rows + ((<usize>place) << 2), <usize>at.rights + source, (<usize>(count - lefts)) << 2);
}

/** Partitions the rows of a node; returns where the right ones begin. */
function partition(v: i32): i32 {
  const node = nodeAt(v);
  writeSides(node, sides());
  const rows = node.stop - node.start;
  const pieces = (rows + PIECE - 1) / PIECE;
  if (pieces == 1 || at.threads < 2)
    return node.start + partitionInPlace(node.feature, sides(), node.start, node.stop);
  setSetting(FIRST, v);
  setSetting(FROM, node.start);
  setSetting(TO, node.stop);
  run(PARTITION, pieces, pieces > 1);
  let middle = node.start;
  for (let task: i32 = 0; task < pieces; task++) middle += load<i32>(tally(task));
  setSetting(SLOT, middle);
  run(MOVE, pieces, pieces > 1);
  return middle;
}

function child(v: i32, up: i32, start: i32, stop: i32, gradient: i64, hessian: i64, value: f64): Node {
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

/** Values on the two sides of a monotone split stay on their sides of the middle, also further down. */
function bound(parent: Node, left: Node, right: Node): void {
  const way = direction(parent.feature);
  if (way == 0) return;
  const middle = (left.value + right.value) / 2;
  if (way > 0) {
    left.upper = middle;
    right.lower = middle;
  } else {
    left.lower = middle;
    right.upper = middle;
  }
}

/** Whether a node has enough rows and may be deep enough to be split again. */
function mayGrow(node: Node): bool {
  return node.stop - node.start >= 2 * <i32>at.minSamplesLeaf && node.depth < <i32>at.maxDepth;
}

function splitNode(v: i32): void {
  const node = nodeAt(v);
  const middle = partition(v);
  const l = <i32>at.nodeCount;
  at.nodeCount += 2;
  at.leafCount += 1;
  node.left = l;
  const gl = node.leftGradient;
  const hl = node.leftHessian;
  const left = child(l, v, node.start, middle, gl, hl, node.leftValue);
  const right = child(l + 1, v, middle, node.stop, node.gradient - gl, node.hessian - hl, node.rightValue);
  if (at.bounded != 0) bound(node, left, right);
  // Missing values that fit never saw go where most rows go.
  if (!hasMissing(node.feature)) node.missingLeft = middle - node.start > node.stop - middle ? 1 : 0;
  if (at.leafCount >= at.maxLeaves) {
    giveSlot(node.slot);
    node.slot = -1;
    return;
  }
  const leftSmaller = middle - node.start <= node.stop - middle;
  growChildren(node, leftSmaller ? l : l + 1, leftSmaller ? l + 1 : l);
}

/** Histograms and best splits of a node's children, as far as they may be split. */
function growChildren(parent: Node, small: i32, large: i32): void {
  const smaller = nodeAt(small);
  const larger = nodeAt(large);
  const slot = parent.slot;
  parent.slot = -1;
  const goSmall = mayGrow(smaller);
  const goLarge = mayGrow(larger);
  if (!goSmall && !goLarge) {
    giveSlot(slot);
    return;
  }
  // Without the parent's histogram, or without room for a second one, each is built by itself, in one room after the other.
  const other = slot < 0 ? -1 : takeSlot();
  if (other < 0) {
    const room = slot < 0 ? takeSlot() : slot;
    if (goLarge) buildAlone(large, room);
    if (goSmall) buildAlone(small, room);
    giveSlot(room);
    return;
  }
  smaller.slot = other;
  larger.slot = slot;
  build(small);
  findSplits(goLarge ? large : -1, goSmall ? small : -1, goLarge ? slot : -1);
  if (!goSmall) close(smaller);
  if (!goLarge) close(larger);
}

/** The best split of a node whose histogram is not kept. */
function buildAlone(v: i32, slot: i32): void {
  const node = nodeAt(v);
  node.slot = slot;
  build(v);
  const kept = free;
  findSplits(v, -1, -1);
  // `choose` gives the room back when there is no split; it is needed once more.
  free = kept;
  node.slot = -1;
}

// Nodes that may be split, a heap: none has a larger gain than the one above it, and of equals the older is above.
let waiting: i32 = 0;

// @inline
function entry(e: i32): usize {
  return <usize>at.queue + ((<usize>e) << 2);
}

function before(a: i32, b: i32): bool {
  const gainA = nodeAt(a).gain;
  const gainB = nodeAt(b).gain;
  return gainA > gainB || (gainA == gainB && a < b);
}

function push(v: i32): void {
  let e = waiting;
  waiting++;
  while (e > 0) {
    const above = load<i32>(entry((e - 1) >> 1));
    if (before(above, v)) break;
    store<i32>(entry(e), above);
    e = (e - 1) >> 1;
  }
  store<i32>(entry(e), v);
}

/** The node with the largest gain. */
function pop(): i32 {
  const first = load<i32>(entry(0));
  const v = load<i32>(entry(waiting - 1));
  waiting--;
  let e: i32 = 0;
  for (;;) {
    let below = 2 * e + 1;
    if (below >= waiting) break;
    if (below + 1 < waiting && before(load<i32>(entry(below + 1)), load<i32>(entry(below)))) below++;
    if (before(v, load<i32>(entry(below)))) break;
    store<i32>(entry(e), load<i32>(entry(below)));
    e = below;
  }
  store<i32>(entry(e), v);
  return first;
}

/** Grows one tree. */
export function growTree(): void {
  run(PACK, (n + PIECE - 1) / PIECE, n > 2 * PIECE);
  memory.copy(<usize>at.rows, <usize>at.identity, (<usize>n) << 2);
  clearSlots();
  waiting = 0;
  at.nodeCount = 1;
  at.leafCount = 1;
  const root = nodeAt(0);
  root.start = 0;
  root.stop = n;
  root.left = 0;
  root.parent = -1;
  root.depth = 0;
  root.gain = 0;
  root.value = 0;
  root.lower = -Infinity;
  root.upper = Infinity;
  let sums = i64x2.splat(0);
  for (let i: i32 = 0; i < n; i++) sums = i64x2.add(sums, v128.load(<usize>at.packed + ((<usize>i) << 4)));
  const gradient = i64x2.extract_lane(sums, 0);
  const hessian = i64x2.extract_lane(sums, 1);
  root.gradient = gradient;
  root.hessian = hessian;
  if (!mayGrow(root) || hessianIn(hessian) < at.minHessian || at.maxLeaves < 2) return;
  root.slot = takeSlot();
  build(0);
  findSplits(0, -1, -1);
  while (waiting > 0 && at.leafCount < at.maxLeaves) splitNode(pop());
  const count = <i32>at.nodeCount;
  for (let v: i32 = 1; v < count; v++) nodeAt(v).value *= at.shrinkage;
}
