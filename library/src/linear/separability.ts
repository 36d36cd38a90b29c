import type { MatrixLike } from "../core/contract.js";
import { DataError } from "../core/errors.js";
import { encodeLabels, type Label, type Labels, requireTwoClasses } from "../core/labels.js";
import { denseWithin } from "../data/dense-within.js";
import { readMatrix } from "../data/input.js";
import { Matrix } from "../data/matrix.js";
import { signsOf } from "../data/training-set.js";
import { hinge } from "../losses/losses.js";
import { linearScores } from "../numeric/rows/linear-scores.js";
import { interiorPoint } from "../solvers/interior-point.js";
import { linearProblem } from "../solvers/problem.js";

/** The boundary w·x + b = 0 between two classes; w·x + b > 0 on the side of the second. */
export interface Hyperplane {
  /** w, one entry per column. */
  readonly coef: Float64Array;
  /** b. */
  readonly intercept: number;
}

/**
 * A hyperplane that separates the two classes strictly, yᵢ(w·xᵢ + b) > 0 for every row (y = +1 for the second class), or undefined if
 * there is none.
 *
 * Found by the linear program
 *
 *   minimise over (w, b):   Σᵢ max(0, 1 − yᵢ(w·xᵢ + b))
 *
 * Its minimum is 0 if such a hyperplane exists (after scaling (w, b) up), and at least 1 otherwise, since every (w, b) then has a row
 * with margin ≤ 0. The first hyperplane on the way that separates is returned; it does not have the largest margin. Each of its margins
 * exceeds the bound on its rounding error, so that it is positive in exact arithmetic too.
 */
export function separatingHyperplane<L extends Label>(x: MatrixLike, y: Labels<L>): Hyperplane | undefined {
  const where = "separatingHyperplane";
  const { design, classes, codes } = twoClasses(where, x, y);
  requireTwoClasses(where, classes);
  const rows = denseWithin(where, design, "a linear program needs", { most: 1e8 });
  const scaled = standardised(rows);
  const signs = signsOf(codes, 1);
  let separable = false;
  for (const theta of candidates(where, scaled.x, signs)) {
    if (!separates(where, scaled.x, signs, theta)) continue;
    separable = true;
    const plane = unscaled(theta, scaled);
    if (separatesExactly(rows, signs, plane)) return plane;
  }
  if (!separable) return undefined;
  throw new DataError({
    where,
    subject: "X",
    expected:
      "columns whose differences are not lost beside their size: a hyperplane exists, but its margins are within rounding errors",
    received: "columns far from 0",
    advice: "StandardScaler centres them.",
  });
}

/**
 * Whether a hyperplane separates the two classes strictly: some (w, b) has yᵢ(w·xᵢ + b) > 0 for every row. `separatingHyperplane`
 * returns it. A positive answer is verified on the hyperplane found, row by row; rows of one class are separable.
 */
export function isLinearlySeparable<L extends Label>(x: MatrixLike, y: Labels<L>): boolean {
  const where = "isLinearlySeparable";
  const { design, classes, codes } = twoClasses(where, x, y);
  if (classes.length < 2) return true;
  const scaled = standardised(denseWithin(where, design, "a linear program needs", { most: 1e8 }));
  const signs = signsOf(codes, 1);
  for (const theta of candidates(where, scaled.x, signs))
    if (separates(where, scaled.x, signs, theta)) return true;
  return false;
}

function twoClasses<L extends Label>(where: string, x: MatrixLike, y: Labels<L>) {
  const design = readMatrix(where, x, { sparse: true });
  const { classes, codes } = encodeLabels(where, y, design.rows);
  if (classes.length <= 2) return { design, classes, codes };
  const advice = "Test one class against the rest.";
  throw new DataError(where, "y", "labels of one or two classes", `${classes.length} classes`, advice);
}

/** (w, b) of every step of the linear program: one before the minimum may already separate the classes. */
function* candidates(where: string, x: Matrix, signs: Float64Array): Generator<Float64Array, void> {
  const problem = linearProblem({
    where,
    x,
    y: signs,
    weights: undefined,
    loss: hinge(),
    maxIter: 200,
    tol: 1e-4,
  });
  const steps = interiorPoint().minimise(problem);
  try {
    for (;;) {
      const step = steps.next();
      yield step.value.theta;
      if (step.done) return;
    }
  } finally {
    // The reader may stop at the first that separates: the solver then frees its memory.
    steps.return(undefined as never);
  }
}

const separates = (where: string, x: Matrix, signs: Float64Array, theta: Float64Array): boolean =>
  linearScores(where, x, theta.slice(0, -1), theta.slice(-1)).data.every((z, i) => z * signs[i]! > 0);

/** The hyperplane of the columns as they were given: w·(x − middle)/half + b. */
function unscaled(theta: Float64Array, { middle, half }: Standardised): Hyperplane {
  const coef = new Float64Array(middle.length);
  let intercept = theta[middle.length]!;
  for (let j = 0; j < coef.length; j++) {
    if (half[j] === 0) continue;
    coef[j] = theta[j]! / half[j]!;
    intercept -= coef[j]! * middle[j]!;
  }
  return { coef, intercept };
}

/**
 * Whether every margin is positive in exact arithmetic: the computed sum of d + 1 terms is off by less than (d + 2) ε Σ|terms|
 * [Higham 2002, section 3.1], and one ε more covers the rounding of this bound. Products below the normal numbers are off by 2⁻¹⁰⁷⁵ each.
 */
function separatesExactly(x: Matrix, signs: Float64Array, { coef, intercept }: Hyperplane): boolean {
  const { rows, cols, data } = x;
  for (let i = 0, at = 0; i < rows; i++) {
    let z = intercept;
    let size = Math.abs(intercept);
    for (let j = 0; j < cols; j++, at++) {
      const term = coef[j]! * data[at]!;
      z += term;
      size += Math.abs(term);
    }
    if (!(z * signs[i]! > (cols + 3) * (Number.EPSILON * size + Number.MIN_VALUE))) return false;
  }
  return true;
}

interface Standardised {
  readonly x: Matrix;
  readonly middle: Float64Array;
  readonly half: Float64Array;
}

/** Columns scaled to [−1, 1]: affine maps of the columns do not change separability, and keep all digits. */
function standardised(x: Matrix): Standardised {
  const { rows, cols, data } = x;
  const out = Matrix.zeros(rows, cols);
  const [middles, halves] = [new Float64Array(cols), new Float64Array(cols)];
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
    middles[j] = middle;
    halves[j] = half;
    if (half === 0) continue;
    for (let at = j; at < data.length; at += cols) out.data[at] = (data[at]! - middle) / half;
  }
  return { x: out, middle: middles, half: halves };
}
