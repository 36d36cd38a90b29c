import { readOptions } from "../../core/params/options.js";
import { type ParamSpec, real } from "../../core/params/params.js";
import { type MetricOptions, metricOptions } from "../inputs.js";
import { weightedMedian } from "../weighted-quantiles.js";
import { averaged, mean, readPairs, requireSpread, type Score, type Targets } from "./regression-inputs.js";

export interface PinballOptions extends MetricOptions {
  /** The quantile that is predicted. */
  readonly alpha?: number | undefined;
}

const pinballOptions = {
  ...metricOptions,
  alpha: real({ atLeast: 0, atMost: 1, default: 0.5, doc: "The quantile that is predicted." }),
} satisfies Record<keyof PinballOptions, ParamSpec<unknown>>;

/** Loss of quantiles: Σ w max(α (y − ŷ), (α − 1)(y − ŷ)) / Σ w. For α = ½ half the mean absolute error. */
export function meanPinballLoss(yTrue: Targets, yPred: Targets, options: PinballOptions = {}): number {
  const where = "meanPinballLoss";
  const { alpha } = readOptions(where, pinballOptions, options);
  const score: Score = (t, p, o) =>
    mean(readPairs(where, t, p, o), (r) => Math.max(alpha * r, (alpha - 1) * r));
  return averaged(where, score, yTrue, yPred, { sampleWeight: options.sampleWeight });
}

/** D² of the absolute error: 1 − Σ w |y − ŷ| / Σ w |y − median|. For a constant y as R². */
export function d2AbsoluteErrorScore(yTrue: Targets, yPred: Targets, options: MetricOptions = {}): number {
  const where = "d2AbsoluteErrorScore";
  const score: Score = (t, p, o) => {
    const pairs = readPairs(where, t, p, o);
    requireSpread(where, "D²", pairs);
    const { truth, weights } = pairs;
    const median = weightedMedian(truth, weights);
    const rest = mean(pairs, Math.abs);
    const spread = mean(pairs, (_, i) => Math.abs(truth[i]! - median));
    return spread === 0 ? (rest === 0 ? 1 : 0) : 1 - rest / spread;
  };
  return averaged(where, score, yTrue, yPred, options);
}
