import { refuseOptions } from "../core/options.js";
import { type SmoothLossName, smoothLosses } from "../losses/loss.js";
import { type CholeskyFactor, cholesky, choleskySolveInto } from "../numeric/linalg/cholesky.js";
import { CurvaturePairs } from "../numeric/linalg/quasi-newton-pairs.js";
import { backtrack } from "./line-search.js";
import {
  dot,
  evaluateSmooth,
  maxAbs,
  type Objective,
  requireFiniteSquares,
  type Solution,
  targetGap,
} from "./objective.js";
import { openObjective, type Problem, startOf } from "./problem.js";
import { isolate } from "./row-objective.js";
import type { Solver, SolverStep } from "./solver.js";

/**
 * Newton's method with a Hessian that is recomputed only when it pays.
 *
 *   p = −B⁻¹ ∇J(θ),   θ ← θ + t p,   B = ∇²J at an earlier point, corrected by BFGS pairs since then
 *
 * A pass over the data gives value and gradient; the Hessian costs many passes. Near the solution an old Hessian
 * with a few corrections contracts almost as fast as a new one, so it is renewed only after a step that
 * disappoints. On many rows, solving a random sample first gives both a starting point that is off by the sampling
 * error only and a Hessian that is good enough: a few passes over the whole data then finish the fit.
 * Gradients are always exact, so the solution does not depend on any of this.
 *
 * Stops when the decrement ½ ∇Jᵀ B⁻¹ ∇J, an estimate of J(θ) − min J that no scaling of columns can fool, falls
 * below tol² · J. [Boyd & Vandenberghe 2004, §9.5]
 */
export function newton(...given: []): Solver<SmoothLossName, "none" | "l2"> {
  refuseOptions("newton", given);
  return Object.freeze({
    name: "newton",
    losses: smoothLosses,
    penalties: ["none", "l2"] as const,
    *minimise(problem: Problem): Generator<SolverStep, Solution, void> {
      const objective = openObjective(problem);
      try {
        return yield* newtonSteps(objective, startOf(problem), problem);
      } finally {
        objective.close();
      }
    },
    mend: () => newton(),
    toJSON: () => ({ name: "newton" }),
  });
}

interface Limits {
  readonly maxIter: number;
  readonly tol: number;
}

/** A decrement that falls by less than this factor in a step calls for a new Hessian. */
const DISAPPOINTING = 0.1;
/** Corrections kept on top of the last Hessian. */
const PAIRS = 8;
/** A shorter step than this says that J is no quadratic here. */
const SHORT = 0.1;
/** Renewals after a short step that stay above J. */
const MAJORISED_STEPS = 3;
/** The decrement of a quadratic above J is less than what is left to gain. */
const MAJORISED_SHARE = 1e-2;
/** Smallest pivot (of the unit diagonal) of a Hessian whose decrement can be believed. */
const TRUSTED = 1e-9;
/** The sample only has to be solved to within its own error. */
const SAMPLE_TOL = 1e-3;

export function* newtonSteps(
  objective: Objective,
  start: Float64Array,
  limits: Limits,
): Generator<SolverStep, Solution, void> {
  const pairs = new CurvaturePairs("newton", objective.size, PAIRS);
  try {
    let theta = start;
    let factor: CholeskyFactor | undefined;
    let expected = Infinity;
    for (const sample of objective.warmStarts?.() ?? []) {
      try {
        const run = new NewtonRun(sample, theta, factor, pairs);
        const tol = Math.max(limits.tol, SAMPLE_TOL);
        while (run.iterations < limits.maxIter && !run.done(tol)) run.step();
        theta = run.theta;
        factor = run.freshFactor();
        // A column that the sample never saw has no curvature there: the whole data must tell.
        if (factor.lifted > 0) factor = undefined;
        expected = run.value;
      } finally {
        sample.close();
      }
    }
    let run = new NewtonRun(objective, theta, factor, pairs);
    // A row unlike the sample can make its solution far worse than where we began.
    if (!(run.value <= 2 * Math.abs(expected))) run = new NewtonRun(objective, start, undefined, pairs);
    while (run.iterations < limits.maxIter && !run.done(limits.tol)) {
      run.step();
      yield run.progress(limits.maxIter);
    }
    return run.solution(limits.tol);
  } finally {
    pairs.close();
  }
}

class NewtonRun {
  theta: Float64Array;
  iterations = 0;
  readonly #objective: Objective;
  #factor: CholeskyFactor | undefined;
  #factorAge = 0;
  #gradient: Float64Array;
  #value: number;
  readonly #pairs: CurvaturePairs;
  #direction: Float64Array;
  #decrement = Infinity;
  #stuck = false;
  /** Renewals that are still to majorise J instead of taking its Hessian. */
  #toMajorise = 0;
  #majorised = false;

  constructor(
    objective: Objective,
    start: Float64Array,
    factor: CholeskyFactor | undefined,
    pairs: CurvaturePairs,
  ) {
    this.#objective = objective;
    this.#pairs = pairs;
    pairs.clear();
    this.theta = start.slice();
    this.#gradient = new Float64Array(objective.size);
    this.#direction = new Float64Array(objective.size);
    this.#value = evaluateSmooth(objective, this.theta, this.#gradient);
    this.#factor = factor;
    if (factor === undefined) this.#renew();
    this.#aim();
  }

  /** Whether the estimated distance to the minimum is below tol² of J itself. */
  done(tol: number): boolean {
    const share = this.#majorised ? MAJORISED_SHARE : 1;
    return this.#stuck || 0.5 * this.#decrement <= share * targetGap(this.#objective, this.#value, tol);
  }

  step(): void {
    this.iterations++;
    const next = new Float64Array(this.theta.length);
    const gradient = new Float64Array(this.theta.length);
    const evaluate = (theta: Float64Array, out: Float64Array) => evaluateSmooth(this.#objective, theta, out);
    const from = this.#value;
    const taken = backtrack(evaluate, this.theta, this.#direction, from, -this.#decrement, 1, next, gradient);
    if (taken === null) {
      this.#recover();
      return;
    }
    this.#pairs.push(this.theta, next, this.#gradient, gradient);
    const before = this.#decrement;
    this.theta = next;
    this.#gradient = gradient;
    this.#value = taken.value;
    this.#factorAge++;
    const short = taken.step < SHORT && this.#objective.majorise !== undefined;
    if (short) this.#toMajorise = MAJORISED_STEPS;
    // A quadratic that lies above J belongs to its own point, and a short step says that the Hessian misled.
    if (short || this.#majorised) this.#renew();
    this.#aim();
    if (this.#decrement > DISAPPOINTING * before && this.#worthRenewing()) {
      this.#renew();
      this.#aim();
    }
  }

  progress(total: number): SolverStep {
    return {
      theta: this.theta,
      iteration: this.iterations,
      total,
      objective: this.#value,
      gradientNorm: maxAbs(this.#gradient),
    };
  }

  solution(tol: number): Solution {
    return {
      theta: this.theta,
      iterations: this.iterations,
      converged: this.done(tol) && (!this.#stuck || 0.5 * this.#decrement <= 1e-9 * Math.abs(this.#value)),
      objective: this.#value,
      gradientNorm: maxAbs(this.#gradient),
      gradient: this.#gradient,
      ...(this.#factor!.smallestPivot > TRUSTED ? { gap: 0.5 * this.#decrement } : {}),
    };
  }

  /** J at the current point. */
  get value(): number {
    return this.#value;
  }

  /** The Hessian's factor at the current point, for the next larger sample. */
  freshFactor(): CholeskyFactor {
    if (this.#factorAge > 0) this.#renew();
    return this.#factor!;
  }

  /** With an old Hessian a failed step means a new one is due; with a new one it means the floor is reached. */
  #recover(): void {
    // The last evaluation was somewhere else: curvatures must be those of θ again.
    this.#value = evaluateSmooth(this.#objective, this.theta, this.#gradient);
    if (this.#factorAge === 0 && this.#pairs.length === 0) {
      if (this.#majorised || this.#objective.majorise === undefined) {
        this.#stuck = true;
        return;
      }
      this.#toMajorise = MAJORISED_STEPS;
    }
    this.#renew();
    this.#aim();
  }

  /** Early on a new Hessian saves more passes than it costs; a decrement near the target will be there first. */
  #worthRenewing(): boolean {
    return this.#factorAge > 0 && this.#factorAge >= Math.min(3, Math.floor(this.#objective.hessianCost / 4));
  }

  #renew(): void {
    this.#factor = factorOf(this.#objective);
    this.#majorised = false;
    if (this.#objective.majorise && (this.#toMajorise > 0 || this.#factor.lifted > 0)) {
      this.#toMajorise = Math.max(0, this.#toMajorise - 1);
      this.#objective.majorise();
      this.#factor = factorOf(this.#objective);
      this.#majorised = true;
    }
    this.#factorAge = 0;
    this.#pairs.clear();
  }

  #aim(): void {
    const solve = (v: Float64Array, out: Float64Array) => choleskySolveInto(this.#factor!, v, out);
    this.#pairs.directionInto(this.#gradient, solve, this.#direction);
    this.#decrement = -dot(this.#gradient, this.#direction);
    if (this.#decrement >= 0) return;
    this.#pairs.clear();
    this.#pairs.directionInto(this.#gradient, solve, this.#direction);
    this.#decrement = -dot(this.#gradient, this.#direction);
  }
}

/**
 * The factor of ∇²J at the point evaluated last. Coordinates that depend on others are left out: their gradient follows
 * from that of the others.
 */
export function factorOf(objective: Objective): CholeskyFactor {
  const { cols, outputs, l2, intercept, size: side } = objective;
  const hessian = new Float64Array(side * side);
  objective.hessianInto(hessian);
  requireFiniteSquares(objective, hessian);
  for (let k = 0; k < outputs; k++) {
    const from = k * (cols + 1);
    for (let j = from; j < from + cols; j++) hessian[j * side + j]! += l2;
    if (!intercept) isolate(hessian, side, from + cols);
  }
  return cholesky(hessian, side, 1e-13, Infinity);
}
