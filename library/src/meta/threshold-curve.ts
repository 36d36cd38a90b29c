import type { FittedModel } from "../core/contract.js";
import { DataError } from "../core/errors.js";
import { costScore } from "../metrics/costs.js";
import { type labelScorers, scorers } from "../metrics/scorers.js";
import { countByThreshold, type ScoredEntries } from "../metrics/threshold-counts.js";

/** Every threshold that divides held-out rows differently, in descending order, and what it is worth. */
export interface ThresholdCurve {
  /** A row is predicted as positive if its score is at least this. At the first, none of the held-out rows is; at the last, all are. */
  readonly thresholds: Float64Array;
  /** What is maximised. */
  readonly scores: Float64Array;
  /** Of the positive class; 1 where nothing is predicted as positive. */
  readonly precision: Float64Array;
  readonly recall: Float64Array;
}

/** What a threshold is chosen by. */
export interface ThresholdGoal {
  readonly scoring: (typeof labelScorers)[number];
  /** `costs[t][p]` of predicting p for truth t, negative class first; replaces `scoring`. */
  readonly costs: readonly (readonly number[])[] | null;
  readonly minPrecision: number | null;
  readonly minRecall: number | null;
}

/**
 * The curve of held-out scores. A metric of two classes depends on four sums of weights only, so that it is computed from four rows, one
 * per cell of the confusion matrix, at each threshold.
 */
export function thresholdCurve(held: ScoredEntries, { scoring, costs }: ThresholdGoal): ThresholdCurve {
  const { thresholds: values, truePositives, falsePositives, positives, negatives } = countByThreshold(held);
  const size = values.length + 1;
  const thresholds = new Float64Array(size);
  const [scores, precision, recall] = [0, 1, 2].map(() => new Float64Array(size)) as [
    Float64Array,
    Float64Array,
    Float64Array,
  ];
  const score = costs === null ? byScorer(scoring) : byCosts(costs);
  for (let e = 0; e < size; e++) {
    const tp = e === 0 ? 0 : truePositives[e - 1]!;
    const fp = e === 0 ? 0 : falsePositives[e - 1]!;
    thresholds[e] = e === 0 ? justAbove(values[0]!) : between(values[e - 1]!, values[e]);
    scores[e] = score([tp, positives - tp, fp, negatives - fp]);
    precision[e] = e === 0 ? 1 : tp / (tp + fp);
    recall[e] = tp / positives;
  }
  return { thresholds, scores, precision, recall };
}

const truth = [1, 1, 0, 0];
const decisions = [1, 0, 1, 0];
const cellwise = { classes: [0, 1], predict: () => decisions } as unknown as FittedModel;

/** Weights of true positives, false negatives, false positives and true negatives. */
type Cells = readonly [number, number, number, number];

const byScorer = (name: ThresholdGoal["scoring"]) => (cells: Cells) =>
  scorers[name](cellwise, [], truth, { sampleWeight: cells });

const byCosts = (costs: readonly (readonly number[])[]) => (cells: Cells) =>
  -costScore(truth, decisions, costs, { sampleWeight: cells });

/** The middle of two neighbouring scores: rows between them are as near to one side as to the other. */
function between(high: number, low: number | undefined): number {
  if (low === undefined) return high;
  const middle = low + (high - low) / 2;
  return middle > low ? middle : high;
}

/** The next double, so that a threshold is always finite. */
const justAbove = (value: number): number => value + Math.max(Math.abs(value) * 2 ** -52, Number.MIN_VALUE);

/** Number of the best threshold; of equals the one nearest to `usual`. */
export function bestThreshold(
  where: string,
  curve: ThresholdCurve,
  { minPrecision, minRecall }: ThresholdGoal,
  usual: number,
): number {
  const { thresholds, scores, precision, recall } = curve;
  const distance = (e: number) => Math.abs(thresholds[e]! - usual);
  let best = -1;
  // Precision without any positive prediction is 1 by convention and of no use: thresholds have to find someone.
  const first = minPrecision === null ? 0 : 1;
  for (let e = first; e < thresholds.length; e++) {
    if (precision[e]! < (minPrecision ?? 0) || recall[e]! < (minRecall ?? 0)) continue;
    if (best < 0 || scores[e]! > scores[best]!) best = e;
    else if (scores[e] === scores[best] && distance(e) < distance(best)) best = e;
  }
  if (best >= 0) return best;
  const most = curve.precision.reduce(
    (most, p, e) => (e > 0 && recall[e]! >= (minRecall ?? 0) ? Math.max(most, p) : most),
    0,
  );
  throw new DataError({
    where,
    subject: "minPrecision",
    expected: `at most ${most}, the largest precision on held-out rows${minRecall === null ? "" : ` of that recall`}`,
    received: String(minPrecision),
  });
}
