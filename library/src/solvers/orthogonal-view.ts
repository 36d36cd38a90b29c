import { CsrMatrix } from "../data/csr-matrix.js";
import { Matrix } from "../data/matrix.js";
import { type ColumnSvd, columnSvd, removeInto } from "../numeric/linalg/column-svd.js";
import { gemm } from "../numeric/linalg/products.js";
import { triangularFactor } from "../numeric/linalg/qr.js";
import { jacobiSvd } from "../numeric/linalg/svd.js";
import { centredRows } from "../numeric/rows/centred-rows.js";
import type { View } from "./centred-columns.js";
import { blocksOf, type Problem } from "./problem.js";

/** Sparse rows of at most this many entries, zeros included, are made dense. */
const DENSE_ENTRIES = 4e6;
/** Jacobi rotations of larger matrices take minutes. */
const LARGEST_SIDE = 400;
/** Maximum number of operations of the QR factorisation: a few seconds. */
const MOST_OPERATIONS = 4e9;

/**
 * The problem on orthogonal columns, for columns that are dependent or nearly so: A = U S Vᵀ with A the rows, centred if b
 * is learned.
 *
 *   without a penalty:   columns √n U,   w = V S⁻¹ √n u (of columns scaled to length 1; the solution of least norm)
 *   with l2 or its ball: columns A V,    w = V v, which preserves ‖w‖
 *
 * From QR and Jacobi rotations, without squared condition numbers. Null if a penalty forbids the rotation, or X is too large.
 */
export function orthogonalView(problem: Problem): View | null {
  const { x, l1, l2, ball, intercept } = problem;
  const small = Math.min(x.rows, x.cols);
  const fits =
    small <= LARGEST_SIDE &&
    2 * x.rows * x.cols * small <= MOST_OPERATIONS &&
    (!(x instanceof CsrMatrix) || x.rows * x.cols <= DENSE_ENTRIES);
  if (l1 > 0 || ball?.norm === "l1" || !fits) return null;
  const dense = x instanceof CsrMatrix ? x.toDense() : x;
  const centre = intercept ? columnMeans(dense) : new Float64Array(x.cols);
  const a = centredRows(dense, centre, undefined);
  const rotation = l2 > 0 || ball !== null;
  const basis = x.cols > x.rows ? wideBasis(a, rotation) : rotation ? rotated(a) : spanned(a, centre);
  const outputs = blocksOf(problem);
  return {
    problem: { ...problem, x: basis.x, independent: true, start: undefined, opened: undefined },
    back: (theta) => {
      const out = new Float64Array(outputs * (x.cols + 1));
      const r = basis.x.cols;
      for (let k = 0; k < outputs; k++) {
        const w = basis.back(theta.subarray(k * (r + 1), k * (r + 1) + r));
        out.set(w, k * (x.cols + 1));
        out[k * (x.cols + 1) + x.cols] = theta[k * (r + 1) + r]! - preciseDot(w, centre);
      }
      return out;
    },
  };
}

interface Basis {
  readonly x: Matrix;
  back(u: Float64Array): Float64Array;
}

/** Around the first row, so that constant columns are centred exactly. */
function columnMeans({ rows, cols, data }: Matrix): Float64Array {
  const mean = new Float64Array(cols);
  for (let i = 0, at = 0; i < rows; i++)
    for (let j = 0; j < cols; j++, at++) mean[j]! += (data[at]! - data[j]!) / rows;
  return mean.map((m, j) => m + data[j]!);
}

/** Upper bound on the norm of a centred constant column, from the rounding of its mean. */
const noiseOf = (centre: Float64Array, rows: number) =>
  centre.map((m) => 8 * Number.EPSILON * Math.abs(m) * Math.sqrt(rows));

function spanned(a: Matrix, centre: Float64Array): Basis {
  const svd = columnSvd(a, [], noiseOf(centre, a.rows));
  const map = mapOf(svd, Math.sqrt(a.rows));
  return {
    x: gemm(a, map),
    back: (u) => {
      const w = times(map, u);
      removeInto(svd.nullSpace, w);
      return w;
    },
  };
}

/** D⁻¹ V S⁻¹ · factor, d × rank. */
function mapOf({ cols: d, rank, lengths, values, directions }: ColumnSvd, factor: number): Matrix {
  const out = Matrix.zeros(d, rank);
  for (let j = 0; j < d; j++) {
    if (lengths[j] === 0) continue;
    for (let k = 0; k < rank; k++)
      out.data[j * rank + k] = (factor * directions[k * d + j]!) / values[k]! / lengths[j]!;
  }
  return out;
}

function rotated(a: Matrix): Basis {
  const d = a.cols;
  const { r } = triangularFactor(a.rows, d, (i, out) => {
    out.set(a.data.subarray(i * d, (i + 1) * d));
    out[d] = 0;
  });
  const { values, v } = jacobiSvd(r, d);
  const lengths = new Float64Array(d);
  for (let e = 0; e < a.data.length; e++) lengths[e % d]! += a.data[e]! * a.data[e]!;
  // A singular value is rounding if the columns that add up to its direction are; their sizes may be very different.
  const kept = Array.from(values.keys()).filter((k) => {
    let size = 0;
    for (let j = 0; j < d; j++) size += Math.abs(v[k * d + j]!) * Math.sqrt(lengths[j]!);
    return values[k]! > Number.EPSILON * Math.max(a.rows, d) * size;
  });
  const map = Matrix.zeros(d, kept.length);
  kept.forEach((k, to) => {
    for (let j = 0; j < d; j++) map.data[j * kept.length + to] = v[k * d + j]!;
  });
  return { x: gemm(a, map), back: (u) => times(map, u) };
}

/** More columns than rows: Aᵀ = QR, R = U S Vᵀ, so A = V S Wᵀ with W = Aᵀ V S⁻¹. */
function wideBasis(a: Matrix, rotation: boolean): Basis {
  const { rows: n, cols: d } = a;
  const transposed = a.transpose();
  const { r } = triangularFactor(d, n, (j, out) => {
    out.set(transposed.data.subarray(j * n, (j + 1) * n));
    out[n] = 0;
  });
  const { values, v } = jacobiSvd(r, n);
  const kept = above(values, d);
  const x = Matrix.zeros(n, kept.length);
  const scaled = Matrix.zeros(n, kept.length);
  const root = Math.sqrt(n);
  kept.forEach((k, to) => {
    const s = values[k]!;
    for (let i = 0; i < n; i++) {
      x.data[i * kept.length + to] = v[k * n + i]! * (rotation ? s : root);
      scaled.data[i * kept.length + to] = v[k * n + i]! * (rotation ? 1 / s : root / s / s);
    }
  });
  const map = gemm(transposed, scaled);
  return { x, back: (u) => times(map, u) };
}

/** The singular values that are not rounding errors of the largest. */
function above(values: Float64Array, size: number): number[] {
  const largest = values.reduce((most, value) => Math.max(most, value), 0);
  return Array.from(values.keys()).filter((k) => values[k]! > Number.EPSILON * size * largest);
}

function times({ rows, cols, data }: Matrix, u: Float64Array): Float64Array {
  const out = new Float64Array(rows);
  for (let j = 0; j < rows; j++) for (let k = 0; k < cols; k++) out[j]! += data[j * cols + k]! * u[k]!;
  return out;
}

/** a·b with the rounding errors of products and sums added up as well [Ogita, Rump & Oishi 2005]. */
export function preciseDot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  let error = 0;
  for (let j = 0; j < a.length; j++) {
    const product = a[j]! * b[j]!;
    const [ah, bh] = [high(a[j]!), high(b[j]!)];
    const [al, bl] = [a[j]! - ah, b[j]! - bh];
    const lost = al * bl - (product - ah * bh - al * bh - ah * bl);
    const next = sum + product;
    const part = next - sum;
    error += sum - (next - part) + (product - part) + (Number.isFinite(lost) ? lost : 0);
    sum = next;
  }
  return sum + error;
}

/** The upper half of a double's digits [Veltkamp]. */
function high(v: number): number {
  const c = 134217729 * v;
  return c - (c - v);
}
