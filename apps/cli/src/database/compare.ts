import {
  compareInDatabase,
  type DatabaseScorer,
  databaseScorers,
  type PassProgress,
  preparedInDatabase,
} from "@argmax/sql";
import { AbortError, type Comparison, type Contender } from "argmax";
import { type Call, Failure, readChoice, readInteger, UsageError } from "../command.js";
import { readNames, sourceWords } from "../data/options.js";
import { ModelOutput, modelPath, showWritten, type Written } from "../model-output.js";
import { nextSteps } from "../shell.js";
import { showDuration } from "../terminal/duration.js";
import type { Terminal } from "../terminal/terminal.js";
import { announceData, reportComparison, reportDone } from "../training/leaderboard.js";
import { findLearner } from "../training/learners.js";
import { readMeasure } from "../training/scoring.js";
import type { TrainingValues } from "../training/training-options.js";
import { withDatabase } from "./open.js";
import type { DatabaseValues } from "./options.js";
import { fitAll, progressOf } from "./train.js";
import {
  type DatabaseTrainingData,
  databaseTrainingData,
  targetOf,
  withoutRareRows,
} from "./training-data.js";

interface DatabaseCompareValues extends TrainingValues, DatabaseValues {
  readonly models?: readonly string[] | undefined;
  readonly folds: string;
  readonly seed: string;
  readonly save: string;
  readonly scoring?: string | undefined;
  readonly positive?: string | undefined;
  readonly output?: string | undefined;
  readonly force?: boolean | undefined;
}

type CompareCall = Pick<Call, "args" | "terminal" | "program" | "signal"> & {
  readonly values: DatabaseCompareValues;
};

/** Compares models where the data lie, and saves the best. */
export async function compareWhereDataLie(call: CompareCall): Promise<void> {
  const { values, args, terminal, program, signal } = call;
  const [source] = args as [string];
  const cv = readInteger("folds", values.folds, 2, 20);
  const randomState = readInteger("seed", values.seed, 0, Number.MAX_SAFE_INTEGER);
  const save = readChoice("save", values.save, ["best", "recommended", "none"]);
  const started = performance.now();
  try {
    terminal.live?.write("reading the columns");
    await withDatabase(
      source,
      values,
      signal,
      async (opened) => {
        const found = await databaseTrainingData(opened, values, signal);
        const data =
          found.task === "classification"
            ? withoutRareRows(found, targetOf(opened, found), cv, `${cv} folds`)
            : found;
        const measure = readDatabaseMeasure(values, data);
        const models = await readModels(readNames(values.models), data, randomState, signal);
        const path = modelPath(values.output, data.name);
        const output = save === "none" ? undefined : new ModelOutput(path, values.force === true, args);
        output?.requireFree({ estimator: undefined, id: undefined, card: data.card });
        terminal.live?.clear();
        announceData({ ...data, rows: data.count, columns: data.features.length }, cv, terminal);
        if (output?.note !== undefined) terminal.note(output.note);
        const comparison = await measured(data, { ...measure, models, cv, randomState }, call);
        reportComparison(comparison, terminal);
        const chosen = save === "none" ? undefined : comparison[save];
        const saved = chosen && output && (await saveBest(chosen, data, output, call));
        reportDone(comparison, saved, performance.now() - started, terminal, save);
        if (saved) terminal.print(hints(program, saved.path, source, values));
      },
      { isLearned: true },
    );
  } catch (error) {
    terminal.live?.clear();
    if (error instanceof AbortError) throw new Failure("Stopped. Nothing was saved.");
    throw error;
  }
}

/** What is measured, of what sums over rows determine. */
function readDatabaseMeasure(values: DatabaseCompareValues, { classes, task }: DatabaseTrainingData) {
  const measure = readMeasure(values, { y: classes.keys(), task });
  const { scoring } = measure;
  if (scoring !== undefined && !databaseScorers.some((name) => name === scoring))
    throw new UsageError(
      `--scoring ${scoring} needs the predictions of all rows at once: with --in-database it may be ${databaseScorers.join(", ")}.`,
    );
  return { ...measure, scoring: scoring as DatabaseScorer | undefined };
}

/** The named models, prepared for the columns; undefined for the usual ones. */
async function readModels(
  names: readonly string[] | undefined,
  { rows, target, features, task }: DatabaseTrainingData,
  randomState: number,
  signal: AbortSignal,
): Promise<Record<string, object> | undefined> {
  if (names === undefined) return undefined;
  const models: Record<string, object> = {};
  for (const name of names) {
    const { id, create, table } = findLearner(name, task);
    const learner = create("randomState" in table ? { randomState } : {});
    models[id] = await preparedInDatabase(learner, rows, { target, features, signal });
  }
  return models;
}

async function measured(
  { rows, target, features, task }: DatabaseTrainingData,
  options: Pick<
    Parameters<typeof compareInDatabase>[1],
    "scoring" | "positiveLabel" | "models" | "cv" | "randomState"
  >,
  { terminal, signal }: CompareCall,
): Promise<Comparison> {
  const watch = new Watch(terminal);
  try {
    return await compareInDatabase(rows, {
      ...options,
      target,
      features,
      task,
      signal,
      scratch: {},
      onModel: (model, scores) => watch.model(model, scores),
      onProgress: (progress) => watch.pass(progress),
    });
  } finally {
    terminal.live?.clear();
  }
}

/** The models that are measured, and the pass of the one that is. */
class Watch {
  readonly #terminal: Terminal;
  readonly #lines: string[] = [];
  #folds = 0;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  model(name: string, scores: Float64Array | undefined): void {
    if (scores === undefined) {
      this.#draw(name);
      return;
    }
    for (const score of scores) {
      this.#folds++;
      this.#terminal.emit({ type: "fold", model: name, score, done: this.#folds });
    }
    const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length;
    const line = `${name}: ${mean.toFixed(4)}`;
    if (this.#terminal.live) this.#lines.push(line);
    else this.#terminal.note(line);
  }

  pass({ model, passes, iteration }: PassProgress & { readonly model: string }): void {
    this.#draw(`${model}: pass ${passes}${iteration === undefined ? "" : `, iteration ${iteration}`}`);
  }

  #draw(last: string): void {
    const { live } = this.#terminal;
    const lines = [...this.#lines, live?.style.dim(last) ?? last];
    live?.draw(lines.slice(-Math.max(1, live.height - 1)));
  }
}

/** Trains the model on all rows and saves it; `text` says so. */
async function saveBest(
  { label, estimator }: Contender,
  data: DatabaseTrainingData,
  output: ModelOutput,
  { signal, terminal }: CompareCall,
): Promise<Written & { readonly text: string }> {
  const started = performance.now();
  const model = await fitAll(estimator, data, signal, progressOf(terminal, "all rows"));
  const written = output.write(model, data.card);
  terminal.live?.clear();
  const time = showDuration(performance.now() - started);
  return { ...written, text: `${label}, trained on all rows in ${time}, is ${showWritten(written)}` };
}

function hints(program: string, path: string, source: string, values: DatabaseCompareValues): string {
  if (/:\/\/[^/]*:[^/]*@/.test(source)) return "";
  const words = [path, source, ...sourceWords(values), "--in-database", "-o", "predictions.parquet"];
  return nextSteps(program, ["predict", ...words], ["serve", path]).join("\n");
}
