import { classWorth, targetWorth } from "./impurity";
import { DRAWN, LISTED, MISSING_LEFT, PLACE, presentEnd, WORTH } from "./scan";
import {
  classes, codeOf, draw, entryAt, minLeaf, minWeight, real, rowOf, setReal, targetOf, task, weightOf,
} from "./task";

@inline
function valueAt(column: i32, place: i32): f64 {
  return load<f64>(<usize>task.x + ((<usize>column * <usize>task.stride + rowOf(entryAt(column, place))) << 3));
}

/** A threshold drawn evenly between the least and the greatest value of the node [Geurts et al. 2006]; missing values to the right. */
export function drawSplit(column: i32, from: i32, to: i32, weight: f64, scratch: usize, out: usize): void {
  setReal(out, WORTH, -Infinity);
  setReal(out, PLACE, -1);
  setReal(out, MISSING_LEFT, 0);
  setReal(out, LISTED, -1);
  const end = presentEnd(column, from, to);
  if (end == from) return;
  const low = valueAt(column, from);
  const high = valueAt(column, end - 1);
  if (!(low < high)) return;
  let threshold = low + (<f64>draw() / 4294967296) * (high - low);
  if (!(threshold < high)) threshold = low;
  // The first place above it.
  let place = from;
  let above = end - 1;
  while (place < above) {
    const middle = (place + above) >> 1;
    if (valueAt(column, middle) > threshold) above = middle;
    else place = middle + 1;
  }
  setReal(out, PLACE, <f64>place);
  setReal(out, DRAWN, threshold);
  if (place - from < minLeaf || to - place < minLeaf) return;
  setReal(out, WORTH, worthOf(column, from, place, weight, scratch));
}

function worthOf(column: i32, from: i32, place: i32, weight: f64, scratch: usize): f64 {
  const left = scratch;
  const right = scratch + (<usize>classes << 3);
  memory.fill(left, 0, <usize>classes << 3);
  memory.copy(right, <usize>task.totals, <usize>classes << 3);
  let wl: f64 = 0;
  let sl: f64 = 0;
  for (let p = from; p < place; p++) {
    const row = rowOf(entryAt(column, p));
    const w = weightOf(row);
    wl += w;
    if (classes == 0) {
      sl += w * targetOf(row);
      continue;
    }
    const k = codeOf(row);
    setReal(left, k, real(left, k) + w);
    setReal(right, k, real(right, k) - w);
  }
  const wr = weight - wl;
  if (wl < minWeight || wr < minWeight) return -Infinity;
  if (classes == 0) return targetWorth(sl, real(<usize>task.totals, 0) - sl, wl, wr);
  return classWorth(left, right, wl, wr);
}
