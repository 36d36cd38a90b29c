import { Candidate, CHUNK_BYTES, Column, Node, PANEL_COLUMNS, Problem, STRIDE } from "../boosting.layout";

export let problem: Problem = changetype<Problem>(0);
export let n: i32 = 0;
export let d: i32 = 0;
/** Bytes of a row's bins: columns, rounded up to panels of eight. */
export let rowBytes: usize = 0;
/** Index of this thread; 0 is the leader. */
export let thread: i32 = 0;
export let shift: i64 = 0;
export let hessianMask: i64 = 0;
/** Factors from integers to gradients and hessians. */
export let gradientUnit: f64 = 1;
export let hessianUnit: f64 = 1;

export function enter(address: usize, own: i32): void {
  problem = changetype<Problem>(address);
  n = <i32>problem.n;
  d = <i32>problem.d;
  rowBytes = <usize>((d + PANEL_COLUMNS - 1) & ~(PANEL_COLUMNS - 1));
  thread = own;
  shift = <i64>problem.shift;
  hessianMask = ((<i64>1) << shift) - 1;
  gradientUnit = 1 / problem.gradientScale;
  hessianUnit = 1 / problem.hessianScale;
}

// @inline
export function nodeAt(v: i32): Node {
  return changetype<Node>(<usize>problem.nodes + <usize>v * offsetof<Node>());
}

// @inline
export function candidateAt(e: i32): Candidate {
  return changetype<Candidate>(<usize>problem.candidates + <usize>e * offsetof<Candidate>());
}

// @inline
function columnAt(j: i32): Column {
  return changetype<Column>(<usize>problem.columns + <usize>j * offsetof<Column>());
}

/** Values of column j have bins 0 … binsOf(j) − 1; binsOf(j) is the bin of missing values. */
// @inline
export function binsOf(j: i32): i32 {
  return columnAt(j).bins;
}
// @inline
export function hasMissing(j: i32): bool {
  return columnAt(j).missing != 0;
}
// @inline
export function isCategorical(j: i32): bool {
  return columnAt(j).categorical != 0;
}
/** Monotonic constraint: 1 increasing, −1 decreasing, 0 none. */
// @inline
export function direction(j: i32): i32 {
  return columnAt(j).direction;
}

// @inline
export function rowsIn(hessian: i64): i32 {
  return <i32>(hessian >> shift);
}
// @inline
export function hessianIn(hessian: i64): f64 {
  return <f64>(hessian & hessianMask) * hessianUnit;
}

// @inline
export function slotAt(slot: i32): usize {
  return <usize>problem.slots + <usize>slot * (rowBytes * STRIDE);
}

/** The histogram of a helping thread. */
// @inline
export function partialAt(helper: i32): usize {
  return <usize>problem.partials + <usize>(helper - 1) * (rowBytes * STRIDE);
}

/** This thread's buffer for a chunk of rows. */
// @inline
export function chunkBuffer(): usize {
  return <usize>problem.chunks + <usize>thread * CHUNK_BYTES;
}
