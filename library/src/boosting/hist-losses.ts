import { exp, log } from "../core/elementary.js";
import { DataError, show } from "../core/errors.js";
import type { BoostingLoss } from "../numeric/boosting/gradient-boosting.js";

export type RegressionLoss = Exclude<BoostingLoss, "logLoss">;
export const regressionLosses = ["squaredError", "absoluteError", "poisson", "gamma", "quantile"] as const;

/** Targets that the loss has a meaning for. */
export function checkTargets(where: string, loss: RegressionLoss, y: Float64Array): void {
  if (loss !== "poisson" && loss !== "gamma") return;
  const least = loss === "poisson" ? "≥ 0" : "> 0";
  const wrong = y.findIndex((value) => (loss === "poisson" ? value < 0 : value <= 0));
  if (wrong >= 0) {
    throw new DataError({
      where,
      subject: `y[${wrong}]`,
      expected: `${least} with the ${loss} loss`,
      received: show(y[wrong]),
    });
  }
  if (y.some((value) => value > 0)) return;
  throw new DataError({
    where,
    subject: "y",
    expected: "positive somewhere with the poisson loss",
    received: "all zeros",
  });
}

/** The one raw prediction that has the least loss on all rows. */
export function baselineScore(
  loss: RegressionLoss,
  y: Float64Array,
  weights: Float64Array | undefined,
  quantile: number,
): number {
  if (loss === "absoluteError") return quantileOf(y, weights ?? null, 0.5);
  if (loss === "quantile") return quantileOf(y, weights ?? null, quantile);
  const mean = meanOf(y, weights);
  return loss === "squaredError" ? mean : log(mean);
}

/** Around the first value, so that rows that are all equal have exactly that mean. */
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
 * The value below which a share q of the weight lies: between two values it is interpolated without weights; with them it is the first that
 * has the share. Parity: numpy.percentile and scikit-learn's _weighted_percentile.
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

/** From raw predictions to those of y. */
export function invertLink(loss: RegressionLoss, z: Float64Array): Float64Array {
  return loss === "poisson" || loss === "gamma" ? z.map(exp) : z;
}
