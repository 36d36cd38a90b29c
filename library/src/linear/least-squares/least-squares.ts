import type { FitReport } from "../../core/contract.js";
import { DataError } from "../../core/errors.js";
import { pushAll } from "../../core/numbers/extremes.js";
import { runToEnd } from "../../core/steps.js";
import { CsrMatrix } from "../../data/csr-matrix.js";
import { requireFinite } from "../../data/input.js";
import type { Matrix } from "../../data/matrix.js";
import type { TargetsSet } from "../../data/targets.js";
import type { RegressionSet } from "../../data/training-set.js";
import { squared } from "../../losses/losses.js";
import { cholesky, choleskySolveInto } from "../../numeric/linalg/cholesky.js";
import { columnSvd, leastNorm } from "../../numeric/linalg/column-svd.js";
import { centredRows } from "../../numeric/rows/centred-rows.js";
import { linearScores } from "../../numeric/rows/linear-scores.js";
import { type TargetMoments, targetMoments } from "../../numeric/rows/moments.js";
import { lbfgs } from "../../solvers/lbfgs.js";
import { linearProblem } from "../../solvers/problem.js";
import { verified } from "../../solvers/verified.js";
import { dependentSolver, refine, type Solve } from "./dependent-solution.js";
import { rescaledWeights } from "./rescaled-weights.js";
import { gramBlock, targetsAtOnce } from "./target-moments.js";
import { NEARLY_DEPENDENT, wideSolutions } from "./wide-least-squares.js";

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
  return leastSquaresTargets(where, { ...set, y: [set.y] }, [alpha], intercept)[0]!;
}

/** The fit of every target, with an α for each. The moments are shared, and the factorisation by targets with the same α. */
export function leastSquaresTargets(
  where: string,
  set: TargetsSet,
  alphas: readonly number[],
  intercept: boolean,
): LeastSquaresFit[] {
  const rescaled = rescaledWeights(where, set);
  if (rescaled.factor !== 1) {
    const { factor } = rescaled;
    const own = alphas.map((alpha) => alpha / factor);
    return leastSquaresTargets(where, rescaled.set, own, intercept).map(({ report, ...model }) => {
      const [objective, gradientNorm] = [report.objective * factor, report.gradientNorm * factor];
      return { ...model, report: { ...report, objective, gradientNorm } };
    });
  }
  const { x, y } = set;
  if (x instanceof CsrMatrix) {
    requireFinite(where, x);
    return alphas.includes(0) && x.rows * x.cols <= DENSE_ENTRIES
      ? leastSquaresTargets(where, { ...set, x: x.toDense() }, alphas, intercept)
      : y.map((target, t) => iterative(where, targetOf(set, target), alphas[t]!, intercept));
  }
  if (x.cols > x.rows) {
    requireFinite(where, x);
    const { mean, yMean, solve } = wideSolutions(where, x, set, intercept);
    return y.map((target, t) => {
      const [coef, alpha] = [solve(t, alphas[t]!), alphas[t]!];
      const solved = { coef, mean, yMean: yMean[t]!, alpha, intercept, solver: "dual" };
      return measured(where, x, targetOf(set, target), solved);
    });
  }
  const most = targetsAtOnce(x.cols);
  const fits: LeastSquaresFit[] = [];
  for (let from = 0; from < y.length; from += most) {
    const some = { ...set, x, y: y.slice(from, from + most) };
    pushAll(fits, tallFits(where, some, alphas.slice(from, from + most), intercept));
  }
  return fits;
}

const targetOf = (set: TargetsSet, y: Float64Array): RegressionSet => ({ ...set, y });

/** At least as many rows as columns: solved from the moments, where these have enough digits. */
function tallFits(
  where: string,
  set: TargetsSet & { readonly x: Matrix },
  alphas: readonly number[],
  intercept: boolean,
): LeastSquaresFit[] {
  const { x, y, weights } = set;
  const d = x.cols;
  const all = targetMoments(where, x, y, weights, intercept);
  checkMoments(where, x, all);
  const side = d + y.length;
  const q = gramBlock(all.scatter, d, side);
  const c = y.map((_, t) => Float64Array.from({ length: d }, (_, j) => all.scatter[j * side + d + t]!));
  const fits: LeastSquaresFit[] = [];
  for (const alpha of new Set(alphas)) {
    const own = [...y.keys()].filter((t) => alphas[t] === alpha);
    const { coefs, solver, independent } = solveTall(set, all, q, c, alpha, own);
    for (const [e, t] of own.entries()) {
      const coef = coefs[e]!;
      const solved = { coef, mean: all.mean, yMean: all.yMean[t]!, alpha, intercept, solver };
      fits[t] =
        (independent ? fromMoments(coef, all, t, alpha, intercept) : null) ??
        measured(where, x, targetOf(set, y[t]!), solved);
    }
  }
  return fits;
}

/** The coefficients of the targets `own`, which have the same α. */
function solveTall(
  { x, y, weights }: TargetsSet & { readonly x: Matrix },
  moments: TargetMoments,
  q: Float64Array,
  c: readonly Float64Array[],
  alpha: number,
  own: readonly number[],
): { coefs: Float64Array[]; solver: string; independent: boolean } {
  const d = x.cols;
  const solveBy = (solve: Solve) => own.map((t) => solve(c[t]!));
  const definite = definiteSolver(q, d, alpha);
  if (definite) return { coefs: solveBy(definite), solver: "cholesky", independent: true };
  const rows = () => centredRows(x, moments.mean, weights);
  const spread = alpha === 0 ? dependentSolver(q, d, rows) : null;
  if (spread) return { coefs: solveBy(spread), solver: "cholesky", independent: false };
  const centred = own.map((t) => centredTarget(y[t]!, moments.yMean[t]!, weights));
  const svd = columnSvd(rows(), centred, centringNoise(moments), { alpha });
  return { coefs: leastNorm(svd), solver: "svd", independent: false };
}

/** (Q + αI)⁻¹ by Cholesky; null if columns are dependent, or nearly so. */
export function definiteSolver(q: Float64Array, d: number, alpha: number): Solve | null {
  const ridged = q.slice();
  for (let j = 0; j < d; j++) ridged[j * d + j]! += alpha;
  const factor = cholesky(ridged, d);
  if (!(factor.smallestPivot >= NEARLY_DEPENDENT)) return null;
  const solveInto = (r: Float64Array, out: Float64Array) => choleskySolveInto(factor, r, out);
  return (right) => {
    const coef = new Float64Array(d);
    solveInto(right, coef);
    refine(ridged, right, coef, solveInto);
    return coef;
  };
}

const centredTarget = (y: Float64Array, mean: number, weights: Float64Array | undefined): Float64Array =>
  y.map((v, i) => (v - mean) * (weights ? Math.sqrt(weights[i]!) : 1));

/** NaN and ±∞ in X show in the sums; finite numbers whose squares overflow are a separate error. */
function checkMoments(where: string, x: Matrix, { scatter, yMean }: TargetMoments): void {
  const d = x.cols;
  const side = d + yMean.length;
  for (let j = 0; j < side; j++) {
    if (Number.isFinite(scatter[j * side + j]!)) continue;
    requireFinite(where, x);
    const subject = j < d ? `column ${j} of X` : yMean.length === 1 ? "y" : `column ${j - d} of Y`;
    const expected = "small enough for sums of squares";
    throw new DataError(where, subject, expected, "larger numbers", "Scale it (StandardScaler).");
  }
}

/** Relative size of a constant column after subtracting its rounded mean. */
function centringNoise({ mean, total }: TargetMoments): Float64Array {
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

/** Intercept and report of target t from the moments alone; null where cancellation or rounding of predictions makes them inaccurate. */
export function fromMoments(
  coef: Float64Array,
  { scatter, mean, yMean, total }: TargetMoments,
  t: number,
  alpha: number,
  intercept: boolean,
): LeastSquaresFit | null {
  const d = coef.length;
  const side = d + yMean.length;
  const target = d + t;
  let objective = scatter[target * side + target]!;
  let size = objective;
  let gradientNorm = 0;
  let far = Math.abs(yMean[t]!);
  for (let i = 0; i < d; i++) {
    let product = 0;
    let absolute = 0;
    for (let j = 0; j < d; j++) {
      const term = scatter[i * side + j]! * coef[j]!;
      product += term;
      absolute += Math.abs(term);
    }
    const pull = scatter[i * side + target]!;
    objective += coef[i]! * (product - 2 * pull + alpha * coef[i]!);
    size += Math.abs(coef[i]!) * (absolute + 2 * Math.abs(pull));
    gradientNorm = Math.max(gradientNorm, 2 * Math.abs(product - pull + alpha * coef[i]!));
    far += Math.abs(coef[i]! * mean[i]!);
  }
  // The rounding error of a prediction is ε times the sum of its terms.
  const rounded = total * (Number.EPSILON * far) ** 2;
  if (!(objective > CANCELLED * size && rounded < CANCELLED * objective)) return null;
  const b = intercept ? yMean[t]! - coef.reduce((sum, w, j) => sum + w * mean[j]!, 0) : 0;
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

export const direct = (objective: number, gradientNorm: number, solver: string): FitReport => ({
  converged: true,
  iterations: 1,
  objective,
  gradientNorm,
  solver,
  warnings: [],
});
