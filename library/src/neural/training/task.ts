import type { Progress } from "../../core/contract.js";
import type { Design } from "../../data/input.js";
import type { Dtype } from "../../numeric/tensors/space.js";
import type { Network } from "../network/network.js";
import type { NetworkLoss, Targets } from "./losses.js";
import type { Optimizer } from "./optimizers.js";
import type { StoppingRule, StoppingState } from "./stopping.js";

/** Rows to learn from, or held out. */
export interface TrainingRows {
  readonly x: Design;
  readonly targets: Targets;
  /** Scaled to a mean of 1. */
  readonly weights: Float64Array | undefined;
}

/**
 * Training by mini-batches.
 *
 *   minimise over θ:   (1/n) Σᵢ wᵢ ℓ(network(xᵢ; θ), yᵢ) + (α₂/2n)‖W‖² + (α₁/n)‖W‖₁
 *
 * W are the weights without biases; in a batch of b rows, n is b, as in scikit-learn's MLPClassifier.
 */
export interface TrainingTask {
  readonly where: string;
  readonly network: Network;
  readonly loss: NetworkLoss;
  readonly rows: TrainingRows;
  /** Held-out rows: `score` of them decides when to stop, and the best weights are kept. */
  readonly validation: TrainingRows | undefined;
  /** Larger is better; called with the outputs of the held-out rows. */
  readonly score: ((outputs: Float64Array) => number) | undefined;
  readonly optimizer: Optimizer;
  readonly dtype: Dtype;
  readonly batchSize: number;
  readonly maxEpochs: number;
  /** Whether one epoch was asked for, as by `partialFit`. */
  readonly onePass: boolean;
  readonly shuffle: boolean;
  readonly l1: number;
  readonly l2: number;
  /** Gradients longer than this are shortened to it. */
  readonly clipNorm: number | null;
  readonly stopping: StoppingRule;
  /** The learning rate is divided by 5 instead of stopping, until it is below 1e-6 (scikit-learn's "adaptive"). */
  readonly adaptive: boolean;
}

/** Numbers of a network, out of the kernels' memory. */
export interface Weights {
  readonly theta: Float32Array | Float64Array;
  readonly buffers: Float32Array | Float64Array;
}

/** Everything that training needs to go on as if it had never stopped. */
export interface TrainingState {
  readonly epoch: number;
  readonly step: number;
  /** Rows seen, those of every epoch counted again; absent: epoch × n. */
  readonly samples?: number | undefined;
  /** The name of the optimiser. */
  readonly optimizer: string;
  readonly theta: Float32Array | Float64Array;
  readonly buffers: Float32Array | Float64Array;
  /** The optimiser's vectors. */
  readonly vectors: readonly (Float32Array | Float64Array)[];
  readonly random: readonly (number | null)[];
  readonly stopping: StoppingState;
  /** Factor of the learning rate that "adaptive" has reached. */
  readonly slowdown: number;
  readonly lossCurve: readonly number[];
  readonly validationScores: readonly number[];
  /** The weights with the best validation score. */
  readonly best:
    | { readonly theta: Float32Array | Float64Array; readonly buffers: Float32Array | Float64Array }
    | undefined;
}

export interface EpochStep extends Progress {
  readonly loss: number;
  readonly validationScore: number | undefined;
  state(): TrainingState;
}

export interface TrainingResult {
  readonly state: TrainingState;
  readonly converged: boolean;
  readonly warnings: readonly string[];
  /** Largest absolute gradient of the last batch. */
  readonly gradientNorm: number;
  /** The loss of the returned weights, where it was computed; otherwise the last entry of the loss curve is used. */
  readonly objective?: number;
}
