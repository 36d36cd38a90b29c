import type { MatrixLike } from "../core/contract.js";
import type { Label, Labels } from "../core/labels.js";
import { classWeight, flag, integer, type ParamValues, real } from "../core/params/params.js";
import type { ModelState } from "../core/state/state.js";
import { FittedNetworkClassifier } from "./fitted-network-classifier.js";
import { imageRecipe, imageShapeParam, rescalePixels } from "./image-networks.js";
import { layerSizes } from "./layer-sizes.js";
import { activation } from "./layers/activation.js";
import { conv2d } from "./layers/convolution.js";
import { dense } from "./layers/dense.js";
import { batchNorm, dropout } from "./layers/normalization.js";
import { maxPool2d } from "./layers/pooling.js";
import { flatten } from "./layers/reshaping.js";
import { type ClassifierRecipe, restoredClassifier } from "./learn-network.js";
import type { Layer } from "./network/layer.js";
import { NetworkClassifier, networkClassifier } from "./network-estimators.js";
import { type NetworkFitOptions, networkFitOptions, trainingParams } from "./network-params.js";
import type { NetworkSteps } from "./network-steps.js";
import { adamW } from "./training/optimizers.js";
import { cosine } from "./training/schedules.js";

export const cnnClassifierParams = {
  filters: layerSizes([16, 32], "Filters of every convolution."),
  kernelSize: integer({ atLeast: 1, default: 3, doc: "Height and width of the filters." }),
  poolSize: integer({
    atLeast: 1,
    default: 2,
    doc: "Height and width of the pooling windows; 1: no pooling.",
  }),
  batchNorm: flag({ default: true, doc: "Normalise what each convolution returns by its batch." }),
  hiddenLayerSizes: layerSizes([], "Neurons of the dense layers before the output."),
  dropout: real({
    atLeast: 0,
    below: 1,
    default: 0.3,
    doc: "Fraction of the inputs of each dense layer, the output's too, that a step leaves out.",
  }),
  imageShape: imageShapeParam,
  rescale: rescalePixels,
  ...trainingParams({
    fullBatch: false,
    maxIter: 30,
    batchSize: 16,
    optimizer: adamW({ learningRate: 0.01, schedule: cosine() }),
  }),
  classWeight: classWeight(),
};
type CNNClassifierParams = typeof cnnClassifierParams;
type Options<L extends Label> = NetworkFitOptions<FittedCNNClassifier<L>>;

/**
 * A convolutional network for images: per entry of `filters` a convolution with batch norm, relu and max pooling, then dense layers.
 *
 *   image → [conv(F) → batch norm → relu → max pool]… → flatten → [dropout → dense(relu)]… → dropout → dense(classes)
 *
 * trained as NeuralClassifier. Images are { data, rows, height, width, channels } or rows of pixels with `imageShape`; plain rows are taken for
 * square images of one channel, or of three.
 */
export class CNNClassifier extends NetworkClassifier<CNNClassifierParams> {
  static readonly id = "CNNClassifier";
  static readonly table = cnnClassifierParams;
  static readonly title = "Convolutional network";
  static readonly capabilities = networkClassifier({ input: "images" });
  static readonly fitOptions = networkFitOptions;

  fit<L extends Label>(x: MatrixLike, y: Labels<L>, options: Options<L> = {}): FittedCNNClassifier<L> {
    return this.fitNetwork(FittedCNNClassifier<L>, x, y, options);
  }

  /** The fit, epoch by epoch. */
  steps<L extends Label>(
    x: MatrixLike,
    y: Labels<L>,
    options: Options<L> = {},
  ): NetworkSteps<FittedCNNClassifier<L>> {
    return this.networkSteps(FittedCNNClassifier<L>, x, y, options);
  }

  protected recipe(): ClassifierRecipe {
    return recipeOf(this.params);
  }

  static restore(state: ModelState): FittedCNNClassifier {
    return restoredClassifier(state, cnnClassifierParams, recipeOf, FittedCNNClassifier);
  }
}

function recipeOf(params: ParamValues<CNNClassifierParams>): ClassifierRecipe {
  return imageRecipe(CNNClassifier.id, params, 1, () => layersOf(params));
}

function layersOf(params: ParamValues<CNNClassifierParams>): readonly Layer[] {
  const { kernelSize, poolSize, dropout: rate } = params;
  const filters = params.filters as readonly number[];
  const hiddenLayerSizes = params.hiddenLayerSizes as readonly number[];
  const convolution = params.batchNorm ? normalised : rectified;
  const images = filters.flatMap((count) => [
    ...convolution(count, kernelSize),
    ...(poolSize > 1 ? [maxPool2d(poolSize, { padding: "same" })] : []),
  ]);
  const dropped = rate > 0 ? [dropout(rate)] : [];
  const hidden = hiddenLayerSizes.flatMap((units) => [...dropped, dense(units, { activation: "relu" })]);
  return [...images, flatten(), ...hidden, ...dropped];
}

/** Zeros around the images keep their size, so that only pooling makes them smaller. */
const rectified = (count: number, size: number): Layer[] => [
  conv2d(count, size, { activation: "relu", padding: "same" }),
];

/** The shift of the norm is the bias. */
const normalised = (count: number, size: number): Layer[] => [
  conv2d(count, size, { bias: false, start: "he", padding: "same" }),
  batchNorm(),
  activation("relu"),
];

export class FittedCNNClassifier<L extends Label = Label> extends FittedNetworkClassifier<L> {
  declare readonly params: ParamValues<CNNClassifierParams>;
}
