import { real, setInteger, setReal } from "../../shared/arrays";
import { ENTROPY, NODE_ERROR, POISSON, TWOING } from "../trees.layout";
import { codeOf, several, targetLanes, targetOf, weightOf, weights } from "./data";
import { entryAt, rowOf } from "./entries";
import { gatheredTargets, gatheredWeights, gathers } from "./gathered";
import { classImpurity, targetImpurity, wlogw } from "./impurity";
import { addScaled, errorTerm, sameTargets, severalDecrease, severalImpurity, targetsOf } from "./several";
import { classes, criterion, task, totals } from "./task";

/** Nodes with a smaller impurity are pure up to rounding: 2⁻⁵². */
const PURE: f64 = 2.220446049250313e-16;

/** Whether all targets of the current node are equal: its impurity is then exactly 0, without rounding. */
let allEqual: bool = false;

// @inline
function gatherRow(e: i32, weight: f64, share: f64): void {
  setReal(gatheredWeights, e, weight);
  setReal(gatheredTargets, e, share);
}

/** Computes the totals of a node's rows and returns their weight. Gathers weights and targets, if they are needed; see task.ts. */
export function sumNode(from: i32, to: i32): f64 {
  if (several) return sumTargets(from, to);
  if (classes == 2 && weights == 0) return countTwoClasses(from, to);
  if (classes == 2) return sumTwoClasses(from, to);
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
      if (gathers) gatherRow(p - from, w, reinterpret<f64>((<u64>k) << 3));
    } else {
      const y = targetOf(row);
      if (gathers) gatherRow(p - from, w, w * y);
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

/** `sumNode` for several targets. */
function sumTargets(from: i32, to: i32): f64 {
  const bytes = targetLanes << 3;
  memory.fill(totals, 0, bytes);
  let weight: f64 = 0;
  let errors: f64 = 0;
  const first = targetsOf(rowOf(entryAt(0, from)));
  allEqual = true;
  for (let p = from; p < to; p++) {
    const row = rowOf(entryAt(0, p));
    const own = targetsOf(row);
    const w = weightOf(row);
    weight += w;
    addScaled(own, w, totals);
    errors += w * errorTerm(own);
    allEqual = allEqual && sameTargets(own, first);
    if (!gathers) continue;
    setReal(gatheredWeights, p - from, w);
    const near = gatheredTargets + <usize>(p - from) * bytes;
    memory.fill(near, 0, bytes);
    addScaled(own, w, near);
  }
  setReal(totals, <i32>targetLanes, errors);
  return weight;
}

/** `sumNode` for two classes without weights. */
function countTwoClasses(from: i32, to: i32): f64 {
  let second: i32 = 0;
  for (let p = from; p < to; p++) {
    const k = codeOf(rowOf(entryAt(0, p)));
    second += k;
    if (gathers) setReal(gatheredTargets, p - from, <f64>k);
  }
  setReal(totals, 0, <f64>(to - from - second));
  setReal(totals, 1, <f64>second);
  allEqual = false;
  return <f64>(to - from);
}

/** `sumNode` for two classes with weights. */
function sumTwoClasses(from: i32, to: i32): f64 {
  let first: f64 = 0;
  let second: f64 = 0;
  let weight: f64 = 0;
  const end = entryAt(0, to);
  let at: usize = 0;
  for (let entry = entryAt(0, from); entry < end; entry += 8, at += 8) {
    const row = rowOf(entry);
    const w = load<f64>(weights + (row << 3));
    // The weight or 0, by a mask: a branch could not be predicted.
    const own = reinterpret<f64>(reinterpret<u64>(w) & -(<u64>codeOf(row)));
    weight += w;
    second += own;
    first += w - own;
    if (!gathers) continue;
    store<f64>(gatheredWeights + at, w);
    store<f64>(gatheredTargets + at, own);
  }
  setReal(totals, 0, first);
  setReal(totals, 1, second);
  allEqual = false;
  return weight;
}

/** For a node whose rows have been summed elsewhere. */
export function useEqual(isEqual: bool): void {
  allEqual = isEqual;
}

export function impurityOf(weight: f64): f64 {
  if (allEqual) return 0;
  if (several) return severalImpurity(weight);
  return classes > 0
    ? classImpurity(totals, weight)
    : targetImpurity(weight, real(totals, 0), real(totals, 1));
}

/** Adds a leaf to the tree; returns its index. */
export function addNode(from: i32, to: i32, depth: i32, weight: f64, impurity: f64): i32 {
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

export function mayBeSplit(from: i32, to: i32, depth: i32, weight: f64, impurity: f64): bool {
  const count = to - from;
  return (
    depth < <i32>task.maxDepth &&
    count >= <i32>task.minSplit &&
    count >= 2 * <i32>task.minLeaf &&
    weight >= 2 * task.minWeight &&
    impurity > PURE
  );
}

/** (N/N₀) Δi of a split of the current node, from its score. */
export function gainOf(score: f64, weight: f64): f64 {
  return (weight / task.totalWeight) * decrease(score, weight);
}

/** Δi. */
function decrease(score: f64, weight: f64): f64 {
  if (several) return severalDecrease(score, weight);
  if (classes == 0) {
    if (criterion == POISSON) return (score - (real(totals, 0) > 0 ? poissonNodeScore(weight) : 0)) / weight;
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

function poissonNodeScore(weight: f64): f64 {
  const sum = real(totals, 0);
  const mean = sum / weight;
  return sum * (wlogw(mean) / mean);
}
