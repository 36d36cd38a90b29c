import { Random } from "../../core/numbers/random.js";
import { Matrix } from "../../data/matrix.js";
import { symmetricEigen } from "../linalg/eigen.js";
import { gemm } from "../linalg/products.js";

/** Maximum number of directions. */
const MOST = 64;
const OVERSAMPLING = 8;
const POWERS = 2;
/** Fraction of the sample's variance that the directions should explain, and below which they exclude too few points. */
const ENOUGH = 0.9;
const LEAST = 0.5;

/**
 * Orthonormal directions in which the rows of a sample vary most, as columns; undefined if a few explain too little of the variance. Computed
 * by subspace iteration [Halko, Martinsson & Tropp 2011, algorithm 4.4]; any orthonormal directions are valid, these
 * exclude more points.
 */
export function mainDirections(sample: Matrix): Matrix | undefined {
  const { cols: d } = sample;
  const count = MOST + OVERSAMPLING;
  const random = new Random(0);
  const transposed = sample.transpose();
  let basis: Matrix = new Matrix(
    Float64Array.from({ length: d * count }, () => random.normal()),
    d,
    count,
  );
  for (let power = 0; power < POWERS; power++) basis = orthonormal(gemm(transposed, gemm(sample, basis)), 1);
  const projected = gemm(sample, basis);
  const { values, vectors } = symmetricEigen(gemm(projected.transpose(), projected).data, count);
  const total = sample.data.reduce((sum, value) => sum + value * value, 0);
  let held = 0;
  let kept = 0;
  while (kept < MOST && held < ENOUGH * total) held += Math.max(0, values[count - 1 - kept++]!);
  if (!(held >= LEAST * total)) return undefined;
  // The largest eigenvalues come last.
  const turned = new Float64Array(count * kept);
  for (let a = 0; a < count; a++)
    for (let c = 0; c < kept; c++) turned[a * kept + c] = vectors[a * count + count - 1 - c]!;
  return orthonormal(gemm(basis, new Matrix(turned, count, kept)), 2);
}

/** The columns made orthonormal (Gram–Schmidt; to the last digits in two rounds); columns that depend on those before become 0. */
function orthonormal(a: Matrix, rounds: number): Matrix {
  const { rows: d, cols: count } = a;
  const columns = a.transpose().data;
  const dot = (p: number, q: number) => {
    let sum = 0;
    for (let j = 0; j < d; j++) sum += columns[p * d + j]! * columns[q * d + j]!;
    return sum;
  };
  for (let c = 0; c < count; c++) {
    const before = Math.sqrt(dot(c, c));
    for (let round = 0; round < rounds; round++) {
      for (let p = 0; p < c; p++) {
        const along = dot(p, c);
        for (let j = 0; j < d; j++) columns[c * d + j]! -= along * columns[p * d + j]!;
      }
    }
    const length = Math.sqrt(dot(c, c));
    const scale = length > 1e-10 * before ? 1 / length : 0;
    for (let j = 0; j < d; j++) columns[c * d + j]! *= scale;
  }
  return new Matrix(columns, count, d).transpose();
}
