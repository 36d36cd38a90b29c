/** Rows handled together; 32 × 100 doubles stay in the first-level cache between margins and gradient. */
export const BLOCK: i32 = 32;

/**
 * One pass of softmax cross-entropy over rows, kp = classes rounded up to 4; numbers are doubles.
 *
 *   Σ s_i (log Σ_k e^{z_ik} − z_{i,y_i}),   z_ik = x_i·w_k + b_k
 */
@unmanaged
export class SoftmaxPass {
  n: i32;
  d: i32;
  /** n classes, 32-bit, and n weights; 0: all weights are 1. */
  y: usize;
  s: usize;
  /** Coefficients: class quads, kp/4 panels of d × 4; of sparse rows d × kp. */
  w: usize;
  /** kp intercepts, −∞ where padded. */
  b: usize;
  kp: i32;
  /** n × kp probabilities out. */
  p: usize;
  /** `area` bytes per chunk: the loss, kp gradients of intercepts, then those of the coefficients: kp × d, of sparse rows d × kp. */
  out: usize;
  area: usize;
  /** BLOCK × kp numbers of scratch per chunk: residuals. */
  work: usize;
  gradient: i32;
  chunkRows: i32;
}
