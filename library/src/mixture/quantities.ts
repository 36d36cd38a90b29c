import { ParameterError, show } from "../core/errors.js";
import { Matrix } from "../data/matrix.js";
import type { Gaussians } from "./gaussians.js";

/** Component k of a list that is stored as the covariance type requires, as a d × d matrix. */
function square(where: string, mixture: Gaussians, list: Float64Array, k: number): Matrix {
  const { type, weights, means } = mixture;
  const K = weights.length;
  const d = means.length / K;
  if (!Number.isInteger(k) || k < 0 || k >= K) {
    const expected = `a component, from 0 to ${K - 1}`;
    throw new ParameterError({ where, subject: "k", expected, received: show(k) });
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

/** W Wᵀ. */
export function precisionOf(where: string, mixture: Gaussians, k: number): Matrix {
  const { data: w, rows: d } = whiteningOf(where, mixture, k);
  const out = Matrix.zeros(d, d);
  for (let i = 0; i < d; i++) {
    for (let j = 0; j < d; j++) {
      for (let c = Math.max(i, j); c < d; c++) out.data[i * d + j]! += w[i * d + c]! * w[j * d + c]!;
    }
  }
  return out;
}

/** Free numbers of the covariances, the means and the weights. */
export function nParametersOf({ type, weights, means }: Gaussians, equalWeights: boolean): number {
  const K = weights.length;
  const d = means.length / K;
  const triangle = (d * (d + 1)) / 2;
  const covariances = { full: K * triangle, tied: triangle, diag: K * d, spherical: K, identity: 0 };
  return covariances[type] + K * d + (equalWeights ? 0 : K - 1);
}
