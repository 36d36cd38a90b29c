import type { MatrixLike } from "../core/contract.js";
import { DataError } from "../core/errors.js";
import { encodeLabels, type Label, type Labels } from "../core/labels.js";
import { denseWithin } from "../data/dense-within.js";
import { readMatrix } from "../data/input.js";
import { Matrix } from "../data/matrix.js";
import { signsOf } from "../data/training-set.js";
import { hinge } from "../losses/losses.js";
import { linearScores } from "../numeric/rows/linear-scores.js";
import { interiorPoint } from "../solvers/interior-point.js";
import { linearProblem } from "../solvers/problem.js";

/**
 * Whether a hyperplane separates the two classes strictly: some (w, b) has yᵢ(w·xᵢ + b) > 0 for every row.
 *
 * Decided by the linear program
 *
 *   minimise over (w, b):   Σᵢ max(0, 1 − yᵢ(w·xᵢ + b))
 *
 * Its minimum is 0 if such a hyperplane exists (after scaling (w, b) up), and at least 1 otherwise, since every (w, b) then has a row
 * with margin ≤ 0. A positive answer is verified on the hyperplane found, row by row.
 */
export function isLinearlySeparable<L extends Label>(x: MatrixLike, y: Labels<L>): boolean {
  const where = "isLinearlySeparable";
  const design = readMatrix(where, x, { sparse: true });
  const { classes, codes } = encodeLabels(where, y, design.rows);
  if (classes.length > 2) {
    throw new DataError({
      where,
      subject: "y",
      expected: "labels of one or two classes",
      received: `${classes.length} classes`,
      advice: "Test one class against the rest.",
    });
  }
  if (classes.length < 2) return true;
  const dense = standardised(denseWithin(where, design, "a linear program needs", { most: 1e8 }));
  const signs = signsOf(codes, 1);
  const loss = hinge();
  const problem = linearProblem({
    where,
    x: dense,
    y: signs,
    weights: undefined,
    loss,
    maxIter: 200,
    tol: 1e-4,
  });
  const steps = interiorPoint().minimise(problem);
  const separates = (theta: Float64Array) =>
    linearScores(where, dense, theta.slice(0, -1), theta.slice(-1)).data.every((z, i) => z * signs[i]! > 0);
  for (;;) {
    const step = steps.next();
    const theta = step.value.theta;
    // An intermediate step may already separate the classes; otherwise the minimum decides.
    if (separates(theta)) {
      steps.return(undefined as never);
      return true;
    }
    if (step.done) return false;
  }
}

/** Columns scaled to [−1, 1]: affine maps of the columns do not change separability, and keep all digits. */
function standardised(x: Matrix): Matrix {
  const { rows, cols, data } = x;
  const out = Matrix.zeros(rows, cols);
  for (let j = 0; j < cols; j++) {
    let least = Infinity;
    let most = -Infinity;
    for (let at = j; at < data.length; at += cols) {
      least = Math.min(least, data[at]!);
      most = Math.max(most, data[at]!);
    }
    // Halved first: most − least may overflow where neither does.
    const half = 0.5 * most - 0.5 * least;
    const middle = 0.5 * most + 0.5 * least;
    if (half === 0) continue;
    for (let at = j; at < data.length; at += cols) out.data[at] = (data[at]! - middle) / half;
  }
  return out;
}
