import { backtrack } from "./line-search.js";
import type { Minimiser, MinimiserOptions, SmoothFunction } from "./smooth-function.js";
import { dot, maxAbs } from "./vectors.js";

export interface GradientDescentOptions extends MinimiserOptions {
  /** The step α; with `lineSearch`, the first trial step. */
  readonly step: number;
  /** Finds α by backtracking in every iteration, from twice the last step. */
  readonly lineSearch: boolean;
}

/**
 * Gradient descent:
 *
 *   θ ← θ − α ∇f(θ)
 *
 * Stops when the largest absolute entry of ∇f falls below tol times its initial value.
 */
export function* minimiseGradientDescent(
  f: SmoothFunction,
  start: Float64Array,
  options: GradientDescentOptions,
): Minimiser {
  const { maxIter, tol, lineSearch } = options;
  let { step } = options;
  let theta = start.slice();
  let gradient = new Float64Array(f.size);
  let value = f.evaluate(theta, gradient);
  const target = tol * maxAbs(gradient);
  let iterations = 0;
  let diverged = false;
  while (iterations < maxIter && maxAbs(gradient) > target) {
    const direction = gradient.map((g) => -g);
    const next = new Float64Array(theta.length);
    const nextGradient = new Float64Array(theta.length);
    let reached: number;
    if (lineSearch) {
      // Twice the last step that worked: the step adapts in both directions.
      const descent = -dot(gradient, gradient);
      const taken = yield* backtrack(f, theta, direction, value, descent, 2 * step, next, nextGradient);
      if (taken === null) break;
      step = taken.step;
      reached = taken.value;
    } else {
      for (let e = 0; e < theta.length; e++) next[e] = theta[e]! + step * direction[e]!;
      reached = f.evaluate(next, nextGradient);
      diverged = !Number.isFinite(reached);
      if (diverged) break;
    }
    iterations++;
    theta = next;
    gradient = nextGradient;
    value = reached;
    const gradientNorm = maxAbs(gradient);
    yield { theta, iteration: iterations, total: maxIter, objective: value, gradientNorm };
  }
  const warnings = diverged ? ["The steps diverged: lower the learning rate."] : [];
  const gradientNorm = maxAbs(gradient);
  const converged = gradientNorm <= target;
  return { theta, iterations, converged, objective: value, gradientNorm, gradient, warnings };
}
