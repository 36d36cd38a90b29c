import { regressorCapabilities } from "../core/capabilities.js";
import type { Capabilities, MatrixLike } from "../core/contract.js";
import { Estimator, restoreParams, runSteps } from "../core/estimator.js";
import type { NumberArray } from "../core/labels.js";
import { choice, optional, type Params, type ParamValues } from "../core/params/params.js";
import type { ModelState } from "../core/state.js";
import type { NetworkState } from "./fitted-network.js";
import { FittedNetworkRegressor } from "./fitted-network-regressor.js";
import { sequential } from "./layers/composition.js";
import { dense } from "./layers/dense.js";
import { layersParam, wholeNetwork } from "./layers/registry.js";
import { learnRegressor, type RegressorRecipe, restoreRegressor } from "./learn-network.js";
import { Network } from "./network/network.js";
import {
  inputShape,
  type NetworkFitOptions,
  networkFitOptions,
  planOf,
  requireTrainingParams,
  shapeOfRows,
  trainingParams,
} from "./network-params.js";
import type { NetworkSteps } from "./network-steps.js";
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
export class NeuralRegressor extends Estimator<NeuralRegressorParams> {
  static readonly id = "NeuralRegressor";
  static readonly table = neuralRegressorParams;
  static readonly capabilities: Capabilities = {
    ...regressorCapabilities,
    sparse: true,
    scale: "standard",
    targetScale: "standard",
    step: "epoch",
    form: "ensemble",
  };
  static readonly fitOptions = networkFitOptions;

  constructor(params: Params<NeuralRegressorParams> = {}) {
    super(params);
    requireTrainingParams(this.id, this.params);
  }

  fit(
    x: MatrixLike,
    y: NumberArray,
    options: NetworkFitOptions<FittedNeuralRegressor> = {},
  ): FittedNeuralRegressor {
    const where = this.where("fit");
    return runSteps(where, this.#learn(where, x, y, options, false), options);
  }

  /** The fit, epoch by epoch. */
  *steps(
    x: MatrixLike,
    y: NumberArray,
    options: NetworkFitOptions<FittedNeuralRegressor> = {},
  ): NetworkSteps<FittedNeuralRegressor> {
    return yield* this.#learn(this.where("steps"), x, y, options, true);
  }

  static restore(state: ModelState): FittedNeuralRegressor {
    return new FittedNeuralRegressor(
      restoreRegressor(state, (reader) => recipeOf(restoreParams(neuralRegressorParams, reader))),
    );
  }

  #learn(
    where: string,
    x: MatrixLike,
    y: NumberArray,
    options: NetworkFitOptions<FittedNeuralRegressor>,
    snapshots: boolean,
  ): NetworkSteps<FittedNeuralRegressor> {
    const make = (state: NetworkState) => new FittedNeuralRegressor(state);
    return learnRegressor(where, recipeOf(this.params), x, y, options, snapshots, make);
  }
}

function recipeOf(params: ParamValues<NeuralRegressorParams>): RegressorRecipe {
  const { layers, loss } = params;
  return {
    id: NeuralRegressor.id,
    params,
    plan: planOf(params),
    fitOptions: networkFitOptions,
    loss: regressionLosses[loss],
    inputShape: (where, x, { cols }) => shapeOfRows(where, params.inputShape, x, cols),
    network: (where, input) =>
      new Network(
        where,
        wholeNetwork(layers) ?? sequential(dense(100, { activation: "relu" }), dense(1)),
        input,
      ),
  };
}

export class FittedNeuralRegressor extends FittedNetworkRegressor {
  declare readonly params: ParamValues<NeuralRegressorParams>;
}
