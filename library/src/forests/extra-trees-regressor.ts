import type { DefaultCandidate } from "../core/contract.js";
import type { ModelState } from "../core/state/state.js";
import {
  FittedForestRegressor,
  ForestRegressor,
  forestRegressorParams,
  readForestRegressor,
} from "./forest-regressor.js";

export const extraTreesRegressorParams = forestRegressorParams({ bootstrap: false });

/**
 * Extremely randomized trees [Geurts et al. 2006]: trees grown on all rows; each split considers one random threshold per column.
 *
 *   f(x) = 1/T Σₜ fₜ(x),      fₜ(x): the mean target in the leaf of x in tree t, or the median with absoluteError
 *
 * The result does not depend on the number of threads: a tree depends on its own seed only.
 * Parity: scikit-learn's ExtraTreesRegressor, up to its random numbers.
 */
export class ExtraTreesRegressor extends ForestRegressor<FittedExtraTreesRegressor> {
  static readonly id = "ExtraTreesRegressor";
  static readonly table = extraTreesRegressorParams;
  static readonly candidate: DefaultCandidate = { cost: 9 };

  protected get kind() {
    return { splitter: "random", Model: FittedExtraTreesRegressor } as const;
  }

  static restore(state: ModelState): FittedExtraTreesRegressor {
    return new FittedExtraTreesRegressor(readForestRegressor(state));
  }
}

export class FittedExtraTreesRegressor extends FittedForestRegressor {}
