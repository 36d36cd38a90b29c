import { exp, expm1, log, log1p } from "../../core/numbers/elementary.js";
import { minimiseOnInterval } from "../../minimisers/brent.js";

export type PowerMethod = "yeoJohnson" | "boxCox";

/**
 * A family of powers z(x; λ), and the same powers about a centre c: z of x divided by its typical size, which differs from z by a positive
 * factor and a constant only. Standardised values are therefore the same, but z itself loses the differences between rows when the spread
 * of a column is small beside its mean: 2020^−300 is 0 in doubles. Centre 0 means z itself.
 */
export interface PowerFunction {
  /** The centre of a column: the mean of log t, where the whole column has powers of one t. */
  center(column: Float64Array): number;
  value(x: number, lambda: number, center: number): number;
  inverse(z: number, lambda: number, center: number): number;
  /** λ of the largest likelihood under a normal distribution. */
  likeliest(column: Float64Array): number;
}

/** (tᵖ − 1) / p of t = exp(s), and its limit s at p = 0. */
const power = (s: number, p: number): number => (p === 0 ? s : expm1(p * s) / p);
/** The s of a `power`; NaN where there is none. */
const root = (z: number, p: number): number => (p === 0 ? z : log1p(p * z) / p);

const boxCox: PowerFunction = {
  center: (column) => mean(column.map(log)),
  value: (x, lambda, center) => power(log(x) - center, lambda),
  inverse: (z, lambda, center) => exp(root(z, lambda) + center),
  likeliest: (column) => likeliestExponent(column.map(log)),
};

/** z of x ≥ 0 is the power λ of t = 1 + x; z of x < 0 is minus the power 2 − λ of t = 1 − x. */
const yeoJohnson: PowerFunction = {
  /** Positive for columns of numbers ≥ 0, negative for columns of numbers ≤ 0, and 0 for both signs, where z is exact near 0. */
  center: (column) => {
    const sign = signOf(column);
    return sign === 0 ? 0 : sign * mean(column.map((x) => log1p(sign * x)));
  },
  value: (x, lambda, center) => {
    const side = x >= 0 ? 1 : -1;
    const z = (about: number) => side * power(log1p(side * x) - about, side > 0 ? lambda : 2 - lambda);
    if (center === 0) return z(0);
    const sign = Math.sign(center);
    if (side === sign || x === 0) return sideValue(x, sign, lambda, center);
    // Beyond 0 the other power begins: z in the units of the centre.
    const p = sign > 0 ? lambda : 2 - lambda;
    return (z(0) - sign * power(Math.abs(center), p)) * exp(-p * Math.abs(center));
  },
  inverse: (z, lambda, center) => {
    const sign = center === 0 ? Math.sign(z) || 1 : Math.sign(center);
    const p = sign > 0 ? lambda : 2 - lambda;
    const m = Math.abs(center);
    if (sign * z >= power(-m, p)) return sign * expm1(root(sign * z, p) + m);
    const plain = z * exp(p * m) + sign * power(m, p);
    return -sign * expm1(root(-sign * plain, 2 - p));
  },
  likeliest: (column) => {
    const sign = signOf(column);
    if (sign === 0) return likeliestOfBothSigns(column);
    const p = likeliestExponent(column.map((x) => log1p(sign * x)));
    return sign > 0 ? p : 2 - p;
  },
};

export const powerFunctions: Readonly<Record<PowerMethod, PowerFunction>> = { yeoJohnson, boxCox };

function sideValue(x: number, sign: number, lambda: number, center: number): number {
  return sign * power(log1p(sign * x) - Math.abs(center), sign > 0 ? lambda : 2 - lambda);
}

/** 1 or −1 if no entry has the other sign, otherwise 0. */
function signOf(column: Float64Array): number {
  if (column.every((x) => x >= 0)) return 1;
  return column.every((x) => x <= 0) ? -1 : 0;
}

/** Powers are searched in 1 ± this at first, then in wider intervals. */
const USUAL = 5;

/**
 * The exponent p for which tᵖ is likeliest to be normal, given s = log t:
 *
 *   maximise over p:   −n/2 log Var((tᵖ − 1)/p) + (p − 1) Σ s   =   −n/2 log Var(expm1(p u)/p) − Σ s,      u = s − mean s
 *
 * The form on the right has no large terms that cancel. 1 for a constant column, of which every power is constant.
 */
function likeliestExponent(s: Float64Array): number {
  const middle = mean(s);
  const u = s.map((value) => value - middle);
  const spread = Math.sqrt(momentsOf(u).variance);
  if (spread === 0) return 1;
  const [low, high] = [u.reduce((a, b) => Math.min(a, b)), u.reduce((a, b) => Math.max(a, b))];
  const cost = (p: number) => {
    // In units of the largest power, which may not fit a double.
    const top = Math.max(0, p * low, p * high);
    const rest = exp(-top);
    const scaled = u.map((value) =>
      p === 0 ? value : top < 1 ? expm1(p * value) / p : (exp(p * value - top) - rest) / p,
    );
    return log(momentsOf(scaled).variance) + (top < 1 ? 0 : 2 * top);
  };
  // Exponents beyond 1000 deviations of u leave one row only.
  return leastCost(cost, Math.max(1000, 1000 / spread));
}

/**
 * The same where t = 1 + x of some rows and 1 − x of others:
 *
 *   maximise over λ:   −n/2 log Var(z(λ)) + (λ − 1) Σ sign(x) log(1 + |x|)
 *
 * NaN if no power has a variance that fits a double.
 */
function likeliestOfBothSigns(column: Float64Array): number {
  const slopes = column.reduce((sum, x) => sum + Math.sign(x) * log1p(Math.abs(x)), 0);
  const cost = (lambda: number) => {
    const { variance } = momentsOf(column.map((x) => yeoJohnson.value(x, lambda, 0)));
    // Overflow has eaten the differences between rows.
    if (!(variance > 0 && variance < Infinity)) return Infinity;
    return (column.length / 2) * log(variance) - (lambda - 1) * slopes;
  };
  return leastCost(cost, 1000);
}

/** The minimum near 1, searched in intervals that grow as long as it lies at their border. */
function leastCost(cost: (lambda: number) => number, most: number): number {
  for (let reach = USUAL; ; reach *= 4) {
    const { x, value } = minimiseOnInterval(cost, 1 - reach, 1 + reach);
    if (Math.abs(x - 1) < 0.99 * reach || reach > most) return Number.isFinite(value) ? x : Number.NaN;
  }
}

const mean = (list: Float64Array): number => momentsOf(list).mean;

export function momentsOf(list: Float64Array): { readonly mean: number; readonly variance: number } {
  const n = list.length;
  const mean = list.reduce((sum, value) => sum + value / n, 0);
  const variance = list.reduce((sum, value) => sum + ((value - mean) * (value - mean)) / n, 0);
  return { mean, variance };
}
