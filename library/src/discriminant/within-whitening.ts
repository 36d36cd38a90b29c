import type { Label } from "../core/labels.js";
import { requireFinite } from "../data/input.js";
import { Matrix } from "../data/matrix.js";
import type { ClassificationSet } from "../data/training-set.js";
import { cholesky, choleskySolveInto } from "../numeric/linalg/cholesky.js";
import { columnSvd, removeInto } from "../numeric/linalg/column-svd.js";
import { symmetricEigen } from "../numeric/linalg/eigen.js";
import { gemm } from "../numeric/linalg/products.js";
import { triangularFactor } from "../numeric/linalg/qr.js";
import { jacobiSvd } from "../numeric/linalg/svd.js";
import { choleskyWhitening, projected, type Whitening } from "../numeric/linalg/whitening.js";
import { rowsByClass } from "../numeric/rows/row-scatter.js";
import type { ClassStatistics, SummedStatistics } from "./covariance.js";

/** Below this the Cholesky factor of the moments has lost too many digits: rows decide. */
const WELL_CONDITIONED = 1e-5;
/** An eigenvalue below this (of about 1) is what rounding leaves of 0. */
export const ROUNDING = 1e-12;
/** Jacobi rotations of larger matrices take minutes; the eigenvalues' seven digits at the edge of tol must do. */
export const LARGEST_ROTATED = 256;

/** W with Wᵀ (pooled scatter / (n − K)) W = I, without the directions whose singular value is ≤ tol. */
export function withinWhitening(
  stats: ClassStatistics | SummedStatistics,
  pooled: Float64Array,
  tol: number,
): Pick<Whitening, "w" | "rank"> {
  const { d, total, counts } = stats;
  const divisor = total - counts.length;
  const direct = varyingWhitening(pooled, d, divisor);
  if (direct.smallestPivot > Math.max(WELL_CONDITIONED, 1e3 * tol * tol)) return direct;
  const scale = Float64Array.from({ length: d }, (_, j) => Math.sqrt(pooled[j * d + j]! / total) || 1);
  const correlation = new Float64Array(d * d);
  for (let i = 0, e = 0; i < d; i++)
    for (let j = 0; j < d; j++, e++) correlation[e] = pooled[e]! / divisor / scale[i]! / scale[j]!;
  let { values, vectors } = symmetricEigen(correlation, d);
  const unclear = values.some((value) => value > ROUNDING && value < WELL_CONDITIONED);
  const squares = Float64Array.from(values);
  if (unclear && d <= LARGEST_ROTATED && stats.x) {
    const { r } = triangularFactor(stats.x.rows, d, standardisedRow(stats, scale, divisor));
    const svd = jacobiSvd(r, d);
    values = svd.values;
    vectors = new Matrix(svd.v, d, d).transpose().data;
    for (let c = 0; c < d; c++) squares[c] = values[c]! * values[c]!;
  }
  const kept = Array.from(squares.keys()).filter((c) => squares[c]! > Math.max(tol * tol, ROUNDING));
  const w = new Float64Array(d * kept.length);
  for (let j = 0; j < d; j++) {
    kept.forEach((c, to) => {
      w[j * kept.length + to] = vectors[j * d + c]! / (scale[j]! * Math.sqrt(squares[c]!));
    });
  }
  return { w, rank: kept.length };
}

/**
 * W of Σ πₖ Σₖ from the rows themselves, which squares nothing: nearly dependent columns stay apart. Directions below scipy's
 * cut-off are left out, and W Wᵀ is the pseudo-inverse.
 */
export function rowWhitening(stats: ClassStatistics, priors: Float64Array): Pick<Whitening, "w" | "rank"> {
  const { x, codes, weights, means, counts, d } = stats;
  const rows = Matrix.zeros(x.rows, d);
  for (let i = 0; i < x.rows; i++) {
    const k = codes[i]!;
    const s = Math.sqrt((priors[k]! / counts[k]!) * (weights === undefined ? 1 : weights[i]!));
    for (let j = 0; j < d; j++) rows.data[i * d + j] = s * (x.data[i * d + j]! - means[k * d + j]!);
  }
  const noise = new Float64Array(d);
  for (let e = 0; e < means.length; e++)
    noise[e % d] = Math.max(noise[e % d]!, 8 * Number.EPSILON * Math.abs(means[e]!));
  const { rank, lengths, values, directions, nullSpace } = columnSvd(rows, [], noise);
  const columns = new Float64Array(d);
  const w = new Float64Array(d * rank);
  for (let c = 0; c < rank; c++) {
    for (let j = 0; j < d; j++)
      columns[j] = lengths[j]! > 0 ? directions[c * d + j]! / (lengths[j]! * values[c]!) : 0;
    // Of all whitenings of a singular Σ the one in its range is that of the pseudo-inverse.
    removeInto(nullSpace, columns);
    for (let j = 0; j < d; j++) w[j * rank + c] = columns[j]!;
  }
  return { w, rank };
}

/** By Cholesky, over the columns that vary within classes; the others have zeros in W. */
function varyingWhitening(pooled: Float64Array, d: number, divisor: number): Whitening {
  const varying = Array.from({ length: d }, (_, j) => j).filter((j) => pooled[j * d + j]! > 0);
  const r = varying.length;
  const covariance = new Float64Array(r * r);
  varying.forEach((i, row) => {
    varying.forEach((j, col) => {
      covariance[row * r + col] = pooled[i * d + j]! / divisor;
    });
  });
  const part = choleskyWhitening(covariance, r);
  if (r === d) return part;
  const w = new Float64Array(d * r);
  varying.forEach((j, row) => {
    w.set(part.w.subarray(row * r, (row + 1) * r), j * r);
  });
  return { ...part, w };
}

/** A whitening W by what it does, since W itself may be d × n. */
export interface WhiteningMap {
  /** Number of columns of W. */
  readonly rank: number;
  /** Rows times W, `count` of them. */
  project(rows: Float64Array, count: number): Float64Array;
  /** W times the transpose of `vectors`, whose rows are `count` combinations of the columns of W. */
  combine(vectors: Float64Array, count: number): Float64Array;
}

export function whiteningMap({ w, rank }: Pick<Whitening, "w" | "rank">): WhiteningMap {
  return {
    rank,
    project: (rows, count) => projected(rows, count, w, rank),
    combine: (vectors, count) => {
      const d = rank === 0 ? 0 : w.length / rank;
      const out = new Float64Array(d * count);
      for (let j = 0; j < d; j++)
        for (let a = 0; a < count; a++) {
          let sum = 0;
          for (let c = 0; c < rank; c++) sum += w[j * rank + c]! * vectors[a * rank + c]!;
          out[j * count + a] = sum;
        }
      return out;
    },
  };
}

/**
 * The same where columns outnumber rows. With Z the n × d standardised deviations and G = Z Zᵀ, W = D⁻¹ Zᵀ G⁻¹ is a whitening: Wᵀ(DZᵀZD)W = I,
 * and W Wᵀ is the pseudo-inverse. G has a zero eigenvalue per class, since deviations from its mean sum to 0; the direction is known, and
 * Zᵀ maps it to 0, so that adding it to G changes nothing else. Where G is nearly singular beyond that, its eigenvalues decide.
 */
export function wideWhitening(stats: ClassStatistics, tol: number): WhiteningMap {
  const { z, scale } = standardised(stats);
  const n = z.rows;
  const gram = gemm(z, z.transpose());
  const factor = cholesky(withClassDirections(gram.data, stats), n);
  const least = Math.max(WELL_CONDITIONED, (1e3 * tol * tol * n) / trace(gram.data, n));
  if (!(factor.smallestPivot > least)) return whiteningMap(eigenWide(z, gram, scale, tol));
  const solved = (rows: Float64Array, count: number) => {
    const out = new Float64Array(count * n);
    for (let k = 0; k < count; k++)
      choleskySolveInto(factor, rows.subarray(k * n, (k + 1) * n), out.subarray(k * n, (k + 1) * n));
    return out;
  };
  const d = z.cols;
  return {
    rank: n,
    project: (rows, count) => {
      const scaled = rows.map((value, e) => value / scale[e % d]!);
      return solved(gemm(new Matrix(scaled, count, d), z.transpose()).data, count);
    },
    combine: (vectors, count) => {
      const across = gemm(new Matrix(solved(vectors, count), count, n), z);
      for (let e = 0; e < across.data.length; e++) across.data[e]! /= scale[e % d]!;
      return across.transpose().data;
    },
  };
}

const trace = (square: Float64Array, n: number): number => {
  let sum = 0;
  for (let i = 0; i < n; i++) sum += square[i * n + i]!;
  return sum;
};

/** G + θ Σₖ vₖvₖᵀ, with vₖ the unit vector of the null direction √s of class k, and θ the mean of G's diagonal. */
function withClassDirections(gram: Float64Array, { codes, weights, counts }: ClassStatistics): Float64Array {
  const n = codes.length;
  const out = gram.slice();
  const theta = trace(gram, n) / n;
  const v = Float64Array.from(codes, (k, i) =>
    Math.sqrt((weights === undefined ? 1 : weights[i]!) / counts[k]!),
  );
  for (let i = 0; i < n; i++)
    for (let j = 0; j < n; j++) if (codes[i] === codes[j]) out[i * n + j]! += theta * v[i]! * v[j]!;
  return out;
}

/** By eigenvalues: Z Zᵀ = U S² Uᵀ and W = D⁻¹ Zᵀ U S⁻². */
function eigenWide(z: Matrix, gram: Matrix, scale: Float64Array, tol: number): Pick<Whitening, "w" | "rank"> {
  const { rows: n, cols: d } = z;
  const { values, vectors } = symmetricEigen(gram.data, n);
  const top = values[n - 1]!;
  const kept = Array.from(values.keys()).filter((c) => values[c]! > Math.max(tol * tol, ROUNDING * top));
  const u = Matrix.zeros(n, kept.length);
  for (let i = 0; i < n; i++) {
    kept.forEach((c, to) => {
      u.data[i * kept.length + to] = vectors[i * n + c]! / values[c]!;
    });
  }
  const w = gemm(z.transpose(), u).data;
  for (let j = 0; j < d; j++) for (let c = 0; c < kept.length; c++) w[j * kept.length + c]! /= scale[j]!;
  return { w, rank: kept.length };
}

/** Z, and what its columns were divided by. */
function standardised(stats: ClassStatistics): { readonly z: Matrix; readonly scale: Float64Array } {
  const { d, total, counts, x } = stats;
  const n = x.rows;
  const divisor = total - counts.length;
  const scale = withinDeviations(stats);
  const row = standardisedRow(stats, scale, divisor);
  const z = Matrix.zeros(n, d);
  const buffer = new Float64Array(d + 1);
  for (let i = 0; i < n; i++) {
    row(i, buffer);
    z.data.set(buffer.subarray(0, d), i * d);
  }
  return { z, scale };
}

/** Writes √(s/divisor) (x − μ of its class) / scale, and a 0 for the column that QR appends. */
function standardisedRow(
  { x, codes, weights, means, d }: ClassStatistics,
  scale: Float64Array,
  divisor: number,
): (i: number, out: Float64Array) => void {
  return (i, out) => {
    const s = Math.sqrt((weights === undefined ? 1 : weights[i]!) / divisor);
    const mean = codes[i]! * d;
    for (let j = 0; j < d; j++) out[j] = (s * (x.data[i * d + j]! - means[mean + j]!)) / scale[j]!;
    out[d] = 0;
  };
}

/** Means and counts alone, where d × d numbers would be too many. */
export function wideStatistics(where: string, set: ClassificationSet<Label>): ClassStatistics {
  const { codes, weights, classes } = set;
  const x = set.x as Matrix;
  requireFinite(where, x);
  const d = x.cols;
  const means = new Float64Array(classes.length * d);
  const counts = new Float64Array(classes.length);
  for (let i = 0; i < x.rows; i++) counts[codes[i]!]! += weights === undefined ? 1 : weights[i]!;
  for (let i = 0; i < x.rows; i++) {
    const k = codes[i]!;
    const share = (weights === undefined ? 1 : weights[i]!) / counts[k]!;
    for (let j = 0; j < d; j++) means[k * d + j]! += share * x.data[i * d + j]!;
  }
  const total = counts.reduce((sum, count) => sum + count, 0);
  return { x, codes, weights, rows: rowsByClass(codes, classes.length), means, counts, total, d };
}

/** √(Σ s (x − μ of its class)² / Σ s); 1 for a column that is constant in every class, up to the rounding of its means. */
function withinDeviations({ x, codes, weights, means, total, d }: ClassStatistics): Float64Array {
  const squares = new Float64Array(d);
  const size = new Float64Array(d);
  for (let i = 0; i < x.rows; i++) {
    const s = weights === undefined ? 1 : weights[i]!;
    for (let j = 0; j < d; j++) {
      const value = x.data[i * d + j]!;
      const u = value - means[codes[i]! * d + j]!;
      squares[j]! += s * u * u;
      size[j] = Math.max(size[j]!, Math.abs(value));
    }
  }
  return squares.map((square, j) => {
    const deviation = Math.sqrt(square / total);
    return deviation > 1e-14 * size[j]! ? deviation : Infinity;
  });
}
