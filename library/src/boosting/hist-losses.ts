import { DataError, show } from "../core/errors.js";
import { exp, log } from "../core/numbers/elementary.js";
import type { BoostingLoss } from "../numeric/boosting/gradient-boosting.js";

export type RegressionLoss = Exclude<BoostingLoss, "logLoss">;
export const regressionLosses = ["squaredError", "absoluteError", "poisson", "gamma", "quantile"] as const;

/** Throws for targets outside the domain of the loss. */
export function checkTargets(
  where: string,
  loss: RegressionLoss,
  y: Float64Array,
  nameOf = (i: number) => `y[${i}]`,
): void {
  if (loss !== "poisson" && loss !== "gamma") return;
  const bound = loss === "poisson" ? "≥ 0" : "> 0";
  const wrong = y.findIndex((value) => (loss === "poisson" ? value < 0 : value <= 0));
  const subject = nameOf(wrong);
  if (wrong >= 0) throw new DataError(where, subject, `${bound} with the ${loss} loss`, show(y[wrong]));
  if (y.some((value) => value > 0)) return;
  const expected = "not 0 everywhere with the poisson loss";
  throw new DataError(where, "y", expected, "all zeros");
}

/** The constant raw prediction of least loss. */
export function baselineScore(
  loss: RegressionLoss,
  y: Float64Array,
  weights: Float64Array | undefined,
  quantile: number,
): number {
  if (loss === "absoluteError") return quantileOf(y, weights ?? null, 0.5);
  if (loss === "quantile") return quantileOf(y, weights ?? null, quantile);
  return baselineOfMean(loss, meanOf(y, weights));
}

/** The same for losses whose constant is a function of the mean. */
export const baselineOfMean = (loss: RegressionLoss, mean: number): number =>
  loss === "squaredError" ? mean : log(mean);

/** The weighted mean, summed around the first value so that the mean of equal values is exact. */
export function meanOf(y: Float64Array, weights: Float64Array | undefined): number {
  const first = y[0]!;
  let sum = 0;
  let total = 0;
  for (let i = 0; i < y.length; i++) {
    const w = weights ? weights[i]! : 1;
    sum += w * (y[i]! - first);
    total += w;
  }
  return first + sum / total;
}

/**
 * The quantile q: interpolated between two values without weights; with weights, the first value whose cumulative weight reaches q of
 * the total. Parity: numpy.percentile and scikit-learn's _weighted_percentile.
 */
export function quantileOf(values: Float64Array, weights: Float64Array | null, q: number): number {
  if (weights === null) {
    const sorted = values.slice().sort();
    const place = q * (sorted.length - 1);
    const below = sorted[Math.floor(place)]!;
    return below + (sorted[Math.ceil(place)]! - below) * (place - Math.floor(place));
  }
  const order = Int32Array.from(values.keys()).sort((a, b) => values[a]! - values[b]!);
  let total = 0;
  for (const i of order) total += weights[i]!;
  let sum = 0;
  for (const i of order) {
    sum += weights[i]!;
    if (sum >= q * total) return values[i]!;
  }
  return values[order.at(-1)!]!;
}

/** From raw predictions to predictions of y. */
export function invertLink(loss: RegressionLoss, z: Float64Array): Float64Array {
  return loss === "poisson" || loss === "gamma" ? z.map(exp) : z;
}

/** The constant raw scores of least log loss: the log-odds of the second of two classes, or the centred log proportions of K. */
export function logClassProportions(
  codes: Float64Array,
  weights: Float64Array | undefined,
  K: number,
): Float64Array {
  const sums = new Float64Array(K);
  for (let i = 0; i < codes.length; i++) sums[codes[i]!]! += weights ? weights[i]! : 1;
  return logProportions(sums);
}

/** The same from the total weight of each class. */
export function logProportions(sums: Float64Array): Float64Array {
  const K = sums.length;
  if (K === 2) return Float64Array.of(log(sums[1]! / sums[0]!));
  const total = sums.reduce((sum, s) => sum + s, 0);
  // A class whose rows are all held out has proportion 0 and still needs a finite logarithm.
  const logs = sums.map((s) => log(Math.max(s / total, Number.EPSILON)));
  const mean = logs.reduce((sum, v) => sum + v, 0) / K;
  return logs.map((v) => v - mean);
}

export const isRegressionLoss = (value: unknown): value is RegressionLoss =>
  (regressionLosses as readonly unknown[]).includes(value);
