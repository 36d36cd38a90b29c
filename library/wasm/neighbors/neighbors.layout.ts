export const EUCLIDEAN: i32 = 0;
export const MANHATTAN: i32 = 1;
export const CHEBYSHEV: i32 = 2;
export const MINKOWSKI: i32 = 3;
export const COSINE: i32 = 4;
export const HAMMING: i32 = 5;
export const JACCARD: i32 = 6;

/** Queries per chunk. */
export const CHUNK: i32 = 32;
/** Points of a panel. */
export const PANEL: i32 = 8;
/** Points that pass the filter are collected per query, and then measured together. */
export const BATCH: i32 = 64;

/**
 * Points among which neighbours are searched, and their metric; doubles, some of them addresses.
 *
 * The filter: coordinates f_t of every point, in 32 bits, such that ½‖f_t‖² − g·f_t of a query's coordinates g is, up to a known
 * error, a lower bound of the distance. It is never used to rank points, only to exclude those that cannot be near enough.
 */
@unmanaged
export class Points {
  /** Rows of d doubles. */
  x: f64;
  n: f64;
  d: f64;
  /** One of the metrics above. */
  metric: f64;
  /** The exponent of MINKOWSKI. */
  p: f64;
  /** ‖x_t‖ for COSINE. */
  norms: f64;
  /** Filter coordinates in panels of eight points, coordinate by coordinate, 32 bits each. */
  panels: f64;
  /** Filter coordinates per point. */
  depth: f64;
  /** ½‖f_t‖² in 32 bits; NaN for the padding of the last panel, which passes no limit. */
  halves: f64;
}

/**
 * Queries against these points. A point may be as near as `radius` only if its filter value is at most a·radius + b_q (reduced
 * distances; b_q includes the error of the filter).
 */
@unmanaged
export class Queries {
  /** Rows of d doubles; or sparse rows: start of the entries of each, columns and values. */
  z: f64;
  starts: f64;
  columns: f64;
  values: f64;
  /** Filter coordinates, rows of `depth` doubles; ‖z_q‖ for COSINE. */
  coordinates: f64;
  norms: f64;
  count: f64;
  a: f64;
  b: f64;
  /** Point that is query q itself and therefore not its neighbour: first + q; −1: none. */
  first: f64;
  k: f64;
  /** count × k reduced distances ascending, and the numbers of the points. */
  distances: f64;
  indices: f64;
  /** Within a radius: the largest reduced distance, per query. */
  radii: f64;
  /** Per query: number of points found, including those beyond the capacity. */
  found: f64;
  /** Per chunk: capacity of `distances` and `indices` in pairs. */
  room: f64;
  /** One area of working memory per chunk, `area` bytes long. */
  work: f64;
  area: f64;
}

/**
 * A balanced binary tree over the points: node i has the children 2i + 1 and 2i + 2, every node halves its points, leaves are the last
 * level. Addresses, but for `levels` and `balls`.
 */
@unmanaged
export class Tree {
  levels: f64;
  /** 1: nodes are balls, centre and radius; 0: boxes. */
  balls: f64;
  /** Numbers of the points in the order of the leaves. */
  order: f64;
  /** Points in the order of the leaves: those of a leaf column by column for EUCLIDEAN, else row by row. */
  x: f64;
  /** Places in `order` where the points of each leaf begin, and where the last one ends. */
  starts: f64;
  /** Per inner node and column the boxes of both children: [lowest left, lowest right], [highest left, highest right]. */
  boxes: f64;
  /** Per node d doubles, and one double. */
  centres: f64;
  radii: f64;
}

/** Sparse points: by rows, and the same entries by columns. Addresses, but for n and `metric`. */
@unmanaged
export class SparsePoints {
  n: f64;
  metric: f64;
  starts: f64;
  columns: f64;
  values: f64;
  columnStarts: f64;
  rowsOf: f64;
  columnValues: f64;
  /** ‖x_t‖. */
  norms: f64;
}
