import { changed } from "../core/composite.js";
import type { Capabilities, FitOptions, FittedModel, MatrixLike, Samples } from "../core/contract.js";
import { AbortError, ArgmaxError, DataError } from "../core/errors.js";
import { capabilitiesOf, Estimator } from "../core/estimator.js";
import type { WithLabels } from "../core/labelled-model.js";
import { type Label, type Labels, type NumberArray, readTargets } from "../core/labels.js";
import { fitArguments, fitOptions, readOptions } from "../core/params/options.js";
import type { ParamsTable, ParamValues } from "../core/params/params.js";
import { isTargetMatrix } from "../core/target-matrix.js";
import { objectAsCode } from "../core/text/printing-code.js";
import { isTable } from "../data/feature-names-in.js";
import { isImages, readMatrix } from "../data/input.js";
import { hasTextCells } from "../data/sample-rows.js";
import { countRows, type Rows, readSamples } from "../data/select-rows.js";
import type { Fold, RowLabels } from "../data/splitters/splitter.js";
import type { Candidate } from "./candidates.js";
import { crossValidationOptions, type Learner } from "./cross-validate.js";
import { FittedSearch, type SearchedModel } from "./fitted-search.js";
import { type FoldMemory, memoryOption } from "./fold-memory.js";
import { type Plan, partsOf, planFolds, requireLearner } from "./folds.js";
import { fitRows, measureFold } from "./measure-fold.js";
import type { ScorerList } from "./scorer-list.js";
import { findScorers, type SeveralScorers } from "./scoring.js";
import { requireEstimator, requireRefit, type Searchable, type searchParams } from "./search-params.js";
import { type MeasuredCandidate, SearchResults, scoreOf } from "./search-results.js";

/** Where a search stands: `iteration` counts fits. */
export interface SearchOptions extends FitOptions {
  /** The group of every row, for splitters that do not divide groups. */
  readonly groups?: RowLabels | undefined;
  /** Keeps what was measured, so that an interrupted search goes on where it stopped. */
  readonly memory?: FoldMemory | undefined;
}

export const searchOptions = {
  ...fitOptions,
  groups: crossValidationOptions.groups,
  memory: memoryOption,
} satisfies ParamsTable;

/** A classifier learns any labels. */
interface LabelLearner {
  fit<L extends Label>(
    x: never,
    y: Labels<L>,
    options?: FitOptions,
  ): FittedModel & { readonly classes: readonly L[] };
}

/** The `fit` of a search over E by scorers S: what E's takes, and a model that knows its labels. */
export type SearchFit<E extends Searchable, S> = E extends LabelLearner
  ? <L extends Label>(
      x: Parameters<E["fit"]>[0],
      y: Labels<L>,
      options?: SearchOptions,
    ) => SearchedModel<WithLabels<ReturnType<E["fit"]>, L>, E, SeveralScorers<S>>
  : (
      x: Parameters<E["fit"]>[0],
      y?: Parameters<E["fit"]>[1],
      options?: SearchOptions,
    ) => SearchedModel<ReturnType<E["fit"]>, E, SeveralScorers<S>>;

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
  const progress = { done: 0, round: 0 };
  let next = asked.next();
  for (; !next.done; progress.round++) next = asked.next(measureCandidates(task, next.value, progress));
  const { id, params } = search;
  const chosen = chooseBest(task, next.value);
  const { x, y } = task.plan;
  const model =
    params.refit === false
      ? undefined
      : fitRows(chosen.bestEstimator!, { X: x as Samples, y, options: {} }, refitOptions(task));
  return new FittedSearch({ id, params, model, ...chosen }) as FittedSearch;
}

/** An estimator that chooses the parameters of another. Subclasses say which candidates are tried. */
export abstract class Search<
  T extends typeof searchParams,
  E extends Searchable,
  S = undefined,
> extends Estimator<T, object> {
  declare readonly partTypes?: { estimator: E };
  static readonly fitOptions = searchOptions;
  /** What a search can be at most; `capabilities` of the object says what this one is. */
  static readonly capabilities: Capabilities = {
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
  /** Measures candidates by cross-validation and fits the best one to all rows. */
  declare readonly fit: SearchFit<E, S>;

  constructor(params: object) {
    super(params);
    requireEstimator(this.id, this.params);
    requireRefit(this.id, this.params);
  }

  /** What the estimator can do. */
  get capabilities(): Capabilities {
    return searchCapabilities(this.params.estimator);
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
  ...(capabilitiesOf(estimator) ?? Search.capabilities),
  partialFit: false,
});

/** The data of a search and what is measured on it. */
export interface SearchTask {
  readonly where: string;
  readonly estimator: Searchable;
  readonly plan: Plan;
  readonly scorers: ScorerList;
  /** The name of the scorer that chooses the best candidate, where there are several; undefined: none does. */
  readonly chooser: string | undefined;
  readonly options: SearchOptions;
  readonly skipErrors: boolean;
  /** The number of fits, once it is known. */
  total: number | undefined;
}

export function openSearch(
  where: string,
  params: ParamValues<typeof searchParams>,
  samples: Samples,
  targets: unknown,
  given: SearchOptions | undefined,
): SearchTask {
  const { estimator, cv, scoring, positiveLabel, refit, onError } = params;
  requireLearner(where, estimator);
  const { y, options } = fitArguments(where, estimator, targets, given);
  readOptions(where, searchOptions, options);
  if (options.signal?.aborted) throw new AbortError(where, options.signal);
  const scorers = findScorers(where, scoring ?? undefined, estimator, positiveLabel);
  const { groups, sampleWeight } = options;
  const x = checkedRows(where, estimator, samples);
  if (capabilitiesOf(estimator)?.task === "regression" && !isTargetMatrix(y))
    readTargets(where, y as NumberArray, countRows(where, x as Rows));
  const plan = planFolds(where, estimator, x, y as Labels<Label>, {
    cv,
    groups,
    sampleWeight,
    scoring: scoring ?? undefined,
    positiveLabel: positiveLabel ?? undefined,
  });
  const chooser = typeof refit === "string" ? refit : undefined;
  const skipErrors = onError === "skip";
  return { where, estimator, plan, scorers, chooser, options, skipErrors, total: undefined };
}

/** X, checked before the first fold is made of it. Documents, tables and rows with text are left to the estimator, images keep their size. */
function checkedRows(where: string, estimator: Searchable, x: Samples): Samples {
  const own = capabilitiesOf(estimator);
  if (own === undefined || own.input === "text") return readSamples(where, x) as Samples;
  if (isTable(x)) {
    if (!own.categorical) readMatrix(where, x, { missing: own.missing });
    return x;
  }
  if (own.categorical && hasTextCells(x)) return x;
  const design = readMatrix(where, x as MatrixLike, { sparse: own.sparse, missing: own.missing });
  return isImages(x) ? x : design;
}

/** A candidate in words. */
export const candidateText = (candidate: Candidate): string => objectAsCode(Object.entries(candidate));

/** The key of a fold in a `FoldMemory`. */
export const memoryKey = (round: number, candidate: Candidate, fold: number): string =>
  `${round}/${candidateText(candidate)}/${fold}`;

export interface Measured extends MeasuredCandidate {
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
  progress: { done: number; readonly round: number },
): Measured[] {
  const { where, plan, scorers, options, skipErrors } = task;
  const learners = candidates.map((candidate) => learnerOf(task, candidate));
  const scores = candidates.map(() => scorers.scorers.map((): number[] => []));
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
        const key = memoryKey(progress.round, candidates[c]!, f);
        const known = options.memory?.recall(key);
        const { testScores, fitTime, scoreTime } =
          known ?? measureFold(learner, parts, scorers, { trainScore: false, signal: options.signal });
        if (known === undefined) options.memory?.remember(key, { testScores, fitTime, scoreTime });
        for (const [s, list] of scores[c]!.entries()) list.push(testScores[s]!);
        fitTimes[c]! += fitTime / folds.length;
        scoreTimes[c]! += scoreTime / folds.length;
      } catch (error) {
        if (error instanceof AbortError || !(error instanceof ArgmaxError)) throw error;
        const within = `${where}, fold ${f + 1}, ${candidateText(candidates[c]!)}`;
        if (!skipErrors) throw error.within(within);
        failures[c] ??= error.message;
        for (const list of scores[c]!) list.push(Number.NaN);
      }
      options.onProgress?.({ iteration: ++progress.done, total: task.total });
    }
  }
  return candidates.map((params, c) => ({
    params,
    scores: scores[c]!,
    fitTime: fitTimes[c]!,
    scoreTime: scoreTimes[c]!,
    ...(failures[c] === undefined ? {} : { failure: failures[c] }),
  }));
}

/** What a search found, before the best candidate is fitted to all rows. */
export interface Chosen {
  readonly results: SearchResults<unknown>;
  /** Undefined where no scorer chooses. */
  readonly best: number | undefined;
  readonly bestEstimator: Learner | undefined;
  readonly warnings: readonly string[];
}

export function chooseBest(
  { where, estimator, scorers, chooser, options }: SearchTask,
  { measured, finalists = () => true }: RoundsEnd,
): Chosen {
  const results = new SearchResults<unknown>(
    measured.map(({ failure: _, ...result }) => result),
    scorers.names,
    chooser,
  );
  const warnings = measured.flatMap(({ failure, params }) =>
    failure === undefined ? [] : [`${candidateText(params)} has no score: ${failure}`],
  );
  for (const warning of warnings) options.onWarning?.(warning);
  if (scorers.names !== undefined && chooser === undefined) {
    if (measured.every(hasNoScore)) refuseAll(where, warnings);
    return { results, best: undefined, bestEstimator: undefined, warnings };
  }
  const best = bestOf(results, chooser, finalists);
  if (best < 0) refuseAll(where, warnings);
  const { params } = results.candidates[best]!;
  const bestEstimator = changed(where, estimator, new Map(Object.entries(params))) as Learner;
  return { results, best, bestEstimator, warnings };
}

/** Whether each scorer has a fold without a score, so that no mean is a number. */
const hasNoScore = ({ scores }: Measured): boolean => scores.every((list) => list.some(Number.isNaN));

function refuseAll(where: string, warnings: readonly string[]): never {
  const received = `none that has a score (${warnings[0] ?? "all scores are NaN"})`;
  throw new DataError(where, "the candidates", "fitted, one at least", received);
}

/** Options for the fit of the best candidate. */
export const refitOptions = ({ plan, options }: SearchTask): FitOptions => ({
  ...(plan.weights && { sampleWeight: plan.weights }),
  ...(options.signal && { signal: options.signal }),
  ...(options.onWarning && { onWarning: options.onWarning }),
});

function bestOf(
  { candidates }: SearchResults<unknown>,
  chooser: string | undefined,
  finalists: (c: number) => boolean,
): number {
  const means = candidates.map((result) => scoreOf(result.meanScore, chooser));
  let best = -1;
  for (const [c, mean] of means.entries()) {
    if (!finalists(c) || Number.isNaN(mean)) continue;
    if (best < 0 || mean > means[best]!) best = c;
  }
  return best;
}
