import { readOptions } from "../core/options.js";
import { integer } from "../core/params.js";
import { type SmoothLossName, smoothLosses } from "../losses/loss.js";
import { CurvaturePairs } from "../numeric/linalg/quasi-newton-pairs.js";
import { backtrack } from "./line-search.js";
import { newton } from "./newton.js";
import {
  dot,
  evaluateSmooth,
  maxAbs,
  type Objective,
  type Preconditioner,
  type Solution,
  targetGap,
} from "./objective.js";
import { openObjective, type Problem, startOf } from "./problem.js";
import type { Solver, SolverStep } from "./solver.js";

const lbfgsOptions = {
  memory: integer({ atLeast: 1, atMost: 1000, default: 10, doc: "Steps whose curvature is kept." }),
};

/**
 * Limited-memory BFGS [Nocedal & Wright, algorithm 7.5], preconditioned by the Gram matrix or its diagonal.
 *
 *   p = −H ∇J(θ),   θ ← θ + t p,   H from the last `memory` steps and the preconditioner
 *
 * Stops when the decrement ½ ∇JᵀH∇J, an estimate of J(θ) − min J, stays below tol² · J, or when the gradient is
 * negligible against the one at the start.
 */
export function lbfgs(options: { memory?: number } = {}): Solver<SmoothLossName, "none" | "l2"> {
  const { memory } = readOptions("lbfgs", lbfgsOptions, options);
  return Object.freeze({
    name: "lbfgs",
    losses: smoothLosses,
    penalties: ["none", "l2"] as const,
    *minimise(problem: Problem): Generator<SolverStep, Solution, void> {
      const objective = openObjective(problem);
      try {
        return yield* lbfgsSteps(objective, startOf(problem), problem, memory);
      } finally {
        objective.close();
      }
    },
    mend: () => newton(),
    toJSON: () => ({ name: "lbfgs", memory }),
  });
}

/** Iterations after which the preconditioner is renewed for the first time; then after twice as many, and so on. */
const FIRST_RENEWAL = 3;

export function* lbfgsSteps(
  objective: Objective,
  start: Float64Array,
  limits: { readonly maxIter: number; readonly tol: number },
  memory: number,
): Generator<SolverStep, Solution, void> {
  const { maxIter, tol } = limits;
  let precondition = objective.preconditioner?.() ?? ((g: Float64Array, out: Float64Array) => out.set(g));
  let renewAt = FIRST_RENEWAL;
  const pairs = new CurvaturePairs("lbfgs", objective.size, memory);
  try {
    const evaluate = (at: Float64Array, out: Float64Array) => evaluateSmooth(objective, at, out);
    let theta = start.slice();
    let gradient = new Float64Array(objective.size);
    let value = evaluate(theta, gradient);
    const direction = new Float64Array(objective.size);
    let scale = firstScale(objective, gradient, precondition);
    let quiet = 0;
    let iterations = 0;
    let converged = maxAbs(gradient) === 0;
    while (!converged && iterations < maxIter) {
      const initial = (v: Float64Array, out: Float64Array) => {
        precondition(v, out);
        for (let e = 0; e < out.length; e++) out[e]! *= scale;
      };
      pairs.directionInto(gradient, initial, direction);
      let slope = dot(gradient, direction);
      if (!(slope < 0)) {
        pairs.clear();
        pairs.directionInto(gradient, initial, direction);
        slope = dot(gradient, direction);
      }
      const next = new Float64Array(theta.length);
      const nextGradient = new Float64Array(theta.length);
      const taken = backtrack(evaluate, theta, direction, value, slope, 1, next, nextGradient);
      if (taken === null) {
        if (pairs.length === 0) break;
        pairs.clear();
        continue;
      }
      iterations++;
      pairs.push(theta, next, gradient, nextGradient);
      scale = pairs.scale(precondition);
      const fallen = value - taken.value;
      theta = next;
      gradient = nextGradient;
      value = taken.value;
      if (objective.renewPreconditioner && iterations === renewAt) {
        precondition = objective.renewPreconditioner();
        scale = pairs.scale(precondition);
        renewAt *= 2;
      }
      const target = targetGap(objective, value, tol);
      // One quiet step may be luck; the decrement of a two-loop direction is only an estimate.
      quiet = -0.5 * slope <= target && fallen <= target ? quiet + 1 : 0;
      converged = quiet >= 2 || maxAbs(gradient) === 0;
      yield {
        theta,
        iteration: iterations,
        total: maxIter,
        objective: value,
        gradientNorm: maxAbs(gradient),
      };
    }
    return { theta, iterations, converged, objective: value, gradientNorm: maxAbs(gradient), gradient };
  } finally {
    pairs.close();
  }
}

/** The exact step along the first direction for a quadratic: gᵀPg / (Pg)ᵀ∇²J(Pg). Saves a search for it. */
function firstScale(objective: Objective, gradient: Float64Array, precondition: Preconditioner): number {
  const { size, cols, outputs, l2, intercept } = objective;
  // With several outputs the preconditioner is the Hessian at 0 but for what classes do to each other.
  if (outputs > 1) return 1;
  const direction = new Float64Array(size);
  precondition(gradient, direction);
  if (!intercept) direction[cols] = 0;
  const product = new Float64Array(size);
  objective.hessianVectorInto(direction, product);
  let curvature = dot(direction, product);
  for (let j = 0; j < cols; j++) curvature += l2 * direction[j]! * direction[j]!;
  const step = dot(gradient, direction) / curvature;
  return Number.isFinite(step) && step > 0 ? step : 1;
}
