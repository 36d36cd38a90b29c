import { real, setReal } from "../../shared/arrays";
import { FoundSplit, GINI } from "../trees.layout";
import { scanCategoryHistogram } from "./categories";
import { classSplitScore, targetSplitScore, twoClassScore } from "./impurity";
import { classes, criterion, minLeaf, minWeight, totals } from "./task";
import { scratch } from "./thread";

/**
 * Splits from histograms. A bin has 2 + `lanes` doubles: rows, weight, and the weight of each class, or Σ w y of the targets. Missing values
 * have the last bin, `bins`.
 */

// Sums of the left side; of several classes they are a vector.
let leftRows: f64 = 0;
let leftWeight: f64 = 0;
let leftSum: f64 = 0;
let record: usize = 0;
let lanes: i32 = 0;

// @inline
function rowsIn(histogram: usize, b: i32): f64 {
  return load<f64>(histogram + <usize>b * record);
}

function addBin(histogram: usize, b: i32): void {
  const own = histogram + <usize>b * record;
  leftRows += load<f64>(own);
  leftWeight += load<f64>(own, 8);
  if (classes == 0) {
    leftSum += load<f64>(own, 16);
    return;
  }
  const left = scratch;
  const right = scratch + ((<usize>classes) << 3);
  for (let k: i32 = 0; k < classes; k++) {
    const w = real(own + 16, k);
    setReal(left, k, real(left, k) + w);
    setReal(right, k, real(right, k) - w);
  }
}

function scoreOf(rest: f64): f64 {
  if (classes == 0) return targetSplitScore(leftSum, real(totals, 0) - leftSum, leftWeight, rest);
  const left = scratch;
  const right = scratch + ((<usize>classes) << 3);
  if (classes == 2 && criterion == GINI)
    return twoClassScore(real(left, 1), real(totals, 1) - real(left, 1), leftWeight, rest);
  return classSplitScore(left, right, leftWeight, rest);
}

/** `last`: the last bin with rows, of those that are not missing. */
function scanSide(
  histogram: usize,
  bins: i32,
  last: i32,
  nodeRows: f64,
  weight: f64,
  missingLeft: bool,
  out: FoundSplit,
): void {
  leftRows = 0;
  leftWeight = 0;
  leftSum = 0;
  memory.fill(scratch, 0, (<usize>classes) << 3);
  memory.copy(scratch + ((<usize>classes) << 3), totals, (<usize>classes) << 3);
  if (missingLeft) addBin(histogram, bins);
  const end = missingLeft || rowsIn(histogram, bins) == 0 ? last : last + 1;
  for (let b: i32 = 0; b < end; b++) {
    if (rowsIn(histogram, b) == 0) continue;
    addBin(histogram, b);
    const rest = weight - leftWeight;
    if (leftRows < <f64>minLeaf || nodeRows - leftRows < <f64>minLeaf) continue;
    if (leftWeight < minWeight || rest < minWeight) continue;
    const score = scoreOf(rest);
    if (!(score > out.score)) continue;
    out.score = score;
    out.place = leftRows;
    out.missingLeft = missingLeft ? 1 : 0;
    out.low = <f64>b;
  }
}

/** The best split of a column of a node: rows up to bin `low` go left, or the categories of `list`. */
export function scanHistogram(
  histogram: usize,
  bins: i32,
  laneCount: i32,
  isCategorical: bool,
  nodeRows: i32,
  weight: f64,
  out: FoundSplit,
  list: usize,
): void {
  if (isCategorical) {
    scanCategoryHistogram(histogram, bins, laneCount, nodeRows, weight, out, list);
    return;
  }
  lanes = laneCount;
  record = (<usize>(2 + lanes)) << 3;
  out.score = -Infinity;
  out.place = -1;
  out.missingLeft = 0;
  let last = bins - 1;
  while (last >= 0 && rowsIn(histogram, last) == 0) last--;
  const anyMissing = rowsIn(histogram, bins) > 0;
  out.anyMissing = anyMissing ? 1 : 0;
  scanSide(histogram, bins, last, <f64>nodeRows, weight, false, out);
  if (anyMissing) scanSide(histogram, bins, last, <f64>nodeRows, weight, true, out);
}
