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

export const randomForestClassifierParams = classForestParams({ bootstrap: true });

/**
 * Many trees, each grown to the end on rows drawn with replacement, looking at a few columns drawn anew for every split; they
 * answer with the mean of their class proportions [Breiman 2001]. The same with one thread or many: a tree depends on its own seed only.
 * Parity: scikit-learn's RandomForestClassifier, up to its random numbers.
 */
export class RandomForestClassifier extends Estimator<typeof randomForestClassifierParams> {
  static readonly id = "RandomForestClassifier";
  static readonly table = randomForestClassifierParams;
  static readonly capabilities: Capabilities = treeClassifierCapabilities;

  constructor(params: Params<typeof randomForestClassifierParams> = {}) {
    super(RandomForestClassifier.id, randomForestClassifierParams, params);
    checkForest(RandomForestClassifier.id, this.params);
  }

  fit<L extends Label>(
    x: MatrixLike,
    y: Labels<L>,
    options: FitOptions = {},
  ): FittedRandomForestClassifier<L> {
    const where = "RandomForestClassifier.fit";
    return runSteps(where, this.#learn(where, x, y, options), options);
  }

  /** The fit, tree by tree. */
  steps<L extends Label>(
    x: MatrixLike,
    y: Labels<L>,
    options: FitOptions = {},
  ): Generator<Step<FittedRandomForestClassifier<L>>, FittedRandomForestClassifier<L>, void> {
    return this.#learn("RandomForestClassifier.steps", x, y, options);
  }

  static restore(state: ModelState): FittedRandomForestClassifier {
    return new FittedRandomForestClassifier(restoreClassForest(state));
  }

  #learn<L extends Label>(
    where: string,
    x: MatrixLike,
    y: Labels<L>,
    options: FitOptions,
  ): Generator<Step<FittedRandomForestClassifier<L>>, FittedRandomForestClassifier<L>, void> {
    const fitted = (forest: ClassForest<L>) => new FittedRandomForestClassifier(forest);
    return classForestSteps(RandomForestClassifier.id, where, this.params, "best", x, y, options, fitted);
  }
}

export class FittedRandomForestClassifier<L extends Label = Label> extends FittedForestClassifier<L> {}
