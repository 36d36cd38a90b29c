import { DataError } from "../../core/errors.js";
import { CsrMatrix } from "../../data/csr-matrix.js";
import { requireFinite } from "../../data/input.js";
import { Matrix } from "../../data/matrix.js";
import type { TargetsSet } from "../../data/targets.js";
import { symmetricEigen } from "../../numeric/linalg/eigen.js";
import { gemm } from "../../numeric/linalg/products.js";
import { centredRows } from "../../numeric/rows/centred-rows.js";
import { gramOf } from "../../numeric/rows/moments.js";

/**
 * The leave-one-out errors of ridge regression for many α and targets from one eigendecomposition.
 *
 * Let A be the rows √s (x − x̄), t the targets √s (y − ȳ) and u = √s/‖√s‖. With an unpenalised intercept, the fit is linear in y:
 *
 *   t̂ = H t,     H = uuᵀ + A(AᵀA + αI)⁻¹Aᵀ,     and without row i its error is   eᵢ = (tᵢ − t̂ᵢ)/(√sᵢ (1 − Hᵢᵢ))
 *
 * [Golub, Heath & Wahba 1979; Rifkin & Lippert 2007]. With AᵀA = VΛVᵀ and Z = AV, one α costs n · d; with fewer rows than columns,
 * AAᵀ = QΛQᵀ gives tᵢ − t̂ᵢ and 1 − Hᵢᵢ directly. Without intercept x̄, ȳ and u are 0.
 * Returns a matrix per target: one row per row of X, one column per α. NaN where a row determines its own fit so far that the difference
 * 1 − Hᵢᵢ is lost to rounding: such a row has to be left out in earnest.
 */
export function leaveOneOut(
  where: string,
  set: TargetsSet,
  intercept: boolean,
  alphas: readonly number[],
): readonly Matrix[] {
  const { x, y, weights } = set;
  requireFinite(where, x);
  if (x.rows < 2) throw new DataError(where, "X", "at least two rows, since one is left out", "1 row");
  const roots = weights ? weights.map(Math.sqrt) : new Float64Array(x.rows).fill(1);
  const total = roots.reduce((sum, r) => sum + r * r, 0);
  const unit = roots.map((r) => (intercept ? r / Math.sqrt(total) : 0));
  const mean = intercept ? weightedMean(x, roots, total) : new Float64Array(x.cols);
  const t = y.map((target) => {
    const yMean = intercept ? target.reduce((sum, v, i) => sum + roots[i]! ** 2 * v, 0) / total : 0;
    return target.map((v, i) => roots[i]! * (v - yMean));
  });
  const rows = { x, mean, weights, t, unit, roots };
  return x.cols <= x.rows ? byColumns(where, rows, alphas) : byRows(where, rows, alphas);
}

interface Centred {
  readonly x: Matrix | CsrMatrix;
  readonly mean: Float64Array;
  readonly weights: Float64Array | undefined;
  /** One list per target. */
  readonly t: readonly Float64Array[];
  readonly unit: Float64Array;
  readonly roots: Float64Array;
}

/** Differences from 1 below this have lost more than half of their digits. */
const LOST = 1e-8;

/** Numbers of a block of rows, so that Z is never in memory as a whole. */
const BLOCK = 1 << 18;

function byColumns(where: string, rows: Centred, alphas: readonly number[]): readonly Matrix[] {
  const { x, t, unit, roots } = rows;
  const { rows: n, cols: d } = x;
  const height = Math.max(1, Math.floor(BLOCK / d));
  const blocks = Array.from({ length: Math.ceil(n / height) }, (_, b) => b * height);
  const { q, c } = products(where, rows, blocks, height);
  const { values, vectors } = symmetricEigen(q, d);
  const v = new Matrix(vectors, d, d);
  const inverses = alphas.map((alpha) => values.map((value) => 1 / (Math.max(0, value) + alpha)));
  const steps = c.map((own) => {
    const along = gemm(new Matrix(own, 1, d), v).data;
    return inverses.map((inverse) => inverse.map((w, k) => w * along[k]!));
  });
  const out = t.map(() => Matrix.zeros(n, alphas.length));
  for (const from of blocks) {
    const z = gemm(block(rows, from, height), v);
    for (let r = 0; r < z.rows; r++) {
      const i = from + r;
      for (let a = 0; a < alphas.length; a++) {
        const inverse = inverses[a]!;
        let leverage = unit[i]! * unit[i]!;
        for (let k = 0, e = r * d; k < d; k++, e++) leverage += z.data[e]! * z.data[e]! * inverse[k]!;
        for (let m = 0; m < out.length; m++) {
          const step = steps[m]![a]!;
          let fit = 0;
          for (let k = 0, e = r * d; k < d; k++, e++) fit += z.data[e]! * step[k]!;
          const error = (t[m]![i]! - fit) / (roots[i]! * (1 - leverage));
          out[m]!.data[i * alphas.length + a] = 1 - leverage < LOST ? Number.NaN : error;
        }
      }
    }
  }
  return out;
}

/** Some rows of A. */
function block({ x, mean, weights }: Centred, from: number, height: number): Matrix {
  const list = Int32Array.from({ length: Math.min(height, x.rows - from) }, (_, r) => from + r);
  const own = x.selectRows(list);
  return centredRows(
    own instanceof CsrMatrix ? own.toDense() : own,
    mean,
    weights?.subarray(from, from + list.length),
  );
}

/** AᵀA, and Aᵀt of every target. */
function products(where: string, rows: Centred, blocks: readonly number[], height: number) {
  const d = rows.x.cols;
  const q = new Float64Array(d * d);
  const c = rows.t.map(() => new Float64Array(d));
  for (const from of blocks) {
    const a = block(rows, from, height);
    const own = gram(where, a);
    for (let e = 0; e < q.length; e++) q[e]! += own[e]!;
    for (const [m, sums] of c.entries()) {
      const t = rows.t[m]!;
      for (let r = 0, e = 0; r < a.rows; r++)
        for (let j = 0; j < d; j++, e++) sums[j]! += a.data[e]! * t[from + r]!;
    }
  }
  return { q, c };
}

/** (t − t̂)/(1 − H) = Q(Λ + α)⁻¹Qᵀt over the diagonal of Q(Λ + α)⁻¹Qᵀ, both without the direction u. */
function byRows(where: string, rows: Centred, alphas: readonly number[]): readonly Matrix[] {
  const { x, mean, weights, t, unit, roots } = rows;
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
  const g = t.map((own) => {
    const along = new Float64Array(used);
    for (let i = 0; i < n; i++) for (let e = 0; e < used; e++) along[e]! += q[i * n + e]! * own[i]!;
    return along;
  });
  const out = t.map(() => Matrix.zeros(n, alphas.length));
  for (const [a, alpha] of alphas.entries()) {
    const inverse = values.subarray(0, used).map((v) => 1 / (Math.max(0, v) + alpha));
    for (let i = 0; i < n; i++) {
      let diagonal = 0;
      for (let e = 0; e < used; e++) diagonal += q[i * n + e]! * q[i * n + e]! * inverse[e]!;
      for (let m = 0; m < out.length; m++) {
        let dual = 0;
        for (let e = 0; e < used; e++) dual += q[i * n + e]! * inverse[e]! * g[m]![e]!;
        const lost = 1 - unit[i]! * unit[i]! < LOST;
        out[m]!.data[i * alphas.length + a] = lost ? Number.NaN : dual / (roots[i]! * diagonal);
      }
    }
  }
  return out;
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
