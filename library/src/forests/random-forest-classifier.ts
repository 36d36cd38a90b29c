import type { DefaultCandidate, MatrixLike } from "../core/contract.js";
import type { Steps } from "../core/estimator.js";
import type { Label, Labels } from "../core/labels.js";
import type { ModelState } from "../core/state/state.js";
import type { ResumeOptions } from "../ensembles/resume.js";
import {
  FittedForestClassifier,
  ForestClassifier,
  forestClassifierParams,
  readForestClassifier,
} from "./forest-classifier.js";

export const randomForestClassifierParams = forestClassifierParams({ bootstrap: true });
type Options<L extends Label> = ResumeOptions<FittedRandomForestClassifier<L>>;

/**
 * A random forest [Breiman 2001]: trees grown on bootstrap samples of the rows; each split considers √d random columns.
 *
 *   P(k | x) = 1/T Σₜ Pₜ(k | x),      Pₜ(k | x): the proportion of class k in the leaf of x in tree t
 *
 * The result does not depend on the number of threads: a tree depends on its own seed only.
 * Parity: scikit-learn's RandomForestClassifier, up to its random numbers.
 */
export class RandomForestClassifier extends ForestClassifier {
  static readonly id = "RandomForestClassifier";
  static readonly table = randomForestClassifierParams;
  static readonly candidate: DefaultCandidate = { cost: 8 };

  fit<L extends Label>(
    x: MatrixLike,
    y: Labels<L>,
    options: Options<L> = {},
  ): FittedRandomForestClassifier<L> {
    return this.fitForest("best", FittedRandomForestClassifier<L>, x, y, options);
  }

  /** The fit, tree by tree. */
  steps<L extends Label>(
    x: MatrixLike,
    y: Labels<L>,
    options: Options<L> = {},
  ): Steps<FittedRandomForestClassifier<L>> {
    return this.growForest("steps", "best", FittedRandomForestClassifier<L>, x, y, options);
  }

  static restore(state: ModelState): FittedRandomForestClassifier {
    return new FittedRandomForestClassifier(readForestClassifier(state));
  }
}

export class FittedRandomForestClassifier<L extends Label = Label> extends FittedForestClassifier<L> {}
