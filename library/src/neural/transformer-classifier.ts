import type { MatrixLike } from "../core/contract.js";
import { DataError, ParameterError, show } from "../core/errors.js";
import type { Label, Labels } from "../core/labels.js";
import { classWeight, integer, optional, type Params, type ParamValues } from "../core/params/params.js";
import type { ModelState } from "../core/state/state.js";
import { CsrMatrix } from "../data/csr-matrix.js";
import { type Design, requireFinite } from "../data/input.js";
import { FittedNetworkClassifier } from "./fitted-network-classifier.js";
import { requireHeads } from "./layers/attention.js";
import { sequential } from "./layers/composition.js";
import { dense } from "./layers/dense.js";
import { globalAveragePool } from "./layers/pooling.js";
import { embedding, LARGEST_VOCABULARY, positionalEmbedding } from "./layers/tokens.js";
import { type ClassifierRecipe, classOutputs, restoredClassifier } from "./learn-network.js";
import { Network } from "./network/network.js";
import { NetworkClassifier, networkClassifier } from "./network-estimators.js";
import type { NetworkFitOptions } from "./network-params.js";
import { networkFitOptions, trainedRecipe, trainingParams } from "./network-params.js";
import type { NetworkSteps } from "./network-steps.js";
import { blockDropout, transformerBlocks, transformerSizes } from "./transformer-params.js";

export const transformerClassifierParams = {
  vocabularySize: optional(
    integer({
      atLeast: 1,
      atMost: LARGEST_VOCABULARY,
      default: 1,
      doc: "Tokens are 0 … vocabularySize − 1; null: up to the largest of fit.",
    }),
  ),
  padding: integer({
    atLeast: 0,
    atMost: LARGEST_VOCABULARY - 1,
    default: 0,
    doc: "The token that fills up short rows.",
  }),
  ...transformerSizes("token", 32, 64),
  dropout: blockDropout(0),
  ...trainingParams({ fullBatch: false, maxIter: 30, batchSize: 32 }),
  classWeight: classWeight(),
};
type TransformerClassifierParams = typeof transformerClassifierParams;
type Options<L extends Label> = NetworkFitOptions<FittedTransformerClassifier<L>>;

/**
 * A transformer for sequences of tokens: a row of X holds the numbers of its words, filled up to the common length with `padding`.
 *
 *   tokens → embedding + positions → [x + attention(norm x), x + feed-forward(norm x)]… → norm → mean over the words → dense(classes)
 *
 * trained as NeuralClassifier. Padding is masked: it changes nothing. `padSequences` makes rows of lists.
 */
export class TransformerClassifier extends NetworkClassifier<TransformerClassifierParams> {
  static readonly id = "TransformerClassifier";
  static readonly table = transformerClassifierParams;
  static readonly capabilities = networkClassifier({ input: "sequences" });
  static readonly fitOptions = networkFitOptions;

  constructor(params: Params<TransformerClassifierParams> = {}) {
    super(params);
    const { heads, dimensions, padding, vocabularySize } = this.params;
    requireHeads(this.id, heads, dimensions);
    if (vocabularySize !== null && padding >= vocabularySize) {
      const expected = `a token of the vocabulary, from 0 to ${vocabularySize - 1}`;
      throw new ParameterError(this.id, "padding", expected, `${padding}`);
    }
  }

  fit<L extends Label>(
    x: MatrixLike,
    y: Labels<L>,
    options: Options<L> = {},
  ): FittedTransformerClassifier<L> {
    return this.fitNetwork(FittedTransformerClassifier<L>, x, y, options);
  }

  /** The fit, epoch by epoch. */
  steps<L extends Label>(
    x: MatrixLike,
    y: Labels<L>,
    options: Options<L> = {},
  ): NetworkSteps<FittedTransformerClassifier<L>> {
    return this.networkSteps(FittedTransformerClassifier<L>, x, y, options);
  }

  protected recipe(): ClassifierRecipe {
    return recipeOf(this.params);
  }

  static restore(state: ModelState): FittedTransformerClassifier {
    return restoredClassifier(
      state,
      transformerClassifierParams,
      (params) => recipeOf(params, wordsOf(state)),
      FittedTransformerClassifier,
    );
  }
}

/** Rows of the saved table of the embedding. */
function wordsOf({ tensors }: ModelState): number {
  const size = tensors["parameters.0.vectors"]?.shape[0] ?? 1;
  return size >= 1 && size <= LARGEST_VOCABULARY ? size : 1;
}

/** `words`: the size of the vocabulary where the parameters leave it open. */
function recipeOf(params: ParamValues<TransformerClassifierParams>, words?: number): ClassifierRecipe {
  const { vocabularySize, padding, dimensions, dropout } = params;
  let vocabulary = vocabularySize ?? words ?? 1;
  return {
    ...trainedRecipe(TransformerClassifier.id, params),
    classWeight: params.classWeight,
    inputShape: (where, _, design) => {
      if (vocabularySize === null) vocabulary = Math.max(padding, largestToken(where, design)) + 1;
      return [design.cols];
    },
    network: (where, input, classes) => {
      const layers = sequential(
        embedding(vocabulary, dimensions, { padding }),
        positionalEmbedding(),
        ...transformerBlocks(params, dropout),
        globalAveragePool(),
        dense(classOutputs(classes)),
      );
      return new Network(where, layers, input);
    },
  };
}

function largestToken(where: string, design: Design): number {
  requireFinite(where, design);
  const values = design instanceof CsrMatrix ? design.values : design.data;
  let largest = 0;
  for (const value of values) {
    if (!(Number.isInteger(value) && value >= 0 && value < LARGEST_VOCABULARY)) refuseToken(where, value);
    largest = Math.max(largest, value);
  }
  return largest;
}

function refuseToken(where: string, value: number): never {
  const expected = `a whole number from 0 to ${LARGEST_VOCABULARY - 1}`;
  const advice = "Number the words first; padSequences makes rows of equal length.";
  throw new DataError(where, "every token in X", expected, show(value), advice);
}

export class FittedTransformerClassifier<L extends Label = Label> extends FittedNetworkClassifier<L> {
  declare readonly params: ParamValues<TransformerClassifierParams>;
}
