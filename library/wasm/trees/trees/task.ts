import { Task } from "../trees.layout";

// The fields of the current task as globals, set by `enter`: converting an address from a double takes ten nanoseconds.
export let task: Task = changetype<Task>(0);
export let rows: i32 = 0;
export let columns: i32 = 0;
export let classes: i32 = 0;
export let criterion: i32 = 0;
export let codes: usize = 0;
export let targets: usize = 0;
export let weights: usize = 0;
/** Whether there are several targets, and how many doubles a row has of them; see several.ts. */
export let several: bool = false;
export let targetLanes: usize = 1;
/** Whether sums are vectors of `classes` numbers per side, and not one number. */
export let many: bool = false;
/** Bytes of such a vector. */
export let vectorBytes: usize = 0;
export let entries: usize = 0;
export let listCount: i32 = 0;
export let bins: usize = 0;
export let binCounts: usize = 0;
export let x: usize = 0;
export let stride: usize = 0;
export let side: usize = 0;
export let totals: usize = 0;
/**
 * Weights and targets of the rows of a node, in the order of the first list, if `gathers`. A target is
 * w y in regression, `targetLanes` numbers w y with several targets, w for the second of two classes and 0 for the first, 8 times the
 * class index with more classes.
 */
export let gatheredWeights: usize = 0;
export let gatheredTargets: usize = 0;
export let gathers: bool = false;
export let unsorted: bool = false;
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
  several = task.several != 0;
  targetLanes = several ? (<usize>classes + 1) & ~1 : 1;
  many = classes > 2 || several;
  vectorBytes = (several ? targetLanes : <usize>classes) << 3;
  weights = <usize>task.weights;
  entries = <usize>task.entries;
  listCount = <i32>task.listCount;
  bins = <usize>task.bins;
  binCounts = <usize>task.binCounts;
  x = <usize>task.x;
  stride = <usize>task.stride;
  side = <usize>task.side;
  totals = <usize>task.totals;
  unsorted = task.unsorted != 0;
  sparse = task.sparse != 0;
  gatheredWeights = <usize>task.gathered;
  gathers = gatheredWeights != 0;
  gatheredTargets = gatheredWeights + ((<usize>rows + 1) << 3);
  logs = <usize>task.logs;
  minLeaf = <i32>task.minLeaf;
  minWeight = task.minWeight;
  state = <u32>task.seed;
}

/** Switches to other copies of the rows, which are numbered from 0. */
export function useRows(
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
export function entryAt(list: i32, place: i32): usize {
  return entries + ((<usize>list * <usize>rows + <usize>place) << 3);
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

/** A random number between low and high, below high. */
// @inline
export function drawBetween(low: f64, high: f64): f64 {
  const value = low + (<f64>draw() / 4294967296) * (high - low);
  return value < high ? value : low;
}

/** A random integer below n [Lemire 2019, without rejection: n is far below 2³²]. */
// @inline
export function drawBelow(n: i32): i32 {
  return <i32>((<u64>draw() * <u64>n) >> 32);
}

/**
 * Draws columns for the places `next`, `next` + 1, … of a random order until one is marked; returns its place, or `end`.
 * marks   a byte per column
 * Fast for very many columns of which few are marked: the state stays in a register.
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
