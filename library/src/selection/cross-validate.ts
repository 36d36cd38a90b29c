import { type ColumnLike, isColumn } from "../core/column-like.js";
import type {
  FitOptions,
  FittedModel,
  MatrixLike,
  Progress,
  Samples,
  TargetsModel,
} from "../core/contract.js";
import { AbortError } from "../core/errors.js";
import type { Label, Labels, NumberArray } from "../core/labels.js";
import { isArrayLike } from "../core/numbers/typed-arrays.js";
import { fitArguments, fitOptions, option, readOptions } from "../core/params/options.js";
import { flag, type TableOf } from "../core/params/params.js";
import type { SignalLike } from "../core/signal.js";
import { isSplitter, type RowLabels, type Splitter } from "../data/splitters/splitter.js";
import { positiveLabel } from "../metrics/inputs.js";
import type { Scorer, ScorerName } from "../metrics/scorers.js";
import { collectFolds, inFold, partsOf, planFolds, requireLearner } from "./folds.js";
import { measureFold } from "./measure-fold.js";
import { byNames, findScorers, isSeveral, type OneScorer, type ScoresOf, type Scoring } from "./scoring.js";

/** Any estimator or pipeline. */
export interface Learner {
  fit(x: never, y: never, options?: FitOptions): FittedModel;
}

/** `iteration` counts the folds that are done. */
export interface CrossValidationProgress<V = number> extends Progress {
  /** Number of the fold that was just done, from 0 on. Folds in the background end in any order. */
  readonly fold: number;
  /** Score of the fold that was just done; of several scorers one per name. */
  readonly testScore: V;
}

/** What folds, fits and scorers know of the rows, and what ends them. */
export interface FoldOptions {
  /** Which of two labels is "positive", for scorers that ask; without it 1, true, "yes" and the like. Other labels must be given. */
  readonly positiveLabel?: Label | undefined;
  /** The group of every row (a patient, a shop), for splitters that do not divide groups. */
  readonly groups?: RowLabels | undefined;
  /** One weight per row, used in fitting and in scoring. */
  readonly sampleWeight?: NumberArray | undefined;
  readonly signal?: SignalLike | undefined;
}

/** Options for models M, and scorers of rows X and targets Y. */
export interface CrossValidationOptions<
  M,
  T extends boolean = boolean,
  R extends boolean = boolean,
  X = never,
  Y = never,
  S = OneScorer<M, X, Y>,
> extends FoldOptions {
  /** How many folds (stratified for classifiers), or how to make them. */
  readonly cv?: number | Splitter | undefined;
  /**
   * What to measure: a name, or a function of the fitted model and of rows and targets that it has not learned from; larger is
   * better. Without it: the model's `score`. `crossValidate` takes several: a list of names, or an object of names to scorers.
   */
  readonly scoring?: S | undefined;
  /** Also measure on the rows that were learned from. */
  readonly returnTrainScore?: T | undefined;
  /** Keep the model of every fold. */
  readonly returnModels?: R | undefined;
  /** Called after every fold. */
  readonly onProgress?: ((progress: CrossValidationProgress<ScoresOf<S, number>>) => void) | undefined;
}

export const crossValidationOptions = {
  ...fitOptions,
  cv: option<number | Splitter>(
    "union",
    "How many folds (stratified for classifiers), or how to make them.",
    "a number of folds or a splitter such as new KFold()",
    (value) => typeof value === "number" || isSplitter(value),
  ),
  scoring: option<ScorerName | Scorer>(
    "union",
    "What to measure: a name, or a function of the fitted model; larger is better.",
    "a name or a function",
    (value) => typeof value === "string" || typeof value === "function",
  ),
  positiveLabel,
  groups: option<RowLabels>(
    "union",
    "The group of every row, for splitters that do not divide groups.",
    "an array or a column with one entry per row",
    (value) => isArrayLike(value) || isColumn(value),
  ),
  returnTrainScore: flag({ default: false, doc: "Also measure on the rows that were learned from." }),
  returnModels: flag({ default: false, doc: "Keep the model of every fold." }),
} satisfies TableOf<CrossValidationOptions<never>>;

/** The same, with several scorers. */
export const severalScorersOptions = {
  ...crossValidationOptions,
  scoring: option<Scoring>(
    "union",
    "What to measure: a name, a function of the fitted model, a list of names, or an object of names to scorers.",
    "a name, a function, a list of names or an object of names to scorers",
    (value) => typeof value === "string" || typeof value === "function" || isSeveral(value),
  ),
} satisfies TableOf<CrossValidationOptions<never>>;

/** y of an estimator's fit; of one that learns from X alone what is passed on to scorers and splitters, if anything. */
export type TargetsOf<E extends Learner> = Exclude<Parameters<E["fit"]>[1], FitOptions>;
/** y as scorers of an estimator get it: columns of tables as plain lists. */
type ScoredTargets<E extends Learner> = Exclude<TargetsOf<E>, ColumnLike<unknown> | null>;
/** One scorer of an estimator's models, and what `crossValidate` takes. */
export type ScorerOf<E extends Learner> = OneScorer<
  ReturnType<E["fit"]>,
  Parameters<E["fit"]>[0],
  ScoredTargets<E>
>;
export type ScoringOf<E extends Learner> = Scoring<
  ReturnType<E["fit"]>,
  Parameters<E["fit"]>[0],
  ScoredTargets<E>
>;
/** The options for an estimator: its scorers get what its `fit` takes. */
export type ValidationOptions<
  E extends Learner,
  T extends boolean = boolean,
  R extends boolean = boolean,
  S = ScorerOf<E>,
> = CrossValidationOptions<ReturnType<E["fit"]>, T, R, Parameters<E["fit"]>[0], ScoredTargets<E>, S>;

/** Any estimator or pipeline that learns from X alone. A property, not a method, so that one that needs y is no such thing. */
export interface UnsupervisedLearner {
  readonly fit: (x: never, y?: undefined, options?: FitOptions) => FittedModel;
}

/** One entry per fold; of several scorers one list per name. */
export interface CrossValidation<M, V = Float64Array> {
  readonly testScore: V;
  /** Present if asked for. */
  readonly trainScore?: V;
  readonly models?: readonly M[];
  /** Seconds. */
  readonly fitTime: Float64Array;
  readonly scoreTime: Float64Array;
}

/** The result, with what was asked for certainly there. */
export type CrossValidated<M, T extends boolean, R extends boolean, S = undefined> = CrossValidation<
  M,
  ScoresOf<S, Float64Array>
> &
  (T extends true ? { readonly trainScore: ScoresOf<S, Float64Array> } : unknown) &
  (R extends true ? { readonly models: readonly M[] } : unknown);

/** Any estimator or pipeline that learns several targets, the columns of a matrix Y. */
export interface TargetsLearner {
  fit(x: never, y: MatrixLike, options?: FitOptions): FittedModel & { readonly nTargets: number };
  fit(x: never, y: NumberArray, options?: FitOptions): FittedModel;
}

/** One scorer of models of several targets, and what `crossValidate` takes. */
export type TargetsScorerOf<E extends TargetsLearner> = OneScorer<
  TargetsModel<E>,
  Parameters<E["fit"]>[0],
  MatrixLike
>;
export type TargetsScoringOf<E extends TargetsLearner> = Scoring<
  TargetsModel<E>,
  Parameters<E["fit"]>[0],
  MatrixLike
>;
/** The options for an estimator with a matrix Y. */
export type TargetsValidationOptions<
  E extends TargetsLearner,
  T extends boolean = boolean,
  R extends boolean = boolean,
  S = TargetsScorerOf<E>,
> = CrossValidationOptions<TargetsModel<E>, T, R, Parameters<E["fit"]>[0], MatrixLike, S>;

/**
 * Fits on all folds but one and measures on that one, for each fold in turn. With several scorers each model is fitted once, and
 * `testScore` and `trainScore` have one list per name: `testScore.rocAuc`.
 */
export function crossValidate<
  E extends TargetsLearner,
  S extends TargetsScoringOf<E>,
  T extends boolean = false,
  R extends boolean = false,
>(
  estimator: E,
  x: Parameters<E["fit"]>[0],
  y: MatrixLike,
  options?: TargetsValidationOptions<E, T, R, S>,
): CrossValidated<TargetsModel<E>, T, R, S>;
export function crossValidate<
  E extends Learner,
  S extends ScoringOf<E>,
  T extends boolean = false,
  R extends boolean = false,
>(
  estimator: E,
  x: Parameters<E["fit"]>[0],
  y: TargetsOf<E>,
  options?: ValidationOptions<E, T, R, S>,
): CrossValidated<ReturnType<E["fit"]>, T, R, S>;
export function crossValidate<
  E extends UnsupervisedLearner,
  S extends ScoringOf<E>,
  T extends boolean = false,
  R extends boolean = false,
>(
  estimator: E,
  x: Parameters<E["fit"]>[0],
  options?: ValidationOptions<E, T, R, S>,
): CrossValidated<ReturnType<E["fit"]>, T, R, S>;
export function crossValidate(
  estimator: Learner,
  x: unknown,
  y?: unknown,
  options?: CrossValidationOptions<never>,
): CrossValidated<never, true, true> {
  const table = severalScorersOptions;
  return validate("crossValidate", estimator, x as Samples, y, options, table) as CrossValidated<
    never,
    true,
    true
  >;
}

/** What `crossValScore` takes. */
type ScoringOptions<E extends Learner> = Omit<ValidationOptions<E>, "returnTrainScore" | "returnModels">;

/** The test scores of `crossValidate`, one per fold. */
export function crossValScore<E extends TargetsLearner>(
  estimator: E,
  x: Parameters<E["fit"]>[0],
  y: MatrixLike,
  options?: Omit<TargetsValidationOptions<E>, "returnTrainScore" | "returnModels">,
): Float64Array;
export function crossValScore<E extends Learner>(
  estimator: E,
  x: Parameters<E["fit"]>[0],
  y: TargetsOf<E>,
  options?: ScoringOptions<E>,
): Float64Array;
export function crossValScore<E extends UnsupervisedLearner>(
  estimator: E,
  x: Parameters<E["fit"]>[0],
  options?: ScoringOptions<E>,
): Float64Array;
export function crossValScore(
  estimator: Learner,
  x: unknown,
  y?: unknown,
  options?: CrossValidationOptions<never>,
): Float64Array {
  return validate("crossValScore", estimator, x as Samples, y, options, crossValidationOptions).testScore;
}

function validate(
  where: string,
  estimator: Learner,
  samples: Samples,
  targets: unknown,
  given: CrossValidationOptions<never> | undefined,
  table: typeof severalScorersOptions | typeof crossValidationOptions,
): CrossValidation<FittedModel> {
  requireLearner(where, estimator);
  const { y, options } = fitArguments(where, estimator, targets, given);
  const { signal, returnTrainScore: trainScore, returnModels } = readOptions(where, table, options);
  const scoring = findScorers(where, options.scoring, estimator, options.positiveLabel);
  const plan = planFolds(where, estimator, samples, y as Labels<Label>, options);
  const total = plan.folds.length;
  const results = plan.folds.map((_, f) => {
    if (signal?.aborted) throw new AbortError(where, signal);
    const { model, ...measures } = inFold(where, f, () =>
      measureFold(estimator, partsOf(plan, f), scoring, { trainScore, signal }),
    );
    const testScore = byNames(scoring.names, measures.testScores) as number;
    options.onProgress?.({ iteration: f + 1, total, fold: f, testScore });
    return { ...measures, model: returnModels ? model : undefined };
  });
  return collectFolds(results, scoring.names, options);
}
