import type { MetricOptions } from "../inputs.js";
import type { Pairs, Targets } from "./regression-inputs.js";
import { averaged, isConstant, mean, requireSpread, sumOfSquares } from "./regression-inputs.js";

export type { Targets } from "./regression-inputs.js";

const squaredMean = (pairs: Pairs): number => mean(pairs, (r) => r * r);

/** Σ w (y − ŷ)² / Σ w. */
export function meanSquaredError(yTrue: Targets, yPred: Targets, options: MetricOptions = {}): number {
  return averaged("meanSquaredError", yTrue, yPred, options, squaredMean);
}

/** Square root of the mean squared error, in the units of y; of several targets, the mean of the roots. */
export function rootMeanSquaredError(yTrue: Targets, yPred: Targets, options: MetricOptions = {}): number {
  const rootMean = (pairs: Pairs) => Math.sqrt(squaredMean(pairs));
  return averaged("rootMeanSquaredError", yTrue, yPred, options, rootMean);
}

/** Σ w |y − ŷ| / Σ w. */
export function meanAbsoluteError(yTrue: Targets, yPred: Targets, options: MetricOptions = {}): number {
  return averaged("meanAbsoluteError", yTrue, yPred, options, (pairs) => mean(pairs, Math.abs));
}

/**
 * R² = 1 − Σ w (y − ŷ)² / Σ w (y − ȳ)²: 1 is perfect, 0 is as good as the mean.
 * For a constant y, exact predictions score 1 and all others 0 (scikit-learn's `force_finite`).
 */
export function r2Score(yTrue: Targets, yPred: Targets, options: MetricOptions = {}): number {
  return averaged("r2Score", yTrue, yPred, options, (pairs) => {
    requireSpread("R²", pairs);
    return explained(pairs, pairs.residual);
  });
}

/**
 * Explained variance: 1 − Var(y − ŷ) / Var(y). Unlike R², a constant error costs nothing. For a constant y as R².
 */
export function explainedVarianceScore(yTrue: Targets, yPred: Targets, options: MetricOptions = {}): number {
  return averaged("explainedVarianceScore", yTrue, yPred, options, (pairs) => {
    const { residual, weights, total } = pairs;
    return explained(pairs, centred(residual, weights, total));
  });
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
