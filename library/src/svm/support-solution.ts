import type { SmoResult } from "../numeric/svm/smo.js";
import type { SolverParams, SupportProblem, SupportSolution } from "./support-machine.js";

/** What α says about the machine; `bounds` are those that α was found within. */
export function solutionOf(
  problem: SupportProblem,
  result: SmoResult,
  { tol, bias }: SolverParams,
  bounds = problem.upper,
): SupportSolution {
  const { y, upper } = problem;
  const unbiased = bias === "kernel";
  const { alpha, f, iterations, violation } = result;
  const coef = coefOf(problem, alpha);
  const objective = dualOf(problem, result);
  const offset = unbiased ? 0 : -offsetOf(alpha, f, y, bounds);
  const dualityGap = gapOf(alpha, f, y, upper, offset);
  // The bias of 1 + k is what the constants add up to.
  const intercept = unbiased ? coef.reduce((sum, v) => sum + v, 0) : offset;
  const origin = problem.access.origin ?? null;
  const converged = violation <= tol;
  return { coef, intercept, origin, objective, dualityGap, iterations, violation, converged };
}

/** Σ over the halves of y α. */
export function coefOf({ halves, y }: SupportProblem, alpha: Float64Array): Float64Array {
  const n = alpha.length / halves;
  const coef = new Float64Array(n);
  for (let v = 0; v < alpha.length; v++) coef[v % n]! += y[v]! * alpha[v]!;
  return coef;
}

/** ½ αᵀQα + pᵀα. */
function dualOf({ y, p }: SupportProblem, { alpha, f }: SmoResult): number {
  let sum = 0;
  for (let v = 0; v < alpha.length; v++) sum += 0.5 * alpha[v]! * (y[v]! * f[v]! + p[v]!);
  return sum;
}

/**
 * ½‖w‖² + Σ upper ξ + (½ αᵀQα + pᵀα). Both squares are ½ αᵀQα, and Σ y α = 0, so that the sum is
 *
 *   Σ_v  upper_v ξ_v + α_v y_v (f_v + b),      ξ_v = max(0, −y_v (f_v + b))
 *
 * w·x is f less its linear term: y (w·x + b) is short of what it should be by −y (f + b). No term is negative, and none
 * is the difference of large numbers. Without slack (upper = ∞) a row inside the margin counts by its α.
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

/** ρ: the mean of f over free variables; without any, the middle of where it may be [LIBSVM, §4.1.5]. */
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
