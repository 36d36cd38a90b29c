import type { Design } from "../data/input.js";
import { Matrix } from "../data/matrix.js";
import type { KernelAccess } from "../kernel-functions/learning-rows.js";
import { kernelPoints } from "../numeric/kernel-functions/kernel-points.js";
import { kernelScores } from "../numeric/kernel-functions/kernel-scores.js";
import { kernelCodes } from "../numeric/kernel-functions/kernel-tree.js";
import { linearScores } from "../numeric/rows/linear-scores.js";
import type { SupportProblem } from "./support-machine.js";

/** Rounding to 32 bits changes a kernel value by at most this part of it; evenly spread errors have 1/√3 of that as deviation. */
const ROUNDING = 2 ** -24 / Math.sqrt(3);
/** No sum of independent errors is this many deviations away. */
const DEVIATIONS = 8;

/**
 * Whether f, as steps with kernel values of 32 bits have kept it, may be wrong by a tenth of the tolerance. It is Σ_s coef_s k(x_s, x_t) with
 * every value rounded, so its error is a sum of as many independent ones.
 */
export function mayBeWrong(coef: Float64Array, largest: number, tol: number): boolean {
  let square = 0;
  for (let s = 0; s < coef.length; s++) square += coef[s]! * coef[s]!;
  return !(DEVIATIONS * ROUNDING * largest * Math.sqrt(square) <= tol / 10);
}

/** f_v = y_v ∂/∂α_v = Σ_s coef_s k(x_s, x_v) + y_v p_v, in doubles. */
export function exactGradient(where: string, problem: SupportProblem, coef: Float64Array): Float64Array {
  const { access, y, p } = problem;
  const sums = kernelSums(where, access, coef);
  return p.map((linear, v) => sums[v % sums.length]! + y[v]! * linear);
}

/** Σ_s coef_s k(x_s, x_t) for all points. */
function kernelSums(where: string, { points, kernel, own }: KernelAccess, coef: Float64Array): Float64Array {
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
  const rows = own!.selectRows(support);
  const weights = Float64Array.from(support, (s) => coef[s]!);
  if ("code" in kernel && kernel.code === kernelCodes.linear) {
    const constant = kernel.c * weights.reduce((sum, v) => sum + v, 0);
    const w = sumOfRows(rows, weights).map((v) => kernel.a * v);
    return linearScores(where, own!, w, Float64Array.of(constant)).data;
  }
  const expansion = { points: kernelPoints(rows, kernel), tree: kernel, intercept: new Float64Array(1) };
  return kernelScores(where, own!, { ...expansion, coef: new Matrix(weights, 1, support.length) }).data;
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
 * The largest violation of optimality: by how much −f of a variable that may rise is above −f of one that may fall; without
 * Σ y α = 0 the largest step that a variable wants to take alone. 0 where none is above another: then b has some room.
 */
export function violationOf(
  { y, upper }: SupportProblem,
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
