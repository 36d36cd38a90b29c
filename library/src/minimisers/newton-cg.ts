import { backtrack } from "./line-search.js";
import type { Minimiser, MinimiserOptions, SmoothFunction } from "./smooth-function.js";
import { magnitudeOf, targetGap } from "./smooth-function.js";
import { dot, maxAbs } from "./vectors.js";

/**
 * Newton's method with directions from conjugate gradients [Nocedal & Wright, algorithm 7.1], for functions whose Hessian is too
 * large to form, and for those that are not convex.
 *
 *   ∇²f(θ) p ≈ −∇f(θ),   θ ← θ + t p
 *
 * Conjugate gradients need products ∇²f · v only. They stop once the residual is min(½, √‖∇f‖/‖∇f₀‖) of the gradient, which
 * makes the convergence superlinear, or at a direction of negative curvature: p is then the last iterate before it, or −∇f.
 * Stops when the decrement −½ ∇f·p, an estimate of f(θ) − min f, and the decrease of the last step are below tol² · f, or the
 * gradient is 0.
 */
export function* minimiseNewtonCg(
  f: SmoothFunction & Required<Pick<SmoothFunction, "hessianVectorInto">>,
  start: Float64Array,
  { maxIter, tol }: MinimiserOptions,
): Minimiser {
  let theta = start.slice();
  let gradient = new Float64Array(f.size);
  let value = f.evaluate(theta, gradient);
  const magnitude = magnitudeOf(f, value);
  const first = Math.sqrt(dot(gradient, gradient));
  let iterations = 0;
  let converged = maxAbs(gradient) === 0;
  while (!converged && iterations < maxIter) {
    const norm = Math.sqrt(dot(gradient, gradient));
    const direction = conjugateGradients(f, gradient, Math.min(0.5, Math.sqrt(norm / first)) * norm);
    const descent = dot(gradient, direction);
    const next = new Float64Array(f.size);
    const nextGradient = new Float64Array(f.size);
    const taken = yield* backtrack(f, theta, direction, value, descent, 1, next, nextGradient);
    if (taken === null) break;
    iterations++;
    const decrease = value - taken.value;
    theta = next;
    gradient = nextGradient;
    value = taken.value;
    const target = targetGap(magnitude, value, tol);
    const gradientNorm = maxAbs(gradient);
    converged = gradientNorm === 0 || (-0.5 * descent <= target && decrease <= target);
    yield { theta, iteration: iterations, total: maxIter, objective: value, gradientNorm };
  }
  return { theta, iterations, converged, objective: value, gradientNorm: maxAbs(gradient), gradient };
}

/** An approximate solution p of ∇²f p = −∇f with a residual of at most `tolerance`, and a descent direction in any case. */
function conjugateGradients(
  f: Required<Pick<SmoothFunction, "hessianVectorInto">>,
  gradient: Float64Array,
  tolerance: number,
): Float64Array {
  const size = gradient.length;
  const p = new Float64Array(size);
  const residual = gradient.slice();
  const d = gradient.map((g) => -g);
  const product = new Float64Array(size);
  let square = dot(residual, residual);
  // Exact arithmetic needs at most `size` steps; rounding may require a few more.
  for (let k = 0; k < 2 * size; k++) {
    f.hessianVectorInto(d, product);
    const curvature = dot(d, product);
    if (!(curvature > 0)) return k === 0 ? d : p;
    const alpha = square / curvature;
    for (let e = 0; e < size; e++) {
      p[e]! += alpha * d[e]!;
      residual[e]! += alpha * product[e]!;
    }
    const next = dot(residual, residual);
    if (Math.sqrt(next) <= tolerance) break;
    for (let e = 0; e < size; e++) d[e] = (next / square) * d[e]! - residual[e]!;
    square = next;
  }
  return p;
}
