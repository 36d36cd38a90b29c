import type { MatrixLike } from "../core/contract.js";
import { ArgmaxError, ParameterError, show } from "../core/errors.js";
import type { Label } from "../core/labels.js";
import { choice, invalid, optional, type ParamSpec } from "../core/params.js";
import {
  checkFold,
  type Fold,
  isSplitter,
  requireFolds,
  type Splitter,
  splitterFromJson,
  splitterOf,
} from "../data/splitters.js";
import type { RegressionSet } from "../data/training-set.js";

/** What the estimators share that choose a parameter by cross-validation. */

/** `null` stands for what the estimator's `doc` says. */
export const foldsParam = (doc: string): ParamSpec<number | Splitter | null> => ({
  kind: "splitter",
  default: null,
  doc,
  expected: "a number of folds ≥ 2, a splitter such as new KFold(), or null",
  read: (value) => {
    if (value === null || isSplitter(value)) return value;
    if (typeof value === "number") return Number.isSafeInteger(value) && value >= 2 ? value : invalid;
    return splitterFromJson(value) ?? invalid;
  },
});

const regressionScores = [
  "r2",
  "negMeanSquaredError",
  "negRootMeanSquaredError",
  "negMeanAbsoluteError",
] as const;

export const regressionScoring = (doc: string) => optional(choice(regressionScores, { default: "r2", doc }));

/** The folds of the rows, in the order of the splitter; `codes` are the classes of a classifier. */
export function foldsOf(
  where: string,
  cv: number | Splitter | null,
  rows: ArrayLike<unknown>,
  labels?: ArrayLike<Label>,
): readonly Fold[] {
  const splitter = splitterOf(where, cv ?? DEFAULT_FOLDS, labels !== undefined);
  const folds = requireFolds(where, splitter.split(rows as MatrixLike, labels ?? rows));
  for (const fold of folds) checkFold(where, fold, rows.length);
  return folds;
}

/** scikit-learn's number of folds. */
const DEFAULT_FOLDS = 5;

/** Some rows of a training set. */
export function rowsOf(
  { x, y, weights, featureNamesIn }: RegressionSet,
  rows: ArrayLike<number>,
): RegressionSet {
  const list = Int32Array.from(rows);
  return {
    x: x.selectRows(list),
    y: Float64Array.from(list, (i) => y[i]!),
    weights: weights && Float64Array.from(list, (i) => weights[i]!),
    featureNamesIn,
  };
}

/** Runs a fold; its number stands in front of what it throws. */
export function inFold<R>(where: string, f: number, run: () => R): R {
  try {
    return run();
  } catch (error) {
    throw error instanceof ArgmaxError ? error.within(`${where}, fold ${f + 1}`) : error;
  }
}

/** A list of candidates must not be empty. */
export function requireCandidates(where: string, subject: string, list: readonly number[]): void {
  if (list.length > 0) return;
  throw new ParameterError({ where, subject, expected: "at least one number", received: show(list) });
}

/** Index of the largest entry, the first of equal ones. NaN is never the largest. */
export function firstLargest(scores: ArrayLike<number>): number {
  let best = 0;
  for (let a = 1; a < scores.length; a++) {
    if (scores[a]! > scores[best]! || Number.isNaN(scores[best]!)) best = a;
  }
  return best;
}
