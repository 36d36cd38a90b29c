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

export const extraTreesRegressorParams = targetForestParams({ bootstrap: false });

/**
 * Many trees on all rows, each split the best of thresholds that are drawn, one in each column [Geurts et al. 2006]. The same
 * with one thread or many: a tree depends on its own seed only.
 * Parity: scikit-learn's ExtraTreesRegressor, up to its random numbers.
 */
export class ExtraTreesRegressor extends Estimator<typeof extraTreesRegressorParams> {
  static readonly id = "ExtraTreesRegressor";
  static readonly table = extraTreesRegressorParams;
  static readonly capabilities: Capabilities = treeRegressorCapabilities;

  constructor(params: Params<typeof extraTreesRegressorParams> = {}) {
    super(ExtraTreesRegressor.id, extraTreesRegressorParams, params);
    checkForest(ExtraTreesRegressor.id, this.params);
  }

  fit(x: MatrixLike, y: NumberArray, options: FitOptions = {}): FittedExtraTreesRegressor {
    const where = "ExtraTreesRegressor.fit";
    return runSteps(where, this.#learn(where, x, y, options), options);
  }

  /** The fit, tree by tree. */
  steps(
    x: MatrixLike,
    y: NumberArray,
    options: FitOptions = {},
  ): Generator<Step<FittedExtraTreesRegressor>, FittedExtraTreesRegressor, void> {
    return this.#learn("ExtraTreesRegressor.steps", x, y, options);
  }

  static restore(state: ModelState): FittedExtraTreesRegressor {
    return new FittedExtraTreesRegressor(restoreTargetForest(state));
  }

  #learn(
    where: string,
    x: MatrixLike,
    y: NumberArray,
    options: FitOptions,
  ): Generator<Step<FittedExtraTreesRegressor>, FittedExtraTreesRegressor, void> {
    const fitted = (state: ForestState) => new FittedExtraTreesRegressor(state);
    return targetForestSteps(ExtraTreesRegressor.id, where, this.params, "random", x, y, options, fitted);
  }
}

export class FittedExtraTreesRegressor extends FittedForestRegressor {}
