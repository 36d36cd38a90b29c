import type { MatrixLike } from "../core/contract.js";
import { DataError, show } from "../core/errors.js";
import { encodeLabels, type Label, type Labels, type NumberArray, readTargets } from "../core/labels.js";
import { Random } from "../core/numbers/random.js";
import { chi2Survival, fSurvival } from "../core/numbers/tail-probabilities.js";
import { readOptions } from "../core/params/options.js";
import { integer, invalid, type ParamSpec, randomState, type TableOf } from "../core/params/params.js";
import { CsrMatrix } from "../data/csr-matrix.js";
import { featureNamesOf } from "../data/feature-names-in.js";
import { type Design, readMatrix } from "../data/input.js";
import {
  codesOf,
  continuousInformation,
  discreteInformation,
  mixedInformation,
  requireNeighbors,
  separated,
} from "./mutual-information.js";
import { chi2Statistics, fByClass, fByCorrelation } from "./test-statistics.js";

export type Targets = Labels<Label> | NumberArray;

/** A score per column, larger for columns that say more about y, and how probable a score as large is if the column says nothing. */
export interface ColumnScores {
  /** NaN where a column says nothing that could be measured. */
  readonly scores: Float64Array;
  readonly pValues: Float64Array;
}

/** Which columns hold categories written as numbers: none or all, or their numbers, names or a mask. "auto": all of sparse rows. */
export type DiscreteFeatures = "auto" | boolean | readonly number[] | readonly string[] | readonly boolean[];

export interface MutualInformationOptions {
  readonly discreteFeatures?: DiscreteFeatures | undefined;
  /** Neighbours by which continuous columns are measured. */
  readonly nNeighbors?: number | undefined;
  /** Seed of the noise that separates equal numbers of continuous columns. */
  readonly randomState?: number | undefined;
}

const discreteFeatures: ParamSpec<DiscreteFeatures> = {
  kind: "union",
  default: "auto",
  doc: 'Columns of categories: true, false, their numbers, their names or a mask; "auto" for all columns of sparse rows and none of others.',
  expected: '"auto", true, false, or a list of numbers, of names, or of true and false',
  choices: ["auto", true, false],
  read: (value) => {
    if (value === "auto" || typeof value === "boolean") return value;
    if (!Array.isArray(value) || value.length === 0) return invalid;
    const kinds = new Set(value.map((entry) => typeof entry));
    const fine =
      kinds.size === 1 &&
      (kinds.has("string") ||
        kinds.has("boolean") ||
        value.every((entry) => Number.isInteger(entry) && entry >= 0));
    return fine ? Object.freeze([...value]) : invalid;
  },
};

export const mutualInformationOptions = {
  discreteFeatures,
  nNeighbors: integer({
    atLeast: 1,
    default: 3,
    doc: "Neighbours by which continuous columns are measured: more of them vary less and are more biased.",
  }),
  randomState: randomState(),
} satisfies TableOf<MutualInformationOptions>;

/** X, y and the names of X's columns, where they have any. */
export interface ScoredRows {
  readonly where: string;
  readonly x: Design;
  readonly names: readonly string[] | undefined;
  readonly y: Targets;
}

export const readRows = (where: string, x: MatrixLike, y: Targets): ScoredRows => ({
  where,
  x: readMatrix(where, x, { sparse: true }),
  names: featureNamesOf(x),
  y: requireTargets(where, y),
});

function requireTargets(where: string, y: Targets): Targets {
  if (y !== undefined && y !== null) return y;
  throw new DataError(where, "y", "the targets, by which columns are chosen", show(y));
}

function classesOf({ where, x, y }: ScoredRows, instead: string) {
  const { codes, classes } = encodeLabels(where, y as Labels<Label>, x.rows);
  requireFewClasses(where, classes.length, x.rows, instead);
  return { codes, count: classes.length };
}

export function requireFewClasses(where: string, classes: number, rows: number, instead: string): void {
  if (classes >= 2 && classes < rows) return;
  const received = `${classes} different values in ${rows} rows`;
  const advice = `For numbers there is ${instead}, or scoreFunction: "${instead}".`;
  throw new DataError(where, "y", "classes, two at least and fewer than rows", received, advice);
}

/** How probable scores of n rows of K classes are if columns say nothing. */
export const pValuesOf = {
  fClassif: (scores: Float64Array, n: number, K: number) => scores.map((f) => fSurvival(f, K - 1, n - K)),
  fRegression: (scores: Float64Array, n: number) => scores.map((f) => fSurvival(f, 1, n - 2)),
  chi2: (scores: Float64Array, _: number, K: number) => scores.map((score) => chi2Survival(score, K - 1)),
} as const;

/** How scores of each name are computed; those of mutual information have no p-values. */
export const scorers = {
  fClassif: (rows: ScoredRows): ColumnScores => {
    const { codes, count } = classesOf(rows, "fRegression");
    const scores = fByClass(rows.x, codes, count);
    return { scores, pValues: pValuesOf.fClassif(scores, rows.x.rows, count) };
  },
  fRegression: ({ where, x, y }: ScoredRows): ColumnScores => {
    const scores = fByCorrelation(x, readTargets(where, y as NumberArray, x.rows));
    return { scores, pValues: pValuesOf.fRegression(scores, x.rows) };
  },
  chi2: (rows: ScoredRows): ColumnScores => {
    const { codes, count } = classesOf(rows, "fRegression");
    const scores = chi2Statistics(rows.where, rows.x, codes, count);
    return { scores, pValues: pValuesOf.chi2(scores, rows.x.rows, count) };
  },
} as const;

type Filled = {
  readonly [K in keyof MutualInformationOptions]-?: Exclude<MutualInformationOptions[K], undefined>;
};

export const informationScorers = {
  mutualInfoClassif: (rows: ScoredRows, options: Filled): Float64Array => {
    const target = classesOf(rows, "mutualInfoRegression");
    const random = new Random(options.randomState);
    return eachColumn(rows, options, (column, isDiscrete) => {
      if (!isDiscrete)
        return mixedInformation(separated(column, random), target.codes, target.count, options.nNeighbors);
      const own = codesOf(column);
      return discreteInformation(own.codes, target.codes, own.count, target.count);
    });
  },
  mutualInfoRegression: (rows: ScoredRows, options: Filled): Float64Array => {
    const { where, x, y } = rows;
    const { nNeighbors } = options;
    requireNeighbors(where, x.rows, nNeighbors);
    const random = new Random(options.randomState);
    const target = separated(readTargets(where, y as NumberArray, x.rows), random);
    return eachColumn(rows, options, (column, isDiscrete) => {
      if (!isDiscrete) return continuousInformation(where, separated(column, random), target, nNeighbors);
      const own = codesOf(column);
      return mixedInformation(target, own.codes, own.count, nNeighbors);
    });
  },
} as const;

function eachColumn(
  { where, x, names }: ScoredRows,
  { discreteFeatures }: Filled,
  score: (column: Float64Array, isDiscrete: boolean) => number,
): Float64Array {
  const isDiscrete = discreteMask(where, discreteFeatures, x, names);
  const byColumn = x instanceof CsrMatrix ? x.transpose() : x;
  return Float64Array.from({ length: x.cols }, (_, j) =>
    score(byColumn instanceof CsrMatrix ? byColumn.row(j) : byColumn.column(j), isDiscrete[j]!),
  );
}

/** For each column whether it holds categories. */
function discreteMask(
  where: string,
  given: DiscreteFeatures,
  x: Design,
  names: readonly string[] | undefined,
): readonly boolean[] {
  const isSparse = x instanceof CsrMatrix;
  const all = (value: boolean) => new Array<boolean>(x.cols).fill(value);
  const refuse = (expected: string, received: string): never => {
    throw new DataError(where, "discreteFeatures", expected, received);
  };
  let mask: readonly boolean[];
  if (given === "auto") mask = all(isSparse);
  else if (typeof given === "boolean") mask = all(given);
  else if (typeof given[0] === "boolean") {
    if (given.length !== x.cols)
      refuse(`one flag for each of the ${x.cols} columns`, `${given.length} flags`);
    mask = given as readonly boolean[];
  } else {
    const places = (given as readonly (number | string)[]).map((column) => {
      const j = typeof column === "number" ? column : (names ?? []).indexOf(column);
      return j >= 0 && j < x.cols ? j : refuse("columns of X", show(column));
    });
    mask = all(false).map((_, j) => places.includes(j));
  }
  if (!isSparse || mask.every((flag) => flag)) return mask;
  return refuse("true for all columns of sparse rows, which hold categories or counts", show(given));
}

/**
 * Analysis of variance of each column by class, F = (variance between classes) / (variance within them), with K − 1 and n − K degrees of
 * freedom. NaN for a constant column. Parity: scikit-learn's f_classif.
 */
export const fClassif = (x: MatrixLike, y: Labels<Label>): ColumnScores =>
  scorers.fClassif(readRows("fClassif", x, y));

/** F = r² / (1 − r²) · (n − 2) of the correlation r of each column with y; 0 for a constant column. Parity: f_regression. */
export const fRegression = (x: MatrixLike, y: NumberArray): ColumnScores =>
  scorers.fRegression(readRows("fRegression", x, y));

/** χ² of the sums of each column by class, for counts and frequencies ≥ 0. Parity: scikit-learn's chi2. */
export const chi2 = (x: MatrixLike, y: Labels<Label>): ColumnScores => scorers.chi2(readRows("chi2", x, y));

/**
 * Mutual information of each column and the class, in nats: 0 if they are independent, whatever the form of the dependence. Of categories
 * exactly, of continuous columns by the distances to their nearest neighbours [Ross 2014]. Parity: scikit-learn's
 * mutual_info_classif, up to the noise that separates equal numbers; the seed of that noise is fixed.
 */
export const mutualInfoClassif = (
  x: MatrixLike,
  y: Labels<Label>,
  options: MutualInformationOptions = {},
): Float64Array =>
  informationScorers.mutualInfoClassif(
    readRows("mutualInfoClassif", x, y),
    readOptions("mutualInfoClassif", mutualInformationOptions, options),
  );

/** The same of each column and a number y: two continuous variables by [Kraskov et al. 2004]. Parity: mutual_info_regression. */
export const mutualInfoRegression = (
  x: MatrixLike,
  y: NumberArray,
  options: MutualInformationOptions = {},
): Float64Array =>
  informationScorers.mutualInfoRegression(
    readRows("mutualInfoRegression", x, y),
    readOptions("mutualInfoRegression", mutualInformationOptions, options),
  );
