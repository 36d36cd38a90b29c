import { DataError, show } from "../../core/errors.js";
import { log1p } from "../../core/numbers/elementary.js";
import type { MetricOptions } from "../inputs.js";
import { weightedMedian } from "../weighted-quantiles.js";
import { averaged, mean, type Pairs, type Targets } from "./regression-inputs.js";

/**
 * Median of |y − ŷ|: a few large errors do not matter.
 * Parity: with weights scikit-learn takes the lower of two middle errors, here it is their mean, as it is without weights.
 */
export function medianAbsoluteError(yTrue: Targets, yPred: Targets, options: MetricOptions = {}): number {
  const score = ({ residual, weights }: Pairs) => weightedMedian(residual.map(Math.abs), weights);
  return averaged("medianAbsoluteError", yTrue, yPred, options, score);
}

/** Where y is 0, scikit-learn divides by this. */
const EPSILON = 2 ** -52;

/** Σ w |y − ŷ| / max(|y|, 2.2e-16) / Σ w: 0.1 is ten percent. Huge where some y is 0. */
export function meanAbsolutePercentageError(
  yTrue: Targets,
  yPred: Targets,
  options: MetricOptions = {},
): number {
  const score = (pairs: Pairs) =>
    mean(pairs, (r, i) => Math.abs(r) / Math.max(Math.abs(pairs.truth[i]!), EPSILON));
  return averaged("meanAbsolutePercentageError", yTrue, yPred, options, score);
}

function squaredLog(pairs: Pairs): number {
  const { truth, predicted } = pairs;
  requireNotNegative("yTrue", truth, pairs);
  requireNotNegative("yPred", predicted, pairs);
  return mean(pairs, (_, i) => (log1p(truth[i]!) - log1p(predicted[i]!)) ** 2);
}

/** Σ w (log(1 + y) − log(1 + ŷ))² / Σ w, of numbers ≥ 0 that grow by factors. */
export function meanSquaredLogError(yTrue: Targets, yPred: Targets, options: MetricOptions = {}): number {
  return averaged("meanSquaredLogError", yTrue, yPred, options, squaredLog);
}

/** Square root of the mean squared log error; of several targets, the mean of the roots. */
export function rootMeanSquaredLogError(yTrue: Targets, yPred: Targets, options: MetricOptions = {}): number {
  const rootLog = (pairs: Pairs) => Math.sqrt(squaredLog(pairs));
  return averaged("rootMeanSquaredLogError", yTrue, yPred, options, rootLog);
}

/** The largest |y − ŷ|; entries of weight 0 are left out. */
export function maxError(yTrue: Targets, yPred: Targets, options: MetricOptions = {}): number {
  const score = ({ residual, weights }: Pairs) =>
    residual.reduce((most, r, i) => (weights[i]! > 0 ? Math.max(most, Math.abs(r)) : most), 0);
  return averaged("maxError", yTrue, yPred, options, score);
}

function requireNotNegative(subject: string, y: Float64Array, { where, place }: Pairs): void {
  const i = y.findIndex((value) => value < 0);
  if (i < 0) return;
  throw new DataError(where, `${subject}[${place(i)}]`, "a number ≥ 0", show(y[i]));
}
