import type { MatrixLike } from "../core/contract.js";
import type { Label, Labels } from "../core/labels.js";
import { choice, classWeight, optional, type Params, type ParamValues } from "../core/params/params.js";
import type { ModelState } from "../core/state/state.js";
import { anyLayers } from "./any-layers.js";
import { FittedNetworkClassifier } from "./fitted-network-classifier.js";
import { inputShape } from "./input-shape.js";
import { layersParam } from "./layers/registry.js";
import { type ClassifierRecipe, restoredClassifier } from "./learn-network.js";
import { NetworkClassifier, networkClassifier } from "./network-estimators.js";
import type { NetworkFitOptions } from "./network-params.js";
import { networkFitOptions, requireTrainingParams, trainedRecipe, trainingParams } from "./network-params.js";
import type { NetworkSteps } from "./network-steps.js";
import { classificationLosses, classificationLossNames } from "./training/losses.js";

export const neuralClassifierParams = {
  layers: optional(
    layersParam(
      "The layers, input first; the last one has an output per class, or one output for two classes. null: dense(100) with relu, then the outputs.",
    ),
  ),
  loss: choice(classificationLossNames, {
    default: "crossEntropy",
    doc: "crossEntropy: −log of the class's probability; squaredError: squared differences of the probabilities.",
  }),
  inputShape,
  ...trainingParams({ maxIter: 100, batchSize: 32 }),
  classWeight: classWeight(),
};
type NeuralClassifierParams = typeof neuralClassifierParams;
type Options<L extends Label> = NetworkFitOptions<FittedNeuralClassifier<L>>;

/**
 * A network of any layers for classification.
 *
 *   minimise over θ:   (1/n) Σᵢ sᵢ ℓ(network(xᵢ; θ), yᵢ) + (α/2n)‖W‖² + (λ/n)‖W‖₁
 *
 * ℓ is the cross-entropy of the softmax of the outputs (of the sigmoid of one output); a softmax or sigmoid at the end of the network
 * is recognised, not applied twice. In a batch, n is the number of its rows.
 */
export class NeuralClassifier extends NetworkClassifier<NeuralClassifierParams> {
  static readonly id = "NeuralClassifier";
  static readonly table = neuralClassifierParams;
  static readonly capabilities = networkClassifier({ scale: "standard" });
  static readonly fitOptions = networkFitOptions;

  constructor(params: Params<NeuralClassifierParams> = {}) {
    super(params);
    requireTrainingParams(this.id, this.params);
  }

  fit<L extends Label>(x: MatrixLike, y: Labels<L>, options: Options<L> = {}): FittedNeuralClassifier<L> {
    return this.fitNetwork(FittedNeuralClassifier<L>, x, y, options);
  }

  /** The fit, epoch by epoch. */
  steps<L extends Label>(
    x: MatrixLike,
    y: Labels<L>,
    options: Options<L> = {},
  ): NetworkSteps<FittedNeuralClassifier<L>> {
    return this.networkSteps(FittedNeuralClassifier<L>, x, y, options);
  }

  protected recipe(): ClassifierRecipe {
    return recipeOf(this.params);
  }

  static restore(state: ModelState): FittedNeuralClassifier {
    return restoredClassifier(state, neuralClassifierParams, recipeOf, FittedNeuralClassifier);
  }
}

function recipeOf(params: ParamValues<NeuralClassifierParams>): ClassifierRecipe {
  return {
    ...trainedRecipe(NeuralClassifier.id, params),
    classWeight: params.classWeight,
    loss: classificationLosses[params.loss],
    ...anyLayers(params.layers, params.inputShape),
  };
}

export class FittedNeuralClassifier<L extends Label = Label> extends FittedNetworkClassifier<L> {
  declare readonly params: ParamValues<NeuralClassifierParams>;
}
