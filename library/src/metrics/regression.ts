import { listOf } from "../core/column-like.js";
import { DataError, show } from "../core/errors.js";
import type { NumberArray } from "../core/labels.js";
import { readOptions } from "../core/options.js";
import { checkLengths, type MetricOptions, metricOptions, weightsOf } from "./inputs.js";

interface Pairs {
  readonly truth: Float64Array;
  readonly residual: Float64Array;
  readonly weights: Float64Array;
  readonly total: number;
}

function readPairs(where: string, yTrue: NumberArray, yPred: NumberArray, options: MetricOptions): Pairs {
  const { sampleWeight } = readOptions(where, metricOptions, options);
  const length = checkLengths(where, yTrue, yPred);
  const weights = weightsOf(where, sampleWeight, length);
  const truth = finite(where, "yTrue", yTrue);
  const residual = finite(where, "yPred", yPred).map((prediction, i) => truth[i]! - prediction);
  return { truth, residual, weights, total: weights.reduce((sum, w) => sum + w, 0) };
}

function finite(where: string, subject: string, given: NumberArray): Float64Array {
  const y = listOf(given);
  const out = new Float64Array(y.length);
  for (let i = 0; i < out.length; i++) {
    const value: unknown = y[i];
    if (typeof value !== "number" || !Number.isFinite(value)) {
      throw new DataError({
        where,
        subject: `${subject}[${i}]`,
        expected: "a finite number",
        received: show(value),
      });
    }
    out[i] = value;
  }
  return out;
}

const mean = ({ residual, weights, total }: Pairs, of: (r: number) => number): number =>
  residual.reduce((sum, r, i) => sum + weights[i]! * of(r), 0) / total;

/** Σ w (y − ŷ)² / Σ w. */
export function meanSquaredError(
  yTrue: NumberArray,
  yPred: NumberArray,
  options: MetricOptions = {},
): number {
  return mean(readPairs("meanSquaredError", yTrue, yPred, options), (r) => r * r);
}

/** Square root of the mean squared error, in the units of y. */
export function rootMeanSquaredError(
  yTrue: NumberArray,
  yPred: NumberArray,
  options: MetricOptions = {},
): number {
  return Math.sqrt(mean(readPairs("rootMeanSquaredError", yTrue, yPred, options), (r) => r * r));
}

/** Σ w |y − ŷ| / Σ w. */
export function meanAbsoluteError(
  yTrue: NumberArray,
  yPred: NumberArray,
  options: MetricOptions = {},
): number {
  return mean(readPairs("meanAbsoluteError", yTrue, yPred, options), Math.abs);
}

/**
 * R² = 1 − Σ w (y − ŷ)² / Σ w (y − ȳ)²: 1 is perfect, 0 is as good as the mean.
 * For a constant y, exact predictions score 1 and all others 0 (scikit-learn's `force_finite`).
 */
export function r2Score(yTrue: NumberArray, yPred: NumberArray, options: MetricOptions = {}): number {
  const where = "r2Score";
  const { truth, residual, weights, total } = readPairs(where, yTrue, yPred, options);
  if (truth.length < 2) {
    throw new DataError({
      where,
      subject: "yTrue",
      expected: "two entries or more (R² needs a spread)",
      received: "1",
    });
  }
  const average = truth.reduce((sum, y, i) => sum + (weights[i]! / total) * y, 0);
  const deviation = truth.map((y) => y - average);
  const unexplained = sumOfSquares(residual, weights);
  const spread = sumOfSquares(deviation, weights);
  if (isConstant(truth, weights) || spread.sum === 0) return unexplained.sum === 0 ? 1 : 0;
  const ratio = unexplained.unit / spread.unit;
  return 1 - ratio * ratio * (unexplained.sum / spread.sum);
}

/** Σ w v² = sum · unit², where unit is the largest |v|, so that values of 1e200 and 1e-200 neither overflow nor underflow. */
function sumOfSquares(list: Float64Array, weights: Float64Array): { sum: number; unit: number } {
  const unit = list.reduce((most, v, i) => (weights[i]! > 0 ? Math.max(most, Math.abs(v)) : most), 0) || 1;
  const sum = list.reduce(
    (total, v, i) => (weights[i]! > 0 ? total + weights[i]! * (v / unit) * (v / unit) : total),
    0,
  );
  return { sum, unit };
}

/** The mean of equal values may differ from them by rounding, so this compares the values themselves. */
function isConstant(y: Float64Array, weights: Float64Array): boolean {
  const first = y.find((_, i) => weights[i]! > 0);
  return y.every((value, i) => value === first || weights[i] === 0);
}
