import type { Random } from "../../core/numbers/random.js";
import type { Reals, TensorSpace } from "../../numeric/tensors/space.js";
import type { Tape } from "../autodiff/tape.js";
import type { Tensor } from "../autodiff/tensor.js";
import type { Pass, Slot } from "./layer.js";
import type { Network, Place } from "./network.js";

/** Called with the intermediate values of a pass. */
export type Observer = (path: string, name: string, value: Tensor) => void;

/** A network's numbers in the memory of the kernels: parameters, their gradients if it is trained, and buffers. */
export class NetworkMemory {
  readonly theta: Reals;
  readonly gradient: Reals | undefined;
  readonly buffers: Reals;
  readonly #values: readonly Reals[];
  readonly #gradients: readonly (Reals | undefined)[];
  readonly #buffers: readonly Reals[];

  constructor(
    readonly network: Network,
    readonly space: TensorSpace,
    theta: ArrayLike<number>,
    buffers: ArrayLike<number>,
    trains: boolean,
  ) {
    this.theta = space.copy(theta);
    this.gradient = trains ? space.zeros(network.size) : undefined;
    this.buffers = space.copy(buffers);
    const part = (of: Reals) => (place: Place) => space.part(of, place.offset, place.length);
    this.#values = network.parameters.map(part(this.theta));
    this.#gradients = network.parameters.map((place) =>
      place.trainable && this.gradient ? part(this.gradient)(place) : undefined,
    );
    this.#buffers = network.buffers.map(part(this.buffers));
  }

  /** A pass over a batch. `random` gives the seeds of dropout; absent when predicting. */
  pass(tape: Tape, random: Random | undefined, observe: Observer = ignore): ParameterPass {
    return new ParameterPass(tape, this, random, observe, false);
  }

  /** A pass without dropout whose gradients are added to those of the passes before it. */
  addingPass(tape: Tape): ParameterPass {
    return new ParameterPass(tape, this, undefined, ignore, true);
  }

  parameterValues(index: number): Reals {
    return this.#values[index]!;
  }

  gradientOf(index: number): Reals | undefined {
    return this.#gradients[index];
  }

  bufferValues(index: number): Reals {
    return this.#buffers[index]!;
  }
}

const ignore: Observer = () => {};

/** A pass whose parameters are leaves of the tape. */
export class ParameterPass implements Pass {
  mask: Tensor | undefined;
  readonly #leaves: (Tensor | undefined)[] = [];

  constructor(
    private readonly tape: Tape,
    private readonly memory: NetworkMemory,
    private readonly random: Random | undefined,
    readonly observe: Observer,
    private readonly adds: boolean,
  ) {}

  get training(): boolean {
    return this.random !== undefined;
  }

  parameter({ index }: Slot): Tensor {
    const { memory } = this;
    this.#leaves[index] ??= this.tape.leaf(
      memory.network.parameters[index]!.shape,
      memory.parameterValues(index),
      memory.gradientOf(index),
      this.adds,
    );
    return this.#leaves[index];
  }

  buffer({ index }: Slot): Reals {
    return this.memory.bufferValues(index);
  }

  seed(): number {
    return this.random?.uint32() ?? 0;
  }

  /** Gradients of parameters that the loss does not depend on are 0. */
  clearUnused(): void {
    for (let index = 0; index < this.memory.network.parameters.length; index++) {
      const leaf = this.#leaves[index];
      if (leaf?.sink?.accumulate === true) continue;
      this.memory.gradientOf(index)?.array.fill(0);
    }
  }
}
