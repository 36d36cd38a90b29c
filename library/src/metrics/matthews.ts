import type { Label, Labels } from "../core/labels.js";
import { readOptions } from "../core/params/options.js";
import { codePairs, type MetricOptions, metricOptions } from "./inputs.js";

/**
 * Matthews' correlation coefficient, of any number of classes [Gorodkin 2004]: 1 is perfect, 0 is no better than chance, also where
 * truth or predictions are all of one class.
 */
export function matthewsCorrcoef<L extends Label>(
  yTrue: Labels<L>,
  yPred: Labels<L>,
  options: MetricOptions = {},
): number {
  const where = "matthewsCorrcoef";
  readOptions(where, metricOptions, options);
  const { classes, truth, predicted, weights } = codePairs(where, yTrue, yPred, options);
  const actual = new Float64Array(classes.length);
  const guessed = new Float64Array(classes.length);
  let [right, total] = [0, 0];
  for (let i = 0; i < truth.length; i++) {
    actual[truth[i]!]! += weights[i]!;
    guessed[predicted[i]!]! += weights[i]!;
    if (truth[i] === predicted[i]) right += weights[i]!;
    total += weights[i]!;
  }
  const product = (a: Float64Array, b: Float64Array) => a.reduce((sum, v, k) => sum + v * b[k]!, 0);
  const covariance = right * total - product(actual, guessed);
  const spreads = (total * total - product(actual, actual)) * (total * total - product(guessed, guessed));
  return spreads > 0 ? covariance / Math.sqrt(spreads) : 0;
}
