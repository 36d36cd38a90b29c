import { classWorth, targetWorth } from "./impurity";
import { DRAWN, MISSING_LEFT, PLACE, presentEnd, WORTH } from "./scan";
import {
  classes, codeOf, columns, draw, entryAt, integer, minLeaf, minWeight, real, rowOf, setReal, side, stride, targetOf, totals, weightOf, x,
} from "./task";

@inline
function valueAt(column: i32, place: i32): f64 {
  return load<f64>(x + ((<usize>column * stride + rowOf(entryAt(column, place))) << 3));
}

/** A threshold drawn evenly between the least and the greatest value of the node [Geurts et al. 2006]; missing values to the right. */
export function drawOrdered(column: i32, from: i32, to: i32, weight: f64, scratch: usize, out: usize): void {
  setReal(out, WORTH, -Infinity);
  setReal(out, PLACE, -1);
  setReal(out, MISSING_LEFT, 0);
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
  memory.copy(right, totals, <usize>classes << 3);
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
  if (classes == 0) return targetWorth(sl, real(totals, 0) - sl, wl, wr);
  return classWorth(left, right, wl, wr);
}

/**
 * The same for several columns at once, where rows are in no order: X lies row by row here, so that all columns of a row come from
 * one place in memory, and both looks are one pass each.
 *
 * batch     32-bit numbers of the columns, `count` of them
 * scratch   for each: least, greatest, threshold, rows, weight and sum on the left, then weights of the classes on the left; and
 *           twice the classes for the worth
 */
export function drawListed(batch: usize, count: i32, from: i32, to: i32, weight: f64, scratch: usize, found: usize): void {
  const bytes = <usize>(LISTED_FIELDS + classes) << 3;
  const sums = scratch + (<usize>classes << 4);
  for (let b: i32 = 0; b < count; b++) {
    const own = sums + <usize>b * bytes;
    memory.fill(own, 0, bytes);
    setReal(own, LOW, Infinity);
    setReal(own, HIGH, -Infinity);
  }
  lookForRange(batch, count, from, to, sums, bytes);
  for (let b: i32 = 0; b < count; b++) {
    const own = sums + <usize>b * bytes;
    const low = real(own, LOW);
    const high = real(own, HIGH);
    let threshold = low + (<f64>draw() / 4294967296) * (high - low);
    if (!(threshold < high)) threshold = low;
    setReal(own, THRESHOLD, threshold);
  }
  lookForSums(batch, count, from, to, sums, bytes);
  for (let b: i32 = 0; b < count; b++) {
    const out = found + <usize>integer(batch, b) * 64;
    judge(sums + <usize>b * bytes, from, to, weight, scratch, out);
  }
}

const LOW: i32 = 0;
const HIGH: i32 = 1;
const THRESHOLD: i32 = 2;
const COUNT: i32 = 3;
const WEIGHT: i32 = 4;
const SUM: i32 = 5;
/** Doubles of a column before the weights of the classes; src/numeric/tree-grower.ts makes room. */
const LISTED_FIELDS: i32 = 6;

@inline
function rowAt(place: i32): usize {
  return x + ((rowOf(entryAt(0, place)) * <usize>columns) << 3);
}

/** Rows whose values stay in the first cache while all columns look at them. */
const BLOCK: i32 = 128;

function lookForRange(batch: usize, count: i32, from: i32, to: i32, sums: usize, bytes: usize): void {
  for (let begin = from; begin < to; begin += BLOCK) {
    const end = min(to, begin + BLOCK);
    let own = sums;
    for (let b: i32 = 0; b < count; b++, own += bytes) {
      const column = <usize>integer(batch, b) << 3;
      let low = real(own, LOW);
      let high = real(own, HIGH);
      for (let p = begin; p < end; p++) {
        const value = load<f64>(rowAt(p) + column);
        // Comparisons with NaN are false: what is missing is neither least nor greatest.
        low = value < low ? value : low;
        high = value > high ? value : high;
      }
      setReal(own, LOW, low);
      setReal(own, HIGH, high);
    }
  }
}

function lookForSums(batch: usize, count: i32, from: i32, to: i32, sums: usize, bytes: usize): void {
  for (let begin = from; begin < to; begin += BLOCK) {
    const end = min(to, begin + BLOCK);
    let own = sums;
    for (let b: i32 = 0; b < count; b++, own += bytes) {
      const column = <usize>integer(batch, b) << 3;
      const threshold = real(own, THRESHOLD);
      let rows: i32 = 0;
      let weight: f64 = 0;
      let sum: f64 = 0;
      for (let p = begin; p < end; p++) {
        const left = load<f64>(rowAt(p) + column) <= threshold;
        const number = rowOf(entryAt(0, p));
        const w = left ? weightOf(number) : 0;
        rows += left ? 1 : 0;
        weight += w;
        // The second of two classes tells the first.
        if (classes == 0) sum += w * targetOf(number);
        else if (classes == 2) sum += w * <f64>codeOf(number);
        else if (left) {
          const at = LISTED_FIELDS + codeOf(number);
          setReal(own, at, real(own, at) + w);
        }
      }
      setReal(own, COUNT, real(own, COUNT) + <f64>rows);
      setReal(own, WEIGHT, real(own, WEIGHT) + weight);
      setReal(own, SUM, real(own, SUM) + sum);
      if (classes == 2) {
        setReal(own, LISTED_FIELDS + 1, real(own, SUM));
        setReal(own, LISTED_FIELDS, real(own, WEIGHT) - real(own, SUM));
      }
    }
  }
}

function judge(own: usize, from: i32, to: i32, weight: f64, scratch: usize, out: usize): void {
  setReal(out, WORTH, -Infinity);
  setReal(out, PLACE, -1);
  setReal(out, MISSING_LEFT, 0);
  if (!(real(own, LOW) < real(own, HIGH))) return;
  const count = <i32>real(own, COUNT);
  setReal(out, PLACE, <f64>(from + count));
  setReal(out, DRAWN, real(own, THRESHOLD));
  const wl = real(own, WEIGHT);
  const wr = weight - wl;
  if (count < minLeaf || to - from - count < minLeaf || wl < minWeight || wr < minWeight) return;
  if (classes == 0) {
    const sl = real(own, SUM);
    setReal(out, WORTH, targetWorth(sl, real(totals, 0) - sl, wl, wr));
    return;
  }
  const left = own + (<usize>LISTED_FIELDS << 3);
  const right = scratch;
  for (let k: i32 = 0; k < classes; k++) setReal(right, k, real(totals, k) - real(left, k));
  setReal(out, WORTH, classWorth(left, right, wl, wr));
}

/** Marks the rows on the left of a threshold. */
export function markListed(column: i32, threshold: f64, from: i32, to: i32): void {
  for (let p = from; p < to; p++) {
    const left = load<f64>(rowAt(p) + (<usize>column << 3)) <= threshold;
    store<u8>(side + rowOf(entryAt(0, p)), left ? 1 : 0);
  }
}
