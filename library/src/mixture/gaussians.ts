import { DataError } from "../core/errors.js";
import { log } from "../core/numbers/elementary.js";
import { choleskyWhitening } from "../numeric/linalg/whitening.js";
import type { MixtureFactors, Squares } from "../numeric/mixture/mixture-pass.js";

export const covarianceTypes = ["full", "tied", "diag", "spherical", "identity"] as const;
/** Σₖ: any matrix, one matrix for all components, a diagonal, a multiple of the identity, or the identity. */
export type CovarianceType = (typeof covarianceTypes)[number];

/** The components of a mixture: weights, means and covariances, with what densities need of them. */
export interface Gaussians {
  readonly type: CovarianceType;
  /** πₖ; they sum to 1. */
  readonly weights: Float64Array;
  /** K × d. */
  readonly means: Float64Array;
  /** full: K × d × d; tied: d × d; diag: K × d; spherical: K; identity: empty. */
  readonly covariances: Float64Array;
  /** In the same shape, W with W Wᵀ = Σ⁻¹: upper triangles, or 1/deviation. */
  readonly factors: Float64Array;
  /** log |Σₖ|, per component. */
  readonly logDets: Float64Array;
}

/** The shape of `covariances` and `factors`. */
export function covarianceShape(type: CovarianceType, K: number, d: number): readonly number[] {
  if (type === "full") return [K, d, d];
  if (type === "tied") return [d, d];
  if (type === "diag") return [K, d];
  return type === "spherical" ? [K] : [0];
}

/** What the moments of a covariance of this type are made of. */
export function squaresOf(type: CovarianceType): Squares {
  if (type === "identity") return "none";
  return type === "full" || type === "tied" ? "pairs" : "columns";
}

/** Relative pivots below this are rounding: the covariance is singular. */
const SINGULAR = 1e-15;

/** Gaussians of these covariances; a singular one is an error. */
export function gaussians(
  where: string,
  type: CovarianceType,
  weights: Float64Array,
  means: Float64Array,
  covariances: Float64Array,
): Gaussians {
  const K = weights.length;
  const d = means.length / K;
  const factors = new Float64Array(covariances.length);
  const logDets = new Float64Array(K);
  if (type === "full" || type === "tied") {
    for (let k = 0; k < (type === "full" ? K : 1); k++) {
      const at = k * d * d;
      const own = covariances.subarray(at, at + d * d);
      const { w, logDet, deficient } = choleskyWhitening(own, d, SINGULAR);
      if (deficient > 0 || !Number.isFinite(logDet)) throw singular(where, type === "full" ? k : undefined);
      factors.set(w, at);
      if (type === "full") logDets[k] = logDet;
      else logDets.fill(logDet);
    }
    return { type, weights, means, covariances, factors, logDets };
  }
  const width = covariances.length / K;
  for (let e = 0; e < covariances.length; e++) {
    const k = Math.floor(e / width);
    factors[e] = 1 / Math.sqrt(covariances[e]!);
    if (!(factors[e]! > 0 && factors[e]! < Infinity)) throw singular(where, k);
    logDets[k]! += (type === "spherical" ? d : 1) * log(covariances[e]!);
  }
  return { type, weights, means, covariances, factors, logDets };
}

const singular = (where: string, k: number | undefined) =>
  new DataError({
    where,
    subject: k === undefined ? "the covariance" : `the covariance of component ${k}`,
    expected: "of full rank",
    received: "a singular one (equal rows, dependent columns, or fewer rows than columns)",
    advice: "Raise regCovar, take fewer components, or a simpler covarianceType.",
  });

/** log 2π, to the nearest double. */
export const LOG_TWO_PI = 1.8378770664093453;

/** The Gaussians as the kernels read them. */
export function mixtureFactors({ type, weights, means, factors, logDets }: Gaussians): MixtureFactors {
  const K = weights.length;
  const d = means.length / K;
  const constants = weights.map((p, k) => log(p) - 0.5 * (d * LOG_TWO_PI + logDets[k]!));
  if (type === "full" || type === "tied") {
    const count = type === "full" ? K : 1;
    const triangular = Array.from({ length: count }, (_, k) => factors.subarray(k * d * d, (k + 1) * d * d));
    return { means, constants, triangular };
  }
  if (type === "diag") return { means, constants, diagonal: factors };
  const diagonal = new Float64Array(K * d).fill(1);
  if (type === "spherical") for (let k = 0; k < K; k++) diagonal.fill(factors[k]!, k * d, (k + 1) * d);
  return { means, constants, diagonal };
}
