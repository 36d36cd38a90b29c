import type { MixtureSums } from "../numeric/mixture/mixture-pass.js";
import { LARGEST_SHIFT } from "../numeric/rows/moments.js";
import { type CovarianceType, covarianceShape, type Gaussians, gaussians } from "./gaussians.js";

export interface MaximisationPlan {
  readonly covarianceType: CovarianceType;
  readonly regCovar: number;
  readonly equalWeights: boolean;
}

/** Added to the weight of every component, as scikit-learn does: a component without rows has a finite logarithm. */
const EMPTY = 10 * Number.EPSILON;

/**
 * The M-step: moments around centres c become weights, means and covariances.
 *
 *   δ = Σ r u / N,   μ = c + δ,   Σₖ = (Σ r u uᵀ − N δδᵀ)/N + regCovar I,     u = x − c,  N = Σ r
 *
 * `far` says that some δ² is so many variances that the subtraction lost digits: take the sums again around the new means.
 * A component without rows stays where it is, with the covariance that it had.
 */
export function maximise(
  where: string,
  sums: MixtureSums,
  centres: Float64Array,
  before: Gaussians | undefined,
  plan: MaximisationPlan,
): { readonly means: Float64Array; readonly far: boolean; finish(): Gaussians } {
  const { counts, offsets, squares } = sums;
  const K = counts.length;
  const d = centres.length / K;
  const shifts = offsets.map((sum, e) => sum / (counts[Math.floor(e / d)]! + EMPTY));
  const means = centres.map((c, e) => c + shifts[e]!);
  const step = squares.length === K * d ? 1 : d + 1;
  const own = squares.length / K;
  let far = false;
  for (let e = 0; squares.length > 0 && e < K * d; e++) {
    const k = Math.floor(e / d);
    const moved = shifts[e]! * shifts[e]!;
    const variance = squares[k * own + (e - k * d) * step]! / (counts[k]! + EMPTY) - moved;
    if (moved > LARGEST_SHIFT * (Math.max(variance, 0) + plan.regCovar)) far = true;
  }
  const finish = () => {
    const total = counts.reduce((sum, count) => sum + count + EMPTY, 0);
    const weights = counts.map((count) => (plan.equalWeights ? 1 / K : (count + EMPTY) / total));
    const covariances = covariancesOf(sums, shifts, d, plan);
    if (plan.covarianceType !== "tied" && before !== undefined) keepEmpty(counts, before, covariances);
    return gaussians(where, plan.covarianceType, weights, means, covariances);
  };
  return { means, far, finish };
}

/** Scatter matrices divided by weights, with regCovar on the diagonal. */
function covariancesOf(
  { counts, offsets, squares }: MixtureSums,
  shifts: Float64Array,
  d: number,
  { covarianceType: type, regCovar }: MaximisationPlan,
): Float64Array {
  const K = counts.length;
  const out = new Float64Array(covarianceShape(type, K, d).reduce((size, side) => size * side, 1));
  const total = counts.reduce((sum, count) => sum + count + EMPTY, 0);
  for (let k = 0; k < K; k++) {
    const weight = type === "tied" ? total : counts[k]! + EMPTY;
    const [at, to] = [k * d, type === "full" ? k * d * d : 0];
    if (type === "full" || type === "tied") {
      for (let i = 0; i < d; i++) {
        for (let j = 0; j < d; j++) {
          const scatter = squares[(at + i) * d + j]! - shifts[at + i]! * offsets[at + j]!;
          out[to + i * d + j]! += scatter / weight;
        }
      }
    }
    for (let j = 0; j < d && (type === "diag" || type === "spherical"); j++) {
      const variance = Math.max(squares[at + j]! - shifts[at + j]! * offsets[at + j]!, 0) / weight + regCovar;
      if (type === "diag") out[at + j] = variance;
      else out[k]! += variance / d;
    }
  }
  if (type === "full" || type === "tied") liftDiagonalsInto(d, regCovar, out);
  return out;
}

/** Rounding may leave a variance below 0 that should be 0. */
function liftDiagonalsInto(d: number, regCovar: number, out: Float64Array): void {
  for (let at = 0; at < out.length; at += d * d) {
    for (let j = 0; j < d; j++) {
      const e = at + j * (d + 1);
      out[e] = Math.max(out[e]!, 0) + regCovar;
    }
  }
}

function keepEmpty(counts: Float64Array, before: Gaussians, covariances: Float64Array): void {
  const width = covariances.length / counts.length;
  counts.forEach((count, k) => {
    if (count === 0) covariances.set(before.covariances.subarray(k * width, (k + 1) * width), k * width);
  });
}
