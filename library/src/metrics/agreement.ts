import type { Label, Labels } from "../core/labels.js";
import { readOptions } from "../core/options.js";
import { choice, flag, type ParamSpec } from "../core/params.js";
import { codePairs, labels, type MetricOptions, metricOptions } from "./inputs.js";

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
} satisfies Record<keyof CohenKappaOptions<Label>, ParamSpec<unknown>>;

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
  const K = classes.length;
  const data = new Float64Array(K * K);
  for (let i = 0; i < truth.length; i++) data[truth[i]! * K + predicted[i]!]! += counted[i]!;
  const rows = new Float64Array(K);
  const columns = new Float64Array(K);
  for (let e = 0; e < data.length; e++) {
    rows[Math.floor(e / K)]! += data[e]!;
    columns[e % K]! += data[e]!;
  }
  const total = rows.reduce((sum, v) => sum + v, 0);
  let [observed, expected] = [0, 0];
  for (let e = 0; e < data.length; e++) {
    const [a, b] = [Math.floor(e / K), e % K];
    const apart = Math.abs(a - b);
    const weight = weights === null ? Math.min(apart, 1) : weights === "linear" ? apart : apart * apart;
    observed += weight * data[e]!;
    expected += (weight * rows[a]! * columns[b]!) / total;
  }
  return expected === 0 ? 1 : 1 - observed / expected;
}

export interface ZeroOneOptions extends MetricOptions {
  /** When false, the (weighted) number of wrong entries instead of their fraction. */
  readonly normalize?: boolean | undefined;
}

const zeroOneOptions = {
  ...metricOptions,
  normalize: flag({
    default: true,
    doc: "When false, the number of wrong entries instead of their fraction.",
  }),
} satisfies Record<keyof ZeroOneOptions, ParamSpec<unknown>>;

/** Fraction of entries that are predicted wrongly: Σ w [truth ≠ prediction] / Σ w. */
export function zeroOneLoss<L extends Label>(
  yTrue: Labels<L>,
  yPred: Labels<L>,
  options: ZeroOneOptions = {},
): number {
  const where = "zeroOneLoss";
  const { normalize } = readOptions(where, zeroOneOptions, options);
  const { wrong, total } = wrongEntries(where, yTrue, yPred, options);
  return normalize ? wrong / total : wrong;
}

/** Fraction of labels that are predicted wrongly; of one label per entry, the zero–one loss. */
export function hammingLoss<L extends Label>(
  yTrue: Labels<L>,
  yPred: Labels<L>,
  options: MetricOptions = {},
): number {
  const where = "hammingLoss";
  readOptions(where, metricOptions, options);
  const { wrong, total } = wrongEntries(where, yTrue, yPred, options);
  return wrong / total;
}

function wrongEntries<L extends Label>(
  where: string,
  yTrue: Labels<L>,
  yPred: Labels<L>,
  options: MetricOptions,
) {
  const { truth, predicted, weights } = codePairs(where, yTrue, yPred, options);
  let [wrong, total] = [0, 0];
  for (let i = 0; i < truth.length; i++) {
    if (truth[i] !== predicted[i]) wrong += weights[i]!;
    total += weights[i]!;
  }
  return { wrong, total };
}
