/** The rank of missing values. */
export const MISSING: u32 = 0xffffffff;

/** The bin of missing values; bins are bytes. */
export const MISSING_BIN: u32 = 255;
/** Slots of the hash table of a column's values, and bytes of the table and the values; see binning.ts. */
export const BIN_SLOTS: usize = 1024;
export const BIN_WORK_BYTES: usize = 18432;

/** Criteria. */
export const GINI: i32 = 0;
export const ENTROPY: i32 = 1;
export const TWOING: i32 = 2;
export const NODE_ERROR: i32 = 3;
export const SQUARED_ERROR: i32 = 4;
export const POISSON: i32 = 5;
export const ABSOLUTE_ERROR: i32 = 6;

/** Storage of sparse entries; see sparse-columns.ts. */
export const SHARED_ENTRIES: i32 = 1;
export const OWN_ENTRIES: i32 = 2;

/** Bytes per category in a thread's scratch; see categories.ts. */
export const CATEGORY_BYTES: usize = 32;
/** Bytes per class in a thread's scratch: its weight left, right, and among zeros. */
export const CLASS_BYTES: usize = 24;

/** Sorting a column needs two lists of pairs (a key with its row) and a table of counts; see sorting.ts. */
export const PAIR_BYTES: usize = 16;
export const SORT_TABLE_BYTES: usize = 8192;

/**
 * Byte offsets in the team's block, after those of shared/team.ts.
 *
 *   JOB_KIND    i32   SCAN or PARTITION
 *   JOB_FROM    i32   first place of the node
 *   JOB_TO      i32   the place after its last
 *   JOB_VALUE   f64   SCAN: weight of the node; PARTITION: the list that is partitioned already
 */
export const JOB_KIND: usize = 132;
export const JOB_FROM: usize = 136;
export const JOB_TO: usize = 140;
export const JOB_VALUE: usize = 144;
/** Bytes of the team's block. */
export const TEAM_BYTES: usize = 256;

/**
 * A tree to grow: doubles, some of them addresses.
 *
 * Columns are sorted once. An entry is a 64-bit word, the rank of its value in the upper and its row in the lower half; equal
 * values have equal ranks, and missing values have the last rank, MISSING. A node is a range of places, the same in all lists: a
 * split partitions every list and keeps both sides sorted. Categorical columns and columns of few values (see column-bins.ts) need no
 * order and have no entries. The rows of a node are those of the first list: that of a column, or an unsorted one.
 */
@unmanaged
export class Task {
  /** Rows that the tree is grown on: the length of a list of entries. */
  rows: f64;
  columns: f64;
  /** Classes; in regression 0, or the number of several targets. */
  classes: f64;
  criterion: f64;
  /** `listCount` × rows words, sorted, and a list for `sortBins` if there are bins. */
  entries: f64;
  listCount: f64;
  /** The list of each column, 32-bit; −1: it has none. */
  lists: f64;
  /** rows words per thread. */
  spare: f64;
  /** X by columns, `stride` doubles each. */
  x: f64;
  stride: f64;
  /** Class per row, 16-bit. */
  codes: f64;
  /** Target per row; of several, `classes` per row, padded to an even number. */
  targets: f64;
  /** 1: several targets, whose number is `classes`; see several.ts. */
  several: f64;
  /** Weight per row; 0: all are 1. */
  weights: f64;
  /** Side of the split per row, a byte: 1 is left. */
  side: f64;
  /** w log w for w = 0, 1, … rows, on a grid on which sums are exact, if all weights are 1; else 0. */
  logs: f64;
  /** Number of category ranks per column, 32-bit, the last for missing values; 0 for a numeric column. */
  categories: f64;
  /** The largest number of category ranks of a column. */
  maxCategories: f64;
  /** Category rank per column and row, 16-bit if `narrowRanks` is 1, else 32-bit. */
  ranks: f64;
  narrowRanks: f64;
  /** Start of each column's codes, by rank, in `categoryCodes`; 32-bit. */
  codeStarts: f64;
  categoryCodes: f64;
  /** Bin per column and row, a byte; 0: no column has bins. */
  bins: f64;
  /** Number of bins per column, 32-bit; see column-bins.ts. */
  binCounts: f64;
  /** 32 bits per bin. */
  binTable: f64;
  maxDepth: f64;
  minSplit: f64;
  minLeaf: f64;
  minWeight: f64;
  minDecrease: f64;
  maxFeatures: f64;
  /** Maximum number of leaves of a tree that grows best first; 0: depth first, without a limit. */
  maxLeaves: f64;
  /** 1: one random threshold per column. */
  random: f64;
  /** 1: the only list of entries is unsorted: random thresholds need no order. */
  unsorted: f64;
  /** Buffer for weight and target of the rows of a node, if `unsorted` or if there are categories or bins; else 0. */
  gathered: f64;
  /** Buffer for X and targets of at most `localRows` rows; see local.ts. */
  local: f64;
  localRows: f64;
  /** State of the random number generator, 32-bit, never 0. */
  seed: f64;
  /** Weight of all rows. */
  totalWeight: f64;
  /** The tree's column per node, 32-bit; −1: a leaf. */
  features: f64;
  /** Children per node, 32-bit; −1: none. */
  lefts: f64;
  rights: f64;
  /** Rows per node, 32-bit. */
  counts: f64;
  /** Depth per node, 32-bit. */
  depths: f64;
  /** 1 if missing values go left, per node, 32-bit. */
  missingLeft: f64;
  /** Start of a node's categories in `pool`, 32-bit; −1: a threshold. */
  categoryStarts: f64;
  thresholds: f64;
  impurities: f64;
  nodeWeights: f64;
  /** `width` doubles per node. */
  values: f64;
  width: f64;
  /** Lists of categories that go left, 32-bit: their number, then the categories. */
  pool: f64;
  poolSize: f64;
  /** @result */
  poolUsed: f64;
  /** Nodes that are not split yet: OpenNode, followed by its FoundSplit if `maxLeaves` is not 0. */
  frontier: f64;
  /** FoundSplit per column; two for sparse columns. */
  found: f64;
  /** Of the current node: weight per class, or weighted sum and sum of squares of the targets. */
  totals: f64;
  /** `scratchBytes` per thread: class weights left and right, and statistics of categories. */
  scratch: f64;
  scratchBytes: f64;
  /** A random order of the columns, 32-bit. */
  order: f64;
  /** TEAM_BYTES of zeros. */
  jobs: f64;
  /** Nodes of the tree. @result */
  nodes: f64;
  /** Leaves of the tree. @result */
  leaves: f64;
  /** 1: the pool was too small. @result */
  overflow: f64;
  /** Storage of sparse entries: SHARED_ENTRIES or OWN_ENTRIES; 0: rows are dense. */
  sparse: f64;
  /** See sparse-columns.ts. */
  starts: f64;
  stored: f64;
  table: f64;
  zeroRanks: f64;
  /** SHARED_ENTRIES, 32-bit: start of the entries of each row, and column and rank of each entry. */
  rowStarts: f64;
  rowColumns: f64;
  rowRanks: f64;
  /** SHARED_ENTRIES, 32-bit: the place of each row in the list. */
  places: f64;
  /** SHARED_ENTRIES: buffer for the entries of one column. */
  columnEntries: f64;
  /** OWN_ENTRIES: the entries of the tree, its runs (column and length, 32-bit each), and a spare buffer for both. */
  block: f64;
  runs: f64;
  blockSpare: f64;
  runSpare: f64;
  /** OWN_ENTRIES: 8 bytes per column, place and length of its run. Then a byte per column: 1 if it may have entries in the node. */
  slots: f64;
  /** Entries and runs of all rows. @result */
  blockEntries: f64;
  /** @result */
  blockRuns: f64;
}

/** The best split of one column of a node. */
@unmanaged
export class FoundSplit {
  /** Split score, larger is better; see impurity.ts. −∞: the split is not allowed. */
  score: f64;
  /** The first place on the right; −1: there is no split. */
  place: f64;
  missingLeft: f64;
  /** The random threshold, if thresholds are random. */
  drawn: f64;
  /** Of a sparse column or one with bins: ranks of the last value on the left and of the first on the right. */
  low: f64;
  high: f64;
  /** 1: a value of the node is missing. */
  anyMissing: f64;
  /** Fills a cache line: threads write the splits of neighbouring columns. */
  padding: f64;
}

/** A node that is not split yet. */
@unmanaged
export class OpenNode {
  from: f64;
  to: f64;
  depth: f64;
  parent: f64;
  isLeft: f64;
  /** Best first: its index in the tree, and gain and column of its best split. */
  node: f64;
  gain: f64;
  column: f64;
  /** Sparse rows: its block; see sparse-columns.ts. */
  blockFrom: f64;
  blockTo: f64;
  runs: f64;
}
