import { refuseOptions } from "../core/params/options.js";
import { type SmoothLossName, smoothLosses } from "../losses/loss.js";
import { targetGap } from "../minimisers/smooth-function.js";
import { maxAbs } from "../minimisers/vectors.js";
import type { PenaltyName } from "../penalties/penalties.js";
import { projectL1BallInto, projectL2BallInto, softThreshold } from "../penalties/projections.js";
import { coordinateDescent, curvedDescent } from "./coordinate-descent.js";
import { multiplierSearch } from "./multiplier-search.js";
import { newton } from "./newton.js";
import type { Objective, Solution } from "./objective.js";
import { evaluateAll, evaluateSmooth, l1Norm, optimalityViolation } from "./objective.js";
import { openObjective, type Problem, startOf } from "./problem.js";
import type { Solver, SolverStep } from "./solver.js";

/**
 * Accelerated proximal gradient, FISTA [Beck & Teboulle 2009], with backtracking and adaptive restart
 * [O'Donoghue & Candès 2015].
 *
 *   θ ← prox_{R/L}(v − ∇F(v)/L),    v the point ahead of θ by momentum
 *
 * The prox of l1 is soft thresholding (exact zeros), that of a ball the projection onto it. Columns are not rescaled
 * for balls, whose shape would change; for separable penalties each column has its own step size, from the
 * diagonal of the initial Hessian.
 * Stops when the decrease predicted by the model, ½L‖v − θ‖², stays far below tol² · J: the remaining decrease
 * of accelerated steps is about √κ times the last one.
 */
export function proximal(...given: []): Solver<SmoothLossName, PenaltyName> {
  refuseOptions("proximal", given);
  return Object.freeze({
    ...curvedProximal(),
    minimise: (problem: Problem) => fista(problem, projectInto),
    penalties: ["none", "l1", "l2", "elasticNet", "l1Ball", "l2Ball"] as const,
    retry: (problem: Problem) => {
      if (problem.ball) return { ...proximal(), minimise: multiplierSearch };
      return problem.l1 === 0 ? newton() : coordinateDescent();
    },
  });
}

/** The same without balls for losses other than the squared one, so that a bundle of classifiers carries no lasso. */
export const curvedProximal = (): Solver<SmoothLossName, PenaltyName> => ({
  name: "proximal",
  losses: smoothLosses,
  penalties: ["none", "l1", "l2", "elasticNet"],
  minimise: (problem: Problem) => fista(problem),
  retry: curvedDescent().retry!,
  toJSON: () => ({ name: "proximal" }),
});

/** Momentum can make single steps small by chance. */
const QUIET_STEPS = 5;

/** Moves a model into the ball of its objective, if it has one. */
type Projection = (objective: Objective, out: Float64Array) => void;

function* fista(problem: Problem, project?: Projection): Generator<SolverStep, Solution, void> {
  const objective = openObjective(problem);
  try {
    const { maxIter, tol } = problem;
    const metric = columnMetric(objective, startOf(problem));
    let theta = startOf(problem);
    let ahead = theta.slice();
    let momentum = 1;
    let lipschitz = 1;
    let moved = Infinity;
    let quiet = 0;
    let iterations = 0;
    const gradient = new Float64Array(objective.size);
    while (iterations < maxIter) {
      const value = evaluateSmooth(objective, ahead, gradient);
      const step = proximalStep(objective, metric, ahead, gradient, value, lipschitz, project);
      lipschitz = step.lipschitz;
      iterations++;
      moved = step.moved;
      let along = 0;
      for (let e = 0; e < theta.length; e++)
        along += (ahead[e]! - step.theta[e]!) * (step.theta[e]! - theta[e]!) * metric[e]!;
      // Restart: momentum in an ascent direction is dropped.
      const nextMomentum = along > 0 ? 1 : (1 + Math.sqrt(1 + 4 * momentum * momentum)) / 2;
      const weight = along > 0 ? 0 : (momentum - 1) / nextMomentum;
      const from = theta;
      theta = step.theta;
      ahead = theta.map((v, e) => v + weight * (v - from[e]!));
      momentum = nextMomentum;
      const reached = step.value + objective.l1 * l1Norm(objective, theta);
      yield { theta, iteration: iterations, total: maxIter, objective: reached, gradientNorm: moved };
      const target = 1e-4 * targetGap(objective.magnitude, reached, tol);
      quiet = step.promised <= target ? quiet + 1 : 0;
      if (quiet >= QUIET_STEPS) break;
      lipschitz *= 0.98; // lets the step grow again where the function is flatter
    }
    const value = evaluateAll(objective, theta, gradient);
    const norm = objective.ball ? moved : optimalityViolation(objective, theta, gradient);
    return {
      theta,
      iterations,
      converged: quiet >= QUIET_STEPS,
      objective: value,
      gradientNorm: norm,
      gradient,
    };
  } finally {
    objective.close();
  }
}

/** Curvature of each coefficient, so that badly scaled columns do not limit the step; all equal for a ball. */
function columnMetric(objective: Objective, start: Float64Array): Float64Array {
  const diagonal = new Float64Array(objective.size);
  objective.evaluate(start, null);
  objective.hessianDiagonalInto(diagonal);
  const { cols } = objective;
  for (let e = 0; e < diagonal.length; e++) if (e % (cols + 1) !== cols) diagonal[e]! += objective.l2;
  const largest = maxAbs(diagonal) || 1;
  if (objective.ball) {
    let most = 0;
    for (let e = 0; e < diagonal.length; e++)
      if (e % (cols + 1) !== cols) most = Math.max(most, diagonal[e]!);
    return diagonal.map((v, e) => (e % (cols + 1) === cols ? v || largest : most || largest));
  }
  return diagonal.map((v) => Math.max(v, 1e-8 * largest));
}

function proximalStep(
  objective: Objective,
  metric: Float64Array,
  from: Float64Array,
  gradient: Float64Array,
  value: number,
  firstLipschitz: number,
  project?: Projection,
): { theta: Float64Array; value: number; lipschitz: number; moved: number; promised: number } {
  for (let lipschitz = firstLipschitz; ; lipschitz *= 2) {
    const theta = from.map((v, e) => v - gradient[e]! / (lipschitz * metric[e]!));
    shrinkInto(objective, lipschitz, metric, theta);
    project?.(objective, theta);
    const reached = evaluateSmooth(objective, theta, null);
    let model = value;
    let moved = 0;
    let promised = 0;
    for (let e = 0; e < theta.length; e++) {
      const change = theta[e]! - from[e]!;
      model += gradient[e]! * change + 0.5 * lipschitz * metric[e]! * change * change;
      moved = Math.max(moved, Math.abs(lipschitz * metric[e]! * change));
      promised += 0.5 * lipschitz * metric[e]! * change * change;
    }
    if (reached <= model + 1e-12 * Math.abs(model) || lipschitz > 1e12)
      return { theta, value: reached, lipschitz, moved, promised };
  }
}

/** The prox of l1. */
function shrinkInto(objective: Objective, lipschitz: number, metric: Float64Array, out: Float64Array): void {
  const { cols, outputs, l1, intercept } = objective;
  for (let k = 0; k < outputs; k++) {
    const from = k * (cols + 1);
    if (!intercept) out[from + cols] = 0;
    if (l1 > 0) {
      for (let j = from; j < from + cols; j++) out[j] = softThreshold(out[j]!, l1 / (lipschitz * metric[j]!));
    }
  }
}

function projectInto({ cols, outputs, ball }: Objective, out: Float64Array): void {
  if (!ball) return;
  const w = new Float64Array(outputs * cols);
  for (let k = 0; k < outputs; k++) w.set(out.subarray(k * (cols + 1), k * (cols + 1) + cols), k * cols);
  if (ball.norm === "l2") projectL2BallInto(ball.radius, w);
  else projectL1BallInto(ball.radius, w);
  for (let k = 0; k < outputs; k++) out.set(w.subarray(k * cols, (k + 1) * cols), k * (cols + 1));
}
