import type { Design } from "../data/input.js";
import { Matrix } from "../data/matrix.js";
import type { KernelAccess } from "../kernel-functions/training-rows.js";
import { kernelPoints } from "../numeric/kernel-functions/kernel-points.js";
import { kernelScores } from "../numeric/kernel-functions/kernel-scores.js";
import { kernelCodes } from "../numeric/kernel-functions/kernel-tree.js";
import { linearScores } from "../numeric/rows/linear-scores.js";
import type { SvmProblem } from "./svm-problem.js";

/** Standard deviation of the relative error of rounding a kernel value to 32 bits: uniform in ±2⁻²⁴. */
const ROUNDING = 2 ** -24 / Math.sqrt(3);
/** A sum of independent errors stays within this many standard deviations. */
const DEVIATIONS = 8;

/**
 * Whether f, updated with kernel values of 32 bits, may be off by more than a tenth of the tolerance. f is Σ_s coef_s k(x_s, x_t),
 * so its error is a sum of independent rounding errors.
 */
export function roundingMatters(coef: Float64Array, largest: number, tol: number): boolean {
  let square = 0;
  for (let s = 0; s < coef.length; s++) square += coef[s]! * coef[s]!;
  return !(DEVIATIONS * ROUNDING * largest * Math.sqrt(square) <= tol / 10);
}

/** f_v = y_v ∂/∂α_v = Σ_s coef_s k(x_s, x_v) + y_v p_v, in doubles. */
export function exactGradient(where: string, problem: SvmProblem, coef: Float64Array): Float64Array {
  const { access, y, p } = problem;
  const sums = kernelSums(where, access, coef);
  return p.map((linear, v) => sums[v % sums.length]! + y[v]! * linear);
}

/** Σ_s coef_s k(x_s, x_t) for all points. */
function kernelSums(where: string, { points, kernel, x }: KernelAccess, coef: Float64Array): Float64Array {
  const support = Int32Array.from(coef.keys()).filter((s) => coef[s] !== 0);
  if ("rowInto" in kernel) {
    const sums = new Float64Array(points.count);
    const row = new Float64Array(points.count);
    for (const s of support) {
      kernel.rowInto(s, row);
      for (let t = 0; t < row.length; t++) sums[t]! += coef[s]! * row[t]!;
    }
    return sums;
  }
  if (support.length === 0) return new Float64Array(points.count);
  const rows = x!.selectRows(support);
  const weights = Float64Array.from(support, (s) => coef[s]!);
  if ("code" in kernel && kernel.code === kernelCodes.linear) {
    const constant = kernel.c * weights.reduce((sum, v) => sum + v, 0);
    const w = sumOfRows(rows, weights).map((v) => kernel.a * v);
    return linearScores(where, x!, w, Float64Array.of(constant)).data;
  }
  const expansion = { points: kernelPoints(rows, kernel), tree: kernel, intercept: new Float64Array(1) };
  return kernelScores(where, x!, { ...expansion, coef: new Matrix(weights, 1, support.length) }).data;
}

/** Σ_s weight_s x_s. */
function sumOfRows(x: Design, weights: Float64Array): Float64Array {
  const sum = new Float64Array(x.cols);
  for (let s = 0; s < x.rows; s++) {
    const weight = weights[s]!;
    if (x instanceof Matrix) {
      for (let j = 0, e = s * x.cols; j < x.cols; j++, e++) sum[j]! += weight * x.data[e]!;
    } else for (let e = x.indptr[s]!; e < x.indptr[s + 1]!; e++) sum[x.indices[e]!]! += weight * x.values[e]!;
  }
  return sum;
}

/**
 * The largest violation of the optimality conditions: max −f over variables that may rise, minus min −f over those that may fall
 * [LIBSVM, eq. 7], at least 0. Without Σ y α = 0: the largest single violation.
 */
export function violationOf(
  { y, upper }: SvmProblem,
  alpha: Float64Array,
  f: Float64Array,
  unbiased: boolean,
): number {
  let rise = unbiased ? 0 : -Infinity;
  let fall = unbiased ? 0 : -Infinity;
  for (let v = 0; v < alpha.length; v++) {
    const above = alpha[v]! > 0;
    const below = alpha[v]! < upper[v]!;
    if (Number.isNaN(f[v]!)) return Number.NaN;
    if (y[v]! > 0 ? below : above) rise = Math.max(rise, -f[v]!);
    if (y[v]! > 0 ? above : below) fall = Math.max(fall, f[v]!);
  }
  return unbiased ? Math.max(rise, fall) : Math.max(0, rise + fall);
}
