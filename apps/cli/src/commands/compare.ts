import type { CompareOptions, CompareProgress, Comparison, Contender } from "argmax";
import { compare as compareModels } from "argmax";
import { type Call, defineCommand, readChoice, readInteger } from "../command.js";
import { readNames, sourceWords } from "../data/options.js";
import { readOrOffer } from "../database/offer.js";
import { databaseOptions, requireDatabaseOptions } from "../database/options.js";
import { cardOf, ModelOutput, modelPath, outputOption, showWritten, type Written } from "../model-output.js";
import { commandLine, inDatabaseWords, nextSteps, resumeWords } from "../shell.js";
import { showDuration } from "../terminal/duration.js";
import { JobLines } from "../terminal/job-lines.js";
import type { Terminal } from "../terminal/terminal.js";
import { fitInBackground } from "../training/fit.js";
import { fingerprintOf, Journal } from "../training/journal.js";
import { announceData, reportComparison, reportDone } from "../training/leaderboard.js";
import { findLearner } from "../training/learners.js";
import { readMeasure } from "../training/scoring.js";
import {
  countsOf,
  loadTrainingData,
  type TrainingData,
  withoutRareClasses,
} from "../training/training-data.js";
import { dataArgument, trainingOptions } from "../training/training-options.js";
import { validationOptions } from "../training/validation-options.js";

const options = {
  ...trainingOptions,
  ...validationOptions,
  models: {
    type: "string",
    short: "m",
    value: "A,B",
    multiple: true,
    doc: "Compare these models only, as random-forest,svc",
  },
  save: {
    type: "string",
    value: "WHICH",
    default: "best",
    doc: "The model to save: best, recommended (the simplest of those tied with the best), or none",
  },
  output: outputOption("Where the model is saved (default DATA.safetensors)"),
  ...databaseOptions,
} as const;

export const compare = defineCommand({
  description: [
    "Every model is measured by cross-validation on the same folds. Numbers, categories, dates, text and missing cells are prepared inside the folds, so that nothing of the held-out rows is known in training.",
    "All models have their default parameters, as with --models; argmax train and argmax tune set others. Scores have 95 % intervals. Models that are tied with the best are bracketed: at most one standard error behind it on the same folds and 5 % of its lead over a constant prediction, or at most 1 % of that lead. The simplest of these is recommended.",
    "The best model is trained again on all rows and saved. A file that holds another model is kept (see --force). The best of many scores is optimistically biased: keep rows that no run has seen for the final estimate (argmax evaluate).",
    "With --in-database the rows stay where they are, in PostgreSQL, ClickHouse, DuckDB or files of any size: models that learn from sums over rows are measured, all folds in the same passes.",
    "Finished folds are kept in MODEL.folds until the run is complete. After Ctrl-C or a crash, the same command with --resume measures only the rest, and gives the same leaderboard.",
  ],
  args: [dataArgument],
  options,
  examples: [
    { words: "compare penguins.csv --target species", doc: "All models on a file" },
    {
      words: "compare diabetes --models ridge,random-forest --folds 3 --save none",
      doc: "Two models on an included dataset",
    },
    {
      words: "compare titanic --target survived --drop boat,body --scoring rocAuc -m logistic-regression",
      doc: "Without the columns that leak the target",
    },
    {
      words:
        "compare penguins.csv --target species -m gaussian-nb,logistic-regression --in-database --save none",
      doc: "By DuckDB, whatever the size of the file",
    },
  ],
  run: runCompare,
});

async function runCompare(call: Call<typeof options>): Promise<void> {
  const { values, args, terminal, program, signal } = call;
  requireDatabaseOptions(values);
  const inDatabase = async () => {
    const { compareWhereDataLie } = await import("../database/compare.js");
    return compareWhereDataLie({ ...call, values: { ...values, "in-database": true } });
  };
  if (values["in-database"]) return inDatabase();
  const plan = await readOrOffer(() => readPlan(call), terminal, signal);
  if (plan === undefined) return inDatabase();
  const { data, save, output, journal } = plan;
  announce(plan, terminal);
  const started = performance.now();
  const comparison = await measureModels(plan, call);
  const known = data.X.warnings.map(({ message }) => message);
  reportComparison(comparison, terminal, known);
  const chosen = save === "none" ? undefined : comparison[save];
  const saved = chosen && output && (await saveBest(chosen, data, output, signal, terminal));
  journal.remove();
  reportDone(comparison, saved, performance.now() - started, terminal, save);
  if (saved) terminal.print(hints(program, saved.path, [args[0]!, ...sourceWords(values)], data).join("\n"));
}

/** What is compared and how, and where the best model and the finished folds go. */
interface Plan {
  readonly data: TrainingData;
  readonly settings: Pick<CompareOptions, "task" | "scoring" | "positiveLabel" | "vectorizer"> & {
    readonly cv: number;
    readonly randomState: number;
  };
  /** The models by name; undefined for all. */
  readonly models: CompareOptions["models"];
  readonly save: "best" | "recommended" | "none";
  readonly output: ModelOutput | undefined;
  readonly journal: Journal;
}

async function readPlan({ values, args, program, signal }: Call<typeof options>): Promise<Plan> {
  const cv = readInteger("folds", values.folds, 2, 20);
  const randomState = readInteger("seed", values.seed, 0, Number.MAX_SAFE_INTEGER);
  const save = readChoice("save", values.save, ["best", "recommended", "none"]);
  const inDatabase = commandLine(program, "compare", ...args, ...inDatabaseWords(values, options));
  const loaded = await loadTrainingData(args[0]!, values, signal, inDatabase);
  const data = withoutRareClasses(loaded, cv, `${cv} folds`);
  const { X, y, task, vectorizer } = data;
  const settings = { cv, randomState, ...readMeasure(values, data), task, vectorizer };
  const models = await readModels(readNames(values.models), data, randomState);
  const path = modelPath(values.output, data.name);
  const output = save === "none" ? undefined : new ModelOutput(path, values.force === true, args);
  output?.requireFree({ estimator: undefined, id: undefined, card: cardOf(data) });
  const fingerprint = fingerprintOf(X, y, { ...settings, models: models && Object.keys(models) });
  const journal = Journal.open(`${path}.folds`, fingerprint, values.resume === true);
  return { data, settings, models, save, output, journal };
}

function announce({ data, settings: { cv }, output, journal }: Plan, terminal: Terminal): void {
  const { name, X, y, target, task, remarks } = data;
  const classes = task === "classification" ? countsOf(y) : new Map();
  announceData({ name, target, task, rows: y.length, columns: X.cols, classes, remarks }, cv, terminal);
  for (const note of [journal.note, output?.note]) if (note !== undefined) terminal.note(note);
}

/** The comparison; a Failure that says how to go on if it was stopped. */
async function measureModels(
  { data, settings, models, journal }: Plan,
  { values, args, terminal, program, signal }: Call<typeof options>,
): Promise<Comparison> {
  const watch = new Watch(terminal, settings.cv);
  try {
    return await compareModels(data.X, data.y, {
      ...settings,
      memory: journal,
      signal,
      onStart: (model) => watch.begin(model),
      onProgress: (progress) => watch.fold(progress),
      ...(models !== undefined && { models }),
    });
  } catch (error) {
    throw journal.errorOf(error, commandLine(program, "compare", ...args, ...resumeWords(values, options)));
  } finally {
    watch.end();
  }
}

/** The named models, prepared for the table. */
async function readModels(
  names: readonly string[] | undefined,
  { X, task, vectorizer }: TrainingData,
  randomState: number,
): Promise<CompareOptions["models"]> {
  if (names === undefined) return undefined;
  const { preparedFor } = await import("argmax");
  return Object.fromEntries(
    names.map((name) => {
      const { id, create, table } = findLearner(name, task);
      const learner = create("randomState" in table ? { randomState } : {});
      return [id, preparedFor(learner, X, { vectorizer })];
    }),
  );
}

/** Shows the folds as they are measured. */
class Watch {
  readonly #lines: JobLines;
  readonly #scores = new Map<string, number[]>();

  constructor(
    readonly terminal: Terminal,
    folds: number,
  ) {
    this.#lines = new JobLines(terminal, folds);
  }

  begin(model: string): void {
    this.#lines.begin(model);
  }

  fold({ model, testScore, iteration, total }: CompareProgress): void {
    const scores = [...(this.#scores.get(model) ?? []), testScore];
    this.#scores.set(model, scores);
    this.terminal.emit({ type: "fold", model, score: testScore, done: iteration, total });
    this.#lines.advance(model, mean(scores).toFixed(4), total);
  }

  end(): void {
    this.#lines.end();
  }
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** Trains the model on all rows and saves it; `text` says so. */
async function saveBest(
  { label, estimator }: Contender,
  data: TrainingData,
  output: ModelOutput,
  signal: AbortSignal,
  { live }: Terminal,
): Promise<Written & { readonly text: string }> {
  live?.write(`training ${label} on all rows`);
  const started = performance.now();
  const model = await fitInBackground(estimator, data, signal);
  const written = output.write(model, cardOf(data));
  live?.clear();
  const time = showDuration(performance.now() - started);
  return { ...written, text: `${label}, trained on all rows in ${time}, is ${showWritten(written)}` };
}

const hints = (program: string, path: string, source: readonly string[], { name }: TrainingData) =>
  nextSteps(
    program,
    ["explain", path, ...source],
    ["predict", path, ...source, "-o", `${name}-predictions.csv`],
  );
