import { crossValidateInDatabase, fitInDatabase, type PassProgress, preparedInDatabase } from "@argmax/sql";
import { AbortError, DataError, type FittedModel, modelLabel, modelSettings } from "argmax";
import { type Call, Failure } from "../command.js";
import { sourceWords } from "../data/options.js";
import { describeEstimator } from "../described-model.js";
import { ModelOutput, modelPath, showWritten } from "../model-output.js";
import { nextSteps } from "../shell.js";
import { showDuration } from "../terminal/duration.js";
import type { Terminal } from "../terminal/terminal.js";
import type { Task } from "../training/learners.js";
import type { TrainingValues } from "../training/training-options.js";
import { type OpenedDatabase, withDatabase } from "./open.js";
import { type DatabaseValues, requireDatabaseOptions } from "./options.js";
import {
  type DatabaseTrainingData,
  databaseTrainingData,
  targetOf,
  withoutRareRows,
} from "./training-data.js";

export interface DatabaseTrainValues extends TrainingValues, DatabaseValues {
  readonly output?: string | undefined;
  readonly force?: boolean | undefined;
  readonly plain?: boolean | undefined;
  readonly pipeline?: string | undefined;
}

/** What `train` has read of its words. */
export interface TrainPlan {
  /** Fraction of the rows that are held out. */
  readonly share: number;
  readonly randomState: number;
  /** How the file is named after the model. */
  readonly modelName: string;
  /** The model itself, without preparation. */
  readonly estimatorFor: (task: Task) => object;
  readonly idOf: (estimator: object) => string;
}

interface HeldOut {
  readonly scoring: "accuracy" | "r2";
  readonly score: number;
  readonly testRows: number;
}

/** Trains a model where the data lie, and saves it. */
export async function trainInDatabase(
  {
    values,
    args,
    terminal,
    program,
    signal,
  }: Pick<Call, "args" | "terminal" | "program" | "signal"> & {
    readonly values: DatabaseTrainValues;
  },
  plan: TrainPlan,
): Promise<void> {
  requireDatabaseOptions({ ...values });
  const [source] = args as [string];
  try {
    terminal.live?.write("reading the columns");
    await withDatabase(
      source,
      values,
      signal,
      async (opened) => {
        const data = await dataOf(opened, values, plan, signal);
        terminal.live?.clear();
        for (const remark of data.remarks) terminal.note(remark);
        const estimator = await preparedEstimator(data, values, plan, signal);
        const path = modelPath(values.output, data.name, plan.modelName);
        const output = new ModelOutput(path, values.force === true, args);
        output.requireFree(describeEstimator(estimator, data.card));
        const held = plan.share > 0 ? await measured(estimator, data, plan, signal, terminal) : undefined;
        const started = performance.now();
        const model = await fitAll(estimator, data, signal, progressOf(terminal, "all rows"));
        terminal.live?.clear();
        const milliseconds = performance.now() - started;
        const written = output.write(model, data.card);
        const warnings = warningsOf(model);
        terminal.emit({
          type: "trained",
          model: plan.idOf(estimator),
          settings: modelSettings(estimator),
          path: written.path,
          bytes: written.bytes,
          ...(written.kept && { kept: written.kept.path }),
          seconds: milliseconds / 1000,
          rows: data.count,
          ...held,
          warnings,
        });
        for (const warning of warnings) terminal.note(warning);
        const label = modelLabel(plan.idOf(estimator), estimator);
        const about = `${label} on ${data.count} rows in ${showDuration(milliseconds)}, ${showWritten(written)}`;
        const next = hints(program, written.path, source, values);
        terminal.print([...(held ? [heldOut(held)] : []), about, ...next].join("\n"));
      },
      { isLearned: true },
    );
  } catch (error) {
    terminal.live?.clear();
    if (error instanceof AbortError) throw new Failure("Stopped. Nothing was saved.");
    throw error;
  }
}

async function dataOf(
  opened: OpenedDatabase,
  values: DatabaseTrainValues,
  { share }: TrainPlan,
  signal: AbortSignal,
): Promise<DatabaseTrainingData> {
  const data = await databaseTrainingData(opened, values, signal);
  return share > 0 && data.task === "classification"
    ? withoutRareRows(data, targetOf(opened, data), 2, "rows that are held out (--test)")
    : data;
}

async function preparedEstimator(
  { rows, target, features, task }: DatabaseTrainingData,
  { plain, pipeline }: DatabaseTrainValues,
  { estimatorFor }: TrainPlan,
  signal: AbortSignal,
): Promise<object> {
  const estimator = estimatorFor(task);
  if (plain || pipeline !== undefined) return estimator;
  return preparedInDatabase(estimator, rows, { target, features, signal });
}

type Fits = Parameters<typeof fitInDatabase>[0];

/** Fits a model to all rows. */
export function fitAll(
  estimator: object,
  { rows, target, features }: DatabaseTrainingData,
  signal: AbortSignal,
  onProgress: ((progress: PassProgress) => void) | undefined,
): Promise<FittedModel> {
  return fitInDatabase(estimator as Fits, rows, { target, features, signal, onProgress, scratch: {} });
}

/** The score on about a fraction of the rows, which the model has not learned from. */
async function measured(
  estimator: object,
  { name, rows, target, features, task }: DatabaseTrainingData,
  { share, randomState }: TrainPlan,
  signal: AbortSignal,
  terminal: Terminal,
): Promise<HeldOut> {
  const options = {
    target,
    features,
    cv: Math.min(100, Math.max(2, Math.round(1 / share))),
    tested: 1,
    randomState,
    signal,
    onProgress: progressOf(terminal, "training rows"),
    scratch: {},
  };
  try {
    const { testScore, foldRows } = await crossValidateInDatabase(estimator as Fits, rows, options);
    const scoring = task === "classification" ? "accuracy" : "r2";
    return { scoring, score: testScore[0]!, testRows: foldRows[0]! };
  } catch (error) {
    if (!(error instanceof DataError) || error.where !== "crossValidateInDatabase") throw error;
    throw new Failure(
      `${name} has too few different rows to hold some of them out: ${error.subject} must have ${error.expected}. ` +
        "Train on all rows: --test 0.",
    );
  } finally {
    terminal.live?.clear();
  }
}

export const heldOut = ({ scoring, score, testRows }: HeldOut): string =>
  `${scoring === "r2" ? "R²" : "accuracy"} ${score.toFixed(4)} on ${testRows} rows that were held out.`;

/** What fit reports, as of a solver that has not converged. */
const warningsOf = (model: FittedModel): readonly string[] =>
  (model as { readonly report?: { readonly warnings?: readonly string[] } }).report?.warnings ?? [];

/** A line per pass: `training on all rows: pass 5, iteration 3`. */
export function progressOf({ live }: Terminal, rows: string) {
  if (live === undefined) return undefined;
  live.write(`training on ${rows}`);
  return ({ passes, iteration }: PassProgress) =>
    live.write(
      `training on ${rows}: pass ${passes}${iteration === undefined ? "" : `, iteration ${iteration}`}`,
    );
}

/** Commands to try next: those that work in the database too, where the source may not fit into memory. */
const hints = (program: string, path: string, source: string, values: DatabaseTrainValues): string[] => {
  if (/:\/\/[^/]*:[^/]*@/.test(source)) return [];
  const predict = [
    "predict",
    path,
    source,
    ...sourceWords(values),
    "--in-database",
    "-o",
    "predictions.parquet",
  ];
  return ["", ...nextSteps(program, predict, ["serve", path])];
};
