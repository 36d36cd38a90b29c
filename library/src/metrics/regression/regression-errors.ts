import { DataError, show } from "../../core/errors.js";
import { log1p } from "../../core/numbers/elementary.js";
import type { MetricOptions } from "../inputs.js";
import { weightedMedian } from "../weighted-quantiles.js";
import { averaged, mean, type Pairs, readPairs, type Score, type Targets } from "./regression-inputs.js";

/**
 * Median of |y − ŷ|: a few large errors do not matter.
 * Parity: with weights scikit-learn takes the lower of two middle errors, here it is their mean, as it is without weights.
 */
export function medianAbsoluteError(yTrue: Targets, yPred: Targets, options: MetricOptions = {}): number {
  const where = "medianAbsoluteError";
  const score: Score = (t, p, o) => {
    const { residual, weights } = readPairs(where, t, p, o);
    return weightedMedian(residual.map(Math.abs), weights);
  };
  return averaged(where, score, yTrue, yPred, options);
}

/** Where y is 0, scikit-learn divides by this. */
const EPSILON = 2 ** -52;

/** Σ w |y − ŷ| / max(|y|, 2.2e-16) / Σ w: 0.1 is ten percent. Huge where some y is 0. */
export function meanAbsolutePercentageError(
  yTrue: Targets,
  yPred: Targets,
  options: MetricOptions = {},
): number {
  const where = "meanAbsolutePercentageError";
  const score: Score = (t, p, o) => {
    const pairs = readPairs(where, t, p, o);
    const { truth } = pairs;
    return mean(pairs, (r, i) => Math.abs(r) / Math.max(Math.abs(truth[i]!), EPSILON));
  };
  return averaged(where, score, yTrue, yPred, options);
}

const squaredLog =
  (where: string): Score =>
  (t, p, o) => {
    const pairs = readPairs(where, t, p, o);
    const { truth, predicted } = pairs;
    requireNotNegative(where, "yTrue", truth, pairs);
    requireNotNegative(where, "yPred", predicted, pairs);
    return mean(pairs, (_, i) => (log1p(truth[i]!) - log1p(predicted[i]!)) ** 2);
  };

/** Σ w (log(1 + y) − log(1 + ŷ))² / Σ w, of numbers ≥ 0 that grow by factors. */
export function meanSquaredLogError(yTrue: Targets, yPred: Targets, options: MetricOptions = {}): number {
  const where = "meanSquaredLogError";
  return averaged(where, squaredLog(where), yTrue, yPred, options);
}

/** Square root of the mean squared log error; of several targets, the mean of the roots. */
export function rootMeanSquaredLogError(yTrue: Targets, yPred: Targets, options: MetricOptions = {}): number {
  const where = "rootMeanSquaredLogError";
  const squared = squaredLog(where);
  return averaged(where, (t, p, o) => Math.sqrt(squared(t, p, o)), yTrue, yPred, options);
}

/** The largest |y − ŷ|; entries of weight 0 are left out. */
export function maxError(yTrue: Targets, yPred: Targets, options: MetricOptions = {}): number {
  const where = "maxError";
  const score: Score = (t, p, o) => {
    const { residual, weights } = readPairs(where, t, p, o);
    return residual.reduce((most, r, i) => (weights[i]! > 0 ? Math.max(most, Math.abs(r)) : most), 0);
  };
  return averaged(where, score, yTrue, yPred, options);
}

function requireNotNegative(where: string, subject: string, y: Float64Array, { place }: Pairs): void {
  const i = y.findIndex((value) => value < 0);
  if (i < 0) return;
  throw new DataError(where, `${subject}[${place(i)}]`, "a number ≥ 0", show(y[i]));
}
