import { exp, log } from "./elementary.js";

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
export function incompleteBeta(a: number, b: number, x: number): number {
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

/** P(X ≥ f) of the F distribution with d₁ and d₂ degrees of freedom. */
export function fSurvival(f: number, d1: number, d2: number): number {
  if (Number.isNaN(f)) return Number.NaN;
  if (f <= 0) return 1;
  // Of a large f the quotient is 0 to all digits, and so is the tail.
  return f === Infinity ? 0 : incompleteBeta(d2 / 2, d1 / 2, d2 / (d2 + d1 * f));
}

/** P(X ≥ x) of the χ² distribution with k degrees of freedom: Q(k / 2, x / 2) [Numerical Recipes, 6.2]. */
export function chi2Survival(x: number, k: number): number {
  if (Number.isNaN(x)) return Number.NaN;
  if (x <= 0) return 1;
  if (x === Infinity) return 0;
  const [a, z] = [k / 2, x / 2];
  const front = exp(a * log(z) - z - logGamma(a));
  return z < a + 1 ? 1 - front * gammaSeries(a, z) : front * gammaFraction(a, z);
}

/** Σ zⁿ / (a (a + 1) … (a + n)), for z < a + 1. */
function gammaSeries(a: number, z: number): number {
  let term = 1 / a;
  let sum = term;
  for (let n = 1; n < 10_000 && term > sum * 2 ** -53; n++) {
    term *= z / (a + n);
    sum += term;
  }
  return sum;
}

/** The continued fraction 1 / (z + 1 − a − 1 (1 − a) / (z + 3 − a − …)) by Lentz's method, for z ≥ a + 1. */
function gammaFraction(a: number, z: number): number {
  const tiny = 1e-300;
  const away = (v: number) => (Math.abs(v) < tiny ? tiny : v);
  let b = z + 1 - a;
  let c = 1 / tiny;
  let d = 1 / away(b);
  let f = d;
  for (let n = 1; n < 10_000; n++) {
    const term = -n * (n - a);
    b += 2;
    d = 1 / away(term * d + b);
    c = away(b + term / c);
    f *= d * c;
    if (Math.abs(d * c - 1) < 2 ** -52) break;
  }
  return f;
}
