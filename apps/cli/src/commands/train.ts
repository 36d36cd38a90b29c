import { readFileSync } from "node:fs";
import { basename } from "node:path";
import {
  AbortError,
  type EstimatorJson,
  estimatorFromJson,
  modelLabel,
  modelSettings,
  type PipelineStep,
  preparedFor,
  type ScorerName,
  scorers,
  trainTestSplit,
} from "argmax";
import { maxOf } from "argmax/numeric";
import { type Call, defineCommand, Failure, readInteger, UsageError } from "../command.js";
import { sourceWords } from "../data/options.js";
import { readOrOffer } from "../database/offer.js";
import { databaseOptions, requireDatabaseOptions } from "../database/options.js";
import { describeEstimator } from "../described-model.js";
import { cardOf, forceOption, ModelOutput, modelPath, outputOption, showWritten } from "../model-output.js";
import { commandLine, inDatabaseWords, nextSteps } from "../shell.js";
import { showDuration } from "../terminal/duration.js";
import { drawTable, widthOf, wrap } from "../terminal/table.js";
import type { Terminal } from "../terminal/terminal.js";
import { fitInBackground } from "../training/fit.js";
import type { ParamsTable, Task } from "../training/learners.js";
import { findLearner, learnerNames, readSettings, shortName, wordsOf } from "../training/learners.js";
import { type Streamed, trainInStream } from "../training/stream-training.js";
import { loadTrainingData, type TrainingData, withoutRareClasses } from "../training/training-data.js";
import { dataArgument, trainingOptions } from "../training/training-options.js";

const options = {
  ...trainingOptions,
  model: {
    type: "string",
    short: "m",
    value: "NAME",
    doc: "The model, as random-forest or RandomForestClassifier; --model list shows all of them",
  },
  set: {
    type: "string",
    short: "s",
    value: "NAME=VALUE",
    multiple: true,
    doc: "A parameter of the model, as maxDepth=8; --params shows them",
  },
  pipeline: {
    type: "string",
    short: "p",
    value: "FILE",
    doc: "An estimator or pipeline as JSON.stringify writes it, instead of --model",
  },
  params: { type: "boolean", doc: "Show the parameters of the model and train nothing" },
  plain: {
    type: "boolean",
    doc: "Give the table to the model as it is, without filling gaps, encoding and scaling",
  },
  test: {
    type: "string",
    value: "SHARE",
    doc: "Fraction of the rows that are held out to measure the model, before it learns from all rows; 0 for none (default 0.2)",
  },
  seed: {
    type: "string",
    value: "N",
    default: "0",
    doc: "For the held-out rows and for models that draw random numbers",
  },
  stream: {
    type: "boolean",
    doc: "Learn batch by batch, for files larger than memory; for models that can (SGD, naive Bayes, networks). No rows are held out: measure with argmax evaluate",
  },
  epochs: { type: "string", value: "N", doc: "Passes over the rows with --stream (default 1)" },
  ...databaseOptions,
  output: outputOption("Where the model is saved (default DATA-MODEL.safetensors)"),
  force: forceOption,
} as const;

export const train = defineCommand({
  description: [
    "The table is prepared as the model needs it: gaps filled, categories and dates encoded, text as tf-idf, columns scaled. What is learned for that is part of the saved model, which takes tables like the one it was trained on.",
    "With --in-database the rows stay where they are, whatever their number: the model learns from sums that PostgreSQL, ClickHouse (clickhouse://user:password@host:8123/database) or DuckDB adds up, for files too. It is the same model. About the fraction of --test is held out, by the values of the rows. Models that do not learn from sums, as SVC, say so.",
    "The file may hold the same model, which is then trained again: the same parameters, target and columns. Another model is not replaced without --force.",
  ],
  args: [{ ...dataArgument, optional: true }],
  options,
  examples: [
    {
      words: "train penguins.csv --target species --model random-forest --set maxDepth=8",
      doc: "A forest of shallow trees",
    },
    { words: "train --model svc --params", doc: "What can be set" },
    { words: "train penguins.csv --target species --model gaussian-nb --stream", doc: "Batch by batch" },
    {
      words: "train penguins.csv --target species --model logistic-regression --in-database",
      doc: "By DuckDB, whatever the size of the file",
    },
    {
      words: "train diabetes --model ridge --set alpha=0.1 --test 0 -o ridge.safetensors",
      doc: "A regression on all rows",
    },
  ],
  run: runTrain,
});

async function runTrain(call: Call<typeof options>): Promise<void> {
  const { values, args, terminal, program, signal } = call;
  if (values.model === "list") return listModels(terminal);
  if (values.params) return showParams(values.model, values.task, terminal);
  if (args[0] === undefined) throw new UsageError("DATA is missing: the table to learn from.");
  if ((values.model === undefined) === (values.pipeline === undefined))
    throw new UsageError(
      "Give a model, as --model random-forest, or a pipeline, as --pipeline pipeline.json.",
    );
  refuseUnused(values);
  if (values.stream) return streamed(call, args[0]);
  const share = readShare(values.test ?? "0.2");
  const randomState = readInteger("seed", values.seed, 0, Number.MAX_SAFE_INTEGER);
  if (values["in-database"]) return inDatabase(call, share, randomState);
  const source = args[0];
  const command = commandLine(program, "train", source, ...inDatabaseWords(values, options));
  const read = () => loadTrainingData(source, values, signal, command);
  const loaded = await readOrOffer(read, terminal, signal);
  if (loaded === undefined)
    return inDatabase({ ...call, values: { ...values, "in-database": true } }, share, randomState);
  const data = share > 0 ? withoutRareClasses(loaded, 2, "rows that are held out (--test)") : loaded;
  for (const remark of data.remarks) terminal.note(remark);
  const estimator = readEstimator(values, data, randomState);
  const path = modelPath(values.output, data.name, nameOf(values));
  const card = cardOf(data);
  const output = new ModelOutput(path, values.force === true, args);
  output.requireFree(describeEstimator(estimator, card));
  try {
    const held = share > 0 ? await measure(estimator, data, share, randomState, call) : undefined;
    const started = performance.now();
    const model = await fitInBackground(estimator, data, signal, progressOf(terminal, "all rows"));
    terminal.live?.clear();
    const seconds = (performance.now() - started) / 1000;
    const written = output.write(model, card);
    const warnings = warningsOf(model);
    terminal.emit({
      type: "trained",
      model: idOf(estimator),
      settings: modelSettings(estimator),
      path: written.path,
      bytes: written.bytes,
      ...(written.kept && { kept: written.kept.path }),
      seconds,
      rows: data.y.length,
      ...held,
      warnings,
    });
    for (const warning of warnings) terminal.note(warning);
    const label = modelLabel(idOf(estimator), estimator);
    const about = `${label} on ${data.y.length} rows in ${showDuration(1000 * seconds)}, ${showWritten(written)}`;
    terminal.print(
      [
        ...(held ? [heldOut(held)] : []),
        about,
        "",
        ...hints(program, written.path, [args[0], ...sourceWords(values)]),
      ].join("\n"),
    );
  } catch (error) {
    terminal.live?.clear();
    if (error instanceof AbortError) throw new Failure("Stopped. Nothing was saved.");
    throw error;
  }
}

/** Learns where the data lie. */
async function inDatabase(call: Call<typeof options>, share: number, randomState: number): Promise<void> {
  const { trainInDatabase } = await import("../database/train.js");
  const { values } = call;
  const estimatorFor = (task: Task) => plainEstimator(values, task, randomState);
  await trainInDatabase(call, { share, randomState, modelName: nameOf(values), estimatorFor, idOf });
}

/** Options that would have no effect beside the others. */
function refuseUnused(values: Values): void {
  requireDatabaseOptions(values);
  const { stream, test, epochs, plain, pipeline } = values;
  if (stream && test !== undefined)
    throw new UsageError(
      "--test goes without --stream, which holds no rows out: measure with argmax evaluate.",
    );
  if (!stream && epochs !== undefined)
    throw new UsageError("--epochs goes with --stream; of a model it is a parameter, as --set maxIter=50.");
  if (plain && pipeline !== undefined)
    throw new UsageError("--plain goes with --model: a pipeline gets the table as it is.");
}

/** Learns from a source that need not fit into memory. */
async function streamed(call: Call<typeof options>, source: string): Promise<void> {
  const { values, terminal, program, signal } = call;
  const { model, pipeline } = values;
  if (model === undefined || pipeline !== undefined)
    throw new UsageError("--stream needs a model, as --model sgd.");
  const epochs = readInteger("epochs", values.epochs ?? "1", 1, 10_000);
  const randomState = readInteger("seed", values.seed, 0, Number.MAX_SAFE_INTEGER);
  const started = performance.now();
  const path = modelPath(values.output, basename(source).replace(/\..*$/, ""), nameOf(values));
  const output = new ModelOutput(path, values.force === true, [source]);
  const onRows = (rows: number) => terminal.live?.write(`${rows} rows`);
  let found: Streamed;
  try {
    found = await trainInStream(source, { ...values, model }, epochs, randomState, signal, onRows);
  } catch (error) {
    terminal.live?.clear();
    if (signal.aborted) throw new Failure("Stopped. Nothing was saved.");
    throw error;
  }
  terminal.live?.clear();
  const written = output.write(found.model, found.card);
  const seconds = (performance.now() - started) / 1000;
  terminal.emit({
    type: "trained",
    model: found.id,
    settings: found.settings,
    path: written.path,
    bytes: written.bytes,
    ...(written.kept && { kept: written.kept.path }),
    seconds,
    rows: found.rows,
    warnings: [],
  });
  const label = found.settings === "" ? found.id : `${found.id} (${found.settings})`;
  const about = `${label} on ${found.rows} rows in ${showDuration(1000 * seconds)}, ${showWritten(written)}`;
  terminal.print([about, "", ...hints(program, written.path, [source, ...sourceWords(values)])].join("\n"));
}

/** How a file is named after the model: `random-forest`, or the name of the file of a pipeline. */
const nameOf = ({ model, pipeline }: Values): string =>
  pipeline === undefined ? shortName(wordsOf(model!)) : basename(pipeline).replace(/\.json$/i, "");

/** What fit reports, as of a solver that has not converged. */
const warningsOf = (model: unknown): readonly string[] =>
  (model as { readonly report?: { readonly warnings?: readonly string[] } }).report?.warnings ?? [];

function readShare(text: string): number {
  const share = Number(text);
  if (text.trim() !== "" && share >= 0 && share < 1) return share;
  throw new UsageError(`--test must be a number from 0 to less than 1, got ${JSON.stringify(text)}.`);
}

type Values = Call<typeof options>["values"];

function readEstimator(values: Values, data: TrainingData, randomState: number): object {
  const estimator = plainEstimator(values, data.task, randomState);
  if (values.plain || values.pipeline !== undefined) return estimator;
  return preparedFor(estimator as PipelineStep, data.X, { vectorizer: data.vectorizer });
}

/** The model without what prepares the columns, or the pipeline as it is given. */
function plainEstimator(values: Values, task: Task, randomState: number): object {
  if (values.pipeline !== undefined) {
    if (values.set !== undefined)
      throw new UsageError("--set goes with --model; a pipeline has its parameters in the file.");
    return readPipeline(values.pipeline);
  }
  const { create, table } = findLearner(values.model!, task);
  const seeded = "randomState" in table ? { randomState } : {};
  return create({ ...seeded, ...readSettings(values.set) });
}

export function readPipeline(path: string): object {
  let json: unknown;
  try {
    json = JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    throw new Failure(`${path} cannot be read as JSON: ${(error as Error).message}.`);
  }
  return estimatorFromJson(json as EstimatorJson);
}

/** The name of the model itself, without the steps before it. */
export function idOf(estimator: object): string {
  const { id, params } = estimator as {
    readonly id: string;
    readonly params: { readonly steps?: readonly unknown[]; readonly regressor?: unknown };
  };
  const last = params.steps?.at(-1) ?? params.regressor;
  const step = Array.isArray(last) ? last[1] : last;
  return typeof step === "object" && step !== null && "id" in step ? idOf(step) : id;
}

interface HeldOut {
  readonly scoring: ScorerName;
  readonly score: number;
  readonly testRows: number;
}

/** The score on rows that the model has not learned from. */
async function measure(
  estimator: object,
  { X, y, task }: TrainingData,
  share: number,
  randomState: number,
  { terminal, signal }: Call<typeof options>,
): Promise<HeldOut> {
  const stratify = task === "classification";
  const { train, test } = trainTestSplit(X, y, {
    testSize: share,
    stratify,
    randomState,
  }) as unknown as Record<"train" | "test", Pick<TrainingData, "X" | "y">>;
  const model = await fitInBackground(estimator, train, signal, progressOf(terminal, "training rows"));
  terminal.live?.clear();
  const scoring = task === "classification" ? "accuracy" : "r2";
  const score = scorers[scoring](model, test.X, test.y, {});
  return { scoring, score, testRows: test.y.length };
}

const heldOut = ({ scoring, score, testRows }: HeldOut): string =>
  `${scoring === "r2" ? "R²" : "accuracy"} ${score.toFixed(4)} on ${testRows} rows that were held out.`;

function progressOf({ live }: Terminal, rows: string) {
  if (live === undefined) return undefined;
  live.write(`training on ${rows}`);
  return ({ iteration, total }: { readonly iteration: number; readonly total?: number | undefined }) =>
    live.write(`training on ${rows}: ${iteration}${total === undefined ? "" : ` of ${total}`}`);
}

const hints = (program: string, path: string, source: readonly string[]): string[] =>
  nextSteps(program, ["evaluate", path, ...source], ["serve", path]);

function listModels(terminal: Terminal): void {
  for (const task of ["classification", "regression"] as const) {
    const names = learnerNames(task);
    terminal.emit({ type: "models", task, names });
    terminal.print(`${terminal.style.bold(`For ${task}:`)}\n  ${names.join("\n  ")}`);
  }
}

/** The params table of a model, as help. */
function showParams(name: string | undefined, task: string | undefined, terminal: Terminal): void {
  if (name === undefined) throw new UsageError("--params needs a model, as --model svc --params.");
  const { id, table } = findAny(name, task);
  const rows = Object.entries(table).map(([param, spec]) => ({ param, ...describe(spec) }));
  for (const row of rows) terminal.emit({ type: "param", model: id, ...row });
  terminal.print([terminal.style.bold(id), ...paramLines(rows, terminal)].join("\n"));
}

/** Text beside the names is wrapped to the terminal, and to this on a wide one. */
const WIDEST = 120;

function paramLines(
  rows: readonly {
    readonly param: string;
    readonly default: string;
    readonly doc: string;
    readonly expected: string;
  }[],
  { width, style }: Terminal,
): string[] {
  const widest = (texts: readonly string[]) => maxOf(texts.map(widthOf));
  const names = widest(["parameter", ...rows.map(({ param }) => param)]);
  const defaults = widest(["default", ...rows.map((row) => row.default)]);
  const room = Math.max(24, Math.min(WIDEST, width) - names - defaults - 4);
  const lines = rows.flatMap((row) =>
    wrap(`${row.doc} Must be ${row.expected}.`, room).map((text, k) =>
      k === 0 ? [row.param, row.default, text] : ["", "", text],
    ),
  );
  const columns = ["parameter", "default", "meaning"].map((title, k) => ({
    title,
    cell: (line: string[]) => line[k]!,
  }));
  return drawTable(columns, lines, Number.POSITIVE_INFINITY, style);
}

function findAny(name: string, task: string | undefined) {
  if (task === "regression") return findLearner(name, "regression");
  try {
    return findLearner(name, "classification");
  } catch (error) {
    if (task === "classification") throw error;
    return findLearner(name, "regression");
  }
}

const describe = ({ default: preset, doc, expected }: ParamsTable[string]) => ({
  default:
    preset === undefined
      ? ""
      : typeof preset === "object" && preset !== null
        ? JSON.stringify(preset)
        : String(preset),
  doc,
  expected,
});
