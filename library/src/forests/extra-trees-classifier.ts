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

export const extraTreesClassifierParams = forestClassifierParams({ bootstrap: false });
type Options<L extends Label> = ResumeOptions<FittedExtraTreesClassifier<L>>;

/**
 * Extremely randomized trees [Geurts et al. 2006]: trees grown on all rows; each split considers √d random columns, with one random
 * threshold each.
 *
 *   P(k | x) = 1/T Σₜ Pₜ(k | x),      Pₜ(k | x): the proportion of class k in the leaf of x in tree t
 *
 * The result does not depend on the number of threads: a tree depends on its own seed only.
 * Parity: scikit-learn's ExtraTreesClassifier, up to its random numbers.
 */
export class ExtraTreesClassifier extends ForestClassifier {
  static readonly id = "ExtraTreesClassifier";
  static readonly table = extraTreesClassifierParams;
  static readonly candidate: DefaultCandidate = { cost: 9 };

  fit<L extends Label>(x: MatrixLike, y: Labels<L>, options: Options<L> = {}): FittedExtraTreesClassifier<L> {
    return this.fitForest("random", FittedExtraTreesClassifier<L>, x, y, options);
  }

  /** The fit, tree by tree. */
  steps<L extends Label>(
    x: MatrixLike,
    y: Labels<L>,
    options: Options<L> = {},
  ): Steps<FittedExtraTreesClassifier<L>> {
    return this.growForest("steps", "random", FittedExtraTreesClassifier<L>, x, y, options);
  }

  static restore(state: ModelState): FittedExtraTreesClassifier {
    return new FittedExtraTreesClassifier(readForestClassifier(state));
  }
}

export class FittedExtraTreesClassifier<L extends Label = Label> extends FittedForestClassifier<L> {}
