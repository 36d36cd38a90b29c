import { log } from "../../core/numbers/elementary.js";
import { cholesky } from "./cholesky.js";
import { symmetricEigen } from "./eigen.js";

/**
 * A whitening of a covariance Σ: W is d × rank with Wᵀ Σ W = I, so ‖Wᵀ(x − μ)‖² is the squared Mahalanobis distance and
 * W Wᵀ is Σ⁻¹ (its pseudo-inverse where Σ is singular).
 */
export interface Whitening {
  /** d × rank, row-major. */
  readonly w: Float64Array;
  readonly rank: number;
  /** log |Σ|; −Infinity where rank < d. */
  readonly logDet: number;
  /** Variance of each column that the columns before it leave unexplained, relative; the smallest. */
  readonly smallestPivot: number;
  /** The column of that pivot is a combination of others (or constant) when this many pivots are gone. */
  readonly deficient: number;
}

/** Σ = D⁻¹ L Lᵀ D⁻¹ with a unit diagonal inside, so columns of very different size do no harm: W = D L⁻ᵀ. */
export function choleskyWhitening(covariance: Float64Array, d: number, floor?: number): Whitening {
  const { lower, scale, lifted, smallestPivot } = cholesky(covariance, d, floor);
  const { w, logDet } = scaledInverse(lower, scale);
  return { w, rank: d, logDet: lifted === 0 ? logDet : -Infinity, smallestPivot, deficient: lifted };
}

/** From an upper triangular R with Σ = D⁻¹ RᵀR D⁻¹, as QR of the rows returns it: W = D R⁻¹. */
export function triangularWhitening(r: Float64Array, scale: Float64Array): Whitening {
  const d = scale.length;
  const lower = new Float64Array(d * d);
  let smallestPivot = Infinity;
  let deficient = 0;
  for (let i = 0; i < d; i++) {
    for (let j = i; j < d; j++) lower[j * d + i] = r[i * d + j]!;
    const pivot = r[i * d + i]! * r[i * d + i]!;
    smallestPivot = Math.min(smallestPivot, pivot);
    if (pivot === 0) deficient++;
  }
  if (deficient > 0) return { w: lower, rank: d - deficient, logDet: -Infinity, smallestPivot, deficient };
  return { ...scaledInverse(lower, scale), rank: d, smallestPivot, deficient };
}

/** Directions whose variance is above `cutoff` times the largest; the others are left out (a pseudo-inverse). */
export function eigenWhitening(covariance: Float64Array, d: number, cutoff: number): Whitening {
  const { values, vectors } = symmetricEigen(covariance, d);
  const least = Math.max(cutoff * values[d - 1]!, 0);
  const kept = Array.from(values.keys())
    .filter((k) => values[k]! > least)
    .reverse();
  const rank = kept.length;
  const w = new Float64Array(d * rank);
  let logDet = 0;
  kept.forEach((k, c) => {
    const scale = 1 / Math.sqrt(values[k]!);
    logDet += log(values[k]!);
    for (let j = 0; j < d; j++) w[j * rank + c] = vectors[j * d + k]! * scale;
  });
  const smallestPivot = rank === 0 ? 0 : values[kept.at(-1)!]! / values[d - 1]!;
  return { w, rank, logDet: rank === d ? logDet : -Infinity, smallestPivot, deficient: d - rank };
}

/** D L⁻ᵀ, and log |D⁻¹ L Lᵀ D⁻¹|; the diagonal of L may be negative. */
function scaledInverse(lower: Float64Array, scale: Float64Array): { w: Float64Array; logDet: number } {
  const d = scale.length;
  const w = inverseTransposed(lower, d);
  let logDet = 0;
  for (let i = 0; i < d; i++) {
    logDet += 2 * (log(Math.abs(lower[i * d + i]!)) - log(scale[i]!));
    for (let j = 0; j < d; j++) w[i * d + j]! *= scale[i]!;
  }
  return { w, logDet };
}

/** L⁻ᵀ of a lower triangle, row-major. */
function inverseTransposed(lower: Float64Array, d: number): Float64Array {
  const out = new Float64Array(d * d);
  // Row c of L⁻ᵀ is column c of L⁻¹: forward substitution from e_c.
  for (let c = 0; c < d; c++) {
    const row = c * d;
    for (let i = c; i < d; i++) {
      let sum = i === c ? 1 : 0;
      const at = i * d;
      for (let k = c; k < i; k++) sum -= lower[at + k]! * out[row + k]!;
      out[row + i] = sum / lower[at + i]!;
    }
  }
  return out;
}

/** Rows (count × d) times W (d × rank). */
export function projected(rows: Float64Array, count: number, w: Float64Array, rank: number): Float64Array {
  const d = count === 0 ? 0 : rows.length / count;
  const out = new Float64Array(count * rank);
  for (let i = 0; i < count; i++) {
    for (let j = 0; j < d; j++) {
      const x = rows[i * d + j]!;
      if (x === 0) continue;
      for (let c = 0, o = i * rank, at = j * rank; c < rank; c++) out[o++]! += x * w[at++]!;
    }
  }
  return out;
}
