import type { FitReport } from "../core/contract.js";
import { DataError } from "../core/errors.js";
import { CsrMatrix } from "../data/csr-matrix.js";
import { requireFinite } from "../data/input.js";
import { Matrix } from "../data/matrix.js";
import type { RegressionSet } from "../data/training-set.js";
import { squared } from "../losses/losses.js";
import { type CholeskyFactor, cholesky, choleskySolveInto } from "../numeric/cholesky.js";
import { symmetricEigen } from "../numeric/eigen.js";
import { gramOf, type Moments, momentsOf } from "../numeric/moments.js";
import { type IndependentColumns, independentColumns } from "../numeric/pivoted-cholesky.js";
import { triangularFactor } from "../numeric/qr.js";
import { jacobiSvd } from "../numeric/svd.js";
import { lbfgs } from "../solvers/lbfgs.js";

/**
 * Least squares with or without a ridge, solved directly:
 *
 *   minimise over (w, b):   Σᵢ sᵢ (yᵢ − w·xᵢ − b)² + α‖w‖²
 *
 * Rows enter only through their centred moments (two streamed passes), from which Cholesky gives w. Dependent columns
 * are told by a small pivot; then pivoting finds the independent ones, and w is the solution of least norm. Nearly
 * dependent ones need a QR factorisation of X itself, which squares nothing, and its SVD. With more columns than rows
 * the n × n dual is smaller:
 *
 *   w = Xᵀ(XXᵀ + αI)⁻¹ y
 *
 * Sparse rows without a ridge become dense while they are few (`DENSE_ENTRIES`); otherwise L-BFGS finds a minimum, which
 * is not the one of least norm when columns depend on each other.
 */
export interface LeastSquaresFit {
  readonly coef: Float64Array;
  readonly intercept: number;
  readonly report: FitReport;
}

/** Below this pivot (of the matrix scaled to unit diagonal) the moments have lost too many digits. */
const NEARLY_DEPENDENT = 1e-7;

/** Sparse rows of at most this many entries, zeros included, are solved as dense ones. */
const DENSE_ENTRIES = 4e6;

/** What `leastSquares` asks of the door: it finds NaN and ±∞ in its moments by itself. */
export const leastSquaresRules = { sparse: true, finiteLater: true } as const;

export function leastSquares(
  where: string,
  set: RegressionSet,
  alpha: number,
  intercept: boolean,
): LeastSquaresFit {
  const { x } = set;
  if (x instanceof CsrMatrix) {
    requireFinite(where, x);
    return alpha === 0 && x.rows * x.cols <= DENSE_ENTRIES
      ? leastSquares(where, { ...set, x: x.toDense() }, alpha, intercept)
      : iterative(where, set, alpha, intercept);
  }
  if (x.cols > x.rows) {
    requireFinite(where, x);
    return dual(where, x, set, alpha, intercept);
  }
  const moments = momentsOf(where, x, set.y, set.weights, intercept);
  checkMoments(where, x, moments);
  const d = x.cols;
  const { q, c } = normalEquations(moments, d);
  const ridged = q.slice();
  for (let j = 0; j < d; j++) ridged[j * d + j]! += alpha;
  const factor = cholesky(ridged, d);
  if (factor.smallestPivot < NEARLY_DEPENDENT) {
    const leastNorm = alpha === 0 ? dependentSolution(q, c) : null;
    if (leastNorm) return finished(leastNorm, moments, alpha, intercept, "cholesky");
    return orthogonal(x, set, moments, alpha, intercept);
  }
  const coef = new Float64Array(d);
  choleskySolveInto(factor, c, coef);
  refine(ridged, c, coef, (r, out) => choleskySolveInto(factor, r, out));
  return finished(coef, moments, alpha, intercept, "cholesky");
}

/** NaN and ±∞ in X show in the sums; finite numbers whose squares are not are an error of their own. */
function checkMoments(where: string, x: Matrix, { scatter }: Moments): void {
  const d = x.cols;
  for (let j = 0; j <= d; j++) {
    if (Number.isFinite(scatter[j * (d + 1) + j]!)) continue;
    requireFinite(where, x);
    throw new DataError({
      where,
      subject: j < d ? `column ${j} of X` : "y",
      expected: "numbers whose squares can be added up",
      received: "larger ones",
      advice: "Scale it (StandardScaler).",
    });
  }
}

function normalEquations({ scatter }: Moments, d: number): { q: Float64Array; c: Float64Array } {
  const side = d + 1;
  const q = new Float64Array(d * d);
  const c = new Float64Array(d);
  for (let i = 0; i < d; i++) {
    q.set(scatter.subarray(i * side, i * side + d), i * d);
    c[i] = scatter[i * side + d]!;
  }
  return { q, c };
}

/** One step of iterative refinement: w ← w + A⁻¹(c − A w). */
function refine(
  a: Float64Array,
  c: Float64Array,
  w: Float64Array,
  solve: (r: Float64Array, out: Float64Array) => void,
): void {
  const d = w.length;
  const residual = new Float64Array(d);
  for (let i = 0; i < d; i++) {
    let product = 0;
    for (let j = 0; j < d; j++) product += a[i * d + j]! * w[j]!;
    residual[i] = c[i]! - product;
  }
  const correction = new Float64Array(d);
  solve(residual, correction);
  for (let j = 0; j < d; j++) w[j]! += correction[j]!;
}

/**
 * The solution of least norm when columns depend on each other exactly (copies, a full set of dummies): w_I solves for
 * the independent columns I, and X = X_I B spreads it over all of them.
 *
 *   w = Bᵀ(BBᵀ)⁻¹ w_I
 *
 * Null when the moments do not tell dependent columns from nearly dependent ones.
 */
function dependentSolution(q: Float64Array, c: Float64Array): Float64Array | null {
  const d = c.length;
  const columns = independentColumns(q, d);
  if (columns === null) return null;
  const { chosen, rest, combination } = columns;
  const r = chosen.length;
  const pull = Float64Array.from(chosen, (j) => c[j]!);
  const own = new Float64Array(r);
  columns.solveInto(pull, own);
  const qOwn = new Float64Array(r * r);
  for (let i = 0; i < r; i++) {
    for (let j = 0; j < r; j++) qOwn[i * r + j] = q[chosen[i]! * d + chosen[j]!]!;
  }
  refine(qOwn, pull, own, columns.solveInto);
  const shared = new Float64Array(r);
  choleskySolveInto(outerOf(columns), own, shared);
  const w = new Float64Array(d);
  for (let i = 0; i < r; i++) {
    w[chosen[i]!] = shared[i]!;
    for (let e = 0; e < rest.length; e++) w[rest[e]!]! += combination[i * rest.length + e]! * shared[i]!;
  }
  return w;
}

/** The factor of BBᵀ = I + TTᵀ. */
function outerOf({ chosen, rest, combination }: IndependentColumns): CholeskyFactor {
  const r = chosen.length;
  const m = rest.length;
  const outer = new Float64Array(r * r);
  for (let i = 0; i < r; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = i === j ? 1 : 0;
      for (let e = 0; e < m; e++) sum += combination[i * m + e]! * combination[j * m + e]!;
      outer[i * r + j] = sum;
      outer[j * r + i] = sum;
    }
  }
  return cholesky(outer, r);
}

/** QR of [√s(x − mean); √α I], then the SVD of R: the solution of least norm. */
function orthogonal(
  x: Matrix,
  set: RegressionSet,
  moments: Moments,
  alpha: number,
  intercept: boolean,
): LeastSquaresFit {
  const { rows, cols, data } = x;
  const root = Math.sqrt(alpha);
  const total = alpha > 0 ? rows + cols : rows;
  const { r, qty } = triangularFactor(total, cols, (i, out) => {
    if (i >= rows) {
      out.fill(0);
      out[i - rows] = root;
      return;
    }
    const s = set.weights ? Math.sqrt(set.weights[i]!) : 1;
    for (let j = 0; j < cols; j++) out[j] = s * (data[i * cols + j]! - moments.mean[j]!);
    out[cols] = s * (set.y[i]! - moments.yMean);
  });
  const { values, us, v } = jacobiSvd(r, cols);
  const largest = values.reduce((most, value) => Math.max(most, value), 0);
  // scipy's cut-off: singular values below ε · max(n, d) of the largest are zero.
  const cut = Number.EPSILON * Math.max(rows, cols) * largest;
  const coef = new Float64Array(cols);
  for (let k = 0; k < cols; k++) {
    if (!(values[k]! > cut)) continue;
    let product = 0;
    for (let i = 0; i < cols; i++) product += us[k * cols + i]! * qty[i]!;
    const weight = product / (values[k]! * values[k]!);
    for (let j = 0; j < cols; j++) coef[j]! += weight * v[k * cols + j]!;
  }
  return finished(coef, moments, alpha, intercept, "svd");
}

/** w = Aᵀ(AAᵀ + αI)⁺ y for n < d; A the centred, weighted rows. */
function dual(
  where: string,
  x: Matrix,
  set: RegressionSet,
  alpha: number,
  intercept: boolean,
): LeastSquaresFit {
  const { rows: n, cols: d } = x;
  const { mean, yMean } = intercept ? means(x, set) : { mean: new Float64Array(d), yMean: 0 };
  // Transposed, so that the Gram kernel's rows are columns of X.
  const a = Matrix.zeros(d, n);
  for (let i = 0; i < n; i++) {
    const s = set.weights ? Math.sqrt(set.weights[i]!) : 1;
    for (let j = 0; j < d; j++) a.data[j * n + i] = s * (x.data[i * d + j]! - mean[j]!);
  }
  const wide = new Float64Array((n + 1) * (n + 1));
  gramOf(where, a, undefined, wide);
  const k = new Float64Array(n * n);
  for (let i = 0; i < n; i++) k.set(wide.subarray(i * (n + 1), i * (n + 1) + n), i * n);
  const y = set.y.map((v, i) => (v - yMean) * (set.weights ? Math.sqrt(set.weights[i]!) : 1));
  const roots = intercept ? (set.weights?.map(Math.sqrt) ?? new Float64Array(n).fill(1)) : null;
  const dualCoef = solveSymmetric(k, y, alpha, roots);
  const coef = new Float64Array(d);
  for (let j = 0; j < d; j++) {
    for (let i = 0; i < n; i++) coef[j]! += a.data[j * n + i]! * dualCoef[i]!;
  }
  const residuals = y.slice();
  for (let j = 0; j < d; j++) {
    for (let i = 0; i < n; i++) residuals[i]! -= a.data[j * n + i]! * coef[j]!;
  }
  let objective = 0;
  for (const r of residuals) objective += r * r;
  let gradientNorm = 0;
  for (let j = 0; j < d; j++) {
    let slope = -alpha * coef[j]!;
    for (let i = 0; i < n; i++) slope += a.data[j * n + i]! * residuals[i]!;
    gradientNorm = Math.max(gradientNorm, 2 * Math.abs(slope));
    objective += alpha * coef[j]! * coef[j]!;
  }
  const b = intercept ? yMean - coef.reduce((sum, w, j) => sum + w * mean[j]!, 0) : 0;
  return { coef, intercept: b, report: direct(objective, gradientNorm, "dual") };
}

function means(x: Matrix, set: RegressionSet): { mean: Float64Array; yMean: number } {
  const mean = new Float64Array(x.cols);
  let yMean = 0;
  let total = 0;
  for (let i = 0; i < x.rows; i++) {
    const s = set.weights ? set.weights[i]! : 1;
    total += s;
    yMean += s * set.y[i]!;
    for (let j = 0; j < x.cols; j++) mean[j]! += s * x.data[i * x.cols + j]!;
  }
  return { mean: mean.map((sum) => sum / total), yMean: yMean / total };
}

/**
 * (K + αI)⁻¹ y, or a solution a of least squares when K is singular and α does not help. Centring always takes one
 * dimension away, that of the weights' roots u: y has no part in it, so c uuᵀ makes K whole and changes nothing.
 */
function solveSymmetric(
  k: Float64Array,
  y: Float64Array,
  alpha: number,
  roots: Float64Array | null,
): Float64Array {
  const n = y.length;
  const out = new Float64Array(n);
  const whole = k.slice();
  let trace = 0;
  for (let i = 0; i < n; i++) trace += k[i * n + i]!;
  if (alpha === 0 && roots) {
    const square = roots.reduce((sum, u) => sum + u * u, 0);
    for (let i = 0; i < n; i++) {
      for (let j = 0; j < n; j++) whole[i * n + j]! += (trace / (n * square)) * roots[i]! * roots[j]!;
    }
  }
  for (let i = 0; i < n; i++) {
    whole[i * n + i]! += alpha;
    // A row without weight is on its own.
    if (whole[i * n + i] === 0) whole[i * n + i] = trace / n || 1;
  }
  const factor = cholesky(whole, n);
  if (factor.smallestPivot > NEARLY_DEPENDENT) {
    choleskySolveInto(factor, y, out);
    refine(whole, y, out, (r, to) => choleskySolveInto(factor, r, to));
    return out;
  }
  if (alpha === 0) {
    const dependent = dependentRows(k, y);
    if (dependent) return dependent;
  }
  const { values, vectors } = symmetricEigen(k, n);
  const cut = Number.EPSILON * n * Math.max(values[n - 1]!, 0);
  for (let e = 0; e < n; e++) {
    if (!(values[e]! > cut)) continue;
    let product = 0;
    for (let i = 0; i < n; i++) product += vectors[i * n + e]! * y[i]!;
    const weight = product / (values[e]! + alpha);
    for (let i = 0; i < n; i++) out[i]! += weight * vectors[i * n + e]!;
  }
  return out;
}

/** Rows that depend on each other, A = Bᵀ A_I: a_I = K_II⁻¹(BBᵀ)⁻¹ B y, and 0 for the rest. */
function dependentRows(k: Float64Array, y: Float64Array): Float64Array | null {
  const rows = independentColumns(k, y.length);
  if (rows === null) return null;
  const { chosen, rest, combination } = rows;
  const target = Float64Array.from(chosen, (i, e) => {
    let sum = y[i]!;
    for (let c = 0; c < rest.length; c++) sum += combination[e * rest.length + c]! * y[rest[c]!]!;
    return sum;
  });
  const fitted = new Float64Array(chosen.length);
  choleskySolveInto(outerOf(rows), target, fitted);
  const own = new Float64Array(chosen.length);
  rows.solveInto(fitted, own);
  const out = new Float64Array(y.length);
  for (let e = 0; e < own.length; e++) out[chosen[e]!] = own[e]!;
  return out;
}

/** Sparse rows are never squared: conjugate directions through L-BFGS, to nearly full precision. */
function iterative(where: string, set: RegressionSet, alpha: number, intercept: boolean): LeastSquaresFit {
  const { x, y, weights } = set;
  const steps = lbfgs({ memory: 20 }).minimise({
    where,
    x,
    y,
    weights,
    loss: squared(),
    outputs: 1,
    intercept,
    l1: 0,
    l2: alpha,
    ball: null,
    maxIter: 10_000,
    tol: 1e-9,
    randomState: 0,
  });
  let step = steps.next();
  while (!step.done) step = steps.next();
  const { theta, objective, gradientNorm, converged, iterations } = step.value;
  const report = { ...direct(2 * objective, 2 * gradientNorm, "lbfgs"), converged, iterations };
  return { coef: theta.slice(0, x.cols), intercept: theta[x.cols]!, report };
}

function finished(
  coef: Float64Array,
  moments: Moments,
  alpha: number,
  intercept: boolean,
  solver: string,
): LeastSquaresFit {
  const d = coef.length;
  const side = d + 1;
  const { scatter, mean, yMean } = moments;
  let objective = scatter[side * side - 1]!;
  let gradientNorm = 0;
  for (let i = 0; i < d; i++) {
    let product = 0;
    for (let j = 0; j < d; j++) product += scatter[i * side + j]! * coef[j]!;
    const pull = scatter[i * side + d]!;
    objective += coef[i]! * (product - 2 * pull + alpha * coef[i]!);
    gradientNorm = Math.max(gradientNorm, 2 * Math.abs(product - pull + alpha * coef[i]!));
  }
  const b = intercept ? yMean - coef.reduce((sum, w, j) => sum + w * mean[j]!, 0) : 0;
  // A perfect fit leaves rounding of either sign.
  return { coef, intercept: b, report: direct(Math.max(0, objective), gradientNorm, solver) };
}

const direct = (objective: number, gradientNorm: number, solver: string): FitReport => ({
  converged: true,
  iterations: 1,
  objective,
  gradientNorm,
  solver,
  warnings: [],
});
