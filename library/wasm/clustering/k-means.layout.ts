/**
 * Rows, centres, and what the assignment of rows to centres keeps between two iterations. Addresses are those of doubles unless said otherwise.
 *
 * The filter: coordinates g = scale (x − shift) of a row and f = scale (c − shift) of a centre, in 32 bits. The filter value
 * ½‖f‖² − g·f is scale²/2 · ‖x − c‖² − ½‖g‖² up to a known error E, so it names the few centres that can be the nearest; their
 * distances are then computed in 64 bits as Σ (x_j − c_j)².
 */
@unmanaged
export class Means {
  /** Rows of d doubles. */
  x: usize;
  n: i32;
  d: i32;
  /** Weights of the rows; 0: all are 1. */
  weights: usize;
  /** Origin of the filter coordinates and of all sums, d doubles; their scale is a power of two. */
  shift: usize;
  scale: f64;
  /** Filter coordinates of the rows, n × d in 32 bits, and their ‖g‖, rounded up, n doubles. */
  singles: usize;
  lengths: usize;
  /** Centres: k rows of d doubles. */
  centers: usize;
  k: i32;
  /** Filter coordinates of the centres in panels of eight, coordinate by coordinate; and ½‖f‖², +∞ past the last centre. */
  panels: usize;
  halves: usize;
  /** Largest ‖f‖ of a centre. @result */
  radius: f64;
  /** Nearest centre of every row (32-bit integers). */
  labels: usize;
  /** Σ (x_j − c_j)² of every row and its centre. */
  distances: usize;
  /** 0: no bounds are read; 1: they are. */
  bounded: i32;
  /** Per row: a distance that its centre is not beyond, and one that all other centres are not within. */
  upper: usize;
  lower: usize;
  /** Per centre: how far it has moved, at most; and the centre that moved most. */
  moves: usize;
  mostMoved: i32;
  /** Per centre: half the distance to the nearest other centre, at least 0. */
  gaps: usize;
  /** Per chunk of rows: how many labels have changed (32-bit integers). */
  changed: usize;
  /** Per chunk of rows: Σ w · distance. */
  partial: usize;
  /** One area of working memory per chunk: CHUNK row numbers, then `group` rows of filter values; `area` bytes. */
  work: usize;
  area: usize;
  /** Rows whose filter values are computed together: a multiple of 4, GROUP at most, fewer if there are many centres. */
  group: i32;
  /** Sums per centre, Σ w (x − shift) and Σ w: k (d + 1) doubles per chunk of `sumRows` rows, a multiple of CHUNK. */
  sums: usize;
  sumRows: i32;
  /** Starts: candidates for the next centre (rows of d doubles), how many, and which one is chosen. */
  candidates: usize;
  trials: i32;
  chosen: i32;
  /** Per row: the candidates that may be nearer than all centres, a bit each (32-bit integers). */
  nearer: usize;
  /** The largest filter value of a candidate that may be nearer to a row than all centres, rounded up; 32 bits per row. */
  limits: usize;
  /** Per chunk and candidate: by how much it would lower Σ w · distance. */
  gains: usize;
  /** The two largest moves of a centre. */
  mostMove: f64;
  secondMove: f64;
}

/** Rows per chunk of an assignment. */
export const CHUNK: i32 = 512;
/** Rows whose filter values are computed together, at most. */
export const GROUP: i32 = 32;
/** Centres of a panel. */
export const PANEL: i32 = 8;
/** Candidates per new centre, at most: 2 + ⌊log k⌋ for k < 3·10⁹. */
export const MOST_TRIALS: i32 = 24;
