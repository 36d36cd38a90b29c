import type { Capabilities, FitOptions, MatrixLike } from "../core/contract.js";
import { Estimator, runSteps, type Step } from "../core/estimator.js";
import type { NumberArray } from "../core/labels.js";
import type { Params } from "../core/params.js";
import type { ModelState } from "../core/state.js";
import { treeRegressorCapabilities } from "../trees/decision-tree-regressor.js";
import { checkForest, type ForestState } from "./forest.js";
import {
  FittedForestRegressor,
  restoreTargetForest,
  targetForestParams,
  targetForestSteps,
} from "./forest-regressor.js";

export const randomForestRegressorParams = targetForestParams({ bootstrap: true });

/**
 * Many trees, each grown to the end on rows drawn with replacement; they answer with the mean of what their leaves say, which is a
 * mean, or by absolute error a median [Breiman 2001]. The same with one thread or many: a tree depends on its own seed only.
 * Parity: scikit-learn's RandomForestRegressor, up to its random numbers.
 */
export class RandomForestRegressor extends Estimator<typeof randomForestRegressorParams> {
  static readonly id = "RandomForestRegressor";
  static readonly table = randomForestRegressorParams;
  static readonly capabilities: Capabilities = treeRegressorCapabilities;

  constructor(params: Params<typeof randomForestRegressorParams> = {}) {
    super(RandomForestRegressor.id, randomForestRegressorParams, params);
    checkForest(RandomForestRegressor.id, this.params);
  }

  fit(x: MatrixLike, y: NumberArray, options: FitOptions = {}): FittedRandomForestRegressor {
    const where = "RandomForestRegressor.fit";
    return runSteps(where, this.#learn(where, x, y, options), options);
  }

  /** The fit, tree by tree. */
  steps(
    x: MatrixLike,
    y: NumberArray,
    options: FitOptions = {},
  ): Generator<Step<FittedRandomForestRegressor>, FittedRandomForestRegressor, void> {
    return this.#learn("RandomForestRegressor.steps", x, y, options);
  }

  static restore(state: ModelState): FittedRandomForestRegressor {
    return new FittedRandomForestRegressor(restoreTargetForest(state));
  }

  #learn(
    where: string,
    x: MatrixLike,
    y: NumberArray,
    options: FitOptions,
  ): Generator<Step<FittedRandomForestRegressor>, FittedRandomForestRegressor, void> {
    const fitted = (state: ForestState) => new FittedRandomForestRegressor(state);
    return targetForestSteps(RandomForestRegressor.id, where, this.params, "best", x, y, options, fitted);
  }
}

export class FittedRandomForestRegressor extends FittedForestRegressor {}
