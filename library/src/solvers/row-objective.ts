import { Random } from "../core/numbers/random.js";
import { CsrMatrix } from "../data/csr-matrix.js";
import { requireFinite } from "../data/input.js";
import { Matrix } from "../data/matrix.js";
import { isMarginLoss } from "../losses/loss.js";
import type { Magnitude, Preconditioner, Preconditioners } from "../minimisers/smooth-function.js";
import { type CholeskyFactor, cholesky, choleskySolveInto } from "../numeric/linalg/cholesky.js";
import { gramOf } from "../numeric/rows/moments.js";
import { openRowSum } from "../numeric/rows/open-row-sum.js";
import type { RowSum } from "../numeric/rows/row-sum.js";
import { baselineOf } from "./baseline.js";
import { isolate, type Objective, requireFiniteSquares, totalWeight } from "./objective.js";
import type { Problem } from "./problem.js";
import { sharedOf } from "./shared-rows.js";

/** Rows per column of the two warm-start samples: the first finds the region, the second the neighbourhood. */
const SAMPLE_ROWS_PER_COLUMN = [30, 200] as const;
/** A sample must be this much smaller than the data to be worth its copy. */
const WORTH_SAMPLING = 4;

/**
 * The problem's sum over rows as an Objective. `factor` scales a sample up to the full data; `opened` avoids a second copy, and so does what
 * the problem shares with others.
 */
export function rowObjective(
  problem: Problem,
  factor = 1,
  opened?: RowSum,
  shared = sharedOf(problem),
): Objective {
  const { x, outputs, intercept, l1, l2, ball } = problem;
  const loss = isMarginLoss(problem.loss) ? problem.loss : null;
  const open = () => openRowSum(problem.where, x, problem.y, problem.weights, loss, outputs);
  const isShared = shared !== undefined && shared.x === x;
  const sum = opened ?? (isShared ? shared.sum(open) : open());
  const majorant = loss?.majorant;
  return {
    intercept,
    l1,
    l2,
    ball,
    size: outputs * (x.cols + 1),
    cols: x.cols,
    outputs,
    magnitude: magnitudeOf(problem, factor),
    evaluate: (theta, gradientOut) => {
      const value = sum.evaluate(theta, gradientOut);
      if (gradientOut && factor !== 1) scaleInto(factor, gradientOut);
      return value * factor;
    },
    hessianInto: (out) => {
      sum.hessianInto(out);
      scaleInto(factor, out);
      shared?.keepHessian(out);
    },
    hessianVectorInto: (v, out) => {
      sum.hessianVectorInto(v, out);
      scaleInto(factor, out);
    },
    hessianDiagonalInto: (out, stride) => {
      sum.hessianDiagonalInto(out, stride);
      scaleInto(factor, out);
    },
    ...(majorant ? { majorise: () => sum.reweigh!(majorant) } : {}),
    preconditioners: preconditionersOf(problem, sum),
    close: () => {
      if (!isShared) sum.close();
    },
  };
}

/** Residuals of a perfect fit are rounding errors of y: this fraction of it, squared. */
const ROUNDED = 1e-14 ** 2;

/** Losses that depend on the unit of y are measured relative to the loss of a constant. */
function magnitudeOf(problem: Problem, factor: number): Magnitude {
  const { y, weights } = problem;
  const total = factor * totalWeight(problem);
  if (problem.loss.targets !== "numbers") return { scale: total, floor: 0 };
  let square = 0;
  for (let i = 0; i < y.length; i++) square += (weights ? weights[i]! : 1) * y[i]! * y[i]!;
  return { scale: factor * (baselineOf(problem)?.objective ?? total), floor: factor * ROUNDED * square };
}

/** Softmax with the coefficients of the last class fixed at 0. */
export function referenceObjective(problem: Problem): Objective {
  const full = rowObjective(problem);
  const outputs = problem.outputs - 1;
  const size = outputs * (problem.x.cols + 1);
  const whole = new Float64Array(full.size);
  const wholeOut = new Float64Array(full.size);
  const lift = (theta: Float64Array) => {
    whole.set(theta);
    return whole;
  };
  const reduced =
    (solve: Preconditioner): Preconditioner =>
    (gradient, out) => {
      solve(lift(gradient), wholeOut);
      out.set(wholeOut.subarray(0, size));
    };
  const { first, renewed } = full.preconditioners;
  return {
    ...full,
    size,
    outputs,
    evaluate: (theta, gradientOut) => {
      const value = full.evaluate(lift(theta), gradientOut ? wholeOut : null);
      gradientOut?.set(wholeOut.subarray(0, size));
      return value;
    },
    hessianInto: (out) => {
      const hessian = new Float64Array(full.size * full.size);
      full.hessianInto(hessian);
      for (let i = 0; i < size; i++) out.set(hessian.subarray(i * full.size, i * full.size + size), i * size);
    },
    hessianVectorInto: (v, out) => {
      full.hessianVectorInto(lift(v), wholeOut);
      out.set(wholeOut.subarray(0, size));
    },
    hessianDiagonalInto: (out, stride) => {
      full.hessianDiagonalInto(wholeOut, stride);
      out.set(wholeOut.subarray(0, size));
    },
    preconditioners: {
      first: () => reduced(first()),
      ...(renewed && { renewed: () => reduced(renewed()) }),
    },
  };
}

function scaleInto(factor: number, out: Float64Array): void {
  if (factor === 1) return;
  for (let e = 0; e < out.length; e++) out[e]! *= factor;
}

/**
 * Smaller copies of the problem that approximate it, to start from: random samples of the rows, smallest first, each scaled to the
 * total weight of the data. The caller closes them.
 */
export function* sampleObjectives(problem: Problem): Generator<Objective> {
  const { x } = problem;
  const total = totalWeight(problem);
  // Softmax has so many coefficients that a sample is not much smaller than the data (measured: no fewer passes).
  if (!(x instanceof Matrix) || problem.outputs > 1) return;
  for (const perColumn of SAMPLE_ROWS_PER_COLUMN) {
    const rows = Math.max(1000, perColumn * (x.cols + 1));
    if (rows * WORTH_SAMPLING > x.rows) return;
    const chosen = sortedSample(x.rows, rows);
    const y = pick(problem.y, chosen);
    if (isRare(problem, y)) return;
    const sampled = problem.weights && pick(problem.weights, chosen);
    const weight = sampled ? sampled.reduce((sum, s) => sum + s, 0) : chosen.length;
    if (weight === 0) return;
    const sample = { ...problem, x: x.selectRows(chosen), y, weights: sampled };
    yield rowObjective(sample, total / weight, undefined, sharedOf(problem));
  }
}

function pick(values: Float64Array, rows: Int32Array): Float64Array {
  const out = new Float64Array(rows.length);
  for (let e = 0; e < out.length; e++) out[e] = values[rows[e]!]!;
  return out;
}

/** A sample with too few rows of one class does not represent it (and without any, b has no minimum). */
function isRare({ loss }: Problem, y: Float64Array): boolean {
  if (loss.targets !== "signs") return false;
  let positive = 0;
  for (let e = 0; e < y.length; e++) if (y[e]! > 0) positive++;
  return Math.min(positive, y.length - positive) < RAREST;
}
/** Rows of the smallest class that a sample must have. */
const RAREST = 20;

/** Consecutive rows that are sampled together: accessing a memory page costs more than reading it. */
const RUN = 8;

/** About `count` rows in runs of consecutive rows, one random run per interval of equal length; ascending. */
function sortedSample(n: number, count: number): Int32Array {
  if (count >= n) return new Int32Array(n).map((_, i) => i);
  const random = new Random(0x5eed);
  const runs = Math.max(1, Math.floor(count / RUN));
  const out = new Int32Array(runs * RUN);
  for (let r = 0, to = 0; r < runs; r++) {
    const from = Math.floor((r * n) / runs);
    const start = from + random.below(Math.max(1, Math.floor(((r + 1) * n) / runs) - from - RUN + 1));
    for (let i = start; i < start + RUN; i++) out[to++] = Math.min(i, n - 1);
  }
  return out;
}

function preconditionersOf(problem: Problem, sum: RowSum): Preconditioners {
  const renewed = renewalOf(problem, sum);
  return { first: () => preconditioner(problem, sum), ...(renewed && { renewed }) };
}

/** Solves with the Gram matrix (K outputs), or divides by the Hessian's diagonal (sparse or very wide rows). */
function preconditioner(problem: Problem, sum: RowSum): Preconditioner {
  const { x, outputs, l2, intercept } = problem;
  const side = x.cols + 1;
  if (x instanceof CsrMatrix || x.cols > 1000) {
    sum.evaluate(new Float64Array(outputs * side), null);
    return diagonalPreconditioner(problem, sum);
  }
  const gram = new Float64Array(side * side);
  gramOf(problem.where, x, problem.weights, gram);
  // ±∞ in X, which the fit would find only later.
  if (!gram.every(Number.isFinite)) requireFinite(problem.where, x);
  requireFiniteSquares(problem.where, x.cols, gram);
  // At θ = 0 every class has probability 1/K and curvature (1/K)(1 − 1/K).
  const curvature = outputs > 1 ? (1 / outputs) * (1 - 1 / outputs) : 0.25;
  for (let e = 0; e < gram.length; e++) gram[e]! *= curvature;
  for (let j = 0; j < x.cols; j++) gram[j * side + j]! += l2;
  if (!intercept) isolate(gram, side, side - 1);
  return perClass(cholesky(gram, side), outputs);
}

/** How the preconditioner is updated at a later point: by blocks if they are small, else by the diagonal. */
function renewalOf(problem: Problem, sum: RowSum): (() => Preconditioner) | undefined {
  const { x, outputs } = problem;
  if (outputs > 1 && x instanceof Matrix && x.cols <= MAX_BLOCK)
    return sharedPreconditioners(problem, x, sum);
  if (outputs > 1) return undefined;
  return x instanceof CsrMatrix || x.cols > 1000 ? () => diagonalPreconditioner(problem, sum) : undefined;
}

/** Widest rows whose Hessian blocks are factored. */
const MAX_BLOCK = 300;
/** Rows per column that suffice to estimate a Hessian block. */
const BLOCK_ROWS_PER_COLUMN = 25;

/**
 * The Hessian of softmax as if all classes shared one block: Σ s h_i [x, 1][x, 1]ᵀ + l2 with h_i the mean over the
 * classes of p_ik(1 − p_ik), on a sample of the rows. Rows with certain predictions have no weight; the differences between classes are
 * learned by the quasi-Newton pairs. All classes share one factor.
 */
function sharedPreconditioners(problem: Problem, x: Matrix, sum: RowSum): () => Preconditioner {
  const { outputs, l2, intercept, where } = problem;
  const side = x.cols + 1;
  const count = Math.min(x.rows, BLOCK_ROWS_PER_COLUMN * side);
  let sample: { rows: Int32Array; x: Matrix } | undefined;
  return () => {
    if (sample === undefined) {
      const rows = sortedSample(x.rows, count);
      sample = { rows, x: count === x.rows ? x : x.selectRows(rows) };
    }
    const block = new Float64Array(side * side);
    gramOf(where, sample.x, sum.meanCurvatures!(sample.rows), block);
    const scale = x.rows / sample.rows.length;
    for (let e = 0; e < block.length; e++) block[e]! *= scale;
    for (let j = 0; j < x.cols; j++) block[j * side + j]! += l2;
    if (!intercept) isolate(block, side, side - 1);
    return perClass(cholesky(block, side, 1e-10), outputs);
  };
}

/** Solves the gradient block of each class with the same factor. */
function perClass(factor: CholeskyFactor, outputs: number): Preconditioner {
  const { side } = factor;
  return (gradient, out) => {
    for (let from = 0; from < outputs * side; from += side) {
      choleskySolveInto(factor, gradient.subarray(from, from + side), out.subarray(from, from + side));
    }
  };
}

/** The diagonal preconditioner is used if the curvatures of columns differ by this factor. */
const WORTH_SCALING = 100;

/** 1 / diagonal of the Hessian at the point evaluated last. */
function diagonalPreconditioner(problem: Problem, sum: RowSum): Preconditioner {
  const side = problem.x.cols + 1;
  const diagonal = new Float64Array(problem.outputs * side);
  sum.hessianDiagonalInto(diagonal);
  let largest = 0;
  let smallest = Infinity;
  for (let e = 0; e < diagonal.length; e++) {
    if (e % side === side - 1) continue;
    diagonal[e]! += problem.l2;
    largest = Math.max(largest, diagonal[e]!);
    if (diagonal[e]! > 0) smallest = Math.min(smallest, diagonal[e]!);
  }
  // Columns of similar size gain nothing, and the pairs learn the one stiff direction, b, faster without (measured: 29
  // iterations instead of 43 on 20,000 × 50,000 text-like rows).
  if (largest <= WORTH_SCALING * smallest) return (gradient, out) => out.set(gradient);
  const inverse = diagonal.map((v) => 1 / (v > 0 ? v : largest || 1));
  return (gradient, out) => {
    for (let e = 0; e < out.length; e++) out[e] = gradient[e]! * inverse[e]!;
  };
}
