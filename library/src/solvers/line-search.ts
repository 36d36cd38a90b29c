/** Where a line search ended: J at θ + t·p, written to `theta` and `gradient`. */
export interface LineStep {
  readonly value: number;
  readonly step: number;
}

/** Sufficient decrease [Nocedal & Wright, eq. 3.4]; their recommended constant. */
const ARMIJO = 1e-4;
/** Differences of J below this, relative to J, are rounding noise. */
const NOISE = 1e-13;

/**
 * Backtracks from `first` along p until J falls enough; steps in between come from the parabola through what is known.
 * Writes the new point and its gradient; returns null when no step helps (p is no descent direction, or J is at its
 * rounding floor).
 */
export function backtrack(
  evaluate: (theta: Float64Array, gradientOut: Float64Array) => number,
  theta: Float64Array,
  direction: Float64Array,
  value: number,
  slope: number,
  first: number,
  thetaOut: Float64Array,
  gradientOut: Float64Array,
): LineStep | null {
  let step = first;
  for (let tries = 0; tries < 40; tries++) {
    for (let e = 0; e < theta.length; e++) thetaOut[e] = theta[e]! + step * direction[e]!;
    const next = evaluate(thetaOut, gradientOut);
    if (next <= value + ARMIJO * step * slope) return { value: next, step };
    if (Math.abs(next - value) <= NOISE * Math.abs(value) && -slope * step <= NOISE * 10 * Math.abs(value)) {
      return { value: next, step };
    }
    const parabola = Number.isFinite(next) ? (-slope * step * step) / (2 * (next - value - slope * step)) : 0;
    step = Math.min(0.5 * step, Math.max(0.1 * step, parabola));
  }
  return null;
}
