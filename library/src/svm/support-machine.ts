import { DataError } from "../core/errors.js";
import { choice, flag, integer, real } from "../core/params.js";
import { kernelParams } from "../kernel-functions/kernel-params.js";
import type { KernelAccess } from "../kernel-functions/learning-rows.js";
import { kernelCodes } from "../numeric/kernel-functions/kernel-tree.js";
import { Smo, type SmoResult } from "../numeric/svm/smo.js";
import { exactGradient, mayBeWrong, violationOf } from "./exact-gradient.js";
import { linearStart, MOST_STEPS } from "./linear-start.js";
import { RefinementRounds, StallWatch } from "./support-progress.js";
import { coefOf, solutionOf } from "./support-solution.js";

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
  /** Where 0 is for the intercept: the machine is Σ coef k(x_t − origin, x − origin) + intercept. null: where it is. */
  readonly origin: Float64Array | null;
  /** ½ αᵀQα + pᵀα, the minimised dual. */
  readonly objective: number;
  /** ½‖w‖² + Σ upper ξ above −objective; known at the end. */
  readonly dualityGap: number | undefined;
  readonly iterations: number;
  readonly violation: number;
  readonly converged: boolean;
  /** Why it stopped before the violation was small enough. */
  readonly stopped?: Stop | undefined;
}

/** At maxIter; where rounding hides what is left to gain; or after more steps than any machine that gets there takes. */
export type Stop = "maxIter" | "stalled" | "slow";

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

/** Costs that turn out too large are limited to this part of what they were, as often as needed. */
const LOWERED = 1e-3;
/** Sums of α k below this are not rounded by more than any tolerance in use. */
const ROUNDED_SUM = 1e12;

/**
 * Learns a machine, some steps at a time. Costs are limited where they are so large that sums of α k lose the 1 of the margin in their
 * rounding, and lower still if what is found is worse than w = 0. The report is about the costs that were given: a machine with an α at such a
 * limit has not converged.
 */
export function* solveSupport(
  where: string,
  given: SupportProblem,
  params: SolverParams,
  steps: number,
): Generator<SupportStep, SupportSolution, void> {
  const highest = highestCost(given.upper);
  const problem = highest <= MOST ? given : { ...given, upper: limited(given.upper, MOST) };
  let limit = Infinity;
  let before = 0;
  for (;;) {
    const bounds = limited(problem.upper, limit);
    const patience = before + (limit < Infinity ? LIMITED_STEPS : ENOUGH_STEPS) * bounds.length;
    const watch = new StallWatch(
      bounds.length,
      limit < Infinity ? patience : Math.max(patience, FEWEST_ENOUGH),
    );
    const outcome = yield* descend(where, { ...problem, upper: bounds }, params, steps, before, watch);
    if ("tooLarge" in outcome) {
      limit = outcome.tooLarge;
      continue;
    }
    const { result, stopped } = outcome;
    const solution = { ...solutionOf(problem, result, params, bounds), stopped };
    const isLimited =
      limit < Infinity && result.alpha.some((a, v) => a >= bounds[v]! && bounds[v]! < problem.upper[v]!);
    if ((stopped === undefined || stopped === "maxIter") && !isLimited) return solution;
    const sums = Math.min(limit, highest) * bounds.length * outcome.largest;
    const last = stopped === "maxIter" || sums < ROUNDED_SUM || !isWorseThanZero(problem, solution);
    if (last) return { ...solution, converged: false, stopped: stopped ?? "stalled" };
    limit = LOWERED * Math.min(limit, highest);
    before = result.iterations;
  }
}

/** Steps for each variable, and at least, that are enough for any machine: LIBSVM's. Of costs that are limited little can be had. */
const ENOUGH_STEPS = 100;
const FEWEST_ENOUGH = 1e7;
const LIMITED_STEPS = 100;

/** The largest of the costs that are finite. */
function highestCost(upper: Float64Array): number {
  let highest = 0;
  for (let v = 0; v < upper.length; v++) if (upper[v]! > highest && upper[v]! < Infinity) highest = upper[v]!;
  return highest;
}

/** Costs whose squares are finite. */
const MOST = 1e150;

/** C = Infinity stays: it has no bounds at all, and a check of its own. */
const limited = (upper: Float64Array, limit: number): Float64Array =>
  limit === Infinity ? upper : upper.map((cost) => (cost < Infinity ? Math.min(cost, limit) : cost));

/** Whether ½‖w‖² + Σ upper ξ is above what it is at w = 0, with b = 0 or in the middle of what the rows want. */
function isWorseThanZero(problem: SupportProblem, { objective, dualityGap }: SupportSolution): boolean {
  const { y, upper, p } = problem;
  const wanted = p.map((linear, v) => -y[v]! * linear).sort();
  const slackAt = (b: number) =>
    upper.reduce((sum, cost, v) => {
      const xi = -(p[v]! + y[v]! * b);
      return xi > 0 && cost < Infinity ? sum + cost * xi : sum;
    }, 0);
  const zero = Math.min(slackAt(0), slackAt(wanted[wanted.length >> 1]!));
  // Where w = 0 is the best there is, rounding decides which is lower.
  return !(dualityGap! - objective <= 1.001 * zero);
}

type Outcome =
  | { readonly result: SmoResult; readonly stopped: Stop | undefined; readonly largest: number }
  /** Finite costs must not be above this. */
  | { readonly tooLarge: number };

/** Rounds that leave more than this part of the violation were steps among roundings: the machine before them is as good. */
const WORTH_TAKING = 0.1;

/** Sums of α k above this are rounded by hundreds, and their squares are near the end of 32-bit floats. */
const LARGEST_SUM = 1e18;

/**
 * Sequential minimal optimisation, `steps` at a time, `before` counted already.
 *
 * Steps use kernel values of 32 bits. At their end f is evaluated in doubles on the α that were found, where rounding may matter: the report
 * is about that f, and if its violation is too large the steps go on from it. What they change shrinks from round to round, and with it
 * what rounding does to f.
 */
function* descend(
  where: string,
  problem: SupportProblem,
  params: SolverParams,
  steps: number,
  before: number,
  watch: StallWatch,
): Generator<SupportStep, Outcome, void> {
  const { tol, maxIter } = params;
  const most = maxIter < 0 ? Number.MAX_SAFE_INTEGER : maxIter;
  const { smo, counted, largest } = yield* startSmo(where, problem, params, before);
  try {
    const tooLarge = LARGEST_SUM / (problem.y.length * largest);
    if (highestCost(problem.upper) > (1 + 1e-9) * tooLarge) return { tooLarge };
    const hard = problem.upper.includes(Infinity);
    const rounds = new RefinementRounds();
    let best: SmoResult | undefined;
    for (;;) {
      const ended = smo.run(steps);
      const result = smo.result();
      const iterations = counted + result.iterations;
      const stalled = !ended && watch.sees(result, iterations);
      if (!ended && !stalled) {
        if (hard) requireApart(where, problem, result, largest);
        // Points that are set aside learn their f at the end.
        const unfinished = { objective: result.objective, dualityGap: undefined, converged: false };
        const solution = () => ({ ...solutionOf(problem, result, params), iterations, ...unfinished });
        yield { iteration: iterations, total: maxIter < 0 ? undefined : maxIter, solution };
        continue;
      }
      const known = evaluated(where, problem, result, largest, params, stalled);
      const converged = known.violation <= tol;
      if (converged || iterations >= Math.min(most, watch.most) || !rounds.goesOn(known.violation)) {
        const late = iterations >= watch.most ? "slow" : "stalled";
        const stopped = converged ? undefined : iterations >= most ? "maxIter" : late;
        const isBetter = converged || !best || known.violation < WORTH_TAKING * best.violation;
        return { result: { ...(isBetter ? known : best!), iterations }, stopped, largest };
      }
      // Steps with rounded kernel values may lose more than they gain.
      if (best === undefined || known.violation < WORTH_TAKING * best.violation) best = known;
      smo.restart(known.f);
      watch.begin();
    }
  } finally {
    smo.close();
  }
}

/** The solver at its start, and the steps that have been counted. */
function* startSmo(
  where: string,
  problem: SupportProblem,
  { bias, shrinking, tol, cacheSize, maxIter }: SolverParams,
  before: number,
): Generator<SupportStep, { smo: Smo; counted: number; largest: number }, void> {
  const most = maxIter < 0 ? Number.MAX_SAFE_INTEGER : maxIter;
  const unbiased = bias === "kernel";
  const { access, halves, y, upper, p } = problem;
  const { points, kernel } = access;
  const begun = unbiased || most < MOST_STEPS ? undefined : yield* startSteps(where, problem);
  const counted = before + (begun?.steps ?? 0);
  const rest = { unbiased, start: begun?.alpha, eps: tol, shrinking, cacheBytes: cacheSize * 2 ** 20 };
  const smo = new Smo(where, {
    ...{ points, kernel, variablesPerPoint: halves, y, upper, p },
    ...{ ...rest, maxIter: Math.max(1, most - counted) },
  });
  try {
    const largest = smo.largest();
    requireModest(where, largest);
    return { smo, counted, largest: largest.kernel };
  } catch (error) {
    smo.close();
    throw error;
  }
}

/** The result with f in doubles, and its violation, unless the rounding of kernel values cannot matter. */
function evaluated(
  where: string,
  problem: SupportProblem,
  result: SmoResult,
  largest: number,
  { tol, bias }: SolverParams,
  stalled: boolean,
): SmoResult {
  const coef = coefOf(problem, result.alpha);
  if (!stalled && !mayBeWrong(coef, largest, tol)) return result;
  const f = exactGradient(where, problem, coef);
  return { ...result, f, violation: violationOf(problem, result.alpha, f, bias === "kernel") };
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
        origin: problem.access.origin ?? null,
        objective: -objective,
        dualityGap: gap,
        iterations: steps + 1,
        violation: gap,
        converged: false,
      }),
    };
  }
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
