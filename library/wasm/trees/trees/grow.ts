import { setInteger } from "../../shared/arrays";
import { FoundSplit, OpenNode } from "../trees.layout";
import { attachToParent, splitNode } from "./branch";
import { rows, unsorted } from "./entries";
import { compactNode, resetCompactNode } from "./local";
import { addNode, gainOf, impurityOf, mayBeSplit, sumNode } from "./node";
import {
  blockFrom,
  blockMiddle,
  blockTo,
  enterSparse,
  leftRuns,
  openBlock,
  rightRuns,
  runCount,
} from "./sparse-columns";
import { bestColumn, bestFound, copySplit } from "./split";
import { columns, sparse, task } from "./task";

/**
 * Grows trees on sorted columns: at every node the split with the largest decrease of impurity,
 *
 *   Δi = i(P) − (N_L/N_P) i(L) − (N_R/N_P) i(R)
 *
 * Depth first, nodes numbered in preorder; or, with a limit of leaves, best first: the node with the largest decrease times its weight.
 */

/** Bytes of an open node, with its best split if the tree grows best first. */
let openBytes: usize = 0;

// @inline
function openAt(slot: i32): OpenNode {
  return changetype<OpenNode>(<usize>task.frontier + <usize>slot * openBytes);
}

/** The best split of an open node. */
// @inline
function splitOf(open: OpenNode): FoundSplit {
  return changetype<FoundSplit>(changetype<usize>(open) + offsetof<OpenNode>());
}

/** Grows the tree of the current task. */
export function grow(): void {
  task.nodes = 0;
  task.leaves = 1;
  task.poolUsed = 0;
  task.overflow = 0;
  for (let c: i32 = 0; c < columns; c++) setInteger(<usize>task.order, c, c);
  openBytes = offsetof<OpenNode>() + (task.maxLeaves > 0 ? offsetof<FoundSplit>() : 0);
  resetCompactNode();
  if (sparse) {
    enterSparse();
    openBlock(0, <i32>task.blockEntries, <i32>task.blockRuns);
  }
  if (task.maxLeaves > 0) growBestFirst();
  else growDepthFirst();
}

function pushNode(slot: i32, from: i32, to: i32, depth: i32, parent: i32, isLeft: bool): void {
  const open = openAt(slot);
  open.from = <f64>from;
  open.to = <f64>to;
  open.depth = <f64>depth;
  open.parent = <f64>parent;
  open.isLeft = isLeft ? 1 : 0;
}

/** Stores the block of an open node. */
function storeBlock(slot: i32, from: i32, to: i32, runs: i32): void {
  const open = openAt(slot);
  open.blockFrom = <f64>from;
  open.blockTo = <f64>to;
  open.runs = <f64>runs;
}

// @inline
function restoreBlock(open: OpenNode): void {
  openBlock(<i32>open.blockFrom, <i32>open.blockTo, <i32>open.runs);
}

function growDepthFirst(): void {
  let count: i32 = 1;
  pushNode(0, 0, rows, 0, -1, false);
  storeBlock(0, blockFrom, blockTo, runCount);
  while (count > 0 && task.overflow == 0) {
    const open = openAt(--count);
    const from = <i32>open.from;
    const to = <i32>open.to;
    const depth = <i32>open.depth;
    if (sparse) restoreBlock(open);
    if (unsorted) compactNode(from, to);
    const weight = sumNode(from, to);
    const impurity = impurityOf(weight);
    const node = addNode(from, to, depth, weight, impurity);
    attachToParent(<i32>open.parent, open.isLeft != 0, node);
    if (!mayBeSplit(from, to, depth, weight, impurity)) continue;
    const column = bestColumn(from, to, weight);
    if (column < 0) continue;
    const found = bestFound(column);
    if (task.minDecrease > 0 && gainOf(found.score, weight) < task.minDecrease) continue;
    const middle = splitNode(node, column, found, from, to, depth, weight);
    pushNode(count, middle, to, depth + 1, node, false);
    if (sparse) storeBlock(count, blockMiddle, blockTo, rightRuns);
    count++;
    pushNode(count, from, middle, depth + 1, node, true);
    if (sparse) storeBlock(count, blockFrom, blockMiddle, leftRuns);
    count++;
  }
}

// Best first: a heap of nodes by the gain of their best split; ties go to the lower index.

function comesBefore(a: OpenNode, b: OpenNode): bool {
  const difference = a.gain - b.gain;
  return difference > 0 || (difference == 0 && a.node < b.node);
}

function copyOpen(from: OpenNode, to: OpenNode): void {
  memory.copy(changetype<usize>(to), changetype<usize>(from), openBytes);
}

function growBestFirst(): void {
  const spare = openAt(rows + 2);
  let size = expandNode(0, rows, 0, -1, false, 0, spare);
  while (size > 0 && task.leaves < task.maxLeaves && task.overflow == 0) {
    copyOpen(openAt(0), spare);
    size--;
    siftDown(openAt(size), size);
    const from = <i32>spare.from;
    const to = <i32>spare.to;
    const depth = <i32>spare.depth;
    const node = <i32>spare.node;
    if (sparse) restoreBlock(spare);
    const weight = sumNode(from, to);
    const middle = splitNode(node, <i32>spare.column, splitOf(spare), from, to, depth, weight);
    const blockEnd = blockTo;
    const blockAt = blockMiddle;
    const ownRuns = rightRuns;
    if (sparse) openBlock(blockFrom, blockMiddle, leftRuns);
    size = expandNode(from, middle, depth + 1, node, true, size, spare);
    if (sparse) openBlock(blockAt, blockEnd, ownRuns);
    size = expandNode(middle, to, depth + 1, node, false, size, spare);
  }
}

/** Adds a node to the tree and, if it can be split, to the heap of `size` others; returns the new size of the heap. */
function expandNode(
  from: i32,
  to: i32,
  depth: i32,
  parent: i32,
  isLeft: bool,
  size: i32,
  spare: OpenNode,
): i32 {
  const weight = sumNode(from, to);
  const impurity = impurityOf(weight);
  const node = addNode(from, to, depth, weight, impurity);
  attachToParent(parent, isLeft, node);
  if (!mayBeSplit(from, to, depth, weight, impurity)) return size;
  const column = bestColumn(from, to, weight);
  if (column < 0) return size;
  const found = bestFound(column);
  const gain = gainOf(found.score, weight);
  if (task.minDecrease > 0 && gain < task.minDecrease) return size;
  pushNode(rows + 2, from, to, depth, parent, isLeft);
  storeBlock(rows + 2, blockFrom, blockTo, runCount);
  spare.node = <f64>node;
  spare.gain = gain;
  spare.column = <f64>column;
  copySplit(found, splitOf(spare));
  siftUp(spare, size);
  return size + 1;
}

/** Inserts a node below a heap of `size` others. */
function siftUp(node: OpenNode, size: i32): void {
  let slot = size;
  while (slot > 0) {
    const above = (slot - 1) >> 1;
    if (!comesBefore(node, openAt(above))) break;
    copyOpen(openAt(above), openAt(slot));
    slot = above;
  }
  copyOpen(node, openAt(slot));
}

/** Inserts a node at the top of a heap of `size` others. */
function siftDown(node: OpenNode, size: i32): void {
  let slot: i32 = 0;
  for (;;) {
    let child = 2 * slot + 1;
    if (child >= size) break;
    if (child + 1 < size && comesBefore(openAt(child + 1), openAt(child))) child++;
    if (!comesBefore(openAt(child), node)) break;
    copyOpen(openAt(child), openAt(slot));
    slot = child;
  }
  copyOpen(node, openAt(slot));
}
