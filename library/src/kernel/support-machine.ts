import { DataError } from "../core/errors.js";
import { flag, integer, real } from "../core/params.js";
import type { Design } from "../data/input.js";
import { Matrix } from "../data/matrix.js";
import { type KernelCode, Smo, type SmoResult } from "../numeric/smo.js";
import { kernelParams } from "./kernel-function.js";

/** The parameters that SVC and SVR share. */
export const supportParams = {
  C: real({ above: 0, default: 1, doc: "Cost of a row inside the margin or on the wrong side of it." }),
  ...kernelParams,
  shrinking: flag({
    default: true,
    doc: "Set rows aside that sit at a bound and are not likely to leave it.",
  }),
  tol: real({ above: 0, default: 1e-3, doc: "Largest violation of the optimality conditions that is left." }),
  cacheSize: real({ above: 0, default: 200, doc: "Megabytes for rows of the kernel matrix." }),
  maxIter: integer({ atLeast: -1, default: -1, doc: "Most steps; −1 for no limit." }),
};

export interface SupportProblem {
  readonly x: Matrix;
  readonly kernel: KernelCode;
  readonly halves: 1 | 2;
  readonly y: Float64Array;
  readonly upper: Float64Array;
  readonly p: Float64Array;
}

export interface SolverParams {
  readonly shrinking: boolean;
  readonly tol: number;
  readonly cacheSize: number;
  readonly maxIter: number;
}

export interface SupportSolution {
  /** Σ over the halves of y α, one a point: what the decision function multiplies kernels with. */
  readonly coef: Float64Array;
  readonly intercept: number;
  /** ½ αᵀQα + pᵀα, the minimised dual. */
  readonly objective: number;
  readonly iterations: number;
  readonly violation: number;
  readonly converged: boolean;
}

/** Steps between two looks at progress and abort. */
const STEPS = 2000;

/** Sequential minimal optimisation, some thousand steps at a time. */
export function* solveSupport(
  where: string,
  problem: SupportProblem,
  { shrinking, tol, cacheSize, maxIter }: SolverParams,
): Generator<{ iteration: number; total: number | undefined }, SupportSolution, void> {
  const most = maxIter < 0 ? Number.MAX_SAFE_INTEGER : maxIter;
  const cacheBytes = cacheSize * 2 ** 20;
  const smo = new Smo(where, { ...problem, eps: tol, maxIter: most, shrinking, cacheBytes });
  try {
    requireModest(where, smo.largest());
    while (!smo.run(STEPS)) yield { iteration: smo.iterations, total: maxIter < 0 ? undefined : maxIter };
    return solutionOf(problem, smo.result(), tol);
  } finally {
    smo.close();
  }
}

/** Sparse rows of more entries than this, zeros included, are not made dense. */
const DENSE_ENTRIES = 2e7;

/** Kernel rows are products with all points at once, for which points lie dense in memory; sparse ones are copied so. */
export function denseOf(where: string, x: Design): Matrix {
  if (x instanceof Matrix) return x;
  if (x.rows * x.cols <= DENSE_ENTRIES) return x.toDense();
  throw new DataError({
    where,
    subject: "sparse X",
    expected: `of at most ${DENSE_ENTRIES} entries, zeros included, since it is made dense`,
    received: `${x.rows} × ${x.cols}`,
    advice: "LinearSVC and LinearSVR take sparse rows of any size.",
  });
}

/** Kernel values are kept as 32-bit floats, which end at 3e38. */
const LARGEST_KERNEL = 1e37;
/** Sums of three of these are finite. */
const LARGEST_SQUARE = 1e307;

function requireModest(where: string, { square, kernel }: { square: number; kernel: number }): void {
  if (kernel <= LARGEST_KERNEL && square <= LARGEST_SQUARE) return;
  throw new DataError({
    where,
    subject: "X",
    expected: `small enough for kernel values up to ${LARGEST_KERNEL}`,
    received: "larger numbers",
    advice: "Scale it (StandardScaler).",
  });
}

function solutionOf(
  { halves, y, upper, p }: SupportProblem,
  result: SmoResult,
  tol: number,
): SupportSolution {
  const { alpha, f, iterations, violation } = result;
  const n = alpha.length / halves;
  const coef = new Float64Array(n);
  let objective = 0;
  for (let v = 0; v < alpha.length; v++) {
    coef[v % n]! += y[v]! * alpha[v]!;
    objective += 0.5 * alpha[v]! * (y[v]! * f[v]! + p[v]!);
  }
  const intercept = -offsetOf(alpha, f, y, upper);
  return { coef, intercept, objective, iterations, violation, converged: violation <= tol };
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
