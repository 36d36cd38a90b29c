import { DataError } from "../core/errors.js";
import { Random } from "../core/random.js";
import { Matrix } from "../data/matrix.js";
import { type Arena, type F64, withArena } from "../numeric/arena.js";
import { FeatureSlices, SLICE_WIDTH } from "../numeric/feature-slices.js";
import { kernelColumnsOf, kernelDiagonalOf } from "./kernel-columns.js";
import type { Kernel } from "./kernel-part.js";
import type { LearningRows } from "./learning-rows.js";

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
    const left = arena.zeros(4 * Math.ceil(n / 4));
    left.array.set(diagonal);
    const slices = new FeatureSlices(arena, n);
    const pivots: number[] = [];
    const columns = arena.zeros(left.length * SLICE_WIDTH);
    for (;;) {
      const candidates = mostLeft(left.array, floors);
      if (candidates.length === 0) break;
      requireRoom(where, n, slices.rank + candidates.length);
      const top = left.array[candidates[0]!]!;
      const taken = addBlock(where, learning, slices, columns, left, candidates, (k) =>
        Math.max(floors[candidates[k]!]!, RELAXED * top),
      );
      // Nothing in the block, in spite of what the sums of squares said: they are rounding.
      if (taken.length === 0) left.array[candidates[0]!] = 0;
      for (const i of taken) left.array[i] = 0;
      pivots.push(...taken);
    }
    if (kernel.positiveDefinite !== true)
      requireNoNegative(where, learning, slices, left, pivots, largest, tol * mean * n);
    if (pivots.length === 0) return nothing(n);
    return { pivots: Int32Array.from(pivots), ...read(arena, slices, pivots) };
  });
}

/** A kernel that is 0 everywhere has one feature: 0. */
const nothing = (n: number): PivotedFeatures => ({
  pivots: Int32Array.of(0),
  lower: Float64Array.of(1),
  features: Matrix.zeros(n, 1),
});

function read(arena: Arena, slices: FeatureSlices, pivots: readonly number[]) {
  const rank = pivots.length;
  const out = arena.f64(slices.rows * rank);
  slices.unpack(out.ptr);
  const features = new Matrix(out.array.slice() as Float64Array, slices.rows, rank);
  const lower = new Float64Array(rank * rank);
  for (let k = 0; k < rank; k++) lower.set(features.row(pivots[k]!).subarray(0, k + 1), k * rank);
  // What a pivot has of features that were chosen after it is rounding, and 0 by definition.
  for (let k = 0; k < rank; k++) features.data.fill(0, pivots[k]! * rank + k + 1, (pivots[k]! + 1) * rank);
  return { features, lower };
}

/** Up to a slice of the rows with most left, largest first, equals in their order. */
function mostLeft(left: Float64Array<ArrayBufferLike>, floors: Float64Array): Int32Array {
  const open: number[] = [];
  for (let i = 0; i < floors.length; i++) if (left[i]! > floors[i]!) open.push(i);
  open.sort((a, b) => left[b]! - left[a]! || a - b);
  return Int32Array.from(open.slice(0, SLICE_WIDTH));
}

/**
 * Adds those of a block of candidates that have more than `floor` left to the factor, the largest first. Gives the rows that were
 * taken. `columns` has room for a slice.
 */
export function addBlock(
  where: string,
  learning: LearningRows,
  slices: FeatureSlices,
  columns: F64,
  left: F64,
  candidates: Int32Array,
  floor: (k: number) => number,
): number[] {
  const width = candidates.length;
  const ld = 4 * Math.ceil(width / 4);
  placeColumns(kernelColumnsOf(where, learning, candidates), ld, columns.array);
  const known = new Float64Array(width * slices.rank);
  for (let k = 0; k < width; k++) known.set(slices.row(candidates[k]!), k * slices.rank);
  slices.downdate(columns.ptr, ld, known, width);
  const rest = new Float64Array(width * width);
  for (let k = 0; k < width; k++) {
    const at = candidates[k]! * ld;
    rest.set(columns.array.subarray(at, at + width), k * width);
  }
  const { order, triangle } = pivotedTriangle(rest, width, floor);
  if (order.length > 0) slices.append(columns.ptr, ld, order, triangle, left);
  return Array.from(order, (k) => candidates[k]!);
}

export function placeColumns(
  { data, rows, cols }: Matrix,
  ld: number,
  out: Float64Array<ArrayBufferLike>,
): void {
  if (ld === cols) out.set(data);
  else for (let i = 0; i < rows; i++) out.set(data.subarray(i * cols, (i + 1) * cols), i * ld);
}

/** Cholesky with diagonal pivoting of a small matrix, as far as pivots are above the floor of their row. */
function pivotedTriangle(
  a: Float64Array,
  side: number,
  floor: (k: number) => number,
): { order: Int32Array; triangle: Float64Array } {
  const l = new Float64Array(side * side);
  const left = Float64Array.from({ length: side }, (_, k) => a[k * side + k]!);
  const order: number[] = [];
  const open = new Uint8Array(side).fill(1);
  for (;;) {
    let pivot = -1;
    for (let k = 0; k < side; k++) if (open[k] && (pivot < 0 || left[k]! > left[pivot]!)) pivot = k;
    if (pivot < 0 || !(left[pivot]! > floor(pivot))) break;
    const step = order.length;
    const root = Math.sqrt(left[pivot]!);
    open[pivot] = 0;
    for (let k = 0; k < side; k++) {
      if (!open[k] && k !== pivot) continue;
      let value = a[k * side + pivot]!;
      for (let e = 0; e < step; e++) value -= l[k * side + e]! * l[pivot * side + e]!;
      l[k * side + step] = k === pivot ? root : value / root;
      left[k]! -= l[k * side + step]! ** 2;
    }
    order.push(pivot);
  }
  const rank = order.length;
  const triangle = new Float64Array(rank * rank);
  for (let k = 0; k < rank; k++) {
    const row = order[k]! * side;
    triangle.set(l.subarray(row, row + k + 1), k * rank);
  }
  return { order: Int32Array.from(order), triangle };
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
  slices: FeatureSlices,
  left: F64,
  pivots: readonly number[],
  largest: number,
  tolerance: number,
): void {
  const n = slices.rows;
  const most = NEGATIVE * largest + tolerance;
  const isPivot = new Uint8Array(n);
  for (const i of pivots) isPivot[i] = 1;
  const others = Int32Array.from({ length: n }, (_, i) => i).filter((i) => isPivot[i] === 0);
  let worst = others.reduce((least, i) => Math.max(least, -left.array[i]!), 0);
  if (worst <= most && others.length > 0) worst = unexplained(where, learning, slices, others);
  if (worst <= most * Math.sqrt(n)) return;
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
  slices: FeatureSlices,
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
  const features = Array.from(others, (i) => slices.row(i));
  const along = new Float64Array(slices.rank);
  for (let s = 0; s < others.length; s++)
    for (let k = 0; k < along.length; k++) along[k]! += features[s]![k]! * v[s]!;
  return sums.reduce((most, sum, s) => {
    const explained = features[s]!.reduce((total, value, k) => total + value * along[k]!, 0);
    return Math.max(most, Math.abs(sum - explained));
  }, 0);
}
