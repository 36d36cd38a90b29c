import { choice, optional, type Params, type ParamValues } from "../core/params/params.js";
import type { ModelState } from "../core/state/state.js";
import { anyLayers } from "./any-layers.js";
import type { NetworkState } from "./fitted-network.js";
import { FittedNetworkRegressor } from "./fitted-network-regressor.js";
import { inputShape } from "./input-shape.js";
import { layersParam } from "./layers/registry.js";
import { type RegressorRecipe, restoredRegressor } from "./learn-network.js";
import { NetworkRegressor, networkRegressor } from "./network-estimators.js";
import { networkFitOptions, requireTrainingParams, trainedRecipe, trainingParams } from "./network-params.js";
import { regressionLosses, regressionLossNames } from "./training/losses.js";

export const neuralRegressorParams = {
  layers: optional(
    layersParam(
      "The layers, input first; the last one has one output. null: dense(100) with relu, then the output.",
    ),
  ),
  loss: choice(regressionLossNames, {
    default: "squaredError",
    doc: "squaredError ½r², absoluteError |r|, or huber: ½r² up to |r| = 1, |r| − ½ beyond.",
  }),
  inputShape,
  ...trainingParams({ maxIter: 100, batchSize: 32 }),
};
type NeuralRegressorParams = typeof neuralRegressorParams;

/**
 * A network of any layers for regression.
 *
 *   minimise over θ:   (1/n) Σᵢ sᵢ ℓ(network(xᵢ; θ) − yᵢ) + (α/2n)‖W‖² + (λ/n)‖W‖₁
 *
 * In a batch, n is the number of its rows.
 */
export class NeuralRegressor extends NetworkRegressor<NeuralRegressorParams, FittedNeuralRegressor> {
  static readonly id = "NeuralRegressor";
  static readonly table = neuralRegressorParams;
  static readonly capabilities = networkRegressor();
  static readonly fitOptions = networkFitOptions;

  constructor(params: Params<NeuralRegressorParams> = {}) {
    super(params);
    requireTrainingParams(this.id, this.params);
  }

  protected recipe(): RegressorRecipe {
    return recipeOf(this.params);
  }

  protected fitted(state: NetworkState): FittedNeuralRegressor {
    return new FittedNeuralRegressor(state);
  }

  static restore(state: ModelState): FittedNeuralRegressor {
    return restoredRegressor(state, neuralRegressorParams, recipeOf, FittedNeuralRegressor);
  }
}

function recipeOf(params: ParamValues<NeuralRegressorParams>): RegressorRecipe {
  return {
    ...trainedRecipe(NeuralRegressor.id, params),
    loss: regressionLosses[params.loss],
    ...anyLayers(params.layers, params.inputShape),
  };
}

export class FittedNeuralRegressor extends FittedNetworkRegressor {
  declare readonly params: ParamValues<NeuralRegressorParams>;
}
