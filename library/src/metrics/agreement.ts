import type { Label, Labels } from "../core/labels.js";
import { readOptions } from "../core/params/options.js";
import { choice, type TableOf } from "../core/params/params.js";
import type { CountOptions, MetricOptions } from "./inputs.js";
import { codePairs, countOptions, labels, metricOptions, weightedSum } from "./inputs.js";

export interface CohenKappaOptions<L extends Label> extends MetricOptions {
  /** The classes and their order, which weights depend on. Without it: all labels that occur, sorted. */
  readonly labels?: readonly L[] | undefined;
  /** How much a disagreement counts: 1, or the distance of the two classes in the order of `labels`, or its square. */
  readonly weights?: "linear" | "quadratic" | null | undefined;
}

const cohenKappaOptions = {
  ...metricOptions,
  labels,
  weights: choice(["linear", "quadratic", null], {
    default: null,
    doc: "How much a disagreement counts: 1, or the distance of the classes, or its square.",
  }),
} satisfies TableOf<CohenKappaOptions<Label>>;

/**
 * Cohen's kappa, the agreement of two raters beyond that of chance: 1 − Σ w O / Σ w E, with the observed counts O and the expected
 * ones E of independent raters. 1 where both always name one and the same class.
 * Parity: scikit-learn returns NaN in that case.
 */
export function cohenKappaScore<L extends Label>(
  y1: Labels<L>,
  y2: Labels<L>,
  options: CohenKappaOptions<L> = {},
): number {
  const where = "cohenKappaScore";
  const { weights } = readOptions(where, cohenKappaOptions, options);
  const { classes, truth, predicted, weights: counted } = codePairs(where, y1, y2, options);
  const rows = new Float64Array(classes.length);
  const columns = new Float64Array(classes.length);
  let [observed, total] = [0, 0];
  for (let i = 0; i < truth.length; i++) {
    const [a, b] = [truth[i]!, predicted[i]!];
    const apart = Math.abs(a - b);
    const weight = weights === null ? Math.min(apart, 1) : weights === "linear" ? apart : apart * apart;
    observed += weight * counted[i]!;
    rows[a]! += counted[i]!;
    columns[b]! += counted[i]!;
    total += counted[i]!;
  }
  const distances = distancesTo(columns, total, weights);
  const expected = rows.reduce((sum, count, a) => sum + (count / total) * distances[a]!, 0);
  return expected === 0 ? 1 : 1 - observed / expected;
}

/** Σ_b w(a, b) · counts[b] for every class a, in one pass over the classes and as sums of terms ≥ 0. */
function distancesTo(
  counts: Float64Array,
  total: number,
  weights: "linear" | "quadratic" | null,
): Float64Array {
  if (weights === null) return counts.map((count) => total - count);
  if (weights === "quadratic") {
    const mean = counts.reduce((sum, count, b) => sum + (count / total) * b, 0);
    const around = counts.reduce((sum, count, b) => sum + count * (b - mean) ** 2, 0);
    return counts.map((_, a) => total * (a - mean) ** 2 + around);
  }
  const out = new Float64Array(counts.length);
  for (const order of [[...counts.keys()], [...counts.keys()].reverse()]) {
    let [below, distance] = [0, 0];
    for (const a of order) {
      distance += below;
      out[a]! += distance;
      below += counts[a]!;
    }
  }
  return out;
}

export interface ZeroOneOptions extends CountOptions {}

/** Fraction of entries that are predicted wrongly: Σ w [truth ≠ prediction] / Σ w. */
export function zeroOneLoss<L extends Label>(
  yTrue: Labels<L>,
  yPred: Labels<L>,
  options: ZeroOneOptions = {},
): number {
  const where = "zeroOneLoss";
  const { normalize } = readOptions(where, countOptions, options);
  const { sum, total } = wrongEntries(where, yTrue, yPred, options);
  return normalize ? sum / total : sum;
}

/** Fraction of labels that are predicted wrongly; of one label per entry, the zero–one loss. */
export function hammingLoss<L extends Label>(
  yTrue: Labels<L>,
  yPred: Labels<L>,
  options: MetricOptions = {},
): number {
  const where = "hammingLoss";
  readOptions(where, metricOptions, options);
  const { sum, total } = wrongEntries(where, yTrue, yPred, options);
  return sum / total;
}

function wrongEntries<L extends Label>(
  where: string,
  yTrue: Labels<L>,
  yPred: Labels<L>,
  options: MetricOptions,
) {
  const { truth, predicted, weights } = codePairs(where, yTrue, yPred, options);
  return weightedSum(weights, (i) => (truth[i] === predicted[i] ? 0 : 1));
}
