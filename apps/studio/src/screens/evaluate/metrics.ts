import type { Held } from "../../work/protocol.js";
import { type Confusion, rowSum } from "./confusion.js";
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

/** The standard normal quantile of 97.5 %. */
const Z = 1.959963984540054;

/** Wilson's interval of a share. */
export function wilson(successes: number, n: number): [number, number] {
  if (n === 0) return [0, 1];
  const p = successes / n;
  const middle = (p + Z ** 2 / (2 * n)) / (1 + Z ** 2 / n);
  const half = (Z / (1 + Z ** 2 / n)) * Math.sqrt((p * (1 - p)) / n + Z ** 2 / (4 * n ** 2));
  return [Math.max(0, middle - half), Math.min(1, middle + half)];
}

/** Hanley and McNeil's interval of an area under the ROC curve. */
export function areaInterval(area: number, positives: number, negatives: number): [number, number] {
  const q1 = area / (2 - area);
  const q2 = (2 * area ** 2) / (1 + area);
  const variance =
    (area * (1 - area) + (positives - 1) * (q1 - area ** 2) + (negatives - 1) * (q2 - area ** 2)) /
    (positives * negatives);
  const half = Z * Math.sqrt(Math.max(0, variance));
  return [Math.max(0, area - half), Math.min(1, area + half)];
}

/** A mean with its normal interval. */
function meanInterval(values: Float64Array): { value: number; interval: [number, number] } {
  const n = values.length;
  let [sum, squares] = [0, 0];
  for (const value of values) sum += value;
  const mean = sum / n;
  for (const value of values) squares += (value - mean) ** 2;
  const half = n > 1 ? Z * Math.sqrt(squares / (n - 1) / n) : 0;
  return { value: mean, interval: [mean - half, mean + half] };
}

/** What follows from the decided classes. `positive` for figures of one class, null for means over the classes. */
export function decisionMetrics({ classes, counts }: Confusion, positive: number | null): Metric[] {
  const ks = Array.from({ length: classes }, (_, k) => k);
  const n = counts.reduce((sum, count) => sum + count, 0);
  const right = ks.reduce((sum, k) => sum + counts[k * classes + k]!, 0);
  const truths = ks.map((k) => rowSum(counts, classes, k));
  const decided = ks.map((k) => ks.reduce((sum, t) => sum + counts[t * classes + k]!, 0));
  const hit = (k: number) => counts[k * classes + k]!;
  const share = (part: number, whole: number) => (whole === 0 ? 0 : part / whole);
  const precision = (k: number) => share(hit(k), decided[k]!);
  const recall = (k: number) => share(hit(k), truths[k]!);
  const f1 = (k: number) => share(2 * hit(k), truths[k]! + decided[k]!);
  const present = ks.filter((k) => truths[k]! > 0);
  // Classes that occur, in the truth or among the decisions.
  const used = ks.filter((k) => truths[k]! + decided[k]! > 0);
  const over = (list: readonly number[], of: (k: number) => number) =>
    list.reduce((sum, k) => sum + of(k), 0) / Math.max(1, list.length);
  const balanced = over(present, recall);
  const spread = Math.sqrt(
    present.reduce((sum, k) => sum + (recall(k) * (1 - recall(k))) / truths[k]!, 0) / present.length ** 2,
  );
  const ofClass = positive !== null;
  const average = ofClass ? "" : ", mean over classes";
  return [
    {
      name: "Accuracy",
      value: share(right, n),
      interval: wilson(right, n),
      doc: "Share of rows that are decided rightly.",
    },
    {
      name: "Balanced accuracy",
      value: balanced,
      interval: [Math.max(0, balanced - Z * spread), Math.min(1, balanced + Z * spread)],
      doc: "Mean of the recalls of all classes: every class counts alike.",
    },
    {
      name: `Precision${average}`,
      value: ofClass ? precision(positive) : over(used, precision),
      ...(ofClass && { interval: wilson(hit(positive), decided[positive]!) }),
      doc: "Of the rows that are given the class, the share that has it.",
    },
    {
      name: `Recall${average}`,
      value: ofClass ? recall(positive) : over(used, recall),
      ...(ofClass && { interval: wilson(hit(positive), truths[positive]!) }),
      doc: "Of the rows of the class, the share that is given it.",
    },
    {
      name: `F1${average}`,
      value: ofClass ? f1(positive) : over(used, f1),
      doc: "Harmonic mean of precision and recall.",
    },
    {
      name: "MCC",
      value: matthews(right, n, truths, decided),
      doc: "Matthews' correlation of truth and decision: 0 for chance, 1 for no mistake.",
    },
  ];
}

/** Of any number of classes [Gorodkin 2004]; 0 where one side is constant. */
function matthews(right: number, n: number, truths: readonly number[], decided: readonly number[]): number {
  const dot = (a: readonly number[], b: readonly number[]) => a.reduce((sum, v, k) => sum + v * b[k]!, 0);
  const below = Math.sqrt((n ** 2 - dot(truths, truths)) * (n ** 2 - dot(decided, decided)));
  return below === 0 ? 0 : (right * n - dot(truths, decided)) / below;
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
      ...meanInterval(losses),
      doc: "Mean of −log p of the true class: 0 is best, sure mistakes cost most.",
    },
    {
      name: "Brier score",
      lowerIsBetter: true,
      ...meanInterval(squares),
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
      interval: areaInterval(curves.rocArea, positives, negatives),
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
  const n = truth.length;
  if (n === 0) return [];
  const absolute = truth.map((value, e) => Math.abs(value - predicted[e]!));
  const squared = absolute.map((value) => value ** 2);
  const mean = truth.reduce((sum, value) => sum + value, 0) / n;
  const around = truth.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  const mse = meanInterval(squared);
  const rest = squared.reduce((sum, value) => sum + value, 0);
  const r2 = around === 0 ? (rest === 0 ? 1 : 0) : 1 - rest / around;
  const rmse = Math.sqrt(mse.value);
  // Of a root, by its derivative.
  const half = rmse === 0 ? 0 : (mse.interval[1] - mse.value) / (2 * rmse);
  const sorted = absolute.slice().sort();
  return [
    { name: "R²", value: r2, doc: "Share of the variance that is explained: 1 is best, 0 is the mean." },
    {
      name: "MAE",
      ...meanInterval(absolute),
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
      value: (sorted[(n - 1) >> 1]! + sorted[n >> 1]!) / 2,
      lowerIsBetter: true,
      doc: "Half of the rows are nearer than this.",
    },
    {
      name: "Largest error",
      value: sorted[n - 1]!,
      lowerIsBetter: true,
      doc: "Of the row that is farthest off.",
    },
  ];
}
