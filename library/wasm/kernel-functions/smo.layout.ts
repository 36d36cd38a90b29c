/**
 * A quadratic problem of sequential minimal optimisation and the state of its solution: doubles, some of them addresses.
 *
 * Each of the n points has `variablesPerPoint` variables: one in classification, two in regression (above and below the
 * tube), those of kind h from h·n on. f_t = y_t ∂/∂α_t.
 */
@unmanaged
export class Problem {
  /** Points in panels of eight, feature by feature; 0 when they are sparse or rows of the kernel matrix are computed in JavaScript. */
  x: f64;
  n: f64;
  d: f64;
  /** Sparse points: start of the entries of each point, columns and values. */
  starts: f64;
  columns: f64;
  values: f64;
  norms: f64;
  /** The kernel function: its steps and how many; none when its rows are computed in JavaScript. */
  program: f64;
  length: f64;
  variablesPerPoint: f64;
  y: f64;
  upper: f64;
  alpha: f64;
  f: f64;
  /** y times the linear term: f at α = 0. */
  linearTerm: f64;
  diagonal: f64;
  /** Input index of the point at each position. */
  place: f64;
  eps: f64;
  maxIter: f64;
  shrinking: f64;
  /** 1: the kernel includes the bias, and Σ y α is not constrained. */
  unbiased: f64;
  /** The cache: `slots` rows of 32-bit floats, and its index; see rows.ts. */
  rows: f64;
  slots: f64;
  book: f64;
  work: f64;
  /** The team's block: JOB_POINT bytes, and d doubles. */
  jobs: f64;
  /** `scratchBytes` per thread. */
  scratch: f64;
  scratchBytes: f64;
  mayRise: f64;
  mayFall: f64;
  /** 1: α is not 0 at the start. */
  started: f64;
  /** Room for newton.ts and given-start.ts: two square matrices and NEWTON_VECTORS vectors of `newtonMost`. */
  newton: f64;
  newtonMost: f64;
  /** Steps before a Newton step is tried. @result */
  patience: f64;
  /** @result */
  iterations: f64;
  /** Points that are not shrunk. @result */
  active: f64;
  /** 1: a kernel row was dropped from the cache. @result */
  evicted: f64;
  /** 1: shrunk points have been checked once near convergence. @result */
  unshrunk: f64;
  /** Steps until points are shrunk. @result */
  untilShrink: f64;
  /** Steps until a Newton step. @result */
  untilNewton: f64;
  /** The objective, updated by the steps. @result */
  objective: f64;
  /** The largest −f of the active variables that may increase. @result */
  up: f64;
  /** The largest f of the active variables that may decrease. @result */
  low: f64;
  /** 1: the solution is found. @result */
  ended: f64;
  /** A point whose kernel row JavaScript must compute, at address `wantedRow`; −1: none. */
  wanted: f64;
  /** Its address. @result */
  wantedRow: f64;
}

/** Columns of a kernel row that a thread computes at a time. */
export const STRETCH: i32 = 512;
/** Maximum number of threads; more would have no work. */
export const MAX_THREADS: i32 = 4;
/** Maximum number of variables of a Newton step. */
export const NEWTON_VARIABLES: i32 = 256;
/** Vectors of a Newton step: gradient, total, delta, ones, and the indices of the free variables and of those not yet at a bound. */
export const NEWTON_VECTORS: i32 = 6;

/**
 * Byte offsets in the team's block, after those of shared/team.ts: the first column and the one after the last (32-bit), the address of the
 * row, the point's ‖x‖², and its features.
 */
export const JOB_FROM: usize = 132;
export const JOB_TO: usize = 136;
export const JOB_ROW: usize = 140;
export const JOB_NORM: usize = 192;
export const JOB_POINT: usize = 200;
