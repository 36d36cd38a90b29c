import type { FitOptions, FittedModel, MatrixLike, Samples, ScoreOptions } from "../core/contract.js";
import { DataError, show } from "../core/errors.js";
import type { Label, Labels } from "../core/labels.js";
import { type ScorerList, withSharedPredictions } from "./scorer-list.js";

/** Some rows: to learn from, or to measure on. */
export interface FoldRows {
  readonly X: Samples;
  readonly y: Labels<Label> | MatrixLike | undefined;
  readonly options: ScoreOptions;
}

/** An estimator whose class is known only at run time: its `fit` checks X and y. Every Learner is one. */
export interface AnyLearner {
  fit(x: Samples, y: FoldRows["y"], options: FitOptions): FittedModel;
}

/** What is measured in a fold; times in seconds. */
export interface FoldMeasures {
  /** One per scorer. */
  readonly testScores: readonly number[];
  readonly trainScores: readonly number[] | undefined;
  readonly fitTime: number;
  readonly scoreTime: number;
}

/** Learns from some rows. */
export const fitRows = (estimator: AnyLearner, { X, y, options }: FoldRows, own: FitOptions): FittedModel =>
  estimator.fit(X, y, { ...own, ...options });

/** Learns from one part and measures on the other; `scoring` is absent where somebody else measures. */
export function measureFold(
  estimator: AnyLearner,
  { train, test }: { readonly train: FoldRows; readonly test: FoldRows },
  scoring: ScorerList | undefined,
  options: { readonly trainScore: boolean } & FitOptions,
): FoldMeasures & { readonly model: FittedModel } {
  const { trainScore, ...fitOptions } = options;
  const started = performance.now();
  const model = fitRows(estimator, train, fitOptions);
  const fitTime = (performance.now() - started) / 1000;
  if (!scoring) return { testScores: [], trainScores: undefined, fitTime, scoreTime: 0, model };
  return { ...scoreFold(model, { train, test }, scoring, trainScore), fitTime, model };
}

/** The scores of a fitted model, and how long they took. */
export function scoreFold(
  model: FittedModel,
  { train, test }: { readonly train: FoldRows; readonly test: FoldRows },
  { scorers, known }: ScorerList,
  trainScore: boolean,
): Omit<FoldMeasures, "fitTime"> {
  const started = performance.now();
  const shared = scorers.length > 1 ? withSharedPredictions(model) : model;
  const score = ({ X, y, options }: FoldRows) =>
    scorers.map((scorer, s) =>
      requireScore(scorer(known[s] ? shared : model, X, y as Labels<Label>, { ...options })),
    );
  const scores = { testScores: score(test), trainScores: trainScore ? score(train) : undefined };
  return { ...scores, scoreTime: (performance.now() - started) / 1000 };
}

/** Scorers can be anybody's: a promise, or text, would be NaN among the scores. */
function requireScore(score: unknown): number {
  if (typeof score === "number") return score;
  const advice = score instanceof Promise ? "A scorer cannot be asynchronous." : undefined;
  throw new DataError("crossValidate", "what scoring returns", "a number", show(score), advice);
}
