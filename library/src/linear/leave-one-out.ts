import { DataError } from "../core/errors.js";
import { CsrMatrix } from "../data/csr-matrix.js";
import { requireFinite } from "../data/input.js";
import { Matrix } from "../data/matrix.js";
import type { RegressionSet } from "../data/training-set.js";
import { symmetricEigen } from "../numeric/linalg/eigen.js";
import { gemm } from "../numeric/linalg/products.js";
import { centredRows } from "../numeric/rows/centred-rows.js";
import { gramOf } from "../numeric/rows/moments.js";

/**
 * The leave-one-out errors of ridge regression for many α from one eigendecomposition.
 *
 * Let A be the rows √s (x − x̄), t the targets √s (y − ȳ) and u = √s/‖√s‖. With an unpenalised intercept, the fit is linear in y:
 *
 *   t̂ = H t,     H = uuᵀ + A(AᵀA + αI)⁻¹Aᵀ,     and without row i its error is   eᵢ = (tᵢ − t̂ᵢ)/(√sᵢ (1 − Hᵢᵢ))
 *
 * [Golub, Heath & Wahba 1979; Rifkin & Lippert 2007]. With AᵀA = VΛVᵀ and Z = AV, one α costs n · d; with fewer rows than columns,
 * AAᵀ = QΛQᵀ gives tᵢ − t̂ᵢ and 1 − Hᵢᵢ directly. Without intercept x̄, ȳ and u are 0.
 */
export function leaveOneOut(
  where: string,
  set: RegressionSet,
  intercept: boolean,
): (alpha: number) => Float64Array {
  const { x, y, weights } = set;
  requireFinite(where, x);
  if (x.rows < 2) {
    throw new DataError({
      where,
      subject: "X",
      expected: "at least two rows, since one is left out",
      received: "1 row",
    });
  }
  const roots = weights ? weights.map(Math.sqrt) : new Float64Array(x.rows).fill(1);
  const total = roots.reduce((sum, r) => sum + r * r, 0);
  const yMean = intercept ? y.reduce((sum, v, i) => sum + roots[i]! ** 2 * v, 0) / total : 0;
  const t = y.map((v, i) => roots[i]! * (v - yMean));
  const unit = roots.map((r) => (intercept ? r / Math.sqrt(total) : 0));
  const mean = intercept ? weightedMean(x, roots, total) : new Float64Array(x.cols);
  const scaled = { t, unit, roots };
  return x.cols <= x.rows
    ? byColumns(where, centredRows(x instanceof CsrMatrix ? x.toDense() : x, mean, weights), scaled)
    : byRows(where, x, mean, weights, scaled);
}

interface Scaled {
  readonly t: Float64Array;
  readonly unit: Float64Array;
  readonly roots: Float64Array;
}

function byColumns(where: string, a: Matrix, { t, unit, roots }: Scaled): (alpha: number) => Float64Array {
  const { rows: n, cols: d } = a;
  const { values, vectors } = symmetricEigen(gram(where, a), d);
  const z = gemm(a, new Matrix(vectors, d, d)).data;
  const g = new Float64Array(d);
  for (let i = 0; i < n; i++) for (let k = 0; k < d; k++) g[k]! += z[i * d + k]! * t[i]!;
  return (alpha) => {
    const inverse = values.map((v) => 1 / (Math.max(0, v) + alpha));
    const along = g.map((v, k) => v * inverse[k]!);
    return t.map((target, i) => {
      let fit = 0;
      let leverage = unit[i]! * unit[i]!;
      for (let k = 0, e = i * d; k < d; k++, e++) {
        fit += z[e]! * along[k]!;
        leverage += z[e]! * z[e]! * inverse[k]!;
      }
      return (target - fit) / (roots[i]! * (1 - leverage));
    });
  };
}

/** (t − t̂)/(1 − H) = Q(Λ + α)⁻¹Qᵀt over the diagonal of Q(Λ + α)⁻¹Qᵀ, both without the direction u. */
function byRows(
  where: string,
  x: Matrix | CsrMatrix,
  mean: Float64Array,
  weights: Float64Array | undefined,
  { t, unit, roots }: Scaled,
): (alpha: number) => Float64Array {
  const n = x.rows;
  const k =
    x instanceof CsrMatrix
      ? sparseProducts(x, mean, roots)
      : gram(where, centredRows(x, mean, weights).transpose());
  // Centred rows have eigenvalue 0 along u; moved above all others, it is the last one and is left out.
  let trace = 0;
  for (let i = 0; i < n; i++) trace += k[i * n + i]!;
  const intercept = unit[0] !== 0;
  const above = 2 * trace + 1;
  if (intercept)
    for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) k[i * n + j]! += above * unit[i]! * unit[j]!;
  const { values, vectors: q } = symmetricEigen(k, n);
  const used = intercept ? n - 1 : n;
  const g = new Float64Array(used);
  for (let i = 0; i < n; i++) for (let e = 0; e < used; e++) g[e]! += q[i * n + e]! * t[i]!;
  return (alpha) => {
    const inverse = values.subarray(0, used).map((v) => 1 / (Math.max(0, v) + alpha));
    return roots.map((root, i) => {
      let dual = 0;
      let diagonal = 0;
      for (let e = 0; e < used; e++) {
        const v = q[i * n + e]!;
        dual += v * inverse[e]! * g[e]!;
        diagonal += v * v * inverse[e]!;
      }
      return dual / (root * diagonal);
    });
  };
}

/** AᵀA. */
function gram(where: string, a: Matrix): Float64Array {
  const d = a.cols;
  const wide = new Float64Array((d + 1) * (d + 1));
  gramOf(where, a, undefined, wide);
  const out = new Float64Array(d * d);
  for (let j = 0; j < d; j++) out.set(wide.subarray(j * (d + 1), j * (d + 1) + d), j * d);
  return out;
}

/** √sᵢ√sⱼ (xᵢ − x̄)·(xⱼ − x̄) of sparse rows: a dense row at a time against the entries of the others. */
function sparseProducts(x: CsrMatrix, mean: Float64Array, roots: Float64Array): Float64Array {
  const n = x.rows;
  const out = new Float64Array(n * n);
  const far = mean.reduce((sum, m) => sum + m * m, 0);
  const dot = (row: Float64Array, i: number) => {
    let sum = 0;
    for (let e = x.indptr[i]!; e < x.indptr[i + 1]!; e++) sum += row[x.indices[e]!]! * x.values[e]!;
    return sum;
  };
  const along = Float64Array.from({ length: n }, (_, i) => dot(mean, i));
  for (let i = 0; i < n; i++) {
    const row = x.row(i);
    for (let j = 0; j <= i; j++) {
      const product = roots[i]! * roots[j]! * (dot(row, j) - along[i]! - along[j]! + far);
      out[i * n + j] = product;
      out[j * n + i] = product;
    }
  }
  return out;
}

function weightedMean(x: Matrix | CsrMatrix, roots: Float64Array, total: number): Float64Array {
  const mean = new Float64Array(x.cols);
  for (let i = 0; i < x.rows; i++) {
    const s = roots[i]! ** 2 / total;
    if (x instanceof CsrMatrix)
      for (let e = x.indptr[i]!; e < x.indptr[i + 1]!; e++) mean[x.indices[e]!]! += s * x.values[e]!;
    else for (let j = 0, e = i * x.cols; j < x.cols; j++, e++) mean[j]! += s * x.data[e]!;
  }
  return mean;
}
