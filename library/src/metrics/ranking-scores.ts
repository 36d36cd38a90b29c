import type { MatrixLike } from "../core/contract.js";
import { DataError, ParameterError, show } from "../core/errors.js";
import type { Label, Labels, NumberArray } from "../core/labels.js";
import { readOptions } from "../core/params/options.js";
import { choice, optional, real, type TableOf } from "../core/params/params.js";
import { usualPositive } from "../core/positive-label.js";
import { readMatrix } from "../data/input.js";
import type { Matrix } from "../data/matrix.js";
import { codeTruth, isNumberList, labels, requireColumns, sameLength } from "./inputs.js";
import {
  areaOfPrecision,
  areaUnderRoc,
  countByThreshold,
  isClass,
  type RankingOptions,
  rankingOptions,
  readScored,
  requireBothClasses,
  type ScoredEntries,
} from "./threshold-counts.js";

/** Options of scores of rankings of two or more classes. */
export interface ClassRankingOptions<L extends Label> extends RankingOptions<L> {
  /** The class of each column of a matrix of scores. Without it: the labels of yTrue, sorted, as in `model.classes`. */
  readonly labels?: readonly L[] | undefined;
  /** More than two classes: the mean over classes, or that mean weighted by their number of entries. */
  readonly average?: "macro" | "weighted" | undefined;
}

export interface RocAucOptions<L extends Label> extends ClassRankingOptions<L> {
  /** More than two classes: each against the rest, or each pair of classes against each other. */
  readonly multiClass?: "ovr" | "ovo" | null | undefined;
  /** Two classes: only the curve up to this false positive rate counts, scaled so that 0.5 is chance and 1 is best (McClish). */
  readonly maxFpr?: number | null | undefined;
}

const classRankingOptions = {
  ...rankingOptions,
  labels,
  average: choice(["macro", "weighted"], {
    default: "macro",
    doc: "How the scores of more than two classes are combined.",
  }),
} satisfies TableOf<ClassRankingOptions<Label>>;

const rocAucOptions = {
  ...classRankingOptions,
  multiClass: choice(["ovr", "ovo", null], {
    default: null,
    doc: "More than two classes: each against the rest, or each pair.",
  }),
  maxFpr: optional(
    real({ above: 0, atMost: 1, default: 1, doc: "The curve up to this false positive rate counts." }),
  ),
} satisfies TableOf<RocAucOptions<Label>>;

/** A matrix of scores with its truth. */
interface ClassScores {
  readonly truth: Int32Array;
  readonly weights: Float64Array;
  readonly scores: Matrix;
}

/**
 * Area under the ROC curve: the probability that a positive entry has a larger score than a negative one, ties counted half. Of more
 * than two classes: `{ multiClass: "ovr" }` or `"ovo"` [Hand & Till 2001], from a matrix with one column per class.
 * Parity: scikit-learn refuses weights with "ovo"; here a pair counts the weights of its two classes.
 */
export function rocAucScore<L extends Label>(
  yTrue: Labels<L>,
  yScore: NumberArray | MatrixLike,
  options: RocAucOptions<L> = {},
): number {
  const where = "rocAucScore";
  const { multiClass, average, maxFpr } = readOptions(where, rocAucOptions, options);
  const several = readClassScores(where, yTrue, yScore, options);
  if (several === undefined) {
    const column = columnOf(where, yTrue, yScore, options);
    const entries = readScored(where, yTrue, column, {
      ...options,
      positiveLabel: ranked(yTrue, yScore, options),
    });
    if (maxFpr !== null && maxFpr < 1) return partialArea(where, entries, maxFpr);
    return areaUnderRoc(where, entries);
  }
  if (multiClass === null) refuse(where, "multiClass", '"ovr" or "ovo" for more than two classes', "nothing");
  if (maxFpr !== null && maxFpr < 1)
    refuse(where, "maxFpr", "absent for more than two classes", show(maxFpr));
  requireProbabilities(where, several.scores);
  return multiClass === "ovr"
    ? againstTheRest(several, average, (entries) => areaUnderRoc(where, entries))
    : againstEachOther(where, several, average);
}

/**
 * Average precision: Σ (Rₑ − Rₑ₋₁) Pₑ over the thresholds, with the recall R and the precision P of each. Of more than two classes:
 * each against the rest, from a matrix with one column per class.
 */
export function averagePrecisionScore<L extends Label>(
  yTrue: Labels<L>,
  yScore: NumberArray | MatrixLike,
  options: ClassRankingOptions<L> = {},
): number {
  const where = "averagePrecisionScore";
  const { average } = readOptions(where, classRankingOptions, options);
  const several = readClassScores(where, yTrue, yScore, options);
  if (several) return againstTheRest(several, average, areaOfPrecision);
  const column = columnOf(where, yTrue, yScore, options);
  return areaOfPrecision(readScored(where, yTrue, column, options));
}

/** The scores of more than two classes; undefined if there are two or fewer. */
function readClassScores<L extends Label>(
  where: string,
  yTrue: Labels<L>,
  given: NumberArray | MatrixLike,
  options: ClassRankingOptions<L>,
): ClassScores | undefined {
  if (isNumberList(given)) return undefined;
  const { classes, truth, weights, kept, length } = codeTruth(where, yTrue, options);
  const all = readMatrix(where, given as MatrixLike, {});
  sameLength(where, "yScore", all.rows, length);
  const scores = kept ? all.selectRows(kept) : all;
  if (scores.cols <= 2 && classes.length <= 2) return undefined;
  requireColumns(where, "yScore", scores.cols, classes.length);
  if (options.positiveLabel !== undefined)
    refuse(where, "positiveLabel", "absent for more than two classes", show(options.positiveLabel));
  return { truth, weights, scores };
}

/** The scores of the positive one of two classes: a list, the only column, or its column. */
function columnOf<L extends Label>(
  where: string,
  yTrue: Labels<L>,
  given: NumberArray | MatrixLike,
  { labels: known, positiveLabel, sampleWeight }: ClassRankingOptions<L>,
): NumberArray {
  if (isNumberList(given)) return given;
  const scores = readMatrix(where, given as MatrixLike, {});
  if (scores.cols === 1) return scores.column(0);
  const { classes } = codeTruth(where, yTrue, { labels: known, sampleWeight });
  const label = positiveLabel ?? usualPositive(classes);
  return scores.column(label === undefined ? 1 : Math.max(0, classes.indexOf(label)));
}

/** The label that the scores of two classes rank first. The area is the same for both columns of a matrix, so the last one will do. */
const ranked = <L extends Label>(
  yTrue: Labels<L>,
  yScore: NumberArray | MatrixLike,
  { labels: known, sampleWeight, positiveLabel }: ClassRankingOptions<L>,
): L | undefined =>
  positiveLabel ??
  (isNumberList(yScore)
    ? undefined
    : codeTruth("rocAucScore", yTrue, { labels: known, sampleWeight }).classes[1]);

/** The mean over the classes of a score of one against the rest. */
function againstTheRest(
  { truth, weights, scores }: ClassScores,
  average: "macro" | "weighted",
  score: (entries: ScoredEntries) => number,
): number {
  let [sum, total] = [0, 0];
  for (let k = 0; k < scores.cols; k++) {
    const positive = isClass(truth, k);
    const weight = average === "macro" ? 1 : weights.reduce((w, own, i) => w + positive[i]! * own, 0);
    sum += weight * score({ scores: scores.column(k), positive, weights });
    total += weight;
  }
  return sum / total;
}

/** The mean over pairs of classes of (AUC of one against the other + AUC of the other against the one) / 2. */
function againstEachOther(where: string, data: ClassScores, average: "macro" | "weighted"): number {
  const { truth, weights, scores } = data;
  let [sum, total] = [0, 0];
  for (let a = 0; a < scores.cols; a++)
    for (let b = a + 1; b < scores.cols; b++) {
      const within = weights.map((w, i) => (truth[i] === a || truth[i] === b ? w : 0));
      const area = (k: number) =>
        areaUnderRoc(where, { scores: scores.column(k), positive: isClass(truth, k), weights: within });
      const weight = average === "macro" ? 1 : within.reduce((w, next) => w + next, 0);
      sum += (weight * (area(a) + area(b))) / 2;
      total += weight;
    }
  return sum / total;
}

/** The area up to a false positive rate, between that of chance (0.5) and the best (1) [McClish 1989]. */
function partialArea(where: string, entries: ScoredEntries, maxFpr: number): number {
  const counts = countByThreshold(entries);
  requireBothClasses(where, counts);
  const { truePositives, falsePositives, positives, negatives } = counts;
  const end = maxFpr * negatives;
  let area = 0;
  let [tp, fp] = [0, 0];
  for (let e = 0; e < truePositives.length && fp < end; e++) {
    const [nextTp, nextFp] = [truePositives[e]!, falsePositives[e]!];
    const part = nextFp > end ? (end - fp) / (nextFp - fp) : 1;
    area += (tp + (part * (nextTp - tp)) / 2) * part * (nextFp - fp);
    tp = nextTp;
    fp = nextFp;
  }
  const [least, most] = [(maxFpr * maxFpr) / 2, maxFpr];
  return (1 + (area / (positives * negatives) - least) / (most - least)) / 2;
}

/** What 32-bit arithmetic over many classes loses. */
const SUM_TOLERANCE = 1e-5;

/** Columns are compared with each other's classes only if they are on one scale. Parity: scikit-learn requires it too. */
function requireProbabilities(where: string, { data, rows, cols }: Matrix): void {
  for (let i = 0; i < rows; i++) {
    let sum = 0;
    for (let k = 0; k < cols; k++) sum += data[i * cols + k]!;
    if (Math.abs(sum - 1) <= SUM_TOLERANCE) continue;
    const expected = "of sum 1: probabilities, one column per class";
    throw new DataError(where, `row ${i} of yScore`, expected, `a sum of ${sum}`);
  }
}

function refuse(where: string, subject: string, expected: string, received: string): never {
  throw new ParameterError(where, subject, expected, received);
}
