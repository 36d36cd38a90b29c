import { answered, targetGap } from "../minimisers/smooth-function.js";
import { cholesky } from "../numeric/linalg/cholesky.js";
import {
  type Blocks,
  l1Norm,
  type Objective,
  optimalityViolation,
  type Regularisation,
  type Solution,
} from "./objective.js";
import { minimiseQuadratic, violationFor } from "./quadratic-descent.js";
import type { SolverStep } from "./solver.js";

/** What proximal Newton minimises; of the type A where answers are pending, as of a `SmoothFunction`. */
export interface PenalisedSum<A = never> extends Blocks, Regularisation {
  readonly where: string;
  readonly tol: number;
  readonly maxIter: number;
  readonly size: number;
  readonly magnitude: Objective["magnitude"];
  /** F + ½ l2 ‖w‖², and its gradient. */
  evaluate(theta: Float64Array, gradientOut: Float64Array | null): number | A;
  /** ∇²F at the point evaluated last; undefined unless it is pending. */
  hessianInto(out: Float64Array): A | undefined;
  majorise?(): void;
  /** The minimiser of the model at θ, where the Hessian is too large to form. */
  propose?(theta: Float64Array): Float64Array;
}

/**
 * Proximal Newton: repeated minimisation of the penalised quadratic model, with a line search between.
 *
 *   ∇F(θ)ᵀ(v − θ) + ½ (v − θ)ᵀ ∇²F(θ) (v − θ) + l1‖w‖₁ + ½ l2‖w‖²      over v
 */
export function proximalSteps(
  f: PenalisedSum,
  start: Float64Array,
  origin?: Float64Array,
): Generator<SolverStep, Solution, unknown>;
export function proximalSteps<A>(
  f: PenalisedSum<A>,
  start: Float64Array,
  origin?: Float64Array,
): Generator<SolverStep | A, Solution, unknown>;
/** `origin` is where f is finite, should the start be too far away. */
export function* proximalSteps<A>(
  f: PenalisedSum<A>,
  start: Float64Array,
  origin = start,
): Generator<SolverStep | A, Solution, unknown> {
  const { maxIter, tol } = f;
  let theta = start;
  let gradient: Float64Array = new Float64Array(f.size);
  let smooth = yield* answered(f.evaluate(theta, gradient));
  if (!Number.isFinite(smooth) && origin !== start) {
    theta = origin;
    smooth = yield* answered(f.evaluate(theta, gradient));
  }
  let iterations = 0;
  let converged = false;
  const model = new ProximalModel(f);
  const reached = () => ({
    theta,
    objective: smooth + f.l1 * l1Norm(f, theta),
    gradientNorm: optimalityViolation(f, theta, gradient),
  });
  while (iterations < maxIter && !converged) {
    const next = yield* model.step(theta, smooth, gradient);
    const total = smooth + f.l1 * l1Norm(f, theta);
    const factor = model.majorised ? MAJORISED_FACTOR : 1;
    converged = -0.5 * next.predicted <= factor * targetGap(f.magnitude, total, tol);
    if (next.theta === null) break;
    iterations++;
    const gained = total - next.smooth - f.l1 * l1Norm(f, next.theta);
    ({ theta, gradient, smooth } = next);
    if (gained <= 0) {
      // Rounding: a new Hessian may still make progress; if this one is new, stop.
      converged ||= model.fresh && -next.predicted <= NEGLIGIBLE * Math.abs(total);
      if (model.fresh) break;
      model.forget();
    }
    yield { ...reached(), iteration: iterations, total: maxIter };
  }
  return { ...reached(), iterations, converged, gradient };
}

/** No warning if rounding prevents a predicted decrease below this fraction of the objective. */
const NEGLIGIBLE = 1e-9;
/** A step that reduces the predicted decrease by less than this factor triggers a new Hessian. */
const SLOW = 0.1;

/** A shorter step than this means that the objective is far from quadratic here. */
const SHORT = 0.1;
/** Number of Hessians after a short step that are those of a quadratic majorant. */
const MAJORISED_STEPS = 3;
/** Factor of the tolerance for the decrease that a majorant predicts, which is an underestimate. */
const MAJORISED_FACTOR = 1e-2;

type Measured = Omit<PenalisedSum, "evaluate" | "hessianInto">;

interface Step {
  /** Fraction of the step to the model's minimiser. */
  readonly length: number;
  /** Null if no step lowers the objective. */
  readonly theta: Float64Array | null;
  readonly smooth: number;
  readonly gradient: Float64Array;
  /** The change of the objective that the model predicts; ≤ 0. */
  readonly predicted: number;
}

/**
 * The quadratic model. A Hessian costs many passes over the data and hardly changes near the solution, so it is kept while
 * each step with it gains a digit.
 */
export class ProximalModel<A> {
  /** Whether the Hessian of the last step was that of the point it started from. */
  fresh = false;
  /** Whether the model is a majorant of the objective, for losses with linear tails. */
  majorised = false;
  #toMajorise = 0;
  #hessian: Float64Array | undefined;
  #before = -Infinity;

  constructor(private readonly f: PenalisedSum<A>) {}

  /** From θ, evaluated last, towards the model's minimiser, by a step that decreases the objective sufficiently. */
  *step(theta: Float64Array, smooth: number, gradient: Float64Array): Generator<A, Step, unknown> {
    const next = yield* this.#tryStep(theta, smooth, gradient);
    const slow = next.predicted < SLOW * this.#before;
    this.#before = next.predicted;
    const unreliable = next.length < SHORT && !this.majorised && this.f.majorise !== undefined;
    if (unreliable) this.#toMajorise = MAJORISED_STEPS;
    if (next.theta !== null) {
      if (slow || unreliable || this.majorised) this.forget();
      return next;
    }
    if (this.fresh && !unreliable) return next;
    // The last evaluation was at another point: restore the curvatures at θ.
    yield* answered(this.f.evaluate(theta, new Float64Array(theta.length)));
    this.forget();
    return yield* this.#tryStep(theta, smooth, gradient);
  }

  /** The next step needs a new Hessian. */
  forget(): void {
    this.#hessian = undefined;
  }

  *#tryStep(theta: Float64Array, smooth: number, gradient: Float64Array): Generator<A, Step, unknown> {
    this.fresh = this.#hessian === undefined;
    const { f } = this;
    if (!f.propose) this.#hessian ??= yield* this.#newHessian();
    const target = f.propose?.(theta) ?? proposal(f, this.#hessian!, theta, gradient);
    return yield* lineSearch(f, theta, target, smooth, gradient);
  }

  *#newHessian(): Generator<A, Float64Array, unknown> {
    const hessian = yield* hessianOf(this.f);
    const { majorise } = this.f;
    this.majorised = majorise !== undefined && (this.#toMajorise > 0 || isFlat(this.f, hessian));
    if (!this.majorised) return hessian;
    this.#toMajorise = Math.max(0, this.#toMajorise - 1);
    majorise!();
    return yield* hessianOf(this.f);
  }
}

/** Whether so few rows are curved that a coordinate, or a combination of them, has no curvature at all. */
function isFlat({ size, cols, l2, intercept, outputs }: Measured, hessian: Float64Array): boolean {
  const ridged = hessian.slice();
  for (let j = 0; j < size; j++) if (j % (cols + 1) !== cols) ridged[j * size + j]! += l2;
  return cholesky(ridged, size, 1e-13, Infinity).lifted > (intercept ? 0 : outputs);
}

/** ∇²F at the point evaluated last, without the rows and columns of intercepts that are not learned. */
function* hessianOf<A>(f: PenalisedSum<A>): Generator<A, Float64Array, unknown> {
  const { cols: d, intercept, size: side } = f;
  const q = new Float64Array(side * side);
  yield* answered(f.hessianInto(q) ?? 0);
  if (intercept) return q;
  for (let b = d; b < side; b += d + 1) {
    for (let j = 0; j < side; j++) {
      q[b * side + j] = 0;
      q[j * side + b] = 0;
    }
  }
  return q;
}

/** The minimiser of the penalised quadratic model at θ. `gradient` includes the l2 term. */
function proposal(f: Measured, q: Float64Array, theta: Float64Array, gradient: Float64Array): Float64Array {
  const { where, tol, cols: d, intercept, size: side } = f;
  const l1 = new Float64Array(side).fill(f.l1);
  const l2 = new Float64Array(side).fill(f.l2);
  for (let b = d; b < side; b += d + 1) {
    l1[b] = 0;
    l2[b] = 0;
  }
  // Model in v: ½ vᵀQv − (Qθ − ∇F)ᵀv; the l2 term of the gradient is in the penalty.
  const c = new Float64Array(side);
  for (let j = 0; j < side; j++) {
    let product = 0;
    for (let i = 0; i < side; i++) product += q[j * side + i]! * theta[i]!;
    c[j] = product - gradient[j]! + l2[j]! * theta[j]!;
  }
  const v = theta.slice();
  const { scale, floor } = f.magnitude;
  const gap = 1e-3 * Math.max(tol * tol * scale, floor);
  minimiseQuadratic(where, { q, c, l1, l2 }, v, violationFor(q, side, gap, f.l2), 1000);
  if (!intercept) for (let b = d; b < side; b += d + 1) v[b] = 0;
  return v;
}

/** From θ towards the model's minimiser, by a step that decreases J sufficiently [Yuan et al. 2012, eq. 20]. */
function* lineSearch<A>(
  f: PenalisedSum<A>,
  theta: Float64Array,
  target: Float64Array,
  smooth: number,
  gradient: Float64Array,
): Generator<A, Step, unknown> {
  const { l1 } = f;
  const before = l1 * l1Norm(f, theta);
  let predicted = l1 * l1Norm(f, target) - before;
  for (let e = 0; e < theta.length; e++) predicted += gradient[e]! * (target[e]! - theta[e]!);
  const nextGradient = new Float64Array(theta.length);
  if (!(predicted < 0)) return { theta: null, smooth, gradient, predicted: 0, length: 1 };
  for (let step = 1; step > 1e-10; step *= 0.5) {
    const next = step === 1 ? target : theta.map((v, e) => v + step * (target[e]! - v));
    const value = yield* answered(f.evaluate(next, nextGradient));
    if (value + l1 * l1Norm(f, next) <= smooth + before + 1e-4 * step * predicted) {
      return { theta: next, smooth: value, gradient: nextGradient, predicted, length: step };
    }
  }
  return { theta: null, smooth, gradient, predicted, length: 0 };
}
