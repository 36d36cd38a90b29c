import type { DefaultCandidate } from "../core/contract.js";
import type { ModelState } from "../core/state/state.js";
import {
  FittedForestRegressor,
  ForestRegressor,
  forestRegressorParams,
  readForestRegressor,
} from "./forest-regressor.js";

export const randomForestRegressorParams = forestRegressorParams({ bootstrap: true });

/**
 * A random forest [Breiman 2001]: trees grown on bootstrap samples of the rows.
 *
 *   f(x) = 1/T Σₜ fₜ(x),      fₜ(x): the mean target in the leaf of x in tree t, or the median with absoluteError
 *
 * The result does not depend on the number of threads: a tree depends on its own seed only.
 * Parity: scikit-learn's RandomForestRegressor, up to its random numbers.
 */
export class RandomForestRegressor extends ForestRegressor<FittedRandomForestRegressor> {
  static readonly id = "RandomForestRegressor";
  static readonly table = randomForestRegressorParams;
  static readonly candidate: DefaultCandidate = { cost: 8 };

  protected get kind() {
    return { splitter: "best", Model: FittedRandomForestRegressor } as const;
  }

  static restore(state: ModelState): FittedRandomForestRegressor {
    return new FittedRandomForestRegressor(readForestRegressor(state));
  }
}

export class FittedRandomForestRegressor extends FittedForestRegressor {}
