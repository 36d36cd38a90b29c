import { CsrMatrix } from "../data/csr-matrix.js";
import { isMarginLoss, isSmooth } from "../losses/loss.js";
import { targetGap } from "../minimisers/smooth-function.js";
import { baselineOf } from "./baseline.js";
import { centred, centreFarColumns, type View } from "./centred-columns.js";
import { certify, type Evaluated, lassoGap } from "./certificate.js";
import { evaluateAll, optimalityViolation, type Solution } from "./objective.js";
import { orthogonalView } from "./orthogonal-view.js";
import { type OpenedObjective, openObjective, type Problem, primalAt } from "./problem.js";
import type { AnySolver, SolverStep } from "./solver.js";

/**
 * A solver's answer, checked in doubles on the model that is returned:
 *
 *   its objective is the one reported,
 *   it is no worse than the model without weights (`baseline.ts`),
 *   and `converged` means that its gradient, or gap, evaluated again, is that of a minimum (`certificate.ts`).
 *
 * If the check fails, the problem is solved once more in better coordinates or from the last iterate. The best
 * model seen is returned, and `converged` is false, with a warning, unless one of them passes. Costs at most one pass over the data where
 * the solver evaluated its last point, which most do.
 */
export function* verified(solver: AnySolver, problem: Problem): Generator<SolverStep, Solution, void> {
  const first = solver.keepsOrigin?.(problem) ? null : centreFarColumns(problem);
  const { maxIter } = problem;
  const reserved = reservedIterations(solver, problem);
  let best = yield* attempt({ solver, view: first }, problem, 0, maxIter - reserved);
  let used = best.iterations;
  if (passes(best)) return finished(best, problem);
  for (const retry of retries(solver, problem, () => best, maxIter - used)) {
    const other = yield* attempt(retry, problem, used, retry.most ?? maxIter - used);
    used = other.iterations;
    if (isBetter(other, best)) best = other;
    if (best.converged || used >= maxIter) break;
  }
  return finished({ ...best, iterations: used }, problem);
}

/**
 * How much of maxIter is left for other coordinates or another method when the first has not converged by then. Fits that need more than
 * the rest are rare and badly conditioned: there the second method needs far fewer iterations. If one of those costs more than all that
 * would be reserved, the first method gets everything.
 */
function reservedIterations(solver: AnySolver, problem: Problem): number {
  const { maxIter } = problem;
  const reserved = Math.floor(RESERVE * maxIter);
  if (solver.retry === undefined || maxIter < PATIENT) return 0;
  return (solver.worthContinuing?.(problem) ?? 0) >= reserved ? 0 : reserved;
}

const RESERVE = 0.4;

/** A solver, on the problem itself (null) or in other coordinates. */
interface Attempt {
  readonly solver: AnySolver;
  readonly view: View | null;
  /** Maximum number of iterations, if that is less than what is left. */
  readonly most?: number;
}

/** What to try after a failed check, best first. */
function* retries(
  solver: AnySolver,
  problem: Problem,
  best: () => Checked,
  left: number,
): Generator<Attempt> {
  const other = solver.retry?.(problem);
  const found = best();
  if (other === undefined || left === 0) return;
  const more = found.cut ? (solver.worthContinuing?.(problem) ?? 0) : 0;
  if (more > 0 && found.theta.every(Number.isFinite)) {
    const further = { ...problem, start: found.theta };
    // Half of what is left remains for the other method.
    const most = Math.min(more, Math.ceil(left / 2));
    yield { solver, view: { problem: further, back: (theta) => theta }, most };
  }
  const view = orthogonalView(problem) ?? centred(problem);
  if (view || other.name !== solver.name) yield { solver: other, view };
  if (!isSmooth(problem.loss)) return;
  for (const finer of FINER) {
    const { theta: start } = best();
    if (!start.every(Number.isFinite)) return;
    const again = { ...problem, start, tol: finer * problem.tol };
    yield { solver: other, view: centred(again) ?? { problem: again, back: (theta) => theta } };
  }
}

/** The last runs continue from the best point with these fractions of tol: solvers estimate their distance from the minimum. */
const FINER = [0.1, 0.01, 0.001];

/** A solver that uses this many iterations has badly conditioned coordinates; a smaller maxIter is the choice of the caller. */
const PATIENT = 100;

/** Passed the check, or final in any case. */
function passes(found: Checked): boolean {
  return found.converged || found.final;
}

interface Checked extends Solution {
  /** Whether nothing else should be tried. */
  readonly final: boolean;
  /** Whether the number of iterations was the only reason to stop. */
  readonly cut: boolean;
}

function isBetter(a: Checked, b: Checked): boolean {
  if (!Number.isFinite(a.objective)) return false;
  if (!Number.isFinite(b.objective)) return true;
  if (a.converged !== b.converged)
    return a.converged && a.objective <= b.objective + 1e-9 * Math.abs(b.objective);
  return a.objective < b.objective;
}

function* attempt(
  { solver, view }: Attempt,
  problem: Problem,
  before: number,
  most: number,
): Generator<SolverStep, Checked, void> {
  const opened: OpenedObjective = { objective: null };
  const seen = { ...(view?.problem ?? problem), opened, maxIter: most };
  const back = view ? (theta: Float64Array) => view.back(theta) : (theta: Float64Array) => theta;
  const steps = solver.minimise(seen);
  try {
    let step = steps.next();
    for (; !step.done; step = steps.next()) {
      const { theta, iteration } = step.value;
      if (view === null && before === 0) yield step.value;
      else yield { ...step.value, theta: back(theta), iteration: before + iteration };
    }
    return checked(solver, problem, seen, view, step.value, before);
  } finally {
    steps.return(undefined as never);
    opened.objective?.close();
  }
}

/** Relative rounding error of the objective that is accepted for any tol. */
const ROUNDING = 1e-9;
/** Solvers estimate their distance from the minimum; the certificate may find it this much larger. */
const ALLOWANCE = 10;

function checked(
  solver: AnySolver,
  problem: Problem,
  seen: Problem,
  view: View | null,
  solution: Solution,
  before: number,
): Checked {
  const iterations = before + solution.iterations;
  const cut = solution.iterations >= seen.maxIter;
  const final = solver.ownStoppingRule === true || (cut && problem.maxIter < PATIENT);
  const there = isSmooth(seen.loss) ? smoothCheck(solver, seen, solution) : kinkedCheck(solution);
  const theta = view ? view.back(solution.theta) : solution.theta;
  const objective = view ? measure(problem, theta) : there.objective;
  const { gap, ...numbers } = there;
  const lost = Math.max(0, objective - there.objective);
  const tolerated = Math.max(LOST, ALLOWANCE * problem.tol * problem.tol) * Math.abs(there.objective);
  const certified = numbers.converged && lost <= tolerated;
  // Where the remaining gap is below the rounding of predictions, no better model can be distinguished from this one.
  const least = isNeverNegative(problem) ? objective : Infinity;
  const hidden = !certified && !final && Math.min(gap + lost, least) <= roundingOf(problem, theta);
  return {
    ...solution,
    ...numbers,
    theta,
    objective,
    converged: certified || hidden,
    iterations,
    final,
    cut,
  };
}

/** Fraction of the objective that the transformation back from other coordinates may add. */
const LOST = 1e-6;

type Numbers = Pick<Solution, "objective" | "gradientNorm" | "converged"> & { readonly gap: number };

function smoothCheck(solver: AnySolver, problem: Problem, solution: Solution): Numbers {
  const { theta } = solution;
  const allowed = ALLOWANCE * (solution.enough ?? 0);
  const share = Math.max(ALLOWANCE * problem.tol * problem.tol, ROUNDING);
  const enough = Math.max(share * Math.abs(solution.objective), allowed);
  // The solver evaluated its last point itself and has a gap that can be trusted.
  const trusted = !(problem.loss.shape === "piecewiseQuadratic" && isSmall(problem));
  if (solution.gradient && trusted && solution.gap !== undefined && solution.gap <= enough)
    return { ...solution, converged: true, gap: solution.gap };
  let evaluated: Evaluated = problem.opened?.objective ? "near" : "nowhere";
  const objective = openObjective(problem);
  let { gradient, objective: value, gradientNorm } = solution;
  if (gradient === undefined) {
    evaluated = "here";
    gradient = new Float64Array(theta.length);
    value = evaluateAll(objective, theta, gradient);
    if (problem.ball === null && !solver.reportsGap)
      gradientNorm = optimalityViolation(objective, theta, gradient);
  }
  if (solver.ownStoppingRule)
    return { objective: value, gradientNorm, converged: solution.converged, gap: Infinity };
  const target = Math.max(
    ALLOWANCE * targetGap(objective.magnitude, value, problem.tol),
    ROUNDING * Math.max(Math.abs(value), 1e-12 * objective.magnitude.scale),
    allowed,
  );
  if (trusted && solution.gap !== undefined && solution.gap <= target)
    return { objective: value, gradientNorm, converged: true, gap: solution.gap };
  const point = { theta, gradient, value };
  const lasso = problem.loss.shape === "quadratic" && problem.l1 > 0 && problem.ball === null;
  const byDuality = lasso ? lassoGap(problem, objective, point) : Infinity;
  const { gap, certain } =
    byDuality <= target
      ? { gap: byDuality, certain: true }
      : certify(problem, objective, point, target, evaluated);
  // The gap of a large problem is an estimate; there the solver must have stopped by itself too: converged, or at the limit of rounding.
  const stopped = solution.converged || solution.iterations < problem.maxIter;
  const converged = gap <= target && (certain || (stopped && !isSmall(problem)));
  return { objective: value, gradientNorm, converged, gap: certain ? gap : Infinity };
}

/** Where the loss has kinks, gradients are not a certificate; the solvers' duality gaps are. */
function kinkedCheck({ objective, gradientNorm, converged, gap = Infinity }: Solution): Numbers {
  return { objective, gradientNorm, converged, gap };
}

const isNeverNegative = ({ loss }: Problem): boolean => !isMarginLoss(loss) || loss.infimum === 0;

/** Small enough for the certificate to be certain; where it was not, other coordinates are tried. */
function isSmall({ x, outputs }: Problem): boolean {
  return x.rows * (outputs * (x.cols + 1)) ** 2 <= 5e5;
}

/** J at θ, on the original problem. */
function measure(problem: Problem, theta: Float64Array): number {
  const objective = openObjective({ ...problem, opened: undefined });
  try {
    return evaluateAll(objective, theta, null);
  } finally {
    objective.close();
  }
}

/** Bound on the change of J at θ due to the rounding of margins; Infinity is never returned, so that broken models fail. */
function roundingOf(problem: Problem, theta: Float64Array): number {
  const { x, y, weights, loss } = problem;
  if (!isMarginLoss(loss)) return 0;
  const d = x.cols;
  let sum = 0;
  for (let i = 0; i < x.rows; i++) {
    let z = 0;
    let size = Math.abs(theta[d]!);
    const add = (v: number, j: number) => {
      z += v * theta[j]!;
      size += Math.abs(v * theta[j]!);
    };
    if (x instanceof CsrMatrix) {
      for (let e = x.indptr[i]!; e < x.indptr[i + 1]!; e++) add(x.values[e]!, x.indices[e]!);
    } else for (let j = 0; j < d; j++) add(x.data[i * d + j]!, j);
    z += theta[d]!;
    const error = (d + 2) * Number.EPSILON * size;
    const here = loss.value(z, y[i]!);
    const change = Math.max(
      Math.abs(loss.value(z + error, y[i]!) - here),
      Math.abs(loss.value(z - error, y[i]!) - here),
    );
    sum += (weights ? weights[i]! : 1) * change;
  }
  return Number.isFinite(sum) ? sum : 0;
}

function finished(best: Checked, problem: Problem): Solution {
  const { final: _, cut: __, ...solution } = best;
  const baseline = baselineOf(problem);
  // The objective may exceed the minimum by the tolerance, and a constant may be the minimum.
  const allowed = solution.converged ? Math.max(ALLOWANCE * problem.tol * problem.tol, ROUNDING) : 0;
  if (baseline && !(solution.objective <= baseline.objective + allowed * Math.abs(baseline.objective))) {
    const { theta } = baseline;
    const constant = { ...solution, theta, ...primalAt(problem, theta) };
    // A constant with a loss of 0 is the minimum of a non-negative loss.
    if (baseline.objective === 0 && isNeverNegative(problem)) return { ...constant, converged: true };
    return { ...constant, converged: false, warnings: [...(solution.warnings ?? []), WORSE] };
  }
  if (!isSeparated(problem, solution.objective)) return solution;
  return { ...solution, converged: false, warnings: [...(solution.warnings ?? []), SEPARABLE] };
}

const WORSE =
  "No solver found a model better than a constant, which is returned: all coefficients are 0. Scale the columns (StandardScaler).";
export const SEPARABLE = "The classes are separable: without a penalty the coefficients grow without limit.";

/** A loss below that of one tied row means that all rows are classified correctly: then no minimum exists without a penalty. */
export function isSeparated(
  { loss, l1, l2, ball, weights }: Pick<Problem, "loss" | "l1" | "l2" | "ball" | "weights">,
  value: number,
): boolean {
  if (l1 > 0 || l2 > 0 || ball) return false;
  if (loss.tieCost === undefined) return false;
  const least = weights ? weights.reduce((all, s) => Math.min(all, s), Infinity) : 1;
  return value < loss.tieCost * least;
}
