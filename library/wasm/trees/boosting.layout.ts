/** Maximum number of bins per column, with that of missing values. */
export const BINS: i32 = 256;
/** 32-bit words of a set of bins. */
export const SET_WORDS: i32 = 8;
/** Bytes of a column's histogram: 256 bins of 16 bytes, padded so that the same bins of neighbouring columns do not share a cache set. */
export const STRIDE: usize = 4608;
/** Columns whose histograms are updated together: they fit into the L1 cache. */
export const PANEL_COLUMNS: i32 = 8;

/** Rows and columns that are gathered at a time. */
export const CHUNK: i32 = 1024;
export const CHUNK_COLUMNS: i32 = 64;
/** Bytes of their gradients and bins. */
export const CHUNK_BYTES: usize = <usize>CHUNK * (16 + <usize>CHUNK_COLUMNS);
/** Rows that a thread partitions at a time. */
export const PIECE: i32 = 4096;
/** Rows of a block that a thread takes at a time: enough that each node has some of them. */
export const SUB_BLOCK: i32 = 16384;

/**
 * Byte offsets in the team's block, after those of shared/team.ts.
 *
 *   JOB_KIND        i32       see grow.ts
 *   JOB_ARGUMENTS   7 i32     arguments of the job
 *   IDLE_LINES      64 bytes  per waiting thread
 *   BIN_SIDES       256 u8    1: the bin goes left
 *   TOUCHED         i32       per thread: 1 if it has added rows to its own histogram
 *   LEFT_COUNTS     i32       per piece of rows: how many go left
 */
export const JOB_KIND: usize = 132;
export const JOB_ARGUMENTS: usize = 136;
export const IDLE_LINES: usize = 256;
export const BIN_SIDES: usize = 1024;
export const TOUCHED: usize = 1280;
export const LEFT_COUNTS: usize = 2048;
/** Maximum number of threads. */
export const MAX_THREADS: i32 = 8;

/** Bytes of the counts of a sort: six tables of 2048. See sort.ts. */
export const SORT_COUNT_BYTES: usize = 6 * 8192;

/** Losses. */
export const SQUARED_ERROR: i32 = 0;
export const ABSOLUTE_ERROR: i32 = 1;
export const QUANTILE: i32 = 2;
export const POISSON: i32 = 3;
export const GAMMA: i32 = 4;
export const LOG_LOSS: i32 = 5;

/**
 * A boosted tree to grow: doubles, some of them addresses.
 *
 * Gradients and hessians are summed as integers, so that sums do not depend on the order of rows or on threads. A row is two 64-bit
 * words: its gradient times `gradientScale`, and its hessian times `hessianScale` with a 1 for the row count at bit `shift`.
 */
@unmanaged
export class Problem {
  /** Rows and columns. */
  n: f64;
  d: f64;
  /** Bins row by row, each row padded to a multiple of PANEL_COLUMNS bytes; and column by column. */
  rowBins: f64;
  colBins: f64;
  /** Column per column. */
  columns: f64;
  /** Gradient and hessian per row, as doubles and as integers. */
  gradients: f64;
  packed: f64;
  gradientScale: f64;
  hessianScale: f64;
  shift: f64;
  /** Row indices, those of a node contiguous; 0 … n − 1; and buffers for both sides of a split. All 32-bit. */
  rows: f64;
  identity: f64;
  lefts: f64;
  rights: f64;
  /** Node per node, at most 2 maxLeaves − 1. */
  nodes: f64;
  /** Histograms of nodes that may still be split, and the stack of free slots, 32-bit. */
  slots: f64;
  slotCount: f64;
  freeSlots: f64;
  /** A histogram per helping thread. */
  partials: f64;
  /** CHUNK_BYTES per thread. */
  chunks: f64;
  /** Candidate per column, for two nodes. */
  candidates: f64;
  /** The team's block: LEFT_COUNTS bytes, and 4 bytes per PIECE rows. */
  jobs: f64;
  maxLeaves: f64;
  maxDepth: f64;
  minSamplesLeaf: f64;
  minHessian: f64;
  l2: f64;
  shrinkage: f64;
  /** 1: some column has a monotonic constraint, and nodes have bounds. */
  bounded: f64;
  /** 1: some columns are not allowed at some nodes; see allowed.ts. */
  restricted: f64;
  groupStarts: f64;
  groupMembers: f64;
  groupCount: f64;
  maxFeatures: f64;
  seed: f64;
  allowed: f64;
  /** Heap of nodes that may still be split, 32-bit. */
  queue: f64;
  threads: f64;
  /** @result */
  nodeCount: f64;
  /** @result */
  leafCount: f64;
}

/** A binned column. */
@unmanaged
export class Column {
  /** Number of bins; it is also the bin of missing values. */
  bins: i32;
  /** 1: some training row has a missing value. */
  missing: i32;
  categorical: i32;
  /** Monotonic constraint: 1 increasing, −1 decreasing, 0 none. */
  direction: i32;
}

/** A node of the tree; the right child follows the left one. */
@unmanaged
export class Node {
  /** Range of its rows in `rows`. */
  start: i32;
  stop: i32;
  /** Index of the left child; 0: a leaf. */
  left: i32;
  depth: i32;
  /** Slot of the histogram; −1: none. */
  slot: i32;
  parent: i32;
  gradient: i64;
  hessian: i64;
  value: f64;
  /** Bounds of values in the subtree. */
  lower: f64;
  upper: f64;
  /** The best split, from here on. */
  gain: f64;
  feature: i32;
  bin: i32;
  missingLeft: i32;
  categorical: i32;
  leftGradient: i64;
  leftHessian: i64;
  leftValue: f64;
  rightValue: f64;
  /** Categorical split: set of the bins that go left, SET_WORDS 32-bit words. */
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

/** The loss of a chunk of rows, and its largest |gradient| and hessian. */
@unmanaged
export class ChunkLoss {
  /** @result */
  loss: f64;
  /** @result */
  maxAbsGradient: f64;
  /** @result */
  maxHessian: f64;
}
