import { isSupervised } from "../core/capabilities.js";
import type { FittedModel, MatrixLike, Samples, ScoreOptions } from "../core/contract.js";
import { ParameterError, show } from "../core/errors.js";
import { capabilitiesOf } from "../core/estimator.js";
import type { Label, Labels, NumberArray } from "../core/labels.js";
import { accuracyScore, balancedAccuracyScore } from "./accuracy.js";
import { f1Score, precisionScore, recallScore } from "./precision-recall.js";
import { logLoss } from "./probabilities.js";
import { meanAbsoluteError, meanSquaredError, r2Score, rootMeanSquaredError } from "./regression.js";

/**
 * Scores a fitted model on data; larger is better. The type is that of a method, whose parameters may be declared narrower: x as a
 * Matrix by a scorer that is only ever given one.
 */
export type Scorer<M = never, X = never, Y = never> = {
  score(model: M, x: X, y: Y, options: ScoreOptions): number;
}["score"];

interface Predictor {
  predict(x: Samples): Labels<Label>;
}

interface ProbabilityPredictor extends Predictor {
  readonly classes: readonly Label[];
  predictProba(x: Samples): MatrixLike;
}

/** A scorer as the library calls it. */
export type ScoreFunction = (
  model: FittedModel,
  x: Samples,
  y: Labels<Label> | undefined,
  options: ScoreOptions,
) => number;

/** The predictions of a model that has any. */
function predictionsOf(model: FittedModel, x: Samples): Labels<Label> {
  const { predict } = (model ?? {}) as Partial<Predictor>;
  if (typeof predict === "function") return predict.call(model, x);
  throw new ParameterError({
    where: "scorers",
    subject: "the model",
    expected: "a fitted classifier or regressor",
    received: show(model),
  });
}

const byLabels =
  (score: (yTrue: Labels<Label>, yPred: Labels<Label>, options: ScoreOptions) => number): ScoreFunction =>
  (model, x, y, options) =>
    score(y!, predictionsOf(model, x), options);

/** The model knows which of its two classes is the positive one, also when only one of them occurs in y. */
const byPositive =
  (score: typeof f1Score): ScoreFunction =>
  (model, x, y, options) => {
    const predictions = predictionsOf(model, x);
    const { classes = [] } = model as FittedModel & { readonly classes?: readonly Label[] };
    const positiveLabel = classes.length === 2 ? classes[1] : undefined;
    return score(y!, predictions, { ...options, positiveLabel });
  };

const byNumbers =
  (
    score: (yTrue: NumberArray, yPred: NumberArray, options: ScoreOptions) => number,
    sign: 1 | -1,
  ): ScoreFunction =>
  (model, x, y, options) =>
    sign * score(y as NumberArray, predictionsOf(model, x) as NumberArray, options);

/** Losses are negated, so that larger is better throughout. */
export const scorers = {
  accuracy: byLabels(accuracyScore),
  balancedAccuracy: byLabels(balancedAccuracyScore),
  precision: byPositive(precisionScore),
  precisionMacro: byLabels((t, p, o) => precisionScore(t, p, { ...o, average: "macro" })),
  recall: byPositive(recallScore),
  recallMacro: byLabels((t, p, o) => recallScore(t, p, { ...o, average: "macro" })),
  f1: byPositive(f1Score),
  f1Macro: byLabels((t, p, o) => f1Score(t, p, { ...o, average: "macro" })),
  f1Weighted: byLabels((t, p, o) => f1Score(t, p, { ...o, average: "weighted" })),
  negLogLoss: (model, x, y, options) => {
    const { classes, predictProba } = (model ?? {}) as Partial<ProbabilityPredictor>;
    if (classes === undefined || predictProba === undefined) noProbabilities(model);
    return -logLoss(y!, predictProba.call(model, x), { ...options, labels: classes });
  },
  r2: byNumbers(r2Score, 1),
  negMeanSquaredError: byNumbers(meanSquaredError, -1),
  negRootMeanSquaredError: byNumbers(rootMeanSquaredError, -1),
  negMeanAbsoluteError: byNumbers(meanAbsoluteError, -1),
} as const satisfies Record<string, ScoreFunction>;

export type ScorerName = keyof typeof scorers;

function noProbabilities(model: FittedModel): never {
  throw new ParameterError({
    where: "crossValidate",
    subject: "scoring",
    expected: "one that needs no probabilities",
    received: `"negLogLoss" for ${show(model)}, which has none`,
  });
}

/** Scorers that compare numbers; all others compare labels or probabilities. */
const ofRegressors: readonly string[] = [
  "r2",
  "negMeanSquaredError",
  "negRootMeanSquaredError",
  "negMeanAbsoluteError",
] satisfies readonly ScorerName[];

/**
 * The scorer of that name, a scorer as it is, or without either the model's own `score`. A name that does not fit the task is an
 * error: the accuracy of a regressor is the share of targets that are hit exactly, which is 0 and says nothing.
 */
export function findScorer(
  where: string,
  scoring: ScorerName | Scorer | undefined,
  estimator?: object,
): ScoreFunction {
  if (typeof scoring === "function") return scoring as unknown as ScoreFunction;
  const capabilities = estimator && capabilitiesOf(estimator);
  if (scoring === undefined)
    return capabilities && !isSupervised(capabilities) ? ownScoreWithoutTargets : ownScore;
  if (Object.hasOwn(scorers, scoring)) {
    const task = capabilities?.task;
    const fitting = ofRegressors.includes(scoring) ? "regression" : "classification";
    if (task === undefined || task === fitting) return scorers[scoring];
    const names = Object.keys(scorers).filter(
      (name) => ofRegressors.includes(name) === (task === "regression"),
    );
    throw new ParameterError({
      where,
      subject: "scoring",
      expected: isSupervised(capabilities!)
        ? `one for ${task} (${names.join(", ")})`
        : "a function, since scorers by name compare predictions with y",
      received: show(scoring),
    });
  }
  throw new ParameterError({
    where,
    subject: "scoring",
    expected: `a function or one of ${Object.keys(scorers).join(", ")}`,
    received: show(scoring),
  });
}

const ownScore: ScoreFunction = (model, x, y, options) => scoreOf(model).call(model, x, y, options);

/** Of clusterers, densities and transformers. */
const ownScoreWithoutTargets: ScoreFunction = (model, x, _, options) =>
  scoreOf(model).call(model, x, options);

function scoreOf(model: FittedModel): (x: Samples, ...rest: readonly unknown[]) => number {
  const { score } = model as FittedModel & { score?: (x: Samples, ...rest: readonly unknown[]) => number };
  if (score !== undefined) return score;
  throw new ParameterError({
    where: "crossValidate",
    subject: "scoring",
    expected: `given, since ${model.constructor.name} has no score of its own`,
    received: "nothing",
  });
}
