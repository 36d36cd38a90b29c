import type { FitReport, MatrixLike } from "../core/contract.js";
import { ShapeError } from "../core/errors.js";
import { describeParams } from "../core/estimator.js";
import { Model } from "../core/model.js";
import { reportJson } from "../core/report.js";
import type { Json, ModelState, Tensor as StoredTensor } from "../core/state/state.js";
import type { Scores } from "../core/structure.js";
import { featureNamesJson } from "../data/feature-names-in.js";
import { type Design, readMatrix } from "../data/input.js";
import { ResidentSlot } from "../numeric/runtime/resident-slot.js";
import type { Dtype } from "../numeric/tensors/space.js";
import type { NdArray } from "./autodiff/arrays.js";
import { type Shape, sameShape, showShape, sizeOf } from "./autodiff/shape.js";
import { describedLayers } from "./described-layers.js";
import { imageShape } from "./image-shape.js";
import type { Network, Place } from "./network/network.js";
import { ResidentNetwork } from "./resident-network.js";
import { trainingJson, trainingTensors } from "./training/state.js";
import type { TrainingState } from "./training/task.js";

/** A trained network with what is known about its training. */
export interface NetworkState {
  readonly id: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly network: Network;
  readonly dtype: Dtype;
  readonly training: TrainingState;
  readonly report: FitReport;
  readonly featureNamesIn: readonly string[] | undefined;
}

/** What every fitted network has: its weights by name, its loss curve, and a look inside. */
export class FittedNetwork extends Model {
  readonly params: Readonly<Record<string, unknown>>;
  readonly report: FitReport;
  readonly featureNamesIn: readonly string[] | undefined;
  readonly #state: NetworkState;
  readonly #slot = new ResidentSlot<ResidentNetwork>(this);

  constructor(state: NetworkState) {
    super();
    this.#state = state;
    this.params = state.params;
    this.report = state.report;
    this.featureNamesIn = state.featureNamesIn;
  }

  get nFeatures(): number {
    return sizeOf(this.#state.network.input);
  }

  /** The mean loss of every epoch, penalties included, measured while the weights changed. */
  get lossCurve(): readonly number[] {
    return this.#state.training.lossCurve;
  }

  /** Accuracy or R² of the held-out rows after every epoch; empty without early stopping. */
  get validationScores(): readonly number[] {
    return this.#state.training.validationScores;
  }

  /** Layers, output shapes and numbers of parameters, as a table to print. */
  get summary(): string {
    return this.#state.network.toString();
  }

  /** The number of weights and biases. */
  get parameterCount(): number {
    return this.#state.network.parameterCount;
  }

  /** Weights and biases by name: "0.weights", "0.bias", … */
  get weights(): ReadonlyMap<string, NdArray> {
    return this.#state.network.named(this.#chosen.theta);
  }

  /** What every layer gives for the rows of X, by the layer's path; attention weights under "path/attention". */
  activations(x: MatrixLike): ReadonlyMap<string, NdArray> {
    const where = `${this.#state.id}.activations`;
    const design = this.read(where, x);
    return this.#use((network) => network.observe(where, design));
  }

  /** Attention weights of every attention layer for the rows of X: rows × heads × words × words; empty if there are none. */
  attention(x: MatrixLike): readonly NdArray[] {
    return [...this.activations(x)].filter(([path]) => path.endsWith("/attention")).map(([, map]) => map);
  }

  /** State of the training, from which `fit(X, y, { resume: model })` and `partialFit` go on. */
  get training(): TrainingState {
    return this.#state.training;
  }

  /** The network that was trained. */
  get network(): Network {
    return this.#state.network;
  }

  get dtype(): Dtype {
    return this.#state.dtype;
  }

  protected read(where: string, x: MatrixLike): Design {
    requireSameImages(where, x, this.network.input);
    return readMatrix(where, x, { like: this, sparse: true, keepSingles: true, deferFiniteCheck: true });
  }

  /** Outputs before a last softmax or sigmoid. */
  protected logits(where: string, x: MatrixLike): { data: Float64Array; rows: number; cols: number } {
    const design = this.read(where, x);
    const data = this.#use((network) => network.outputs(where, design, true));
    return { data, rows: design.rows, cols: sizeOf(this.#state.network.output) };
  }

  protected outputs(where: string, x: MatrixLike): Float64Array {
    const design = this.read(where, x);
    return this.#use((network) => network.outputs(where, design, false));
  }

  /** The layers as a structure has them. `logits`: without a last softmax or sigmoid. */
  protected layerScores(logits: boolean): Scores {
    const { network } = this.#state;
    return describedLayers(
      network.layer.toJSON(),
      network.named(this.#chosen.theta),
      logits,
      sizeOf(network.output),
    );
  }

  /** The state of the network, to which classifiers add their classes. */
  protected networkState(values: Readonly<Record<string, Json>>): ModelState {
    const { id, params, network, training, report } = this.#state;
    const { theta, buffers } = this.#chosen;
    return {
      kind: id,
      params: describeParams(params),
      values: {
        ...values,
        inputShape: [...network.input],
        report: reportJson(report),
        training: trainingJson(training),
        ...featureNamesJson(this.featureNamesIn),
      },
      tensors: {
        ...stored(network.parameters, theta, "parameters"),
        ...stored(network.buffers, buffers, "buffers"),
        ...trainingTensors(training),
      },
    };
  }

  /** The weights with the best validation score, or the last ones. */
  get #chosen(): {
    readonly theta: Float32Array | Float64Array;
    readonly buffers: Float32Array | Float64Array;
  } {
    const { training } = this.#state;
    return training.best ?? training;
  }

  #use<R>(work: (network: ResidentNetwork) => R): R {
    const { network, dtype } = this.#state;
    const { theta, buffers } = this.#chosen;
    return this.#slot.use(() => new ResidentNetwork(network, dtype, theta, buffers), work);
  }
}

/** Images of another size may have as many pixels. */
export function requireSameImages(where: string, x: MatrixLike, input: Shape): void {
  const given = imageShape(x);
  if (given === undefined || input.length !== 3 || sameShape(given, input)) return;
  throw new ShapeError(where, "X", `images of ${showShape(input)}, as in fit`, showShape(given));
}

function stored(
  places: readonly Place[],
  values: Float32Array | Float64Array,
  prefix: string,
): Record<string, StoredTensor> {
  return Object.fromEntries(
    places.map(({ name, shape, offset, length }) => [
      `${prefix}.${name}`,
      { shape, data: values.slice(offset, offset + length) },
    ]),
  );
}
