import { exp, log } from "../core/elementary.js";

/** Coefficients of Lanczos' approximation of the gamma function with g = 7: relative errors below 1e-15. */
const lanczos = [
  0.9999999999998099, 676.5203681218851, -1259.1392167224028, 771.3234287776531, -176.6150291621406,
  12.507343278686905, -0.13857109526572012, 9.984369578019572e-6, 1.5056327351493116e-7,
];

/** log Γ(x) for x ≥ ½. */
function logGamma(x: number): number {
  const z = x - 1;
  let sum = lanczos[0]!;
  for (let k = 1; k < lanczos.length; k++) sum += lanczos[k]! / (z + k);
  const t = z + 7.5;
  return 0.5 * log(2 * Math.PI) + (z + 0.5) * log(t) - t + log(sum);
}

/** The regularised incomplete beta function Iₓ(a, b) by Lentz's continued fraction [Numerical Recipes, 6.4]. */
function incompleteBeta(a: number, b: number, x: number): number {
  if (x <= 0 || x >= 1) return x <= 0 ? 0 : 1;
  // The fraction converges quickly below this; above it, Iₓ(a, b) = 1 − I₁₋ₓ(b, a).
  if (x > (a + 1) / (a + b + 2)) return 1 - incompleteBeta(b, a, 1 - x);
  const front = exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * log(x) + b * log(1 - x)) / a;
  const tiny = 1e-300;
  const away = (v: number) => (Math.abs(v) < tiny ? tiny : v);
  let c = 1;
  let d = 1 / away(1 - ((a + b) * x) / (a + 1));
  let f = d;
  for (let m = 1; m < 10_000; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / away(1 + even * d);
    c = away(1 + even / c);
    f *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / away(1 + odd * d);
    c = away(1 + odd / c);
    f *= d * c;
    if (Math.abs(d * c - 1) < 2 ** -52) break;
  }
  return front * f;
}

/** P(|T| ≥ |t|) of Student's distribution. */
export const twoSided = (t: number, degreesOfFreedom: number): number =>
  incompleteBeta(degreesOfFreedom / 2, 0.5, degreesOfFreedom / (degreesOfFreedom + t * t));

/** The t with P(|T| ≥ t) = p, by bisection to the last digits. */
export function criticalT(p: number, degreesOfFreedom: number): number {
  let [low, high] = [0, 1];
  while (twoSided(high, degreesOfFreedom) > p) high *= 2;
  for (let step = 0; step < 200 && low < high; step++) {
    const middle = (low + high) / 2;
    if (middle === low || middle === high) break;
    if (twoSided(middle, degreesOfFreedom) > p) low = middle;
    else high = middle;
  }
  return high;
}
