import { listOf } from "../core/column-like.js";
import type { MatrixLike } from "../core/contract.js";
import { DataError, show } from "../core/errors.js";
import { checkList, type Label, type Labels, type NumberArray } from "../core/labels.js";
import { log } from "../core/numbers/elementary.js";
import { readOptions } from "../core/params/options.js";
import type { TableOf } from "../core/params/params.js";
import { readMatrix } from "../data/input.js";
import { Matrix } from "../data/matrix.js";
import { classScoreOptions } from "./class-scores.js";
import {
  type CodedPairs,
  codeTruth,
  isNumberList,
  keptEntries,
  type MetricOptions,
  metricOptions,
  positiveClass,
  positiveLabel,
  requireColumns,
  requireSeveralClasses,
  sameLength,
  weightedSum,
} from "./inputs.js";

export interface LogLossOptions<L extends Label> extends MetricOptions {
  /** The class of each column of the probabilities. Without it: the labels of yTrue, sorted, as in `model.classes`. */
  readonly labels?: readonly L[] | undefined;
}

/** How far a row of probabilities may be from summing to 1: what 32-bit arithmetic over many classes loses. */
const SUM_TOLERANCE = 1e-5;
/** Probabilities are kept this far from 0 and 1, so that one confident mistake is not infinite (scikit-learn). */
const EPSILON = 2 ** -52;

/** Cross-entropy: −Σ w log p(truth) / Σ w. A list instead of a matrix is the probability of the second of two classes. */
export function logLoss<L extends Label>(
  yTrue: Labels<L>,
  probabilities: MatrixLike | NumberArray,
  options: LogLossOptions<L> = {},
): number {
  const where = "logLoss";
  readOptions(where, classScoreOptions, options);
  const { classes, truth, weights, kept, length } = codeTruth(where, yTrue, options);
  requireSeveralClasses(where, classes);
  const p = readProbabilities(where, probabilities, { kept, length }, classes.length);
  const { sum, total } = weightedSum(weights, (i) => {
    let ofRow = 0;
    for (let k = 0; k < p.cols; k++) ofRow += clip(p.data[i * p.cols + k]!);
    return -log(clip(p.data[i * p.cols + truth[i]!]!) / ofRow);
  });
  return sum / total;
}

const clip = (p: number) => Math.min(Math.max(p, EPSILON), 1 - EPSILON);

/** One row per entry that counts, one column per class; in [0, 1], summing to 1. */
export function readProbabilities(
  where: string,
  given: MatrixLike | NumberArray,
  { kept, length }: Pick<CodedPairs<Label>, "kept" | "length">,
  classes: number,
): Matrix {
  const all = isNumberList(given) ? twoColumns(given) : readMatrix(where, given, {});
  sameLength(where, "the probabilities", all.rows, length);
  const p = kept ? all.selectRows(kept) : all;
  requireColumns(where, "the probabilities", p.cols, classes);
  for (let i = 0; i < p.rows; i++) {
    const row = p.row(i);
    const outside = row.find((value) => !(value >= 0 && value <= 1));
    const sum = row.reduce((total, value) => total + value, 0);
    if (outside !== undefined || Math.abs(sum - 1) > SUM_TOLERANCE) {
      const subject = `row ${kept ? kept[i] : i} of the probabilities`;
      const received = outside === undefined ? `a sum of ${sum}` : show(outside);
      throw new DataError(where, subject, "in [0, 1] and of sum 1", received);
    }
  }
  return p;
}

/** P(second class) as both columns. */
function twoColumns(given: NumberArray): Matrix {
  const p = listOf(given);
  const out = Matrix.zeros(p.length, 2);
  for (let i = 0; i < p.length; i++) {
    out.data[2 * i] = 1 - p[i]!;
    out.data[2 * i + 1] = p[i]!;
  }
  return out;
}

export interface BrierOptions<L extends Label> extends MetricOptions {
  /** The label whose probability is given; without it 1, true, "yes" and the like. Other labels must be given. */
  readonly positiveLabel?: L | undefined;
}

const brierOptions = { ...metricOptions, positiveLabel } satisfies TableOf<BrierOptions<Label>>;

/** Mean squared distance of the probability of the positive class from the truth: Σ w (p − [y = positive])² / Σ w. */
export function brierScoreLoss<L extends Label>(
  yTrue: Labels<L>,
  probability: NumberArray,
  options: BrierOptions<L> = {},
): number {
  const where = "brierScoreLoss";
  readOptions(where, brierOptions, options);
  const { truth, weights, classes, kept, length } = codeTruth(where, yTrue, options);
  const all = listOf(probability);
  checkList(where, "the probabilities", all);
  sameLength(where, "the probabilities", all.length, length);
  const given = keptEntries(all, kept);
  if (classes.length > 2) throw new DataError(where, "yTrue", "of two classes", `${classes.length}`);
  const positive = positiveClass(where, classes, options.positiveLabel);
  const { sum, total } = weightedSum(weights, (i) => {
    const p: unknown = given[i];
    if (typeof p !== "number" || !(p >= 0 && p <= 1)) {
      throw new DataError(where, `probability[${kept ? kept[i] : i}]`, "a number in [0, 1]", show(p));
    }
    const distance = p - (truth[i] === positive ? 1 : 0);
    return distance * distance;
  });
  return sum / total;
}
