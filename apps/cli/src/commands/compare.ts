import type { CompareOptions, CompareProgress, Comparison, Contender } from "argmax";
import { compare as compareModels, modelSettings } from "argmax";
import { maxOf } from "argmax/numeric";
import { type Call, defineCommand, readChoice, readInteger } from "../command.js";
import { readNames, sourceWords } from "../data/options.js";
import { cardOf, ModelOutput, modelPath, outputOption, showWritten, type Written } from "../model-output.js";
import { commandLine, nextSteps, resumeWords } from "../shell.js";
import { showDuration } from "../terminal/duration.js";
import { JobLines } from "../terminal/job-lines.js";
import { type Column, drawTable, wrap } from "../terminal/table.js";
import type { Terminal } from "../terminal/terminal.js";
import { fitInBackground } from "../training/fit.js";
import { fingerprintOf, Journal } from "../training/journal.js";
import { findLearner } from "../training/learners.js";
import { measureTitle, readMeasure } from "../training/scoring.js";
import { loadTrainingData, type TrainingData, withoutRareClasses } from "../training/training-data.js";
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
} as const;

export const compare = defineCommand({
  description: [
    "Every model is measured by cross-validation on the same folds. Numbers, categories, dates, text and missing cells are prepared inside the folds, so that nothing of the held-out rows is known in training.",
    "All models have their default parameters, as with --models; argmax train and argmax tune set others. Scores have 95 % intervals. Models that are tied with the best are bracketed: at most one standard error behind it on the same folds and 5 % of its lead over a constant prediction, or at most 1 % of that lead. The simplest of these is recommended.",
    "The best model is trained again on all rows and saved. A file that holds another model is kept (see --force). The best of many scores is optimistically biased: keep rows that no run has seen for the final estimate (argmax evaluate).",
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
  ],
  run: runCompare,
});

async function runCompare(call: Call<typeof options>): Promise<void> {
  const { values, args, terminal, program, signal } = call;
  const plan = await readPlan(call);
  const { data, save, output, journal } = plan;
  announce(plan, terminal);
  const started = performance.now();
  const comparison = await measureModels(plan, call);
  report(comparison, data, terminal);
  const chosen = save === "none" ? undefined : comparison[save];
  const saved = chosen && output && (await saveBest(chosen, data, output, signal, terminal));
  journal.remove();
  const milliseconds = performance.now() - started;
  terminal.emit({
    type: "done",
    seconds: milliseconds / 1000,
    ...(saved && { saved: saved.path, ...(saved.kept && { kept: saved.kept.path }) }),
  });
  terminal.print(
    [
      `\n${count(comparison.models.length, "model")} in ${showDuration(milliseconds)}.`,
      ...(saved ? wrap(saved.text, terminal.width) : []),
      ...(save === "best" && comparison.recommended !== comparison.best
        ? [`--save recommended saves ${comparison.recommended.name} instead.`]
        : []),
      "",
    ].join("\n"),
  );
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

async function readPlan({ values, args, signal }: Call<typeof options>): Promise<Plan> {
  const cv = readInteger("folds", values.folds, 2, 20);
  const randomState = readInteger("seed", values.seed, 0, Number.MAX_SAFE_INTEGER);
  const save = readChoice("save", values.save, ["best", "recommended", "none"]);
  const loaded = await loadTrainingData(args[0]!, values, signal);
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
  terminal.emit({
    type: "data",
    rows: data.y.length,
    columns: data.X.cols,
    target: data.target,
    task: data.task,
    folds: cv,
    remarks: data.remarks,
  });
  terminal.print(heading(data, cv, terminal));
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

function heading(
  { name, X, y, target, task, remarks }: TrainingData,
  folds: number,
  { style, width }: Terminal,
): string {
  const classes = task === "classification" ? countsOf(y) : undefined;
  const about =
    classes === undefined
      ? "a regression"
      : `${classes.size} classes; the largest alone is ${((100 * maxOf(classes.values())) / y.length).toFixed(1)} % of the rows`;
  const title = `${style.bold(`${name} · ${target}`)}  ${count(y.length, "row")} × ${count(X.cols, "column")}`;
  const small = [`${about}; ${folds}-fold cross-validation`, ...remarks].flatMap((line) => wrap(line, width));
  return [title, ...small.map((line) => style.dim(line)), ""].join("\n");
}

const count = (n: number, what: string): string => `${n} ${what}${n === 1 ? "" : "s"}`;

function countsOf(y: readonly unknown[]): Map<unknown, number> {
  const counts = new Map<unknown, number>();
  for (const label of y) counts.set(label, (counts.get(label) ?? 0) + 1);
  return counts;
}

interface Ranked extends Contender {
  readonly bracket: string;
  readonly isRecommended: boolean;
}

/** The leaderboard, and what it means. */
function report(comparison: Comparison, data: TrainingData, terminal: Terminal): void {
  const { models, recommended, reason, baseline, leftOut, scoring, positiveLabel } = comparison;
  const tied = models.filter((model) => model.tied).length;
  const rows = models.map((model, i): Ranked => {
    const bracket =
      !model.tied || tied === 1
        ? " "
        : i === 0
          ? "┌"
          : models.slice(i + 1).some((other) => other.tied)
            ? "│"
            : "└";
    return { ...model, bracket, isRecommended: model === recommended };
  });
  for (const [index, row] of rows.entries()) {
    const { name, estimator, mean, margin, scores, fitTime, scoreTime, tied, isRecommended } = row;
    terminal.emit({
      type: "model",
      rank: index + 1,
      name,
      settings: modelSettings(estimator),
      estimator,
      scoring,
      ...(positiveLabel !== undefined && { positive: positiveLabel }),
      mean,
      margin,
      scores: [...scores],
      fitTime,
      scoreTime,
      tied,
      recommended: isRecommended,
    });
  }
  terminal.emit({ type: "recommendation", model: recommended.name, reason, baseline });
  for (const { name, because } of leftOut) terminal.emit({ type: "leftOut", name, because });
  terminal.print(
    drawTable(columnsOf(measureTitle(scoring, positiveLabel)), rows, terminal.width, terminal.style).join(
      "\n",
    ),
  );
  // What was said when the data were read is not said again.
  const said = new Set(data.X.warnings.map(({ message }) => message));
  const warnings = comparison.warnings.filter(({ message }) => !said.has(message));
  for (const warning of warnings) terminal.emit({ type: "warning", ...warning });
  const remarks = leftOut.map(({ name, because }) => `${name} was left out: ${because.replace(/\.$/, "")}.`);
  // The heading has the fraction of the largest class.
  if (baseline !== undefined && scoring !== "accuracy")
    remarks.unshift(`A constant prediction scores ${baseline.toFixed(4)}.`);
  remarks.unshift(tied > 1 ? `┌ └ ${reason}` : reason);
  for (const { message } of warnings) remarks.push(message);
  if (remarks.length > 0)
    terminal.print(["", ...remarks.flatMap((line) => wrap(line, terminal.width))].join("\n"));
}

const columnsOf = (measured: string): Column<Ranked>[] => [
  { title: "", cell: ({ bracket }) => bracket, paint: (text, _, __, style) => style.accent(text) },
  {
    title: "model",
    cell: ({ label, isRecommended }) => (isRecommended ? `${label} ←` : label),
    paint: (text, { isRecommended }, index, style) =>
      index === 0 || isRecommended ? style.bold(text) : text,
  },
  {
    title: measured,
    align: "right",
    cell: ({ mean }) => figure(mean),
    paint: (text, _, index, style) => (index === 0 ? style.good(style.bold(text)) : text),
  },
  { title: "± 95 %", align: "right", cell: ({ margin }) => figure(margin), dispensable: 3 },
  { title: "fit", align: "right", cell: ({ fitTime }) => showDuration(1000 * fitTime), dispensable: 2 },
  {
    title: "predict",
    align: "right",
    cell: ({ scoreTime }) => showDuration(1000 * scoreTime),
    dispensable: 1,
  },
];

/** A mean or a margin; a dash where there is none. */
const figure = (value: number): string => (Number.isNaN(value) ? "–" : value.toFixed(4));

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
