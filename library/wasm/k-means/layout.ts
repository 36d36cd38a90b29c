/**
 * Rows, centres, and what the assignment of rows to centres keeps between two iterations; doubles, some of them addresses.
 *
 * The filter: coordinates g = scale (x − shift) of a row and f = scale (c − shift) of a centre, in 32 bits. The filter value
 * ½‖f‖² − g·f is scale²/2 · ‖x − c‖² − ½‖g‖² up to a known error E, so it names the few centres that can be the nearest; their
 * distances are then computed in 64 bits as Σ (x_j − c_j)².
 */
@unmanaged
export class Means {
  /** Rows of d doubles. */
  x: f64;
  n: f64;
  d: f64;
  /** Weights of the rows; 0: all are 1. */
  weights: f64;
  /** Origin of the filter coordinates and of all sums, d doubles; their scale is a power of two. */
  shift: f64;
  scale: f64;
  /** Filter coordinates of the rows, n × d in 32 bits, and ½‖g‖², n doubles. */
  singles: f64;
  halfNorms: f64;
  /** Centres: k rows of d doubles. */
  centers: f64;
  k: f64;
  /** Filter coordinates of the centres in panels of eight, coordinate by coordinate; and ½‖f‖², +∞ past the last centre. */
  panels: f64;
  halves: f64;
  /** Largest ‖f‖ of a centre. @result */
  radius: f64;
  /** Nearest centre of every row (32-bit integers). */
  labels: f64;
  /** Σ (x_j − c_j)² of every row and its centre. */
  distances: f64;
  /** 0: no bounds are read; 1: they are. */
  bounded: f64;
  /** Per row: a distance that its centre is not beyond, and one that all other centres are not within. */
  upper: f64;
  lower: f64;
  /** Per centre: how far it has moved, at most; the centre that moved most, and the two largest moves. */
  moves: f64;
  mostMoved: f64;
  mostMove: f64;
  secondMove: f64;
  /** Per centre: half the distance to the nearest other centre, at least 0. */
  gaps: f64;
  /** Per chunk of rows: how many labels have changed (32-bit integers). */
  changed: f64;
  /** Per chunk of rows: Σ w · distance. */
  partial: f64;
  /** One area of working memory per chunk: CHUNK row numbers, then GROUP rows of filter values; `area` bytes. */
  work: f64;
  area: f64;
  /** Sums per centre, Σ w (x − shift) and Σ w: k (d + 1) doubles per chunk of `sumRows` rows, a multiple of CHUNK. */
  sums: f64;
  sumRows: f64;
  /** Starts: candidates for the next centre (rows of d doubles), how many, their sums per chunk, and the chosen one. */
  candidates: f64;
  trials: f64;
  potentials: f64;
  chosen: f64;
  /** Squared distances of every candidate to every chosen centre, trials × k. */
  candidateGaps: f64;
  /** Centres chosen so far. */
  found: f64;
}

/** Rows per chunk of an assignment. */
export const CHUNK: i32 = 512;
/** Rows whose filter values are computed together. */
export const GROUP: i32 = 32;
/** Centres of a panel. */
export const PANEL: i32 = 8;
/** Candidates per new centre, at most: 2 + ⌊log k⌋ for k < 2³². */
export const MOST_TRIALS: i32 = 24;
