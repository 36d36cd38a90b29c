import { integer, real, setInteger, setReal } from "../../shared/arrays";
import { FoundSplit, MISSING } from "../trees.layout";
import { binsOf, valueOfBin } from "./column-bins";
import { stride, x } from "./data";
import { entryAt, rankOf, rowOf, unsorted } from "./entries";
import { valueOfRank } from "./sparse-columns";
import { hasCategories, listOf, partitionNode, partitionSparse } from "./split";
import { sparse, task } from "./task";

/** Turns a leaf into a branch; returns the first place on the right. */
export function splitNode(
  node: i32,
  column: i32,
  found: FoundSplit,
  from: i32,
  to: i32,
  depth: i32,
  weight: f64,
): i32 {
  setInteger(<usize>task.features, node, column);
  task.leaves += 1;
  if (sparse) return splitSparse(node, column, found, from, to, depth, weight);
  const missing = found.missingLeft != 0;
  let middle = <i32>found.place;
  let any = found.anyMissing != 0;
  let threshold = found.drawn;
  const sorted = !unsorted && !hasCategories(column) && binsOf(column) == 0;
  if (hasCategories(column)) {
    setInteger(<usize>task.categoryStarts, node, <i32>task.poolUsed);
    threshold = 0;
  } else if (sorted) {
    const list = listOf(column);
    const count = missingIn(list, from, to);
    any = count > 0;
    if (task.random == 0) threshold = thresholdAt(column, list, middle, to);
    if (missing) middle += count;
  }
  partitionNode(column, found, from, to, weight);
  if (binsOf(column) > 0 && task.random == 0) threshold = binThreshold(column, found);
  setReal(<usize>task.thresholds, node, threshold);
  // Without missing values in fit, those in predict go to the heavier side; with random thresholds on unsorted rows they go right.
  if (!unsorted) setInteger(<usize>task.missingLeft, node, any ? <i32>missing : HEAVIER_SIDE);
  return middle;
}

/** `splitNode` on sparse rows. */
function splitSparse(
  node: i32,
  column: i32,
  found: FoundSplit,
  from: i32,
  to: i32,
  depth: i32,
  weight: f64,
): i32 {
  const middle = <i32>found.place;
  const drawn = task.random != 0;
  setReal(<usize>task.thresholds, node, drawn ? found.drawn : sparseThreshold(column, found));
  const leftWeight = partitionSparse(column, found, from, to, weight, depth + 1 < <i32>task.maxDepth);
  if (drawn) return middle;
  const heavier = leftWeight > weight - leftWeight;
  const left = found.anyMissing != 0 ? found.missingLeft != 0 : heavier;
  setInteger(<usize>task.missingLeft, node, left ? 1 : 0);
  return middle;
}

/** In `missingLeft` until the weight of the left child is known. */
const HEAVIER_SIDE: i32 = 2;

/** Makes a node a child of a branch. */
export function attachToParent(parent: i32, isLeft: bool, node: i32): void {
  if (parent < 0) return;
  setInteger(isLeft ? <usize>task.lefts : <usize>task.rights, parent, node);
  const sides = <usize>task.missingLeft;
  if (!isLeft || integer(sides, parent) != HEAVIER_SIDE) return;
  const weight = real(<usize>task.nodeWeights, node);
  setInteger(sides, parent, weight > real(<usize>task.nodeWeights, parent) - weight ? 1 : 0);
}

function missingIn(list: i32, from: i32, to: i32): i32 {
  let count: i32 = 0;
  for (let p = to - 1; p >= from && rankOf(entryAt(list, p)) == MISSING; p--) count++;
  return count;
}

/** The midpoint of the last value on the left and the first on the right; the largest finite number if the right has only missing values. */
function thresholdAt(column: i32, list: i32, place: i32, to: i32): f64 {
  const values = x + ((<usize>column * stride) << 3);
  const low = load<f64>(values + (rowOf(entryAt(list, place - 1)) << 3));
  if (place >= to || rankOf(entryAt(list, place)) == MISSING) return f64.MAX_VALUE;
  return midpoint(low, load<f64>(values + (rowOf(entryAt(list, place)) << 3)));
}

function binThreshold(column: i32, found: FoundSplit): f64 {
  const high = <u32>found.high;
  if (high == MISSING) return f64.MAX_VALUE;
  return midpoint(valueOfBin(column, <u32>found.low), valueOfBin(column, high));
}

function sparseThreshold(column: i32, found: FoundSplit): f64 {
  const high = <u32>found.high;
  if (high == MISSING) return f64.MAX_VALUE;
  return midpoint(valueOfRank(column, <u32>found.low), valueOfRank(column, high));
}

// @inline
function midpoint(low: f64, high: f64): f64 {
  const middle = low + 0.5 * (high - low);
  // There is no double between two neighbours; the lower one goes left.
  return middle < high ? middle : low;
}
