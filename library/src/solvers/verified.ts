import { CsrMatrix } from "../data/csr-matrix.js";
import { smoothLosses } from "../losses/loss.js";
import { baselineOf } from "./baseline.js";
import { certify } from "./certificate.js";
import { nearOrigin, type View } from "./near-origin.js";
import { newton } from "./newton.js";
import { evaluateSmooth, l1Norm, optimalityViolation, type Solution, targetGap } from "./objective.js";
import { orthogonalView } from "./orthogonal-view.js";
import { type OpenedObjective, openObjective, type Problem } from "./problem.js";
import type { AnySolver, SolverStep } from "./solver.js";

/**
 * A solver's answer, checked in doubles on the model that is returned:
 *
 *   its objective is the one reported,
 *   it is no worse than the model without weights (`baseline.ts`),
 *   and `converged` says that its gradient, or gap, evaluated anew, is that of a minimum (`certificate.ts`).
 *
 * Where the check fails, the problem is solved once more in better coordinates or from where the solver stopped. The best
 * model seen is returned, and `converged` is false, with a warning, unless one of them passes. Costs at most one pass over the data where
 * the solver evaluated its last point, which most do.
 */
export function* verified(solver: AnySolver, problem: Problem): Generator<SolverStep, Solution, void> {
  const first = keepsOrigin(solver, problem) ? null : nearOrigin(problem);
  let best = yield* attempt({ solver, view: first }, problem, 0);
  if (passes(best)) return finished(best, problem);
  for (const mend of mends(solver, problem, best)) {
    const other = yield* attempt(mend, problem, best.iterations);
    if (isBetter(other, best)) best = other;
    if (best.converged) break;
  }
  return finished(best, problem);
}

/** A solver on the problem as it stands (null), or as another sees it. */
interface Attempt {
  readonly solver: AnySolver;
  readonly view: View | null;
}

/** What to try after a failed check, best first. */
function* mends(solver: AnySolver, problem: Problem, found: Solution): Generator<Attempt> {
  const view = orthogonalView(problem);
  if (view) yield { solver: isSmooth(problem) && problem.ball === null ? newton() : solver, view };
  if (!isSmooth(problem) || !found.theta.every(Number.isFinite)) return;
  const again = { ...problem, start: found.theta, tol: FINER * problem.tol, maxIter: MORE * problem.maxIter };
  yield { solver, view: nearOrigin(again) ?? { problem: again, back: (theta) => theta } };
}

/** A second run goes on to this share of tol, with this many times the iterations. */
const FINER = 0.01;
const MORE = 10;

/**
 * Stochastic descent is left alone: its path depends on the origin. So is coordinate descent on squares of dense rows, which
 * centres all columns anyway.
 */
function keepsOrigin(solver: AnySolver, { loss, x }: Problem): boolean {
  const centres = solver.name === "coordinateDescent" && loss.name === "squared" && !(x instanceof CsrMatrix);
  return solver.name === "sgd" || centres;
}

/** Checked, or not worth another attempt: the solver used up its iterations, which is no failure of arithmetic. */
function passes(found: Checked): boolean {
  return found.converged || found.final;
}

interface Checked extends Solution {
  /** Whether nothing else should be tried. */
  readonly final: boolean;
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
): Generator<SolverStep, Checked, void> {
  const opened: OpenedObjective = { objective: null };
  const seen = { ...(view?.problem ?? problem), opened };
  const back = view ? (theta: Float64Array) => view.back(theta) : (theta: Float64Array) => theta;
  const steps = solver.minimise(seen);
  try {
    let step = steps.next();
    for (; !step.done; step = steps.next()) {
      const { theta, iteration } = step.value;
      yield { ...step.value, theta: back(theta), iteration: before + iteration };
    }
    return checked(solver, problem, seen, view, step.value, before);
  } finally {
    steps.return(undefined as never);
    opened.objective?.close();
  }
}

/** Rounding may leave this share of the objective undone, whatever tol says. */
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
  const final =
    solver.name === "sgd" || solver.name === "gradientDescent" || solution.iterations >= problem.maxIter;
  const there = isSmooth(seen) ? smoothCheck(solver, seen, solution) : solution;
  if (view === null) return { ...solution, ...there, iterations, final };
  const theta = view.back(solution.theta);
  const here = measure({ ...problem, opened: undefined }, theta);
  const allowed =
    Math.max(1e-6, ALLOWANCE * problem.tol * problem.tol) *
    Math.max(Math.abs(there.objective), Number.MIN_VALUE);
  const converged = there.converged && here.objective <= there.objective + allowed + here.floor;
  return { ...solution, ...there, theta, objective: here.objective, converged, iterations, final };
}

type Numbers = Pick<Solution, "objective" | "gradientNorm" | "converged">;

function smoothCheck(solver: AnySolver, problem: Problem, solution: Solution): Numbers {
  const objective = openObjective(problem);
  const { theta } = solution;
  const { converged } = solution;
  let { gradient, objective: value, gradientNorm } = solution;
  if (gradient === undefined) {
    gradient = new Float64Array(theta.length);
    value = evaluateSmooth(objective, theta, gradient) + objective.l1 * l1Norm(objective, theta);
    if (problem.ball === null && solver.name !== "coordinateDescent")
      gradientNorm = optimalityViolation(objective, theta, gradient);
  }
  if (!converged || solver.name === "sgd" || solver.name === "gradientDescent")
    return { objective: value, gradientNorm, converged };
  const target = Math.max(
    ALLOWANCE * targetGap(objective, value, problem.tol),
    ROUNDING * Math.max(Math.abs(value), 1e-12 * objective.scale),
  );
  if (solution.gap !== undefined && solution.gap <= target)
    return { objective: value, gradientNorm, converged: true };
  const verdict = certify(objective, theta, gradient, problem.x.rows, target);
  return {
    objective: value,
    gradientNorm,
    converged: verdict.certain ? verdict.gap <= target : verdict.gap <= target && !isSmall(problem),
  };
}

const isSmooth = ({ loss }: Problem): boolean => (smoothLosses as readonly string[]).includes(loss.name);

/** Small enough for the certificate to be certain; where it was not, other coordinates are tried. */
function isSmall({ x, outputs }: Problem): boolean {
  return x.rows * (outputs * (x.cols + 1)) ** 2 <= 5e5;
}

function measure(problem: Problem, theta: Float64Array): { objective: number; floor: number } {
  const objective = openObjective(problem);
  try {
    const value = evaluateSmooth(objective, theta, null) + objective.l1 * l1Norm(objective, theta);
    return { objective: value, floor: objective.floor };
  } finally {
    objective.close();
  }
}

function finished(best: Checked, problem: Problem): Solution {
  const { final: _, ...solution } = best;
  const baseline = baselineOf(problem);
  const worse =
    baseline !== null &&
    !(solution.objective <= baseline.objective + ROUNDING * Math.abs(baseline.objective));
  if (worse) {
    return {
      ...solution,
      ...baseline,
      gradientNorm: Number.NaN,
      converged: false,
      warnings: [...(solution.warnings ?? []), WORSE],
    };
  }
  if (!isSeparated(problem, solution.objective)) return solution;
  return { ...solution, converged: false, warnings: [...(solution.warnings ?? []), SEPARABLE] };
}

const WORSE =
  "No solver got below the loss of a constant, which is returned: all coefficients are 0. Scale the columns (StandardScaler).";
const SEPARABLE = "The classes are separable: without a penalty the coefficients grow without limit.";

/** A loss below that of one undecided row means that all rows are on their side: then no minimum exists without a penalty. */
function isSeparated({ loss, l1, l2, ball, weights }: Problem, value: number): boolean {
  if (l1 > 0 || l2 > 0 || ball) return false;
  const undecided = { logistic: Math.LN2, softmax: Math.LN2, exponential: 1 }[loss.name as string];
  if (undecided === undefined) return false;
  const least = weights ? weights.reduce((all, s) => Math.min(all, s), Infinity) : 1;
  return value < undecided * least;
}
