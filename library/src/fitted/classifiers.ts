import type { FittedProbabilisticClassifier, MatrixLike, ScoreOptions } from "../core/contract.js";
import type { Label, Labels } from "../core/labels.js";
import { Model } from "../core/model.js";
import { logPosteriors, logProbabilities, posteriors, predictedClasses } from "../core/numbers/scores.js";
import {
  type DecidesBy,
  type MarginOptions,
  type NoReject,
  type PredictOptions,
  type ProbaOptions,
  predictLabels,
} from "../core/params/predict-options.js";
import type { ModelState } from "../core/state/state.js";
import { Matrix } from "../data/matrix.js";
import { accuracyScore } from "../metrics/accuracy.js";
import { type ModelBase, mixed } from "./mixed.js";

/** A fitted classifier that decides by scores; O are the options of its `predict`. */
export abstract class ScoredClassifier<L extends Label, O extends PredictOptions> extends Model {
  abstract readonly classes: readonly L[];
  abstract readonly nFeatures: number;
  abstract toState(): ModelState;
  /** Of its estimator, for errors. */
  protected abstract readonly id: string;

  /** One column for two classes (positive: the second) or one per class; X has not been checked. */
  protected abstract scoreRows(where: string, x: MatrixLike): Matrix;

  /** What the options of `predict` are compared with, of rows with these scores. */
  protected abstract decidesBy(scores: Matrix): DecidesBy;

  /** The label with the highest score, of equal ones the first; with a reject option `undefined` where it applies. */
  predict(x: MatrixLike, options?: NoReject<O>): L[];
  predict(x: MatrixLike, options: O): (L | undefined)[];
  predict(x: MatrixLike, options?: unknown): (L | undefined)[] {
    const where = `${this.id}.predict`;
    if (options === undefined) return this.predictedLabels(where, x);
    const scores = this.scoreRows(where, x);
    return predictLabels(where, this.classes, scores, options, this.decidesBy(scores));
  }

  /** `predict` without options, where a model can do it in less time. */
  protected predictedLabels(where: string, x: MatrixLike): L[] {
    const { data, cols } = this.scoreRows(where, x);
    return predictedClasses(this.classes, data, cols);
  }

  /** Accuracy. */
  score(x: MatrixLike, y: Labels<L>, options: ScoreOptions = {}): number {
    return accuracyScore(y, this.predict(x), options);
  }
}

/** A fitted classifier with a decision function. */
export abstract class MarginClassifier<
  L extends Label,
  O extends PredictOptions = MarginOptions,
> extends ScoredClassifier<L, O> {
  /** One column for two classes (positive: the second), else one per class. */
  decisionFunction(x: MatrixLike): Matrix {
    return this.scoreRows(`${this.id}.decisionFunction`, x);
  }

  protected decidesBy(_scores: Matrix): DecidesBy {
    return { margins: true };
  }
}

/** A fitted classifier whose margins are log posteriors, up to a constant per row; of two classes the log-odds of the second. */
export abstract class PosteriorClassifier<L extends Label>
  extends MarginClassifier<L, MarginOptions & ProbaOptions>
  implements FittedProbabilisticClassifier<L>
{
  /** One column per class, in the order of `classes`; rows sum to 1. */
  predictProba(x: MatrixLike): Matrix {
    return this.probabilities(this.scoreRows(`${this.id}.predictProba`, x));
  }

  /** Logarithms of `predictProba`, also where those underflow to 0. */
  predictLogProba(x: MatrixLike): Matrix {
    const { data, rows, cols } = this.scoreRows(`${this.id}.predictLogProba`, x);
    return new Matrix(logPosteriors(data, cols), rows, this.classes.length);
  }

  protected probabilities({ data, rows, cols }: Matrix): Matrix {
    return new Matrix(posteriors(data, cols), rows, this.classes.length);
  }

  protected override decidesBy(scores: Matrix): DecidesBy {
    return { margins: true, probabilities: () => this.probabilities(scores).data };
  }
}

/** A fitted classifier whose scores are probabilities. */
export abstract class ProbabilityClassifier<L extends Label>
  extends ScoredClassifier<L, ProbaOptions>
  implements FittedProbabilisticClassifier<L>
{
  /** One column per class, in the order of `classes`; rows sum to 1. */
  predictProba(x: MatrixLike): Matrix {
    return this.scoreRows(`${this.id}.predictProba`, x);
  }

  /** Logarithms of `predictProba`; −Infinity for a class of probability 0. */
  predictLogProba(x: MatrixLike): Matrix {
    const { data, rows, cols } = this.scoreRows(`${this.id}.predictLogProba`, x);
    return new Matrix(logProbabilities(data, cols), rows, cols);
  }

  protected decidesBy(scores: Matrix): DecidesBy {
    return { probabilities: () => scores.data };
  }
}

/** The base of a family with the methods of classifiers by margins. */
export function withMargins<A extends readonly unknown[], M extends Model>(
  Base: ModelBase<A, M>,
): abstract new <L extends Label>(
  ...args: A
) => M & MarginClassifier<L> {
  return mixed(Base, MarginClassifier, ScoredClassifier);
}

/** The base of a family with the methods of classifiers by probabilities. */
export function withProbabilities<A extends readonly unknown[], M extends Model>(
  Base: ModelBase<A, M>,
): abstract new <L extends Label>(
  ...args: A
) => M & ProbabilityClassifier<L> {
  return mixed(Base, ProbabilityClassifier, ScoredClassifier);
}

/** The base of a family with the methods of classifiers by log posteriors. */
export function withPosteriors<A extends readonly unknown[], M extends Model>(
  Base: ModelBase<A, M>,
): abstract new <L extends Label>(
  ...args: A
) => M & PosteriorClassifier<L> {
  return mixed(Base, PosteriorClassifier, MarginClassifier, ScoredClassifier);
}
