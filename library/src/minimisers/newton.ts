import { type CholeskyFactor, cholesky, choleskySolveInto } from "../numeric/linalg/cholesky.js";
import { CurvaturePairs } from "../numeric/linalg/quasi-newton-pairs.js";
import { backtrack } from "./line-search.js";
import {
  answered,
  type Magnitude,
  type Minimiser,
  type MinimiserOptions,
  type MinimiserStep,
  type Minimum,
  magnitudeOf,
  type TwiceSmoothFunction,
  targetGap,
} from "./smooth-function.js";
import { dot, maxAbs } from "./vectors.js";

/** A step that reduces the decrement by less than this factor triggers a new Hessian. */
const SLOW = 0.1;
/** Maximum number of BFGS corrections of the last Hessian. */
const PAIRS = 8;
/** A shorter step than this means that f is far from quadratic here. */
const SHORT = 0.1;
/** Number of Hessians after a short step that are those of a quadratic majorant. */
const MAJORISED_STEPS = 3;
/** Factor of the tolerance for the decrement of a majorant, which underestimates f − min f. */
const MAJORISED_FACTOR = 1e-2;
/** Smallest pivot (of the unit diagonal) of a Hessian whose decrement can be trusted. */
const TRUSTED = 1e-9;
/** A warm start needs no more accuracy than its approximation error. */
const WARM_TOL = 1e-3;

/**
 * Newton's method for a convex f, with a Hessian that is recomputed only when worthwhile.
 *
 *   p = −B⁻¹ ∇f(θ),   θ ← θ + t p,   B = ∇²f at an earlier point, corrected by BFGS pairs since then
 *
 * An evaluation returns value and gradient; the Hessian costs many evaluations. Near the solution an old Hessian with a few
 * corrections converges almost as fast as a new one, so it is recomputed only after a step that gains less than a digit. If f
 * has `warmStarts`, minimising those first yields both a starting point and a sufficiently accurate Hessian. Gradients are always
 * exact, so the solution does not depend on any of this.
 *
 * Stops when the decrement ½ ∇fᵀ B⁻¹ ∇f, an estimate of f(θ) − min f that is invariant to the scaling of coordinates, falls below
 * tol² · f. [Boyd & Vandenberghe 2004, §9.5] For an f that is not convex, see `newton-cg.ts`.
 */
export function minimiseNewton(
  f: TwiceSmoothFunction,
  start: Float64Array,
  options: MinimiserOptions,
): Minimiser;
export function minimiseNewton<A>(
  f: TwiceSmoothFunction<A>,
  start: Float64Array,
  options: MinimiserOptions,
): Minimiser<A>;
export function* minimiseNewton<A>(
  f: TwiceSmoothFunction<A>,
  start: Float64Array,
  options: MinimiserOptions,
): Minimiser<A> {
  const pairs = new CurvaturePairs("newton", f.size, PAIRS);
  try {
    let theta = start;
    const borrowed = borrowedFactor(f);
    let factor = borrowed;
    let expected = Infinity;
    // With the Hessian of a similar f, the start is near the minimum already.
    for (const cheaper of borrowed ? [] : (f.warmStarts?.() ?? [])) {
      try {
        const run = yield* NewtonRun.begin(cheaper, theta, factor, pairs);
        const tol = Math.max(options.tol, WARM_TOL);
        while (run.iterations < options.maxIter && !run.done(tol)) yield* run.step();
        theta = run.theta;
        factor = yield* run.freshFactor();
        // A coordinate without curvature there may have some in f itself.
        if (factor.lifted > 0) factor = undefined;
        expected = run.value;
      } finally {
        cheaper.close();
      }
    }
    let run = yield* NewtonRun.begin(f, theta, factor, pairs, borrowed !== undefined);
    // The minimum of a function that is too unlike f can be far worse than the start.
    if (!(run.value <= 2 * Math.abs(expected))) run = yield* NewtonRun.begin(f, start, undefined, pairs);
    while (run.iterations < options.maxIter && !run.done(options.tol)) {
      yield* run.step();
      yield run.progress(options.maxIter);
    }
    return run.minimum(options.tol);
  } finally {
    pairs.close();
  }
}

class NewtonRun<A> {
  theta: Float64Array;
  iterations = 0;
  readonly #f: TwiceSmoothFunction<A>;
  readonly #magnitude: Magnitude;
  #factor: CholeskyFactor | undefined;
  #factorAge = 0;
  #gradient: Float64Array;
  #value: number;
  readonly #pairs: CurvaturePairs;
  #direction: Float64Array;
  #decrement = Infinity;
  #stuck = false;
  /** Number of remaining Hessians that are those of a majorant. */
  #toMajorise = 0;
  #majorised = false;
  /** Whether the Hessian is that of another f, and no step has reduced the decrement yet as the Hessian of f would. */
  #borrowed: boolean;

  private constructor(
    f: TwiceSmoothFunction<A>,
    start: Float64Array,
    value: number,
    gradient: Float64Array,
    pairs: CurvaturePairs,
    borrowed: boolean,
  ) {
    this.#borrowed = borrowed;
    this.#f = f;
    this.#pairs = pairs;
    pairs.clear();
    this.theta = start;
    this.#gradient = gradient;
    this.#direction = new Float64Array(f.size);
    this.#value = value;
    this.#magnitude = magnitudeOf(f, value);
  }

  static *begin<A>(
    f: TwiceSmoothFunction<A>,
    start: Float64Array,
    factor: CholeskyFactor | undefined,
    pairs: CurvaturePairs,
    borrowed = false,
  ): Generator<A, NewtonRun<A>, unknown> {
    const theta = start.slice();
    const gradient = new Float64Array(f.size);
    const value = yield* answered(f.evaluate(theta, gradient));
    const run = new NewtonRun(f, theta, value, gradient, pairs, borrowed);
    run.#factor = factor;
    if (factor === undefined) yield* run.#renew();
    run.#updateDirection();
    return run;
  }

  /** Whether the estimated distance to the minimum is below tol² of f itself. */
  done(tol: number): boolean {
    if (this.#stuck) return true;
    // A Hessian much larger than that of f makes any decrement small.
    if (this.#borrowed) return false;
    const factor = this.#majorised ? MAJORISED_FACTOR : 1;
    return 0.5 * this.#decrement <= factor * targetGap(this.#magnitude, this.#value, tol);
  }

  *step(): Generator<A, void, unknown> {
    this.iterations++;
    const next = new Float64Array(this.theta.length);
    const gradient = new Float64Array(this.theta.length);
    const descent = -this.#decrement;
    const f = this.#f;
    const taken = yield* backtrack(f, this.theta, this.#direction, this.#value, descent, 1, next, gradient);
    if (taken === null) {
      yield* this.#recover();
      return;
    }
    this.#pairs.push(this.theta, next, this.#gradient, gradient);
    const before = this.#decrement;
    this.theta = next;
    this.#gradient = gradient;
    this.#value = taken.value;
    this.#factorAge++;
    const short = taken.step < SHORT && this.#f.majorise !== undefined;
    if (short) this.#toMajorise = MAJORISED_STEPS;
    // A majorant is valid at its own point only, and after a short step the Hessian is unreliable.
    if (short || this.#majorised) yield* this.#renew();
    this.#updateDirection();
    if (this.#decrement <= SLOW * before) this.#borrowed = false;
    else if (this.#worthRenewing()) {
      yield* this.#renew();
      this.#updateDirection();
    }
  }

  progress(total: number): MinimiserStep {
    return {
      theta: this.theta,
      iteration: this.iterations,
      total,
      objective: this.#value,
      gradientNorm: maxAbs(this.#gradient),
    };
  }

  minimum(tol: number): Minimum {
    return {
      theta: this.theta,
      iterations: this.iterations,
      converged: this.done(tol) && (!this.#stuck || 0.5 * this.#decrement <= 1e-9 * Math.abs(this.#value)),
      objective: this.#value,
      gradientNorm: maxAbs(this.#gradient),
      gradient: this.#gradient,
      ...(this.#factor!.smallestPivot > TRUSTED && !this.#borrowed ? { gap: 0.5 * this.#decrement } : {}),
    };
  }

  /** f at the current point. */
  get value(): number {
    return this.#value;
  }

  /** The Hessian's factor at the current point, for the next function. */
  *freshFactor(): Generator<A, CholeskyFactor, unknown> {
    if (this.#factorAge > 0) yield* this.#renew();
    return this.#factor!;
  }

  /** After a failed step an old Hessian is recomputed; with a new one the rounding floor is reached. */
  *#recover(): Generator<A, void, unknown> {
    // The last evaluation was at another point: restore the curvatures at θ.
    this.#value = yield* answered(this.#f.evaluate(this.theta, this.#gradient));
    if (this.#factorAge === 0 && this.#pairs.length === 0) {
      if (this.#majorised || this.#f.majorise === undefined) {
        this.#stuck = true;
        return;
      }
      this.#toMajorise = MAJORISED_STEPS;
    }
    yield* this.#renew();
    this.#updateDirection();
  }

  /** Early on a new Hessian saves more evaluations than it costs; near the target the remaining steps are cheaper. */
  #worthRenewing(): boolean {
    return this.#factorAge > 0 && this.#factorAge >= Math.min(3, Math.floor((this.#f.hessianCost ?? 1) / 4));
  }

  *#renew(): Generator<A, void, unknown> {
    this.#factor = yield* factorOf(this.#f);
    this.#majorised = false;
    this.#borrowed = false;
    if (this.#f.majorise && (this.#toMajorise > 0 || this.#factor.lifted > 0)) {
      this.#toMajorise = Math.max(0, this.#toMajorise - 1);
      this.#f.majorise();
      this.#factor = yield* factorOf(this.#f);
      this.#majorised = true;
    }
    this.#factorAge = 0;
    this.#pairs.clear();
  }

  #updateDirection(): void {
    const solve = (v: Float64Array, out: Float64Array) => choleskySolveInto(this.#factor!, v, out);
    this.#pairs.directionInto(this.#gradient, solve, this.#direction);
    this.#decrement = -dot(this.#gradient, this.#direction);
    if (this.#decrement >= 0) return;
    this.#pairs.clear();
    this.#pairs.directionInto(this.#gradient, solve, this.#direction);
    this.#decrement = -dot(this.#gradient, this.#direction);
  }
}

/** Undefined if there is nothing to borrow, or if some coordinate has no curvature there. */
function borrowedFactor(
  f: Pick<TwiceSmoothFunction, "size" | "borrowHessianInto">,
): CholeskyFactor | undefined {
  if (f.borrowHessianInto === undefined) return undefined;
  const hessian = new Float64Array(f.size * f.size);
  if (!f.borrowHessianInto(hessian)) return undefined;
  const factor = cholesky(hessian, f.size, 1e-13, Infinity);
  return factor.lifted > 0 ? undefined : factor;
}

/** Dependent coordinates are excluded: their gradient follows from that of the others. */
function* factorOf<A>(f: TwiceSmoothFunction<A>): Generator<A, CholeskyFactor, unknown> {
  const hessian = new Float64Array(f.size * f.size);
  yield* answered(f.hessianInto(hessian) ?? 0);
  return cholesky(hessian, f.size, 1e-13, Infinity);
}
