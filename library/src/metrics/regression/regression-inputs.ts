import type { MatrixLike } from "../../core/contract.js";
import { DataError, ShapeError, show } from "../../core/errors.js";
import type { NumberArray } from "../../core/labels.js";
import { readOptions } from "../../core/params/options.js";
import { isTargetMatrix } from "../../core/target-matrix.js";
import { readTargetColumns } from "../../data/targets.js";
import type { MetricOptions } from "../inputs.js";
import { checkLengths, countedEntries, keptNumbers, metricOptions, readNumbers } from "../inputs.js";

/** Numbers to compare; entries of weight 0 are left out. */
export interface Pairs {
  /** The metric, for errors. */
  readonly where: string;
  readonly truth: Float64Array;
  readonly predicted: Float64Array;
  readonly residual: Float64Array;
  readonly weights: Float64Array;
  readonly total: number;
  /** The place of an entry among the given ones. */
  readonly place: (i: number) => number;
}

export function readPairs(
  where: string,
  yTrue: NumberArray,
  yPred: NumberArray,
  options: MetricOptions,
): Pairs {
  const { sampleWeight } = readOptions(where, metricOptions, options);
  const length = checkLengths(where, yTrue, yPred);
  const { weights, kept } = countedEntries(where, sampleWeight, length);
  const truth = keptNumbers(readNumbers(where, "yTrue", yTrue), kept);
  const predicted = keptNumbers(readNumbers(where, "yPred", yPred), kept);
  const residual = predicted.map((prediction, i) => truth[i]! - prediction);
  const total = weights.reduce((sum, w) => sum + w, 0);
  return { where, truth, predicted, residual, weights, total, place: (i) => (kept ? kept[i]! : i) };
}

export const mean = ({ residual, weights, total }: Pairs, of: (r: number, i: number) => number): number =>
  residual.reduce((sum, r, i) => sum + weights[i]! * of(r, i), 0) / total;

/** Throws on one entry: a score relative to the spread of y needs a spread. An entry of weight 2 is two. */
export function requireSpread(name: string, { where, truth, total }: Pairs): void {
  if (truth.length >= 2 || total >= 2) return;
  throw new DataError(where, "yTrue", `two entries or more (${name} needs a spread)`, "1");
}

/** What regressors predict: a list, or a matrix with one column per target, whose scores are averaged. */
export type Targets = NumberArray | MatrixLike;

/** The score of one target, or the mean of those of several. Parity: scikit-learn's "uniform_average". */
export function averaged(
  where: string,
  yTrue: Targets,
  yPred: Targets,
  options: MetricOptions,
  score: (pairs: Pairs) => number,
): number {
  if (!isTargetMatrix(yTrue) && !isTargetMatrix(yPred))
    return score(readPairs(where, yTrue as NumberArray, yPred as NumberArray, options));
  const [truth, predicted] = [columnsOf(where, "yTrue", yTrue), columnsOf(where, "yPred", yPred)];
  if (truth.length !== predicted.length) {
    const expected = `as wide as yTrue (${truth.length} columns)`;
    throw new ShapeError(where, "yPred", expected, `${predicted.length} columns`);
  }
  const scores = truth.map((own, t) => score(readPairs(where, own, predicted[t]!, options)));
  return scores.reduce((sum, own) => sum + own, 0) / scores.length;
}

function columnsOf(where: string, subject: string, y: Targets): Float64Array[] {
  if (isTargetMatrix(y)) return readTargetColumns(where, y, undefined, subject);
  throw new ShapeError(where, subject, "a matrix, since the other has several targets", show(y));
}

/** Σ w v² = sum · unit², where unit is the largest |v|, so that values of 1e200 and 1e-200 neither overflow nor underflow. */
export function sumOfSquares(list: Float64Array, weights: Float64Array): { sum: number; unit: number } {
  const unit = list.reduce((most, v, i) => (weights[i]! > 0 ? Math.max(most, Math.abs(v)) : most), 0) || 1;
  const sum = list.reduce(
    (total, v, i) => (weights[i]! > 0 ? total + weights[i]! * (v / unit) * (v / unit) : total),
    0,
  );
  return { sum, unit };
}

/** The mean of equal values may differ from them by rounding, so this compares the values themselves. */
export function isConstant(y: Float64Array, weights: Float64Array): boolean {
  const first = y.find((_, i) => weights[i]! > 0);
  return y.every((value, i) => value === first || weights[i] === 0);
}
