import { absent, readOptions } from "../core/params/options.js";
import { real } from "../core/params/params.js";
import { type SmoothLossName, smoothLosses } from "../losses/loss.js";
import { minimiseGradientDescent } from "../minimisers/gradient-descent.js";
import { totalWeight } from "./objective.js";
import type { Problem } from "./problem.js";
import { minimiseSmooth } from "./smooth-part.js";
import type { Solver } from "./solver.js";

const gradientDescentOptions = {
  learningRate: absent(
    real({ above: 0, default: 1, doc: "Learning rate α; if absent, found by line search." }),
  ),
};

/**
 * Gradient descent, as the lectures write it:
 *
 *   θ ← θ − α ∇J̄(θ),   J̄ = J / Σ s, the mean form
 *
 * With `learningRate` absent α starts at 1 and is found by backtracking in every step. Stops when the largest absolute entry of
 * ∇J̄ falls below tol times its initial value.
 */
export function gradientDescent(
  options: { learningRate?: number | undefined } = {},
): Solver<SmoothLossName, "none" | "l2"> {
  const { learningRate } = readOptions("gradientDescent", gradientDescentOptions, options);
  return Object.freeze({
    name: "gradientDescent",
    losses: smoothLosses,
    penalties: ["none", "l2"] as const,
    minimise: (problem: Problem) =>
      minimiseSmooth(problem, (f, start) =>
        minimiseGradientDescent(f, start, {
          maxIter: problem.maxIter,
          tol: problem.tol,
          step: (learningRate ?? 1) / totalWeight(problem),
          lineSearch: learningRate === undefined,
        }),
      ),
    ownStoppingRule: true,
    toJSON: () => ({ name: "gradientDescent", ...(learningRate === undefined ? {} : { learningRate }) }),
  });
}
