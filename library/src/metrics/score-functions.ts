import type { FittedModel, MatrixLike, Samples, ScoreOptions } from "../core/contract.js";
import { ParameterError, show } from "../core/errors.js";
import type { Label, Labels, NumberArray } from "../core/labels.js";
import { readOptions } from "../core/params/options.js";
import type { TableOf } from "../core/params/params.js";
import { positiveIndex } from "../core/positive-label.js";
import { readMatrix } from "../data/input.js";
import { metricOptions, positiveLabel } from "./inputs.js";
import type { f1Score } from "./precision-recall.js";

/** A scorer as the library calls it. */
export type ScoreFunction = (
  model: FittedModel,
  x: Samples,
  y: Labels<Label> | undefined,
  options: ScorerOptions,
) => number;

/** Options of scorers. */
export interface ScorerOptions extends ScoreOptions {
  /** Which of two labels is "positive"; without it 1, true, "yes" and the like. Scorers that treat both alike do not read it. */
  readonly positiveLabel?: Label | undefined;
}

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
  scores: NumberArray | MatrixLike,
  options: ScoreOptions & { readonly labels?: readonly Label[]; readonly positiveLabel?: Label },
) => number;
type PositiveScore = (
  yTrue: Labels<Label>,
  scores: NumberArray,
  options: ScoreOptions & { readonly positiveLabel?: Label },
) => number;

const scorerOptions = { ...metricOptions, positiveLabel } satisfies TableOf<ScorerOptions>;

/** What every metric takes, and the positive label, which only some take. */
function readScorer(options: ScorerOptions): { own: ScoreOptions; positiveLabel: Label | undefined } {
  readOptions("scorers", scorerOptions, options);
  const { positiveLabel: label, ...own } = options;
  return { own, positiveLabel: label };
}

const predictorOf = (model: FittedModel): Predictor => (model ?? {}) as Predictor;

/** The predictions of a model that has any. */
function predictionsOf(model: FittedModel, x: Samples): Labels<Label> {
  const predictions = predictorOf(model).predict?.(x);
  if (predictions !== undefined) return predictions;
  throw new ParameterError("scorers", "the model", "a fitted classifier or regressor", show(model));
}

export const byLabels =
  (score: LabelScore): ScoreFunction =>
  (model, x, y, options) =>
    score(y!, predictionsOf(model, x), readScorer(options).own);

export const byClasses = (score: typeof f1Score, average: "macro" | "weighted"): ScoreFunction =>
  byLabels((t, p, o) => score(t, p, { ...o, average }));

/** Of the positive one of the model's two classes, also when only one of them occurs in y. */
export const byPositive =
  (name: string, score: typeof f1Score): ScoreFunction =>
  (model, x, y, options) => {
    const { own, positiveLabel } = readScorer(options);
    const predictions = predictionsOf(model, x);
    const { classes = [] } = predictorOf(model);
    const label = classes.length === 2 ? positiveOf(name, classes, positiveLabel) : positiveLabel;
    return score(y!, predictions, { ...own, positiveLabel: label });
  };

const positiveOf = (name: string, classes: readonly Label[], given: Label | undefined): Label =>
  classes[positiveIndex(`scorers.${name}`, classes, given)]!;

/** Of numbers; also of matrices of several targets, for the scores that take them. */
export const byNumbers =
  (
    score: (yTrue: NumberArray, yPred: NumberArray, options: ScoreOptions) => number,
    sign: 1 | -1,
  ): ScoreFunction =>
  (model, x, y, options) =>
    sign * score(y as NumberArray, predictionsOf(model, x) as NumberArray, readScorer(options).own);

/** Of one probability per class. */
export const byProbabilities =
  (name: string, score: MatrixScore): ScoreFunction =>
  (model, x, y, options) => {
    const { classes, predictProba } = predictorOf(model);
    if (classes === undefined || predictProba === undefined) lacks(name, "probabilities", model);
    return score(y!, predictProba.call(model, x), { ...readScorer(options).own, labels: classes });
  };

/** Of the probability of the second of two classes, for scores that are the same for the first. */
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
    return score(y!, scores.call(model, x), { ...readScorer(options).own, labels: classes });
  };

/** The same; of two classes the scores of the positive one, also when only one of them occurs in y. */
export const byRanking =
  (name: string, score: RankingScore): ScoreFunction =>
  (model, x, y, options) =>
    byScores(name, (truth, scores, own) => {
      const { labels = [] } = own;
      if (labels.length !== 2) return score(truth, scores, own);
      const label = positiveOf(name, labels, readScorer(options).positiveLabel);
      return score(truth, columnFor(name, scores, labels.indexOf(label)), { ...own, positiveLabel: label });
    })(model, x, y, options);

/** The scores of class k of two. A decision function has one column, which is that of the second class. */
function columnFor(name: string, given: MatrixLike, k: number): NumberArray {
  const scores = readMatrix(name, given, {});
  if (scores.cols === 2) return scores.column(k);
  const second = scores.column(0);
  return k === 1 ? second : second.map((score) => -score);
}

/** The same, of two classes only, for scores that are the same whichever of them is positive. */
export const byBinaryRanking = (name: string, score: RankingScore): ScoreFunction =>
  byScores(name, (y, scores, options) => {
    const { labels = [] } = options;
    requireTwo(name, labels);
    return score(y, scores, labels.length === 2 ? { ...options, positiveLabel: labels[1]! } : options);
  });

function requireTwo(name: string, classes: readonly Label[]): void {
  if (classes.length <= 2) return;
  const others = name === "rocAuc" ? ` ("rocAucOvr", "rocAucOvo")` : "";
  const expected = `one for ${classes.length} classes${others}`;
  throw new ParameterError("crossValidate", "scoring", expected, `${show(name)}, which is for two`);
}

function lacks(name: string, what: string, model: FittedModel): never {
  const expected = `one that needs no ${what.split(" and ")[0]}`;
  const received = `${show(name)} for ${show(model)}, which has no ${what}`;
  throw new ParameterError("crossValidate", "scoring", expected, received);
}
