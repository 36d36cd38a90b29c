import { readOptions } from "../core/params/options.js";
import { integer } from "../core/params/params.js";
import { type SmoothLossName, smoothLosses } from "../losses/loss.js";
import { minimiseLbfgs } from "../minimisers/lbfgs.js";
import { newton } from "./newton.js";
import type { Problem } from "./problem.js";
import { minimiseSmooth } from "./smooth-part.js";
import type { Solver } from "./solver.js";

const lbfgsOptions = {
  memory: integer({ atLeast: 1, atMost: 1000, default: 10, doc: "Number of stored correction pairs." }),
};

/** Iterations after which more of the same are hopeless. */
const MOST = 1000;

/**
 * Limited-memory BFGS (`minimisers/lbfgs.ts`), preconditioned by the Gram matrix or the diagonal of the Hessian.
 *
 * Stops when the decrement, an estimate of J(θ) − min J, stays below tol² · J.
 */
export function lbfgs(options: { memory?: number | undefined } = {}): Solver<SmoothLossName, "none" | "l2"> {
  const { memory } = readOptions("lbfgs", lbfgsOptions, options);
  return Object.freeze({
    name: "lbfgs",
    losses: smoothLosses,
    penalties: ["none", "l2"] as const,
    minimise: (problem: Problem) =>
      minimiseSmooth(problem, (f, start) =>
        minimiseLbfgs(f, start, { maxIter: problem.maxIter, tol: problem.tol, memory }),
      ),
    findsNonFinite: ({ loss }: Pick<Problem, "loss">) => loss.shape === "curved",
    retry: () => newton(),
    // A pass over the data costs n·p, Newton's Hessian n·p²/2.
    worthContinuing: ({ x, outputs }: Problem) => Math.min(MOST, Math.floor((outputs * x.cols) / 2)),
    toJSON: () => ({ name: "lbfgs", memory }),
  });
}
