import { DataError } from "../core/errors.js";
import type { Label, Labels } from "../core/labels.js";
import { readOptions } from "../core/params/options.js";
import type { TableOf } from "../core/params/params.js";
import { codePairs, type MetricOptions, metricOptions, positiveClass, positiveLabel } from "./inputs.js";

export interface BinaryRateOptions<L extends Label> extends MetricOptions {
  /** Which label is "positive"; without it 1, true, "yes" and the like. Other labels must be given. */
  readonly positiveLabel?: L | undefined;
}

const binaryRateOptions = { ...metricOptions, positiveLabel } satisfies TableOf<BinaryRateOptions<Label>>;

export interface BinaryRates {
  readonly truePositives: number;
  readonly falseNegatives: number;
  readonly trueNegatives: number;
  readonly falsePositives: number;
  /** Sensitivity: TP / (TP + FN). */
  readonly tpr: number;
  /** Specificity: TN / (TN + FP). */
  readonly tnr: number;
  /** 1 − tnr. */
  readonly fpr: number;
  /** 1 − tpr. */
  readonly fnr: number;
}

/** True and false rates of the two classes. Every label but the positive one counts as negative. */
export function binaryRates<L extends Label>(
  yTrue: Labels<L>,
  yPred: Labels<L>,
  options: BinaryRateOptions<L> = {},
): BinaryRates {
  const where = "binaryRates";
  readOptions(where, binaryRateOptions, options);
  const { classes, truth, predicted, weights } = codePairs(where, yTrue, yPred, options);
  const positive = positiveClass(where, classes, options.positiveLabel);
  const counts = [0, 0, 0, 0] as [number, number, number, number];
  for (let i = 0; i < truth.length; i++) {
    counts[(truth[i] === positive ? 2 : 0) + (predicted[i] === positive ? 1 : 0)]! += weights[i]!;
  }
  const [trueNegatives, falsePositives, falseNegatives, truePositives] = counts;
  const positives = truePositives + falseNegatives;
  const negatives = trueNegatives + falsePositives;
  if (positives === 0 || negatives === 0) {
    const received = positives === 0 ? "only negatives" : "only positives";
    throw new DataError(where, "yTrue", "of both classes", received);
  }
  return {
    truePositives,
    falseNegatives,
    trueNegatives,
    falsePositives,
    tpr: truePositives / positives,
    tnr: trueNegatives / negatives,
    fpr: falsePositives / negatives,
    fnr: falseNegatives / positives,
  };
}
