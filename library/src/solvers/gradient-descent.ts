import { absent, readOptions } from "../core/options.js";
import { real } from "../core/params.js";
import { type SmoothLossName, smoothLosses } from "../losses/loss.js";
import { backtrack } from "./line-search.js";
import { dot, evaluateSmooth, maxAbs, type Solution } from "./objective.js";
import { openObjective, type Problem, startOf } from "./problem.js";
import type { Solver, SolverStep } from "./solver.js";

const gradientDescentOptions = {
  learningRate: absent(real({ above: 0, default: 1, doc: "The step α; without it, found by line search." })),
};

/**
 * Gradient descent, as the lectures write it:
 *
 *   θ ← θ − α ∇J̄(θ),   J̄ = J / Σ s, the mean form
 *
 * With `learningRate` absent α starts at 1 and is found by backtracking in every step. Stops when the largest entry of
 * ∇J̄ falls below tol times what it was at the start.
 */
export function gradientDescent(
  options: { learningRate?: number } = {},
): Solver<SmoothLossName, "none" | "l2"> {
  const { learningRate } = readOptions("gradientDescent", gradientDescentOptions, options);
  return Object.freeze({
    name: "gradientDescent",
    losses: smoothLosses,
    penalties: ["none", "l2"] as const,
    minimise: (problem: Problem) => descend(problem, learningRate),
    toJSON: () => ({ name: "gradientDescent", ...(learningRate === undefined ? {} : { learningRate }) }),
  });
}

function* descend(problem: Problem, learningRate: number | undefined): Generator<SolverStep, Solution, void> {
  const objective = openObjective(problem);
  try {
    const { maxIter, tol } = problem;
    const evaluate = (at: Float64Array, out: Float64Array) => evaluateSmooth(objective, at, out);
    let theta = startOf(problem);
    let gradient = new Float64Array(objective.size);
    let value = evaluate(theta, gradient);
    const target = tol * maxAbs(gradient);
    let step = (learningRate ?? 1) / objective.total;
    let iterations = 0;
    let diverged = false;
    while (iterations < maxIter && maxAbs(gradient) > target) {
      const direction = gradient.map((g) => -g);
      const next = new Float64Array(theta.length);
      const nextGradient = new Float64Array(theta.length);
      let reached: number;
      if (learningRate === undefined) {
        // Twice the last step that worked: the rate adapts in both directions.
        const slope = -dot(gradient, gradient);
        const taken = backtrack(evaluate, theta, direction, value, slope, 2 * step, next, nextGradient);
        if (taken === null) break;
        step = taken.step;
        reached = taken.value;
      } else {
        for (let e = 0; e < theta.length; e++) next[e] = theta[e]! + step * direction[e]!;
        reached = evaluate(next, nextGradient);
        diverged = !Number.isFinite(reached);
        if (diverged) break;
      }
      iterations++;
      theta = next;
      gradient = nextGradient;
      value = reached;
      yield {
        theta,
        iteration: iterations,
        total: maxIter,
        objective: value,
        gradientNorm: maxAbs(gradient),
      };
    }
    const warnings = diverged ? ["The steps diverged: lower the learning rate."] : [];
    const norm = maxAbs(gradient);
    return {
      theta,
      iterations,
      converged: norm <= target,
      objective: value,
      gradientNorm: norm,
      gradient,
      warnings,
    };
  } finally {
    objective.close();
  }
}
