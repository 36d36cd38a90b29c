/**
 * The state of a problem as src/numeric/svm/smo.ts lays it out: doubles in this order, some of them addresses.
 *
 * Variables are `halves` times the n points: one a point for classification, two for regression (upper and lower side of
 * the tube), half h at h·n. f_t = y_t ∂/∂α_t.
 */
@unmanaged
export class Problem {
  /** Points in panels of eight, feature by feature; 0 when they are sparse or outside. */
  x: f64;
  n: f64;
  d: f64;
  /** Of sparse points: where each one's entries begin, their columns and values. */
  starts: f64;
  columns: f64;
  values: f64;
  norms: f64;
  /** The kernel function: steps and how many; none when its rows are made outside. */
  program: f64;
  length: f64;
  halves: f64;
  y: f64;
  upper: f64;
  alpha: f64;
  f: f64;
  /** y times the linear term: f at α = 0. */
  linearTerm: f64;
  diagonal: f64;
  /** Which point of the input is at each place. */
  place: f64;
  eps: f64;
  maxIter: f64;
  shrinking: f64;
  /** 1: the kernel contains the bias, and Σ y α is free. */
  unbiased: f64;
  rows: f64;
  slots: f64;
  book: f64;
  work: f64;
  jobs: f64;
  scratch: f64;
  scratchBytes: f64;
  mayRise: f64;
  mayFall: f64;
  /** Steps before all free variables are tried at once. */
  patience: f64;
  /** 1: α is not 0 at the start. */
  started: f64;
  /** Room for smo/newton.ts and smo/given-start.ts. */
  newton: f64;
  newtonMost: f64;
  // What it tells.
  iterations: f64;
  active: f64;
  computed: f64;
  evicted: f64;
  unshrunk: f64;
  /** Steps until points are shrunk, and until all free variables are tried at once. */
  untilShrink: f64;
  untilNewton: f64;
  /** What is minimised, as the steps have changed it. */
  objective: f64;
  /** The largest −f of those that may rise and f of those that may fall, among the active. */
  up: f64;
  low: f64;
  ended: f64;
  /** A point whose row has to be made outside, at address `wantedRow`; −1: none. */
  wanted: f64;
  wantedRow: f64;
}

/** Curvatures below this count as this: kernels that are not positive definite. */
export const TAU: f64 = 1e-12;

// Of the module's instance, set on entry: AssemblyScript passes no structures.
export let at: Problem = changetype<Problem>(0);
export let x: usize = 0;
export let n: i32 = 0;
export let d: i32 = 0;
export let halves: i32 = 0;
export let y: usize = 0;
export let upper: usize = 0;
export let alpha: usize = 0;
export let f: usize = 0;
export let diagonal: usize = 0;
export let active: i32 = 0;
/** 32-bit marks: 0 where y α may rise (fall), −∞ where it may not. Added to what is maximised, they leave out what is not free. */
export let mayRise: usize = 0;
export let mayFall: usize = 0;
/** This thread's own room. */
export let scratch: usize = 0;

export function enter(problem: usize, part: i32): void {
  at = changetype<Problem>(problem);
  x = <usize>at.x;
  n = <i32>at.n;
  d = <i32>at.d;
  halves = <i32>at.halves;
  y = <usize>at.y;
  upper = <usize>at.upper;
  alpha = <usize>at.alpha;
  f = <usize>at.f;
  diagonal = <usize>at.diagonal;
  active = <i32>at.active;
  mayRise = <usize>at.mayRise;
  mayFall = <usize>at.mayFall;
  scratch = <usize>at.scratch + <usize>part * <usize>at.scratchBytes;
}

export function setActive(count: i32): void {
  active = count;
  at.active = <f64>count;
}

/** Entry t of doubles at `base`. */
// @inline
export function real(base: usize, t: i32): f64 {
  return load<f64>(base + ((<usize>t) << 3));
}
// @inline
export function setReal(base: usize, t: i32, value: f64): void {
  store<f64>(base + ((<usize>t) << 3), value);
}

/** Entry t of 32-bit floats at `base`. */
// @inline
export function small(base: usize, t: i32): f32 {
  return load<f32>(base + ((<usize>t) << 2));
}

// @inline
export function isUp(v: i32): bool {
  return real(y, v) > 0 ? real(alpha, v) < real(upper, v) : real(alpha, v) > 0;
}
// @inline
export function isLow(v: i32): bool {
  return real(y, v) > 0 ? real(alpha, v) > 0 : real(alpha, v) < real(upper, v);
}

export function noteBounds(v: i32): void {
  store<f32>(mayRise + ((<usize>v) << 2), isUp(v) ? 0 : -Infinity);
  store<f32>(mayFall + ((<usize>v) << 2), isLow(v) ? 0 : -Infinity);
}
