import type { FitReport } from "../core/contract.js";
import { DataError } from "../core/errors.js";
import { runToEnd } from "../core/steps.js";
import { CsrMatrix } from "../data/csr-matrix.js";
import { requireFinite } from "../data/input.js";
import type { Matrix } from "../data/matrix.js";
import type { RegressionSet } from "../data/training-set.js";
import { squared } from "../losses/losses.js";
import { cholesky, choleskySolveInto } from "../numeric/linalg/cholesky.js";
import { columnSvd, leastNorm } from "../numeric/linalg/column-svd.js";
import { centredRows } from "../numeric/rows/centred-rows.js";
import { linearScores } from "../numeric/rows/linear-scores.js";
import { type Moments, momentsOf } from "../numeric/rows/moments.js";
import { lbfgs } from "../solvers/lbfgs.js";
import { linearProblem } from "../solvers/problem.js";
import { verified } from "../solvers/verified.js";
import { dependentSolution, refine } from "./dependent-solution.js";
import { rescaledWeights } from "./rescaled-weights.js";
import { NEARLY_DEPENDENT, wideSolution } from "./wide-least-squares.js";

/**
 * Least squares with or without a ridge, solved directly:
 *
 *   minimise over (w, b):   Σᵢ sᵢ (yᵢ − w·xᵢ − b)² + α‖w‖²
 *
 * Rows enter only through their centred moments (two streamed passes), from which Cholesky computes w. A small pivot means that
 * columns are dependent or nearly so, which moments cannot distinguish: pivoting proposes the independent columns, the rows
 * confirm that the others are combinations of them, and w is the solution of least norm. Nearly dependent columns need a QR
 * factorisation of X itself, which squares nothing, and its SVD. With more columns than rows the n × n dual is smaller:
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

/** Sparse rows of at most this many entries, zeros included, are solved as dense ones. */
const DENSE_ENTRIES = 4e6;

/** Input checks for `leastSquares`, which finds NaN and ±∞ in its moments. */
export const leastSquaresRules = { sparse: true, deferFiniteCheck: true } as const;

export function leastSquares(
  where: string,
  set: RegressionSet,
  alpha: number,
  intercept: boolean,
): LeastSquaresFit {
  const rescaled = rescaledWeights(where, set);
  if (rescaled.factor !== 1) {
    const { report, ...model } = leastSquares(where, rescaled.set, alpha / rescaled.factor, intercept);
    const [objective, gradientNorm] = [
      report.objective * rescaled.factor,
      report.gradientNorm * rescaled.factor,
    ];
    return { ...model, report: { ...report, objective, gradientNorm } };
  }
  const { x } = set;
  if (x instanceof CsrMatrix) {
    requireFinite(where, x);
    return alpha === 0 && x.rows * x.cols <= DENSE_ENTRIES
      ? leastSquares(where, { ...set, x: x.toDense() }, alpha, intercept)
      : iterative(where, set, alpha, intercept);
  }
  if (x.cols > x.rows) {
    requireFinite(where, x);
    const { coef, mean, yMean } = wideSolution(where, x, set, alpha, intercept);
    return measured(where, x, set, { coef, mean, yMean, alpha, intercept, solver: "dual" });
  }
  const moments = momentsOf(where, x, set.y, set.weights, intercept);
  checkMoments(where, x, moments);
  const d = x.cols;
  const { q, c } = normalEquations(moments, d);
  const ridged = q.slice();
  for (let j = 0; j < d; j++) ridged[j * d + j]! += alpha;
  const factor = cholesky(ridged, d);
  const { mean, yMean } = moments;
  if (factor.smallestPivot < NEARLY_DEPENDENT) {
    const rows = () => centredRows(x, mean, set.weights);
    const spread = alpha === 0 ? dependentSolution(q, c, rows) : null;
    const coef = spread ?? orthogonal(x, set, moments, alpha);
    const solver = spread ? "cholesky" : "svd";
    return measured(where, x, set, { coef, mean, yMean, alpha, intercept, solver });
  }
  const coef = new Float64Array(d);
  choleskySolveInto(factor, c, coef);
  refine(ridged, c, coef, (r, out) => choleskySolveInto(factor, r, out));
  return (
    fromMoments(coef, moments, alpha, intercept) ??
    measured(where, x, set, { coef, mean, yMean, alpha, intercept, solver: "cholesky" })
  );
}

/** NaN and ±∞ in X show in the sums; finite numbers whose squares overflow are a separate error. */
function checkMoments(where: string, x: Matrix, { scatter }: Moments): void {
  const d = x.cols;
  for (let j = 0; j <= d; j++) {
    if (Number.isFinite(scatter[j * (d + 1) + j]!)) continue;
    requireFinite(where, x);
    throw new DataError({
      where,
      subject: j < d ? `column ${j} of X` : "y",
      expected: "small enough for sums of squares",
      received: "larger numbers",
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

/** QR of [√s(x − mean); √α I], then the SVD of R: the solution of least norm. */
function orthogonal(x: Matrix, set: RegressionSet, moments: Moments, alpha: number): Float64Array {
  const a = centredRows(x, moments.mean, set.weights);
  const y = set.y.map((v, i) => (v - moments.yMean) * (set.weights ? Math.sqrt(set.weights[i]!) : 1));
  return leastNorm(columnSvd(a, y, centringNoise(moments), { alpha }));
}

/** Relative size of a constant column after subtracting its rounded mean. */
function centringNoise({ mean, total }: Moments): Float64Array {
  return mean.map((m) => 8 * Number.EPSILON * Math.abs(m) * Math.sqrt(total));
}

/** Sparse rows are never squared: conjugate directions through L-BFGS, to nearly full precision. */
function iterative(where: string, set: RegressionSet, alpha: number, intercept: boolean): LeastSquaresFit {
  const { x, y, weights } = set;
  const stated = { where, x, y, weights, loss: squared(), intercept, l2: alpha, maxIter: 10_000, tol: 1e-9 };
  const solution = runToEnd(verified(lbfgs({ memory: 20 }), linearProblem(stated)));
  const { theta, objective, gradientNorm, converged, iterations, warnings = [] } = solution;
  const report = { ...direct(2 * objective, 2 * gradientNorm, "lbfgs"), converged, iterations, warnings };
  return { coef: theta.slice(0, x.cols), intercept: theta[x.cols]!, report };
}

/** Above this fraction of the subtracted terms, the objective from the moments has at least six correct digits. */
const CANCELLED = 1e-9;

/** Intercept and report from the moments alone; null where cancellation or rounding of predictions makes them inaccurate. */
function fromMoments(
  coef: Float64Array,
  moments: Moments,
  alpha: number,
  intercept: boolean,
): LeastSquaresFit | null {
  const d = coef.length;
  const side = d + 1;
  const { scatter, mean, yMean, total } = moments;
  let objective = scatter[side * side - 1]!;
  let size = objective;
  let gradientNorm = 0;
  let far = Math.abs(yMean);
  for (let i = 0; i < d; i++) {
    let product = 0;
    let absolute = 0;
    for (let j = 0; j < d; j++) {
      const term = scatter[i * side + j]! * coef[j]!;
      product += term;
      absolute += Math.abs(term);
    }
    const pull = scatter[i * side + d]!;
    objective += coef[i]! * (product - 2 * pull + alpha * coef[i]!);
    size += Math.abs(coef[i]!) * (absolute + 2 * Math.abs(pull));
    gradientNorm = Math.max(gradientNorm, 2 * Math.abs(product - pull + alpha * coef[i]!));
    far += Math.abs(coef[i]! * mean[i]!);
  }
  // The rounding error of a prediction is ε times the sum of its terms.
  const rounded = total * (Number.EPSILON * far) ** 2;
  if (!(objective > CANCELLED * size && rounded < CANCELLED * objective)) return null;
  const b = intercept ? yMean - coef.reduce((sum, w, j) => sum + w * mean[j]!, 0) : 0;
  return { coef, intercept: b, report: direct(objective, gradientNorm, "cholesky") };
}

interface Solved {
  readonly coef: Float64Array;
  readonly mean: Float64Array;
  readonly yMean: number;
  readonly alpha: number;
  readonly intercept: boolean;
  readonly solver: string;
}

/** The report from the predictions, row by row; the intercept absorbs the mean residual. */
function measured(where: string, x: Matrix, set: RegressionSet, solved: Solved): LeastSquaresFit {
  const { coef, mean, yMean, alpha, intercept, solver } = solved;
  const { y, weights } = set;
  const fits = linearScores(where, x, coef, new Float64Array(1)).data;
  let b = intercept ? yMean - coef.reduce((sum, w, j) => sum + w * mean[j]!, 0) : 0;
  let total = 0;
  let left = 0;
  for (let i = 0; i < y.length; i++) {
    const s = weights ? weights[i]! : 1;
    total += s;
    left += s * (y[i]! - (fits[i]! + b));
  }
  if (intercept && Number.isFinite(left / total)) b += left / total;
  const gradient = coef.map((w) => -alpha * w);
  let objective = alpha * coef.reduce((sum, w) => sum + w * w, 0);
  for (let i = 0, at = 0; i < y.length; i++) {
    const residual = y[i]! - (fits[i]! + b);
    const pull = (weights ? weights[i]! : 1) * residual;
    objective += pull * residual;
    for (let j = 0; j < coef.length; j++, at++) gradient[j]! += pull * (x.data[at]! - mean[j]!);
  }
  const gradientNorm = gradient.reduce((most, g) => Math.max(most, 2 * Math.abs(g)), 0);
  return { coef, intercept: b, report: direct(objective, gradientNorm, solver) };
}

const direct = (objective: number, gradientNorm: number, solver: string): FitReport => ({
  converged: true,
  iterations: 1,
  objective,
  gradientNorm,
  solver,
  warnings: [],
});
