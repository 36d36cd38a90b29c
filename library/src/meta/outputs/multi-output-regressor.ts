import type { FitOptions, MatrixLike, Regressor, RestorePart, Samples } from "../../core/contract.js";
import type { NumberArray } from "../../core/labels.js";
import type { AnyRegressor, ModelOn, SamplesOf } from "../../core/model-on.js";
import type { Params } from "../../core/params/params.js";
import type { ModelState } from "../../core/state/state.js";
import { isTargetMatrix } from "../../core/target-matrix.js";
import { memberParam } from "../../ensembles/members.js";
import { Ridge } from "../../linear/index.js";
import { AroundEstimator } from "../around-estimator.js";
import { composedRegressor } from "../named-estimators.js";
import type { Chain, FittedRegressorOutput } from "./regressor-outputs.js";
import { FittedRegressorOutputs, fitOutput, fitOutputs, readRegressorOutput } from "./regressor-outputs.js";

export const multiOutputRegressorParams = {
  estimator: memberParam<Regressor>(new Ridge(), "The regressor of one target that is fitted to each."),
};
type OutputsParams = typeof multiOutputRegressorParams;

/** One regressor per target. */
export abstract class RegressorPerTarget<
  T extends OutputsParams,
  E extends AnyRegressor,
> extends AroundEstimator<T, E, Regressor> {
  /** What it can be at most; `capabilities` of the object depend on its estimator. */
  static readonly capabilities = composedRegressor();
  static readonly severalTargets = FittedRegressorOutputs;

  /** How this many targets depend on each other; undefined: not at all. */
  protected abstract chain(targets: number): Chain | undefined;

  /** A matrix Y has several targets, one per column. */
  fit(x: SamplesOf<E>, y: MatrixLike, options?: FitOptions): ModelOn<FittedRegressorOutputs, SamplesOf<E>>;
  fit(x: SamplesOf<E>, y: NumberArray, options?: FitOptions): ModelOn<FittedRegressorOutput, SamplesOf<E>>;
  fit(
    x: Samples,
    y: NumberArray | MatrixLike,
    options: FitOptions = {},
  ): FittedRegressorOutput | FittedRegressorOutputs {
    return isTargetMatrix(y)
      ? fitOutputs(this, this.member, x, y, options, (targets) => this.chain(targets))
      : fitOutput(this, this.member, x, y, options);
  }
}

/**
 * Several targets with any regressor: one model fₜ per column of Y, each fitted to X and its own column, weights included.
 *
 * Parity: scikit-learn's MultiOutputRegressor. A list y is a model of one target (scikit-learn refuses it).
 */
export class MultiOutputRegressor<E extends AnyRegressor = Ridge> extends RegressorPerTarget<
  OutputsParams,
  E
> {
  static readonly id = "MultiOutputRegressor";
  static readonly table = multiOutputRegressorParams;

  constructor(params: Params<typeof multiOutputRegressorParams, { estimator: E }> = {}) {
    super(params);
  }

  protected chain(): undefined {
    return undefined;
  }

  static restore(state: ModelState, restorePart: RestorePart): FittedRegressorOutput {
    return readRegressorOutput(state, restorePart);
  }
}
