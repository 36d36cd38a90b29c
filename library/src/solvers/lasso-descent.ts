import type { Progress } from "../core/contract.js";
import type { ColumnProblem } from "../numeric/columns/column-problem.js";

/**
 * Elastic-net least squares by coordinate descent on a working set:
 *
 *   minimise over w:   P(w) = ½‖y − Xw‖² + l1‖w‖₁ + ½ l2‖w‖²      (columns and y centred, rows weighted)
 *
 * One pass over all columns computes the correlations c = Xᵀr, from them the columns that violate optimality and the
 * duality gap; sweeps run over the small working set only. At the end of every round the gap bounds P − min P,
 * including the columns outside the working set [Massias et al. 2018; Fercoq et al. 2015 for the gap with l2].
 */
export interface LassoResult {
  readonly sweeps: number;
  /** P(w) − min P is at most this. */
  readonly gap: number;
  readonly primal: number;
  readonly converged: boolean;
}

export interface LassoOptions {
  readonly l1: number;
  readonly l2: number;
  /** Stop when the gap is below this. */
  readonly gapTarget: number;
  readonly maxSweeps: number;
}

/**
 * Correlations at the current coefficients; kept by callers that fit a path, since the next fit starts from them.
 *
 * Only those above l1 matter, to the working set and to the gap alike, and r moves little: since
 *
 *   |x_j·r| ≤ |x_j·r₀| + ‖x_j‖ ‖r − r₀‖
 *
 * most columns need not be recomputed after a full pass at r₀.
 */
export class LassoState {
  readonly correlations: Float64Array;
  /** Of the last full pass. */
  readonly #known: Float64Array;
  readonly #knownAt: Float64Array;
  readonly #lengths: Float64Array;
  readonly #residual: Float64Array;

  constructor(readonly columns: ColumnProblem) {
    this.correlations = new Float64Array(columns.cols);
    this.#known = new Float64Array(columns.cols);
    this.#lengths = columns.norms.map(Math.sqrt);
    this.#residual = new Float64Array(columns.rows);
    this.#knownAt = new Float64Array(columns.rows);
    columns.residualInto(this.#residual);
    this.#lookAtAll();
  }

  /** Exact wherever |x_j·r| > l1 or w_j ≠ 0; otherwise some number of size ≤ l1. */
  refresh(l1: number): void {
    const { columns, correlations } = this;
    columns.residualInto(this.#residual);
    let square = 0;
    for (let i = 0; i < this.#residual.length; i++) square += (this.#residual[i]! - this.#knownAt[i]!) ** 2;
    // Rounding must not hide a column that is just above.
    const moved = Math.sqrt(square) + 1e-12 * Math.sqrt(columns.targetNorm);
    const w = columns.coefficients;
    const list: number[] = [];
    for (let j = 0; j < w.length; j++) {
      if (w[j] !== 0 || Math.abs(this.#known[j]!) + this.#lengths[j]! * moved > l1) list.push(j);
    }
    if (list.length > WORTH_LOOKING_AT_ALL * w.length) {
      this.#lookAtAll();
      return;
    }
    correlations.set(this.#known);
    columns.correlationsInto(correlations, Int32Array.from(list));
  }

  #lookAtAll(): void {
    this.columns.correlationsInto(this.correlations);
    this.#known.set(this.correlations);
    this.#knownAt.set(this.#residual);
  }
}

/** Above this fraction of the columns a full pass is made instead, which computes all correlations. */
const WORTH_LOOKING_AT_ALL = 0.5;

/** Descent whose final gap is evaluated on a residual without the rounding of updates; continues where that gap is too large. */
export function* certainLassoSteps(
  state: LassoState,
  options: LassoOptions,
): Generator<Progress, LassoResult, void> {
  const { l1, l2, gapTarget, maxSweeps } = options;
  let sweeps = 0;
  for (;;) {
    const result = yield* lassoSteps(state, { ...options, maxSweeps: maxSweeps - sweeps });
    sweeps += result.sweeps;
    state.columns.renewResidual();
    state.refresh(l1);
    const { primal, gap } = certify(state.columns, state.correlations, l1, l2);
    const converged = gap <= gapTarget;
    if (converged || result.sweeps === 0 || sweeps >= maxSweeps) return { primal, gap, sweeps, converged };
  }
}

export function* lassoSteps(
  state: LassoState,
  options: LassoOptions,
): Generator<Progress, LassoResult, void> {
  const { columns, correlations } = state;
  const { l1, l2, gapTarget, maxSweeps } = options;
  let sweeps = 0;
  state.refresh(l1);
  let result = certify(columns, correlations, l1, l2);
  let wanted = Math.max(FIRST_COLUMNS, nonZeros(columns.coefficients).length * 2);
  let enough = Math.max(gapTarget, 1e-4 * result.gap);
  let finest = FINEST * gapTarget;
  let patience = FIRST_SWEEPS;
  let stuck = false;
  let unsolved = 0;
  while (result.gap > gapTarget && sweeps < maxSweeps) {
    const list = workingSet(columns, correlations, l1, wanted);
    // Sweeps converge linearly: after a sweep that gains `enough` per column, a few times that remains.
    enough = Math.min(enough, 0.1 * result.gap);
    // Building the system costs as much as `price` sweeps, so that many are tried first.
    const price = Math.min(list.length, columns.rows) / 4;
    const allowed = Math.min(Math.max(patience, Math.min(200, price / 4)), maxSweeps - sweeps);
    const share = 1 / Math.max(1, list.length);
    const stop = { enough: enough * share, finest: finest * share };
    finest *= FINER;
    const made = columns.sweep(list, correlations, { l1, l2 }, allowed, stop);
    sweeps += made;
    unsolved += made;
    // Sweeps that did not converge have at least found the signs; given those, the problem is a linear system.
    const solved = unsolved >= price && (made === allowed || stuck) && towardsSigned(columns, l1, l2);
    if (solved) unsolved = 0;
    else if (made === allowed) patience = Math.min(1000, 2 * patience);
    state.refresh(l1);
    const before = result.gap;
    result = certify(columns, correlations, l1, l2);
    // A working set of which nearly all columns are non-zero was far too small.
    const needed = nonZeros(columns.coefficients).length > 0.5 * list.length;
    wanted = Math.min(columns.cols, (needed ? 4 : 2) * Math.max(wanted, list.length));
    stuck = result.gap > 0.3 * before;
    if (stuck) enough *= 0.1;
    yield { iteration: sweeps, total: maxSweeps, objective: result.primal, gradientNorm: result.gap };
  }
  return { ...result, sweeps, converged: result.gap <= gapTarget };
}

/** Cheap sweeps continue down to this fraction of the target gap; the next time, a smaller one. */
const FINEST = 1e-3;
const FINER = 0.01;
/** Number of columns of the first working set. */
const FIRST_COLUMNS = 64;
/** Sweeps before a system is solved instead. */
const FIRST_SWEEPS = 10;

/**
 * Jumps to the minimiser with the signs of the non-zero coefficients held fixed; those that would change sign become
 * zero (a semismooth Newton step [Li, Sun & Toh 2018]). A jump that does not decrease P is undone. False if no
 * system could be solved or P did not decrease.
 */
function towardsSigned(columns: ColumnProblem, l1: number, l2: number): boolean {
  const list = nonZeros(columns.coefficients);
  const target = list.length > 0 ? columns.solveSigned(list, l1, l2) : null;
  if (target === null) return false;
  const from = Float64Array.from(list, (j) => columns.coefficients[j]!);
  const before = primalOf(columns, l1, l2);
  for (let e = 0; e < list.length; e++) if (from[e]! * target[e]! <= 0) target[e] = 0;
  columns.place(list, target);
  if (primalOf(columns, l1, l2) < before) return true;
  columns.place(list, from);
  return false;
}

function primalOf(columns: ColumnProblem, l1: number, l2: number): number {
  const w = columns.coefficients;
  let value = columns.residualHalfSquare();
  for (let j = 0; j < w.length; j++) value += l1 * Math.abs(w[j]!) + 0.5 * l2 * w[j]! * w[j]!;
  return value;
}

function nonZeros(w: Float64Array<ArrayBufferLike>): Int32Array {
  const list: number[] = [];
  for (let j = 0; j < w.length; j++) if (w[j] !== 0) list.push(j);
  return Int32Array.from(list);
}

/**
 * What rounding can make of x·r = 0, given the squares of both lengths. Uncorrelated columns would otherwise seem to violate |c| ≤ l1 for
 * every l1 below it, and no descent could correct that.
 */
export const correlationRounding = (norm: number, residualNorm: number): number =>
  8 * Number.EPSILON * Math.sqrt(norm) * Math.sqrt(residualNorm);

/** P(w) and the duality gap at w, given c = Xᵀr. */
function certify(
  columns: ColumnProblem,
  c: Float64Array,
  l1: number,
  l2: number,
): { primal: number; gap: number } {
  const w = columns.coefficients;
  const loss = columns.residualHalfSquare();
  let norm1 = 0;
  let norm2 = 0;
  let largest = 0;
  for (let j = 0; j < w.length; j++) {
    norm1 += Math.abs(w[j]!);
    norm2 += w[j]! * w[j]!;
    const rounding = correlationRounding(columns.norms[j]!, 2 * loss);
    largest = Math.max(largest, Math.abs(c[j]! - l2 * w[j]!) - rounding);
  }
  const primal = loss + l1 * norm1 + 0.5 * l2 * norm2;
  // The ridge term counts as extra rows √l2·I with target 0: their residual is −√l2·w.
  const scale = largest > l1 ? l1 / largest : 1;
  const extended = loss + 0.5 * l2 * norm2;
  const dual = scale * columns.residualDotTarget() - scale * scale * extended;
  return { primal, gap: Math.max(0, primal - dual) };
}

/** All non-zero columns and the worst violators of |c_j| ≤ l1, `wanted` in total. */
function workingSet(columns: ColumnProblem, c: Float64Array, l1: number, wanted: number): Int32Array {
  const w = columns.coefficients;
  const chosen: number[] = [];
  const others: number[] = [];
  for (let j = 0; j < w.length; j++) {
    if (columns.norms[j] === 0) continue;
    if (w[j] !== 0) chosen.push(j);
    else if (Math.abs(c[j]!) > l1) others.push(j);
  }
  const room = Math.max(wanted - chosen.length, 10);
  if (others.length > room) others.sort((a, b) => Math.abs(c[b]!) - Math.abs(c[a]!)).length = room;
  return Int32Array.from([...chosen, ...others].sort((a, b) => a - b));
}
