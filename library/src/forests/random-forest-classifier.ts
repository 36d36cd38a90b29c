import type { DefaultCandidate, MatrixLike } from "../core/contract.js";
import type { Steps } from "../core/estimator.js";
import type { Label, Labels } from "../core/labels.js";
import type { ModelState } from "../core/state/state.js";
import type { ResumeOptions } from "../ensembles/resume.js";
import { treeClassifier } from "../trees/decision-tree-classifier.js";
import {
  FittedForestClassifier,
  ForestClassifier,
  forestClassifierParams,
  readForestClassifier,
} from "./forest-classifier.js";
import { forestFitOptions } from "./resumed-trees.js";
import { forestSpace } from "./search-space.js";

export const randomForestClassifierParams = forestClassifierParams({ bootstrap: true });

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
  static readonly capabilities = treeClassifier({ step: "tree", form: "ensemble" });
  static readonly candidate: DefaultCandidate = { cost: 8 };
  static readonly searchSpace = forestSpace;
  static readonly fitOptions = forestFitOptions;

  fit<L extends Label>(
    x: MatrixLike,
    y: Labels<L>,
    options: ResumeOptions<FittedRandomForestClassifier<L>> = {},
  ): FittedRandomForestClassifier<L> {
    return this.fitForest("best", FittedRandomForestClassifier<L>, x, y, options);
  }

  /** The fit, tree by tree. */
  steps<L extends Label>(
    x: MatrixLike,
    y: Labels<L>,
    options: ResumeOptions<FittedRandomForestClassifier<L>> = {},
  ): Steps<FittedRandomForestClassifier<L>> {
    return this.growForest(this.where("steps"), "best", FittedRandomForestClassifier<L>, x, y, options);
  }

  static restore(state: ModelState): FittedRandomForestClassifier {
    return new FittedRandomForestClassifier(readForestClassifier(state));
  }
}

export class FittedRandomForestClassifier<L extends Label = Label> extends FittedForestClassifier<L> {}
