/** Rows that are worked on together: with 10 columns, the transposed rows and two copies of them take 15 KB of first-level cache. */
export const ROWS: i32 = 64;

/** How a precision matrix is stored: √ of its diagonal, or W with W Wᵀ = Σ⁻¹ (upper triangle). */
export const DIAGONAL: i32 = 0;
export const TRIANGULAR: i32 = 1;

/** Which second moments are summed: none, those of each column, or those of all pairs of columns. */
export const NO_SQUARES: i32 = 0;
export const COLUMN_SQUARES: i32 = 1;
export const ALL_SQUARES: i32 = 2;

/** A mixture of Gaussians and rows; doubles, some of them addresses. */
@unmanaged
export class Mixture {
  /** Rows of d doubles. */
  x: f64;
  n: f64;
  d: f64;
  /** Row weights; 0: all are 1. */
  weights: f64;
  /** Number of components. */
  components: f64;
  /** components × d. */
  means: f64;
  /** DIAGONAL or TRIANGULAR. */
  precision: f64;
  /**
   * DIAGONAL: components × d doubles. TRIANGULAR: per component, for each pair of columns (q, q + 1) of W the doubles
   * (w[j, q], w[j, q + 1]) for j = 0 … min(d − 1, q + 1).
   */
  factors: f64;
  /** Doubles from one component's factors to those of the next; 0: all have the same. */
  factorStep: f64;
  /** log πₖ − ½ log |2π Σₖ|. */
  constants: f64;
  /** 1: a row belongs to its most probable component only. */
  hard: f64;
  /** Responsibilities, n × components, that are given; 0: they are computed. */
  given: f64;
  /** components × d: the points around which moments are summed. */
  centres: f64;
  /** NO_SQUARES, COLUMN_SQUARES or ALL_SQUARES. */
  squares: f64;
  /**
   * One area per chunk: the log-likelihood, then per component
   *
   *   NO_SQUARES       Σ r, then Σ r u (d)                              u = x − centre
   *   COLUMN_SQUARES   Σ r, then Σ r u (d), then Σ r u² (d)
   *   ALL_SQUARES      Σ r [u, 1][u, 1]ᵀ (side × side), of which the upper triangle counts
   */
  sums: f64;
  /** Doubles of an area. */
  area: f64;
  /** Scores log πₖ + log N(x; μₖ, Σₖ), n × components. */
  scores: f64;
  /** One area per chunk of (d + 2 × side + components + 1) × ROWS doubles; side = d + 1 rounded up to 4. */
  work: f64;
  chunkRows: f64;
}
