import type { MatrixLike } from "../core/contract.js";
import { ParameterError } from "../core/errors.js";
import { Random } from "../core/numbers/random.js";
import { readOptions } from "../core/params/options.js";
import { type ParamSpec, randomState } from "../core/params/params.js";
import { type Design, readMatrix } from "../data/input.js";
import { Matrix } from "../data/matrix.js";
import { ResidentSlot } from "../numeric/runtime/resident-slot.js";
import type { NdArray } from "./autodiff/arrays.js";
import { dtype } from "./autodiff/differentiate.js";
import { sizeOf } from "./autodiff/shape.js";
import { inputShape, shapeOfRows } from "./input-shape.js";
import { readLayers, sequential } from "./layers/composition.js";
import { any } from "./layers/options.js";
import type { Layer } from "./network/layer.js";
import { Network } from "./network/network.js";
import { ResidentNetwork } from "./resident-network.js";

export interface FixedNetworkOptions {
  /** One layer, or several in order. */
  readonly layers: Layer | readonly Layer[];
  /** Shape of one example, as [2] or [28, 28, 1]. */
  readonly inputShape: readonly number[];
  readonly dtype?: "float32" | "float64" | undefined;
  /** Seed of weights that are not given. */
  readonly randomState?: number | undefined;
}

const fixedNetworkOptions = {
  layers: any("One layer, or several in order."),
  inputShape: { ...inputShape, doc: "Shape of one example." },
  dtype,
  randomState: randomState(),
} satisfies Record<keyof FixedNetworkOptions, ParamSpec<unknown>>;

/**
 * A network with its first weights: to look at shapes and counts before training, to compute with given weights, and for layers
 * that have no derivative. Weights are drawn when they are first asked for: shapes and counts of networks of any size take no memory.
 */
export function fixedNetwork(options: FixedNetworkOptions): FixedNetwork {
  const where = "fixedNetwork";
  const given = readOptions(where, fixedNetworkOptions, options);
  const list = readLayers(where, Array.isArray(given.layers) ? given.layers : [given.layers]);
  const shape = given.inputShape ?? refuseShape(where);
  const layer = list.length === 1 && list[0]!.kind === "sequential" ? list[0]! : sequential(...list);
  const network = new Network(where, layer, Object.freeze([...shape]));
  return new FixedNetwork(network, given.dtype, () => network.start(new Random(given.randomState)));
}

function refuseShape(where: string): never {
  throw new ParameterError(where, "inputShape", "the shape of one example, as [2] or [28, 28, 1]", "nothing");
}

export class FixedNetwork {
  readonly #slot = new ResidentSlot<ResidentNetwork>(this);
  readonly #network: Network;
  readonly #dtype: "float32" | "float64";
  readonly #start: () => Float64Array;
  #drawn: Float64Array | undefined;

  constructor(network: Network, dtype: "float32" | "float64", start: () => Float64Array) {
    this.#network = network;
    this.#dtype = dtype;
    this.#start = start;
  }

  /** Layers, output shapes and numbers of parameters, as a table to print. */
  get summary(): string {
    return this.#network.toString();
  }

  get parameterCount(): number {
    return this.#network.parameterCount;
  }

  /** Number of parameters of every layer, by its path; those of a layer include the layers inside it. */
  get parameterCounts(): ReadonlyMap<string, number> {
    return new Map(this.#network.summaries.map(({ path, parameters }) => [path, parameters]));
  }

  /** Weights and biases by name: "0.weights", "0.bias", … */
  get weights(): ReadonlyMap<string, NdArray> {
    return this.#network.named(this.#theta);
  }

  /** Shape of the output for one example. */
  get outputShape(): readonly number[] {
    return this.#network.output;
  }

  /** The outputs, one row per example. */
  outputs(x: MatrixLike): Matrix {
    const where = "FixedNetwork.outputs";
    const rows = this.#read(where, x);
    const data = this.#use((network) => network.outputs(where, rows, false));
    return new Matrix(data, rows.rows, sizeOf(this.#network.output));
  }

  /** What every layer gives for the rows of X, by the layer's path. */
  activations(x: MatrixLike): ReadonlyMap<string, NdArray> {
    const where = "FixedNetwork.activations";
    const rows = this.#read(where, x);
    return this.#use((network) => network.observe(where, rows));
  }

  get #theta(): Float64Array {
    this.#drawn ??= this.#start();
    return this.#drawn;
  }

  #read(where: string, x: MatrixLike): Design {
    const rows = readMatrix(where, x, { sparse: true, keepSingles: true });
    shapeOfRows(where, this.#network.input, x, rows.cols);
    return rows;
  }

  #use<R>(work: (network: ResidentNetwork) => R): R {
    const build = () =>
      new ResidentNetwork(this.#network, this.#dtype, this.#theta, this.#network.startBuffers());
    return this.#slot.use(build, work);
  }
}
