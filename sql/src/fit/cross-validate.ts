import { DataError, type FittedModel, type Label, ParameterError } from "argmax/core";
import { maxOf } from "argmax/numeric";
import { capabilitiesOf } from "argmax/sums";
import { call, type Expression, multiply, number, shared } from "../expressions/expression.js";
import { rowFraction } from "../rows/row-fraction.js";
import type { TrainingRows } from "../rows/training-rows.js";
import { placeOf } from "../rows/training-rows.js";
import type { DatabaseRows } from "./database-rows.js";
import {
  type DatabaseFitOptions,
  type Fits,
  fitPart,
  type ModelOf,
  onceEach,
  withTrainingRows,
} from "./fit-in-database.js";
import { type DatabaseScorer, foldScores, requireScorers } from "./fold-scores.js";
import { requireOptions } from "./options.js";

export interface DatabaseCrossValidationOptions extends Omit<DatabaseFitOptions, "onWarning"> {
  /** Called with the warnings of the folds' fits, once with each. */
  readonly onWarning?: ((warning: string) => void) | undefined;
  /** How many folds; 5 unless given. Rows are dealt by their values, the same way each time: equal rows share a fold. */
  readonly cv?: number | undefined;
  /** A column whose values are the folds, instead. */
  readonly fold?: string | undefined;
  /** How many of the folds are left out in turn, from the first on; all unless given. 1 is a single held-out part of the rows. */
  readonly tested?: number | undefined;
  /** Which deal of the rows. */
  readonly randomState?: number | undefined;
  /** What to measure; the accuracy, or R², unless given. */
  readonly scoring?: DatabaseScorer | readonly DatabaseScorer[] | undefined;
  /** Which of two labels is "positive", for scorers that ask. */
  readonly positiveLabel?: Label | undefined;
}

export interface DatabaseCrossValidation<M = FittedModel> {
  /** One score per fold, of the first scorer. */
  readonly testScore: Float64Array;
  /** One score per fold, by the name of the scorer. */
  readonly testScores: Readonly<Record<string, Float64Array>>;
  /** The model of each fold: it has not seen the fold's rows. */
  readonly models: readonly M[];
  /** The number of rows of each fold that was left out. */
  readonly foldRows: Float64Array;
  /** Passes over the rows, of all folds together. */
  readonly passes: number;
}

const WHERE = "crossValidateInDatabase";
/** Values of a column of folds, at most. */
const MOST_FOLDS = 100;

/**
 * Cross-validation in the database: the folds' fits share their passes, in which the fold is one more group of each sum, so that what learns
 * from one or two passes costs about as much as one fit.
 */
export async function crossValidateInDatabase<E extends Fits>(
  estimator: E,
  rows: DatabaseRows,
  options: DatabaseCrossValidationOptions,
): Promise<DatabaseCrossValidation<ModelOf<E>>> {
  requireOptions(WHERE, options);
  const { cv = 5, target, scoring, positiveLabel, tested } = options;
  if (!(Number.isInteger(cv) && cv >= 2 && cv <= MOST_FOLDS))
    throw new ParameterError(WHERE, "cv", `a whole number from 2 to ${MOST_FOLDS}`, String(cv));
  if (tested !== undefined && !(Number.isInteger(tested) && tested >= 1))
    throw new ParameterError(WHERE, "tested", "a whole number ≥ 1", String(tested));
  if (target === undefined) throw new ParameterError(WHERE, "target", "the column to predict", "none");
  const task = capabilitiesOf(estimator)?.task ?? "classification";
  if (task !== "classification" && task !== "regression")
    throw new ParameterError(WHERE, "the estimator", "a classifier or a regressor", `one for ${task}`);
  const onWarning = onceEach(options.onWarning);
  return withTrainingRows(estimator, rows, { ...options, onWarning }, async (own, columnOf) => {
    const isClass = own.target!.classes.length > 0;
    const asked = typeof scoring === "string" ? [scoring] : scoring;
    const names = requireScorers(WHERE, estimator, asked, isClass);
    const { fold, foldRows } = firstFolds(await foldsOf(own, options, columnOf), tested);
    const models = await Promise.all(
      Array.from(foldRows, (_, f) => fitPart(estimator, own.withoutFold({ key: fold, without: f }))),
    );
    const testScores = await foldScores({ rows: own, fold, models, positiveLabel }, names);
    return {
      testScore: testScores[names[0]!]!,
      testScores,
      models: models as ModelOf<E>[],
      foldRows,
      passes: own.passes.count,
    };
  });
}

interface Folds {
  /** The number of a row's fold, from 0 on. */
  readonly fold: Expression;
  readonly foldRows: Float64Array;
}

/** Those that are left out in turn. The others are one group. */
function firstFolds({ fold, foldRows }: Folds, count = foldRows.length): Folds {
  if (count >= foldRows.length) return { fold, foldRows };
  return { fold: shared(call("least", fold, number(count))), foldRows: foldRows.slice(0, count) };
}

/** The number of each row's fold; each has rows, and the others have rows of every class. */
async function foldsOf(
  rows: TrainingRows,
  { cv = 5, fold: name, randomState = 0 }: DatabaseCrossValidationOptions,
  columnOf: (name: string) => Expression,
): Promise<Folds> {
  const fold =
    name === undefined
      ? shared(call("floor", multiply(number(cv), rowFraction(rows.features, randomState))))
      : await foldColumn(rows, name, columnOf(name));
  const { classes, value } = rows.target!;
  const keys = [fold, ...(classes.length > 0 ? [value] : [])];
  const groups = await rows.sums({ groupBy: keys.map((of) => ({ of, type: "number" })), aggregates: [] });
  const count = name === undefined ? cv : 1 + maxOf(groups.map(({ keys }) => Number(keys[0])));
  const foldRows = new Float64Array(count);
  for (const { keys, count: n } of groups) foldRows[Number(keys[0])]! += n;
  if (foldRows.includes(0))
    throw new DataError(
      WHERE,
      "the source",
      `rows in each of ${count} folds`,
      "a fold without rows",
      "Take fewer folds.",
    );
  classes.forEach((label, k) => {
    const folds = groups.filter(({ keys }) => keys[1] === k);
    if (folds.length > 1) return;
    const advice = "Take more folds or a column of folds, or leave out classes that are that rare.";
    throw new DataError(
      WHERE,
      `class ${JSON.stringify(label)}`,
      "rows in two folds or more",
      "rows in one",
      advice,
    );
  });
  return { fold, foldRows };
}

async function foldColumn(rows: TrainingRows, name: string, of: Expression): Promise<Expression> {
  if (of.kind !== "column") throw new ParameterError(WHERE, "fold", "a column", name);
  const isText = of.as === "text";
  const groups = await rows.sums({ groupBy: [{ of, type: isText ? "text" : "number" }], aggregates: [] });
  const values = groups.map(({ keys }) => keys[0]);
  const subject = `fold ${JSON.stringify(name)}`;
  if (values.includes(null)) throw new DataError(WHERE, subject, "a fold in every row", "a gap");
  if (values.length < 2 || values.length > MOST_FOLDS)
    throw new DataError(WHERE, subject, `2 to ${MOST_FOLDS} values`, `${values.length}`);
  const sorted = (values as Label[]).sort((a, b) => (a < b ? -1 : 1));
  return placeOf(() => of, sorted);
}
