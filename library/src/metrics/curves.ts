import { DataError, show } from "../core/errors.js";
import type { Label, Labels, NumberArray } from "../core/labels.js";
import { readOptions } from "../core/params/options.js";
import { flag, type TableOf } from "../core/params/params.js";
import { readNumbers, sameLength } from "./inputs.js";
import type { RankingOptions, ThresholdCounts } from "./threshold-counts.js";
import { countByThreshold, rankingOptions, readScored, requireBothClasses } from "./threshold-counts.js";

export interface RocCurveOptions<L extends Label> extends RankingOptions<L> {
  /** Leave out thresholds between two others on one straight line; the curve stays the same. */
  readonly dropIntermediate?: boolean | undefined;
}

const rocCurveOptions = {
  ...rankingOptions,
  dropIntermediate: flag({
    default: true,
    doc: "Leave out thresholds between two others on one straight line.",
  }),
} satisfies TableOf<RocCurveOptions<Label>>;

/** Points of a ROC curve from (0, 0) to (1, 1). */
export interface RocCurve {
  readonly fpr: Float64Array;
  readonly tpr: Float64Array;
  /** Descending; point e is that of predicting "positive" for scores ≥ thresholds[e]. The first is Infinity: no positives. */
  readonly thresholds: Float64Array;
}

/**
 * True positive rate over false positive rate, for every threshold of the score.
 * Parity: scikit-learn 1.3 and later, in which the first threshold is infinite; before, it was the largest score plus 1.
 */
export function rocCurve<L extends Label>(
  yTrue: Labels<L>,
  yScore: NumberArray,
  options: RocCurveOptions<L> = {},
): RocCurve {
  const where = "rocCurve";
  const { dropIntermediate } = readOptions(where, rocCurveOptions, options);
  const counts = countByThreshold(readScored(where, yTrue, yScore, options));
  requireBothClasses(where, counts);
  const kept = dropIntermediate ? cornersOf(counts) : counts.thresholds.map((_, e) => e);
  const rates = (values: Float64Array, total: number) =>
    Float64Array.from([0, ...kept], (e, at) => (at === 0 ? 0 : values[e]! / total));
  return {
    fpr: rates(counts.falsePositives, counts.negatives),
    tpr: rates(counts.truePositives, counts.positives),
    thresholds: Float64Array.from([0, ...kept], (e, at) => (at === 0 ? Infinity : counts.thresholds[e]!)),
  };
}

/** The first, the last, and the points at which either count changes its step. */
function cornersOf({ truePositives: tp, falsePositives: fp }: ThresholdCounts): Float64Array {
  const bends = (v: Float64Array, e: number) => v[e + 1]! - v[e]! !== v[e]! - v[e - 1]!;
  const last = tp.length - 1;
  return Float64Array.from(tp.keys()).filter((e) => e === 0 || e === last || bends(tp, e) || bends(fp, e));
}

function thresholdCounts<L extends Label>(
  where: string,
  yTrue: Labels<L>,
  yScore: NumberArray,
  options: RankingOptions<L>,
): ThresholdCounts {
  readOptions(where, rankingOptions, options);
  return countByThreshold(readScored(where, yTrue, yScore, options));
}

/** Points of a precision–recall curve, by ascending thresholds. */
export interface PrecisionRecallCurve {
  /** One entry more than there are thresholds: the last is 1, at recall 0. */
  readonly precision: Float64Array;
  readonly recall: Float64Array;
  /** Point e is that of predicting "positive" for scores ≥ thresholds[e]. */
  readonly thresholds: Float64Array;
}

/** Precision and recall for every threshold of the score. Without any positives, recall is 1. Parity: scikit-learn. */
export function precisionRecallCurve<L extends Label>(
  yTrue: Labels<L>,
  yScore: NumberArray,
  options: RankingOptions<L> = {},
): PrecisionRecallCurve {
  const counts = thresholdCounts("precisionRecallCurve", yTrue, yScore, options);
  const { truePositives, falsePositives, positives, thresholds } = counts;
  const precision = truePositives.map((tp, e) => tp / (tp + falsePositives[e]!));
  const recall = truePositives.map((tp) => (positives === 0 ? 1 : tp / positives));
  return {
    precision: Float64Array.from([...precision.reverse(), 1]),
    recall: Float64Array.from([...recall.reverse(), 0]),
    thresholds: thresholds.slice().reverse(),
  };
}

/** Both error rates, by ascending thresholds. */
export interface DetCurve {
  readonly fpr: Float64Array;
  readonly fnr: Float64Array;
  readonly thresholds: Float64Array;
}

/**
 * Detection error tradeoff: false negative rate over false positive rate, from the highest threshold without a false negative to the
 * lowest with the fewest false positives.
 */
export function detCurve<L extends Label>(
  yTrue: Labels<L>,
  yScore: NumberArray,
  options: RankingOptions<L> = {},
): DetCurve {
  const where = "detCurve";
  const counts = thresholdCounts(where, yTrue, yScore, options);
  requireBothClasses(where, counts);
  const { truePositives, falsePositives, positives, negatives, thresholds } = counts;
  const first = Math.max(0, falsePositives.findIndex((fp) => fp > falsePositives[0]!) - 1);
  const last = truePositives.indexOf(positives) + 1;
  const part = (values: Float64Array, of: (value: number) => number) =>
    values.subarray(first, last).map(of).reverse();
  return {
    fpr: part(falsePositives, (fp) => fp / negatives),
    fnr: part(truePositives, (tp) => (positives - tp) / positives),
    thresholds: part(thresholds, (t) => t),
  };
}

/** The area under a curve through points (x, y), by trapezoids; x ascends or descends. */
export function auc(x: NumberArray, y: NumberArray): number {
  const where = "auc";
  const [xs, ys] = [readNumbers(where, "x", x), readNumbers(where, "y", y)];
  sameLength(where, "y", ys.length, xs.length);
  if (xs.length < 2) throw new DataError(where, "x", "two points or more", `${xs.length}`);
  const steps = xs.subarray(1).map((v, e) => v - xs[e]!);
  const descends = steps.every((step) => step <= 0);
  if (!descends && steps.some((step) => step < 0)) {
    throw new DataError(where, "x", "ascending or descending", show(Array.from(xs.subarray(0, 5))));
  }
  const area = steps.reduce((sum, step, e) => sum + (step * (ys[e]! + ys[e + 1]!)) / 2, 0);
  return descends ? -area : area;
}
