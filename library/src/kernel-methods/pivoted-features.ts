import { DataError } from "../core/errors.js";
import { Random } from "../core/numbers/random.js";
import { Matrix } from "../data/matrix.js";
import type { TrainingRows } from "../kernel-functions/training-rows.js";
import { SLICE_WIDTH } from "../numeric/kernel-functions/feature-slices.js";
import { withArena } from "../numeric/runtime/arena.js";
import { kernelColumnsOf, kernelDiagonalOf } from "./kernel-columns.js";
import { PivotedFactor } from "./pivoted-factor.js";

/**
 * Cholesky with diagonal pivoting [Higham 2002, §10.3], stopped early: K ≈ Φ Φᵀ, where Φ has one column per pivot p and Φ_pp = L
 * is triangular.
 */
export interface PivotedFeatures {
  /** Indices of the pivots among the training rows, in the order chosen. */
  readonly pivots: Int32Array;
  /** L, row-major. */
  readonly lower: Float64Array;
  /** Φ: one row per training row. */
  readonly features: Matrix;
}

/** A residual below this fraction of k(x, x) is rounding of sums of some thousand products. */
const ROUNDING = 1.4e-14;
/** Pivots of a block must be above this fraction of the largest residual before it. */
const RELAXED = 0.25;
/** Most entries of Φ in the arena (1.6 GB). */
const MOST_ENTRIES = 2e8;

/**
 * Adds pivots until no residual K_ii − ‖φ_i‖² is above tol × the mean of k(x, x); so the trace of K − Φ Φᵀ, which bounds all its
 * eigenvalues, is at most tol × that of K. Candidates come in blocks, largest residual first, so that the work is matrix products;
 * a pivot may then be smaller than the largest residual by RELAXED.
 */
export function pivotedFeatures(where: string, training: TrainingRows, tol: number): PivotedFeatures {
  const diagonal = kernelDiagonalOf(where, training);
  const n = diagonal.length;
  const mean = diagonal.reduce((sum, v) => sum + Math.max(0, v), 0) / n;
  const floors = diagonal.map((v) => Math.max(tol * mean, ROUNDING * v));
  const largest = diagonal.reduce((most, v) => Math.max(most, Math.abs(v)), 0);
  return withArena(where, (arena) => {
    const factor = new PivotedFactor(arena, where, training, diagonal);
    const idle = new Uint8Array(n);
    for (;;) {
      const left = factor.residuals();
      const candidates = mostLeft(left, floors, idle);
      if (candidates.length === 0) break;
      requireRoom(where, n, factor.rank + candidates.length);
      const least = RELAXED * left[candidates[0]!]!;
      const taken = factor.add(candidates, (k) => Math.max(floors[candidates[k]!]!, least));
      // No pivot: the residuals were rounding.
      if (taken === 0) idle[candidates[0]!] = 1;
    }
    if (!training.positiveDefinite) requireNoNegative(where, training, factor, largest, tol * mean * n);
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

/** The rows with the largest residuals, at most SLICE_WIDTH, largest first. */
function mostLeft(left: Float64Array, floors: Float64Array, idle: Uint8Array): Int32Array {
  const open: number[] = [];
  for (let i = 0; i < floors.length; i++) if (left[i]! > floors[i]! && !idle[i]) open.push(i);
  open.sort((a, b) => left[b]! - left[a]! || a - b);
  return Int32Array.from(open.slice(0, SLICE_WIDTH));
}

function requireRoom(where: string, n: number, rank: number): void {
  if (n * rank <= MOST_ENTRIES) return;
  const expected = `at most ${MOST_ENTRIES / 1e6} million numbers`;
  const received = `${n} rows with more than ${rank - SLICE_WIDTH} each`;
  const advice = "Use Nystroem, which takes a sample of the rows.";
  throw new DataError(where, "the feature map of the kernel", expected, received, advice);
}

/** Negative eigenvalues leave residuals above this fraction of the diagonal. */
const NEGATIVE = 1e-7;

/**
 * Throws if K has negative eigenvalues: a negative residual, or a nonzero K − Φ Φᵀ of the rows that are not pivots, tested by one product
 * with a random vector.
 */
function requireNoNegative(
  where: string,
  training: TrainingRows,
  factor: PivotedFactor,
  largest: number,
  tolerance: number,
): void {
  const left = factor.residuals();
  const most = NEGATIVE * largest + tolerance;
  const isPivot = new Uint8Array(left.length);
  for (const i of factor.pivots) isPivot[i] = 1;
  const others = Int32Array.from(left.keys()).filter((i) => isPivot[i] === 0);
  let worst = left.reduce((least, v) => Math.max(least, -v), 0);
  if (worst <= most && others.length > 0) worst = unexplained(where, training, factor, others);
  if (worst <= most * Math.sqrt(left.length)) return;
  const expected = "positive semidefinite, since this method requires an inner product";
  const received = "one with negative eigenvalues";
  const advice = "SVC, SVR and KernelPerceptron take such kernels.";
  throw new DataError(where, "the kernel matrix", expected, received, advice);
}

/** The largest absolute entry of (K − Φ Φᵀ) v over the rows that are not pivots, v random. */
function unexplained(
  where: string,
  training: TrainingRows,
  factor: PivotedFactor,
  others: Int32Array,
): number {
  const random = new Random(0);
  const v = Float64Array.from(others, () => random.normal());
  const sums = new Float64Array(others.length);
  for (let from = 0; from < others.length; from += SLICE_WIDTH) {
    const chosen = others.subarray(from, from + SLICE_WIDTH);
    const { data, cols } = kernelColumnsOf(where, training, chosen);
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
