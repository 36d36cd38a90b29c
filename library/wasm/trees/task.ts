/**
 * A tree to grow, as src/numeric/trees/tree-plan.ts lays it out: doubles in this order, some of them addresses.
 *
 * Columns are sorted once. An entry is a 64-bit word, the rank of its value in the upper and its row in the lower half;
 * equal values have equal ranks, and missing ones the rank MISSING, which is the last. A node is a range of places, the same in
 * all columns: splitting it parts every column in two and keeps both parts sorted. Columns of categories need no order and have no entries,
 * unless they are the first, whose entries stand for the rows.
 */
@unmanaged
export class Task {
  /** Rows that take part (the length of a column), and columns. */
  rows: f64;
  columns: f64;
  /** Classes; 0 in regression. */
  classes: f64;
  criterion: f64;
  /** columns × rows words, sorted. */
  entries: f64;
  /** rows words for each thread. */
  spare: f64;
  /** X by columns, `stride` doubles each. */
  x: f64;
  stride: f64;
  /** By row: class (16-bit), target, weight (0: all are 1), side of the split (byte). */
  codes: f64;
  targets: f64;
  weights: f64;
  side: f64;
  /** w log w for w = 0, 1, … up to the rows, where all weights are 1, on a grid on which sums are exact; else 0. */
  logs: f64;
  /** By column, 32-bit: ranks of categories, the last of which is for missing values; 0 of a number. The most that a column has. */
  categories: f64;
  mostCategories: f64;
  /** By column and row: ranks, 16-bit if they are narrow, else 32-bit. By column: where the codes of its ranks begin. 32-bit. */
  ranks: f64;
  narrowRanks: f64;
  codeStarts: f64;
  categoryCodes: f64;
  // Controls.
  maxDepth: f64;
  minSplit: f64;
  minLeaf: f64;
  minWeight: f64;
  minDecrease: f64;
  maxFeatures: f64;
  /** Leaves of a tree that grows where it gains most; 0: depth first, without a limit. */
  maxLeaves: f64;
  /** 1: a random threshold in every column that is looked at. */
  random: f64;
  /** 1: only the first column has entries, in no order, and stands for all: thresholds that are drawn need no order. */
  listed: f64;
  /** Room for what a node brings together: two doubles for each row of a list, or of rows with categories; 0: neither. */
  held: f64;
  /** And of a list X of at most `localRows` rows with their targets. */
  local: f64;
  localRows: f64;
  /** 32 bits of the random numbers, never 0. */
  seed: f64;
  /** Weight of all rows. */
  totalWeight: f64;
  // The tree: 32-bit feature (−1: leaf), left, right, rows, depth, missing goes left, first of its categories; doubles threshold,
  // impurity, weight, gain; `width` doubles of value.
  features: f64;
  lefts: f64;
  rights: f64;
  counts: f64;
  depths: f64;
  missingLeft: f64;
  categoryStarts: f64;
  thresholds: f64;
  impurities: f64;
  nodeWeights: f64;
  values: f64;
  width: f64;
  /** 32-bit lists of categories that go left: how many, then which. */
  pool: f64;
  poolSize: f64;
  poolUsed: f64;
  /** Of nodes not split yet; see grow.ts. */
  frontier: f64;
  /** By column: 8 doubles of the best split. */
  found: f64;
  /** Of the node that is looked at: weight of every class, or weighted sum and sum of squares of the targets. */
  totals: f64;
  /** `scratchBytes` for each thread: counts of classes left and right, and statistics of categories. */
  scratch: f64;
  scratchBytes: f64;
  /** The order in which columns are drawn, 32-bit. */
  order: f64;
  jobs: f64;
  // What it tells.
  nodes: f64;
  leaves: f64;
  /** 1: the pool was too small. */
  overflow: f64;
  // Sparse rows, see sparse-columns.ts: how entries are found (0: rows are dense), and addresses.
  sparse: f64;
  starts: f64;
  stored: f64;
  table: f64;
  zeroRanks: f64;
  /** By row, where entries are looked up: where its entries begin; of each entry its column and its rank; the row's place in the list. 32-bit. */
  rowStarts: f64;
  rowColumns: f64;
  rowRanks: f64;
  places: f64;
  /** Room for the entries of one column. */
  gathered: f64;
  /** Where entries lie side by side: those of the tree, its runs (column and length, 32-bit each), the same room again. */
  block: f64;
  runs: f64;
  blockSpare: f64;
  runSpare: f64;
  /** By column: side by side 8 bytes, the place and the length of its run, and behind them all; a byte, 1 if it may have entries in the node. */
  slots: f64;
  /** Entries and runs of all rows. */
  blockEntries: f64;
  blockRuns: f64;
}

export const MISSING: u32 = 0xffffffff;

// Criteria, numbered as in src/trees/impurities.ts.
export const GINI: i32 = 0;
export const ENTROPY: i32 = 1;
export const TWOING: i32 = 2;
export const NODE_ERROR: i32 = 3;
export const SQUARED_ERROR: i32 = 4;
export const POISSON: i32 = 5;
export const ABSOLUTE_ERROR: i32 = 6;

// Of the module's instance, set on entry: AssemblyScript passes no structures, and a double that is an address costs ten
// nanoseconds to turn into one.
export let task: Task = changetype<Task>(0);
export let rows: i32 = 0;
export let columns: i32 = 0;
export let classes: i32 = 0;
export let criterion: i32 = 0;
export let codes: usize = 0;
export let targets: usize = 0;
export let weights: usize = 0;
export let entries: usize = 0;
export let x: usize = 0;
export let stride: usize = 0;
export let side: usize = 0;
export let totals: usize = 0;
/** Of the rows of a node, in the order of the first column, where rows are a list or have categories: weights, and weighted targets (with two classes that of the second; else 8 times the class). */
export let heldWeights: usize = 0;
export let heldShares: usize = 0;
export let holds: bool = false;
export let listed: bool = false;
export let sparse: bool = false;
export let logs: usize = 0;
export let minLeaf: i32 = 0;
export let minWeight: f64 = 0;

export function enter(at: usize): void {
  task = changetype<Task>(at);
  rows = <i32>task.rows;
  columns = <i32>task.columns;
  classes = <i32>task.classes;
  criterion = <i32>task.criterion;
  codes = <usize>task.codes;
  targets = <usize>task.targets;
  weights = <usize>task.weights;
  entries = <usize>task.entries;
  x = <usize>task.x;
  stride = <usize>task.stride;
  side = <usize>task.side;
  totals = <usize>task.totals;
  listed = task.listed != 0;
  sparse = task.sparse != 0;
  heldWeights = <usize>task.held;
  holds = heldWeights != 0;
  heldShares = heldWeights + ((<usize>rows + 1) << 3);
  logs = <usize>task.logs;
  minLeaf = <i32>task.minLeaf;
  minWeight = task.minWeight;
  state = <u32>task.seed;
}

/** Rows are numbered anew, as they lie in other places. */
export function moveTo(
  values: usize,
  apart: usize,
  classCodes: usize,
  numbers: usize,
  rowWeights: usize,
): void {
  x = values;
  stride = apart;
  codes = classCodes;
  targets = numbers;
  weights = rowWeights;
}

// @inline
export function entryAt(column: i32, place: i32): usize {
  return entries + ((<usize>column * <usize>rows + <usize>place) << 3);
}
// @inline
export function rowOf(entry: usize): usize {
  return <usize>load<u32>(entry);
}
// @inline
export function rankOf(entry: usize): u32 {
  return load<u32>(entry, 4);
}
// @inline
export function weightOf(row: usize): f64 {
  return weights == 0 ? 1 : load<f64>(weights + (row << 3));
}
// @inline
export function codeOf(row: usize): i32 {
  return <i32>load<u16>(codes + (row << 1));
}
// @inline
export function targetOf(row: usize): f64 {
  return load<f64>(targets + (row << 3));
}

let state: u32 = 1;

/** A random 32-bit word [Marsaglia 2003, xorshift]. */
export function draw(): u32 {
  let s = state;
  s ^= s << 13;
  s ^= s >> 17;
  s ^= s << 5;
  state = s;
  return s;
}

/** A random whole number below n, without a division [Lemire 2019, without his rejections: n is far below 2³²]. */
// @inline
export function drawBelow(n: i32): i32 {
  return <i32>((<u64>draw() * <u64>n) >> 32);
}

/**
 * Draws the columns at the places `next`, `next` + 1, … of a random order, until one of them is marked; gives its place, or `end`.
 * marks   by column, bytes: 1 if it is
 * For very many columns of which few are marked: the state stays in a register.
 */
export function drawMarked(order: usize, next: i32, end: i32, marks: usize): i32 {
  let s = state;
  let place = order + ((<usize>next) << 2);
  const last = order + ((<usize>end) << 2);
  let left = <u64>(columns - next);
  for (; place < last; place += 4, left--) {
    s ^= s << 13;
    s ^= s >> 17;
    s ^= s << 5;
    const other = place + ((<usize>((<u64>s * left) >> 32)) << 2);
    const column = load<i32>(other);
    store<i32>(other, load<i32>(place));
    store<i32>(place, column);
    if (load<u8>(marks + <usize>column) != 0) break;
  }
  state = s;
  return <i32>((place - order) >> 2);
}

// @inline
export function real(base: usize, at: i32): f64 {
  return load<f64>(base + ((<usize>at) << 3));
}
// @inline
export function setReal(base: usize, at: i32, value: f64): void {
  store<f64>(base + ((<usize>at) << 3), value);
}
// @inline
export function integer(base: usize, at: i32): i32 {
  return load<i32>(base + ((<usize>at) << 2));
}
// @inline
export function setInteger(base: usize, at: i32, value: i32): void {
  store<i32>(base + ((<usize>at) << 2), value);
}
