import {
  accuracyScore,
  balancedAccuracyScore,
  matthewsCorrcoef,
  maxError,
  meanInterval,
  medianAbsoluteError,
  precisionRecallF1,
  r2Score,
  rocAucInterval,
  rootMeanSquaredError,
  wilsonInterval,
} from "argmax/metrics";
import type { Held } from "../protocol.js";
import type { Curves } from "./ranking.js";

export interface Metric {
  readonly name: string;
  readonly value: number;
  /** 95 %, where it can be computed at once. */
  readonly interval?: readonly [number, number];
  /** Losses and errors. */
  readonly lowerIsBetter?: true;
  readonly doc: string;
}

const meanOf = (values: Float64Array): Pick<Metric, "value" | "interval"> => ({
  value: values.reduce((sum, value) => sum + value, 0) / values.length,
  interval: meanInterval(values),
});

/** What follows from the decided classes. `positive` for figures of one class, null for means over the classes. */
export function decisionMetrics(
  truth: ArrayLike<number>,
  decided: ArrayLike<number>,
  positive: number | null,
): Metric[] {
  const n = truth.length;
  if (n === 0) return [];
  const report = precisionRecallF1(truth, decided);
  const accuracy = accuracyScore(truth, decided);
  const mean = (values: Float64Array) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const k = positive === null ? -1 : report.classes.indexOf(positive);
  const figure = (values: Float64Array) => (positive === null ? mean(values) : (values[k] ?? 0));
  const hits = (report.recall[k] ?? 0) * (report.support[k] ?? 0);
  const given = countOf(decided, positive);
  const balanced = balancedAccuracyScore(truth, decided);
  const present = Array.from(report.support.keys()).filter((c) => report.support[c]! > 0);
  const variance = present.reduce((sum, c) => {
    const recall = report.recall[c]!;
    return sum + (recall * (1 - recall)) / report.support[c]! / present.length ** 2;
  }, 0);
  const half = NORMAL_95 * Math.sqrt(variance);
  const ofClass = positive !== null;
  const average = ofClass ? "" : ", mean over classes";
  return [
    {
      name: "Accuracy",
      value: accuracy,
      interval: wilsonInterval(accuracy * n, n),
      doc: "Fraction of rows that are classified correctly.",
    },
    {
      name: "Balanced accuracy",
      value: balanced,
      interval: [Math.max(0, balanced - half), Math.min(1, balanced + half)],
      doc: "Mean of the recalls of all classes: every class counts alike.",
    },
    {
      name: `Precision${average}`,
      value: figure(report.precision),
      ...(ofClass && { interval: wilsonInterval(hits, given) }),
      doc: "Of the rows that are given the class, the share that has it.",
    },
    {
      name: `Recall${average}`,
      value: figure(report.recall),
      ...(ofClass && { interval: wilsonInterval(hits, report.support[k] ?? 0) }),
      doc: "Of the rows of the class, the share that is given it.",
    },
    {
      name: `F1${average}`,
      value: figure(report.f1),
      doc: "Harmonic mean of precision and recall.",
    },
    {
      name: "MCC",
      value: matthewsCorrcoef(truth, decided),
      doc: "Matthews' correlation of truth and decision: 0 for chance, 1 for no mistake.",
    },
  ];
}

/** The quantile of an interval of 95 %. */
const NORMAL_95 = 1.959963984540054;

function countOf(list: ArrayLike<number>, wanted: number | null): number {
  let count = 0;
  for (let e = 0; e < list.length; e++) if (list[e] === wanted) count++;
  return count;
}

/** Smaller probabilities are read as this, as in the library. */
const SMALLEST = 2 ** -52;

/** What follows from the probabilities, whatever the threshold. */
export function probabilityMetrics({ scores, truth, scale }: Held, classes: number): Metric[] {
  if (scores === null || scale !== "probability" || truth.length === 0) return [];
  const losses = new Float64Array(truth.length);
  const squares = new Float64Array(truth.length);
  for (let e = 0; e < truth.length; e++) {
    let sum = 0;
    for (let c = 0; c < classes; c++) sum += scores[e * classes + c]!;
    const p = scores[e * classes + truth[e]!]! / (sum || 1);
    losses[e] = -Math.log(Math.min(1 - SMALLEST, Math.max(SMALLEST, p)));
    for (let c = 0; c < classes; c++)
      squares[e]! += (scores[e * classes + c]! - (c === truth[e] ? 1 : 0)) ** 2 / (classes === 2 ? 2 : 1);
  }
  return [
    {
      name: "Log loss",
      lowerIsBetter: true,
      ...meanOf(losses),
      doc: "Mean of −log p of the true class: 0 is best, sure mistakes cost most.",
    },
    {
      name: "Brier score",
      lowerIsBetter: true,
      ...meanOf(squares),
      doc: "Mean squared difference of probabilities and truth: 0 is best.",
    },
  ];
}

export function rankingMetrics(
  curves: Curves | undefined,
  positives: number,
  negatives: number,
  name: string,
): Metric[] {
  if (curves === undefined) return [];
  return [
    {
      name: `ROC AUC, ${name}`,
      value: curves.rocArea,
      interval: rocAucInterval(curves.rocArea, positives, negatives),
      doc: "Against the rest: probability that a row of the class scores above a row of another.",
    },
    {
      name: `Average precision, ${name}`,
      value: curves.averagePrecision,
      doc: "Area under the precision–recall curve.",
    },
  ];
}

/** Of a regression. */
export function valueMetrics(truth: Float64Array, predicted: Float64Array): Metric[] {
  if (truth.length === 0) return [];
  const absolute = truth.map((value, e) => Math.abs(value - predicted[e]!));
  const rmse = rootMeanSquaredError(truth, predicted);
  const [, high] = meanInterval(absolute.map((value) => value ** 2));
  // Of a root, by its derivative.
  const half = rmse === 0 ? 0 : (high - rmse ** 2) / (2 * rmse);
  return [
    {
      name: "R²",
      value: r2Score(truth, predicted),
      doc: "Fraction of the variance that is explained: 1 is best, 0 is the mean.",
    },
    {
      name: "MAE",
      ...meanOf(absolute),
      lowerIsBetter: true,
      doc: "Mean absolute error, in the unit of the target.",
    },
    {
      name: "RMSE",
      value: rmse,
      interval: [Math.max(0, rmse - half), rmse + half],
      lowerIsBetter: true,
      doc: "Root of the mean squared error.",
    },
    {
      name: "Median absolute error",
      value: medianAbsoluteError(truth, predicted),
      lowerIsBetter: true,
      doc: "Half of the rows are nearer than this.",
    },
    {
      name: "Largest error",
      value: maxError(truth, predicted),
      lowerIsBetter: true,
      doc: "Of the row that is farthest off.",
    },
  ];
}
