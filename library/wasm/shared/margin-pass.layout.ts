/**
 * One pass over rows of which x_i·w + b is the margin: Σ s_i ℓ(x_i·w + b, y_i), its gradient and, on request, the row curvatures. Numbers
 * are doubles.
 */
@unmanaged
export class MarginPass {
  n: i32;
  d: i32;
  /** n targets, and n weights; 0: all weights are 1. */
  y: usize;
  s: usize;
  /** w (d), then b. */
  theta: usize;
  /** n margins out, and n curvatures out; 0: none. */
  z: usize;
  h: usize;
  /** n numbers of scratch: s·ℓ′. y, s, z, r and h are padded by one number; `chunkRows` is even, so only the last chunk touches the pad. */
  r: usize;
  /** d + 2 numbers per chunk: [loss, Σ r, Σ r_i x_i]. The last two only if `gradient` is 1. */
  out: usize;
  /** Code and parameter of a loss; see losses.layout.ts. */
  kind: i32;
  param: f64;
  gradient: i32;
  chunkRows: i32;
}
