import { ParameterError } from "../core/errors.js";
import type { Label, Labels } from "../core/labels.js";
import { readOptions } from "../core/params/options.js";
import { real, type TableOf } from "../core/params/params.js";
import type { Figure, PrecisionRecallOptions } from "./precision-recall.js";
import { averageFigure, figures, precisionRecallOptions, ratio } from "./precision-recall.js";

export interface FBetaOptions<L extends Label> extends PrecisionRecallOptions<L> {
  /** Recall counts beta times as much as precision; 0 is precision alone, Infinity recall alone. */
  readonly beta: number;
}

const fBetaOptions = {
  ...precisionRecallOptions,
  beta: real({
    atLeast: 0,
    infinite: true,
    default: Number.NaN,
    doc: "Recall counts beta times as much as precision.",
  }),
} satisfies TableOf<FBetaOptions<Label>>;

/** (1 + β²) TP / ((1 + β²) TP + β² FN + FP). */
const fBeta = (beta: number): Figure =>
  beta === Infinity
    ? figures.recall
    : (hits, predicted, actual, zero) =>
        ratio((1 + beta * beta) * hits, predicted + beta * beta * actual, zero);

/** The weighted harmonic mean of precision and recall: (1 + β²) TP / ((1 + β²) TP + β² FN + FP). */
export function fBetaScore<L extends Label>(
  yTrue: Labels<L>,
  yPred: Labels<L>,
  options: FBetaOptions<L>,
): number {
  const where = "fBetaScore";
  const read = readOptions(where, fBetaOptions, options);
  if (Number.isNaN(read.beta)) {
    const { expected } = fBetaOptions.beta;
    throw new ParameterError(where, "beta", expected, "nothing");
  }
  return averageFigure(where, fBeta(read.beta), yTrue, yPred, options, read);
}
