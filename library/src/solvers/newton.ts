import { refuseOptions } from "../core/params/options.js";
import { type SmoothLossName, smoothLosses } from "../losses/loss.js";
import { minimiseNewton } from "../minimisers/newton.js";
import type { Problem } from "./problem.js";
import { minimiseSmooth } from "./smooth-part.js";
import type { Solver } from "./solver.js";

/**
 * Newton's method (`minimisers/newton.ts`). One pass over the data computes value and gradient; the Hessian costs many passes and is
 * recomputed only when worthwhile. On many rows, random samples are fitted first: the start is then off by the sampling error
 * only, and a few passes over the whole data finish the fit.
 *
 * Stops when the decrement, an estimate of J(θ) − min J that is invariant to the scaling of columns, falls below tol² · J.
 */
export function newton(...given: []): Solver<SmoothLossName, "none" | "l2"> {
  refuseOptions("newton", given);
  return Object.freeze({
    name: "newton",
    losses: smoothLosses,
    penalties: ["none", "l2"] as const,
    minimise: (problem: Problem) => minimiseSmooth(problem, (f, start) => minimiseNewton(f, start, problem)),
    findsNonFinite: ({ loss }: Pick<Problem, "loss">) => loss.shape === "curved",
    retry: () => newton(),
    toJSON: () => ({ name: "newton" }),
  });
}
