import { choice, flag, integer, type ParamValues, real } from "../core/params/params.js";
import { kernelParams } from "../kernel-functions/kernel-params.js";
import type { KernelAccess } from "../kernel-functions/training-rows.js";
import { kernelCodes } from "../numeric/kernel-functions/kernel-tree.js";

/** What SVC and SVR can do. Their kernel values, and with them the time of a fit, grow faster than the rows. */
export const svmFacts = {
  sparse: true,
  scale: "standard",
  manyColumns: true,
  fitPower: 1.7,
  form: "rows",
} as const;

/** The parameters that SVC and SVR share. */
export const svmParams = {
  C: real({
    above: 0,
    default: 1,
    doc: "Regularisation parameter: the cost of errors beyond epsilon. Larger C regularises less.",
  }),
  ...kernelParams,
  bias: choice(["separate", "kernel"], {
    default: "separate",
    doc: '"separate": the intercept b is not penalised; "kernel": the kernel is 1 + k, which penalises b like w.',
  }),
  shrinking: flag({
    default: true,
    doc: "Use the shrinking heuristic: set rows aside that are likely to stay at a bound.",
  }),
  tol: real({
    above: 0,
    default: 1e-3,
    doc: "Stop when the largest violation of the optimality conditions is below this.",
  }),
  cacheSize: real({ above: 0, default: 200, doc: "Size of the kernel cache, in megabytes." }),
  maxIter: integer({
    atLeast: -1,
    default: -1,
    doc: "Maximum number of solver iterations; −1 for no limit.",
  }),
};

export type SolverParams = Pick<
  ParamValues<typeof svmParams>,
  "bias" | "shrinking" | "tol" | "cacheSize" | "maxIter"
>;

/**
 * The dual of an SVM: minimise ½ Σ α_s α_t y_s y_t k(x_s, x_t) + Σ p_t α_t over 0 ≤ α ≤ upper, Σ y α = 0.
 * SVR has two variables per point: those of the upper side of its tube first, then those of the lower side.
 */
export interface SvmProblem {
  readonly access: KernelAccess;
  readonly variablesPerPoint: 1 | 2;
  readonly y: Float64Array;
  readonly upper: Float64Array;
  readonly p: Float64Array;
}

export interface SvmSolution {
  /** The dual coefficients: y α, summed over the variables of each point. */
  readonly coef: Float64Array;
  readonly intercept: number;
  /** The decision function is Σ coef k(x_t − origin, x − origin) + intercept; null for origin 0. */
  readonly origin: Float64Array | null;
  /** The minimised dual objective, ½ αᵀQα + pᵀα. */
  readonly objective: number;
  /** Primal objective ½‖w‖² + Σ upper ξ plus the dual `objective`; undefined before the end. */
  readonly dualityGap: number | undefined;
  readonly iterations: number;
  readonly violation: number;
  readonly converged: boolean;
  /** Why the solver stopped without converging. */
  readonly stopped?: StopReason | undefined;
}

/** At maxIter; because rounding hides further progress; or after more steps than any converging problem takes. */
export type StopReason = "maxIter" | "stalled" | "slow";

/** Progress of a binary SVM or SVR, and its solution so far. */
export interface SvmStep {
  readonly iteration: number;
  readonly total: number | undefined;
  solution(): SvmSolution;
}

/** The kernel 1 + k where the bias is part of the kernel. */
export function withBias(access: KernelAccess, bias: "separate" | "kernel"): KernelAccess {
  if (bias === "separate") return access;
  const { kernel } = access;
  if (!("rowInto" in kernel)) {
    const one = { code: kernelCodes.linear, a: 0, c: 1, degree: 1 };
    return { ...access, kernel: { op: "sum", parts: [kernel, one] } };
  }
  return {
    ...access,
    kernel: {
      diagonal: kernel.diagonal.map((v) => v + 1),
      rowInto: (t, out) => {
        kernel.rowInto(t, out);
        for (let s = 0; s < out.length; s++) out[s]! += 1;
      },
    },
  };
}
