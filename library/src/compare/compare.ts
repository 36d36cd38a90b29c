import type { Samples } from "../core/contract.js";
import { ArgmaxError, DataError } from "../core/errors.js";
import type { Label, Labels, NumberArray } from "../core/labels.js";
import { isArrayLike } from "../core/numbers/typed-arrays.js";
import { functionOption, option, readOptions, sampleWeight, signal } from "../core/params/options.js";
import { choice, optional, randomState, type TableOf } from "../core/params/params.js";
import { usualPositive } from "../core/positive-label.js";
import { Matrix } from "../data/matrix.js";
import { countRows, type Rows, readSamples } from "../data/select-rows.js";
import { GroupKFold, StratifiedGroupKFold } from "../data/splitters/groups.js";
import { KFold, StratifiedKFold } from "../data/splitters/k-fold.js";
import type { Splitter } from "../data/splitters/splitter.js";
import { guessTask, requireList } from "../data/table/guess-target.js";
import { DummyClassifier, DummyRegressor } from "../dummy/index.js";
import { sortedLabels } from "../metrics/inputs.js";
import { dependsOnPositive, requirePositive, type Scorer, type ScorerName } from "../metrics/scorers.js";
import type { FoldOptions, Learner } from "../selection/cross-validate.js";
import { crossValidationOptions, crossValScore } from "../selection/cross-validate.js";
import { type FoldMemory, memoryOption } from "../selection/fold-memory.js";
import { Comparison } from "./comparison.js";
import { ComparisonRun, meanOf } from "./comparison-run.js";
import { defaultModels, type Entrant, type LeftOut } from "./default-models.js";
import { needsOf, type VectorizerParams, vectorizerOption, warningsAbout } from "./prepared-for.js";

/** Where a comparison stands; `iteration` counts folds of all models. */
export interface CompareProgress {
  readonly iteration: number;
  readonly total: number;
  /** The model whose fold was just done. */
  readonly model: string;
  readonly testScore: number;
}

export interface CompareOptions extends FoldOptions {
  /** What y is: guessed by default. Numbers of which at most 20 different ones occur, all of them whole, are classes. */
  readonly task?: "classification" | "regression" | null | undefined;
  /** Other models than the usual ones, by name. They read X as it is. An error that is not the library's own ends the comparison. */
  readonly models?: Readonly<Record<string, Learner>> | undefined;
  /** How many folds (shuffled; stratified for classes; that keep `groups` together), or how to make them. 5 by default. */
  readonly cv?: number | Splitter | undefined;
  readonly scoring?: ScorerName | Scorer | undefined;
  readonly randomState?: number | undefined;
  readonly onProgress?: ((progress: CompareProgress) => void) | undefined;
  /** Called with the name of a model when its folds begin. */
  readonly onStart?: ((model: string) => void) | undefined;
  /** Keeps what was measured, so that an interrupted comparison goes on where it stopped. Estimators of your own are measured again. */
  readonly memory?: FoldMemory | undefined;
  /** Parameters of the TableVectorizer of the usual models, where X is a table that needs one: `{ maxTerms: 2000, ngramRange: [1, 2] }`. */
  readonly vectorizer?: VectorizerParams | undefined;
  /** Called with the reason when a model cannot be fitted, which is then left out, and with the warnings about the columns of X. */
  readonly onWarning?: ((warning: string) => void) | undefined;
}

export const compareOptions = {
  task: optional(
    choice(["classification", "regression"], {
      default: "classification",
      doc: "What y is; null is guessed.",
    }),
  ),
  models: option<Readonly<Record<string, Learner>>>(
    "union",
    "Other models than the usual ones, by name.",
    "an object of estimators by name",
    (value) =>
      typeof value === "object" &&
      value !== null &&
      !isArrayLike(value) &&
      Object.keys(value).length > 0 &&
      Object.values(value).every((model) => typeof (model as Partial<Learner> | null)?.fit === "function"),
  ),
  cv: crossValidationOptions.cv,
  scoring: crossValidationOptions.scoring,
  positiveLabel: crossValidationOptions.positiveLabel,
  groups: crossValidationOptions.groups,
  sampleWeight,
  randomState: randomState(),
  signal,
  memory: memoryOption,
  vectorizer: vectorizerOption,
  onProgress: functionOption<never>("Called after every fold of every model."),
  onStart: functionOption<never>("Called when the folds of a model begin."),
  onWarning: functionOption<never>(
    "Called when a model cannot be fitted, and with the warnings about the columns of X.",
  ),
} satisfies TableOf<CompareOptions>;

/**
 * Every sensible model on the same folds, in workers: `console.log(await compare(X, y))` prints a leaderboard.
 *
 * Documents go through `TfidfVectorizer`, a table with categories, dates or text through `TableVectorizer`, gaps are filled and columns
 * scaled where a model needs it; all of that is learned inside the folds. All of them have their default parameters. Models that are tied
 * with the best are bracketed; the simplest of these is recommended (`recommend`). The best of many scores is optimistically biased: keep
 * rows that no model has seen for the final estimate.
 */
export async function compare(
  x: Samples,
  y: Labels<Label> | NumberArray,
  options: CompareOptions = {},
): Promise<Comparison> {
  const where = "compare";
  const read = readOptions(where, compareOptions, options);
  requireList(where, y);
  const samples = readSamples(where, x) as Samples;
  const rows = countRows(where, samples as Rows);
  const task = options.task ?? guessTask(y);
  const { entrants, leftOut } = read.models
    ? {
        entrants: Object.entries(read.models).map(([name, estimator]): Entrant => ({ name, estimator })),
        leftOut: [],
      }
    : defaultModels(task, { ...needsOf(samples, rows), vectorizer: read.vectorizer }, read.randomState);
  const usual = task === "classification" ? "accuracy" : "r2";
  const { groups, sampleWeight, scoring = usual, positiveLabel } = options;
  const classes = task === "classification" ? sortedLabels(where, [y as Labels<Label>]) : [];
  if (task === "classification") requirePositive(where, [scoring], classes, positiveLabel);
  const cv = foldsOf(read.cv ?? 5, task, groups !== undefined, read.randomState);
  const common = {
    cv,
    ...(groups !== undefined && { groups }),
    sampleWeight,
    scoring,
    positiveLabel,
  };
  // Models that the caller has made treat columns as the caller has said.
  const warnings = warningsAbout(
    samples,
    read.models ? { maxTerms: 1, ...read.vectorizer } : read.vectorizer,
  );
  for (const { message } of warnings) options.onWarning?.(message);
  const run = new ComparisonRun(samples, y, common, options, entrants);
  const { measured, failed } = await run.finish();
  if (measured.length === 0)
    throw new DataError(where, "the models", "one or more that can be fitted", reasonsOf(failed));
  const named = typeof scoring === "function" ? "custom" : scoring;
  const baseline = baselineOf(task, rows, y, common);
  const positive = dependsOnPositive(scoring) ? (positiveLabel ?? usualPositive(classes)) : undefined;
  return new Comparison({
    task,
    scoring: named,
    positiveLabel: positive,
    measured,
    leftOut: [...leftOut, ...failed],
    warnings,
    baseline,
  });
}

/** The mean score of a constant prediction on the same folds; undefined where the scorer cannot measure one, or would read X. */
function baselineOf(
  task: CompareOptions["task"],
  rows: number,
  y: Labels<Label> | NumberArray,
  options: { readonly scoring: ScorerName | Scorer },
): number | undefined {
  if (typeof options.scoring === "function") return undefined;
  const constant = task === "classification" ? new DummyClassifier() : new DummyRegressor();
  try {
    const mean = meanOf(crossValScore(constant, Matrix.zeros(rows, 1), y, options));
    return Number.isFinite(mean) ? mean : undefined;
  } catch (error) {
    if (error instanceof ArgmaxError) return undefined;
    throw error;
  }
}

/** Every reason once, with the first of its models: most often there is one for all of them. */
function reasonsOf(failed: readonly LeftOut[]): string {
  const names = new Map<string, string[]>();
  for (const { name, because } of failed) names.set(because, [...(names.get(because) ?? []), name]);
  return [...names]
    .map(([because, [first, ...others]]) => {
      const count =
        others.length === 1 ? " and 1 other" : others.length > 1 ? ` and ${others.length} others` : "";
      return `${first}${count}: ${because.replace(/\.$/, "")}`;
    })
    .join("; ");
}

/** Files are often sorted, so that folds of consecutive rows would have little in common. */
function foldsOf(
  cv: number | Splitter,
  task: CompareOptions["task"],
  grouped: boolean,
  randomState: number,
): Splitter {
  if (typeof cv !== "number") return cv;
  if (grouped)
    return task === "classification"
      ? new StratifiedGroupKFold({ nSplits: cv, shuffle: true, randomState })
      : new GroupKFold({ nSplits: cv });
  const Folds = task === "classification" ? StratifiedKFold : KFold;
  return new Folds({ nSplits: cv, shuffle: true, randomState });
}
