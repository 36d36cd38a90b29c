import { isSupervised } from "../core/capabilities.js";
import { listOf } from "../core/column-like.js";
import type { FitOptions, FittedModel, Samples, ScoreOptions } from "../core/contract.js";
import { ArgmaxError, DataError, ParameterError, show } from "../core/errors.js";
import { capabilitiesOf } from "../core/estimator.js";
import { checkLength, type Label, type Labels, readWeights } from "../core/labels.js";
import { countRows, type Rows, readSamples, selectRows } from "../data/select-rows.js";
import { checkFold, type Fold, requireFolds, splitterOf } from "../data/splitters.js";
import type { ScoreFunction } from "../metrics/scorers.js";
import type { CrossValidation, CrossValidationOptions, Learner } from "./cross-validate.js";

/** The data of a cross-validation, checked, and the rows of each fold. */
export interface Plan {
  readonly where: string;
  readonly x: Rows;
  /** Absent where an estimator learns from X alone. */
  readonly y: Labels<Label> | undefined;
  readonly weights: Float64Array | undefined;
  readonly folds: readonly Fold[];
}

/** Some rows: to learn from, or to measure on. */
export interface FoldRows {
  readonly X: Samples;
  readonly y: Labels<Label> | undefined;
  readonly options: ScoreOptions;
}

/** What is measured in a fold; times in seconds. */
export interface FoldMeasures {
  readonly testScore: number;
  readonly trainScore: number | undefined;
  readonly fitTime: number;
  readonly scoreTime: number;
}

export interface FoldResult extends FoldMeasures {
  /** Absent if nobody asked for it. */
  readonly model: FittedModel | undefined;
}

export function planFolds(
  where: string,
  estimator: Learner,
  samples: Samples,
  given: Labels<Label> | undefined,
  options: CrossValidationOptions<never>,
): Plan {
  const x = readSamples(where, samples);
  const n = countRows(where, x);
  if (given !== undefined || needsTargets(estimator)) checkLength(where, "y", given, n);
  const y = given && listOf(given);
  const weights = readWeights(where, options.sampleWeight, n);
  const stratified = capabilitiesOf(estimator)?.task === "classification";
  const folds = requireFolds(where, splitterOf(where, options.cv ?? 5, stratified).split(x, y));
  return { where, x, y, weights, folds };
}

/** Estimators of others may not declare what they can do: they are taken for learners from X and y. */
function needsTargets(estimator: Learner): boolean {
  const capabilities = capabilitiesOf(estimator);
  return capabilities === undefined || isSupervised(capabilities);
}

/** Whether there is anything to fit. */
export function requireLearner(where: string, estimator: unknown): void {
  if (typeof (estimator as Partial<Learner> | null | undefined)?.fit === "function") return;
  throw new ParameterError({
    where,
    subject: "the estimator",
    expected: "an estimator or a pipeline, with a method fit(X, y)",
    received: show(estimator),
  });
}

/** The rows that fold f learns from and is measured on. */
export function partsOf(
  { where, x, y, weights, folds }: Plan,
  f: number,
): { train: FoldRows; test: FoldRows } {
  const part = (rows: Int32Array): FoldRows => ({
    X: selectRows(x, rows, where) as Samples,
    y: y && selectRows(y as Label[], rows, where),
    options: weights ? { sampleWeight: selectRows(weights, rows, where) } : {},
  });
  const fold = folds[f]!;
  checkFold(where, fold, countRows(where, x));
  return { train: part(fold.train), test: part(fold.test) };
}

/** Learns from one part and measures on the other; `scorer` is absent where somebody else measures. */
export function measureFold(
  estimator: Learner,
  { train, test }: { readonly train: FoldRows; readonly test: FoldRows },
  scorer: ScoreFunction | undefined,
  options: { readonly trainScore: boolean } & FitOptions,
): FoldMeasures & { readonly model: FittedModel } {
  const { trainScore, ...fitOptions } = options;
  const started = performance.now();
  const model = estimator.fit(train.X as never, train.y as never, { ...fitOptions, ...train.options });
  const fitTime = (performance.now() - started) / 1000;
  if (!scorer) return { testScore: Number.NaN, trainScore: undefined, fitTime, scoreTime: 0, model };
  return { ...scoreFold(model, { train, test }, scorer, trainScore), fitTime, model };
}

/** The scores of a fitted model, and how long they took. */
export function scoreFold(
  model: FittedModel,
  { train, test }: { readonly train: FoldRows; readonly test: FoldRows },
  scorer: ScoreFunction,
  trainScore: boolean,
): Omit<FoldMeasures, "fitTime"> {
  const started = performance.now();
  const score = ({ X, y, options }: FoldRows) => requireScore(scorer(model, X, y, { ...options }));
  const scores = { testScore: score(test), trainScore: trainScore ? score(train) : undefined };
  return { ...scores, scoreTime: (performance.now() - started) / 1000 };
}

/** Scorers can be anybody's: a promise, or text, would be NaN among the scores. */
function requireScore(score: unknown): number {
  if (typeof score === "number") return score;
  throw new DataError({
    where: "crossValidate",
    subject: "what scoring returns",
    expected: "a number",
    received: show(score),
    ...(score instanceof Promise && { advice: "A scorer cannot be asynchronous." }),
  });
}

/** One entry per fold. */
export function collectFolds(
  results: readonly FoldResult[],
  options: Pick<CrossValidationOptions<never>, "returnTrainScore" | "returnModels">,
): CrossValidation<FittedModel> {
  return {
    testScore: Float64Array.from(results, ({ testScore }) => testScore),
    ...(options.returnTrainScore && {
      trainScore: Float64Array.from(results, ({ trainScore }) => trainScore!),
    }),
    ...(options.returnModels && { models: results.map(({ model }) => model!) }),
    fitTime: Float64Array.from(results, ({ fitTime }) => fitTime),
    scoreTime: Float64Array.from(results, ({ scoreTime }) => scoreTime),
  };
}

/** The error of a fold, with the fold's number in front. */
export const errorInFold = (where: string, f: number, error: unknown): unknown =>
  error instanceof ArgmaxError ? error.within(`${where}, fold ${f + 1}`) : error;
