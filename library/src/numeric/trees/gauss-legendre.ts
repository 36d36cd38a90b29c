import { cos } from "../../core/numbers/elementary.js";

/** Points in (0, 1) and their weights. */
export interface Quadrature {
  readonly points: Float64Array;
  readonly weights: Float64Array;
}

/** Newton's method doubles the digits of a first guess that has three: five steps are two more than needed. */
const NEWTON_STEPS = 5;

/**
 * Gauss–Legendre quadrature on [0, 1]: ∫ p = Σ w p(t), exact for polynomials p of degree 2n − 1 or less. The points are the zeros of the
 * Legendre polynomial Pₙ, found by Newton's method from cos(π(i + ¾)/(n + ½)) [Abramowitz & Stegun 1964, 22.16.6].
 */
export function gaussLegendre(n: number): Quadrature {
  const points = new Float64Array(n);
  const weights = new Float64Array(n);
  for (let i = 0; i < n; i++) {
    let z = cos((Math.PI * (i + 0.75)) / (n + 0.5));
    let slope = 0;
    for (let step = 0; step < NEWTON_STEPS; step++) {
      const { value, derivative } = legendre(n, z);
      slope = derivative;
      z -= value / derivative;
    }
    points[i] = (1 - z) / 2;
    weights[i] = 1 / ((1 - z * z) * slope * slope);
  }
  return { points, weights };
}

/** Pₙ(z) and its derivative, by the three-term recurrence. */
function legendre(n: number, z: number): { value: number; derivative: number } {
  let before = 1;
  let value = z;
  for (let k = 2; k <= n; k++) [before, value] = [value, ((2 * k - 1) * z * value - (k - 1) * before) / k];
  return { value, derivative: (n * (z * value - before)) / (z * z - 1) };
}
