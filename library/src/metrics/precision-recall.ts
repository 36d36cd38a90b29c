import { ParameterError } from "../core/errors.js";
import type { Label, Labels } from "../core/labels.js";
import { readOptions } from "../core/params/options.js";
import { choice, invalid, type ParamSpec, type TableOf } from "../core/params/params.js";
import { codePairs, type MetricOptions, metricOptions, positiveClass, positiveLabel } from "./inputs.js";

const averages = ["binary", "micro", "macro", "weighted"] as const;

export interface PrecisionRecallOptions<L extends Label> extends MetricOptions {
  /**
   * `binary`: the positive class alone. `micro`: all decisions counted together. `macro`: the mean over classes.
   * `weighted`: the mean over classes, weighted by their number of true entries.
   */
  readonly average?: (typeof averages)[number] | undefined;
  /** Which label is "positive"; without it 1, true, "yes" and the like. Other labels must be given. */
  readonly positiveLabel?: L | undefined;
  /** What 0 / 0 counts as, e.g. the precision of a class that is never predicted. */
  readonly zeroDivision?: 0 | 1 | undefined;
}

const zeroDivision: ParamSpec<0 | 1> = {
  kind: "choice",
  default: 0,
  doc: "What 0 / 0 counts as, e.g. the precision of a class that is never predicted.",
  expected: "0 or 1",
  choices: [0, 1],
  read: (value) => (value === 0 || value === 1 ? value : invalid),
};
export const perClassOptions = { ...metricOptions, zeroDivision };
export const precisionRecallOptions = {
  ...perClassOptions,
  average: choice(averages, { default: "binary", doc: "How the figures of the classes are combined." }),
  positiveLabel,
} satisfies TableOf<PrecisionRecallOptions<Label>>;

/** Precision, recall, F1 and support per class, in the order of `classes`. */
export interface PrecisionRecallF1<L extends Label> {
  readonly classes: readonly L[];
  readonly precision: Float64Array;
  readonly recall: Float64Array;
  readonly f1: Float64Array;
  /** Weight of the class in yTrue. */
  readonly support: Float64Array;
}

interface Counts {
  /** Correctly predicted as the class. */
  readonly hits: Float64Array;
  readonly predicted: Float64Array;
  readonly actual: Float64Array;
}

export const ratio = (a: number, b: number, zeroDivision: number): number => (b === 0 ? zeroDivision : a / b);

/** A figure of one class from its weights of hits (TP), predictions (TP + FP) and true entries (TP + FN). */
export type Figure = (hits: number, predicted: number, actual: number, zero: number) => number;

export const figures = {
  precision: (hits, predicted, _actual, zero) => ratio(hits, predicted, zero),
  recall: (hits, _predicted, actual, zero) => ratio(hits, actual, zero),
  f1: (hits, predicted, actual, zero) => ratio(2 * hits, predicted + actual, zero),
  jaccard: (hits, predicted, actual, zero) => ratio(hits, predicted + actual - hits, zero),
} satisfies Record<string, Figure>;

function count<L extends Label>(
  where: string,
  yTrue: Labels<L>,
  yPred: Labels<L>,
  options: MetricOptions,
): { classes: readonly L[]; counts: Counts } {
  const { classes, truth, predicted, weights } = codePairs(where, yTrue, yPred, options);
  const zeros = () => new Float64Array(classes.length);
  const counts = { hits: zeros(), predicted: zeros(), actual: zeros() };
  for (let i = 0; i < truth.length; i++) {
    counts.actual[truth[i]!]! += weights[i]!;
    counts.predicted[predicted[i]!]! += weights[i]!;
    if (truth[i] === predicted[i]) counts.hits[truth[i]!]! += weights[i]!;
  }
  return { classes, counts };
}

export function averageFigure<L extends Label>(
  where: string,
  figure: Figure,
  yTrue: Labels<L>,
  yPred: Labels<L>,
  options: PrecisionRecallOptions<L>,
  read: { readonly average: (typeof averages)[number]; readonly zeroDivision: 0 | 1 } = readOptions(
    where,
    precisionRecallOptions,
    options,
  ),
): number {
  const { average: how, zeroDivision: zero } = read;
  const { classes, counts } = count(where, yTrue, yPred, options);
  const { hits, predicted, actual } = counts;
  const of = (k: number) => figure(hits[k] ?? 0, predicted[k] ?? 0, actual[k] ?? 0, zero);
  const sum = (list: Float64Array) => list.reduce((total, value) => total + value, 0);
  switch (how) {
    case "binary":
      if (classes.length > 2) tooManyClasses(where, classes.length);
      return of(positiveClass(where, classes, options.positiveLabel));
    case "micro":
      return figure(sum(hits), sum(predicted), sum(actual), zero);
    case "macro":
      return classes.reduce((total, _, k) => total + of(k), 0) / classes.length;
    default:
      return classes.reduce((total, _, k) => total + actual[k]! * of(k), 0) / sum(actual);
  }
}

function tooManyClasses(where: string, count: number): never {
  const expected = `"micro", "macro" or "weighted" for ${count} classes`;
  throw new ParameterError(where, "average", expected, '"binary"');
}

/** Fraction of the predicted positives that are positive: TP / (TP + FP). */
export function precisionScore<L extends Label>(
  yTrue: Labels<L>,
  yPred: Labels<L>,
  options: PrecisionRecallOptions<L> = {},
): number {
  return averageFigure("precisionScore", figures.precision, yTrue, yPred, options);
}

/** Fraction of the positives that are found: TP / (TP + FN). */
export function recallScore<L extends Label>(
  yTrue: Labels<L>,
  yPred: Labels<L>,
  options: PrecisionRecallOptions<L> = {},
): number {
  return averageFigure("recallScore", figures.recall, yTrue, yPred, options);
}

/** The harmonic mean of precision and recall: 2 TP / (2 TP + FP + FN). */
export function f1Score<L extends Label>(
  yTrue: Labels<L>,
  yPred: Labels<L>,
  options: PrecisionRecallOptions<L> = {},
): number {
  return averageFigure("f1Score", figures.f1, yTrue, yPred, options);
}

/** Size of the intersection of predicted and true entries of a class over that of their union: TP / (TP + FP + FN). */
export function jaccardScore<L extends Label>(
  yTrue: Labels<L>,
  yPred: Labels<L>,
  options: PrecisionRecallOptions<L> = {},
): number {
  return averageFigure("jaccardScore", figures.jaccard, yTrue, yPred, options);
}

/** Precision, recall, F1 and support of every class. */
export function precisionRecallF1<L extends Label>(
  yTrue: Labels<L>,
  yPred: Labels<L>,
  options: Pick<PrecisionRecallOptions<L>, "sampleWeight" | "zeroDivision"> = {},
): PrecisionRecallF1<L> {
  const where = "precisionRecallF1";
  const { zeroDivision: zero } = readOptions(where, perClassOptions, options);
  const { classes, counts } = count(where, yTrue, yPred, options);
  const { hits, predicted, actual } = counts;
  const of = (figure: Figure) => hits.map((h, k) => figure(h, predicted[k]!, actual[k]!, zero));
  const { precision, recall, f1 } = figures;
  return { classes, precision: of(precision), recall: of(recall), f1: of(f1), support: actual };
}
