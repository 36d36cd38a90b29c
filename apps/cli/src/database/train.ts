import {
  crossValidateInDatabase,
  fitInDatabase,
  type PassProgress,
  preparedInDatabase,
  unlearnablePart,
} from "@argmax/sql";
import { AbortError, DataError, type FittedModel } from "argmax";
import { type Call, Failure, UsageError } from "../command.js";
import { sourceWords } from "../data/options.js";
import { describeEstimator } from "../described-model.js";
import { ModelOutput, modelPath } from "../model-output.js";
import { nextSteps } from "../shell.js";
import type { Terminal } from "../terminal/terminal.js";
import { learnerClasses, shortName, type Task, wordsOf } from "../training/learners.js";
import { streamingNames } from "../training/streaming-names.js";
import { type HeldOut, reportTrained } from "../training/trained.js";
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
        const next = hints(program, written.path, source, values);
        const id = plan.idOf(estimator);
        reportTrained(
          { id, estimator, model, written, milliseconds, rows: data.count, held, next },
          terminal,
        );
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
  requireLearnable(estimator, task);
  if (plain || pipeline !== undefined) return estimator;
  return preparedInDatabase(estimator, rows, { target, features, signal });
}

/** Throws if a model does not learn from what a database adds up. */
function requireLearnable(estimator: object, task: Task): void {
  const part = unlearnablePart(estimator);
  if (part === undefined) return;
  const ofTask = learnerClasses().filter((one) => one.task === task);
  const learnable = ofTask.filter(({ create }) => unlearnablePart(create({})) === undefined);
  const isStreamed = streamingNames().some(
    (name) => name === wordsOf(part) || name === shortName(wordsOf(part)),
  );
  throw new UsageError(
    `${part} does not learn from sums over rows, which is what a database computes. Without --in-database it learns from a sample ` +
      `(--rows N)${isStreamed ? ", or batch by batch (--stream)" : ""}. With it, there are ${learnable.map(({ name }) => shortName(name)).join(", ")}.`,
  );
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
  return nextSteps(program, predict, ["serve", path]);
};
