import { cholesky, choleskySolveInto } from "../numeric/linalg/cholesky.js";
import { evaluateAll, evaluateSmooth, type Objective, totalWeight } from "./objective.js";
import { isSymmetric, type Problem } from "./problem.js";
import { rowDecrement } from "./row-decrement.js";

/** A model, J there, and the gradient of its smooth terms. */
export interface Point {
  readonly theta: Float64Array;
  readonly value: number;
  readonly gradient: Float64Array;
}

/** How far a model of a smooth loss is from the minimum. */
export interface Verdict {
  /** An estimate of J(θ) − min J. */
  readonly gap: number;
  /** False if the gap is that of single coordinates, or if columns are so nearly dependent that their products do not determine it. */
  readonly certain: boolean;
}

/** Hessians of at most this many operations are always formed: less than a millisecond. */
const CHEAP = 5e5;
/** Smallest pivot (of the unit diagonal) of a Hessian that is considered reliable. */
const TRUSTED = 1e-9;

/**
 * The Newton decrement ½ vᵀM⁻¹v, with v the least subgradient of J at θ and M = ∇²F + l2 on the free coordinates
 * [Boyd & Vandenberghe 2004, §9.5]. A ball enters by its multiplier λ: min J is at least the minimum over all w of
 * J + ½λ(‖w‖² − radius²), or of J + λ(‖w‖₁ − radius). Where l2 is strong, it bounds the gap without a Hessian; where a
 * Hessian costs too much, its diagonal bounds what single coordinates could still gain.
 *
 * For losses with linear tails, Newton steps are taken until the set of curved rows no longer changes.
 *
 * A gap of at most `target` is not examined further. `evaluated` is the point at which
 * `objective` was evaluated last: its curvatures are those of that point.
 */
export function certify(
  problem: Problem,
  objective: Objective,
  point: Point,
  target: number,
  evaluated: Evaluated,
): Verdict {
  const first = newtonGap(problem, objective, point, target, evaluated);
  const ends = first.direction && !objective.ball && problem.loss.shape === "piecewiseQuadratic";
  if (!ends || !(first.gap <= target)) return first;
  return fallsBelow(problem, objective, point, first, target) ? { ...first, gap: Infinity } : first;
}

/** At θ itself, at the last iterate of a solver near θ, or not at all. */
export type Evaluated = "here" | "near" | "nowhere";

/** With the Newton direction, if it was computed. */
type Steps = Verdict & { readonly direction?: Float64Array };

function newtonGap(
  problem: Problem,
  objective: Objective,
  { theta, gradient, value }: Point,
  target: number,
  evaluated: Evaluated,
): Steps {
  const strength = multiplied(objective, theta, gradient);
  const { l2 } = strength;
  const slack = strength.slack + commonPart(problem, objective, theta, strength);
  const v = leastSubgradient(objective, theta, gradient, strength);
  const free = freeCoordinates(problem, objective, theta, v, strength);
  const small = problem.x.rows * free.length * free.length <= CHEAP;
  // For an estimate of the gap, curvatures at a nearby point suffice.
  if (evaluated === "nowhere" || (evaluated === "near" && (small || problem.outputs === 1)))
    evaluateSmooth(objective, theta, new Float64Array(theta.length));
  if (l2 > 0 && problem.outputs === 1 && isCurved(problem, v, value)) {
    const bound = slack + boundByRidge(objective, v, l2);
    if (bound <= target) return { gap: bound, certain: true };
  }
  if (!small) return { gap: slack + largestCoordinateGain(objective, v, l2, problem.x.rows), certain: false };
  const gapOver = (over: number[]): Steps => {
    const { gap, certain, direction } = decrement(problem, objective, v, over, strength);
    if (certain) return { gap: slack + gap, certain, direction };
    if (problem.outputs > 1) {
      // Independent columns: the missing curvature is that of separated classes, whose gradient vanishes too.
      const left = problem.independent ? largestCoordinateGain(objective, v, l2, problem.x.rows) : Infinity;
      return { gap: slack + Math.max(gap, left), certain: problem.independent === true };
    }
    const byRows = rowDecrement(problem, theta, v, over, l2);
    return { gap: slack + byRows.gap, certain: true, direction: byRows.direction };
  };
  const steps = gapOver(free);
  if (strength.l1 === 0 || problem.outputs > 1) return steps;
  return released(objective, gradient, v, free, strength, steps, gapOver);
}

/** A held coordinate whose gradient exceeds l1 by less than this fraction is held up to rounding. */
const HELD = 1e-9;

/**
 * The decrement with the coordinates that l1 holds at 0 at θ, but not after the Newton step over the free ones: where columns are nearly
 * dependent, an arbitrarily small step releases them, and J falls along their difference. They are added to `free` one by one, the worst
 * first, each with the gradient that it has when it leaves 0 towards its side; one that the step would move to the other side is dropped.
 */
function released(
  objective: Objective,
  gradient: Float64Array,
  v: Float64Array,
  free: readonly number[],
  { l1, l2 }: Strength,
  first: Steps,
  gapOver: (over: number[]) => Steps,
): Steps {
  const { cols, size } = objective;
  const over = [...free];
  const tried = new Set(free);
  const change = new Float64Array(size);
  let steps = first;
  for (let count = 0; count < cols && steps.direction && steps.gap < Infinity; count++) {
    const { direction } = steps;
    objective.hessianVectorInto(direction, change);
    const after = (j: number) => gradient[j]! + change[j]! + l2 * direction[j]!;
    let [worst, most] = [-1, (1 + HELD) * l1];
    for (let j = 0; j < cols; j++)
      if (!tried.has(j) && Math.abs(after(j)) > most) [worst, most] = [j, Math.abs(after(j))];
    if (worst < 0) break;
    const side = -Math.sign(after(worst));
    tried.add(worst);
    v[worst] = gradient[worst]! + side * l1;
    const next = gapOver([...over, worst]);
    const moves = next.direction ? next.direction[worst]! * side : 1;
    if (moves > 0 && next.gap > steps.gap) {
      over.push(worst);
      steps = next;
    } else v[worst] = 0;
  }
  return steps;
}

/** Whether b can be eliminated as in `boundByRidge`: for losses with linear tails only if its gradient is 0. */
function isCurved(problem: Problem, v: Float64Array, value: number): boolean {
  if (problem.loss.shape !== "piecewiseQuadratic") return true;
  return Math.abs(v[problem.x.cols]!) <= NO_MEAN * Math.sqrt(2 * totalWeight(problem) * value);
}

/** A mean residual below this fraction of all residuals is rounding. */
const NO_MEAN = 1e-10;

/**
 * The duality gap of squares with l1, which bounds J(θ) − min J whatever the columns are [Fercoq et al. 2015]. Residuals are dual feasible if their sum is 0; otherwise b is shifted until it is.
 */
export function lassoGap(problem: Problem, objective: Objective, point: Point): number {
  const { theta, gradient, value } = point;
  const { cols, intercept } = objective;
  const total = totalWeight(problem);
  const sum = gradient[cols]!;
  if (!intercept || Math.abs(sum) <= NO_MEAN * Math.sqrt(2 * total * value))
    return gapOfResiduals(objective, point);
  const moved = theta.slice();
  moved[cols]! -= sum / total;
  const there = new Float64Array(gradient.length);
  const lower = evaluateAll(objective, moved, there);
  return value - lower + gapOfResiduals(objective, { theta: moved, gradient: there, value: lower });
}

/** With r the residual, r·y = 2F − w·∇F. */
function gapOfResiduals({ cols, l1, l2 }: Objective, { theta, gradient, value }: Point): number {
  let [largest, along, ridge, norm] = [0, 0, 0, 0];
  for (let j = 0; j < cols; j++) {
    const w = theta[j]!;
    largest = Math.max(largest, Math.abs(gradient[j]!));
    along += w * (gradient[j]! - l2 * w);
    ridge += 0.5 * l2 * w * w;
    norm += Math.abs(w);
  }
  const loss = value - ridge - l1 * norm;
  const scale = largest > l1 ? l1 / largest : 1;
  const dual = scale * (2 * loss - along) - scale * scale * (loss + ridge);
  return Math.max(0, value - dual);
}

interface Strength {
  readonly l1: number;
  readonly l2: number;
  /** The ball's λ, which l1 or l2 already includes. */
  readonly lambda: number;
  /** The term of the duality gap due to complementary slackness. */
  readonly slack: number;
}

/** The penalty with the ball's multiplier: λ makes the gradient and λ w (or λ sign w) cancel along w. */
function multiplied(objective: Objective, theta: Float64Array, gradient: Float64Array): Strength {
  const { ball, l1, l2, cols } = objective;
  if (ball === null) return { l1, l2, lambda: 0, slack: 0 };
  let [product, square, sum] = [0, 0, 0];
  for (let e = 0; e < theta.length; e++) {
    if (e % (cols + 1) === cols) continue;
    product += gradient[e]! * theta[e]!;
    square += theta[e]! * theta[e]!;
    sum += Math.abs(theta[e]!);
  }
  if (ball.norm === "l2") {
    const lambda = square > 0 ? Math.max(0, -product / square) : 0;
    return { l1, l2: l2 + lambda, lambda, slack: 0.5 * lambda * Math.max(0, ball.radius ** 2 - square) };
  }
  const lambda = sum > 0 ? Math.max(0, -product / sum) : 0;
  return { l1: l1 + lambda, l2, lambda, slack: lambda * Math.max(0, ball.radius - sum) };
}

/** The decrease of the softmax penalty from shifting all classes by one vector, which does not change the loss. */
function commonPart(
  problem: Problem,
  { cols, outputs }: Objective,
  theta: Float64Array,
  { l1, l2 }: Strength,
): number {
  if (!isSymmetric(problem) || l1 > 0 || l2 === 0) return 0;
  let square = 0;
  for (let j = 0; j < cols; j++) {
    let mean = 0;
    for (let e = j; e < theta.length; e += cols + 1) mean += theta[e]! / outputs;
    square += mean * mean;
  }
  return 0.5 * l2 * outputs * square;
}

function leastSubgradient(
  { cols, intercept, ball }: Objective,
  theta: Float64Array,
  gradient: Float64Array,
  { l1, lambda }: Strength,
): Float64Array {
  const pull = ball?.norm === "l2" ? lambda : 0;
  const v = new Float64Array(theta.length);
  for (let e = 0; e < v.length; e++) {
    if (e % (cols + 1) === cols) {
      v[e] = intercept ? gradient[e]! : 0;
      continue;
    }
    const g = gradient[e]! + pull * theta[e]!;
    if (theta[e] !== 0) v[e] = g + Math.sign(theta[e]!) * l1;
    else v[e] = Math.sign(g) * Math.max(0, Math.abs(g) - l1);
  }
  return v;
}

/**
 * The decrement of one output with l2 in place of the curvature along w after b is eliminated: with H the row of b in the Hessian,
 *
 *   ½ g_b²/H_bb + ‖v_w − H_w g_b/H_bb‖² / 2 l2
 */
function boundByRidge(
  { cols, size, intercept, ...objective }: Objective,
  v: Float64Array,
  l2: number,
): number {
  const row = new Float64Array(size);
  const derivative = v[cols]!;
  if (intercept && derivative !== 0) {
    const unit = new Float64Array(size);
    unit[cols] = 1;
    objective.hessianVectorInto(unit, row);
  }
  const move = derivative === 0 ? 0 : derivative / row[cols]!;
  let square = 0;
  for (let j = 0; j < cols; j++) square += (v[j]! - row[j]! * move) ** 2;
  return square / (2 * l2) + 0.5 * derivative * move;
}

/** Coordinates that are not held at 0 by l1. With l1 one intercept of softmax is redundant; without, see `untie`. */
function freeCoordinates(
  problem: Problem,
  { cols, outputs, intercept }: Objective,
  theta: Float64Array,
  v: Float64Array,
  { l1 }: Strength,
): number[] {
  const symmetric = isSymmetric(problem);
  const last = (outputs - 1) * (cols + 1);
  const free: number[] = [];
  for (let e = 0; e < theta.length; e++) {
    const isIntercept = e % (cols + 1) === cols;
    const redundant = symmetric && l1 > 0 && e >= last && isIntercept;
    if (redundant || (isIntercept && !intercept)) continue;
    if (isIntercept || l1 === 0 || theta[e] !== 0 || v[e] !== 0) free.push(e);
  }
  return free;
}

/** Steps along a Newton direction at which J is evaluated: where rows stop being curved, J may fall further. */
const AHEAD = [1, 10, 1e2, 1e3, 1e4, 1e6];
/** Maximum number of Newton steps, and the fraction of the target below which a decrease of J is ignored. */
const FOLLOWED = 8;
const LITTLE = 1e-3;

/**
 * Whether J decreases by more than `target` over some Newton steps from θ. Ends at the first step that does not change the set of
 * curved rows: up to there J is the quadratic of the decrement. True if there is no such step, since the gap is then unknown.
 */
function fallsBelow(
  problem: Problem,
  objective: Objective,
  { theta, value: before }: Point,
  first: Steps,
  target: number,
): boolean {
  const valueAt = (there: Float64Array) => evaluateAll(objective, there, null);
  const ahead = (from: Float64Array, direction: Float64Array, t: number) =>
    from.map((v, e) => v + t * direction[e]!);
  let [here, steps] = [theta, first];
  for (let count = 0; count < FOLLOWED; count++) {
    const { direction, gap } = steps;
    if (!direction) return false;
    let [next, lowest] = [here, Infinity];
    for (const t of AHEAD) {
      // Along its direction a convex J falls by at most 2 t times the gap, and beyond the first rise it only rises.
      if (t > 1 && 2 * t * gap <= LITTLE * target) continue;
      const there = ahead(here, direction, t);
      const value = valueAt(there);
      if (!(value < lowest)) break;
      [next, lowest] = [there, value];
    }
    if (lowest < before - target) return true;
    if (sameCurvature(objective, here, ahead(here, direction, 1))) return false;
    here = next;
    const gradient = new Float64Array(theta.length);
    const value = evaluateAll(objective, here, gradient);
    steps = newtonGap(problem, objective, { theta: here, gradient, value }, target, "here");
    if (steps.gap > target + Math.max(0, value - before)) return true;
  }
  return true;
}

/** Whether the same rows are curved at two points, for losses whose curvature is constant or 0. */
function sameCurvature(objective: Objective, a: Float64Array, b: Float64Array): boolean {
  const [here, there] = [a, b].map((point) => {
    const diagonal = new Float64Array(objective.size);
    evaluateSmooth(objective, point, null);
    objective.hessianDiagonalInto(diagonal);
    return diagonal;
  });
  return here!.every((curvature, e) => curvature === there![e]);
}

/** Rows from which curvatures are estimated, for a gap that is only an estimate. */
const SAMPLED_ROWS = 2000;

/** The largest decrease of J from changing a single coordinate. */
function largestCoordinateGain(objective: Objective, v: Float64Array, l2: number, rows: number): number {
  const diagonal = new Float64Array(objective.size);
  objective.hessianDiagonalInto(diagonal, Math.max(1, Math.floor(rows / SAMPLED_ROWS)));
  // A column without entries in the sampled rows.
  if (v.some((g, e) => g !== 0 && diagonal[e] === 0)) objective.hessianDiagonalInto(diagonal);
  let most = 0;
  for (let e = 0; e < v.length; e++) {
    const curvature = diagonal[e]! + (e % (objective.cols + 1) === objective.cols ? 0 : l2);
    if (v[e] !== 0) most = Math.max(most, (v[e]! * v[e]!) / (2 * curvature));
  }
  return most;
}

/**
 * Adding one vector to all classes of softmax changes only the penalty, so its curvature is as small as l2. v minus its
 * mean over classes is orthogonal to that direction, which may therefore have any curvature: that of its column.
 */
function untie({ size, cols, outputs }: Objective, hessian: Float64Array, v: Float64Array): void {
  const side = cols + 1;
  for (let j = 0; j < side; j++) {
    let mean = 0;
    let curvature = 0;
    for (let e = j; e < size; e += side) {
      mean += v[e]! / outputs;
      curvature += hessian[e * size + e]! / outputs;
    }
    for (let a = j; a < size; a += side) {
      v[a]! -= mean;
      for (let b = j; b < size; b += side) hessian[a * size + b]! += curvature / outputs;
    }
  }
}

function decrement(
  problem: Problem,
  objective: Objective,
  v: Float64Array,
  free: number[],
  { l1, l2 }: Strength,
): Verdict & { readonly direction: Float64Array } {
  const { size, cols } = objective;
  const hessian = new Float64Array(size * size);
  objective.hessianInto(hessian);
  if (isSymmetric(problem) && l1 === 0) untie(objective, hessian, v);
  // A column of zeros has neither gradient nor curvature.
  const live = free.filter((e) => hessian[e * size + e]! > 0 || v[e] !== 0);
  const m = live.length;
  const matrix = new Float64Array(m * m);
  const right = new Float64Array(m);
  for (let a = 0; a < m; a++) {
    for (let b = 0; b < m; b++) matrix[a * m + b] = hessian[live[a]! * size + live[b]!]!;
    if (live[a]! % (cols + 1) !== cols) matrix[a * m + a]! += l2;
    right[a] = v[live[a]!]!;
  }
  const factor = cholesky(matrix, m, TRUSTED, Infinity);
  const step = new Float64Array(m);
  choleskySolveInto(factor, right, step);
  let gap = 0;
  const direction = new Float64Array(size);
  for (let a = 0; a < m; a++) {
    gap += 0.5 * right[a]! * step[a]!;
    direction[live[a]!] = -step[a]!;
  }
  // Excluded coordinates are explained by others up to 1e-4 of their size; the gain of the unexplained component is unknown.
  return { gap, certain: factor.lifted === 0, direction };
}
