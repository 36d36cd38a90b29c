import type { SmoResult } from "../numeric/svm/smo.js";
import type { SolverParams, SvmProblem, SvmSolution } from "./svm-problem.js";

/** Coefficients, intercept, objective and duality gap at α; `bounds` are the upper bounds of the solver. */
export function solutionOf(
  problem: SvmProblem,
  result: SmoResult,
  { tol, bias }: SolverParams,
  bounds = problem.upper,
): SvmSolution {
  const { y, upper } = problem;
  const unbiased = bias === "kernel";
  const { alpha, f, iterations, violation } = result;
  const coef = coefOf(problem, alpha);
  const objective = dualOf(problem, result);
  const offset = unbiased ? 0 : -offsetOf(alpha, f, y, bounds);
  const dualityGap = gapOf(alpha, f, y, upper, offset);
  // With the kernel 1 + k, b is the sum of the coefficients.
  const intercept = unbiased ? coef.reduce((sum, v) => sum + v, 0) : offset;
  const origin = problem.access.origin ?? null;
  const converged = violation <= tol;
  return { coef, intercept, origin, objective, dualityGap, iterations, violation, converged };
}

/** y α, summed over the variables of each point. */
export function coefOf({ variablesPerPoint, y }: SvmProblem, alpha: Float64Array): Float64Array {
  const n = alpha.length / variablesPerPoint;
  const coef = new Float64Array(n);
  for (let v = 0; v < alpha.length; v++) coef[v % n]! += y[v]! * alpha[v]!;
  return coef;
}

/** ½ αᵀQα + pᵀα. */
function dualOf({ y, p }: SvmProblem, { alpha, f }: SmoResult): number {
  let sum = 0;
  for (let v = 0; v < alpha.length; v++) sum += 0.5 * alpha[v]! * (y[v]! * f[v]! + p[v]!);
  return sum;
}

/**
 * The duality gap ½‖w‖² + Σ upper ξ + (½ αᵀQα + pᵀα). Since ½‖w‖² = ½ αᵀQα and Σ y α = 0, it is
 *
 *   Σ_v  upper_v ξ_v + α_v y_v (f_v + b),      ξ_v = max(0, −y_v (f_v + b))
 *
 * No term is negative, and none is the difference of large numbers. Without slack (upper = ∞), a row inside the margin counts
 * with its α.
 */
function gapOf(
  alpha: Float64Array,
  f: Float64Array,
  y: Float64Array,
  upper: Float64Array,
  b: number,
): number {
  let gap = 0;
  for (let v = 0; v < alpha.length; v++) {
    const excess = y[v]! * (f[v]! + b);
    if (excess > 0) gap += alpha[v]! * excess;
    else gap -= (upper[v]! < Infinity ? upper[v]! - alpha[v]! : alpha[v]!) * excess;
  }
  return gap;
}

/** ρ: the mean of f over free variables; without any, the midpoint of its feasible interval [LIBSVM, §4.1.5]. */
function offsetOf(alpha: Float64Array, f: Float64Array, y: Float64Array, upper: Float64Array): number {
  let most = Infinity;
  let least = -Infinity;
  let sum = 0;
  let free = 0;
  for (let v = 0; v < alpha.length; v++) {
    const atUpper = alpha[v]! >= upper[v]!;
    const atLower = alpha[v]! <= 0;
    if (!atUpper && !atLower) {
      sum += f[v]!;
      free++;
    } else if (atUpper ? y[v]! < 0 : y[v]! > 0) most = Math.min(most, f[v]!);
    else least = Math.max(least, f[v]!);
  }
  if (free > 0) return sum / free;
  if (most === Infinity || least === -Infinity)
    return most === Infinity ? (least === -Infinity ? 0 : least) : most;
  return (most + least) / 2;
}
