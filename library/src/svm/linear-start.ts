import { Matrix } from "../data/matrix.js";
import { epsilonInsensitive, hinge } from "../losses/losses.js";
import { kernelCodes } from "../numeric/kernel-functions/kernel-tree.js";
import { startColumns } from "../numeric/svm/smo.js";
import type { CentralPoint } from "../solvers/central-path.js";
import { centralPoints } from "../solvers/interior-point.js";
import type { SvmProblem } from "./svm-problem.js";

/** SMO takes at least as many steps as there are rows, often many times more; the interior-point method takes about thirty. */
const ROWS_PER_COLUMN = 5;
const FEWEST_ROWS = 500;
/** Rows with a larger ‖x‖² are left to SMO, whose checks report them. */
const LARGEST_SQUARE = 1e100;
/** Above this cost rounding in the barrier hides the margins. */
const LARGEST_COST = 1e12;
/** Stop at a relative duality gap of TOL². */
const TOL = 1e-4;
export const MOST_STEPS = 60;
/** α within this fraction of its range from a bound is rounded to the bound. */
const AT_BOUND = 1e-4;

/**
 * Initial α for the linear kernel and many more rows than columns, from an interior-point method on the primal
 *
 *   minimise over (w, b):   w·w/2a + Σ u_t max(0, 1 − y_t (w·x_t + b)),   or of max(0, |z − w·x − b| − ε)
 *
 * rounded to the bounds. SMO then makes it exact.
 */
export function* linearStart(
  where: string,
  { access, variablesPerPoint, y, upper, p }: SvmProblem,
): Generator<CentralPoint, Float64Array | undefined, void> {
  const { kernel, x: dense, points } = access;
  if (
    !(dense instanceof Matrix) ||
    !("code" in kernel) ||
    kernel.code !== kernelCodes.linear ||
    !(kernel.a > 0)
  )
    return;
  const { rows: n, cols } = dense;
  if (n < FEWEST_ROWS || cols * ROWS_PER_COLUMN > n || cols > startColumns || upper.includes(Infinity))
    return;
  if (upper.some((cost) => cost > LARGEST_COST)) return;
  if (points.norms.some((square) => !(square < LARGEST_SQUARE))) return;
  // p is −1, or ε − z for the upper side of the tube and ε + z for the lower one.
  const epsilon = variablesPerPoint === 2 ? (p[0]! + p[n]!) / 2 : 0;
  const { multipliers } = yield* centralPoints({
    where,
    x: dense,
    y: variablesPerPoint === 2 ? Float64Array.from({ length: n }, (_, t) => (p[n + t]! - p[t]!) / 2) : y,
    weights: upper.subarray(0, n),
    loss: variablesPerPoint === 2 ? epsilonInsensitive(epsilon) : hinge(),
    outputs: 1,
    intercept: true,
    l1: 0,
    l2: 1 / kernel.a,
    ball: null,
    maxIter: MOST_STEPS,
    tol: TOL,
    randomState: 0,
  });
  return multipliers.map((a, v) => {
    if (!(a > AT_BOUND * upper[v]!)) return 0;
    return a < (1 - AT_BOUND) * upper[v]! ? a : upper[v]!;
  });
}
