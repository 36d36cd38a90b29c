/**
 * A run of stochastic gradient descent, for `epoch` and `softmaxEpoch`. Addresses are not doubles: converting one is pure, so that V8 would
 * do it again wherever a loop uses it.
 */
@unmanaged
export class SgdRun {
  /** Rows of d doubles; or the entries of compressed sparse rows, whose `indptr` is not 0. */
  x: usize;
  indptr: usize;
  indices: usize;
  n: i32;
  d: i32;
  /** Row numbers (32-bit) in the order of the epoch. */
  order: usize;
  /** Targets; 32-bit classes for softmax. */
  y: usize;
  /** Row weights; 0: all are 1. */
  s: usize;
  /** Coefficients, one block per output, stored as scale · v. */
  w: usize;
  /** Per coefficient: the l1 penalty that it has received so far. */
  cut: usize;
  /** Averaged [w, b], one block per output, or 0; averaging starts at step `meanFrom`. */
  mean: usize;
  meanFrom: f64;
  /** 0 scale, 1 b, 2 t, 3 u, 4 η (adaptive), 5 Σ loss out, 6 steps averaged so far, 7 updates made; softmax: b from 8 on. */
  state: usize;
  /** 8 doubles for the loss pairs, then `batch` derivatives; softmax: batch × classes doubles. */
  work: usize;
  /** Code and parameter of a loss of one margin. */
  kind: i32;
  param: f64;
  /** Softmax: classes, and blocks of coefficients: one fewer if the last class is the reference with all scores 0. */
  classes: i32;
  blocks: i32;
  l1: f64;
  l2: f64;
  /** The learning rate: see `rate` of sgd/steps.ts. */
  schedule: i32;
  eta0: f64;
  power: f64;
  t0: f64;
  /** Factor of the intercept's step. */
  intercept: f64;
  /** Rows per step; their derivatives are averaged. */
  batch: i32;
  /** 1: plain subgradient steps for the l1 penalty, instead of truncation. */
  subgradient: i32;
}
