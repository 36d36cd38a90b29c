import { DataError } from "../core/errors.js";
import { CsrMatrix } from "../data/csr-matrix.js";
import { Matrix } from "../data/matrix.js";
import { type PiecewiseLinearLossName, piecewiseLinearLosses } from "../losses/loss.js";
import { cholesky } from "../numeric/cholesky.js";
import { gramOf } from "../numeric/moments.js";
import { RowOperator } from "../numeric/row-operator.js";
import { CentralPath, type CentralPoint, canonical } from "./central-path.js";
import type { Solution } from "./objective.js";
import { type Problem, primalAt } from "./problem.js";
import type { Solver, SolverStep } from "./solver.js";

/**
 * Interior-point method for piecewise linear losses on dense rows with few columns [Ferris & Munson 2002].
 *
 *   minimise over (w, b):   ½ l2 ‖w‖² + Σ_v max over 0 ≤ a_v ≤ u_v of  a_v (c_v − σ_v z_v)  + l·[w, b],    z = w·x + b
 *
 * hinge: one variable a row, c = 1, σ = y.  ε-insensitive and absolute: two a row, c = ±y − ε, σ = ±1.
 * quantile τ: one a row, u = s, c = y, σ = 1, and the linear part l = (1 − τ) Σ s [x, 1]
 * (less the constant (1 − τ) Σ s y).
 *
 * Optimality:  l2 w + l = Σ a σ x;   c − σz = ξ − v;   a v = 0, (u − a) ξ = 0, all ≥ 0.
 * A Newton step on these (right-hand sides μ instead of 0) needs the Gram matrix Σ [x, 1][x, 1]ᵀ / D,
 * D = v/a + ξ/(u − a): tens of Gram products whatever C is, where coordinate methods need thousands of sweeps.
 * Predictor and corrector share one factorisation [Mehrotra 1992]. Stops when the duality gap is below tol² of the
 * objective.
 */
export function interiorPoint(): Solver<PiecewiseLinearLossName, "none" | "l2"> {
  return Object.freeze({
    name: "interiorPoint",
    losses: piecewiseLinearLosses,
    penalties: ["none", "l2"] as const,
    minimise: (problem: Problem) => follow(problem),
    toJSON: () => ({ name: "interiorPoint" }),
  });
}

function* follow(problem: Problem): Generator<SolverStep, Solution, void> {
  const { where, maxIter, tol } = problem;
  const { x, expand } = narrow(where, problem.x instanceof CsrMatrix ? denseOf(where, problem.x) : problem.x);
  const rows = new RowOperator(where, x);
  try {
    const path = new CentralPath(problem, rows, canonical(problem));
    let iterations = 0;
    while (iterations < maxIter && !path.done(tol)) {
      if (!path.step()) break;
      iterations++;
      const theta = expand(path.theta);
      yield { theta, iteration: iterations, total: maxIter, objective: path.primal, gradientNorm: path.gap };
    }
    const theta = expand(path.theta);
    const { objective } = primalAt(problem, theta);
    return { theta, iterations, converged: path.done(tol), objective, gradientNorm: path.gap };
  } finally {
    rows.close();
  }
}

/** The way to the solution, for those who want the multipliers and go on from there. Dense rows, at least as many as columns. */
export function* centralPoints(problem: Problem): Generator<CentralPoint, CentralPoint, void> {
  const rows = new RowOperator(problem.where, problem.x as Matrix);
  try {
    const path = new CentralPath(problem, rows, canonical(problem));
    for (let iteration = 0; iteration < problem.maxIter && !path.done(problem.tol); iteration++) {
      if (!path.step()) break;
      yield path.point();
    }
    return path.point();
  } finally {
    rows.close();
  }
}

/** Sparse rows are made dense, if that fits. */
export function denseOf(where: string, x: CsrMatrix): Matrix {
  if (x.rows * x.cols <= MOST_ENTRIES) return x.toDense();
  throw new DataError({
    where,
    subject: "X",
    expected: `at most ${MOST_ENTRIES} entries when made dense, which interior-point steps need`,
    received: `${x.rows} × ${x.cols}`,
    advice: "Use the solver dualCoordinateDescent, or fewer columns.",
  });
}
const MOST_ENTRIES = 1e8;

/**
 * Rows with more columns than there are rows lie in a space of n dimensions: K = XXᵀ = LLᵀ, so the rows of L have the
 * same products, and w = Xᵀ L⁻ᵀ w̃ turns a solution for L into one for X.
 */
function narrow(where: string, x: Matrix): { x: Matrix; expand: (theta: Float64Array) => Float64Array } {
  const { rows: n, cols: d } = x;
  if (d <= n) return { x, expand: (theta) => theta.slice() };
  const wide = new Float64Array((n + 1) * (n + 1));
  gramOf(where, x.transpose(), undefined, wide);
  const k = new Float64Array(n * n);
  let trace = 0;
  for (let i = 0; i < n; i++) {
    k.set(wide.subarray(i * (n + 1), i * (n + 1) + n), i * n);
    trace += k[i * n + i]!;
  }
  // Equal rows make K singular; a relative 1e-12 on the diagonal tells them apart and moves the objective by as little.
  for (let i = 0; i < n; i++) k[i * n + i]! += (1e-12 * trace) / n || 1;
  const { lower, scale } = cholesky(k, n, 1e-15);
  const l = Matrix.zeros(n, n);
  for (let i = 0; i < n; i++) for (let j = 0; j <= i; j++) l.data[i * n + j] = lower[i * n + j]! / scale[i]!;
  return { x: l, expand: (theta) => expandRows(x, l, theta) };
}

function expandRows(x: Matrix, l: Matrix, theta: Float64Array): Float64Array {
  const { rows: n, cols: d } = x;
  const v = theta.slice(0, n);
  for (let i = n - 1; i >= 0; i--) {
    v[i]! /= l.data[i * n + i]!;
    for (let j = 0; j < i; j++) v[j]! -= l.data[i * n + j]! * v[i]!;
  }
  const out = new Float64Array(d + 1);
  for (let i = 0; i < n; i++) for (let j = 0; j < d; j++) out[j]! += x.data[i * d + j]! * v[i]!;
  out[d] = theta[n]!;
  return out;
}
