import { DataError } from "../core/errors.js";
import { Smo, type SmoResult } from "../numeric/svm/smo.js";
import { exactGradient, roundingMatters, violationOf } from "./exact-gradient.js";
import { linearStart, MOST_STEPS } from "./linear-start.js";
import { RefinementRounds, StallWatch } from "./smo-stopping.js";
import type { SolverParams, StopReason, SvmProblem, SvmSolution, SvmStep } from "./svm-problem.js";
import { coefOf, solutionOf } from "./svm-solution.js";

/** Steps between two checks of progress and abort; an observed fit of n rows yields a few dozen times. */
export const stepsPerYield = (n: number, observed: boolean): number =>
  observed ? Math.max(1, Math.ceil(n / 20)) : 2000;

/** Factor by which costs that turn out too large are lowered, as often as needed. */
const LOWERED = 1e-3;
/** Rounding of sums of α k below this stays under any tolerance in use. */
const ROUNDED_SUM = 1e12;

/**
 * Solves the dual by SMO and yields as it goes. Costs are lowered where they are so large that rounding of the sums of α k hides the 1 of the
 * margin, and again while the solution is worse than w = 0. The report is for the given costs: a solution with an α at a lowered
 * cost has not converged.
 */
export function* solveSvm(
  where: string,
  given: SvmProblem,
  params: SolverParams,
  steps: number,
): Generator<SvmStep, SvmSolution, void> {
  const highest = highestCost(given.upper);
  const problem = highest <= LARGEST_COST ? given : { ...given, upper: limited(given.upper, LARGEST_COST) };
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

/** LIBSVM's step limit: per variable, and at least FEWEST_ENOUGH. Problems with lowered costs get no minimum. */
const ENOUGH_STEPS = 100;
const FEWEST_ENOUGH = 1e7;
const LIMITED_STEPS = 100;

/** The largest finite cost. */
function highestCost(upper: Float64Array): number {
  let highest = 0;
  for (let v = 0; v < upper.length; v++) if (upper[v]! > highest && upper[v]! < Infinity) highest = upper[v]!;
  return highest;
}

/** Squares of larger costs overflow. */
const LARGEST_COST = 1e150;

/** C = Infinity stays: `requireSeparable` checks it. */
const limited = (upper: Float64Array, limit: number): Float64Array =>
  limit === Infinity ? upper : upper.map((cost) => (cost < Infinity ? Math.min(cost, limit) : cost));

/** Whether ½‖w‖² + Σ upper ξ is above its value at w = 0, with b = 0 or the median target. */
function isWorseThanZero(problem: SvmProblem, { objective, dualityGap }: SvmSolution): boolean {
  const { y, upper, p } = problem;
  const wanted = p.map((linear, v) => -y[v]! * linear).sort();
  const slackAt = (b: number) =>
    upper.reduce((sum, cost, v) => {
      const xi = -(p[v]! + y[v]! * b);
      return xi > 0 && cost < Infinity ? sum + cost * xi : sum;
    }, 0);
  const zero = Math.min(slackAt(0), slackAt(wanted[wanted.length >> 1]!));
  // Where w = 0 is optimal, rounding decides which is lower.
  return !(dualityGap! - objective <= 1.001 * zero);
}

type Outcome =
  | { readonly result: SmoResult; readonly stopped: StopReason | undefined; readonly largest: number }
  /** The largest finite cost that the kernel values allow. */
  | { readonly tooLarge: number };

/** A round that leaves more than this fraction of the violation has made no progress beyond rounding. */
const REAL_PROGRESS = 0.1;

/** Larger sums of α k have rounding errors in the hundreds, and their squares come near the largest 32-bit float. */
const LARGEST_SUM = 1e18;

/**
 * Sequential minimal optimisation, `steps` per yield, after `before` steps of earlier attempts.
 *
 * Steps use kernel values of 32 bits. At the end, f is evaluated in doubles where rounding may matter; the report is for that f. If its
 * violation is too large, another round starts from it (iterative refinement: α changes less every round, and so does the error of f).
 */
function* descend(
  where: string,
  problem: SvmProblem,
  params: SolverParams,
  steps: number,
  before: number,
  watch: StallWatch,
): Generator<SvmStep, Outcome, void> {
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
      const stalled = !ended && watch.isStalled(result, iterations);
      if (!ended && !stalled) {
        if (hard) requireSeparable(where, problem, result, largest);
        // f of points set aside by shrinking is computed at the end.
        const unfinished = { objective: result.objective, dualityGap: undefined, converged: false };
        const solution = () => ({ ...solutionOf(problem, result, params), iterations, ...unfinished });
        yield { iteration: iterations, total: maxIter < 0 ? undefined : maxIter, solution };
        continue;
      }
      const known = evaluated(where, problem, result, largest, params, stalled);
      const converged = known.violation <= tol;
      if (converged || iterations >= Math.min(most, watch.most) || !rounds.shouldContinue(known.violation)) {
        const late = iterations >= watch.most ? "slow" : "stalled";
        const stopped = converged ? undefined : iterations >= most ? "maxIter" : late;
        const isBetter = converged || !best || known.violation < REAL_PROGRESS * best.violation;
        return { result: { ...(isBetter ? known : best!), iterations }, stopped, largest };
      }
      // Steps with rounded kernel values may increase the violation.
      if (best === undefined || known.violation < REAL_PROGRESS * best.violation) best = known;
      smo.restart(known.f);
      watch.reset();
    }
  } finally {
    smo.close();
  }
}

/** The solver at its initial α, and the number of steps counted so far. */
function* startSmo(
  where: string,
  problem: SvmProblem,
  { bias, shrinking, tol, cacheSize, maxIter }: SolverParams,
  before: number,
): Generator<SvmStep, { smo: Smo; counted: number; largest: number }, void> {
  const most = maxIter < 0 ? Number.MAX_SAFE_INTEGER : maxIter;
  const unbiased = bias === "kernel";
  const { access, variablesPerPoint, y, upper, p } = problem;
  const { points, kernel } = access;
  const begun = unbiased || most < MOST_STEPS ? undefined : yield* startSteps(where, problem);
  const counted = before + (begun?.steps ?? 0);
  const rest = { unbiased, start: begun?.alpha, eps: tol, shrinking, cacheBytes: cacheSize * 2 ** 20 };
  const smo = new Smo(where, {
    ...{ points, kernel, variablesPerPoint, y, upper, p },
    ...{ ...rest, maxIter: Math.max(1, most - counted) },
  });
  try {
    const largest = smo.largest();
    requireModerateValues(where, largest);
    return { smo, counted, largest: largest.kernel };
  } catch (error) {
    smo.close();
    throw error;
  }
}

/** The result with f and its violation in doubles, unless rounding of the kernel values cannot matter. */
function evaluated(
  where: string,
  problem: SvmProblem,
  result: SmoResult,
  largest: number,
  { tol, bias }: SolverParams,
  stalled: boolean,
): SmoResult {
  const coef = coefOf(problem, result.alpha);
  if (!stalled && !roundingMatters(coef, largest, tol)) return result;
  const f = exactGradient(where, problem, coef);
  return { ...result, f, violation: violationOf(problem, result.alpha, f, bias === "kernel") };
}

/** `linearStart` as steps of the SVM. */
function* startSteps(
  where: string,
  problem: SvmProblem,
): Generator<SvmStep, { alpha: Float64Array; steps: number } | undefined, void> {
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

/** Kernel values are stored as 32-bit floats, at most 3e38. */
const LARGEST_KERNEL = 1e37;
/** The sum of three such squares is finite. */
const LARGEST_SQUARE = 1e307;

function requireModerateValues(where: string, { square, kernel }: { square: number; kernel: number }): void {
  if (kernel <= LARGEST_KERNEL && square <= LARGEST_SQUARE) return;
  const expected = `small enough for kernel values up to ${LARGEST_KERNEL}`;
  const advice = "Scale it (StandardScaler).";
  throw new DataError(where, "X", expected, "larger numbers", advice);
}

/** Squared distances of the classes below this fraction of the largest k(x, x) are rounding of 32-bit kernel values. */
const TOUCHING = 1e-8;

/**
 * Without slack the dual is unbounded if the convex hulls of the classes touch. α / ½Σα are the weights of one point in each hull,
 * and 2‖w‖/Σα is their distance: a distance of (almost) 0 proves it.
 */
function requireSeparable(where: string, { y, p }: SvmProblem, result: SmoResult, largest: number): void {
  const { alpha, f } = result;
  let total = 0;
  let square = 0;
  for (let v = 0; v < alpha.length; v++) {
    total += alpha[v]!;
    square += alpha[v]! * (y[v]! * f[v]! - p[v]!);
  }
  if (4 * square > TOUCHING * largest * total * total) return;
  const expected = "rows that the kernel can separate (C is Infinity: none may be inside the margin)";
  const received = "rows that no boundary of this kernel separates, or none with a margin above rounding";
  const advice = "Set a finite C, or another kernel (a larger gamma separates more).";
  throw new DataError(where, "X and y", expected, received, advice);
}
