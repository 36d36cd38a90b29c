import type { FittedModel, MatrixLike, Samples, ScoreOptions } from "../core/contract.js";
import { ParameterError, show } from "../core/errors.js";
import type { Label, Labels, NumberArray } from "../core/labels.js";
import { readMatrix } from "../data/input.js";
import type { f1Score } from "./precision-recall.js";
import type { Targets } from "./regression.js";

/** A scorer as the library calls it. */
export type ScoreFunction = (
  model: FittedModel,
  x: Samples,
  y: Labels<Label> | undefined,
  options: ScoreOptions,
) => number;

/** What scorers may ask of a model. */
interface Predictor {
  readonly classes?: readonly Label[];
  predict?(x: Samples): Labels<Label>;
  predictProba?(x: Samples): MatrixLike;
  decisionFunction?(x: Samples): MatrixLike;
}

type LabelScore = (yTrue: Labels<Label>, yPred: Labels<Label>, options: ScoreOptions) => number;
/** A score of a matrix with one column per class, whose labels are told. */
type MatrixScore = (
  yTrue: Labels<Label>,
  scores: MatrixLike,
  options: ScoreOptions & { readonly labels?: readonly Label[] },
) => number;
type RankingScore = (
  yTrue: Labels<Label>,
  scores: MatrixLike,
  options: ScoreOptions & { readonly labels?: readonly Label[]; readonly positiveLabel?: Label },
) => number;
type PositiveScore = (
  yTrue: Labels<Label>,
  scores: NumberArray,
  options: ScoreOptions & { readonly positiveLabel?: Label },
) => number;

const predictorOf = (model: FittedModel): Predictor => (model ?? {}) as Predictor;

/** The predictions of a model that has any. */
function predictionsOf(model: FittedModel, x: Samples): Labels<Label> {
  const predictions = predictorOf(model).predict?.(x);
  if (predictions !== undefined) return predictions;
  throw new ParameterError({
    where: "scorers",
    subject: "the model",
    expected: "a fitted classifier or regressor",
    received: show(model),
  });
}

export const byLabels =
  (score: LabelScore): ScoreFunction =>
  (model, x, y, options) =>
    score(y!, predictionsOf(model, x), options);

export const byClasses = (score: typeof f1Score, average: "macro" | "weighted"): ScoreFunction =>
  byLabels((t, p, o) => score(t, p, { ...o, average }));

/** The model knows which of its two classes is the positive one, also when only one of them occurs in y. */
export const byPositive =
  (score: typeof f1Score): ScoreFunction =>
  (model, x, y, options) => {
    const predictions = predictionsOf(model, x);
    const { classes = [] } = predictorOf(model);
    const positiveLabel = classes.length === 2 ? classes[1] : undefined;
    return score(y!, predictions, { ...options, positiveLabel });
  };

export const byNumbers =
  (score: (yTrue: never, yPred: never, options: ScoreOptions) => number, sign: 1 | -1): ScoreFunction =>
  (model, x, y, options) =>
    sign * score(y as Targets as never, predictionsOf(model, x) as Targets as never, options);

/** Of one probability per class. */
export const byProbabilities =
  (name: string, score: MatrixScore): ScoreFunction =>
  (model, x, y, options) => {
    const { classes, predictProba } = predictorOf(model);
    if (classes === undefined || predictProba === undefined) lacks(name, "probabilities", model);
    return score(y!, predictProba.call(model, x), { ...options, labels: classes });
  };

/** Of the probability of the second of two classes. */
export const byPositiveProbability = (name: string, score: PositiveScore): ScoreFunction =>
  byProbabilities(name, (y, probabilities, { labels = [], ...options }) => {
    requireTwo(name, labels);
    const second = readMatrix(name, probabilities, {}).column(1);
    return score(y, second, { ...options, positiveLabel: labels[1]! });
  });

/** Of the decision function or, without one, the probabilities: one column per class, or one for two classes. */
export const byScores =
  (name: string, score: MatrixScore): ScoreFunction =>
  (model, x, y, options) => {
    const { classes, decisionFunction, predictProba } = predictorOf(model);
    const scores = decisionFunction ?? predictProba;
    if (classes === undefined || scores === undefined)
      lacks(name, "decision function and no probabilities", model);
    return score(y!, scores.call(model, x), { ...options, labels: classes });
  };

/** The same; of two classes the second is the positive one, also when only one of them occurs in y. */
export const byRanking = (name: string, score: RankingScore): ScoreFunction =>
  byScores(name, (y, scores, options) => {
    const { labels = [] } = options;
    return score(y, scores, labels.length === 2 ? { ...options, positiveLabel: labels[1]! } : options);
  });

/** The same, of two classes only. */
export const byBinaryRanking = (name: string, score: RankingScore): ScoreFunction =>
  byRanking(name, (y, scores, options) => {
    requireTwo(name, options.labels ?? []);
    return score(y, scores, options);
  });

function requireTwo(name: string, classes: readonly Label[]): void {
  if (classes.length <= 2) return;
  const others = name === "rocAuc" ? ` ("rocAucOvr", "rocAucOvo")` : "";
  throw new ParameterError({
    where: "crossValidate",
    subject: "scoring",
    expected: `one for ${classes.length} classes${others}`,
    received: `${show(name)}, which is for two`,
  });
}

function lacks(name: string, what: string, model: FittedModel): never {
  throw new ParameterError({
    where: "crossValidate",
    subject: "scoring",
    expected: `one that needs no ${what.split(" and ")[0]}`,
    received: `${show(name)} for ${show(model)}, which has no ${what}`,
  });
}
