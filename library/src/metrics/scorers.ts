import { isSupervised } from "../core/capabilities.js";
import type { FittedModel, Samples } from "../core/contract.js";
import { ParameterError, show } from "../core/errors.js";
import { capabilitiesOf } from "../core/estimator.js";
import type { Label } from "../core/labels.js";
import { positiveError, usualPositive } from "../core/positive-label.js";
import { accuracyScore, balancedAccuracyScore } from "./accuracy.js";
import { topKAccuracyScore } from "./class-scores.js";
import { matthewsCorrcoef } from "./matthews.js";
import { f1Score, jaccardScore, precisionScore, recallScore } from "./precision-recall.js";
import { brierScoreLoss, logLoss } from "./probabilities.js";
import { averagePrecisionScore, rocAucScore } from "./ranking-scores.js";
import { meanPoissonDeviance } from "./regression/deviances.js";
import {
  explainedVarianceScore,
  meanAbsoluteError,
  meanSquaredError,
  r2Score,
  rootMeanSquaredError,
} from "./regression/regression.js";
import {
  maxError,
  meanAbsolutePercentageError,
  medianAbsoluteError,
} from "./regression/regression-errors.js";
import {
  byBinaryRanking,
  byClasses,
  byLabels,
  byNumbers,
  byPositive,
  byPositiveProbability,
  byProbabilities,
  byRanking,
  byScores,
  type ScoreFunction,
  type ScorerOptions,
} from "./score-functions.js";

export type { ScoreFunction, ScorerOptions } from "./score-functions.js";

/**
 * Scores a fitted model on data; larger is better. The type is that of a method, whose parameters may be declared narrower: x as a
 * Matrix by a scorer that is only ever given one.
 */
export type Scorer<M = never, X = never, Y = never> = {
  score(model: M, x: X, y: Y, options: ScorerOptions): number;
}["score"];

/** Losses are negated, so that larger is better throughout. */
export const scorers = {
  accuracy: byLabels(accuracyScore),
  balancedAccuracy: byLabels(balancedAccuracyScore),
  matthewsCorrcoef: byLabels(matthewsCorrcoef),
  precision: byPositive("precision", precisionScore),
  precisionMacro: byClasses(precisionScore, "macro"),
  precisionWeighted: byClasses(precisionScore, "weighted"),
  recall: byPositive("recall", recallScore),
  recallMacro: byClasses(recallScore, "macro"),
  recallWeighted: byClasses(recallScore, "weighted"),
  f1: byPositive("f1", f1Score),
  f1Macro: byClasses(f1Score, "macro"),
  f1Weighted: byClasses(f1Score, "weighted"),
  jaccard: byPositive("jaccard", jaccardScore),
  jaccardMacro: byClasses(jaccardScore, "macro"),
  jaccardWeighted: byClasses(jaccardScore, "weighted"),
  rocAuc: byBinaryRanking("rocAuc", rocAucScore),
  rocAucOvr: byProbabilities("rocAucOvr", (y, p, o) => rocAucScore(y, p, { ...o, multiClass: "ovr" })),
  rocAucOvo: byProbabilities("rocAucOvo", (y, p, o) => rocAucScore(y, p, { ...o, multiClass: "ovo" })),
  averagePrecision: byRanking("averagePrecision", averagePrecisionScore),
  topKAccuracy: byScores("topKAccuracy", topKAccuracyScore),
  negLogLoss: byProbabilities("negLogLoss", (y, p, o) => -logLoss(y, p, o)),
  negBrierScore: byPositiveProbability("negBrierScore", (y, p, o) => -brierScoreLoss(y, p, o)),
  r2: byNumbers(r2Score, 1),
  explainedVariance: byNumbers(explainedVarianceScore, 1),
  negMeanSquaredError: byNumbers(meanSquaredError, -1),
  negRootMeanSquaredError: byNumbers(rootMeanSquaredError, -1),
  negMeanAbsoluteError: byNumbers(meanAbsoluteError, -1),
  negMedianAbsoluteError: byNumbers(medianAbsoluteError, -1),
  negMeanAbsolutePercentageError: byNumbers(meanAbsolutePercentageError, -1),
  negMaxError: byNumbers(maxError, -1),
  negMeanPoissonDeviance: byNumbers(meanPoissonDeviance, -1),
} as const satisfies Record<string, ScoreFunction>;

export type ScorerName = keyof typeof scorers;

/** Scorers that compare numbers. */
export const regressionScorers = [
  "r2",
  "explainedVariance",
  "negMeanSquaredError",
  "negRootMeanSquaredError",
  "negMeanAbsoluteError",
  "negMedianAbsoluteError",
  "negMeanAbsolutePercentageError",
  "negMaxError",
  "negMeanPoissonDeviance",
] as const satisfies readonly ScorerName[];

/** Metrics of predicted labels. */
export const labelScorers = [
  "accuracy",
  "balancedAccuracy",
  "matthewsCorrcoef",
  "precision",
  "precisionMacro",
  "precisionWeighted",
  "recall",
  "recallMacro",
  "recallWeighted",
  "f1",
  "f1Macro",
  "f1Weighted",
  "jaccard",
  "jaccardMacro",
  "jaccardWeighted",
] as const satisfies readonly ScorerName[];

/** Scorers of the positive one of two classes; all others are the same whichever it is. */
export const positiveScorers = [
  "precision",
  "recall",
  "f1",
  "jaccard",
  "averagePrecision",
] as const satisfies readonly ScorerName[];

export const dependsOnPositive = (scoring: unknown): boolean =>
  positiveScorers.some((name) => name === scoring);

/**
 * Checks, before anything is fitted, that the positive one of two classes is known where a scorer by name depends on it, and that it is
 * one of the labels where it is given.
 */
export function requirePositive(
  where: string,
  scoring: readonly unknown[],
  classes: readonly Label[],
  given: Label | null | undefined,
): void {
  const isGiven = given !== undefined && given !== null;
  const missing = !isGiven && classes.length === 2 && usualPositive(classes) === undefined;
  if (isGiven ? !classes.includes(given) : missing && scoring.some(dependsOnPositive))
    throw positiveError(where, classes, given);
}

/** All others compare labels or probabilities. */
export const classificationScorers = [
  ...labelScorers,
  "rocAuc",
  "rocAucOvr",
  "rocAucOvo",
  "averagePrecision",
  "topKAccuracy",
  "negLogLoss",
  "negBrierScore",
] as const satisfies readonly Exclude<ScorerName, (typeof regressionScorers)[number]>[];

/** A scorer that is told which label is positive. */
const told = (scorer: ScoreFunction, positiveLabel: Label | undefined): ScoreFunction =>
  positiveLabel === undefined
    ? scorer
    : (model, x, y, options) => scorer(model, x, y, { ...options, positiveLabel });

/**
 * The scorer of that name, a scorer as it is, or without either the model's own `score`. A name that does not fit the task is an
 * error: the accuracy of a regressor is the fraction of targets that are hit exactly, which is 0 and says nothing.
 */
export function findScorer(
  where: string,
  scoring: ScorerName | Scorer | undefined,
  estimator?: object,
  positiveLabel?: Label | undefined,
): ScoreFunction {
  if (typeof scoring === "function") return told(scoring as ScoreFunction, positiveLabel);
  const capabilities = estimator && capabilitiesOf(estimator);
  if (scoring === undefined)
    return capabilities && !isSupervised(capabilities) ? ownScoreWithoutTargets : ownScore;
  if (Object.hasOwn(scorers, scoring)) {
    const task = capabilities?.task;
    const regression: readonly string[] = regressionScorers;
    const fitting = regression.includes(scoring) ? "regression" : "classification";
    if (task === undefined || task === fitting) return told(scorers[scoring], positiveLabel);
    const names = task === "regression" ? regressionScorers : classificationScorers;
    throw new ParameterError({
      where,
      subject: "scoring",
      expected: isSupervised(capabilities!)
        ? `one for ${task} (${names.join(", ")})`
        : "a function, since scorers by name compare predictions with y",
      received: show(scoring),
    });
  }
  const expected = `a function or one of ${Object.keys(scorers).join(", ")}`;
  throw new ParameterError(where, "scoring", expected, show(scoring));
}

const ownScore: ScoreFunction = (model, x, y, options) => scoreOf(model).call(model, x, y, options);

/** Of clusterers, densities and transformers. */
const ownScoreWithoutTargets: ScoreFunction = (model, x, _, options) =>
  scoreOf(model).call(model, x, options);

function scoreOf(model: FittedModel): (x: Samples, ...rest: readonly unknown[]) => number {
  const { score } = model as FittedModel & { score?: (x: Samples, ...rest: readonly unknown[]) => number };
  if (score !== undefined) return score;
  const expected = `given, since ${model.constructor.name} has no score of its own`;
  throw new ParameterError("crossValidate", "scoring", expected, "nothing");
}
