import { CsrMatrix } from "../data/csr-matrix.js";
import { marginLoss } from "../losses/loss.js";
import { targetGap } from "../minimisers/smooth-function.js";
import { dotPrefix } from "../minimisers/vectors.js";
import { openColumns } from "../numeric/columns/open-columns.js";
import { cholesky } from "../numeric/linalg/cholesky.js";
import { LassoState, lassoSteps } from "./lasso-descent.js";
import { evaluateSmooth, l1Norm, type Objective, optimalityViolation, type Solution } from "./objective.js";
import { openObjective, type Problem, startOf } from "./problem.js";
import { minimiseQuadratic, violationFor } from "./quadratic-descent.js";
import { sampleObjectives } from "./row-objective.js";
import type { SolverStep } from "./solver.js";

/** Above this the Hessian is too large to keep, and the model is minimised column by column. */
const MAX_HESSIAN_SIDE = 1500;

export function* proximalNewton(problem: Problem): Generator<SolverStep, Solution, void> {
  const { maxIter, tol } = problem;
  const objective = openObjective(problem);
  try {
    let theta = startOf(problem);
    if (!problem.start) theta = warmStart(objective, theta, problem);
    let gradient: Float64Array = new Float64Array(objective.size);
    let smooth = evaluateSmooth(objective, theta, gradient);
    if (!Number.isFinite(smooth)) {
      // The solution of the sample overflows on rows outside it.
      theta = startOf(problem);
      smooth = evaluateSmooth(objective, theta, gradient);
    }
    let iterations = 0;
    let converged = false;
    const model = new Model(problem, objective);
    const reached = () => ({
      theta,
      objective: smooth + objective.l1 * l1Norm(objective, theta),
      gradientNorm: optimalityViolation(objective, theta, gradient),
    });
    while (iterations < maxIter && !converged) {
      const next = model.step(theta, smooth, gradient);
      const total = smooth + objective.l1 * l1Norm(objective, theta);
      const factor = model.majorised ? MAJORISED_FACTOR : 1;
      converged = -0.5 * next.predicted <= factor * targetGap(objective.magnitude, total, tol);
      if (next.theta === null) break;
      iterations++;
      const gained = total - next.smooth - objective.l1 * l1Norm(objective, next.theta);
      ({ theta, gradient, smooth } = next);
      if (gained <= 0) {
        // Rounding: a new Hessian may still make progress; if this one is new, stop.
        converged ||= model.fresh && -next.predicted <= NEGLIGIBLE * Math.abs(total);
        if (model.fresh) break;
        model.forget();
      }
      yield { ...reached(), iteration: iterations, total: maxIter };
    }
    return { ...reached(), iterations, converged, gradient };
  } finally {
    objective.close();
  }
}

/** The minimiser of a random sample of the rows: off by the sampling error only. */
function warmStart(objective: Objective, start: Float64Array, problem: Problem): Float64Array {
  let theta = start;
  if (objective.cols >= MAX_HESSIAN_SIDE) return theta;
  for (const sample of sampleObjectives(problem)) {
    try {
      let gradient: Float64Array = new Float64Array(sample.size);
      let smooth = evaluateSmooth(sample, theta, gradient);
      const model = new Model(problem, sample);
      for (let k = 0; k < 20; k++) {
        const next = model.step(theta, smooth, gradient);
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

/** No warning if rounding prevents a predicted decrease below this fraction of the objective. */
const NEGLIGIBLE = 1e-9;
/** A step that reduces the predicted decrease by less than this factor triggers a new Hessian. */
const SLOW = 0.1;

/** A shorter step than this means that the objective is far from quadratic here. */
const SHORT = 0.1;
/** Number of Hessians after a short step that are those of a quadratic majorant. */
const MAJORISED_STEPS = 3;
/** Factor of the tolerance for the decrease that a majorant predicts, which is an underestimate. */
const MAJORISED_FACTOR = 1e-2;

interface Step {
  /** Fraction of the step to the model's minimiser. */
  readonly length: number;
  /** Null if no step lowers the objective. */
  readonly theta: Float64Array | null;
  readonly smooth: number;
  readonly gradient: Float64Array;
  /** The change of the objective that the model predicts; ≤ 0. */
  readonly predicted: number;
}

/**
 * The quadratic model. A Hessian costs many passes over the data and hardly changes near the solution, so it is kept while
 * each step with it gains a digit.
 */
class Model {
  /** Whether the Hessian of the last step was that of the point it started from. */
  fresh = false;
  /** Whether the model is a majorant of the objective, for losses with linear tails. */
  majorised = false;
  #toMajorise = 0;
  #hessian: Float64Array | undefined;
  #before = -Infinity;

  constructor(
    private readonly problem: Problem,
    private readonly objective: Objective,
  ) {}

  /** From θ, evaluated last, towards the model's minimiser, by a step that decreases the objective sufficiently. */
  step(theta: Float64Array, smooth: number, gradient: Float64Array): Step {
    const next = this.#tryStep(theta, smooth, gradient);
    const slow = next.predicted < SLOW * this.#before;
    this.#before = next.predicted;
    const unreliable = next.length < SHORT && !this.majorised && this.objective.majorise !== undefined;
    if (unreliable) this.#toMajorise = MAJORISED_STEPS;
    if (next.theta !== null) {
      if (slow || unreliable || this.majorised) this.forget();
      return next;
    }
    if (this.fresh && !unreliable) return next;
    // The last evaluation was at another point: restore the curvatures at θ.
    evaluateSmooth(this.objective, theta, new Float64Array(theta.length));
    this.forget();
    return this.#tryStep(theta, smooth, gradient);
  }

  /** The next step needs a new Hessian. */
  forget(): void {
    this.#hessian = undefined;
  }

  #tryStep(theta: Float64Array, smooth: number, gradient: Float64Array): Step {
    this.fresh = this.#hessian === undefined;
    const { objective } = this;
    const { cols: d, outputs } = objective;
    const tooWide = outputs === 1 && (this.problem.x instanceof CsrMatrix || d >= MAX_HESSIAN_SIDE);
    if (!tooWide) this.#hessian ??= this.#newHessian();
    const target = tooWide
      ? columnProposal(this.problem, theta)
      : proposal(this.problem, objective, this.#hessian!, theta, gradient);
    return lineSearch(objective, theta, target, smooth, gradient);
  }

  #newHessian(): Float64Array {
    const hessian = hessianOf(this.objective);
    const { majorise } = this.objective;
    this.majorised = majorise !== undefined && (this.#toMajorise > 0 || isFlat(this.objective, hessian));
    if (!this.majorised) return hessian;
    this.#toMajorise = Math.max(0, this.#toMajorise - 1);
    majorise!();
    return hessianOf(this.objective);
  }
}

/** Whether so few rows are curved that a coordinate, or a combination of them, has no curvature at all. */
function isFlat({ size, cols, l2, intercept, outputs }: Objective, hessian: Float64Array): boolean {
  const ridged = hessian.slice();
  for (let j = 0; j < size; j++) if (j % (cols + 1) !== cols) ridged[j * size + j]! += l2;
  return cholesky(ridged, size, 1e-13, Infinity).lifted > (intercept ? 0 : outputs);
}

/** ∇²F at the point evaluated last, without the rows and columns of intercepts that are not learned. */
function hessianOf(objective: Objective): Float64Array {
  const { cols: d, intercept, size: side } = objective;
  const q = new Float64Array(side * side);
  objective.hessianInto(q);
  if (intercept) return q;
  for (let b = d; b < side; b += d + 1) {
    for (let j = 0; j < side; j++) {
      q[b * side + j] = 0;
      q[j * side + b] = 0;
    }
  }
  return q;
}

/** The minimiser of the penalised quadratic model at θ. `gradient` includes the l2 term. */
function proposal(
  problem: Problem,
  objective: Objective,
  q: Float64Array,
  theta: Float64Array,
  gradient: Float64Array,
): Float64Array {
  const { cols: d, intercept, size: side } = objective;
  const l1 = new Float64Array(side).fill(objective.l1);
  const l2 = new Float64Array(side).fill(objective.l2);
  for (let b = d; b < side; b += d + 1) {
    l1[b] = 0;
    l2[b] = 0;
  }
  // Model in v: ½ vᵀQv − (Qθ − ∇F)ᵀv; the l2 term of the gradient is in the penalty.
  const c = new Float64Array(side);
  for (let j = 0; j < side; j++) {
    let product = 0;
    for (let i = 0; i < side; i++) product += q[j * side + i]! * theta[i]!;
    c[j] = product - gradient[j]! + l2[j]! * theta[j]!;
  }
  const v = theta.slice();
  const { scale, floor } = objective.magnitude;
  const gap = 1e-3 * Math.max(problem.tol * problem.tol * scale, floor);
  minimiseQuadratic(problem.where, { q, c, l1, l2 }, v, violationFor(q, side, gap, objective.l2), 1000);
  if (!intercept) for (let b = d; b < side; b += d + 1) v[b] = 0;
  return v;
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

/** From θ towards the model's minimiser, by a step that decreases J sufficiently [Yuan et al. 2012, eq. 20]. */
function lineSearch(
  objective: Objective,
  theta: Float64Array,
  target: Float64Array,
  smooth: number,
  gradient: Float64Array,
): Step {
  const { l1 } = objective;
  const before = l1 * l1Norm(objective, theta);
  let predicted = l1 * l1Norm(objective, target) - before;
  for (let e = 0; e < theta.length; e++) predicted += gradient[e]! * (target[e]! - theta[e]!);
  const nextGradient = new Float64Array(theta.length);
  if (!(predicted < 0)) return { theta: null, smooth, gradient, predicted: 0, length: 1 };
  for (let step = 1; step > 1e-10; step *= 0.5) {
    const next = step === 1 ? target : theta.map((v, e) => v + step * (target[e]! - v));
    const value = evaluateSmooth(objective, next, nextGradient);
    if (value + l1 * l1Norm(objective, next) <= smooth + before + 1e-4 * step * predicted) {
      return { theta: next, smooth: value, gradient: nextGradient, predicted, length: step };
    }
  }
  return { theta: null, smooth, gradient, predicted, length: 0 };
}
