import { refuseOptions } from "../core/params/options.js";
import { mapSteps } from "../core/steps.js";
import { CsrMatrix } from "../data/csr-matrix.js";
import { requireFinite } from "../data/input.js";
import { type SmoothLossName, smoothLosses } from "../losses/loss.js";
import { dotPrefix } from "../minimisers/vectors.js";
import { openColumns } from "../numeric/columns/open-columns.js";
import { type Moments, momentsOf } from "../numeric/rows/moments.js";
import { certainLassoSteps, LassoState } from "./lasso-descent.js";
import { newton } from "./newton.js";
import { type Solution, tooLarge } from "./objective.js";
import { type Problem, startOf } from "./problem.js";
import { proximalNewton } from "./proximal-newton.js";
import { minimiseQuadratic, violationFor } from "./quadratic-descent.js";
import type { Solver, SolverStep } from "./solver.js";

/**
 * Coordinate descent for l1 and elastic-net penalties: one coefficient at a time, exactly, with exact zeros.
 *
 * Squared loss: on the Gram matrix when there are many more rows than columns, else on columns and residuals with a
 * working set. Other smooth losses: proximal Newton, that is, repeated minimisation of
 *
 *   ∇F(θ)ᵀ(v − θ) + ½ (v − θ)ᵀ ∇²F(θ) (v − θ) + l1‖w‖₁ + ½ l2‖w‖²      over v
 *
 * by the same descent, with a line search between [Friedman et al. 2010; Yuan et al. 2012, newGLMNET]. With softmax the
 * Hessian is that of all classes together, so it is for problems with few coefficients; `proximal` solves the others.
 * Stops when the model's predicted decrease falls below tol² of the objective; with the squared loss, when the duality gap
 * falls below tol² Σ(y − ȳ)².
 */
export function coordinateDescent(...given: []): Separable {
  refuseOptions("coordinateDescent", given);
  return Object.freeze({
    ...curvedDescent(),
    minimise: (problem: Problem) => {
      if (problem.loss.shape === "quadratic")
        return prefersGram(problem) ? onGram(problem) : onColumns(problem);
      return proximalNewton(problem);
    },
    findsNonFinite: ({ loss }: Pick<Problem, "loss">) => loss.shape === "quadratic",
    // Its duality gap is that of the columns as it centres them.
    keepsOrigin: ({ loss, l1, x }: Problem) =>
      loss.shape === "quadratic" && l1 > 0 && !(x instanceof CsrMatrix),
    retry: (problem: Problem) => (problem.l1 === 0 ? newton() : coordinateDescent()),
  });
}

type Separable = Solver<SmoothLossName, "none" | "l1" | "l2" | "elasticNet">;

/** The same for losses other than the squared one, so that a bundle of classifiers carries no lasso. */
export const curvedDescent = (): Separable => ({
  name: "coordinateDescent",
  losses: smoothLosses,
  penalties: ["none", "l1", "l2", "elasticNet"],
  minimise: proximalNewton,
  reportsGap: true,
  retry: (problem: Problem) => (problem.l1 === 0 ? newton() : curvedDescent()),
  toJSON: () => ({ name: "coordinateDescent" }),
});

/** The Gram matrix costs n·d²/2 once; columns cost n·d every sweep. */
export function prefersGram({ x }: Pick<Problem, "x">): boolean {
  return !(x instanceof CsrMatrix) && x.cols <= 1500 && x.rows >= 4 * x.cols;
}

function* onGram(problem: Problem): Generator<SolverStep, Solution, void> {
  const { where, x, y, weights, intercept } = problem;
  if (x instanceof CsrMatrix) throw new Error("a Gram matrix is built from dense rows");
  const moments = problem.moments?.(x, weights) ?? momentsOf(where, x, y, weights, intercept);
  return yield* gramDescent(moments, problem, startOf(problem), (j) => notFinite(problem, j));
}

type GramProblem = Pick<Problem, "where" | "l1" | "l2" | "intercept" | "tol" | "maxIter">;

/** The elastic net from centred moments alone; `notFinite` refuses a column whose moments are not finite. */
export function* gramDescent(
  { mean, yMean, scatter }: Pick<Moments, "mean" | "yMean" | "scatter">,
  { where, l1, l2, intercept, tol, maxIter }: GramProblem,
  theta: Float64Array,
  notFinite: (column: number) => never,
): Generator<SolverStep, Solution, void> {
  const d = theta.length - 1;
  const side = d + 1;
  const q = new Float64Array(d * d);
  const c = new Float64Array(d);
  for (let i = 0; i < d; i++) {
    c[i] = scatter[i * side + d]!;
    for (let j = 0; j < d; j++) q[i * d + j] = scatter[i * side + j]!;
  }
  for (let j = 0; j < d; j++) if (!Number.isFinite(q[j * d + j]!)) notFinite(j);
  const square = scatter[d * side + d]!;
  const w = theta.subarray(0, d);
  const tolerance = violationFor(q, d, tol * tol * square, l2);
  const quadratic = { q, c, l1: new Float64Array(d).fill(l1), l2: new Float64Array(d).fill(l2) };
  const sweeps = minimiseQuadratic(where, quadratic, w, tolerance, maxIter);
  if (intercept) theta[d] = yMean - dotPrefix(mean, w, d);
  const { objective, violation, gradient, gap, size } = quadraticReport(q, c, square, w, l1, l2);
  yield { theta, iteration: sweeps, total: maxIter, objective, gradientNorm: violation };
  const converged = sweeps < maxIter;
  const enough = l1 > 0 ? tol * tol * square : 0;
  const solution = { theta, iterations: sweeps, converged, objective, gradientNorm: violation, enough };
  // Sums of squares have half the digits: they do not determine a nearly perfect fit, whose objective is evaluated on the rows.
  return objective > CANCELLED * size && l1 > 0 ? { ...solution, gradient, gap } : solution;
}

/** An objective below this fraction of the sums whose difference it is, is considered rounding. */
const CANCELLED = 1e-8;

/** Either X has NaN or ±∞, or its squares overflow. */
function notFinite({ where, x }: Problem, column: number): never {
  requireFinite(where, x);
  tooLarge(where, column);
}

function* onColumns(problem: Problem): Generator<SolverStep, Solution, void> {
  const { where, x, y, weights, l1, l2, intercept, tol, maxIter } = problem;
  const columns = openColumns(where, x, y, weights, intercept, problem.start);
  try {
    const huge = columns.norms.findIndex((norm) => !Number.isFinite(norm));
    if (huge >= 0) notFinite(problem, huge);
    const state = new LassoState(columns);
    const gapTarget = tol * tol * Math.max(columns.targetNorm, 1e-300);
    const current = () => {
      const theta = new Float64Array(x.cols + 1);
      theta.set(columns.coefficients);
      if (intercept) theta[x.cols] = columns.yMean - dotPrefix(columns.mean, theta, x.cols);
      return theta;
    };
    const steps = certainLassoSteps(state, { l1, l2, gapTarget, maxSweeps: maxIter });
    const { sweeps, converged, primal, gap } = yield* mapSteps(steps, (step) => ({
      ...step,
      theta: current(),
    }));
    const solution = {
      theta: current(),
      iterations: sweeps,
      converged,
      objective: primal,
      gradientNorm: gap,
      enough: l1 > 0 ? gapTarget : 0,
    };
    // Without l1 the gap of single coordinates is not a bound: the solution is checked on the rows.
    return l1 > 0 && converged ? { ...solution, gap, gradient: gradientOf(state, l2) } : solution;
  } finally {
    columns.close();
  }
}

function gradientOf({ columns, correlations }: LassoState, l2: number): Float64Array {
  const gradient = new Float64Array(columns.cols + 1);
  const w = columns.coefficients;
  for (let j = 0; j < w.length; j++) gradient[j] = l2 * w[j]! - correlations[j]!;
  return gradient;
}

function quadraticReport(
  q: Float64Array,
  c: Float64Array,
  square: number,
  w: Float64Array,
  l1: number,
  l2: number,
): { objective: number; violation: number; gradient: Float64Array; gap: number; size: number } {
  const d = w.length;
  const gradient = new Float64Array(d + 1);
  let loss = 0.5 * square;
  let penalty = 0;
  let ridge = 0;
  let target = square;
  let size = square;
  let largest = 0;
  let violation = 0;
  for (let j = 0; j < d; j++) {
    let product = 0;
    let absolute = Math.abs(c[j]!);
    for (let i = 0; i < d; i++) {
      const term = q[j * d + i]! * w[i]!;
      product += term;
      absolute += Math.abs(term);
    }
    size += Math.abs(w[j]!) * absolute;
    loss += w[j]! * (0.5 * product - c[j]!);
    penalty += l1 * Math.abs(w[j]!);
    ridge += 0.5 * l2 * w[j]! * w[j]!;
    target -= c[j]! * w[j]!;
    const g = product - c[j]! + l2 * w[j]!;
    gradient[j] = g;
    largest = Math.max(largest, Math.abs(g));
    const excess = w[j] === 0 ? Math.max(0, Math.abs(g) - l1) : Math.abs(g + Math.sign(w[j]!) * l1);
    violation = Math.max(violation, excess);
  }
  // The duality gap of lasso-descent.ts, with r·y = ‖y‖² − c·w.
  const scale = largest > l1 ? l1 / largest : 1;
  const dual = scale * target - scale * scale * (loss + ridge);
  const objective = loss + penalty + ridge;
  return { objective, violation, gradient, gap: Math.max(0, objective - dual), size };
}
