import { listOf } from "../core/column-like.js";
import { DataError, show } from "../core/errors.js";
import type { Label, Labels } from "../core/labels.js";
import { readOptions } from "../core/params/options.js";
import type { CountOptions, MetricOptions } from "./inputs.js";
import { checkLengths, codePairs, countOptions, metricOptions, weightsOf } from "./inputs.js";

export interface AccuracyOptions extends CountOptions {}

/** Fraction of entries that are predicted correctly: Σ w [truth = prediction] / Σ w. */
export function accuracyScore<L extends Label>(
  yTrue: Labels<L>,
  yPred: Labels<L>,
  options: AccuracyOptions = {},
): number {
  const where = "accuracyScore";
  const { sampleWeight, normalize } = readOptions(where, countOptions, options);
  const length = checkLengths(where, yTrue, yPred);
  const [truths, predictions] = [listOf(yTrue), listOf(yPred)];
  const weights = weightsOf(where, sampleWeight, length);
  let right = 0;
  let total = 0;
  for (let i = 0; i < length; i++) {
    if (weights[i] === 0) continue;
    const truth: unknown = truths[i];
    const prediction: unknown = predictions[i];
    if (truth === prediction) right += weights[i]!;
    else if (typeof truth !== typeof prediction) differentTypes(where, i, truth, prediction);
    else if (Number.isNaN(truth) || Number.isNaN(prediction)) noLabel(where, i, truth);
    total += weights[i]!;
  }
  return normalize ? right / total : right;
}

function noLabel(where: string, i: number, truth: unknown): never {
  const subject = `${Number.isNaN(truth) ? "yTrue" : "yPred"}[${i}]`;
  throw new DataError(where, subject, "a string, a number or a boolean", "NaN");
}

function differentTypes(where: string, i: number, truth: unknown, prediction: unknown): never {
  const expected = `a ${typeof truth} like yTrue[${i}] (${show(truth)})`;
  throw new DataError(where, `yPred[${i}]`, expected, show(prediction));
}

/** Mean recall over the classes of yTrue. */
export function balancedAccuracyScore<L extends Label>(
  yTrue: Labels<L>,
  yPred: Labels<L>,
  options: MetricOptions = {},
): number {
  const where = "balancedAccuracyScore";
  const given = readOptions(where, metricOptions, options);
  const { classes, truth, predicted, weights } = codePairs(where, yTrue, yPred, given);
  const right = new Float64Array(classes.length);
  const total = new Float64Array(classes.length);
  for (let i = 0; i < truth.length; i++) {
    total[truth[i]!]! += weights[i]!;
    if (truth[i] === predicted[i]) right[truth[i]!]! += weights[i]!;
  }
  const recalls = [...right].map((r, k) => r / total[k]!).filter((_, k) => total[k]! > 0);
  return recalls.reduce((sum, recall) => sum + recall, 0) / recalls.length;
}
