import { integer, setInteger } from "../../shared/arrays";
import { FoundSplit, MISSING, MISSING_BIN, Task } from "../trees.layout";
import { stride, x } from "./data";
import { entryAt, listCount, rankOf, rowOf } from "./entries";
import { leftBinScore, leftRows, leftScore } from "./left-side";
import { presentEnd } from "./scan";
import { many, side, task } from "./task";
import { spare } from "./thread";

/**
 * Columns of few values have a bin per value, in the order of values, instead of sorted entries: their bins are read through the rows of
 * a node and never move. A column of two values has one split; see `scanTwoValues`. The entries of others are sorted when a node
 * considers the column, which pays off if it considers few columns.
 */

let bins: usize = 0;
let binCounts: usize = 0;

export function openBins(task: Task): void {
  bins = <usize>task.bins;
  binCounts = <usize>task.binCounts;
}

/** The number of bins of a column, MISSING_BIN + 1 if values are missing; 0: the column has no bins. */
// @inline
export function binsOf(column: i32): i32 {
  return bins == 0 ? 0 : integer(binCounts, column);
}

/** Whether the column has two values, none of them missing; or one. */
// @inline
export function hasTwoValues(column: i32): bool {
  const count = binsOf(column);
  return count == 1 || count == 2;
}

// @inline
export function binsAt(column: i32): usize {
  return bins + <usize>column * stride;
}

/** Gathers the bins of a node's rows as doubles. */
function gatherBins(column: i32, from: i32, to: i32, out: usize): void {
  const own = binsAt(column);
  const end = entryAt(0, to);
  for (let entry = entryAt(0, from); entry < end; entry += 8, out += 8)
    store<f64>(out, <f64>load<u8>(own + rowOf(entry)));
}

/** The split of a column of two values. */
export function scanTwoValues(column: i32, from: i32, to: i32, weight: f64, out: FoundSplit): void {
  out.place = -1;
  if (binsOf(column) == 1) return;
  let score: f64;
  if (many) {
    gatherBins(column, from, to, spare);
    score = leftScore(spare, to - from, 0, weight);
  } else score = leftBinScore(binsAt(column), from, to, weight);
  // The column is constant in the node, or the split is not allowed.
  if (leftRows == 0 || leftRows == to - from || !(score > -Infinity)) return;
  out.score = score;
  out.place = <f64>(from + leftRows);
  out.missingLeft = 0;
  out.anyMissing = 0;
  out.low = 0;
  out.high = 1;
}

// @inline
function entryOf(row: usize, bin: u32): u64 {
  return ((<u64>(bin == MISSING_BIN ? MISSING : bin)) << 32) | <u64>row;
}

/** Nodes of fewer rows are sorted by insertion. */
const SHORT: i32 = 20;

/** Sorts the entries of a node by bins, stably, into the list after the last; returns that list. */
export function sortBins(column: i32, from: i32, to: i32): i32 {
  const own = binsAt(column);
  const begin = entryAt(0, from);
  const end = entryAt(0, to);
  const out = entryAt(listCount, from);
  if (to - from < SHORT) {
    let next = out;
    for (let entry = begin; entry < end; entry += 8, next += 8) {
      const row = rowOf(entry);
      const word = entryOf(row, <u32>load<u8>(own + row));
      let at = next;
      for (; at > out && rankOf(at - 8) > <u32>(word >> 32); at -= 8) store<u64>(at, load<u64>(at - 8));
      store<u64>(at, word);
    }
    return listCount;
  }
  const count = binsOf(column);
  const places = <usize>task.binTable;
  memory.fill(places, 0, (<usize>count) << 2);
  for (let entry = begin; entry < end; entry += 8) {
    const place = places + ((<usize>load<u8>(own + rowOf(entry))) << 2);
    store<i32>(place, load<i32>(place) + 1);
  }
  let sum: i32 = 0;
  for (let b: i32 = 0; b < count; b++) {
    const rows = integer(places, b);
    setInteger(places, b, sum);
    sum += rows;
  }
  for (let entry = begin; entry < end; entry += 8) {
    const row = rowOf(entry);
    const bin = <u32>load<u8>(own + row);
    const place = places + ((<usize>bin) << 2);
    const at = load<i32>(place);
    store<i32>(place, at + 1);
    store<u64>(out + ((<usize>at) << 3), entryOf(row, bin));
  }
  return listCount;
}

/** Completes a split of entries that `sortBins` has sorted: the next column overwrites them. */
export function keepBins(list: i32, from: i32, to: i32, out: FoundSplit): void {
  const place = <i32>out.place;
  if (place < 0) return;
  const end = presentEnd(list, from, to);
  out.low = <f64>rankOf(entryAt(list, place - 1));
  out.high = place < end ? <f64>rankOf(entryAt(list, place)) : <f64>MISSING;
  out.anyMissing = end < to ? 1 : 0;
  if (out.missingLeft != 0) out.place = <f64>(place + to - end);
}

/** Marks the rows whose bin is at most `low`, and the missing ones if they go left. Stores a row of each bin in `binTable`. */
export function markBins(column: i32, low: u32, missingLeft: bool, from: i32, to: i32): void {
  const own = binsAt(column);
  const table = <usize>task.binTable;
  const end = entryAt(0, to);
  for (let entry = entryAt(0, from); entry < end; entry += 8) {
    const row = rowOf(entry);
    const bin = <u32>load<u8>(own + row);
    store<u32>(table + ((<usize>bin) << 2), <u32>row);
    store<u8>(side + row, <u8>(bin <= low || (missingLeft && bin == MISSING_BIN)));
  }
}

/** The value of a bin of the node, after `markBins`. */
export function valueOfBin(column: i32, bin: u32): f64 {
  const row = <usize>load<u32>(<usize>task.binTable + ((<usize>bin) << 2));
  return load<f64>(x + ((<usize>column * stride + row) << 3));
}
