import type { NumberArray } from "../../core/labels.js";
import { pow } from "../../core/numbers/elementary.js";
import { readOptions } from "../../core/params/options.js";
import { real, type TableOf } from "../../core/params/params.js";
import { type MetricOptions, metricOptions } from "../inputs.js";
import { gammaDeviance, meanDeviance, poissonDeviance, readDeviating } from "./deviances.js";
import { mean, requireSpread } from "./regression-inputs.js";

export interface TweedieOptions extends MetricOptions {
  /**
   * The variance of y grows with this power of its mean: 0 normal, 1 Poisson, from 1 to 2 sums of a Poisson number of gammas, 2 gamma,
   * 3 inverse Gaussian; negative: extreme stable distributions.
   */
  readonly power?: number | undefined;
}

const tweedieOptions = {
  ...metricOptions,
  power: real({ default: 0, doc: "The variance of y grows with this power of its mean." }),
} satisfies TableOf<TweedieOptions>;

/**
 * Mean deviance of a Tweedie distribution: Σ w d(y, ŷ) / Σ w with d = 2 ∫ from ŷ to y of (y − t) / t^power dt. Power 0 is the squared
 * error.
 */
export function meanTweedieDeviance(
  yTrue: NumberArray,
  yPred: NumberArray,
  options: TweedieOptions = {},
): number {
  const where = "meanTweedieDeviance";
  const { power, sampleWeight } = readOptions(where, tweedieOptions, options);
  return meanDeviance(where, yTrue, yPred, power, (y, mu) => deviance(y, mu, power), { sampleWeight });
}

/** D²: 1 − deviance / deviance of predicting the mean of y. Of power 0 it is R². */
export function d2TweedieScore(yTrue: NumberArray, yPred: NumberArray, options: TweedieOptions = {}): number {
  const where = "d2TweedieScore";
  const { power, sampleWeight } = readOptions(where, tweedieOptions, options);
  const pairs = readDeviating(where, yTrue, yPred, power, { sampleWeight });
  requireSpread("D²", pairs);
  const { truth, predicted, weights, total } = pairs;
  const average = truth.reduce((sum, y, i) => sum + (weights[i]! / total) * y, 0);
  const rest = mean(pairs, (_, i) => deviance(truth[i]!, predicted[i]!, power));
  const spread = mean(pairs, (_, i) => deviance(truth[i]!, average, power));
  return spread === 0 ? (rest === 0 ? 1 : 0) : 1 - rest / spread;
}

/** The deviance of one entry. */
function deviance(y: number, mu: number, p: number): number {
  if (p === 0) return (y - mu) ** 2;
  if (p === 1) return poissonDeviance(y, mu);
  if (p === 2) return gammaDeviance(y, mu);
  const own = p < 0 ? Math.max(y, 0) : y;
  const power = own === 0 ? 0 : pow(own, 2 - p);
  return 2 * (power / ((1 - p) * (2 - p)) - (y * pow(mu, 1 - p)) / (1 - p) + pow(mu, 2 - p) / (2 - p));
}
