import { listOf } from "../core/column-like.js";
import { DataError, show } from "../core/errors.js";
import type { Label, Labels, NumberArray } from "../core/labels.js";
import { descendingOrder, sortedGroups } from "../core/numbers/sort-order.js";
import type { TableOf } from "../core/params/params.js";
import {
  checkLengths,
  countedEntries,
  keptEntries,
  keptNumbers,
  type MetricOptions,
  metricOptions,
  positiveClass,
  positiveLabel,
  readNumbers,
  sameLength,
  sortedLabels,
} from "./inputs.js";

export interface RankingOptions<L extends Label> extends MetricOptions {
  /** The label of which a larger score is evidence; without it 1, true, "yes" and the like. Other labels must be given. */
  readonly positiveLabel?: L | undefined;
}

export const rankingOptions = { ...metricOptions, positiveLabel } satisfies TableOf<RankingOptions<Label>>;

/** Entries as a ranking sees them. */
export interface ScoredEntries {
  /** Larger: rather positive. */
  readonly scores: Float64Array;
  /** 1 for positive, 0 for negative. */
  readonly positive: Uint8Array;
  /** Absent: 1 each. */
  readonly weights: Float64Array | undefined;
}

/** Weights of the entries whose score is at least each of the distinct scores, which descend. */
export interface ThresholdCounts extends Totals {
  readonly thresholds: Float64Array;
  readonly truePositives: Float64Array;
  readonly falsePositives: Float64Array;
}

/** Reads the truth of two classes, and a score per entry. */
export function readScored<L extends Label>(
  where: string,
  yTrue: Labels<L>,
  given: NumberArray,
  options: RankingOptions<L>,
): ScoredEntries {
  const length = checkLengths(where, yTrue, yTrue);
  const { weights, kept } =
    options.sampleWeight === undefined
      ? { weights: undefined, kept: undefined }
      : countedEntries(where, options.sampleWeight, length);
  const list = keptEntries(listOf(yTrue), kept);
  const classes = sortedLabels(where, [list]);
  const all = readNumbers(where, "yScore", given);
  sameLength(where, "yScore", all.length, length);
  const scores = keptNumbers(all, kept);
  if (classes.length > 2) throw new DataError(where, "yTrue", "of two classes", `${classes.length} classes`);
  // With one class alone it is undecided which it is.
  if (classes.length === 1 && options.positiveLabel === undefined) oneClass(where, show(classes[0]));
  const label = classes[positiveClass(where, classes, options.positiveLabel)];
  const positive = new Uint8Array(list.length);
  for (let i = 0; i < list.length; i++) positive[i] = list[i] === label ? 1 : 0;
  return { scores, positive, weights };
}

/** 1 where the code is k. */
export function isClass(codes: Int32Array, k: number): Uint8Array {
  const flags = new Uint8Array(codes.length);
  for (let i = 0; i < flags.length; i++) flags[i] = codes[i] === k ? 1 : 0;
  return flags;
}

export function oneClass(where: string, shown: string): never {
  throw new DataError(where, "yTrue", "of both classes", `only ${shown}`);
}

/** Rates of positives and negatives need both. */
export function requireBothClasses(where: string, { positives, negatives }: Totals): void {
  if (positives === 0) oneClass(where, "negatives");
  if (negatives === 0) oneClass(where, "positives");
}

/** Weight of all positives and all negatives. */
export interface Totals {
  readonly positives: number;
  readonly negatives: number;
}

/**
 * Visits the distinct scores in descending order, with the weights of true and false positives among the scores that are at least as
 * large. Entries of weight 0 are left out: their scores are not thresholds.
 */
export function visitThresholds(
  { scores, positive, weights }: ScoredEntries,
  visit: (threshold: number, truePositives: number, falsePositives: number) => void,
): Totals {
  const order = descendingOrder(scores);
  let positives = 0;
  let negatives = 0;
  let threshold = Number.NaN;
  for (let e = 0; e < order.length; e++) {
    const i = order[e]!;
    const weight = weights === undefined ? 1 : weights[i]!;
    if (weight === 0) continue;
    const score = scores[i]!;
    if (score !== threshold) {
      if (positives + negatives > 0) visit(threshold, positives, negatives);
      threshold = score;
    }
    if (positive[i] === 1) positives += weight;
    else negatives += weight;
  }
  visit(threshold, positives, negatives);
  return { positives, negatives };
}

export function countByThreshold(entries: ScoredEntries): ThresholdCounts {
  const n = entries.scores.length;
  const [thresholds, truePositives, falsePositives] = [0, 1, 2].map(() => new Float64Array(n)) as [
    Float64Array,
    Float64Array,
    Float64Array,
  ];
  let count = 0;
  const totals = visitThresholds(entries, (threshold, tp, fp) => {
    thresholds[count] = threshold;
    truePositives[count] = tp;
    falsePositives[count++] = fp;
  });
  return {
    thresholds: thresholds.subarray(0, count),
    truePositives: truePositives.subarray(0, count),
    falsePositives: falsePositives.subarray(0, count),
    ...totals,
  };
}

/** The area under the ROC curve: the trapezoids between successive thresholds. */
export function areaUnderRoc(where: string, entries: ScoredEntries): number {
  if (entries.weights === undefined) return shareOfPairs(where, entries);
  let twice = 0;
  let lastTp = 0;
  let lastFp = 0;
  const totals = visitThresholds(entries, (_, tp, fp) => {
    twice += (tp + lastTp) * (fp - lastFp);
    lastTp = tp;
    lastFp = fp;
  });
  requireBothClasses(where, totals);
  return twice / (2 * totals.positives * totals.negatives);
}

/**
 * The same without weights: the fraction of pairs of a positive and a negative entry in which the positive one has the larger score, ties
 * counted half [Mann & Whitney 1947]. Needs the sorted scores of both classes, not the places of entries. Counts are exact.
 */
function shareOfPairs(where: string, { scores, positive }: ScoredEntries): number {
  const [high, low] = sortedGroups(scores, positive);
  const totals = { positives: high.upper.length, negatives: low.upper.length };
  requireBothClasses(where, totals);
  let twice = 0;
  for (let p = 0, below = 0, upTo = 0; p < totals.positives; p++) {
    const [upper, lower] = [high.upper[p]!, high.lower[p]!];
    while (below < totals.negatives && isBelow(low.upper[below]!, low.lower[below]!, upper, lower)) below++;
    if (upTo < below) upTo = below;
    while (upTo < totals.negatives && low.upper[upTo] === upper && low.lower[upTo] === lower) upTo++;
    twice += below + upTo;
  }
  return twice / (2 * totals.positives * totals.negatives);
}

const isBelow = (upper: number, lower: number, thanUpper: number, thanLower: number): boolean =>
  upper < thanUpper || (upper === thanUpper && lower < thanLower);

/** Σ (recall − recall of the next higher threshold) × precision; 0 where there are no positives. */
export function areaOfPrecision(entries: ScoredEntries): number {
  let area = 0;
  let last = 0;
  const { positives } = visitThresholds(entries, (_, tp, fp) => {
    if (tp > last) area += (tp - last) * (tp / (tp + fp));
    last = tp;
  });
  return positives === 0 ? 0 : area / positives;
}
