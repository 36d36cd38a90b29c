import { CsrMatrix } from "../../data/csr-matrix.js";
import type { Design } from "../../data/input.js";
import { lbfgs } from "../../solvers/lbfgs.js";
import { newton } from "../../solvers/newton.js";
import type { AnySolver } from "../../solvers/solver.js";

/** Solvers of smooth losses, apart from `auto-solver.ts` so that a bundle with one of them carries no others. */

/** Above this the joint Hessian of all classes costs more than many cheap proximal steps. */
const MAX_JOINT_COEFFICIENTS = 300;

/** Whether coordinate descent solves l1 and the elastic net: it needs the joint Hessian of all outputs. */
export const prefersCoordinates = (x: Design, outputs: number): boolean =>
  outputs === 1 || outputs * (x.cols + 1) <= MAX_JOINT_COEFFICIENTS;

/** Newton where its Hessian is cheap, else L-BFGS. */
export function smoothSolver(x: Design, outputs: number): AnySolver {
  return prefersNewton(x, outputs) ? newton() : lbfgs();
}

/**
 * Newton's Hessian of side p = outputs · (d + 1) costs n·p²/2 to build and p³/3 to factor. With one output the kernels
 * build it fast and rarely; with several it must be small. With fewer rows than columns it is singular without its
 * penalty, and large for the information that it has.
 */
function prefersNewton(x: Design, outputs: number): boolean {
  if (outputs > 1) return x.rows * (outputs * (x.cols + 1)) ** 2 <= 4e6;
  if (x instanceof CsrMatrix) return x.cols <= 100;
  return x.cols <= 30 || (x.cols <= 1000 && x.cols <= 2 * x.rows);
}
