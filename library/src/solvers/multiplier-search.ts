import { runToEnd } from "../core/steps.js";
import { coordinateDescent } from "./coordinate-descent.js";
import { newton } from "./newton.js";
import type { Solution } from "./objective.js";
import { type Problem, primalAt, startOf } from "./problem.js";
import type { SolverStep } from "./solver.js";

/** Maximum number of multipliers: each at least halves the logarithm of the interval. */
const TRIES = 80;
/** The norm of the solution may be smaller than the radius by this fraction. */
const SHORT = 1e-10;
/** Total number of iterations after which the best solution so far is returned. */
const MOST_STEPS = 2000;
/** Multipliers are tried up to this many orders of magnitude around the first. */
const WIDEST = 1e60;

/**
 * A problem inside a ball through its penalised form: for the multiplier λ ≥ 0 with ‖w(λ)‖ = radius, the minimiser of
 *
 *   F(w, b) + ½λ‖w‖²      or      F(w, b) + λ‖w‖₁
 *
 * is that of F inside the ball. ‖w(λ)‖ falls as λ grows, so λ is found by bisection of its logarithm. Unlike
 * projections, this works on badly scaled columns as well as the solver of the penalised form does.
 */
export function* multiplierSearch(problem: Problem): Generator<SolverStep, Solution, void> {
  const { ball, maxIter } = problem;
  const { norm, radius } = ball!;
  const inner = norm === "l2" ? newton() : coordinateDescent();
  let start = problem.start;
  let iterations = 0;
  const solve = (lambda: number): Solution => {
    const strength = norm === "l2" ? { l2: problem.l2 + lambda } : { l1: problem.l1 + lambda };
    const limits = { tol: Math.min(problem.tol, 1e-6), maxIter: Math.min(maxIter, MOST_STEPS / 4) };
    const penalised = { ...problem, ...strength, ...limits, ball: null, start, opened: undefined };
    const solution = runToEnd(inner.minimise(penalised));
    iterations += solution.iterations;
    start = solution.theta.every(Number.isFinite) ? solution.theta : undefined;
    return solution;
  };
  const sizeOf = ({ theta }: Solution) => normOf(theta, problem.x.cols, norm);
  let found = solve(0);
  if (!(sizeOf(found) <= radius)) {
    let low = 0;
    let high = firstMultiplier(problem);
    const most = WIDEST * high;
    for (found = solve(high); sizeOf(found) > radius && high < most; found = solve(high)) {
      low = high;
      high *= 1e3;
      yield { theta: found.theta, iteration: iterations, total: maxIter };
    }
    const enough = () => sizeOf(found) >= (1 - SHORT) * radius || iterations > Math.max(MOST_STEPS, maxIter);
    for (let k = 0; k < TRIES && !enough(); k++) {
      const middle = low > 0 ? Math.sqrt(low) * Math.sqrt(high) : high * 1e-3;
      if (!(middle > low && middle < high)) break;
      const other = solve(middle);
      if (sizeOf(other) > radius) low = middle;
      else {
        high = middle;
        found = other;
      }
      yield { theta: found.theta, iteration: iterations, total: maxIter };
    }
  }
  const { converged } = found;
  const theta = found.theta.slice();
  shrinkInto(Math.min(1, radius / sizeOf(found)), problem.x.cols, theta);
  const { objective, gradientNorm } = primalAt({ ...problem, opened: undefined }, theta);
  return { theta, iterations, converged, objective, gradientNorm };
}

/** Multiplies all w; every point between 0 and the ball's surface is inside. */
function shrinkInto(factor: number, cols: number, theta: Float64Array): void {
  if (factor === 1) return;
  for (let e = 0; e < theta.length; e++) if (e % (cols + 1) !== cols) theta[e]! *= factor;
}

function normOf(theta: Float64Array, cols: number, norm: "l1" | "l2"): number {
  let sum = 0;
  for (let e = 0; e < theta.length; e++) {
    if (e % (cols + 1) !== cols) sum += norm === "l1" ? Math.abs(theta[e]!) : theta[e]! * theta[e]!;
  }
  return norm === "l1" ? sum : Math.sqrt(sum);
}

/** The gradient at 0, relative to the radius: the size that λ has when the ball is small. */
function firstMultiplier(problem: Problem): number {
  const { ball } = problem;
  const own = { ...problem, start: undefined, opened: undefined };
  const { gradientNorm } = primalAt(own, startOf(own));
  const size = ball!.norm === "l1" ? gradientNorm : gradientNorm / ball!.radius;
  return Number.isFinite(size) && size > 0 ? 1e-3 * size : 1;
}
