import { ParameterError, show } from "../core/errors.js";
import { LOG_TWO_PI, log } from "../core/numbers/elementary.js";
import type { GaussianComponent } from "../core/structure.js";
import { Matrix } from "../data/matrix.js";
import type { CovarianceType, Gaussians } from "./gaussians.js";

/** Component k of a list that is stored as the covariance type requires, as a d × d matrix. */
function square(where: string, mixture: Gaussians, list: Float64Array, k: number): Matrix {
  const { type, weights, means } = mixture;
  const K = weights.length;
  const d = means.length / K;
  if (!Number.isInteger(k) || k < 0 || k >= K) {
    throw new ParameterError(where, "k", `a component, from 0 to ${K - 1}`, show(k));
  }
  if (type === "full") return new Matrix(list.slice(k * d * d, (k + 1) * d * d), d, d);
  if (type === "tied") return new Matrix(list.slice(), d, d);
  const out = Matrix.zeros(d, d);
  for (let j = 0; j < d; j++)
    out.data[j * d + j] = type === "diag" ? list[k * d + j]! : type === "spherical" ? list[k]! : 1;
  return out;
}

export const covarianceOf = (where: string, mixture: Gaussians, k: number): Matrix =>
  square(where, mixture, mixture.covariances, k);

export const whiteningOf = (where: string, mixture: Gaussians, k: number): Matrix =>
  square(where, mixture, mixture.factors, k);

/** W Wᵀ of an upper triangle W. */
export function timesTransposed(w: Float64Array, d: number): Float64Array {
  const out = new Float64Array(d * d);
  for (let i = 0; i < d; i++)
    for (let j = 0; j < d; j++)
      for (let c = Math.max(i, j); c < d; c++) out[i * d + j]! += w[i * d + c]! * w[j * d + c]!;
  return out;
}

/** W Wᵀ. */
export function precisionOf(where: string, mixture: Gaussians, k: number): Matrix {
  const { data, rows } = whiteningOf(where, mixture, k);
  return new Matrix(timesTransposed(data, rows), rows, rows);
}

/** Free numbers of the covariances, the means and the weights. */
export function nParametersOf({ type, weights, means }: Gaussians, equalWeights: boolean): number {
  const K = weights.length;
  const d = means.length / K;
  const triangle = (d * (d + 1)) / 2;
  const covariances = { full: K * triangle, tied: triangle, diag: K * d, spherical: K, identity: 0 };
  return covariances[type] + K * d + (equalWeights ? 0 : K - 1);
}

/** The components of mixtures, a group per mixture, with a constant of each mixture added to their log weights. */
export const gaussianComponents = (
  mixtures: readonly Gaussians[],
  constants: readonly number[],
): GaussianComponent[] =>
  mixtures.flatMap((mixture, group) => {
    const { type, weights, means, factors, logDets } = mixture;
    const d = means.length / weights.length;
    return Array.from(weights, (weight, k) => {
      const constant = constants[group]! + log(weight) - 0.5 * (logDets[k]! + d * LOG_TWO_PI);
      const mean = means.subarray(k * d, (k + 1) * d);
      return { mean, whitening: whitening(type, factors, k, d), constant, group };
    });
  });

/** W of component k: d × d numbers, or d of a diagonal. */
function whitening(type: CovarianceType, factors: Float64Array, k: number, d: number): Float64Array {
  if (type === "full") return factors.subarray(k * d * d, (k + 1) * d * d);
  if (type === "tied") return factors;
  if (type === "diag") return factors.subarray(k * d, (k + 1) * d);
  return new Float64Array(d).fill(type === "spherical" ? factors[k]! : 1);
}
