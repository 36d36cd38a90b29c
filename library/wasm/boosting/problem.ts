/**
 * The state of a boosted tree's growth as src/numeric/boosting/gradient-boosting.ts lays it out: doubles in this order, some of them addresses.
 *
 * Sums are whole numbers, so that they do not depend on the order of rows or on who added them. A row is two 64-bit words:
 * its gradient times 2^a, and its hessian times 2^b with 1 for the row itself in the bits from `shift` on.
 */
@unmanaged
export class Problem {
  n: f64;
  d: f64;
  /** Bins twice: row by row, `wide` bytes each, and column by column. */
  rowBins: f64;
  colBins: f64;
  /** Of each column: how many bins its values have (one more is for missing ones), whether any is missing, kind, direction. */
  columns: f64;
  /** Gradient and hessian of each row as doubles, and as whole numbers. */
  slopes: f64;
  packed: f64;
  gradientScale: f64;
  hessianScale: f64;
  shift: f64;
  /** Row numbers, those of a node side by side; the same in order; room for the two sides of a split. */
  rows: f64;
  identity: f64;
  lefts: f64;
  rights: f64;
  nodes: f64;
  /** Histograms of nodes that may still be split. */
  slots: f64;
  slotCount: f64;
  slotBook: f64;
  /** For each thread room for a chunk of rows, and for each helping one a histogram. */
  partials: f64;
  chunks: f64;
  candidates: f64;
  jobs: f64;
  maxLeaves: f64;
  maxDepth: f64;
  minSamplesLeaf: f64;
  minHessian: f64;
  l2: f64;
  shrinkage: f64;
  /** 1: some column is monotone, and nodes have bounds. */
  bounded: f64;
  /** 1: not every column may be asked about everywhere; the rest is in allowed.ts. */
  restricted: f64;
  groupStarts: f64;
  groupMembers: f64;
  groupCount: f64;
  maxFeatures: f64;
  seed: f64;
  allowed: f64;
  /** Nodes that may still be split. */
  queue: f64;
  parts: f64;
  // What it tells.
  nodeCount: f64;
  leafCount: f64;
}

/** A node of the tree; its children lie side by side. */
@unmanaged
export class Node {
  start: i32;
  stop: i32;
  /** 0: a leaf. */
  left: i32;
  depth: i32;
  /** The histogram, −1 if there is none. */
  slot: i32;
  parent: i32;
  gradient: i64;
  hessian: i64;
  value: f64;
  lower: f64;
  upper: f64;
  // The best split.
  gain: f64;
  feature: i32;
  bin: i32;
  missingLeft: i32;
  categorical: i32;
  leftGradient: i64;
  leftHessian: i64;
  leftValue: f64;
  rightValue: f64;
  /** Bins that go left where the split is one of categories. */
  set0: i64;
  set1: i64;
  set2: i64;
  set3: i64;
}

/** The best split of one column. */
@unmanaged
export class Candidate {
  gain: f64;
  bin: i32;
  missingLeft: i32;
  leftGradient: i64;
  leftHessian: i64;
  leftValue: f64;
  rightValue: f64;
  set0: i64;
  set1: i64;
  set2: i64;
  set3: i64;
}

/** Bytes of a column's histogram: 256 bins of 16 bytes, and so many more that equal bins of neighbours share no cache set. */
export const STRIDE: usize = 4608;
/** Columns whose histograms are added to at a time: together they stay in the nearest cache. */
export const WIDTH: i32 = 8;

/** Rows that are brought together at a time, and columns of them. */
export const CHUNK: i32 = 1024;
export const CHUNK_COLUMNS: i32 = 64;
/** Their gradients, and their bins. */
const CHUNK_BYTES: usize = <usize>CHUNK * (16 + <usize>CHUNK_COLUMNS);

export let at: Problem = changetype<Problem>(0);
export let n: i32 = 0;
export let d: i32 = 0;
/** Bytes of a row's bins: columns, rounded up to whole panels of eight. */
export let wide: usize = 0;
/** Which of the helping threads this is. */
export let part: i32 = 0;
export let shift: i64 = 0;
export let hessianMask: i64 = 0;
/** From whole numbers back to gradients and hessians. */
export let unitG: f64 = 1;
export let unitH: f64 = 1;

export function enter(problem: usize, thread: i32): void {
  at = changetype<Problem>(problem);
  n = <i32>at.n;
  d = <i32>at.d;
  wide = <usize>((d + WIDTH - 1) & ~(WIDTH - 1));
  part = thread;
  shift = <i64>at.shift;
  hessianMask = ((<i64>1) << shift) - 1;
  unitG = 1 / at.gradientScale;
  unitH = 1 / at.hessianScale;
}

// @inline
export function nodeAt(v: i32): Node {
  return changetype<Node>(<usize>at.nodes + <usize>v * offsetof<Node>());
}

// @inline
export function candidateAt(e: i32): Candidate {
  return changetype<Candidate>(<usize>at.candidates + <usize>e * offsetof<Candidate>());
}

/** Values of column j have bins 0 … binsOf(j) − 1, and binsOf(j) stands for missing. */
// @inline
export function binsOf(j: i32): i32 {
  return load<i32>(<usize>at.columns + ((<usize>j) << 4));
}
// @inline
export function hasMissing(j: i32): bool {
  return load<i32>(<usize>at.columns + ((<usize>j) << 4), 4) != 0;
}
// @inline
export function isCategorical(j: i32): bool {
  return load<i32>(<usize>at.columns + ((<usize>j) << 4), 8) != 0;
}
/** 1: predictions never fall with the column, −1: they never rise. */
// @inline
export function direction(j: i32): i32 {
  return load<i32>(<usize>at.columns + ((<usize>j) << 4), 12);
}

// @inline
export function rowsIn(hessian: i64): i32 {
  return <i32>(hessian >> shift);
}
// @inline
export function hessianIn(hessian: i64): f64 {
  return <f64>(hessian & hessianMask) * unitH;
}

// @inline
export function slotAt(slot: i32): usize {
  return <usize>at.slots + <usize>slot * (wide * STRIDE);
}

/** The histogram of a helping thread. */
// @inline
export function partialAt(thread: i32): usize {
  return <usize>at.partials + <usize>(thread - 1) * (wide * STRIDE);
}

/** A thread's room for a chunk of rows: CHUNK_BYTES of boosting.ts. */
// @inline
export function chunkRoom(): usize {
  return <usize>at.chunks + <usize>part * CHUNK_BYTES;
}
