import { Comparison, DummyClassifier, DummyRegressor, StandardScaler } from "argmax";
import { ArgmaxError, DataError, ParameterError } from "argmax/core";
import { defaultModels, prepared, type Unprepared } from "argmax/sums";
import { takesManyPasses, unlearnablePart } from "../learners/index.js";
import type { AnyEstimator } from "../rows/learner.js";
import type { PassProgress } from "../rows/passes.js";
import type { TrainingRows } from "../rows/training-rows.js";
import { crossValidateInDatabase, type DatabaseCrossValidationOptions } from "./cross-validate.js";
import type { DatabaseRows } from "./database-rows.js";
import { type DatabaseFitOptions, onceEach, withTrainingRows } from "./fit-in-database.js";
import type { DatabaseScorer } from "./fold-scores.js";
import { requireOptions } from "./options.js";

type Fits = AnyEstimator & { fit(...given: never[]): never };

export interface DatabaseCompareOptions
  extends Omit<
    DatabaseCrossValidationOptions,
    "scoring" | "onProgress" | "onWarning" | "onCheckpoint" | "checkpoint"
  > {
  /** What the target is; a target of numbers is a regression unless given. */
  readonly task?: "classification" | "regression" | undefined;
  /** Models by name, for the columns as they are; the usual ones that learn in few passes unless given. */
  readonly models?: Readonly<Record<string, object>> | undefined;
  readonly scoring?: DatabaseScorer | undefined;
  readonly onProgress?: ((progress: PassProgress & { readonly model: string }) => void) | undefined;
  /** Called with the warnings of the models' fits, once with each, and when a model cannot be fitted. */
  readonly onWarning?: ((warning: string) => void) | undefined;
  /** Called with the name of a model when its folds begin, and with its scores when they are done. */
  readonly onModel?: ((model: string, scores: Float64Array | undefined) => void) | undefined;
}

const WHERE = "compareInDatabase";

/**
 * Models on the same folds of the rows of a database, as `compare` does in memory: `console.log` prints the leaderboard. Text, dates and gaps
 * are prepared inside the folds.
 */
export async function compareInDatabase(
  rows: DatabaseRows,
  options: DatabaseCompareOptions,
): Promise<Comparison> {
  requireOptions(WHERE, options);
  const { onModel, onProgress, models, randomState = 0, task: asked, ...given } = options;
  const onWarning = onceEach(options.onWarning);
  const task = asked ?? (await taskOf(rows, options));
  const scoring = options.scoring ?? (task === "classification" ? "accuracy" : "r2");
  const isGiven = models !== undefined;
  const { needs, numeric } = await needsInDatabase(rows, options, task);
  const entrants = isGiven
    ? Object.entries(models).map(([name, estimator]) => ({ name, estimator }))
    : defaultModels(task, needs, randomState).entrants;
  const validate: Validate = (name, estimator, others = {}) =>
    crossValidateInDatabase(estimator as Fits, rows, {
      ...given,
      ...others,
      randomState,
      scoring,
      onWarning,
      onProgress: onProgress && ((progress) => onProgress({ ...progress, model: name })),
    });
  const { measured, leftOut } = await measureAll(entrants, validate, { isGiven, onModel, onWarning });
  if (measured.length === 0) {
    const received = leftOut.map(({ name, because }) => `${name}: ${because}`).join("; ");
    throw new DataError(WHERE, "the models", "one or more that can be fitted", received);
  }
  const baseline = await baselineOf(validate, task, numeric);
  const { positiveLabel } = options;
  return new Comparison({ task, scoring, positiveLabel, measured, leftOut, baseline });
}

type Validate = (
  name: string,
  estimator: object,
  others?: { readonly features?: readonly string[] | undefined },
) => Promise<{ readonly testScore: Float64Array }>;

interface Measuring extends Pick<DatabaseCompareOptions, "onModel" | "onWarning"> {
  /** Whether the models are the caller's own: then an error is not left out. */
  readonly isGiven: boolean;
}

async function measureAll(
  entrants: readonly { readonly name: string; readonly estimator: object }[],
  validate: Validate,
  { isGiven, onModel, onWarning }: Measuring,
) {
  const leftOut: { name: string; because: string }[] = [];
  const measured = [];
  for (const { name, estimator } of entrants) {
    const part = unlearnablePart(estimator);
    if (part !== undefined)
      leftOut.push({ name, because: `${part === name ? "it" : part} does not learn from sums over rows` });
    else if (!isGiven && takesManyPasses(estimator))
      leftOut.push({ name, because: "it takes dozens or hundreds of passes; name it to measure it" });
    else {
      onModel?.(name, undefined);
      const started = performance.now();
      try {
        const { testScore } = await validate(name, estimator);
        onModel?.(name, testScore);
        const fitTime = (performance.now() - started) / 1000 / testScore.length;
        measured.push({ name, estimator: estimator as never, scores: testScore, fitTime, scoreTime: 0 });
      } catch (error) {
        if (isGiven || !(error instanceof DataError || error instanceof ParameterError)) throw error;
        leftOut.push({ name, because: error.message });
        onWarning?.(`${name} was left out: ${error.message}`);
      }
    }
  }
  return { measured, leftOut };
}

/** The mean score of a constant prediction; undefined where it cannot be measured. */
async function baselineOf(
  validate: Validate,
  task: "classification" | "regression",
  numeric: readonly string[] | undefined,
): Promise<number | undefined> {
  try {
    const { testScore } = await validate("a constant", constantOf(task), { features: numeric });
    return testScore.reduce((sum, score) => sum + score, 0) / testScore.length;
  } catch (error) {
    if (error instanceof ArgmaxError) return undefined;
    throw error;
  }
}

/** Labels of text and booleans are classes; of numbers nobody knows without reading them all. */
async function taskOf(rows: DatabaseRows, { target }: Pick<DatabaseFitOptions, "target">) {
  if (target === undefined) throw new ParameterError(WHERE, "target", "the column to predict", "none");
  return withTrainingRows(new StandardScaler(), rows, { features: [target] }, async ({ features }) =>
    features[0]!.kind === "numeric" ? "regression" : "classification",
  );
}

/** What the columns need before a model reads them: encoding, imputation. */
async function needsInDatabase(
  rows: DatabaseRows,
  {
    features,
    target,
    sampleWeight,
    fold,
    signal,
  }: Pick<DatabaseCrossValidationOptions, "features" | "target" | "sampleWeight" | "fold" | "signal">,
  task: "classification" | "regression",
) {
  const found = { features, target, sampleWeight, fold, signal };
  return withTrainingRows(constantOf(task), rows, found, async (own) => {
    const numeric = own.namesIn?.filter((_, j) => own.features[j]!.kind !== "categorical");
    return { needs: await needsOf(own), numeric };
  });
}

/** What a model has to be better than. It reads no column, but takes numbers only. */
const constantOf = (task: "classification" | "regression") =>
  task === "classification" ? new DummyClassifier() : new DummyRegressor();

const needsOf = async (own: TrainingRows) => ({
  rows: own.passes.rows,
  mixed: own.features.some(({ kind, isDate }) => kind === "categorical" || isDate),
  missing: own.features.some(({ kind, number }) => kind !== "categorical" && !own.passes.isFinite(number)),
});

/**
 * An estimator with the steps that the columns of a source need before it: encoders for text and dates, imputation, scaling. As `preparedFor`
 * in memory.
 */
export async function preparedInDatabase(
  estimator: object,
  rows: DatabaseRows,
  options: Pick<DatabaseFitOptions, "target" | "features" | "sampleWeight" | "signal"> = {},
): Promise<object> {
  const needs = await withTrainingRows(estimator as AnyEstimator, rows, options, needsOf);
  return prepared(estimator as Unprepared, needs);
}
