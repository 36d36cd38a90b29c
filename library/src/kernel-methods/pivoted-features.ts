import { DataError } from "../core/errors.js";
import { Random } from "../core/random.js";
import { Matrix } from "../data/matrix.js";
import type { Kernel } from "../kernel-functions/kernel-part.js";
import type { LearningRows } from "../kernel-functions/learning-rows.js";
import { SLICE_WIDTH } from "../numeric/kernel-functions/feature-slices.js";
import { withArena } from "../numeric/runtime/arena.js";
import { kernelColumnsOf, kernelDiagonalOf } from "./kernel-columns.js";
import { PivotedFactor } from "./pivoted-factor.js";

/**
 * Cholesky with diagonal pivoting [Higham 2002, §10.3], stopped early: K ≈ Φ Φᵀ where Φ has as many columns as there are
 * pivots p, and Φ_pp = L is triangular.
 */
export interface PivotedFeatures {
  /** Numbers of the pivots among the learning rows, in the order they were chosen. */
  readonly pivots: Int32Array;
  /** L, row-major. */
  readonly lower: Float64Array;
  /** Φ: one row for each of the learning rows. */
  readonly features: Matrix;
}

/** What is left of a row's k(x, x) is rounding below this share of it: sums of some thousand products. */
const ROUNDING = 1.4e-14;
/** Pivots of one block may be this much smaller than the largest that was left before it. */
const RELAXED = 0.25;
/** Features in the arena are at most this many numbers (1.6 GB). */
const MOST_ENTRIES = 2e8;

/**
 * Pivots are added until no row has more than tol × the mean of k(x, x) left of its own; so the trace of K − Φ Φᵀ, which bounds
 * all its eigenvalues, is at most tol × that of K. Rows come in blocks of candidates, those with most left first, so that the work is
 * done by matrix products; a pivot may then be smaller than the largest by RELAXED.
 */
export function pivotedFeatures(
  where: string,
  learning: LearningRows,
  kernel: Kernel,
  tol: number,
): PivotedFeatures {
  const diagonal = kernelDiagonalOf(where, learning);
  const n = diagonal.length;
  const mean = diagonal.reduce((sum, v) => sum + Math.max(0, v), 0) / n;
  const floors = diagonal.map((v) => Math.max(tol * mean, ROUNDING * v));
  const largest = diagonal.reduce((most, v) => Math.max(most, Math.abs(v)), 0);
  return withArena(where, (arena) => {
    const factor = new PivotedFactor(arena, where, learning, diagonal);
    const idle = new Uint8Array(n);
    for (;;) {
      const left = factor.left();
      const candidates = mostLeft(left, floors, idle);
      if (candidates.length === 0) break;
      requireRoom(where, n, factor.rank + candidates.length);
      const least = RELAXED * left[candidates[0]!]!;
      const taken = factor.add(candidates, (k) => Math.max(floors[candidates[k]!]!, least));
      // None, in spite of what the sums of squares said: they are rounding.
      if (taken === 0) idle[candidates[0]!] = 1;
    }
    if (kernel.positiveDefinite !== true) requireNoNegative(where, learning, factor, largest, tol * mean * n);
    return factor.rank === 0 ? nothing(n) : triangularFeatures(factor);
  });
}

/** A kernel that is 0 everywhere has one feature: 0. */
const nothing = (n: number): PivotedFeatures => ({
  pivots: Int32Array.of(0),
  lower: Float64Array.of(1),
  features: Matrix.zeros(n, 1),
});

function triangularFeatures(factor: PivotedFactor): PivotedFeatures {
  const { rank, pivots } = factor;
  const features = factor.features();
  const lower = new Float64Array(rank * rank);
  for (let k = 0; k < rank; k++) lower.set(features.row(pivots[k]!), k * rank);
  return { pivots, lower, features };
}

/** Up to a slice of the rows with most left, largest first, equals in their order. */
function mostLeft(left: Float64Array, floors: Float64Array, idle: Uint8Array): Int32Array {
  const open: number[] = [];
  for (let i = 0; i < floors.length; i++) if (left[i]! > floors[i]! && !idle[i]) open.push(i);
  open.sort((a, b) => left[b]! - left[a]! || a - b);
  return Int32Array.from(open.slice(0, SLICE_WIDTH));
}

function requireRoom(where: string, n: number, rank: number): void {
  if (n * rank <= MOST_ENTRIES) return;
  throw new DataError({
    where,
    subject: "the features of the kernel",
    expected: `at most ${MOST_ENTRIES / 1e6} million numbers`,
    received: `${n} rows with more than ${rank - SLICE_WIDTH} each`,
    advice: "Nystroem makes do with a sample of the rows.",
  });
}

/** What negative eigenvalues leave behind is larger than this share of the diagonal. */
const NEGATIVE = 1e-7;

/**
 * Whether K is what it has to be: nothing of a diagonal is below 0, and nothing is left of the rows that are no pivots, as one
 * product with random numbers tells.
 */
function requireNoNegative(
  where: string,
  learning: LearningRows,
  factor: PivotedFactor,
  largest: number,
  tolerance: number,
): void {
  const left = factor.left();
  const most = NEGATIVE * largest + tolerance;
  const isPivot = new Uint8Array(left.length);
  for (const i of factor.pivots) isPivot[i] = 1;
  const others = Int32Array.from(left.keys()).filter((i) => isPivot[i] === 0);
  let worst = left.reduce((least, v) => Math.max(least, -v), 0);
  if (worst <= most && others.length > 0) worst = unexplained(where, learning, factor, others);
  if (worst <= most * Math.sqrt(left.length)) return;
  throw new DataError({
    where,
    subject: "the kernel matrix",
    expected: "positive semidefinite, since this method needs a product in some space",
    received: "one with negative eigenvalues",
    advice: "SVC, SVR and KernelPerceptron take such kernels.",
  });
}

/** The largest entry of (K − Φ Φᵀ) v among the rows that are no pivots, v random on them. */
function unexplained(
  where: string,
  learning: LearningRows,
  factor: PivotedFactor,
  others: Int32Array,
): number {
  const random = new Random(0);
  const v = Float64Array.from(others, () => random.normal());
  const sums = new Float64Array(others.length);
  for (let from = 0; from < others.length; from += SLICE_WIDTH) {
    const chosen = others.subarray(from, from + SLICE_WIDTH);
    const { data, cols } = kernelColumnsOf(where, learning, chosen);
    for (let s = 0; s < others.length; s++) {
      for (let e = 0, at = others[s]! * cols; e < cols; e++, at++) sums[s]! += data[at]! * v[from + e]!;
    }
  }
  const features = Array.from(others, (i) => factor.row(i));
  const along = new Float64Array(factor.rank);
  for (let s = 0; s < others.length; s++)
    for (let k = 0; k < along.length; k++) along[k]! += features[s]![k]! * v[s]!;
  return sums.reduce((most, sum, s) => {
    const explained = features[s]!.reduce((total, value, k) => total + value * along[k]!, 0);
    return Math.max(most, Math.abs(sum - explained));
  }, 0);
}
