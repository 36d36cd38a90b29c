import type { FitOptions, FittedModel, Progress, Samples } from "../core/contract.js";
import { AbortError, ArgmaxError, DataError, ParameterError, show } from "../core/errors.js";
import { capabilitiesOf } from "../core/estimator.js";
import { checkLength, type Label, type Labels, type NumberArray, readWeights } from "../core/labels.js";
import { countRows, readRows, selectRows } from "../data/select-rows.js";
import { findScorer, type Scorer, type ScorerName } from "./scorers.js";
import { type Fold, KFold, type Splitter, StratifiedKFold } from "./splitters.js";

/** Any estimator or pipeline that learns from X and y. */
export interface Learner {
  fit(x: never, y: never, options?: FitOptions): FittedModel;
}

export interface CrossValidationProgress extends Progress {
  /** Score of the fold that was just done. */
  readonly testScore: number;
}

export interface CrossValidationOptions<M, T extends boolean = boolean, R extends boolean = boolean> {
  /** How many folds (stratified for classifiers), or how to make them. */
  readonly cv?: number | Splitter;
  /** What to measure: a name, or a function of the fitted model; larger is better. Without it: the model's `score`. */
  readonly scoring?: ScorerName | Scorer<M>;
  /** Also measure on the rows that were learned from. */
  readonly returnTrainScore?: T;
  /** Keep the model of every fold. */
  readonly returnModels?: R;
  /** One weight a row, used in fitting and in scoring. */
  readonly sampleWeight?: NumberArray | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called after every fold. */
  readonly onProgress?: ((progress: CrossValidationProgress) => void) | undefined;
}

/** One entry a fold. */
export interface CrossValidation<M> {
  readonly testScore: Float64Array;
  /** Present if asked for. */
  readonly trainScore?: Float64Array;
  readonly models?: readonly M[];
  /** Seconds. */
  readonly fitTime: Float64Array;
  readonly scoreTime: Float64Array;
}

type Asked<M, T extends boolean, R extends boolean> = CrossValidation<M> &
  (T extends true ? { readonly trainScore: Float64Array } : unknown) &
  (R extends true ? { readonly models: readonly M[] } : unknown);

/** Fits on all folds but one and measures on that one, for each fold in turn. */
export function crossValidate<E extends Learner, T extends boolean = false, R extends boolean = false>(
  estimator: E,
  x: Parameters<E["fit"]>[0],
  y: Parameters<E["fit"]>[1],
  options: CrossValidationOptions<ReturnType<E["fit"]>, T, R> = {},
): Asked<ReturnType<E["fit"]>, T, R> {
  return validate("crossValidate", estimator, x, y, options) as Asked<ReturnType<E["fit"]>, T, R>;
}

/** The test scores of `crossValidate`, one a fold. */
export function crossValScore<E extends Learner>(
  estimator: E,
  x: Parameters<E["fit"]>[0],
  y: Parameters<E["fit"]>[1],
  options: Omit<CrossValidationOptions<ReturnType<E["fit"]>>, "returnTrainScore" | "returnModels"> = {},
): Float64Array {
  return validate("crossValScore", estimator, x, y, options).testScore;
}

function validate(
  where: string,
  estimator: Learner,
  samples: Samples,
  y: Labels<Label>,
  options: CrossValidationOptions<never>,
): CrossValidation<FittedModel> {
  const judge = findScorer(where, options.scoring);
  const x = readRows(where, samples);
  const n = countRows(where, x);
  checkLength(where, "y", y, n);
  const weights = readWeights(where, options.sampleWeight, n);
  const folds = readSplitter(where, options.cv ?? 5, estimator).split(x, y);
  const times = { fit: new Float64Array(folds.length), score: new Float64Array(folds.length) };
  const testScore = new Float64Array(folds.length);
  const trainScore = new Float64Array(folds.length);
  const models: FittedModel[] = [];
  for (const [f, fold] of folds.entries()) {
    if (options.signal?.aborted) throw new AbortError(where);
    const part = (rows: Int32Array) => ({
      X: selectRows(x, rows, where) as never,
      y: selectRows(y as Label[], rows, where),
      options: weights && { sampleWeight: selectRows(weights, rows, where) },
    });
    inFold(where, f, () => {
      checkFold(where, fold, n);
      const train = part(fold.train);
      const test = part(fold.test);
      const started = performance.now();
      const model = estimator.fit(train.X, train.y as never, { ...train.options, signal: options.signal });
      const fitted = performance.now();
      testScore[f] = judge(model, test.X, test.y, { ...test.options });
      if (options.returnTrainScore) trainScore[f] = judge(model, train.X, train.y, { ...train.options });
      times.fit[f] = (fitted - started) / 1000;
      times.score[f] = (performance.now() - fitted) / 1000;
      if (options.returnModels) models.push(model);
    });
    options.onProgress?.({ iteration: f + 1, total: folds.length, testScore: testScore[f]! });
  }
  return {
    testScore,
    ...(options.returnTrainScore ? { trainScore } : {}),
    ...(options.returnModels ? { models } : {}),
    fitTime: times.fit,
    scoreTime: times.score,
  };
}

function readSplitter(where: string, cv: number | Splitter, estimator: Learner): Splitter {
  if (typeof cv === "object" && typeof cv?.split === "function") return cv;
  if (typeof cv === "number") {
    const stratified = capabilitiesOf(estimator)?.task === "classification";
    return stratified ? new StratifiedKFold({ nSplits: cv }) : new KFold({ nSplits: cv });
  }
  throw new ParameterError({
    where,
    subject: "cv",
    expected: "a number of folds or a splitter such as new KFold()",
    received: show(cv),
  });
}

/** Splitters can be anybody's, so what they give is checked. */
function checkFold(where: string, { train, test }: Fold, n: number): void {
  for (const [subject, rows] of Object.entries({ train, test })) {
    const fine = rows.length > 0 && rows.every((i) => i >= 0 && i < n);
    if (!fine)
      throw new DataError({
        where,
        subject,
        expected: `row numbers from 0 to ${n - 1}`,
        received: show(rows),
      });
  }
}

function inFold(where: string, f: number, run: () => void): void {
  try {
    run();
  } catch (error) {
    throw error instanceof ArgmaxError ? error.within(`${where}, fold ${f + 1}`) : error;
  }
}
