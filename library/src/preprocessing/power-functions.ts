import { exp, expm1, log, log1p } from "../core/elementary.js";
import { minimiseOnInterval } from "../minimisers/brent.js";

export type PowerMethod = "yeoJohnson" | "boxCox";

/** A power of λ: its value, its inverse, and the logarithm of its derivative divided by λ − 1. */
export interface PowerFunction {
  value(x: number, lambda: number): number;
  inverse(z: number, lambda: number): number;
  /** log |dz/dx| = (λ − 1) · this. */
  logSlope(x: number): number;
}

/** (tᵖ − 1) / p of t = 1 + x, and its limit log t at p = 0. */
const power = (x: number, p: number): number => (p === 0 ? log1p(x) : expm1(p * log1p(x)) / p);
/** The x of a `power`; NaN where no x has it. */
const root = (z: number, p: number): number => (p === 0 ? expm1(z) : expm1(log1p(p * z) / p));

export const powerFunctions: Readonly<Record<PowerMethod, PowerFunction>> = {
  yeoJohnson: {
    value: (x, lambda) => (x >= 0 ? power(x, lambda) : -power(-x, 2 - lambda)),
    inverse: (z, lambda) => (z >= 0 ? root(z, lambda) : -root(-z, 2 - lambda)),
    logSlope: (x) => (x >= 0 ? log1p(x) : -log1p(-x)),
  },
  boxCox: {
    value: (x, lambda) => (lambda === 0 ? log(x) : expm1(lambda * log(x)) / lambda),
    inverse: (z, lambda) => (lambda === 0 ? exp(z) : exp(log1p(lambda * z) / lambda)),
    logSlope: (x) => log(x),
  },
};

/** Where powers are searched at first; data in practice have theirs within. */
const USUAL = 5;

/**
 * The λ of largest likelihood of a normal column:
 *
 *   maximise over λ:   −n/2 log Var(z(λ)) + (λ − 1) Σ logSlope(x)
 *
 * 1 for a constant column, of which every power is constant; NaN if no power has a variance that fits a double.
 */
export function likeliestPower({ value, logSlope }: PowerFunction, column: Float64Array): number {
  if (column.every((x) => x === column[0])) return 1;
  let slopes = 0;
  for (const x of column) slopes += logSlope(x);
  const cost = (lambda: number) => {
    const { variance } = momentsOf(column.map((x) => value(x, lambda)));
    // Rounding or overflow has eaten the differences between rows.
    if (!(variance > 0 && variance < Infinity)) return Infinity;
    return (column.length / 2) * log(variance) - (lambda - 1) * slopes;
  };
  for (let reach = USUAL; ; reach *= 4) {
    const { x, value: least } = minimiseOnInterval(cost, 1 - reach, 1 + reach);
    // A minimum at the border lies beyond it, if powers of that size can be told apart at all.
    if (Math.abs(x - 1) < 0.99 * reach || reach > 1000) return Number.isFinite(least) ? x : Number.NaN;
  }
}

export function momentsOf(list: Float64Array): { readonly mean: number; readonly variance: number } {
  const n = list.length;
  const mean = list.reduce((sum, value) => sum + value / n, 0);
  const variance = list.reduce((sum, value) => sum + ((value - mean) * (value - mean)) / n, 0);
  return { mean, variance };
}
