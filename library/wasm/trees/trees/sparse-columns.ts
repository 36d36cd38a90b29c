import { integer, setInteger } from "../../shared/arrays";
import { MISSING, OWN_ENTRIES, SHARED_ENTRIES, Task } from "../trees.layout";
import { weightOf } from "./data";
import { entryAt, rankOf, rowOf } from "./entries";
import { partitionEntries } from "./partition";
import { drawMarked } from "./random";
import { columns, side, task } from "./task";

/**
 * Columns of sparse rows, of which zeros are not stored.
 *
 * stored      entries (rank and row, see trees.layout.ts), column after column, by ascending value, missing values last
 * starts      32-bit: start of each column in `stored`, and the end of the last
 * table       the distinct values of each column except zero, from the same start
 * zeroRanks   32-bit: the rank of zero, which is the number of distinct negative values
 *
 * The rows of a node are an unsorted list. The entries of a column in a node are found in one of two ways:
 *
 * SHARED_ENTRIES   if nodes consider few columns: among all entries of the column, by the places of their rows; or, for a node with few
 *                  rows, among the entries of each row.
 * OWN_ENTRIES      else: a tree has its own entries. Those of a node are one block, with a run per column. Splitting a node partitions
 *                  its block, so that the cost of a node is proportional to its entries.
 */
/** Rows are searched if the column has this many times more entries than the node has rows: a binary search takes some steps. */
const SEARCH_FACTOR: i32 = 12;
/** Longer lists are not sorted by insertion. */
const SHORT: i32 = 24;

let mode: i32 = 0;
let starts: usize = 0;
let stored: usize = 0;
let table: usize = 0;
let zeroRanks: usize = 0;
let rowStarts: usize = 0;
let rowColumns: usize = 0;
let rowRanks: usize = 0;
let places: usize = 0;
let columnEntries: usize = 0;
let block: usize = 0;
let runs: usize = 0;
let slots: usize = 0;
let marks: usize = 0;

// The block of the current node: its first entry, the end of its entries, and its number of runs.
export let blockFrom: i32 = 0;
export let blockTo: i32 = 0;
export let runCount: i32 = 0;
// After a split: the first entry on the right, and the number of runs on both sides.
export let blockMiddle: i32 = 0;
export let leftRuns: i32 = 0;
export let rightRuns: i32 = 0;

// The entries of a column in a node.
export let entriesAt: usize = 0;
export let entryCount: i32 = 0;

/** Called before the first node of a tree on sparse rows. */
export function enterSparse(): void {
  mode = <i32>task.sparse;
  starts = <usize>task.starts;
  stored = <usize>task.stored;
  table = <usize>task.table;
  zeroRanks = <usize>task.zeroRanks;
  rowStarts = <usize>task.rowStarts;
  rowColumns = <usize>task.rowColumns;
  rowRanks = <usize>task.rowRanks;
  places = <usize>task.places;
  columnEntries = <usize>task.columnEntries;
  block = <usize>task.block;
  runs = <usize>task.runs;
  slots = <usize>task.slots;
  marks = mode == OWN_ENTRIES ? slots + ((<usize>columns) << 3) : slots;
}

export function openBlock(from: i32, to: i32, count: i32): void {
  blockFrom = from;
  blockTo = to;
  runCount = count;
}

// @inline
export function zeroRank(column: i32): u32 {
  return <u32>integer(zeroRanks, column);
}

/** The value of a rank. */
export function valueOfRank(column: i32, rank: u32): f64 {
  const zero = zeroRank(column);
  if (rank == zero) return 0;
  const place = <usize>integer(starts, column) + <usize>(rank > zero ? rank - 1 : rank);
  return load<f64>(table + (place << 3));
}

/** Stores the place of each run of the block, for access in random order; `clearRunIndex` must follow. */
export function indexRuns(): void {
  if (mode != OWN_ENTRIES) return;
  firstRun();
  for (let entry = nextEntry, column = takeRun(); column >= 0; entry = nextEntry, column = takeRun()) {
    const slot = slots + ((<usize>column) << 3);
    store<i32>(slot, entry);
    store<i32>(slot, entryCount, 4);
    store<u8>(marks + <usize>column, 1);
  }
}

export function clearRunIndex(): void {
  if (mode != OWN_ENTRIES) return;
  firstRun();
  for (let column = takeRun(); column >= 0; column = takeRun()) store<u8>(marks + <usize>column, 0);
}

/** Draws columns of a random order from place `next` on; returns the place of the first that may have entries in the node, or `end`. */
export function drawNext(order: usize, next: i32, end: i32): i32 {
  return drawMarked(order, next, end, columns, marks);
}

// The next run of an iteration over the block.
let nextRun: i32 = 0;
let nextEntry: i32 = 0;

export function firstRun(): void {
  nextRun = 0;
  nextEntry = blockFrom;
}

/** Makes the entries of the next run current and returns its column; −1 after the last. */
export function takeRun(): i32 {
  if (nextRun == runCount) return -1;
  const run = runs + ((<usize>(blockFrom + nextRun)) << 3);
  entriesAt = block + ((<usize>nextEntry) << 3);
  entryCount = load<i32>(run, 4);
  nextRun++;
  nextEntry += entryCount;
  return load<i32>(run);
}

/** Makes the entries of a column in a node current. OWN_ENTRIES: `indexRuns` must have been called. */
export function findEntries(column: i32, from: i32, to: i32): void {
  if (mode == OWN_ENTRIES) {
    const slot = slots + ((<usize>column) << 3);
    entriesAt = block + ((<usize>load<i32>(slot)) << 3);
    entryCount = load<i32>(slot, 4);
    return;
  }
  const begin = integer(starts, column);
  const length = integer(starts, column + 1) - begin;
  if (length / SEARCH_FACTOR <= to - from) selectEntries(begin, length, from, to);
  else searchRows(column, from, to);
}

/** Selects the column's entries whose rows are in the node. */
function selectEntries(begin: i32, length: i32, from: i32, to: i32): void {
  let entry = stored + ((<usize>begin) << 3);
  const end = entry + ((<usize>length) << 3);
  const first = <u32>from;
  const count = <u32>(to - from);
  let out = columnEntries;
  for (; entry < end; entry += 8) {
    const word = load<u64>(entry);
    const place = load<u32>(places + ((<usize>(word & 0xffffffff)) << 2));
    store<u64>(out, word);
    out += (<usize>(place - first < count)) << 3;
  }
  entriesAt = columnEntries;
  entryCount = <i32>((out - columnEntries) >> 3);
}

/** Searches the entries of each row of the node for the column. */
function searchRows(column: i32, from: i32, to: i32): void {
  let out = columnEntries;
  for (let p = from; p < to; p++) {
    const row = rowOf(entryAt(0, p));
    let low = integer(rowStarts, <i32>row);
    const end = integer(rowStarts, <i32>row + 1);
    let high = end;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (integer(rowColumns, middle) < column) low = middle + 1;
      else high = middle;
    }
    if (low == end || integer(rowColumns, low) != column) continue;
    store<u32>(out, <u32>row);
    store<u32>(out, <u32>integer(rowRanks, low), 4);
    out += 8;
  }
  entriesAt = columnEntries;
  entryCount = <i32>((out - columnEntries) >> 3);
  sortEntries(entriesAt, entryCount);
}

/** Sorts entries by rank, then by row: a Shell sort, which is an insertion sort for few entries. */
function sortEntries(list: usize, count: i32): void {
  let gap: i32 = 1;
  if (count > SHORT) while (gap < count / 9) gap = 3 * gap + 1;
  for (; gap > 0; gap /= 3) {
    for (let e = gap; e < count; e++) {
      const word = load<u64>(list + ((<usize>e) << 3));
      let at = e;
      while (at >= gap && load<u64>(list + ((<usize>(at - gap)) << 3)) > word) {
        store<u64>(list + ((<usize>at) << 3), load<u64>(list + ((<usize>(at - gap)) << 3)));
        at -= gap;
      }
      store<u64>(list + ((<usize>at) << 3), word);
    }
  }
}

// @inline
export function sharesEntries(): bool {
  return mode == SHARED_ENTRIES;
}

// @inline
function goesLeft(rank: u32, low: u32, missingLeft: bool): bool {
  return rank == MISSING ? missingLeft : rank <= low;
}

/** Marks the rows of a node that go left: values up to rank `low`, and missing values if `missingLeft`; returns their weight. */
export function markSparse(column: i32, low: u32, missingLeft: bool, from: i32, to: i32, weight: f64): f64 {
  firstRun();
  while (takeRun() != column) {}
  const zeroLeft = zeroRank(column) <= low;
  for (let p = from; p < to; p++) store<u8>(side + rowOf(entryAt(0, p)), zeroLeft ? 1 : 0);
  let other: f64 = 0;
  const end = entriesAt + ((<usize>entryCount) << 3);
  for (let entry = entriesAt; entry < end; entry += 8) {
    const left = goesLeft(rankOf(entry), low, missingLeft);
    store<u8>(side + rowOf(entry), left ? 1 : 0);
    if (left != zeroLeft) other += weightOf(rowOf(entry));
  }
  return zeroLeft ? weight - other : other;
}

/** Partitions the rows for SHARED_ENTRIES; returns the weight on the left. Rows that are not on the side of the zeros are swapped, so that the cost is proportional to their number. */
export function swapSparse(column: i32, low: u32, missingLeft: bool, from: i32, to: i32, weight: f64): f64 {
  findEntries(column, from, to);
  const zeroLeft = zeroRank(column) <= low;
  const end = entriesAt + ((<usize>entryCount) << 3);
  let other: f64 = 0;
  let next = zeroLeft ? to - 1 : from;
  for (let entry = entriesAt; entry < end; entry += 8) {
    if (goesLeft(rankOf(entry), low, missingLeft) == zeroLeft) continue;
    const row = rowOf(entry);
    other += weightOf(row);
    const place = integer(places, <i32>row);
    const moved = rowOf(entryAt(0, next));
    store<u32>(entryAt(0, place), <u32>moved);
    store<u32>(entryAt(0, next), <u32>row);
    setInteger(places, <i32>moved, place);
    setInteger(places, <i32>row, next);
    next += zeroLeft ? -1 : 1;
  }
  return zeroLeft ? weight - other : other;
}

/** Partitions the block by the sides of its rows, if its children may be split again. */
export function partitionBlock(deeper: bool): void {
  blockMiddle = blockFrom;
  leftRuns = rightRuns = 0;
  if (!deeper) return;
  const spare = <usize>task.blockSpare;
  const runSpare = <usize>task.runSpare;
  let entry = block + ((<usize>blockFrom) << 3);
  let left = entry;
  let right = spare;
  let run = runs + ((<usize>blockFrom) << 3);
  let leftRun = run;
  let rightRun = runSpare;
  const end = run + ((<usize>runCount) << 3);
  for (; run < end; run += 8) {
    const column = load<u32>(run);
    const length = load<u32>(run, 4);
    const before = left;
    const last = entry + ((<usize>length) << 3);
    left = partitionEntries(entry, last, left, right);
    entry = last;
    const lefts = <u32>((left - before) >> 3);
    const rights = length - lefts;
    right += (<usize>rights) << 3;
    store<u64>(leftRun, <u64>column | ((<u64>lefts) << 32));
    store<u64>(rightRun, <u64>column | ((<u64>rights) << 32));
    leftRun += (<usize>(lefts > 0)) << 3;
    rightRun += (<usize>(rights > 0)) << 3;
  }
  blockMiddle = <i32>((left - block) >> 3);
  leftRuns = <i32>((leftRun - runs) >> 3) - blockFrom;
  rightRuns = <i32>((rightRun - runSpare) >> 3);
  memory.copy(left, spare, right - spare);
  // A side has at least as many entries as runs, so that its runs fit at its first entry.
  memory.copy(runs + ((<usize>blockMiddle) << 3), runSpare, rightRun - runSpare);
}

/**
 * Copies the entries of the drawn rows to the block of a task's tree; without `counts` those of all rows. Columns without entries have no
 * run.
 * counts   how often each row was drawn, 32-bit; or 0
 */
export function fillBlock(at: Task, columns: i32, counts: usize): void {
  const first = <usize>at.block;
  let run = <usize>at.runs;
  let to = first;
  let entry = <usize>at.stored;
  for (let c: i32 = 0; c < columns; c++) {
    const end = <usize>at.stored + ((<usize>integer(<usize>at.starts, c + 1)) << 3);
    const before = to;
    for (; entry < end; entry += 8) {
      const word = load<u64>(entry);
      if (counts != 0 && integer(counts, <i32>(word & 0xffffffff)) == 0) continue;
      store<u64>(to, word);
      to += 8;
    }
    if (to == before) continue;
    store<i32>(run, c);
    store<i32>(run, <i32>((to - before) >> 3), 4);
    run += 8;
  }
  at.blockEntries = <f64>((to - first) >> 3);
  at.blockRuns = <f64>((run - <usize>at.runs) >> 3);
}
