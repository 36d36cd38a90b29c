import type { RestorePart } from "../../core/contract.js";
import { ParameterError, show } from "../../core/errors.js";
import type { AnyRegressor } from "../../core/model-on.js";
import { Random } from "../../core/numbers/random.js";
import { invalid, optional, type ParamSpec, type Params, randomState } from "../../core/params/params.js";
import type { ModelState } from "../../core/state/state.js";
import type { Ridge } from "../../linear/index.js";
import { cvParam } from "../../selection/search-params.js";
import { multiOutputRegressorParams, RegressorPerTarget } from "./multi-output-regressor.js";
import type { Chain, FittedRegressorOutput } from "./regressor-outputs.js";
import { isOrderOf, readRegressorOutput } from "./regressor-outputs.js";

const order: ParamSpec<readonly number[] | "random" | null> = {
  kind: "numbers",
  default: null,
  doc: 'The targets in the order of the chain, from 0, or "random"; null: as the columns of Y.',
  expected: 'a list of whole numbers ≥ 0, "random" or null',
  read: (value) => {
    if (value === null || value === "random") return value;
    const fine = Array.isArray(value) && value.every((t) => Number.isSafeInteger(t) && t >= 0);
    return fine ? Object.freeze([...value]) : invalid;
  },
};

export const regressorChainParams = {
  ...multiOutputRegressorParams,
  order,
  cv: {
    ...optional(cvParam),
    doc: "Folds whose held-out predictions later members learn from, or how to make them; null: they learn from the targets themselves.",
  },
  randomState: randomState(),
};

/**
 * Several targets, each predicted from X and the targets before it:
 *
 *   ŷ_c(1) = f₁(x),     ŷ_c(2) = f₂(x, ŷ_c(1)),     ŷ_c(3) = f₃(x, ŷ_c(1), ŷ_c(2)),  …      c = the order
 *
 * Members learn from the true values of the targets before them or, with `cv`, from out-of-fold predictions, which is what they will get.
 *
 * Parity: scikit-learn's RegressorChain (base_estimator is `estimator` here). A random order is drawn by another generator; a list y is a
 * model of one target.
 */
export class RegressorChain<E extends AnyRegressor = Ridge> extends RegressorPerTarget<
  typeof regressorChainParams,
  E
> {
  static readonly id = "RegressorChain";
  static readonly table = regressorChainParams;

  constructor(params: Params<typeof regressorChainParams, { estimator: E }> = {}) {
    super(params);
  }

  protected chain(targets: number): Chain {
    const { order, cv, randomState } = this.params;
    if (order === null) return { order: Array.from({ length: targets }, (_, t) => t), cv };
    if (order === "random") return { order: [...new Random(randomState).permutation(targets)], cv };
    if (isOrderOf(targets)(order)) return { order, cv };
    const expected = `each of the ${targets} targets once, from 0`;
    throw new ParameterError(this.where("fit"), "order", expected, show(order));
  }

  static restore(state: ModelState, restorePart: RestorePart): FittedRegressorOutput {
    return readRegressorOutput(state, restorePart);
  }
}
