/**
 * The sum over rows that linear models minimise, as a function of the coefficients:
 *
 *   F(θ) = Σ_i s_i ℓ(x_i · w + b, y_i),    θ = [w, b]
 *
 * One call is one pass over the data. With K outputs θ is K consecutive blocks.
 */
export interface RowSum {
  readonly rows: number;
  /** Columns of X. */
  readonly cols: number;
  readonly outputs: number;
  /** F(θ); writes ∇F(θ) if an output array is given. */
  evaluate(theta: Float64Array, gradientOut: Float64Array | null): number;
  /** The (d + 1) × (d + 1) matrix Σ h_i [x_i, 1][x_i, 1]ᵀ, h the curvatures at the θ evaluated last. */
  hessianInto(out: Float64Array): void;
  /** ∇²F · v at the θ evaluated last. */
  hessianVectorInto(v: Float64Array, out: Float64Array): void;
  /** The diagonal of ∇²F at the last θ; estimated from every `stride`-th row if an estimate suffices. */
  hessianDiagonalInto(out: Float64Array, stride?: number): void;
  /** Replaces the curvatures at the last θ by s · weight(z, y), until the next `evaluate`. */
  reweigh?(weight: (z: number, y: number) => number): void;
  /** For several outputs: the mean over classes of s_i p_ik (1 − p_ik), for the given rows at the last θ. */
  meanCurvatures?(rows: Int32Array): Float64Array;
  close(): void;
}

/** The kernels' number for a loss, and its parameter (Huber's δ, the quantile, ε). */
export interface LossCode {
  readonly code: number;
  readonly param: number;
}
