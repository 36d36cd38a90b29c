import type { Capabilities, FitOptions, MatrixLike } from "../core/contract.js";
import { Estimator, runSteps, type Step } from "../core/estimator.js";
import type { Label, Labels } from "../core/labels.js";
import type { Params } from "../core/params.js";
import type { ModelState } from "../core/state.js";
import { treeClassifierCapabilities } from "../trees/decision-tree-classifier.js";
import { checkForest } from "./forest.js";
import {
  type ClassForest,
  classForestParams,
  classForestSteps,
  FittedForestClassifier,
  restoreClassForest,
} from "./forest-classifier.js";

export const extraTreesClassifierParams = classForestParams({ bootstrap: false });

/**
 * Many trees on all rows, each split the best of thresholds that are drawn, one in each of a few columns drawn anew [Geurts et
 * al. 2006]. The same with one thread or many: a tree depends on its own seed only.
 * Parity: scikit-learn's ExtraTreesClassifier, up to its random numbers.
 */
export class ExtraTreesClassifier extends Estimator<typeof extraTreesClassifierParams> {
  static readonly id = "ExtraTreesClassifier";
  static readonly table = extraTreesClassifierParams;
  static readonly capabilities: Capabilities = treeClassifierCapabilities;

  constructor(params: Params<typeof extraTreesClassifierParams> = {}) {
    super(ExtraTreesClassifier.id, extraTreesClassifierParams, params);
    checkForest(ExtraTreesClassifier.id, this.params);
  }

  fit<L extends Label>(x: MatrixLike, y: Labels<L>, options: FitOptions = {}): FittedExtraTreesClassifier<L> {
    const where = "ExtraTreesClassifier.fit";
    return runSteps(where, this.#learn(where, x, y, options), options);
  }

  /** The fit, tree by tree. */
  steps<L extends Label>(
    x: MatrixLike,
    y: Labels<L>,
    options: FitOptions = {},
  ): Generator<Step<FittedExtraTreesClassifier<L>>, FittedExtraTreesClassifier<L>, void> {
    return this.#learn("ExtraTreesClassifier.steps", x, y, options);
  }

  static restore(state: ModelState): FittedExtraTreesClassifier {
    return new FittedExtraTreesClassifier(restoreClassForest(state));
  }

  #learn<L extends Label>(
    where: string,
    x: MatrixLike,
    y: Labels<L>,
    options: FitOptions,
  ): Generator<Step<FittedExtraTreesClassifier<L>>, FittedExtraTreesClassifier<L>, void> {
    const fitted = (forest: ClassForest<L>) => new FittedExtraTreesClassifier(forest);
    return classForestSteps(ExtraTreesClassifier.id, where, this.params, "random", x, y, options, fitted);
  }
}

export class FittedExtraTreesClassifier<L extends Label = Label> extends FittedForestClassifier<L> {}
