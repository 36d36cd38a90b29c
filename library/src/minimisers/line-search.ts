import { answered, type SmoothFunction } from "./smooth-function.js";

/** Where a line search ended: f at θ + t·p, and t. */
export interface LineStep {
  readonly value: number;
  readonly step: number;
}

/** Sufficient decrease [Nocedal & Wright, eq. 3.4]; their recommended constant. */
const ARMIJO = 1e-4;
/** Differences of f below this, relative to f, are rounding noise. */
const NOISE = 1e-13;

type Search = [
  theta: Float64Array,
  direction: Float64Array,
  value: number,
  descent: number,
  first: number,
  thetaOut: Float64Array,
  gradientOut: Float64Array,
];

/**
 * Backtracks from `first` along p until f decreases sufficiently; trial steps minimise the parabola through the known values.
 * `descent` is ∇f·p. Writes the new point and its gradient; returns null if no step decreases f (p is not a descent direction, or f
 * has reached its rounding floor).
 */
export function backtrack(
  f: Pick<SmoothFunction, "evaluate" | "noise">,
  ...rest: Search
): Generator<never, LineStep | null, unknown>;
export function backtrack<A>(
  f: Pick<SmoothFunction<A>, "evaluate" | "noise">,
  ...rest: Search
): Generator<A, LineStep | null, unknown>;
export function* backtrack<A>(
  f: Pick<SmoothFunction<A>, "evaluate" | "noise">,
  ...[theta, direction, value, descent, first, thetaOut, gradientOut]: Search
): Generator<A, LineStep | null, unknown> {
  const { noise = NOISE } = f;
  let step = first;
  for (let tries = 0; tries < 40; tries++) {
    for (let e = 0; e < theta.length; e++) thetaOut[e] = theta[e]! + step * direction[e]!;
    const next = yield* answered(f.evaluate(thetaOut, gradientOut));
    if (next <= value + ARMIJO * step * descent) return { value: next, step };
    const rounding = noise * Math.abs(value);
    if (Math.abs(next - value) <= rounding && -descent * step <= noise * 10 * Math.abs(value))
      return { value: next, step };
    const parabola = Number.isFinite(next)
      ? (-descent * step * step) / (2 * (next - value - descent * step))
      : 0;
    step = Math.min(0.5 * step, Math.max(0.1 * step, parabola));
  }
  return null;
}
