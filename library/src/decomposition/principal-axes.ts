import { ShapeError } from "../core/errors.js";
import { integer } from "../core/params/params.js";
import { tooLarge } from "../data/input.js";
import { Matrix } from "../data/matrix.js";
import { crossProducts } from "../numeric/linalg/orthonormal.js";
import { gemm } from "../numeric/linalg/products.js";
import { randomizedSvd } from "../numeric/linalg/randomized-svd.js";
import { type CountOf, largestEigen } from "../numeric/linalg/spectrum.js";
import { columnMoments } from "../numeric/rows/column-moments.js";
import type { Scatter } from "../numeric/rows/moments.js";
import { rowScatter } from "../numeric/rows/row-scatter.js";

export const nOversamples = () =>
  integer({ atLeast: 0, default: 10, doc: "Random vectors besides nComponents (randomized)." });

/** Axes of the centred rows by decreasing squared singular value. */
export interface PrincipalAxes {
  readonly mean: Float64Array;
  /** One row per axis. */
  readonly components: Matrix;
  /** σ² of the axes in `components`. */
  readonly squares: Float64Array;
  /** Σ of all squared deviations: the sum of all σ². */
  readonly total: number;
}

/** σ² below this fraction of the largest, per row or column, is what rounding leaves of 0. */
const ROUNDING = 1e-15;
/** Axes of a Gram matrix with σ below this fraction of the largest are made orthogonal to the others by force. */
const WEAK = 1e-5;

/** By the eigenvectors of Xᵀ X of centred rows, d × d. */
export function axesOfCovariance(where: string, x: Matrix, countOf: CountOf): PrincipalAxes {
  const rows = Int32Array.from({ length: x.rows }, (_, i) => i);
  return axesOfScatter(where, rowScatter(where, x, rows, undefined), countOf);
}

/** By the eigenvectors of a scatter that is known. */
export function axesOfScatter(
  where: string,
  { mean, scatter }: Pick<Scatter, "mean" | "scatter">,
  countOf: CountOf,
): PrincipalAxes {
  const d = mean.length;
  const { values, vectors } = largestEigen(where, scatter, d, (all) => countOf(cleaned(all, d)));
  const count = vectors.length / d;
  let total = 0;
  for (let j = 0; j < d; j++) total += scatter[j * d + j]!;
  const squares = cleaned(values, d).slice(0, count);
  return { mean, components: new Matrix(vectors, count, d), squares, total };
}

/** By the eigenvectors of X Xᵀ of centred rows, n × n: for more columns than rows. */
export function axesOfGram(where: string, x: Matrix, countOf: CountOf): PrincipalAxes {
  const n = x.rows;
  const { mean } = columnMoments(where, x, undefined);
  const turned = centred(x, mean).transpose();
  const gram = crossProducts(where, turned);
  if (!gram.every(Number.isFinite)) tooLarge(where, "values whose sums are not finite", SCALE);
  const { values, vectors } = largestEigen(where, gram, n, (all) => countOf(cleaned(all, n)));
  const count = vectors.length / n;
  let total = 0;
  for (let i = 0; i < n; i++) total += gram[i * n + i]!;
  const squares = cleaned(values, n).slice(0, count);
  const components = gemm(turned, new Matrix(vectors, count, n).transpose()).transpose();
  for (let k = 0; k < count; k++) completeInto(k, squares, components);
  return { mean, components, squares, total };
}

/** By randomised subspace iteration, which is approximate. */
export function axesByRandomizedSvd(
  where: string,
  x: Matrix,
  plan: { nComponents: number; nOversamples: number; nIter: number; randomState: number },
): PrincipalAxes {
  const { mean } = columnMoments(where, x, undefined);
  const rows = centred(x, mean);
  const turned = rows.transpose();
  let total = 0;
  for (const value of rows.data) total += value * value;
  if (!Number.isFinite(total)) tooLarge(where, "values whose sums are not finite", SCALE);
  const { values, vectors } = randomizedSvd(
    where,
    { rows: x.rows, cols: x.cols, times: (b) => gemm(rows, b), transposedTimes: (b) => gemm(turned, b) },
    plan,
  );
  const squares = values.map((value) => value * value);
  for (let k = 0; k < squares.length; k++) if (!(squares[k]! > 0)) completeInto(k, squares, vectors);
  return { mean, components: vectors, squares, total };
}

export function centred({ data, rows, cols }: Matrix, mean: Float64Array): Matrix {
  const out = new Float64Array(data.length);
  for (let i = 0, e = 0; i < rows; i++) for (let j = 0; j < cols; j++, e++) out[e] = data[e]! - mean[j]!;
  return new Matrix(out, rows, cols);
}

/** Eigenvalues of a matrix that has none below 0: what rounding leaves of 0 is 0. */
function cleaned(values: Float64Array, side: number): Float64Array {
  const least = ROUNDING * side * Math.max(values[0] ?? 0, 0);
  return values.map((value) => (value > least ? value : 0));
}

/** Axis k with length 1; a weak one is made orthogonal to those before it, and one of length 0 is replaced. */
function completeInto(k: number, squares: Float64Array, out: Matrix): void {
  const own = out.row(k);
  const weak = !(squares[k]! > WEAK * WEAK * squares[0]!);
  if (!weak) {
    scaleInto(own, 1 / Math.sqrt(dot(own, own)));
    return;
  }
  const strength = Math.sqrt(squares[k]!);
  for (let j = -1; j < out.cols; j++) {
    if (j >= 0) {
      own.fill(0);
      own[j] = 1;
    } else if (strength > 0) scaleInto(own, 1 / strength);
    for (let pass = 0; pass < 2; pass++) {
      for (let other = 0; other < k; other++) {
        const axis = out.row(other);
        const along = dot(axis, own);
        for (let e = 0; e < own.length; e++) own[e]! -= along * axis[e]!;
      }
    }
    const length = Math.sqrt(dot(own, own));
    // Some unit vector is further than this from a space of fewer dimensions.
    if (length > 0.5 / Math.sqrt(out.cols) && (j >= 0 || strength > 0)) {
      scaleInto(own, 1 / length);
      return;
    }
  }
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let e = 0; e < a.length; e++) sum += a[e]! * b[e]!;
  return sum;
}

function scaleInto(out: Float64Array, factor: number): void {
  for (let e = 0; e < out.length; e++) out[e]! *= factor;
}

const SCALE = { advice: "Scale the columns (StandardScaler)." };

/** Throws for more components than X has. */
export function requireComponents(where: string, nComponents: number | null, most: number): void {
  if (nComponents === null || nComponents <= most) return;
  const expected = `at most the smaller of rows and columns (${most})`;
  throw new ShapeError(where, "nComponents", expected, `${nComponents}`);
}
