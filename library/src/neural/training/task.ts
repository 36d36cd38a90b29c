import type { Progress } from "../../core/contract.js";
import type { Design } from "../../data/input.js";
import type { Dtype } from "../../numeric/tensors/space.js";
import type { Network } from "../network/network.js";
import type { NetworkLoss, Targets } from "./losses.js";
import type { Optimizer } from "./optimizers.js";
import type { StoppingState } from "./stopping.js";

/** Rows to learn from, or held out. */
export interface TrainingRows {
  readonly x: Design;
  readonly targets: Targets;
  /** Scaled to a mean of 1 before the first step. */
  readonly weights: Float64Array | undefined;
}

/** How to train, as the parameters of an estimator state it. */
export interface TrainingPlan {
  readonly optimizer: Optimizer;
  readonly dtype: Dtype;
  readonly batchSize: number | "auto";
  readonly maxIter: number;
  /** One epoch was asked for (`partialFit`): that it was the last one is no reason to raise maxIter. */
  readonly onePass?: boolean;
  readonly shuffle: boolean;
  readonly l1: number;
  readonly l2: number;
  /** Gradients longer than this are shortened to it. */
  readonly clipNorm: number | null;
  readonly tol: number;
  readonly nIterNoChange: number;
  /** The learning rate is divided by 5 instead of stopping, until it is below 1e-6 (scikit-learn's "adaptive"). */
  readonly adaptive: boolean;
  readonly earlyStopping: boolean;
  readonly validationFraction: number;
  readonly randomState: number;
}

/** Where a training begins. */
export interface TrainingStart {
  /** The first parameters, instead of drawn ones. */
  readonly start?: Float64Array | undefined;
  /** Where an earlier training stopped. */
  readonly resume?: TrainingState | undefined;
  /** Rows that decide when to stop, and which weights are kept; with early stopping a fraction of `rows` unless given. */
  readonly validation?: TrainingRows | undefined;
  /** Whether steps keep their state; see `train`. */
  readonly snapshots: boolean;
}

/**
 * A training of a network.
 *
 *   minimise over θ:   (1/n) Σᵢ wᵢ ℓ(network(xᵢ; θ), yᵢ) + (α₂/2n)‖W‖² + (α₁/n)‖W‖₁
 *
 * W are the weights without biases; in a batch of b rows, n is b, as in scikit-learn's MLPClassifier.
 */
export interface TrainingTask extends TrainingStart {
  readonly where: string;
  readonly network: Network;
  readonly loss: NetworkLoss;
  readonly plan: TrainingPlan;
  readonly rows: TrainingRows;
  /** Accuracy or R² of outputs for these rows. */
  readonly score: (rows: TrainingRows, outputs: Float64Array) => number;
}

/** Numbers of a network, out of the kernels' memory. */
export interface Weights {
  readonly theta: Float32Array | Float64Array;
  readonly buffers: Float32Array | Float64Array;
}

/** Everything that training needs to go on as if it had never stopped. */
export interface TrainingState extends Weights {
  readonly epoch: number;
  readonly step: number;
  /** Rows seen, those of every epoch counted again; absent: epoch × n. */
  readonly samples?: number | undefined;
  /** The name of the optimiser. */
  readonly optimizer: string;
  /** The optimiser's vectors. */
  readonly vectors: readonly (Float32Array | Float64Array)[];
  readonly random: readonly (number | null)[];
  readonly stopping: StoppingState;
  /** Factor of the learning rate that "adaptive" has reached. */
  readonly slowdown: number;
  readonly lossCurve: readonly number[];
  readonly validationScores: readonly number[];
  /** The weights with the best validation score. */
  readonly best: Weights | undefined;
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
