import { readOptions } from "../../core/params/options.js";
import { real, type TableOf } from "../../core/params/params.js";
import { type MetricOptions, metricOptions } from "../inputs.js";
import { weightedMedian } from "../weighted-quantiles.js";
import { averaged, mean, type Pairs, requireSpread, type Targets } from "./regression-inputs.js";

export interface PinballOptions extends MetricOptions {
  /** The quantile that is predicted. */
  readonly alpha?: number | undefined;
}

const pinballOptions = {
  ...metricOptions,
  alpha: real({ atLeast: 0, atMost: 1, default: 0.5, doc: "The quantile that is predicted." }),
} satisfies TableOf<PinballOptions>;

/** Loss of quantiles: Σ w max(α (y − ŷ), (α − 1)(y − ŷ)) / Σ w. For α = ½ half the mean absolute error. */
export function meanPinballLoss(yTrue: Targets, yPred: Targets, options: PinballOptions = {}): number {
  const where = "meanPinballLoss";
  const { alpha, sampleWeight } = readOptions(where, pinballOptions, options);
  const score = (pairs: Pairs) => mean(pairs, (r) => Math.max(alpha * r, (alpha - 1) * r));
  return averaged(where, yTrue, yPred, { sampleWeight }, score);
}

/** D² of the absolute error: 1 − Σ w |y − ŷ| / Σ w |y − median|. For a constant y as R². */
export function d2AbsoluteErrorScore(yTrue: Targets, yPred: Targets, options: MetricOptions = {}): number {
  return averaged("d2AbsoluteErrorScore", yTrue, yPred, options, (pairs) => {
    requireSpread("D²", pairs);
    const { truth, weights } = pairs;
    const median = weightedMedian(truth, weights);
    const rest = mean(pairs, Math.abs);
    const spread = mean(pairs, (_, i) => Math.abs(truth[i]! - median));
    return spread === 0 ? (rest === 0 ? 1 : 0) : 1 - rest / spread;
  });
}
