/**
 * The growth of a boosted tree: doubles, some of them addresses.
 *
 * Sums are whole numbers, so that they do not depend on the order of rows or on the thread that adds them. A row is two 64-bit
 * words: its gradient times 2^a, and its hessian times 2^b with 1 for the row itself in the bits from `shift` on.
 */
@unmanaged
export class Problem {
  /** Rows and columns. */
  n: f64;
  d: f64;
  /** Bins twice: by rows, each padded to a multiple of PANEL_COLUMNS bytes, and by columns. */
  rowBins: f64;
  colBins: f64;
  /** Column per column. */
  columns: f64;
  /** Gradient and hessian per row, as doubles and as whole numbers. */
  gradients: f64;
  packed: f64;
  gradientScale: f64;
  hessianScale: f64;
  shift: f64;
  /** Row numbers, those of a node side by side; the same in order; and room for both sides of a split. All 32-bit. */
  rows: f64;
  identity: f64;
  lefts: f64;
  rights: f64;
  /** Node, at most 2 maxLeaves − 1. */
  nodes: f64;
  /** Histograms of nodes that may still be split, and the list of free ones, 32-bit. */
  slots: f64;
  slotCount: f64;
  freeSlots: f64;
  /** A histogram per helping thread. */
  partials: f64;
  /** CHUNK_BYTES per thread. */
  chunks: f64;
  /** Candidate per column, for two nodes. */
  candidates: f64;
  /** The team's block: LEFT_COUNTS bytes, and 4 per PIECE rows. */
  jobs: f64;
  maxLeaves: f64;
  maxDepth: f64;
  minSamplesLeaf: f64;
  minHessian: f64;
  l2: f64;
  shrinkage: f64;
  /** 1: some column is monotone, and nodes have bounds. */
  bounded: f64;
  /** 1: not every column is allowed at every node; see allowed.ts. */
  restricted: f64;
  groupStarts: f64;
  groupMembers: f64;
  groupCount: f64;
  maxFeatures: f64;
  seed: f64;
  allowed: f64;
  /** Nodes that may still be split, 32-bit. */
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
  /** Bins of its values; the next number is the bin of missing values. */
  bins: i32;
  /** 1: a value of the training rows is missing. */
  missing: i32;
  categorical: i32;
  /** 1: predictions never fall with the column, −1: they never rise. */
  direction: i32;
}

/** A node of the tree; its children lie side by side. */
@unmanaged
export class Node {
  /** Its rows in the list of rows. */
  start: i32;
  stop: i32;
  /** The left child; 0: a leaf. */
  left: i32;
  depth: i32;
  /** The histogram, −1 if there is none. */
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
  /** Bins that go left where the split is one of categories: SET_WORDS 32-bit words. */
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

/** What a chunk of rows adds to the loss, with its largest |gradient| and hessian. */
@unmanaged
export class ChunkLoss {
  /** @result */
  loss: f64;
  /** @result */
  maxAbsGradient: f64;
  /** @result */
  maxHessian: f64;
}

/** The most bins of a column, with that of missing values: doubles of its edges. */
export const BINS: i32 = 256;
/** 32-bit words of a set of bins. */
export const SET_WORDS: i32 = 8;
/** Bytes of a column's histogram: 256 bins of 16 bytes, and so many more that equal bins of neighbours share no cache set. */
export const STRIDE: usize = 4608;
/** Columns whose histograms are added to at a time: together they stay in the nearest cache. */
export const PANEL_COLUMNS: i32 = 8;

/** Rows that are copied side by side at a time, and their columns. */
export const CHUNK: i32 = 1024;
export const CHUNK_COLUMNS: i32 = 64;
/** Room for their gradients and bins. */
export const CHUNK_BYTES: usize = <usize>CHUNK * (16 + <usize>CHUNK_COLUMNS);
/** Rows that a thread partitions at a time. */
export const PIECE: i32 = 4096;

/**
 * Byte offsets in the team's block, after those of shared/team.ts: the kind of the job, six numbers that its tasks read, a cache line per
 * thread that waits, the side of each bin (a byte each), whether a thread has added rows to its own histogram (32-bit), and how many rows
 * of each piece go left (32-bit).
 */
export const JOB_KIND: usize = 132;
export const JOB_ARGUMENTS: usize = 136;
export const IDLE_LINES: usize = 256;
export const BIN_SIDES: usize = 1024;
export const TOUCHED: usize = 1280;
export const LEFT_COUNTS: usize = 2048;
/** The most threads that there are lines for. */
export const MAX_THREADS: i32 = 8;

/** Bytes of the counts that sorting needs: six tables of 2048 counts. See sort.ts. */
export const SORT_COUNT_BYTES: usize = 6 * 8192;

/** Losses. */
export const SQUARED_ERROR: i32 = 0;
export const ABSOLUTE_ERROR: i32 = 1;
export const QUANTILE: i32 = 2;
export const POISSON: i32 = 3;
export const GAMMA: i32 = 4;
export const LOG_LOSS: i32 = 5;
