import { Random } from "../core/numbers/random.js";
import { refuseOptions } from "../core/params/options.js";
import { CsrMatrix } from "../data/csr-matrix.js";
import { type DualLossName, dualLosses, isSmooth } from "../losses/loss.js";
import { type DualBox, DualRows } from "../numeric/rows/dual-rows.js";
import { canonical } from "./central-path.js";
import { interiorPoint } from "./interior-point.js";
import { newton } from "./newton.js";
import type { Solution } from "./objective.js";
import { totalWeight } from "./objective.js";
import { hingesOf, type Problem, primalAt } from "./problem.js";
import type { Solver, SolverStep } from "./solver.js";

/**
 * Dual coordinate descent [Hsieh et al. 2008] for support vector machines on many sparse columns.
 *
 *   primal:  ½ l2 ‖w‖² + Σ s_i ℓ(w·x_i + b, y_i)
 *   dual:    min over 0 ≤ a ≤ u  ½‖Σ a_i σ_i x_i‖² + ½ D Σ a_i² − Σ c_i a_i,   Σ a_i σ_i = 0 when b is free
 *
 * LIBLINEAR penalises b to avoid the equality constraint. Here b stays free: it is penalised around its last
 * value, (b − b₀)²/2ρ, and b₀ is set to b until it converges. That is the proximal point method in b, exact in the limit
 * [Rockafellar 1976].
 * Stops when the duality gap of the primal itself, b free, is below tol² of the objective: the dual point is first
 * moved to Σ aσ = 0. `gradientNorm` is that gap.
 */
export function dualCoordinateDescent(...given: []): Solver<DualLossName, "l2"> {
  refuseOptions("dualCoordinateDescent", given);
  return Object.freeze({
    name: "dualCoordinateDescent",
    losses: dualLosses,
    penalties: ["l2"] as const,
    minimise: (problem: Problem) => descend(problem),
    retry: (problem: Problem) => (isSmooth(problem.loss) ? newton() : interiorPoint()),
    toJSON: () => ({ name: "dualCoordinateDescent" }),
  });
}

/** The loss as a box: one variable per row and hinge. */
function boxOf(problem: Problem): DualBox {
  const { power } = hingesOf(problem.loss);
  const { u, c, sigma } = canonical(problem);
  const costs = u.map((weight) => weight / problem.l2);
  // C·gap² has the dual ½ a²/2C and no upper bound; a row without weight stays at 0.
  const isOpen = (cost: number) => power === 2 && cost > 0;
  const upper = costs.map((cost) => (isOpen(cost) ? Infinity : cost));
  return { sigma, c, upper, diagonal: costs.map((cost) => (isOpen(cost) ? 0.5 / cost : 0)) };
}

function* descend(problem: Problem): Generator<SolverStep, Solution, void> {
  const { where, x, maxIter, tol, intercept } = problem;
  const box = boxOf(problem);
  const rows = new DualRows(where, x, box);
  try {
    const random = new Random(problem.randomState);
    const count = box.c.length;
    const order = new Int32Array(count).map((_, v) => v);
    const root = intercept ? Math.sqrt(reachOf(problem)) : 0;
    let b0 = 0;
    let active = count;
    let upper = Infinity;
    let lower = -Infinity;
    let iterations = 0;
    let best = { theta: new Float64Array(x.cols + 1), objective: Infinity };
    let bound = -Infinity;
    // The gap is computed once projected gradients are within this spread.
    let spreadTarget = 0.1;
    let converged = false;
    const current = () => {
      const theta = new Float64Array(x.cols + 1);
      theta.set(rows.w);
      if (intercept) theta[x.cols] = b0 + root * rows.beta;
      return theta;
    };
    const measure = () => {
      const theta = current();
      const { objective } = primalAt(problem, theta);
      if (objective < best.objective) best = { theta, objective };
      bound = Math.max(bound, lowerBound(problem, box, rows));
      return best.objective - bound <= tol * tol * Math.max(best.objective, 1e-12 * x.rows);
    };
    while (iterations < maxIter && !converged) {
      shufflePrefix(random, order, active);
      const swept = rows.sweep(order, active, root, b0, upper, lower);
      iterations++;
      active = swept.active;
      const spread = swept.most - swept.least;
      const quiet = !(spread > spreadTarget);
      if (quiet && active === count) {
        converged = measure();
        b0 = current()[x.cols]!;
        // The next tolerance follows from the gap reached.
        spreadTarget = Math.max(0.3 * Math.min(spread, spreadTarget), 1e-14);
      }
      yield { theta: current(), iteration: iterations, total: maxIter, gradientNorm: spread };
      // Once the active set has converged, all variables are checked again.
      if (quiet) active = count;
      upper = !quiet && swept.most > 0 ? swept.most : Infinity;
      lower = !quiet && swept.least < 0 ? swept.least : -Infinity;
    }
    if (!converged) converged = measure();
    const gradientNorm = Math.max(0, best.objective - bound);
    return { ...best, iterations, converged, gradientNorm, gap: gradientNorm };
  } finally {
    rows.close();
  }
}

/** ρ, which limits the change of b per round. Σ aσ is at most half of Σ C, so a small C requires a large ρ. */
function reachOf({ weights, l2, x }: Problem): number {
  const total = totalWeight({ weights, x }) / l2;
  return Math.min(Math.max(10 / total, 1), 1e6);
}

/**
 * A lower bound of the primal: the dual at the nearest a with Σ aσ = 0, the larger of its two sides scaled down.
 *
 *   l2 (Σ c a − ½‖w‖² − ½ Σ D a²)
 */
function lowerBound({ x, intercept, l2 }: Problem, { sigma, c, diagonal }: DualBox, rows: DualRows): number {
  const { a } = rows;
  const sums = [0, 0];
  for (let v = 0; v < a.length; v++) sums[sigma[v]! > 0 ? 1 : 0]! += a[v]!;
  const [minus, plus] = sums as [number, number];
  const heavier = plus > minus ? 1 : -1;
  const share = intercept && plus !== minus ? Math.min(plus, minus) / Math.max(plus, minus) : 1;
  const w = Float64Array.from(rows.w);
  let value = 0;
  for (let v = 0; v < a.length; v++) {
    const scaled = sigma[v]! * heavier > 0;
    const kept = scaled ? share * a[v]! : a[v]!;
    value += kept * (c[v]! - 0.5 * diagonal[v]! * kept);
    if (share < 1 && scaled && a[v]! > 0) addRow(x, v % x.rows, (kept - a[v]!) * sigma[v]!, w);
  }
  for (const wj of w) value -= 0.5 * wj * wj;
  return l2 * value;
}

/** w += factor · x_i. */
function addRow(x: Problem["x"], i: number, factor: number, w: Float64Array): void {
  if (x instanceof CsrMatrix) {
    for (let e = x.indptr[i]!; e < x.indptr[i + 1]!; e++) w[x.indices[e]!]! += factor * x.values[e]!;
  } else {
    for (let j = 0; j < x.cols; j++) w[j]! += factor * x.data[i * x.cols + j]!;
  }
}

function shufflePrefix(random: Random, order: Int32Array, count: number): void {
  random.shuffleInto(order.subarray(0, count));
}
