import { changed } from "../core/composite.js";
import type { Capabilities, FitOptions, FittedModel, MatrixLike, Samples } from "../core/contract.js";
import { AbortError, ArgmaxError, DataError, ParameterError } from "../core/errors.js";
import { capabilitiesOf, Estimator } from "../core/estimator.js";
import type { WithLabels } from "../core/labelled-model.js";
import { type Label, type Labels, type NumberArray, readTargets } from "../core/labels.js";
import { fitArguments, fitOptions, readOptions } from "../core/options.js";
import { choice, flag, invalid, type ParamSpec, type ParamsTable, type ParamValues } from "../core/params.js";
import { objectAsCode } from "../core/printing-code.js";
import { isTargetMatrix } from "../core/target-matrix.js";
import { isTable } from "../data/feature-names-in.js";
import { readMatrix } from "../data/input.js";
import { countRows, type Rows } from "../data/select-rows.js";
import { splitterFromJson } from "../data/splitters/registry.js";
import { type Fold, isSplitter, type RowLabels, type Splitter } from "../data/splitters/splitter.js";
import { findScorer, type ScoreFunction, type Scorer, type ScorerName, scorers } from "../metrics/scorers.js";
import type { Candidate } from "./candidates.js";
import { crossValidationOptions, type Learner, type ValidationOptions } from "./cross-validate.js";
import { FittedSearch, type SearchedModel } from "./fitted-search.js";
import { type Plan, partsOf, planFolds, requireLearner } from "./folds.js";
import { measureFold } from "./measure-fold.js";
import { oneScorer } from "./scorer-list.js";
import { type CandidateResult, SearchResults } from "./search-results.js";

/** What a search can be over: an estimator or a pipeline. */
export type Searchable = Learner & object;

const estimator: ParamSpec<Searchable> = {
  kind: "estimator",
  default: undefined as unknown as Searchable,
  doc: "The estimator or pipeline whose parameters are searched.",
  expected: "an estimator or a pipeline",
  read: (value) =>
    typeof (value as Partial<Learner> | null)?.fit === "function" ? (value as Searchable) : invalid,
};

/** Folds, as a parameter of an estimator. */
export const cvParam: ParamSpec<number | Splitter> = {
  kind: "splitter",
  default: 5,
  doc: "How many folds (stratified for classifiers), or how to make them.",
  expected: "a number of folds ≥ 2 or a splitter such as new KFold()",
  read: (value) => {
    if (isSplitter(value)) return value;
    if (typeof value === "number") return Number.isSafeInteger(value) && value >= 2 ? value : invalid;
    return splitterFromJson(value) ?? invalid;
  },
};

/** What is measured, as a parameter of an estimator. */
export const scoringParam: ParamSpec<ScorerName | Scorer | null> = {
  kind: "scorer",
  default: null,
  doc: "What to measure: a name, or a function of the fitted model and held-out rows; larger is better. null: the model's own score.",
  expected: `a function, null or one of ${Object.keys(scorers).join(", ")}`,
  read: (value) => {
    const isName = typeof value === "string" && Object.hasOwn(scorers, value);
    return value === null || isName || typeof value === "function"
      ? (value as ScorerName | Scorer | null)
      : invalid;
  },
};

/** What all searches take. */
export const searchParams = {
  estimator,
  cv: cvParam,
  scoring: scoringParam,
  refit: flag({
    default: true,
    doc: "Fit the best candidate to all rows in the end. Without it there is no model.",
  }),
  onError: choice(["throw", "skip"], {
    default: "throw",
    doc: "A candidate that cannot be fitted is an error, or has no score and a warning.",
  }),
};

/** Where a search stands: `iteration` counts fits. */
export interface SearchOptions extends FitOptions {
  /** The group of every row, for splitters that do not divide groups. */
  readonly groups?: RowLabels | undefined;
}

export const searchOptions = { ...fitOptions, groups: crossValidationOptions.groups } satisfies ParamsTable;

/** What a search over E may measure. */
export type SearchScoring<E extends Searchable> = ValidationOptions<E>["scoring"] | null;

/** A classifier learns any labels. */
interface LabelLearner {
  fit<L extends Label>(
    x: never,
    y: Labels<L>,
    options?: FitOptions,
  ): FittedModel & { readonly classes: readonly L[] };
}

/** The `fit` of a search over E: what E's takes, and a model that knows its labels. */
export type SearchFit<E extends Searchable> = E extends LabelLearner
  ? <L extends Label>(
      x: Parameters<E["fit"]>[0],
      y: Labels<L>,
      options?: SearchOptions,
    ) => SearchedModel<WithLabels<ReturnType<E["fit"]>, L>, E>
  : (
      x: Parameters<E["fit"]>[0],
      y?: Parameters<E["fit"]>[1],
      options?: SearchOptions,
    ) => SearchedModel<ReturnType<E["fit"]>, E>;

/** Candidates to be measured together, on all rows of the folds or on some. */
export interface Round {
  readonly candidates: readonly Candidate[];
  /** Some rows of a fold; all, if absent. */
  readonly rowsOf?: ((fold: Fold) => Fold) | undefined;
}

/** What a search asks to be measured, round by round; each time it is told the results. */
export type Rounds = Generator<Round, RoundsEnd, readonly Measured[]>;

export interface RoundsEnd {
  readonly measured: readonly Measured[];
  /** The candidates that may win; all, if it is absent. */
  readonly finalists?: (c: number) => boolean;
}

/** The rounds of a search: `fit` measures them here, `background` in workers. */
export const rounds: unique symbol = Symbol("rounds");

/** A search of any kind. */
export type AnySearch = Search<typeof searchParams, Searchable>;

function runSearch(search: AnySearch, task: SearchTask): FittedSearch {
  const asked = search[rounds](task);
  const progress = { done: 0 };
  let next = asked.next();
  while (!next.done) next = asked.next(measureCandidates(task, next.value, progress));
  const { id, params } = search;
  const chosen = chooseBest(task, next.value);
  const { x, y } = task.plan;
  const model = params.refit
    ? chosen.bestEstimator.fit(x as never, y as never, refitOptions(task))
    : undefined;
  return new FittedSearch({ id, params, model, ...chosen });
}

/** An estimator that chooses the parameters of another. Subclasses say which candidates are tried. */
export abstract class Search<T extends typeof searchParams, E extends Searchable> extends Estimator<T> {
  declare readonly partTypes?: { estimator: E };
  /** Measures candidates by cross-validation and fits the best one to all rows. */
  declare readonly fit: SearchFit<E>;

  constructor(id: string, table: T, given: unknown) {
    super(id, table, given);
    if ((this.params as SearchValues).estimator !== undefined) return;
    throw new ParameterError({
      where: id,
      subject: "estimator",
      expected: estimator.expected,
      received: "nothing",
    });
  }

  /** What the estimator can do. */
  get capabilities(): Capabilities {
    return searchCapabilities((this.params as SearchValues).estimator);
  }

  abstract [rounds](task: SearchTask): Rounds;

  static {
    const fit = function (
      this: Search<typeof searchParams, Searchable>,
      x: Samples,
      y: unknown,
      options: SearchOptions,
    ) {
      return runSearch(this, openSearch(`${this.id}.fit`, this.params, x, y, options));
    };
    // The type of `fit` depends on that of the estimator, which a method's cannot.
    Object.defineProperty(Search.prototype, "fit", { value: fit, writable: true, configurable: true });
  }
}

/** A search does what the estimator does. */
export const searchCapabilities = (estimator: Searchable): Capabilities => ({
  ...(capabilitiesOf(estimator) ?? anything),
  partialFit: false,
});

/** What a search can be at most. */
export const anything: Capabilities = {
  task: "classification",
  sparse: true,
  missing: true,
  categorical: true,
  multiclass: true,
  probabilities: true,
  decisionFunction: true,
  sampleWeight: true,
  partialFit: false,
};

type SearchValues = ParamValues<typeof searchParams>;

/** The data of a search and what is measured on it. */
export interface SearchTask {
  readonly where: string;
  readonly estimator: Searchable;
  readonly plan: Plan;
  readonly scorer: ScoreFunction;
  readonly options: SearchOptions;
  readonly skipErrors: boolean;
  /** The number of fits, once it is known. */
  total: number | undefined;
}

export function openSearch(
  where: string,
  params: SearchValues,
  samples: Samples,
  targets: unknown,
  given: SearchOptions | undefined,
): SearchTask {
  const { estimator, cv, scoring, onError } = params;
  requireLearner(where, estimator);
  const { y, options } = fitArguments(where, estimator, targets, given);
  readOptions(where, searchOptions, options);
  if (options.signal?.aborted) throw new AbortError(where, options.signal);
  const scorer = findScorer(where, scoring ?? undefined, estimator);
  const { groups, sampleWeight } = options;
  const x = checkedRows(where, estimator, samples);
  if (capabilitiesOf(estimator)?.task === "regression" && !isTargetMatrix(y))
    readTargets(where, y as NumberArray, countRows(where, x as Rows));
  const plan = planFolds(where, estimator, x, y as Labels<Label>, { cv, groups, sampleWeight });
  return { where, estimator, plan, scorer, options, skipErrors: onError === "skip", total: undefined };
}

/** X, checked before the first fold is made of it. Documents, tables and rows with text are left to the estimator. */
function checkedRows(where: string, estimator: Searchable, x: Samples): Samples {
  const own = capabilitiesOf(estimator);
  if (own === undefined || own.input === "text") return x;
  if (isTable(x)) {
    if (!own.categorical) readMatrix(where, x, { missing: own.missing });
    return x;
  }
  const hasText =
    Array.isArray(x) && x.some((row) => Array.isArray(row) && row.some((cell) => typeof cell === "string"));
  return own.categorical && hasText
    ? x
    : readMatrix(where, x as MatrixLike, { sparse: own.sparse, missing: own.missing });
}

/** A candidate in words. */
export const candidateText = (candidate: Candidate): string => objectAsCode(Object.entries(candidate));

export interface Measured extends Omit<CandidateResult, "meanScore" | "stdScore" | "rank"> {
  /** Why it has no score. */
  readonly failure?: string | undefined;
}

/** The estimator with the candidate's parameters; the error, where these are refused and errors are skipped. */
export function learnerOf(
  { where, estimator, skipErrors }: SearchTask,
  candidate: Candidate,
): Learner | ArgmaxError {
  try {
    return changed(where, estimator, new Map(Object.entries(candidate))) as Learner;
  } catch (error) {
    if (skipErrors && error instanceof ArgmaxError) return error;
    throw error;
  }
}

/**
 * Measures all candidates of a round in all folds. Folds are the outer loop, so that the rows of each are copied once. Every candidate
 * is checked before the first fit.
 */
export function measureCandidates(
  task: SearchTask,
  { candidates, rowsOf = (fold) => fold }: Round,
  progress: { done: number },
): Measured[] {
  const { where, plan, options, skipErrors } = task;
  const learners = candidates.map((candidate) => learnerOf(task, candidate));
  const scores = candidates.map((): number[] => []);
  const fitTimes = new Float64Array(candidates.length);
  const scoreTimes = new Float64Array(candidates.length);
  const failures: (string | undefined)[] = candidates.map(() => undefined);
  const folds = plan.folds.map(rowsOf);
  for (let f = 0; f < folds.length; f++) {
    const parts = partsOf({ ...plan, folds }, f);
    for (const [c, learner] of learners.entries()) {
      if (options.signal?.aborted) throw new AbortError(where, options.signal);
      try {
        if (learner instanceof ArgmaxError) throw learner;
        const { testScores, fitTime, scoreTime } = measureFold(learner, parts, oneScorer(task.scorer), {
          trainScore: false,
          signal: options.signal,
        });
        scores[c]!.push(testScores[0]!);
        fitTimes[c]! += fitTime / folds.length;
        scoreTimes[c]! += scoreTime / folds.length;
      } catch (error) {
        if (error instanceof AbortError || !(error instanceof ArgmaxError)) throw error;
        const within = `${where}, fold ${f + 1}, ${candidateText(candidates[c]!)}`;
        if (!skipErrors) throw error.within(within);
        failures[c] ??= error.message;
        scores[c]!.push(Number.NaN);
      }
      options.onProgress?.({ iteration: ++progress.done, total: task.total });
    }
  }
  return candidates.map((params, c) => ({
    params,
    scores: Object.freeze(scores[c]!),
    fitTime: fitTimes[c]!,
    scoreTime: scoreTimes[c]!,
    ...(failures[c] === undefined ? {} : { failure: failures[c] }),
  }));
}

/** What a search found, before the best candidate is fitted to all rows. */
export interface Chosen {
  readonly results: SearchResults;
  readonly best: number;
  readonly bestEstimator: Learner;
  readonly warnings: readonly string[];
}

export function chooseBest(
  { where, estimator, options }: SearchTask,
  { measured, finalists = () => true }: RoundsEnd,
): Chosen {
  const results = new SearchResults(measured.map(({ failure: _, ...result }) => result));
  const warnings = measured.flatMap(({ failure, params }) =>
    failure === undefined ? [] : [`${candidateText(params)} has no score: ${failure}`],
  );
  for (const warning of warnings) options.onWarning?.(warning);
  const best = bestOf(results, finalists);
  if (best < 0) {
    throw new DataError({
      where,
      subject: "the candidates",
      expected: "fitted, one at least",
      received: `none that has a score (${warnings[0] ?? "all scores are NaN"})`,
    });
  }
  const { params } = results.candidates[best]!;
  const bestEstimator = changed(where, estimator, new Map(Object.entries(params))) as Learner;
  return { results, best, bestEstimator, warnings };
}

/** Options for the fit of the best candidate. */
export const refitOptions = ({ plan, options }: SearchTask): FitOptions => ({
  ...(plan.weights && { sampleWeight: plan.weights }),
  ...(options.signal && { signal: options.signal }),
  ...(options.onWarning && { onWarning: options.onWarning }),
});

function bestOf(results: SearchResults, finalists: (c: number) => boolean): number {
  let best = -1;
  for (const [c, { meanScore }] of results.candidates.entries()) {
    if (!finalists(c) || Number.isNaN(meanScore)) continue;
    if (best < 0 || meanScore > results.candidates[best]!.meanScore) best = c;
  }
  return best;
}
