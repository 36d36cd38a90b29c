import type { FittedProbabilisticClassifier, MatrixLike } from "../core/contract.js";
import type { Label } from "../core/labels.js";
import { logSoftmaxInto, posteriors, softmaxInto } from "../core/numbers/scores.js";
import type { ParamsTable } from "../core/params/params.js";
import type { DecidesBy, ProbaOptions } from "../core/params/predict-options.js";
import { type Learned, restoring, stateOf } from "../core/state/model-state.js";
import type { ModelState } from "../core/state/state.js";
import { readSums } from "../core/state/state-lists.js";
import type { Scores, Structure, Transform } from "../core/structure.js";
import { classifierStructure, posteriorLink, structure } from "../core/structure.js";
import { type Design, readMatrix } from "../data/input.js";
import type { Matrix } from "../data/matrix.js";
import { ScoredClassifier } from "../fitted/classifiers.js";
import { type ClassPriorValues, classLogPriors } from "./class-priors.js";

/** Scores of columns, after steps that prepare them. */
export interface ClassScores {
  readonly scores: Scores;
  readonly steps: readonly Transform[];
}

/** What every naive Bayes model learns about the classes. */
export interface ClassState<L extends Label> {
  readonly params: Readonly<Record<string, unknown>>;
  readonly classes: readonly L[];
  /** Σ of the row weights of each class. */
  readonly classCount: Float64Array;
  readonly classLogPrior: Float64Array;
  /** Names of the columns, if X was a table. */
  readonly featureNamesIn?: readonly string[] | undefined;
}

/**
 * A fitted naive Bayes classifier: Bayes' rule on class densities whose features are independent.
 *
 *   log P(y = k, x) = log P(y = k) + log P(x | y = k),      P(y | x) = P(y, x) / Σₖ P(y = k, x)
 *
 * All in logarithms, so that documents of a million words and densities that underflow have exact posteriors.
 */
export abstract class FittedNaiveBayes<L extends Label = Label>
  extends ScoredClassifier<L, ProbaOptions>
  implements FittedProbabilisticClassifier<L>
{
  readonly classes: readonly L[];
  /** Σ of the row weights of each class. */
  readonly classCount: Float64Array;
  /** log P(y); −Infinity for a class that no row has had so far. */
  readonly classLogPrior: Float64Array;
  /** Free numbers learned, the class priors among them. */
  abstract readonly nParameters: number;
  protected readonly state: ClassState<L>;

  constructor(state: ClassState<L>) {
    super();
    this.state = state;
    this.classes = state.classes;
    this.classCount = state.classCount;
    this.classLogPrior = state.classLogPrior;
  }

  get featureNamesIn(): readonly string[] | undefined {
    return this.state.featureNamesIn;
  }

  /** log P(x | y = k), one column per class. */
  logLikelihood(x: MatrixLike): Matrix {
    return this.#likelihood(`${this.id}.logLikelihood`, x);
  }

  /** log P(x, y = k), one column per class: scikit-learn's predict_joint_log_proba. */
  predictJointLogProba(x: MatrixLike): Matrix {
    return this.scoreRows(`${this.id}.predictJointLogProba`, x);
  }

  /** P(y = k | x), one column per class in the order of `classes`; rows sum to 1. */
  predictProba(x: MatrixLike): Matrix {
    const joint = this.scoreRows(`${this.id}.predictProba`, x);
    const { data, cols } = joint;
    for (let at = 0; at < data.length; at += cols) softmaxInto(data, at, cols, data);
    return joint;
  }

  /** log P(y = k | x), also where P underflows to 0; −Infinity for a class of prior 0. */
  predictLogProba(x: MatrixLike): Matrix {
    const joint = this.scoreRows(`${this.id}.predictLogProba`, x);
    const { data, cols } = joint;
    for (let at = 0; at < data.length; at += cols) logSoftmaxInto(data, at, cols, data);
    return joint;
  }

  [structure](): Structure {
    const { scores, steps } = this.scoresWith(this.classLogPrior);
    return classifierStructure(this, scores, posteriorLink(this.classes.length), { steps });
  }

  /** log P(x | y = k) plus a constant per class. */
  abstract scoresWith(constant: Float64Array): ClassScores;

  toState(): ModelState {
    const { classes, classCount } = this;
    return stateOf(this.id, this.state, { classes, classCount, ...this.learned() });
  }

  /**
   * log P(x | y = k) of rows that have not been checked for NaN and ±∞. Finite for all finite rows. `columns` are the
   * numbers of x's columns in error messages.
   */
  abstract rowLikelihood(where: string, x: Design, columns?: readonly number[]): Matrix;

  /** Sums over rows, from which everything else is computed. */
  protected abstract learned(): Learned;
  protected abstract readonly takesSparse: boolean;

  protected decidesBy({ data, cols }: Matrix): DecidesBy {
    return { probabilities: () => posteriors(data, cols) };
  }

  #likelihood(where: string, x: MatrixLike): Matrix {
    const rules = { like: this, sparse: this.takesSparse, deferFiniteCheck: true, indicesLater: true };
    return this.rowLikelihood(where, readMatrix(where, x, rules));
  }

  /** log P(x, y = k), one column per class. */
  protected scoreRows(where: string, x: MatrixLike): Matrix {
    const out = this.#likelihood(where, x);
    const { classLogPrior } = this;
    const K = classLogPrior.length;
    for (let i = 0, at = 0; i < out.rows; i++, at += K)
      for (let k = 0; k < K; k++) out.data[at + k]! += classLogPrior[k]!;
    return out;
  }
}

/** What a model is computed from: sums over the rows of each class. */
export interface ClassSums<L extends Label> {
  /** The method that was called, for error messages. */
  readonly where: string;
  readonly classes: readonly L[];
  readonly featureNamesIn?: readonly string[] | undefined;
  readonly classCount: Float64Array;
}

/** The classes of a model with learned priors. */
export const classState = <L extends Label>(
  { where, classes, classCount, featureNamesIn }: ClassSums<L>,
  params: ClassPriorValues & Readonly<Record<string, unknown>>,
): ClassState<L> => ({
  params,
  classes,
  classCount,
  classLogPrior: classLogPriors(where, classCount, params),
  featureNamesIn,
});

/** Parameters, classes and their counts, as `toState` wrote them. */
export function readClassSums<T extends ParamsTable>(table: T, state: ModelState) {
  const { reader, where, params } = restoring(table, state);
  const classes: readonly Label[] = reader.labels("classes", 2);
  const classCount = readSums(reader, "classCount", [classes.length]);
  if (!classCount.some((count) => count > 0)) reader.fail("classCount", "positive somewhere", "all zeros");
  return { reader, params, where, classes, classCount };
}
