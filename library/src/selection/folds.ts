import { isSupervised } from "../core/capabilities.js";
import { listOf } from "../core/column-like.js";
import type { FittedModel, MatrixLike, Samples } from "../core/contract.js";
import { ArgmaxError, ParameterError, ShapeError, show } from "../core/errors.js";
import { capabilitiesOf } from "../core/estimator.js";
import { checkLength, type Label, type Labels, readWeights } from "../core/labels.js";
import { isTargetMatrix } from "../core/target-matrix.js";
import { countRows, type Rows, readSamples, selectRows } from "../data/select-rows.js";
import { PredefinedSplit } from "../data/splitters/leave-out.js";
import { checkFold, type Fold, requireFolds, type Splitter } from "../data/splitters/splitter.js";
import { splitterOf } from "../data/splitters/splitter-of.js";
import { presentRows } from "../data/training-set.js";
import { sortedLabels } from "../metrics/inputs.js";
import { dependsOnPositive, requirePositive } from "../metrics/scorers.js";
import type { CrossValidation, CrossValidationOptions, Learner } from "./cross-validate.js";
import type { FoldMeasures, FoldRows } from "./measure-fold.js";
import { byNames, type Scoring, scorersIn } from "./scoring.js";

/** The data of a cross-validation, checked, and the rows of each fold. */
export interface Plan {
  readonly where: string;
  readonly x: Rows;
  /** Absent where an estimator learns from X alone. */
  readonly y: Labels<Label> | MatrixLike | undefined;
  readonly weights: Float64Array | undefined;
  readonly folds: readonly Fold[];
}

export interface FoldResult extends FoldMeasures {
  /** Absent if nobody asked for it. */
  readonly model: FittedModel | undefined;
}

/** Folds are made of the rows that weigh something, unless something is returned for `all` of them. */
export function planFolds(
  where: string,
  estimator: Learner,
  samples: Samples,
  given: Plan["y"],
  options: Omit<CrossValidationOptions<never>, "scoring"> & { readonly scoring?: Scoring },
  rows: "present" | "all" = "present",
): Plan {
  const x = readSamples(where, samples);
  const n = countRows(where, x);
  const y = readY(where, estimator, given, n);
  const weights = readWeights(where, options.sampleWeight, n);
  const { scoring, positiveLabel } = options;
  if (y && !isTargetMatrix(y) && (positiveLabel !== undefined || scorersIn(scoring).some(dependsOnPositive)))
    requirePositive(where, scorersIn(scoring), sortedLabels(where, [y]), positiveLabel);
  const stratified = capabilitiesOf(estimator)?.task === "classification";
  // Rows of a matrix Y are not labels that folds could be made by.
  const labels = !stratified && isTargetMatrix(y) ? undefined : (y as ArrayLike<Label> | undefined);
  const { groups } = options;
  if (groups !== undefined) checkLength(where, "groups", groups, n);
  const splitter = splitterOf(where, options.cv ?? 5, stratified);
  const kept = rows === "present" ? presentRows(weights) : undefined;
  const folds = requireFolds(where, keptFolds(where, splitter, kept, [x, labels, groups && listOf(groups)]));
  return { where, x, y, weights, folds };
}

/** Folds of the kept rows by their numbers among all; those that are given row by row lose the others. */
function keptFolds(
  where: string,
  splitter: Splitter,
  kept: Int32Array | undefined,
  given: Parameters<Splitter["split"]>,
): readonly Fold[] {
  if (kept === undefined) return splitter.split(...given);
  if (splitter instanceof PredefinedSplit) {
    const isKept = new Set(kept);
    const own = (rows: Int32Array) => rows.filter((i) => isKept.has(i));
    return splitter.split(given[0]).map(({ train, test }) => ({ train: own(train), test: own(test) }));
  }
  const some = given.map((list) => list && selectRows(list as Rows, kept, where)) as typeof given;
  const own = (rows: Int32Array) => rows.map((e) => kept[e]!);
  return splitter.split(...some).map(({ train, test }) => ({ train: own(train), test: own(test) }));
}

/** y as something to pick rows from: a list, or a matrix of several targets. */
function readY(where: string, estimator: Learner, given: Plan["y"], rows: number): Plan["y"] {
  if (isTargetMatrix(given) && capabilitiesOf(estimator)?.task !== "classification") {
    const count = countRows(where, given);
    if (count === rows) return given;
    throw new ShapeError(where, "Y", `as long as X has rows (${rows})`, `${count} rows`);
  }
  if (given !== undefined || needsTargets(estimator)) checkLength(where, "y", given, rows);
  return given && listOf(given as Labels<Label>);
}

/** Estimators of others may not declare what they can do: they are taken for learners from X and y. */
function needsTargets(estimator: Learner): boolean {
  const capabilities = capabilitiesOf(estimator);
  return capabilities === undefined || isSupervised(capabilities);
}

/** Whether there is anything to fit. */
export function requireLearner(where: string, estimator: unknown): void {
  if (typeof (estimator as Partial<Learner> | null | undefined)?.fit === "function") return;
  const expected = "an estimator or a pipeline, with a method fit(X, y)";
  throw new ParameterError(where, "the estimator", expected, show(estimator));
}

/** The rows that fold f learns from and is measured on. */
export function partsOf(
  { where, x, y, weights, folds }: Plan,
  f: number,
): { train: FoldRows; test: FoldRows } {
  const part = (rows: Int32Array): FoldRows => ({
    X: selectRows(x, rows, where) as Samples,
    y: y && (selectRows(y as Rows, rows, where) as FoldRows["y"]),
    options: weights ? { sampleWeight: selectRows(weights, rows, where) } : {},
  });
  const fold = folds[f]!;
  checkFold(where, fold, countRows(where, x));
  return { train: part(fold.train), test: part(fold.test) };
}

/** One entry per fold. */
export function collectFolds(
  results: readonly FoldResult[],
  names: readonly string[] | undefined,
  options: Pick<CrossValidationOptions<never>, "returnTrainScore" | "returnModels">,
): CrossValidation<FittedModel> {
  const collected = (scoresOf: (result: FoldResult) => readonly number[]) => {
    const lists = scoresOf(results[0]!).map((_, s) =>
      Float64Array.from(results, (result) => scoresOf(result)[s]!),
    );
    // By name where there are several scorers, as the result's type says.
    return byNames(names, lists) as Float64Array;
  };
  return {
    testScore: collected(({ testScores }) => testScores),
    ...(options.returnTrainScore && { trainScore: collected(({ trainScores }) => trainScores!) }),
    ...(options.returnModels && { models: results.map(({ model }) => model!) }),
    fitTime: Float64Array.from(results, ({ fitTime }) => fitTime),
    scoreTime: Float64Array.from(results, ({ scoreTime }) => scoreTime),
  };
}

/** The error of a fold, with the fold's number in front. */
export const errorInFold = (where: string, f: number, error: unknown): unknown =>
  error instanceof ArgmaxError ? error.within(`${where}, fold ${f + 1}`) : error;

/** Runs the work of a fold; its errors name the fold. */
export function inFold<R>(where: string, f: number, run: () => R): R {
  try {
    return run();
  } catch (error) {
    throw errorInFold(where, f, error);
  }
}
