import type { NumberArray } from "../../core/labels.js";
import type { MetricOptions } from "../inputs.js";
import type { Pairs, Score, Targets } from "./regression-inputs.js";
import { averaged, isConstant, mean, readPairs, requireSpread, sumOfSquares } from "./regression-inputs.js";

export type { Targets } from "./regression-inputs.js";

const squaredMean = (where: string) => (yTrue: NumberArray, yPred: NumberArray, options: MetricOptions) =>
  mean(readPairs(where, yTrue, yPred, options), (r) => r * r);

/** Σ w (y − ŷ)² / Σ w. */
export function meanSquaredError(yTrue: Targets, yPred: Targets, options: MetricOptions = {}): number {
  const where = "meanSquaredError";
  return averaged(where, squaredMean(where), yTrue, yPred, options);
}

/** Square root of the mean squared error, in the units of y; of several targets, the mean of the roots. */
export function rootMeanSquaredError(yTrue: Targets, yPred: Targets, options: MetricOptions = {}): number {
  const where = "rootMeanSquaredError";
  const squared = squaredMean(where);
  return averaged(where, (t, p, o) => Math.sqrt(squared(t, p, o)), yTrue, yPred, options);
}

/** Σ w |y − ŷ| / Σ w. */
export function meanAbsoluteError(yTrue: Targets, yPred: Targets, options: MetricOptions = {}): number {
  const where = "meanAbsoluteError";
  const score: Score = (t, p, o) => mean(readPairs(where, t, p, o), Math.abs);
  return averaged(where, score, yTrue, yPred, options);
}

/**
 * R² = 1 − Σ w (y − ŷ)² / Σ w (y − ȳ)²: 1 is perfect, 0 is as good as the mean.
 * For a constant y, exact predictions score 1 and all others 0 (scikit-learn's `force_finite`).
 */
export function r2Score(yTrue: Targets, yPred: Targets, options: MetricOptions = {}): number {
  return averaged("r2Score", r2OfOne, yTrue, yPred, options);
}

function r2OfOne(yTrue: NumberArray, yPred: NumberArray, options: MetricOptions): number {
  const where = "r2Score";
  const pairs = readPairs(where, yTrue, yPred, options);
  requireSpread(where, "R²", pairs);
  return explained(pairs, pairs.residual);
}

/**
 * Explained variance: 1 − Var(y − ŷ) / Var(y). Unlike R², a constant error costs nothing. For a constant y as R².
 */
export function explainedVarianceScore(yTrue: Targets, yPred: Targets, options: MetricOptions = {}): number {
  const where = "explainedVarianceScore";
  const score: Score = (t, p, o) => {
    const pairs = readPairs(where, t, p, o);
    const { residual, weights, total } = pairs;
    return explained(pairs, centred(residual, weights, total));
  };
  return averaged(where, score, yTrue, yPred, options);
}

/** 1 − Σ w unexplained² / Σ w (y − ȳ)². */
function explained({ truth, weights, total }: Pairs, unexplained: Float64Array): number {
  const rest = sumOfSquares(unexplained, weights);
  const spread = sumOfSquares(centred(truth, weights, total), weights);
  if (isConstant(truth, weights) || spread.sum === 0) return rest.sum === 0 ? 1 : 0;
  const ratio = rest.unit / spread.unit;
  return 1 - ratio * ratio * (rest.sum / spread.sum);
}

/** Less their mean, twice: the mean of numbers far from 0 is rounded to more than numbers that are nearly equal differ by. */
function centred(values: Float64Array, weights: Float64Array, total: number): Float64Array {
  const once = values.map(minus(weightedMean(values, weights, total)));
  return once.map(minus(weightedMean(once, weights, total)));
}

const minus = (centre: number) => (value: number) => value - centre;

const weightedMean = (values: Float64Array, weights: Float64Array, total: number): number =>
  values.reduce((sum, v, i) => sum + (weights[i]! / total) * v, 0);
