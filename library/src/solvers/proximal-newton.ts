import { CsrMatrix } from "../data/csr-matrix.js";
import { marginLoss } from "../losses/loss.js";
import { dotPrefix } from "../minimisers/vectors.js";
import { openColumns } from "../numeric/columns/open-columns.js";
import { LassoState, lassoSteps } from "./lasso-descent.js";
import { evaluateSmooth, type Objective, type Solution } from "./objective.js";
import { openObjective, type Problem, startOf } from "./problem.js";
import { type PenalisedSum, ProximalModel, proximalSteps } from "./proximal-steps.js";
import { sampleObjectives } from "./row-objective.js";
import type { SolverStep } from "./solver.js";

/** Above this the Hessian is too large to keep, and the model is minimised column by column. */
const MAX_HESSIAN_SIDE = 1500;

/** Proximal Newton (`proximal-steps.ts`) on rows, from the minimiser of a sample. */
export function* proximalNewton(problem: Problem): Generator<SolverStep, Solution, void> {
  const objective = openObjective(problem);
  try {
    const f = penalisedSum(problem, objective);
    const origin = startOf(problem);
    // The solution of the sample may overflow on rows outside it.
    const start = problem.start ? origin : warmStart(objective, origin, problem);
    return yield* proximalSteps(f, start, origin);
  } finally {
    objective.close();
  }
}

function penalisedSum(problem: Problem, objective: Objective): PenalisedSum {
  const { cols: d, outputs } = objective;
  const tooWide = outputs === 1 && (problem.x instanceof CsrMatrix || d >= MAX_HESSIAN_SIDE);
  const { where, tol, maxIter } = problem;
  return {
    ...objective,
    where,
    tol,
    maxIter,
    ...(tooWide && { propose: (theta: Float64Array) => columnProposal(problem, theta) }),
    evaluate: (theta, gradientOut) => evaluateSmooth(objective, theta, gradientOut),
    hessianInto: (out) => void objective.hessianInto(out),
  };
}

/** The minimiser of a random sample of the rows: off by the sampling error only. */
function warmStart(objective: Objective, start: Float64Array, problem: Problem): Float64Array {
  let theta = start;
  if (objective.cols >= MAX_HESSIAN_SIDE) return theta;
  for (const sample of sampleObjectives(problem)) {
    try {
      const f = penalisedSum(problem, sample);
      let gradient: Float64Array = new Float64Array(sample.size);
      let smooth = evaluateSmooth(sample, theta, gradient);
      const model = new ProximalModel(f);
      for (let k = 0; k < 20; k++) {
        // Kernels answer at once: nothing is pending.
        const next = model.step(theta, smooth, gradient).next().value;
        if (next.theta === null) break;
        const done = -next.predicted <= 1e-5 * Math.abs(smooth);
        ({ theta, smooth, gradient } = next);
        if (done) break;
      }
    } finally {
      sample.close();
    }
  }
  return theta;
}

/**
 * The same model as weighted least squares: weights h_i = s_i ℓ″, targets z_i − ℓ′/ℓ″. Rows where the loss is flat
 * get a small positive weight, which keeps the model above a linear one.
 */
function columnProposal(problem: Problem, theta: Float64Array): Float64Array {
  const { x, y, weights, where, l1, l2, intercept } = problem;
  const loss = marginLoss(problem.loss);
  const d = x.cols;
  const z = marginsOf(x, theta);
  const h = new Float64Array(x.rows);
  let largest = 0;
  const curvature = loss.majorant ?? loss.curvature;
  for (let i = 0; i < x.rows; i++) {
    h[i] = curvature(z[i]!, y[i]!);
    largest = Math.max(largest, h[i]!);
  }
  const target = new Float64Array(x.rows);
  for (let i = 0; i < x.rows; i++) {
    const curve = Math.max(h[i]!, 1e-6 * (largest || 1));
    target[i] = z[i]! - loss.derivative(z[i]!, y[i]!) / curve;
    h[i] = curve * (weights ? weights[i]! : 1);
  }
  const columns = openColumns(where, x, target, h, intercept, theta);
  try {
    const state = new LassoState(columns);
    const gapTarget = 0.01 * problem.tol * problem.tol * x.rows;
    const steps = lassoSteps(state, {
      l1,
      l2,
      gapTarget: Math.max(gapTarget, 1e-12 * columns.targetNorm),
      maxSweeps: 1000,
    });
    while (!steps.next().done);
    const v = new Float64Array(d + 1);
    v.set(columns.coefficients);
    if (intercept) v[d] = columns.yMean - dotPrefix(columns.mean, v, d);
    return v;
  } finally {
    columns.close();
  }
}

function marginsOf(x: Problem["x"], theta: Float64Array): Float64Array {
  const z = new Float64Array(x.rows).fill(theta[x.cols]!);
  if (x instanceof CsrMatrix) {
    for (let i = 0; i < x.rows; i++) {
      for (let e = x.indptr[i]!; e < x.indptr[i + 1]!; e++) z[i]! += x.values[e]! * theta[x.indices[e]!]!;
    }
    return z;
  }
  for (let i = 0, at = 0; i < x.rows; i++)
    for (let j = 0; j < x.cols; j++, at++) z[i]! += x.data[at]! * theta[j]!;
  return z;
}
