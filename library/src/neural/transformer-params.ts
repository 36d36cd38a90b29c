import { integer, type ParamValues, real } from "../core/params/params.js";
import { layerNorm } from "./layers/normalization.js";
import { transformerBlock } from "./layers/transformer.js";
import type { Layer } from "./network/layer.js";

/** The sizes of a transformer; `word` is what its sequences are made of. */
export const transformerSizes = (word: string, dimensions: number, feedForwardSize: number) => ({
  dimensions: integer({
    atLeast: 1,
    default: dimensions,
    doc: `Numbers per ${word} inside the network.`,
  }),
  depth: integer({ atLeast: 1, atMost: 256, default: 2, doc: "Transformer blocks." }),
  heads: integer({ atLeast: 1, default: 4, doc: "Attention heads; they divide the dimensions among them." }),
  feedForwardSize: integer({
    atLeast: 1,
    default: feedForwardSize,
    doc: "Hidden neurons of each feed-forward part.",
  }),
});

export const blockDropout = (usual: number) =>
  real({
    atLeast: 0,
    below: 1,
    default: usual,
    doc: "Fraction of numbers that each step leaves out in a block.",
  });

type TransformerSizes = ParamValues<ReturnType<typeof transformerSizes>>;

/** The blocks of a transformer, and the normalisation of what they return. */
export const transformerBlocks = (sizes: TransformerSizes, dropout: number): Layer[] => [
  ...Array.from({ length: sizes.depth }, () =>
    transformerBlock(sizes.heads, { hidden: sizes.feedForwardSize, dropout }),
  ),
  layerNorm(),
];
