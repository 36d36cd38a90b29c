import type { EstimatorClass, FittedModel, Samples } from "../core/contract.js";
import { AbortError } from "../core/errors.js";
import type { Label, Labels, NumberArray } from "../core/labels.js";
import { readOptions } from "../core/params/options.js";
import { countRows, type Rows, readSamples } from "../data/select-rows.js";
import type { ScorerName } from "../metrics/scorers.js";
import { allowedThreads } from "../numeric/runtime/threads.js";
import { type EstimatorJson, restoreState } from "../persistence/loader.js";
import type { CrossValidation, CrossValidationOptions, Learner } from "../selection/cross-validate.js";
import { severalScorersOptions } from "../selection/cross-validate.js";
import type { FoldRecord } from "../selection/fold-memory.js";
import type { FoldResult, Plan } from "../selection/folds.js";
import { collectFolds, errorInFold, partsOf, planFolds } from "../selection/folds.js";
import { type FoldRows, scoreFold } from "../selection/measure-fold.js";
import { byNames, findScorers, isSeveral, scorersIn } from "../selection/scoring.js";
import { ask } from "./ask.js";
import type { WorkerFactory } from "./channel.js";
import { adoptState, type FoldAnswer, Packer, unpackMatrix, unpackTargets } from "./messages.js";
import type { Semaphore } from "./semaphore.js";

/** The estimator that is evaluated, and the classes that restore its models. */
interface Subject {
  readonly estimator: Learner & { toJSON(): EstimatorJson };
  readonly classes: readonly EstimatorClass[];
  readonly factory: WorkerFactory | undefined;
}

/** What a cross-validation shares with others that run at the same time. */
export interface SharedRun {
  readonly semaphore: Semaphore;
  /** Called when no fold is left to be started. */
  readonly onLastFold: () => void;
  /** What is known of a fold already. */
  readonly recall: (fold: number) => FoldRecord | undefined;
  readonly remember: (fold: number, record: FoldRecord) => void;
}

const where = "crossValidate";

/**
 * Cross-validation with the folds in several workers, as many at a time as there are threads. Folds are independent, so
 * scores and models are bit-equal to those of `crossValidate`. If folds fail, the error is that of the first one, as if they had
 * run in turn: earlier folds are completed, later folds are not started.
 */
export async function validateInWorkers(
  subject: Subject,
  samples: Samples,
  labels: Labels<Label> | undefined,
  options: CrossValidationOptions<never>,
  shared?: SharedRun,
): Promise<CrossValidation<FittedModel>> {
  readOptions(where, severalScorersOptions, options);
  const { names } = findScorers(where, options.scoring, subject.estimator);
  if (options.signal?.aborted) throw new AbortError(where, options.signal);
  const { x, y, sampleWeight } = copied(samples, labels, options.sampleWeight);
  const plan = planFolds(where, subject.estimator, x, y, { ...options, sampleWeight });
  const total = plan.folds.length;
  const workers = Math.min(total, allowedThreads());
  const stop = new AbortController();
  const abort = () => stop.abort(options.signal?.reason);
  options.signal?.addEventListener("abort", abort);
  const run = foldRunner(subject, plan, { ...options, signal: stop.signal }, allowedThreads() / workers);
  const results: FoldResult[] = [];
  /** The first of the folds that failed; −1: the caller's `onProgress` threw. */
  let failed = { fold: total, error: undefined as unknown };
  let next = 0;
  let done = 0;
  const tell = (fold: number, scores: readonly number[]) => {
    try {
      const testScore = byNames(names, scores) as number;
      options.onProgress?.({ iteration: ++done, total, fold, testScore });
    } catch (error) {
      failed = { fold: -1, error };
      stop.abort();
    }
  };
  const work = async () => {
    while (next < failed.fold) {
      const fold = next++;
      try {
        results[fold] = await (shared ? sharedFold(fold, total, shared, run) : run(fold));
        if (failed.fold >= 0) tell(fold, results[fold].testScores);
      } catch (error) {
        if (fold < failed.fold) failed = { fold, error: errorInFold(where, fold, error) };
      }
    }
  };
  await Promise.all(Array.from({ length: workers }, work));
  options.signal?.removeEventListener("abort", abort);
  if (failed.fold < total) throw failed.error;
  return collectFolds(results, names, options);
}

/** A fold that is remembered, or run when there is room for it. */
async function sharedFold(
  fold: number,
  total: number,
  { semaphore, recall, remember, onLastFold }: SharedRun,
  run: (fold: number) => Promise<FoldResult>,
): Promise<FoldResult> {
  const begin = () => {
    if (fold === total - 1) onLastFold();
  };
  const known = recall(fold);
  if (known !== undefined) {
    begin();
    return { ...known, trainScores: undefined, model: undefined };
  }
  const result = await semaphore.run(() => {
    begin();
    return run(fold);
  });
  const { testScores, fitTime, scoreTime } = result;
  remember(fold, { testScores, fitTime, scoreTime });
  return result;
}

/** Copies of the data: later changes by the caller have no effect. */
export function copied(
  samples: Samples,
  labels: Labels<Label> | undefined,
  weights: NumberArray | undefined,
) {
  const packer = new Packer();
  const rows = readSamples(where, samples);
  const x = Array.isArray(rows) ? rows.map(copyOf) : unpackMatrix(packer.matrix(where, samples));
  const n = countRows(where, x as Rows);
  const y = labels && (unpackTargets(packer.targets(where, labels, n)) as Labels<Label>);
  const sampleWeight = weights && (packer.list(where, "sampleWeight", weights, n) as NumberArray);
  return { x: x as Samples, y, sampleWeight };
}

/** A row of an array: cells, numbers, or a document. */
const copyOf = (row: unknown): unknown =>
  Array.isArray(row) || ArrayBuffer.isView(row) ? (row as readonly unknown[]).slice() : row;

/** Whether some scorer is a function, which cannot be sent: all are then called on this thread. */
export const hasFunctions = (scoring: unknown): boolean =>
  typeof scoring === "function" ||
  (isSeveral(scoring) && Object.values(scoring).some((one) => typeof one === "function"));

/** Scorers without functions, as workers get them. */
export const sentScoring = (scoring: unknown): readonly (ScorerName | undefined)[] =>
  scorersIn(scoring) as (ScorerName | undefined)[];

/** Runs one fold in a worker. */
function foldRunner(
  { estimator, classes, factory }: Subject,
  plan: Plan,
  options: CrossValidationOptions<never>,
  threadsEach: number,
): (f: number) => Promise<FoldResult> {
  const { signal, scoring, positiveLabel } = options;
  const { returnTrainScore: trainScore = false, returnModels: keepModel = false } = options;
  const json = estimator.toJSON();
  const byCaller = hasFunctions(scoring);
  const scorers = findScorers(where, scoring, estimator, positiveLabel);
  const pack = (packer: Packer, { X, y, options: given }: FoldRows) =>
    packer.rows(`${json.estimator}.fit`, X, y, given);
  return async (f) => {
    const parts = partsOf(plan, f);
    // Rows were copied for this fold, except rows of an array, which the folds share.
    const packer = new Packer(!byCaller);
    const request = {
      kind: "fold",
      estimator: json,
      train: pack(packer, parts.train),
      test: pack(packer, parts.test),
      scoring: byCaller ? "by the caller" : sentScoring(scoring),
      positiveLabel,
      trainScore,
      keepModel,
      threads: Math.max(1, Math.floor(threadsEach)),
    } as const;
    const answer = (await ask(request, packer.transfer, { where, signal, factory })) as FoldAnswer;
    const { kind: _, state, ...measures } = answer;
    const model = state && restoreState(adoptState(state), classes);
    const judged = byCaller && scoreFold(model!, parts, scorers, trainScore);
    return { ...measures, ...judged, model: keepModel ? model : undefined };
  };
}
