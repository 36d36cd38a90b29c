import type { DefaultCandidate, MatrixLike } from "../core/contract.js";
import { runSteps } from "../core/estimator.js";
import type { Label, Labels } from "../core/labels.js";
import { classWeight, type Params, type ParamValues } from "../core/params/params.js";
import type { ModelState } from "../core/state/state.js";
import { type PartialFitOptions, partialClassificationSet } from "../data/training-set.js";
import type { NdArray } from "./autodiff/arrays.js";
import type { NetworkState } from "./fitted-network.js";
import { FittedNetworkClassifier } from "./fitted-network-classifier.js";
import { type ClassifierRecipe, oneEpoch, restoredClassifier, trainClassifier } from "./learn-network.js";
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
import { NetworkClassifier, networkClassifier } from "./network-estimators.js";
import type { NetworkSteps } from "./network-steps.js";
import { networkSpace } from "./search-space.js";

export const mlpClassifierParams = { ...mlpParams, classWeight: classWeight() };
type MlpClassifierParams = typeof mlpClassifierParams;
type Options<L extends Label> = MlpFitOptions<FittedMLPClassifier<L>>;

/**
 * A feed-forward network for classification (multi-layer perceptron).
 *
 *   minimise over W, b:   (1/n) Σᵢ sᵢ ℓ(network(xᵢ), yᵢ) + (α/2n) Σ‖W‖²
 *
 * ℓ is the cross-entropy of a softmax over the classes, or of the sigmoid of one output for two classes; hidden layers are
 * f(x·W + b). Parity: objective, parameters, defaults and training of scikit-learn's MLPClassifier; weights are 32 bits wide unless dtype is
 * "float64", and the random numbers are drawn by another generator. The reported loss is exact where scikit-learn's is at most 36 per
 * row (it clips probabilities at 2⁻⁵²), so that a rate that is too large is visible.
 */
export class MLPClassifier extends NetworkClassifier<MlpClassifierParams> {
  static readonly id = "MLPClassifier";
  static readonly table = mlpClassifierParams;
  static readonly title = "Neural network";
  static readonly capabilities = networkClassifier({ partialFit: true, scale: "standard" });
  static readonly starter = { place: 6, params: { hiddenLayerSizes: [16], maxIter: 120 } } as const;
  static readonly candidate: DefaultCandidate = { cost: 12 };
  static readonly searchSpace = networkSpace;
  static readonly fitOptions = mlpFitOptions;

  constructor(params: Params<MlpClassifierParams> = {}) {
    super(params);
    requireMlpParams(this.id, this.params);
  }

  fit<L extends Label>(x: MatrixLike, y: Labels<L>, options: Options<L> = {}): FittedMLPClassifier<L> {
    return this.fitNetwork(FittedMLPClassifier<L>, x, y, options);
  }

  /** The fit, epoch by epoch. */
  steps<L extends Label>(
    x: MatrixLike,
    y: Labels<L>,
    options: Options<L> = {},
  ): NetworkSteps<FittedMLPClassifier<L>> {
    return this.networkSteps(FittedMLPClassifier<L>, x, y, options);
  }

  /**
   * One epoch over new rows, starting from `model` (null begins a new one). The first call must know all classes: from y, or from
   * `classes` if y lacks some. Returns a new model; the old one is untouched.
   */
  partialFit<L extends Label>(
    model: FittedMLPClassifier<L> | null,
    x: MatrixLike,
    y: Labels<L>,
    options: PartialFitOptions<L> = {},
  ): FittedMLPClassifier<L> {
    const where = this.where("partialFit");
    const begun = readContinued(where, this.params, model, FittedMLPClassifier);
    const { classWeight } = this.params;
    const partial = { sparse: true, keepSingles: true, deferFiniteCheck: true };
    const set = partialClassificationSet(where, model, x, y, options, partial, classWeight);
    const own = recipeOf(this.params);
    const network = own.network(where, [set.x.cols], set.classes.length);
    const { recipe, learning } = oneEpoch(where, own, network, model, begun);
    const steps = trainClassifier(recipe, set, learning, fitted<L>);
    return runSteps(where, steps, options);
  }

  protected recipe(options?: object): ClassifierRecipe {
    return recipeOf(this.params, (options as MlpFitOptions<never> | undefined)?.start);
  }

  static restore(state: ModelState): FittedMLPClassifier {
    return restoredClassifier(state, mlpClassifierParams, recipeOf, FittedMLPClassifier);
  }
}

const recipeOf = (params: ParamValues<MlpClassifierParams>, start?: MlpStart): ClassifierRecipe => ({
  ...mlpRecipe(MLPClassifier.id, params, start),
  classWeight: params.classWeight,
});

const fitted = <L extends Label>(state: NetworkState, classes: readonly L[]) =>
  new FittedMLPClassifier<L>(state, classes);

export class FittedMLPClassifier<L extends Label = Label> extends FittedNetworkClassifier<L> {
  declare readonly params: ParamValues<MlpClassifierParams>;

  /** Weights of every layer: inputs × neurons. */
  get coefs(): readonly NdArray[] {
    return coefsOf(this);
  }

  /** Biases of every layer. */
  get intercepts(): readonly Float64Array[] {
    return interceptsOf(this);
  }
}
