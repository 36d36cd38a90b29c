import type { DefaultCandidate, FitOptions, MatrixLike } from "../core/contract.js";
import { runSteps } from "../core/estimator.js";
import type { NumberArray } from "../core/labels.js";
import type { Params, ParamValues } from "../core/params/params.js";
import type { ModelState } from "../core/state/state.js";
import { regressionSet } from "../data/training-set.js";
import type { NdArray } from "./autodiff/arrays.js";
import type { NetworkState } from "./fitted-network.js";
import { FittedNetworkRegressor } from "./fitted-network-regressor.js";
import { oneEpoch, type RegressorRecipe, restoredRegressor, trainRegressor } from "./learn-network.js";
import {
  coefsOf,
  interceptsOf,
  type MlpFitOptions,
  type MlpStart,
  mlpFitOptions,
  mlpParams,
  mlpRecipe,
  readContinued,
  requireMlpParams,
} from "./mlp.js";
import { NetworkRegressor, networkRegressor } from "./network-estimators.js";
import { networkSpace } from "./search-space.js";
import { halfSquaredError } from "./training/losses.js";

/**
 * A feed-forward network for regression (multi-layer perceptron).
 *
 *   minimise over W, b:   (1/2n) Σᵢ sᵢ (network(xᵢ) − yᵢ)² + (α/2n) Σ‖W‖²
 *
 * Parity: objective, parameters, defaults and training of scikit-learn's MLPRegressor; weights are 32 bits wide unless dtype is
 * "float64", and the random numbers are drawn by another generator.
 */
export class MLPRegressor extends NetworkRegressor<
  typeof mlpParams,
  FittedMLPRegressor,
  MlpFitOptions<FittedMLPRegressor>
> {
  static readonly id = "MLPRegressor";
  static readonly table = mlpParams;
  static readonly title = "Neural network";
  static readonly capabilities = networkRegressor({ partialFit: true });
  static readonly candidate: DefaultCandidate = { cost: 12 };
  static readonly searchSpace = networkSpace;
  static readonly fitOptions = mlpFitOptions;

  constructor(params: Params<typeof mlpParams> = {}) {
    super(params);
    requireMlpParams(this.id, this.params);
  }

  /** One epoch over new rows, starting from `model` (null begins a new one). Returns a new model; the old one is untouched. */
  partialFit(
    model: FittedMLPRegressor | null,
    x: MatrixLike,
    y: NumberArray,
    options: FitOptions = {},
  ): FittedMLPRegressor {
    const where = this.where("partialFit");
    const begun = readContinued(where, this.params, model, FittedMLPRegressor);
    const partial = {
      sparse: true,
      keepSingles: true,
      deferFiniteCheck: true,
      ...(model && { like: model }),
    };
    const set = regressionSet(where, x, y, options, partial);
    const own = recipeOf(this.params);
    const { recipe, learning } = oneEpoch(where, own, own.network(where, [set.x.cols]), model, begun);
    return runSteps(where, trainRegressor(recipe, set, learning, fitted), options);
  }

  protected recipe(options?: object): RegressorRecipe {
    return recipeOf(this.params, (options as MlpFitOptions<never> | undefined)?.start);
  }

  protected fitted(state: NetworkState): FittedMLPRegressor {
    return new FittedMLPRegressor(state);
  }

  static restore(state: ModelState): FittedMLPRegressor {
    return restoredRegressor(state, mlpParams, recipeOf, FittedMLPRegressor);
  }
}

const recipeOf = (params: ParamValues<typeof mlpParams>, start?: MlpStart): RegressorRecipe => ({
  ...mlpRecipe(MLPRegressor.id, params, start),
  loss: halfSquaredError,
});

const fitted = (state: NetworkState) => new FittedMLPRegressor(state);

export class FittedMLPRegressor extends FittedNetworkRegressor {
  declare readonly params: ParamValues<typeof mlpParams>;

  /** Weights of every layer: inputs × neurons. */
  get coefs(): readonly NdArray[] {
    return coefsOf(this);
  }

  /** Biases of every layer. */
  get intercepts(): readonly Float64Array[] {
    return interceptsOf(this);
  }
}
