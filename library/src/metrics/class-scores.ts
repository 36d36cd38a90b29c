import type { MatrixLike } from "../core/contract.js";
import { ParameterError, show } from "../core/errors.js";
import type { Label, Labels, NumberArray } from "../core/labels.js";
import { readOptions } from "../core/params/options.js";
import { integer, type TableOf } from "../core/params/params.js";
import { leadOf } from "../core/params/predict-options.js";
import { readMatrix } from "../data/input.js";
import { Matrix } from "../data/matrix.js";
import {
  type CountOptions,
  codeTruth,
  isNumberList,
  labels,
  type MetricOptions,
  metricOptions,
  normalize,
  readNumbers,
  requireColumns,
  requireSeveralClasses,
  sameLength,
  weightedSum,
} from "./inputs.js";

export interface ClassScoreOptions<L extends Label> extends MetricOptions {
  /** The class of each column of the scores. Without it: the labels of yTrue, sorted, as in `model.classes`. */
  readonly labels?: readonly L[] | undefined;
}

export const classScoreOptions = { ...metricOptions, labels } satisfies TableOf<ClassScoreOptions<Label>>;

/** The truth, and one column of scores (of the second of two classes) or one per class. */
function readClassScores<L extends Label>(
  where: string,
  yTrue: Labels<L>,
  scores: NumberArray | MatrixLike,
  options: ClassScoreOptions<L>,
) {
  const { classes, truth, weights, kept, length } = codeTruth(where, yTrue, options);
  const given = isNumberList(scores)
    ? listAsColumn(readNumbers(where, "yScore", scores))
    : readMatrix(where, scores as MatrixLike, {});
  sameLength(where, "yScore", given.rows, length);
  const { data, cols } = kept ? given.selectRows(kept) : given;
  requireSeveralClasses(where, classes);
  if (cols !== 1 || classes.length !== 2) requireColumns(where, "yScore", cols, classes.length);
  return { truth, weights, data, cols, classes };
}

const listAsColumn = (data: Float64Array): Matrix => new Matrix(data, data.length, 1);

export interface TopKOptions<L extends Label> extends ClassScoreOptions<L>, CountOptions {
  /** How many of the classes with the largest scores may be the truth. */
  readonly k?: number | undefined;
}

const topKOptions = {
  ...classScoreOptions,
  k: integer({ atLeast: 1, default: 2, doc: "How many of the largest scores count." }),
  normalize,
} satisfies TableOf<TopKOptions<Label>>;

/**
 * Fraction of entries whose true class is among the k classes with the largest scores; of equal scores the later class counts as
 * larger. A list of scores of two classes is decided at 0.5 if all are in [0, 1], else at 0. Parity: scikit-learn.
 */
export function topKAccuracyScore<L extends Label>(
  yTrue: Labels<L>,
  yScore: NumberArray | MatrixLike,
  options: TopKOptions<L> = {},
): number {
  const where = "topKAccuracyScore";
  const { k, normalize } = readOptions(where, topKOptions, options);
  const { truth, weights, data, cols, classes } = readClassScores(where, yTrue, yScore, options);
  if (k > classes.length) {
    throw new ParameterError(where, "k", `at most the number of classes (${classes.length})`, show(k));
  }
  const threshold = data.every((v) => v >= 0 && v <= 1) ? 0.5 : 0;
  const isHit = (i: number) => {
    const own = truth[i]!;
    if (cols === 1) return k === 2 || (data[i]! > threshold ? 1 : 0) === own;
    const score = data[i * cols + own]!;
    let above = 0;
    for (let c = 0; c < cols; c++) {
      const other = data[i * cols + c]!;
      if (other > score || (other === score && c > own)) above++;
    }
    return above < k;
  };
  const { sum, total } = weightedSum(weights, (i) => (isHit(i) ? 1 : 0));
  return normalize ? sum / total : sum;
}

/**
 * Mean of max(0, 1 − margin): of two classes the margin is the decision function, negated for the first class; of more, the score of
 * the true class less the largest of the others [Crammer & Singer 2001].
 */
export function hingeLoss<L extends Label>(
  yTrue: Labels<L>,
  decision: NumberArray | MatrixLike,
  options: ClassScoreOptions<L> = {},
): number {
  const where = "hingeLoss";
  readOptions(where, classScoreOptions, options);
  const { truth, weights, data, cols } = readClassScores(where, yTrue, decision, options);
  const { sum, total } = weightedSum(weights, (i) => {
    const own = truth[i]!;
    const margin = cols === 1 ? (own === 1 ? data[i]! : -data[i]!) : leadOf(data, i * cols, cols, own);
    return Math.max(0, 1 - margin);
  });
  return sum / total;
}
