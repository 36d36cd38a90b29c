import type { MatrixLike } from "../core/contract.js";
import { ParameterError } from "../core/errors.js";
import type { Label, Labels } from "../core/labels.js";
import type { Params, ParamValues } from "../core/params/params.js";
import { choice, classWeight, either, integer } from "../core/params/params.js";
import type { ModelState } from "../core/state/state.js";
import type { Shape } from "./autodiff/shape.js";
import { FittedNetworkClassifier } from "./fitted-network-classifier.js";
import { imageRecipe, imageShapeParam, rescalePixels } from "./image-networks.js";
import { requireHeads } from "./layers/attention.js";
import { globalAveragePool } from "./layers/pooling.js";
import { classToken, patchEmbedding, positionalEmbedding, takeToken } from "./layers/tokens.js";
import { type ClassifierRecipe, restoredClassifier } from "./learn-network.js";
import { NetworkClassifier, networkClassifier } from "./network-estimators.js";
import { type NetworkFitOptions, networkFitOptions, trainingParams } from "./network-params.js";
import type { NetworkSteps } from "./network-steps.js";
import { adamW } from "./training/optimizers.js";
import { cosine, warmUp } from "./training/schedules.js";
import { blockDropout, transformerBlocks, transformerSizes } from "./transformer-params.js";

/** The largest pixel: with it patches begin about as small as the positions that are added to them, so that neither hides the other. */
const LARGEST = 0.1;

export const vitClassifierParams = {
  patchSize: either(
    choice(["auto"], {
      default: "auto",
      doc: "Height and width of a patch; auto: the largest of 16, 8, 7, 5, 4, 3, 2, 1 with at least 4 patches per side.",
    }),
    integer({ atLeast: 1, default: 1, doc: "" }),
  ),
  ...transformerSizes("patch", 64, 128),
  pooling: choice(["mean", "classToken"], {
    default: "mean",
    doc: "What the answer is computed from: the mean over the patches, or a learned class token before them, as in the paper.",
  }),
  dropout: blockDropout(0.1),
  imageShape: imageShapeParam,
  rescale: {
    ...rescalePixels,
    doc: "Divide all pixels by ten times the largest of fit, so that they are at most 0.1.",
  },
  ...trainingParams({
    fullBatch: false,
    maxIter: 20,
    batchSize: 16,
    optimizer: adamW({
      learningRate: 0.002,
      weightDecay: 0.1,
      schedule: warmUp({ steps: 100, next: cosine() }),
    }),
  }),
  classWeight: classWeight(),
};
type ViTClassifierParams = typeof vitClassifierParams;
type Options<L extends Label> = NetworkFitOptions<FittedViTClassifier<L>>;

/**
 * A Vision Transformer: an image is cut into patches, which are the words of a sentence [Dosovitskiy et al. 2021].
 *
 *   image → patches × dimensions + positions → [x + attention(norm x), x + feed-forward(norm x)]… → norm → mean over the patches → dense(classes)
 *
 * trained as NeuralClassifier. Images as for CNNClassifier. With pooling "classToken" a learned token stands before the patches, has a
 * position of its own, and its last state alone goes to dense(classes): the network of the paper, whose ViT-B/16 is
 * { patchSize: 16, dimensions: 768, depth: 12, heads: 12, feedForwardSize: 3072 }. The mean is as accurate [appendix D.3 of the paper].
 */
export class ViTClassifier extends NetworkClassifier<ViTClassifierParams> {
  static readonly id = "ViTClassifier";
  static readonly table = vitClassifierParams;
  static readonly title = "Vision transformer";
  static readonly capabilities = networkClassifier({ input: "images" });
  static readonly fitOptions = networkFitOptions;

  constructor(params: Params<ViTClassifierParams> = {}) {
    super(params);
    const { heads, dimensions, patchSize, imageShape } = this.params;
    requireHeads(this.id, heads, dimensions);
    if (patchSize !== "auto" && imageShape !== null) requirePatches(patchSize, imageShape);
  }

  fit<L extends Label>(x: MatrixLike, y: Labels<L>, options: Options<L> = {}): FittedViTClassifier<L> {
    return this.fitNetwork(FittedViTClassifier<L>, x, y, options);
  }

  /** The fit, epoch by epoch. */
  steps<L extends Label>(
    x: MatrixLike,
    y: Labels<L>,
    options: Options<L> = {},
  ): NetworkSteps<FittedViTClassifier<L>> {
    return this.networkSteps(FittedViTClassifier<L>, x, y, options);
  }

  protected recipe(): ClassifierRecipe {
    return recipeOf(this.params);
  }

  static restore(state: ModelState): FittedViTClassifier {
    return restoredClassifier(state, vitClassifierParams, recipeOf, FittedViTClassifier);
  }
}

function recipeOf(params: ParamValues<ViTClassifierParams>): ClassifierRecipe {
  const { patchSize, dimensions, dropout, pooling } = params;
  return imageRecipe(ViTClassifier.id, params, LARGEST, (input) => [
    patchEmbedding(patchSize === "auto" ? autoPatch(input) : patchSize, dimensions),
    ...(pooling === "classToken" ? [classToken()] : []),
    positionalEmbedding(),
    ...transformerBlocks(params, dropout),
    pooling === "classToken" ? takeToken(0) : globalAveragePool(),
  ]);
}

/** Throws unless patches fill images of the stated size. */
function requirePatches(patchSize: number, [height = 1, width = 1]: Shape): void {
  if (height % patchSize === 0 && width % patchSize === 0) return;
  const expected = `a divisor of the images' height, ${height}, and width, ${width}`;
  const received = `${patchSize}`;
  throw new ParameterError(ViTClassifier.id, "patchSize", expected, received);
}

/** 16 on large images, as in the paper; small images need small patches to have some. */
function autoPatch([height = 1, width = 1]: Shape): number {
  const fits = (size: number) => height % size === 0 && width % size === 0;
  const enough = (size: number) => height >= 4 * size && width >= 4 * size;
  return [16, 8, 7, 5, 4, 3, 2].find((size) => fits(size) && enough(size)) ?? 1;
}

export class FittedViTClassifier<L extends Label = Label> extends FittedNetworkClassifier<L> {
  declare readonly params: ParamValues<ViTClassifierParams>;
}
