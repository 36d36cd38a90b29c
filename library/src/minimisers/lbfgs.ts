import { CurvaturePairs } from "../numeric/linalg/quasi-newton-pairs.js";
import { backtrack } from "./line-search.js";
import type { Minimiser, MinimiserOptions, Preconditioner, SmoothFunction } from "./smooth-function.js";
import { answered, magnitudeOf, targetGap } from "./smooth-function.js";
import { dot, maxAbs } from "./vectors.js";

export interface LbfgsOptions extends MinimiserOptions {
  /** Number of stored correction pairs. */
  readonly memory: number;
}

/** Iterations before the first update of the preconditioner; the interval doubles after each update. */
const FIRST_RENEWAL = 3;

/**
 * Limited-memory BFGS [Nocedal & Wright, algorithm 7.5], preconditioned where f has a preconditioner.
 *
 *   p = −H ∇f(θ),   θ ← θ + t p,   H from the last `memory` steps and the preconditioner
 *
 * Stops when the decrement ½ ∇fᵀH∇f, an estimate of f(θ) − min f, stays below tol² · f, or when the gradient is 0.
 */
export function minimiseLbfgs(f: SmoothFunction, start: Float64Array, options: LbfgsOptions): Minimiser;
export function minimiseLbfgs<A>(
  f: SmoothFunction<A>,
  start: Float64Array,
  options: LbfgsOptions,
): Minimiser<A>;
export function* minimiseLbfgs<A>(
  f: SmoothFunction<A>,
  start: Float64Array,
  options: LbfgsOptions,
): Minimiser<A> {
  const { maxIter, tol, memory } = options;
  const { first: preconditioner, renewed } = f.preconditioners ?? {};
  let precondition = preconditioner?.() ?? ((g: Float64Array, out: Float64Array) => out.set(g));
  let renewAt = FIRST_RENEWAL;
  const pairs = new CurvaturePairs("lbfgs", f.size, memory);
  try {
    let theta = start.slice();
    let gradient = new Float64Array(f.size);
    let value = yield* answered(f.evaluate(theta, gradient));
    const magnitude = magnitudeOf(f, value);
    const direction = new Float64Array(f.size);
    let scale = firstScale(f, gradient, precondition);
    let quiet = 0;
    let iterations = 0;
    let converged = maxAbs(gradient) === 0;
    while (!converged && iterations < maxIter) {
      const initial = (v: Float64Array, out: Float64Array) => {
        precondition(v, out);
        for (let e = 0; e < out.length; e++) out[e]! *= scale;
      };
      pairs.directionInto(gradient, initial, direction);
      let descent = dot(gradient, direction);
      if (!(descent < 0)) {
        pairs.clear();
        pairs.directionInto(gradient, initial, direction);
        descent = dot(gradient, direction);
      }
      const next = new Float64Array(theta.length);
      const nextGradient = new Float64Array(theta.length);
      const taken = yield* backtrack(f, theta, direction, value, descent, 1, next, nextGradient);
      if (taken === null) {
        if (pairs.length === 0) break;
        pairs.clear();
        continue;
      }
      iterations++;
      pairs.push(theta, next, gradient, nextGradient);
      scale = pairs.scale(precondition);
      const decrease = value - taken.value;
      theta = next;
      gradient = nextGradient;
      value = taken.value;
      if (renewed && iterations === renewAt) {
        precondition = renewed();
        scale = pairs.scale(precondition);
        renewAt *= 2;
      }
      const target = targetGap(magnitude, value, tol);
      // One small step may be accidental; the decrement of a two-loop direction is only an estimate.
      quiet = -0.5 * descent <= target && decrease <= target ? quiet + 1 : 0;
      converged = quiet >= 2 || maxAbs(gradient) === 0;
      const gradientNorm = maxAbs(gradient);
      yield { theta, iteration: iterations, total: maxIter, objective: value, gradientNorm };
    }
    return { theta, iterations, converged, objective: value, gradientNorm: maxAbs(gradient), gradient };
  } finally {
    pairs.close();
  }
}

/** The exact step along the first direction for a quadratic: gᵀPg / (Pg)ᵀ∇²f(Pg). Saves a search for it. */
function firstScale(
  f: Pick<SmoothFunction, "size" | "curvatureAlong">,
  gradient: Float64Array,
  precondition: Preconditioner,
): number {
  if (f.curvatureAlong === undefined) return 1;
  const direction = new Float64Array(f.size);
  precondition(gradient, direction);
  const step = dot(gradient, direction) / f.curvatureAlong(direction);
  return Number.isFinite(step) && step > 0 ? step : 1;
}
