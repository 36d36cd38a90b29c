import { DataError } from "../../core/errors.js";
import type { Reals, TensorSpace } from "../../numeric/tensors/space.js";
import type { SparseBatch } from "../../numeric/tensors/sparse-rows.js";
import { type Shape, sizeOf } from "./shape.js";
import { type Derivative, type JointDerivative, type Sink, Tensor } from "./tensor.js";

/**
 * Reverse-mode differentiation: operations are recorded in the order in which they are computed, and `backward` visits them in the
 * opposite order. The gradient of a tensor is complete before the operation that made it is visited, since everything that uses
 * it was recorded later.
 */
export class Tape {
  readonly #recorded: Tensor[] = [];
  #open = true;
  #seed: { readonly gradient: Reals; readonly value: number } | undefined;

  constructor(
    readonly space: TensorSpace,
    /** Whether derivatives are recorded. */
    readonly differentiates: boolean,
    /** Whether every value keeps its own gradient after `backward`, to be shown; otherwise a view hands its memory on. */
    readonly keepsGradients = false,
  ) {}

  /** Every value computed so far, in order. */
  get tensors(): readonly Tensor[] {
    return this.#recorded;
  }

  /** A given value; with `sink`, its gradient is wanted and goes there, or is added to what is there. */
  leaf(shape: Shape, values: Reals, sink?: Reals, accumulate = false): Tensor {
    const needed = sink !== undefined && this.differentiates;
    const leaf = new Tensor(this, shape, values, needed, undefined);
    if (needed) leaf.sink = { values: sink, accumulate };
    return leaf;
  }

  /** Sparse rows of the given shape per row. */
  sparseLeaf(shape: Shape, batch: SparseBatch): Tensor {
    return new Tensor(this, shape, undefined, false, undefined, batch);
  }

  constant(shape: Shape, values: ArrayLike<number>): Tensor {
    return this.leaf(shape, this.space.copy(values));
  }

  /**
   * Computes and records an operation: `value` writes the output, `derivatives` has an entry per input (undefined where the output
   * does not depend smoothly on it), or is one function for all.
   */
  record(
    op: string,
    inputs: readonly Tensor[],
    shape: Shape,
    value: (out: Reals) => void,
    derivatives: readonly (Derivative | undefined)[] | JointDerivative,
  ): Tensor {
    const out = this.space.reals(sizeOf(shape));
    value(out);
    return this.#push(op, inputs, shape, out, derivatives);
  }

  /** An operation whose output shares the memory of its input, as a change of shape does. */
  view(op: string, input: Tensor, shape: Shape): Tensor {
    return this.#push(op, [input], shape, input.values, VIEW);
  }

  /**
   * ∂(seed · Σ result)/∂t for every t that `result` depends on; a mean of n entries has the seed 1/n. The gradients of leaves are in their
   * sinks afterwards.
   */
  backward(result: Tensor, seed = 1): void {
    if (!result.needsGradient) return;
    result.sink = this.#sinkOf(result);
    result.sink.values.array.fill(seed);
    this.#seed = { gradient: result.sink.values, value: seed };
    for (let e = this.#recorded.length - 1; e >= 0; e--) {
      const tensor = this.#recorded[e]!;
      if (tensor.needsGradient && tensor.sink !== undefined) this.#visit(tensor);
    }
  }

  /** The common value of all entries of a gradient, where it is that of the result itself. */
  seedOf(g: Reals): number | undefined {
    return this.#seed?.gradient === g ? this.#seed.value : undefined;
  }

  /** Ends the computation: its tensors can no longer be used. */
  close(): void {
    this.#open = false;
  }

  requireOpen(where: string): void {
    if (this.#open) return;
    const expected = "part of the running computation";
    const received = "one of a computation that has ended";
    const advice = "Return what you need from the function: it comes out as a plain array.";
    throw new DataError(where, "the tensor", expected, received, advice);
  }

  #push(
    op: string,
    inputs: readonly Tensor[],
    shape: Shape,
    values: Reals,
    derivatives: readonly (Derivative | undefined)[] | JointDerivative,
  ): Tensor {
    let needed = false;
    for (const input of inputs) needed ||= input.needsGradient;
    const source = { op, inputs, derivatives: needed ? derivatives : undefined };
    const tensor = new Tensor(this, shape, values, needed, source);
    this.#recorded.push(tensor);
    return tensor;
  }

  #visit(tensor: Tensor): void {
    const { inputs, derivatives } = tensor.source!;
    const g = tensor.sink!.values;
    if (derivatives === VIEW) {
      this.#share(inputs[0]!, g);
    } else if (typeof derivatives === "function") {
      const sinks = inputs.map((input) => (input.needsGradient ? this.#sinkOf(input) : undefined));
      derivatives(g, sinks);
      for (const input of inputs) if (input.needsGradient) filled(input);
    } else {
      for (let k = 0; k < inputs.length; k++) {
        const input = inputs[k]!;
        const derivative = derivatives![k];
        if (!input.needsGradient || derivative === undefined) continue;
        derivative(g, this.#sinkOf(input));
        filled(input);
      }
    }
  }

  /** The gradient of a view is that of its input: the same memory, if nothing is there yet. */
  #share(input: Tensor, g: Reals): void {
    if (input.sink === undefined && !this.keepsGradients) {
      input.sink = { values: g, accumulate: true };
      return;
    }
    const { values, accumulate } = this.#sinkOf(input);
    const [from, to] = [g.array, values.array];
    if (accumulate) for (let e = 0; e < to.length; e++) to[e]! += from[e]!;
    else to.set(from);
    filled(input);
  }

  #sinkOf(tensor: Tensor): Sink {
    tensor.sink ??= { values: this.space.reals(tensor.size), accumulate: false };
    return tensor.sink;
  }
}

/** Marks operations whose output is their input in another shape. */
const VIEW: readonly (Derivative | undefined)[] = [];

function filled(tensor: Tensor): void {
  if (!tensor.sink!.accumulate) tensor.sink = { values: tensor.sink!.values, accumulate: true };
}
