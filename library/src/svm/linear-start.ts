import { Matrix } from "../data/matrix.js";
import { epsilonInsensitive, hinge } from "../losses/losses.js";
import { kernelCodes } from "../numeric/kernel-functions/kernel-tree.js";
import { startColumns } from "../numeric/svm/smo.js";
import type { CentralPoint } from "../solvers/central-path.js";
import { centralPoints } from "../solvers/interior-point.js";
import type { SupportProblem } from "./support-machine.js";

/** Pairs of variables need as many steps as there are rows, and often many times more; the interior of few columns needs thirty. */
const ROWS_A_COLUMN = 5;
const FEWEST_ROWS = 500;
/** Rows larger than this are refused later, in words. */
const LARGEST_SQUARE = 1e100;
/** Beyond this the barrier of the interior loses the margins. */
const LARGEST_COST = 1e12;
/** Steps end at a duality gap of this, squared, of the objective. */
const CLOSE = 1e-4;
export const MOST_STEPS = 60;
/** α nearer to a bound than this part of its range are at the bound. */
const AT_BOUND = 1e-4;

/**
 * Where to start with the linear kernel and many more rows than columns: α from an interior-point method on the primal
 *
 *   minimise over (w, b):   w·w/2a + Σ u_t max(0, 1 − y_t (w·x_t + b)),   or of max(0, |z − w·x − b| − ε)
 *
 * rounded to the bounds. The pairs that follow make it exact.
 */
export function* linearStart(
  where: string,
  { access, halves, y, upper, p }: SupportProblem,
): Generator<CentralPoint, Float64Array | undefined, void> {
  const { kernel, own: dense, points } = access;
  if (
    !(dense instanceof Matrix) ||
    !("code" in kernel) ||
    kernel.code !== kernelCodes.linear ||
    !(kernel.a > 0)
  )
    return;
  const { rows: n, cols } = dense;
  if (n < FEWEST_ROWS || cols * ROWS_A_COLUMN > n || cols > startColumns || upper.includes(Infinity)) return;
  if (upper.some((cost) => cost > LARGEST_COST)) return;
  if (points.norms.some((square) => !(square < LARGEST_SQUARE))) return;
  // p is −1, or ε − z for the upper side of the tube and ε + z for the lower one.
  const epsilon = halves === 2 ? (p[0]! + p[n]!) / 2 : 0;
  const { multipliers } = yield* centralPoints({
    where,
    x: dense,
    y: halves === 2 ? Float64Array.from({ length: n }, (_, t) => (p[n + t]! - p[t]!) / 2) : y,
    weights: upper.subarray(0, n),
    loss: halves === 2 ? epsilonInsensitive(epsilon) : hinge(),
    outputs: 1,
    intercept: true,
    l1: 0,
    l2: 1 / kernel.a,
    ball: null,
    maxIter: MOST_STEPS,
    tol: CLOSE,
    randomState: 0,
  });
  return multipliers.map((a, v) => {
    if (!(a > AT_BOUND * upper[v]!)) return 0;
    return a < (1 - AT_BOUND) * upper[v]! ? a : upper[v]!;
  });
}
