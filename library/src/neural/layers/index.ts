export type { Layer } from "../network/layer.js";
export { activation } from "./activation.js";
export type { Activation, ActivationName, ActivationPart } from "./activations.js";
export { type AttentionOptions, multiHeadAttention } from "./attention.js";
export { residual, sequential } from "./composition.js";
export { type Conv2dOptions, conv2d } from "./convolution.js";
export { type DenseOptions, dense } from "./dense.js";
export { apply, graph, input, type LayerNode, type MergeName, merge } from "./functional.js";
export type { BatchNormOptions, LayerNormOptions } from "./normalization.js";
export { batchNorm, dropout, layerNorm } from "./normalization.js";
export { averagePool2d, globalAveragePool, globalMaxPool, maxPool2d, type PoolOptions } from "./pooling.js";
export { type RbfOptions, rbf } from "./rbf.js";
export { rescale } from "./rescale.js";
export { flatten, reshapeTo } from "./reshaping.js";
export {
  classToken,
  type EmbeddingOptions,
  embedding,
  patchEmbedding,
  positionalEmbedding,
  positionalEncoding,
  takeToken,
} from "./tokens.js";
export type { FeedForwardOptions, TransformerBlockOptions } from "./transformer.js";
export { feedForward, transformerBlock } from "./transformer.js";
