import { auc, rocCurve } from "argmax/metrics";
import { firstWhere } from "../../data/bisection.js";
import type { Held } from "../protocol.js";

/**
 * Held-out rows by the score of one class against the rest. `position` is between 0 and 1: the probability of the class, or, of models with
 * scores only, ½ + ½ m/(1 + |m|) of the margin m, half of the lead over the best other class. A row is predicted positive from a
 * threshold of the position on.
 */
export interface Ranking {
  readonly scale: Held["scale"];
  readonly position: Float64Array;
  readonly isPositive: Uint8Array;
  /** The positions of the class and of the rest, ascending. */
  readonly positives: Float64Array;
  readonly negatives: Float64Array;
}

export function rankingOf(held: Held, classes: number, positive: number): Ranking | undefined {
  if (held.scores === null || classes < 2) return undefined;
  const position = positionsOf(held, held.scores, classes, positive);
  const isPositive = Uint8Array.from(held.truth, (c) => (c === positive ? 1 : 0));
  return {
    scale: held.scale,
    position,
    isPositive,
    positives: position.filter((_, e) => isPositive[e] === 1).sort(),
    negatives: position.filter((_, e) => isPositive[e] === 0).sort(),
  };
}

export function positionsOf(
  { truth, scale }: Held,
  scores: Float64Array,
  classes: number,
  positive: number,
): Float64Array {
  const out = new Float64Array(truth.length);
  for (let e = 0; e < out.length; e++) {
    const own = scores[e * classes + positive]!;
    if (scale === "probability") {
      out[e] = own;
      continue;
    }
    let other = -Infinity;
    for (let c = 0; c < classes; c++)
      if (c !== positive && scores[e * classes + c]! > other) other = scores[e * classes + c]!;
    out[e] = positionOf((own - other) / 2);
  }
  return out;
}

const positionOf = (margin: number): number => 0.5 + (0.5 * margin) / (1 + Math.abs(margin));

/** The margin at a position: −∞ at 0, ∞ at 1. */
export function marginAt(position: number): number {
  const u = 2 * position - 1;
  return u / (1 - Math.abs(u));
}

/** A position as its scale says it: "0.42", or "margin −0.3". */
export function positionText(scale: Held["scale"], position: number): string {
  if (scale === "probability") return position.toFixed(3);
  const margin = marginAt(position);
  return Number.isFinite(margin) ? margin.toFixed(3).replace("-", "−") : margin < 0 ? "−∞" : "∞";
}

interface Counts {
  readonly tp: number;
  readonly fp: number;
  readonly fn: number;
  readonly tn: number;
}

export function countsAt({ positives, negatives }: Ranking, threshold: number): Counts {
  const [fn, tn] = [positives, negatives].map((scores) =>
    firstWhere(scores.length, (e) => scores[e]! >= threshold),
  ) as [number, number];
  return { tp: positives.length - fn, fp: negatives.length - tn, fn, tn };
}

/** Both curves at every threshold that changes a prediction, descending; the first point predicts no positives. */
export interface Curves {
  readonly thresholds: Float64Array;
  readonly fpr: Float64Array;
  readonly tpr: Float64Array;
  /** 1 at the first point, by convention. */
  readonly precision: Float64Array;
  readonly rocArea: number;
  readonly averagePrecision: number;
}

/** Undefined unless there are rows of the class and of the rest. */
export function curvesOf({ position, isPositive, positives, negatives }: Ranking): Curves | undefined {
  const [P, N] = [positives.length, negatives.length];
  if (P === 0 || N === 0) return undefined;
  const options = { positiveLabel: 1, dropIntermediate: false };
  const { fpr, tpr, thresholds } = rocCurve(isPositive, position, options);
  const precision = tpr.map((rate, k) => (k === 0 ? 1 : (rate * P) / (rate * P + fpr[k]! * N)));
  let averagePrecision = 0;
  for (let k = 1; k < tpr.length; k++) averagePrecision += (tpr[k]! - tpr[k - 1]!) * precision[k]!;
  return { thresholds, fpr, tpr, precision, rocArea: auc(fpr, tpr), averagePrecision };
}

/** The point of the curves at which the predictions are those of a threshold. */
export function pointAt({ thresholds }: Curves, threshold: number): number {
  let [low, high] = [0, thresholds.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (thresholds[middle]! >= threshold) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** A threshold between 0 and 1 with the predictions of a point: halfway to the next lower score, so that it does not stand on a row. */
export function thresholdOf({ thresholds }: Curves, point: number): number {
  const own = Math.min(1, thresholds[point]!);
  const below = point + 1 < thresholds.length ? thresholds[point + 1]! : 0;
  const middle = (own + below) / 2;
  // Neighbours in floating point have nothing between them.
  return middle > below ? middle : own;
}

/** The bin of [0, 1] that holds a position; 1 belongs to the last. */
export const binOf = (position: number, bins: number): number =>
  Math.min(bins - 1, Math.max(0, Math.floor(position * bins)));
