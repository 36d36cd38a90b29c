import type { MatrixLike } from "../core/contract.js";
import { DataError, show } from "../core/errors.js";
import type { Label, Labels, NumberArray } from "../core/labels.js";
import { firstAtLeast } from "../core/numbers/bisection.js";
import { argmax } from "../core/numbers/scores.js";
import { readOptions } from "../core/params/options.js";
import { choice, integer, type TableOf } from "../core/params/params.js";
import { codeTruth, isNumberList, labels } from "./inputs.js";
import { readProbabilities } from "./probabilities.js";
import { type RankingOptions, rankingOptions, readScored, type ScoredEntries } from "./threshold-counts.js";
import { expandedQuantile } from "./weighted-quantiles.js";

interface BinOptions {
  /** The number of bins; those without entries are left out. */
  readonly nBins?: number | undefined;
  /** Bins of one width, or with about as many entries each. */
  readonly strategy?: "uniform" | "quantile" | undefined;
}

const binOptions = (nBins: number) =>
  ({
    nBins: integer({ atLeast: 1, default: nBins, doc: "The number of bins." }),
    strategy: choice(["uniform", "quantile"], {
      default: "uniform",
      doc: "Bins of one width, or with about as many entries each.",
    }),
  }) satisfies TableOf<BinOptions>;

export interface CalibrationCurveOptions<L extends Label> extends RankingOptions<L>, BinOptions {}

const calibrationCurveOptions = { ...rankingOptions, ...binOptions(5) } satisfies TableOf<
  CalibrationCurveOptions<Label>
>;

/** One entry per bin that has entries, by ascending probability. */
export interface CalibrationCurve {
  /** Fraction of positives. */
  readonly probTrue: Float64Array;
  /** Mean predicted probability. */
  readonly probPred: Float64Array;
  /** Weight of the entries. */
  readonly weight: Float64Array;
}

/** Reliability diagram: the fraction of positives over the mean predicted probability, bin by bin. On the diagonal: calibrated. */
export function calibrationCurve<L extends Label>(
  yTrue: Labels<L>,
  probability: NumberArray,
  options: CalibrationCurveOptions<L> = {},
): CalibrationCurve {
  const where = "calibrationCurve";
  const { nBins, strategy } = readOptions(where, calibrationCurveOptions, options);
  return curveOf(where, readScored(where, yTrue, probability, options), nBins, strategy);
}

export interface CalibrationErrorOptions<L extends Label> extends RankingOptions<L>, BinOptions {
  /** The class of each column of a matrix of probabilities. Without it: the labels of yTrue, sorted. */
  readonly labels?: readonly L[] | undefined;
}

const calibrationErrorOptions = { ...rankingOptions, ...binOptions(10), labels } satisfies TableOf<
  CalibrationErrorOptions<Label>
>;

/**
 * Expected calibration error: the mean over bins, weighted by their entries, of |fraction that occurs − mean probability|. A list is
 * the probability of the positive class. A matrix has one column per class, and the error is that of the predicted class: how far
 * confidence is from accuracy [Guo et al. 2017].
 */
export function expectedCalibrationError<L extends Label>(
  yTrue: Labels<L>,
  probabilities: NumberArray | MatrixLike,
  options: CalibrationErrorOptions<L> = {},
): number {
  const where = "expectedCalibrationError";
  const { nBins, strategy } = readOptions(where, calibrationErrorOptions, options);
  const entries = isNumberList(probabilities)
    ? readScored(where, yTrue, probabilities, options)
    : readConfidences(where, yTrue, probabilities as MatrixLike, options);
  const curve = curveOf(where, entries, nBins, strategy);
  const total = curve.weight.reduce((sum, w) => sum + w, 0);
  return curve.weight.reduce(
    (sum, w, b) => sum + (w / total) * Math.abs(curve.probTrue[b]! - curve.probPred[b]!),
    0,
  );
}

function curveOf(
  where: string,
  { scores, positive, weights }: ScoredEntries,
  nBins: number,
  strategy: "uniform" | "quantile",
): CalibrationCurve {
  requireUnitInterval(where, scores);
  const counted = weights ?? new Float64Array(scores.length).fill(1);
  return binned(scores, positive, counted, edgesOf(scores, counted, nBins, strategy));
}

/** The probability of each predicted class; positive where it is the truth. */
function readConfidences<L extends Label>(
  where: string,
  yTrue: Labels<L>,
  given: MatrixLike,
  options: CalibrationErrorOptions<L>,
) {
  const coded = codeTruth(where, yTrue, options);
  const { classes, truth, weights } = coded;
  const { data, cols, rows } = readProbabilities(where, given, coded, classes.length);
  const best = Int32Array.from({ length: rows }, (_, i) => argmax(data, i * cols, cols));
  const scores = Float64Array.from(best, (k, i) => data[i * cols + k]!);
  return { scores, positive: Uint8Array.from(best, (k, i) => (truth[i] === k ? 1 : 0)), weights };
}

function requireUnitInterval(where: string, p: Float64Array): void {
  const wrong = p.findIndex((v) => !(v >= 0 && v <= 1));
  if (wrong < 0) return;
  throw new DataError(where, `probability[${wrong}]`, "a number in [0, 1]", show(p[wrong]));
}

/** The inner edges of the bins; a probability at an edge belongs to the bin below. */
function edgesOf(
  p: Float64Array,
  weights: Float64Array,
  nBins: number,
  strategy: "uniform" | "quantile",
): Float64Array {
  const fractions = Float64Array.from({ length: nBins - 1 }, (_, b) => (b + 1) / nBins);
  return strategy === "uniform" ? fractions : expandedQuantile(p, weights, fractions);
}

function binned(
  p: Float64Array,
  isPositive: Uint8Array,
  weights: Float64Array,
  edges: Float64Array,
): CalibrationCurve {
  const zeros = () => new Float64Array(edges.length + 1);
  const [positive, sum, weight] = [zeros(), zeros(), zeros()];
  for (let i = 0; i < p.length; i++) {
    const b = firstAtLeast(edges, p[i]!);
    positive[b]! += isPositive[i]! * weights[i]!;
    sum[b]! += weights[i]! * p[i]!;
    weight[b]! += weights[i]!;
  }
  const filled = Array.from(weight.keys()).filter((b) => weight[b]! > 0);
  return {
    probTrue: Float64Array.from(filled, (b) => positive[b]! / weight[b]!),
    probPred: Float64Array.from(filled, (b) => sum[b]! / weight[b]!),
    weight: Float64Array.from(filled, (b) => weight[b]!),
  };
}
