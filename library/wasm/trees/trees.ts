import { integer, setInteger } from "../shared/arrays";
import { kindOf, leavesInto } from "../shared/packed-trees";
import { binColumn } from "./trees/binning";
import { grow } from "./trees/grow";
import { scanHistogram } from "./trees/histograms";
import { gainOf, impurityOf, useEqual } from "./trees/node";
import { sortColumn } from "./trees/sorting";
import { fillBlock } from "./trees/sparse-columns";
import { useRandomTies } from "./trees/split";
import { enter } from "./trees/task";
import { help, join, leave } from "./trees/team";
import { useThread } from "./trees/thread";
import { BIN_WORK_BYTES, FoundSplit, Task } from "./trees.layout";

export { treeSums } from "../shared/packed-trees";
export { abandonTeam, allowSleep } from "../shared/team";
export { sortStored } from "./trees/sorting";
export { sparseLeavesChunk, sparseSumChunk } from "./trees/sparse-leaves";

/** Grows the tree of a task. A chunk is a thread: thread 0 leads; the others take columns of its large nodes. */
export function growShared(at: usize, threads: i32, chunk: i32): void {
  enter(at);
  join(chunk, threads > 1);
  if (chunk > 0) {
    help();
    return;
  }
  useRandomTies(false);
  grow();
  leave();
}

/** The best split of a column of a node from its histogram; see trees/histograms.ts. `totals` of the task are those of the node. */
export function binnedSplit(
  at: usize,
  histogram: usize,
  bins: i32,
  lanes: i32,
  isCategorical: i32,
  nodeRows: i32,
  weight: f64,
  out: usize,
  list: usize,
): void {
  enter(at);
  useThread(0);
  scanHistogram(
    histogram,
    bins,
    lanes,
    isCategorical != 0,
    nodeRows,
    weight,
    changetype<FoundSplit>(out),
    list,
  );
}

/** The impurity of a node of these `totals`. `isEqual`: all targets are equal. */
export function nodeImpurity(at: usize, weight: f64, isEqual: i32): f64 {
  enter(at);
  useEqual(isEqual != 0);
  return impurityOf(weight);
}

/** (N/N₀) Δi of a split of the node of these `totals`, from its score. */
export function splitGain(at: usize, score: f64, weight: f64): f64 {
  enter(at);
  return gainOf(score, weight);
}

/** Grows one tree of a forest; the tasks are contiguous. */
export function growOne(tasks: usize, taskBytes: i32, chunk: i32): void {
  enter(tasks + <usize>chunk * <usize>taskBytes);
  join(0, false);
  useRandomTies(true);
  grow();
}

/** Bins of the column at `first + chunk` in the list `columns` (32-bit) for all trees; see trees/binning.ts. */
export function binChunk(
  x: usize,
  n: i32,
  first: i32,
  columns: usize,
  most: i32,
  work: usize,
  bins: usize,
  counts: usize,
  chunk: i32,
): void {
  const column = integer(columns, first + chunk);
  const start = <usize>column * <usize>n;
  const count = binColumn(x + (start << 3), n, most, work + <usize>chunk * BIN_WORK_BYTES, bins + start);
  setInteger(counts, column, count);
}

/** Sorts the column of list `first + chunk` for all trees; see trees/sorting.ts. `columns`: the column of each list, 32-bit. */
export function sortChunk(
  x: usize,
  rows: usize,
  n: i32,
  first: i32,
  columns: usize,
  work: usize,
  workBytes: i32,
  entries: usize,
  chunk: i32,
): void {
  const at = first + chunk;
  const values = x + ((<usize>integer(columns, at) * <usize>n) << 3);
  const out = entries + ((<usize>at * <usize>n) << 3);
  sortColumn(values, rows, n, work + <usize>chunk * <usize>workBytes, out);
}

/**
 * Copies the entries of the rows that a tree of a forest drew, in order.
 * counts   how often each row was drawn, 32-bit
 */
export function drawnEntries(all: usize, n: i32, counts: usize, lists: i32, drawn: i32, out: usize): void {
  for (let list: i32 = 0; list < lists; list++) {
    let to = out + ((<usize>list * <usize>drawn) << 3);
    const from = all + ((<usize>list * <usize>n) << 3);
    for (let e: i32 = 0; e < n; e++) {
      const word = load<u64>(from + ((<usize>e) << 3));
      if (load<i32>(counts + ((<usize>(word & 0xffffffff)) << 2)) == 0) continue;
      store<u64>(to, word);
      to += 8;
    }
  }
}

/** Fills the block of a tree on sparse rows; see trees/sparse-columns.ts. */
export function drawnBlock(task: usize, columns: i32, counts: usize): void {
  fillBlock(changetype<Task>(task), columns, counts);
}

/** The leaf of each row of X (n × d, row-major); see shared/packed-trees.ts. */
export function leavesChunk(
  x: usize,
  n: i32,
  d: i32,
  nodes: usize,
  pool: usize,
  splitKinds: i32,
  out: usize,
  chunkRows: i32,
  chunk: i32,
): void {
  const from = chunk * chunkRows;
  const to = min(n, from + chunkRows);
  leavesInto(x, d, from, to, nodes, pool, kindOf(x, d, from, to, splitKinds), out + ((<usize>from) << 2));
}
