import { DataError } from "../core/errors.js";
import { choice, flag, integer, real } from "../core/params.js";
import { kernelCodes } from "../numeric/kernel-tree.js";
import { Smo, type SmoResult } from "../numeric/smo.js";
import { kernelParams } from "./kernel-params.js";
import type { KernelAccess } from "./learning-rows.js";
import { linearStart, MOST_STEPS } from "./linear-start.js";

/** The parameters that SVC and SVR share. */
export const supportParams = {
  C: real({ above: 0, default: 1, doc: "Cost of a row outside the tube, for each unit that it is outside." }),
  ...kernelParams,
  bias: choice(["separate", "kernel"], {
    default: "separate",
    doc: '"separate": b is free; "kernel": it is part of the kernel, 1 + k, and costs like w.',
  }),
  shrinking: flag({
    default: true,
    doc: "Set rows aside that sit at a bound and are not likely to leave it.",
  }),
  tol: real({ above: 0, default: 1e-3, doc: "Largest violation of the optimality conditions that is left." }),
  cacheSize: real({ above: 0, default: 200, doc: "Megabytes for rows of the kernel matrix." }),
  maxIter: integer({ atLeast: -1, default: -1, doc: "Most steps; −1 for no limit." }),
};

export interface SupportProblem {
  readonly access: KernelAccess;
  readonly halves: 1 | 2;
  readonly y: Float64Array;
  readonly upper: Float64Array;
  readonly p: Float64Array;
}

export interface SolverParams {
  readonly bias: "separate" | "kernel";
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
  /** ½‖w‖² + Σ upper ξ above −objective; known at the end. */
  readonly dualityGap: number | undefined;
  readonly iterations: number;
  readonly violation: number;
  readonly converged: boolean;
}

/** What there is to see of a machine while it is learned. */
export interface SupportStep {
  readonly iteration: number;
  readonly total: number | undefined;
  solution(): SupportSolution;
}

/** Steps between two looks at progress and abort; someone who looks on sees the machine of n rows a few dozen times. */
export const stepsFor = (n: number, shown: boolean): number =>
  shown ? Math.max(1, Math.ceil(n / 20)) : 2000;

/** The kernel 1 + k, if the bias is to be part of it. */
export function withBias(access: KernelAccess, bias: "separate" | "kernel"): KernelAccess {
  if (bias === "separate") return access;
  const { points, kernel } = access;
  if (!("rowInto" in kernel)) {
    const one = { code: kernelCodes.linear, a: 0, c: 1, degree: 1 };
    return { points, kernel: { op: "sum", parts: [kernel, one] } };
  }
  return {
    points,
    kernel: {
      diagonal: kernel.diagonal.map((v) => v + 1),
      rowInto: (t, out) => {
        kernel.rowInto(t, out);
        for (let s = 0; s < out.length; s++) out[s]! += 1;
      },
    },
  };
}

/** Sequential minimal optimisation, `steps` at a time. */
export function* solveSupport(
  where: string,
  problem: SupportProblem,
  { bias, shrinking, tol, cacheSize, maxIter }: SolverParams,
  steps: number,
): Generator<SupportStep, SupportSolution, void> {
  const most = maxIter < 0 ? Number.MAX_SAFE_INTEGER : maxIter;
  const unbiased = bias === "kernel";
  const { access, halves, y, upper, p } = problem;
  const { points, kernel } = access;
  const cacheBytes = cacheSize * 2 ** 20;
  const begun = unbiased || most < MOST_STEPS ? undefined : yield* startSteps(where, problem);
  const { alpha: start, steps: before = 0 } = begun ?? {};
  const rest = { unbiased, start, eps: tol, maxIter: most - before, shrinking, cacheBytes };
  const smo = new Smo(where, { points, kernel, halves, y, upper, p, ...rest });
  try {
    const largest = smo.largest();
    requireModest(where, largest);
    const hard = upper.includes(Infinity);
    const ended = (result: SmoResult): SupportSolution => {
      const solution = solutionOf(problem, result, tol, unbiased);
      return { ...solution, iterations: before + result.iterations };
    };
    // Points that are set aside learn their f at the end.
    const onTheWay = (): SupportSolution => {
      const result = smo.result();
      return { ...ended(result), objective: result.objective, dualityGap: undefined, converged: false };
    };
    while (!smo.run(steps)) {
      if (hard) requireApart(where, problem, smo.result(), largest.kernel);
      yield {
        iteration: before + smo.iterations,
        total: maxIter < 0 ? undefined : maxIter,
        solution: onTheWay,
      };
    }
    return ended(smo.result());
  } finally {
    smo.close();
  }
}

/** `linearStart`, seen as steps of the machine. */
function* startSteps(
  where: string,
  problem: SupportProblem,
): Generator<SupportStep, { alpha: Float64Array; steps: number } | undefined, void> {
  const points = linearStart(where, problem);
  for (let steps = 0; ; steps++) {
    const step = points.next();
    if (step.done) return step.value && { alpha: step.value, steps };
    const { theta, multipliers, objective, gap } = step.value;
    yield {
      iteration: steps + 1,
      total: undefined,
      solution: () => ({
        coef: coefOf(problem, multipliers),
        intercept: theta.at(-1)!,
        objective: -objective,
        dualityGap: gap,
        iterations: steps + 1,
        violation: gap,
        converged: false,
      }),
    };
  }
}

/** Σ over the halves of y α. */
function coefOf({ halves, y }: SupportProblem, alpha: Float64Array): Float64Array {
  const n = alpha.length / halves;
  const coef = new Float64Array(n);
  for (let v = 0; v < alpha.length; v++) coef[v % n]! += y[v]! * alpha[v]!;
  return coef;
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

/** Squared distances of the classes below this part of the largest k(x, x) are lost in the rounding of 32-bit kernel values. */
const TOUCHING = 1e-8;

/**
 * Without slack the dual is unbounded if the classes touch. Divided by ½Σα, the α are weights of two points, one in the hull
 * of each class, ‖w‖ their distance: two points (almost) in the same place are the proof.
 */
function requireApart(where: string, { y, p }: SupportProblem, result: SmoResult, largest: number): void {
  const { alpha, f } = result;
  let total = 0;
  let square = 0;
  for (let v = 0; v < alpha.length; v++) {
    total += alpha[v]!;
    square += alpha[v]! * (y[v]! * f[v]! - p[v]!);
  }
  if (4 * square > TOUCHING * largest * total * total) return;
  throw new DataError({
    where,
    subject: "X and y",
    expected: "rows that the kernel can separate (C is Infinity: none may be inside the margin)",
    received: "rows that no boundary of this kernel separates, or none that leaves room beside it",
    advice: "Set a finite C, or another kernel (a larger gamma separates more).",
  });
}

function solutionOf(
  problem: SupportProblem,
  result: SmoResult,
  tol: number,
  unbiased: boolean,
): SupportSolution {
  const { y, upper, p } = problem;
  const { alpha, f, iterations, violation } = result;
  const coef = coefOf(problem, alpha);
  let objective = 0;
  let square = 0;
  for (let v = 0; v < alpha.length; v++) {
    objective += 0.5 * alpha[v]! * (y[v]! * f[v]! + p[v]!);
    square += alpha[v]! * (y[v]! * f[v]! - p[v]!);
  }
  // w·x is f less its linear term, so y (w·x + b) is short of what it should be by −y (f + b).
  const offset = unbiased ? 0 : -offsetOf(alpha, f, y, upper);
  let slack = 0;
  for (let v = 0; v < alpha.length; v++) {
    const xi = -y[v]! * (f[v]! + offset);
    if (xi > 0 && upper[v]! < Infinity) slack += upper[v]! * xi;
  }
  const dualityGap = Math.max(0, 0.5 * square + slack + objective);
  // The bias of 1 + k is what the constants add up to.
  const intercept = unbiased ? coef.reduce((sum, v) => sum + v, 0) : offset;
  return { coef, intercept, objective, dualityGap, iterations, violation, converged: violation <= tol };
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
