import { refuseOptions } from "../core/params/options.js";
import { denseWithin } from "../data/dense-within.js";
import { Matrix } from "../data/matrix.js";
import { marginLoss, type PiecewiseLinearLossName, piecewiseLinearLosses } from "../losses/loss.js";
import { cholesky } from "../numeric/linalg/cholesky.js";
import { gramOf } from "../numeric/rows/moments.js";
import { RowOperator } from "../numeric/rows/row-operator.js";
import { CentralPath, type CentralPoint, canonical } from "./central-path.js";
import type { View } from "./centred-columns.js";
import type { Solution } from "./objective.js";
import { isolate } from "./objective.js";
import { orthogonalView } from "./orthogonal-view.js";
import { type Problem, primalAt } from "./problem.js";
import type { Solver, SolverStep } from "./solver.js";

/** Maximum number of entries of sparse rows made dense (800 MB): few losses without curvature have another solver. */
const MOST_NUMBERS = 1e8;

/**
 * Interior-point method for piecewise linear losses on dense rows with few columns [Ferris & Munson 2002].
 *
 *   minimise over (w, b):   ½ l2 ‖w‖² + Σ_v max over 0 ≤ a_v ≤ u_v of  a_v (c_v − σ_v z_v)  + l·[w, b],    z = w·x + b
 *
 * One variable per row and hinge of the loss (`HingeForm`): u = s, and c and σ of the hinge; l = tilt · Σ s [x, 1], and the
 * constant tilt · Σ s y is subtracted.
 *
 * Optimality:  l2 w + l = Σ a σ x;   c − σz = ξ − v;   a v = 0, (u − a) ξ = 0, all ≥ 0.
 * A Newton step on these (right-hand sides μ instead of 0) needs the Gram matrix Σ [x, 1][x, 1]ᵀ / D,
 * D = v/a + ξ/(u − a): tens of Gram products whatever C is, where coordinate methods need thousands of sweeps.
 * Predictor and corrector share one factorisation [Mehrotra 1992]. Stops when the duality gap is below tol² of the
 * objective.
 */
export function interiorPoint(...given: []): Solver<PiecewiseLinearLossName, "none" | "l2"> {
  refuseOptions("interiorPoint", given);
  return Object.freeze({
    name: "interiorPoint",
    losses: piecewiseLinearLosses,
    penalties: ["none", "l2"] as const,
    minimise: (problem: Problem) => follow(problem),
    retry: () => interiorPoint(),
    toJSON: () => ({ name: "interiorPoint" }),
  });
}

function* follow(problem: Problem): Generator<SolverStep, Solution, void> {
  const { where, maxIter, tol } = problem;
  const dense = denseWithin(where, problem.x, "interior-point steps need", {
    advice: "Use the solver dualCoordinateDescent, or fewer columns.",
    most: MOST_NUMBERS,
  });
  const { unit, problem: scaled, restore } = unitTargets({ ...problem, x: dense });
  const { problem: usable, back } = usableColumns(scaled);
  const expand = (theta: Float64Array) => restore(back(theta));
  const rows = new RowOperator(where, usable.x as Matrix);
  try {
    const path = new CentralPath(usable, rows, canonical(usable));
    let iterations = 0;
    while (iterations < maxIter && !path.done(tol)) {
      if (!path.step()) break;
      iterations++;
      const theta = expand(path.theta);
      const [objective, gradientNorm] = [unit * path.primal, unit * path.gap];
      yield { theta, iteration: iterations, total: maxIter, objective, gradientNorm };
    }
    const theta = expand(path.theta);
    const { objective } = primalAt(problem, theta);
    // The transformation back may add rounding errors.
    const lost = Math.max(0, objective - unit * path.primal);
    const gap = unit * path.gap + lost;
    const small =
      Math.max(SPOILED * tol * tol, NEGLIGIBLE) * Math.max(Math.abs(objective), 1e-12 * path.scale * unit);
    const converged = path.done(tol) && (lost <= small || lost <= unit * path.floor);
    return { theta, iterations, converged, objective, gradientNorm: gap, gap };
  } finally {
    rows.close();
  }
}

/** A model whose objective exceeds that of the path by this many times the tolerance has lost its precision. */
const SPOILED = 10;
/** Fraction of the objective allowed for rounding. */
const NEGLIGIBLE = 1e-7;

/** The same problem with targets around 0 and of size 1: J is `unit` times as large as that of the one returned. */
function unitTargets(problem: Problem): {
  unit: number;
  problem: Problem;
  restore: (theta: Float64Array) => Float64Array;
} {
  const { loss, y, intercept, l2, x } = problem;
  if (loss.targets === "signs") return { unit: 1, problem, restore: (theta) => theta };
  const middle = intercept ? medianOf(y) : 0;
  const moved = y.map((v) => v - middle);
  const unit =
    medianOf(moved.map(Math.abs)) || moved.reduce((most, v) => Math.max(most, Math.abs(v)), 0) || 1;
  const scaled = marginLoss(loss).inUnit?.(unit) ?? loss;
  return {
    unit,
    problem: { ...problem, y: moved.map((v) => v / unit), loss: scaled, l2: l2 * unit, opened: undefined },
    restore: (theta) => theta.map((v, e) => (e === x.cols ? unit * v + middle : unit * v)),
  };
}

function medianOf(values: Float64Array): number {
  const sorted = values.slice().sort();
  return sorted[sorted.length >> 1]!;
}

/** Below this pivot (of the unit diagonal) products of columns are too inaccurate for the weights of an interior point. */
const POOR = 1e-8;

/** The problem on columns that are not (nearly) dependent, and no more of them than rows. */
function usableColumns(problem: Problem): View {
  const { where, l2, intercept } = problem;
  const x = problem.x as Matrix;
  if (x.cols > x.rows) return narrow(where, x, problem);
  const side = x.cols + 1;
  const gram = new Float64Array(side * side);
  gramOf(where, x, problem.weights, gram);
  for (let j = 0; j < x.cols; j++) gram[j * side + j]! += l2;
  if (!intercept) isolate(gram, side, x.cols);
  const poor = cholesky(gram, side).smallestPivot < POOR;
  const view = poor ? orthogonalView(problem) : null;
  return view ?? { problem, back: (theta) => theta.slice() };
}

/** The iterates with their multipliers, for callers that continue from them. Dense rows, at least as many as columns. */
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

/**
 * n rows with more than n columns span at most n dimensions: K = XXᵀ = LLᵀ, so the rows of L have the
 * same products, and w = Xᵀ L⁻ᵀ w̃ turns a solution for L into one for X. (Nearly) equal rows need orthogonal columns.
 */
function narrow(where: string, x: Matrix, problem: Problem): View {
  const n = x.rows;
  const wide = new Float64Array((n + 1) * (n + 1));
  gramOf(where, x.transpose(), undefined, wide);
  const k = new Float64Array(n * n);
  let trace = 0;
  for (let i = 0; i < n; i++) {
    k.set(wide.subarray(i * (n + 1), i * (n + 1) + n), i * n);
    trace += k[i * n + i]!;
  }
  // Without a penalty n rows do not determine n columns and b.
  const poor = problem.l2 === 0 || cholesky(k, n).smallestPivot < POOR;
  const view = poor ? orthogonalView(problem) : null;
  if (view) return view;
  // Equal rows make K singular; a relative 1e-12 on the diagonal makes it regular and changes the objective negligibly.
  for (let i = 0; i < n; i++) k[i * n + i]! += (1e-12 * trace) / n || 1;
  const { lower, scale } = cholesky(k, n, 1e-15);
  const l = Matrix.zeros(n, n);
  for (let i = 0; i < n; i++) for (let j = 0; j <= i; j++) l.data[i * n + j] = lower[i * n + j]! / scale[i]!;
  return { problem: { ...problem, x: l, opened: undefined }, back: (theta) => expandRows(x, l, theta) };
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
