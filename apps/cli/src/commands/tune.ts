import { type FittedModel, HalvingSearch, KFold, preparedFor, RandomSearch, StratifiedKFold } from "argmax";
import { type Call, defineCommand, readChoice, readDuration, readInteger, UsageError } from "../command.js";
import { hint } from "../data/nearest.js";
import { sourceWords } from "../data/options.js";
import { cardOf, ModelOutput, modelPath, outputOption, showWritten, type Written } from "../model-output.js";
import { commandLine, nextSteps, resumeWords } from "../shell.js";
import { showDuration } from "../terminal/duration.js";
import { drawBar } from "../terminal/progress.js";
import { type Column, drawTable, wrap } from "../terminal/table.js";
import type { Terminal } from "../terminal/terminal.js";
import { inBackground } from "../training/fit.js";
import { fingerprintOf, Journal } from "../training/journal.js";
import type { LearnerClass } from "../training/learners.js";
import { findLearner, learnerClasses, readSettings, shortName } from "../training/learners.js";
import { measureTitle, readMeasure } from "../training/scoring.js";
import { loadTrainingData, type TrainingData, withoutRareClasses } from "../training/training-data.js";
import { dataArgument, trainingOptions } from "../training/training-options.js";
import { declaredSpace, readSpace, type Space } from "../training/tuning-spaces.js";
import { validationOptions } from "../training/validation-options.js";

const options = {
  ...trainingOptions,
  model: { type: "string", short: "m", value: "NAME", doc: "The model, as random-forest or SVC" },
  set: {
    type: "string",
    short: "s",
    value: "NAME=VALUE",
    multiple: true,
    doc: "A parameter that is not searched, as nEstimators=500",
  },
  range: {
    type: "string",
    short: "r",
    value: "NAME=RANGE",
    multiple: true,
    doc: "What to search instead of the usual ranges: C=log:0.01:100, maxDepth=integers:2:12, kernel=rbf,linear",
  },
  method: {
    type: "string",
    value: "METHOD",
    default: "random",
    doc: "random (candidates on all rows) or halving (many on few rows, the best of them on more)",
  },
  candidates: {
    type: "string",
    short: "n",
    value: "N",
    default: "40",
    doc: "How many combinations are tried",
  },
  time: {
    type: "string",
    value: "TIME",
    doc: "Begin no further candidate (halving: no further round) after this time, as 90s or 10m",
  },
  ...validationOptions,
  output: outputOption("Where the best model is saved (default DATA-MODEL-tuned.safetensors)"),
} as const;

export const tune = defineCommand({
  description: [
    "Random combinations of the model's parameters are measured by cross-validation, with the table prepared inside the folds. The best one learns from all rows and is saved. A file that holds another model is kept (see --force).",
    "Finished folds are kept in MODEL.folds until the run is complete: after Ctrl-C or a crash, the same command with --resume measures only the rest. Time of earlier runs counts towards --time.",
  ],
  args: [dataArgument],
  options,
  examples: [
    {
      words: "tune penguins.csv --target species --model svc --candidates 10",
      doc: "Ten random combinations",
    },
    {
      words: "tune diabetes --model ridge --range alpha=log:0.001:100 --time 5s --candidates 8",
      doc: "A range of your own, with a limit of time",
    },
    {
      words: "tune iris --model random-forest --set nEstimators=20 --method halving --candidates 9 --folds 3",
      doc: "Successive halving",
    },
  ],
  run: runTune,
});

async function runTune(call: Call<typeof options>): Promise<void> {
  const { values, args, terminal, program, signal } = call;
  if (values.model === undefined)
    throw new UsageError("--model is missing: the model to tune, as --model random-forest.");
  const loaded = await loadTrainingData(args[0]!, values, signal);
  const folds = readInteger("folds", values.folds, 2, 20);
  const data = withoutRareClasses(loaded, folds, `${folds} folds`);
  for (const remark of data.remarks) terminal.note(remark);
  const { id, name } = findLearner(values.model, data.task);
  const path = modelPath(values.output, data.name, shortName(name), "tuned");
  const output = new ModelOutput(path, values.force === true, args);
  output.requireFree({ estimator: undefined, id, card: cardOf(data) });
  const journal = Journal.open(
    `${path}.folds`,
    fingerprintOf(data.X, data.y, settingsOf(values)),
    values.resume === true,
  );
  const search = readSearch(values, data, journal.elapsed);
  for (const note of [journal.note, output.note]) if (note !== undefined) terminal.note(note);
  const started = performance.now();
  let found: FoundSearch;
  try {
    found = await inBackground<FoundSearch>(search).fit(data.X, data.y, {
      signal,
      memory: journal,
      onProgress: progressOf(terminal, started),
    });
  } catch (error) {
    terminal.live?.clear();
    journal.addElapsed(performance.now() - started);
    throw journal.errorOf(error, commandLine(program, "tune", ...args, ...resumeWords(values, options)));
  }
  terminal.live?.clear();
  const written = output.write(found.bestModel, cardOf(data));
  journal.remove();
  report(found, data, written, performance.now() - started, call);
}

/** What decides the result: a run with other settings cannot be resumed. */
function settingsOf({
  resume: _,
  output: __,
  time: ___,
  json: ____,
  force: _____,
  ...settings
}: Record<string, unknown>): unknown {
  return settings;
}

type Candidate = Readonly<Record<string, unknown>>;

/** What a search of any model by one scorer finds. */
interface FoundSearch {
  readonly bestModel: FittedModel;
  readonly bestParams: Candidate;
  readonly bestScore: number;
  readonly results: { readonly candidates: readonly Measured[] };
}

interface Measured {
  readonly params: Candidate;
  readonly meanScore: number;
  readonly stdScore: number;
  readonly rank: number;
  readonly fitTime: number;
  readonly rows?: number | undefined;
}

type Values = Call<typeof options>["values"];

function readSearch(values: Values, data: TrainingData, elapsed: number): object {
  const cv = readInteger("folds", values.folds, 2, 20);
  const randomState = readInteger("seed", values.seed, 0, Number.MAX_SAFE_INTEGER);
  const candidates = readInteger("candidates", values.candidates, 1, 100_000);
  const method = readChoice("method", values.method, ["random", "halving"]);
  const found = findLearner(values.model!, data.task);
  const { id, create, table } = found;
  const seeded = "randomState" in table ? { randomState } : {};
  const learner = create({ ...seeded, ...readSettings(values.set) });
  const estimator = preparedFor(learner, data.X, { vectorizer: data.vectorizer });
  const given = readSpace(values.range);
  for (const name of Object.keys(given ?? {}))
    if (!Object.hasOwn(table, name))
      throw new UsageError(
        `--range ${name}: ${id} has no such parameter.${hint(name, Object.keys(table))} It has ${Object.keys(table).join(", ")}.`,
      );
  const space = inPipeline(
    given ?? usualSpace(found, values.set),
    estimator === (learner as unknown) ? undefined : estimator,
  );
  const common = {
    estimator,
    space,
    cv: folds(cv, data, randomState),
    randomState,
    onError: "skip" as const,
    ...readMeasure(values, data),
  };
  const timeBudget =
    values.time === undefined ? null : Math.max(0.001, (readDuration("time", values.time) - elapsed) / 1000);
  if (method === "halving") return new HalvingSearch({ ...common, nCandidates: candidates, timeBudget });
  return new RandomSearch({ ...common, nIter: candidates, timeBudget });
}

/** Files are often sorted, so that folds of consecutive rows would have little in common. */
const folds = (nSplits: number, { task }: TrainingData, randomState: number) =>
  new (task === "classification" ? StratifiedKFold : KFold)({ nSplits, shuffle: true, randomState });

/** The usual ranges, without parameters that are set. */
function usualSpace(learner: LearnerClass, set: readonly string[] | undefined): Space {
  const { id } = learner;
  const usual = declaredSpace(learner);
  const known = learnerClasses().flatMap((one) => (one.searchSpace === undefined ? [] : [one.id]));
  if (usual === undefined)
    throw new UsageError(
      `There are no usual ranges for ${id}: give them, as --range alpha=log:0.001:10. Usual ones exist for ${known.join(", ")}.`,
    );
  const fixed = Object.keys(readSettings(set));
  const free = Object.entries(usual).filter(([name]) => !fixed.includes(name));
  if (free.length === 0)
    throw new UsageError(
      `--set leaves nothing to search: the usual ranges of ${id} are of ${Object.keys(usual).join(", ")}. Give others, as --range NAME=A,B.`,
    );
  return Object.fromEntries(free);
}

/** Parameters of the last step of a pipeline, by its place, or of the regressor in it whose targets are scaled. */
function inPipeline(space: Space, pipeline: unknown): Space {
  if (pipeline === undefined) return space;
  const { steps } = (pipeline as { readonly params: { readonly steps: readonly unknown[] } }).params;
  const { regressor } = (steps.at(-1) as { readonly params: { readonly regressor?: unknown } }).params;
  const place = regressor === undefined ? `${steps.length - 1}.` : `${steps.length - 1}.regressor.`;
  return Object.fromEntries(Object.entries(space).map(([name, range]) => [`${place}${name}`, range]));
}

/** Without the place of the step. */
const plainParams = (params: Candidate): Candidate =>
  Object.fromEntries(
    Object.entries(params).map(([name, value]) => [name.replace(/^\d+\.(regressor\.)?/, ""), value]),
  );

const showValue = (value: unknown): string =>
  typeof value === "number" && !Number.isInteger(value)
    ? value.toPrecision(3)
    : typeof value === "string"
      ? value
      : JSON.stringify(value);

const showParams = (params: Candidate): string =>
  Object.entries(plainParams(params))
    .map(([name, value]) => `${name}=${showValue(value)}`)
    .join("  ");

function progressOf(terminal: Terminal, started: number) {
  return ({ iteration, total }: { readonly iteration: number; readonly total?: number | undefined }) => {
    terminal.emit({ type: "fit", done: iteration, total });
    const { live } = terminal;
    if (live === undefined || total === undefined) return;
    const left = ((performance.now() - started) / iteration) * (total - iteration);
    live.write(
      drawBar(
        iteration / total,
        `${iteration} of ${total} fits, ${showDuration(left)} left`,
        live.width,
        live.style,
      ),
    );
  };
}

/** Candidates of the table at the end. */
const SHOWN = 8;

function report(
  { results, bestParams, bestScore }: FoundSearch,
  { name, y, task }: TrainingData,
  written: Written,
  milliseconds: number,
  { terminal, program, args, values }: Call<typeof options>,
): void {
  const { path } = written;
  const measured = [...results.candidates].sort((a, b) => (b.rows ?? 0) - (a.rows ?? 0) || a.rank - b.rank);
  for (const { params, meanScore, stdScore, fitTime, rows } of measured)
    terminal.emit({
      type: "candidate",
      params: plainParams(params),
      mean: meanScore,
      deviation: stdScore,
      fitTime,
      rows,
    });
  terminal.emit({
    type: "done",
    best: plainParams(bestParams),
    score: bestScore,
    saved: path,
    ...(written.kept && { kept: written.kept.path }),
    seconds: milliseconds / 1000,
  });
  const { scoring = task === "classification" ? "accuracy" : "r2", positiveLabel } = readMeasure(values, {
    y,
    task,
  });
  const source = [args[0]!, ...sourceWords(values)];
  const columns = columnsOf(measureTitle(scoring, positiveLabel), measured);
  terminal.print(drawTable(columns, measured.slice(0, SHOWN), terminal.width, terminal.style).join("\n"));
  terminal.print(
    [
      "",
      ...wrap(
        `${measured.length} candidates in ${showDuration(milliseconds)}. The best one, trained on all ${y.length} rows, is ${showWritten(written)}`,
        terminal.width,
      ),
      "",
      ...nextSteps(
        program,
        ["evaluate", path, ...source],
        ["predict", path, ...source, "-o", `${name}-predictions.csv`],
      ),
    ].join("\n"),
  );
}

const columnsOf = (title: string, measured: readonly Measured[]): Column<Measured>[] => [
  {
    title,
    align: "right",
    cell: ({ meanScore }) => meanScore.toFixed(4),
    paint: (text, _, index, style) => (index === 0 ? style.good(style.bold(text)) : text),
  },
  { title: "±", align: "right", cell: ({ stdScore }) => stdScore.toFixed(4), dispensable: 1 },
  { title: "fit", align: "right", cell: ({ fitTime }) => showDuration(1000 * fitTime), dispensable: 2 },
  ...(measured.some(({ rows }) => rows !== undefined)
    ? [{ title: "rows", align: "right", cell: ({ rows }: Measured) => String(rows) } as const]
    : []),
  { title: "parameters", cell: ({ params }) => showParams(params) },
];
