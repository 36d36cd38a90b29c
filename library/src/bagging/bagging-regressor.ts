import type { FitOptions, Regressor, RestorePart, Samples } from "../core/contract.js";
import { runSteps, type Steps } from "../core/estimator.js";
import type { NumberArray } from "../core/labels.js";
import type { AnyRegressor, ModelOn, SamplesOf } from "../core/model-on.js";
import type { Params } from "../core/params/params.js";
import type { ModelState } from "../core/state/state.js";
import { type RegressionSet, regressionSet } from "../data/training-set.js";
import { ensembleOf } from "../ensembles/composed-estimator.js";
import type { MemberOf } from "../ensembles/members.js";
import { DecisionTreeRegressor } from "../trees/index.js";
import { Bagging, baggingParams, type Readable, type Rules } from "./bagging.js";
import {
  FittedBaggingRegressor,
  outOfBagPredictions,
  readBaggingRegressor,
} from "./fitted-bagging-regressor.js";
import { regressionTreeBagger } from "./tree-bags.js";

export const baggingRegressorParams = baggingParams<Regressor>("regressor", new DecisionTreeRegressor());

type Fitted<E extends AnyRegressor> = ModelOn<FittedBaggingRegressor<MemberOf<E>>, SamplesOf<E>>;

/**
 * Bootstrap aggregation [Breiman 1996]: members are fitted to rows drawn with replacement, and their predictions are averaged.
 *
 *   f(x) = 1/T Σₜ fₜ(x)
 *
 * For members that do not take weights, rows are drawn with probability proportional to their weight.
 * Parity: otherwise scikit-learn's BaggingRegressor.
 */
export class BaggingRegressor<E extends AnyRegressor = DecisionTreeRegressor> extends Bagging<
  typeof baggingRegressorParams,
  E
> {
  static readonly id = "BaggingRegressor";
  static readonly table = baggingRegressorParams;
  static readonly capabilities = ensembleOf(DecisionTreeRegressor, { step: "member" });

  constructor(params: Params<typeof baggingRegressorParams, { estimator: E }> = {}) {
    super(params);
  }

  fit(x: SamplesOf<E>, y: NumberArray, options: FitOptions = {}): Fitted<E> {
    const where = this.where("fit");
    return runSteps(where, this.#learn(where, x, y, options), options);
  }

  /** The fit, member by member. */
  steps(x: SamplesOf<E>, y: NumberArray, options: FitOptions = {}): Steps<Fitted<E>> {
    return this.#learn(this.where("steps"), x, y, options);
  }

  static restore(state: ModelState, restorePart: RestorePart): FittedBaggingRegressor {
    return readBaggingRegressor(state, restorePart);
  }

  #learn(where: string, x: Samples, y: NumberArray, options: FitOptions): Steps<Fitted<E>> {
    const parts = {
      read: (rows: Readable, rules: Rules) => regressionSet(where, rows, y, options, rules),
      trees: (set: RegressionSet) => regressionTreeBagger(where, this.params, set),
      targetsOf: (set: RegressionSet) => (rows: Int32Array) => Array.from(rows, (i) => set.y[i]!),
      outOfBag: outOfBagPredictions,
    };
    // `params` does not keep the type E of its estimator.
    return this.learn(
      where,
      x,
      options,
      parts,
      (bag) => new FittedBaggingRegressor(bag) as unknown as Fitted<E>,
    );
  }
}
