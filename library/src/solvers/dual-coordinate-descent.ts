import { Random } from "../core/random.js";
import { type DualLossName, dualLosses } from "../losses/loss.js";
import { type DualBox, DualRows } from "../numeric/dual-rows.js";
import type { Solution } from "./objective.js";
import { type Problem, primalAt } from "./problem.js";
import type { Solver, SolverStep } from "./solver.js";

/**
 * Dual coordinate descent [Hsieh et al. 2008] for support vector machines on many sparse columns.
 *
 *   primal:  ½ l2 ‖w‖² + Σ s_i ℓ(w·x_i + b, y_i)
 *   dual:    min over 0 ≤ a ≤ u  ½‖Σ a_i σ_i x_i‖² + ½ D Σ a_i² − Σ c_i a_i,   Σ a_i σ_i = 0 when b is free
 *
 * LIBLINEAR penalises b to be rid of the equality constraint. Here b stays free: it is penalised around its last
 * value, (b − b₀)²/2ρ, and b₀ moves to b until it rests. That is the proximal point method in b, exact in the limit
 * [Rockafellar 1976].
 * Stops when the duality gap is below tol² of the objective and b has come to rest.
 */
export function dualCoordinateDescent(): Solver<DualLossName, "l2"> {
  return Object.freeze({
    name: "dualCoordinateDescent",
    losses: dualLosses,
    penalties: ["l2"] as const,
    minimise: (problem: Problem) => descend(problem),
    toJSON: () => ({ name: "dualCoordinateDescent" }),
  });
}

/** The loss as a box: one variable a row, or two (above and below) for the tube losses. */
function boxOf(problem: Problem): DualBox {
  const { loss, y, weights, l2, x } = problem;
  const n = x.rows;
  const classification = loss.name === "hinge" || loss.name === "squaredHinge";
  const squared = loss.name === "squaredHinge" || loss.name === "squaredEpsilonInsensitive";
  const count = classification ? n : 2 * n;
  const sigma = new Float64Array(count);
  const c = new Float64Array(count);
  const upper = new Float64Array(count);
  const diagonal = new Float64Array(count);
  for (let v = 0; v < count; v++) {
    const i = v % n;
    const side = v < n ? 1 : -1;
    const cost = (weights ? weights[i]! : 1) / l2;
    sigma[v] = classification ? y[i]! : side;
    c[v] = classification ? 1 : side * y[i]! - loss.param;
    // C·gap² has the dual ½ a²/2C and no upper bound; a row without weight stays at 0.
    upper[v] = squared && cost > 0 ? Infinity : cost;
    diagonal[v] = squared && cost > 0 ? 0.5 / cost : 0;
  }
  return { sigma, c, upper, diagonal };
}

function* descend(problem: Problem): Generator<SolverStep, Solution, void> {
  const { where, x, maxIter, tol, intercept, l2 } = problem;
  const box = boxOf(problem);
  const rows = new DualRows(where, x, box);
  try {
    const random = new Random(problem.randomState);
    const count = box.c.length;
    const order = new Int32Array(count).map((_, v) => v);
    const root = intercept ? 1 : 0;
    let b0 = 0;
    let active = count;
    let upper = Infinity;
    let lower = -Infinity;
    let iterations = 0;
    let gap = Infinity;
    let primal = Infinity;
    // Projected gradients within this spread are worth a look at the gap.
    let spreadTarget = 0.1;
    let converged = false;
    const current = () => {
      const theta = new Float64Array(x.cols + 1);
      theta.set(rows.w);
      if (intercept) theta[x.cols] = b0 + root * rows.beta;
      return theta;
    };
    while (iterations < maxIter && !converged) {
      shufflePrefix(random, order, active);
      const swept = rows.sweep(order, active, root, b0, upper, lower);
      iterations++;
      active = swept.active;
      const quiet = !(swept.most - swept.least > spreadTarget);
      if (quiet && active === count) {
        const theta = current();
        primal = primalAt(problem, theta).objective;
        gap = primal - l2 * dualValue(box, rows, b0, theta[x.cols]!);
        const moved = Math.abs(theta[x.cols]! - b0);
        converged =
          gap <= tol * tol * Math.max(primal, 1e-12 * x.rows) && moved <= tol * Math.max(1, Math.abs(b0));
        b0 = theta[x.cols]!;
        spreadTarget *= 0.3;
      }
      yield {
        theta: current(),
        iteration: iterations,
        total: maxIter,
        gradientNorm: swept.most - swept.least,
      };
      // A finished active set is checked once more with everybody in it.
      if (quiet) active = count;
      upper = !quiet && swept.most > 0 ? swept.most : Infinity;
      lower = !quiet && swept.least < 0 ? swept.least : -Infinity;
    }
    const theta = current();
    if (converged) theta[x.cols] = intercept ? b0 : 0;
    const { objective } = primalAt(problem, theta);
    return { theta, iterations, converged, objective, gradientNorm: gap };
  } finally {
    rows.close();
  }
}

/** The dual at a, with b's penalty (b − b0)²/2 taken out: Σ c a − b0 Σ aσ − ½‖w‖² − ½(b − b0)² − ½ Σ D a². */
function dualValue(box: DualBox, rows: DualRows, b0: number, b: number): number {
  const { a, w } = rows;
  let value = -0.5 * (b - b0) * (b - b0) - b0 * (b - b0);
  for (let j = 0; j < w.length; j++) value -= 0.5 * w[j]! * w[j]!;
  for (let v = 0; v < a.length; v++) value += a[v]! * (box.c[v]! - 0.5 * box.diagonal[v]! * a[v]!);
  return value;
}

function shufflePrefix(random: Random, order: Int32Array, count: number): void {
  random.shuffleInto(order.subarray(0, count));
}
