import type { Reals } from "../../numeric/tensors/space.js";
import { denseInto, type SparseBatch } from "../../numeric/tensors/sparse-rows.js";
import { type Shape, sizeOf } from "./shape.js";
import type { Tape } from "./tape.js";

/** Where a gradient goes: `values` is overwritten, or added to if something is there already. */
export interface Sink {
  readonly values: Reals;
  readonly accumulate: boolean;
}

/** Adds gᵀ ∂y/∂xᵢ to the gradient of one input, where g is the gradient of the output y. */
export type Derivative = (g: Reals, into: Sink) => void;
/** The same for operations whose inputs share work: a sink per input, undefined where no gradient is needed. */
export type JointDerivative = (g: Reals, into: readonly (Sink | undefined)[]) => void;

/** How a value was computed. */
export interface Source {
  readonly op: string;
  readonly inputs: readonly Tensor[];
  /** Absent where no input needs a gradient. */
  readonly derivatives?: readonly (Derivative | undefined)[] | JointDerivative | undefined;
}

/**
 * A value inside a computation: its shape, and its numbers in the memory of the kernels until the computation ends.
 * Made by `tensor` and by the operations; leaves a computation as an `NdArray`.
 */
export class Tensor {
  /** The gradient, while it is computed. */
  sink: Sink | undefined;
  /** A leaf of whose products enough steps are 0 to skip them. */
  manyZeros = false;

  readonly size: number;
  #values: Reals | undefined;

  constructor(
    readonly tape: Tape,
    readonly shape: Shape,
    values: Reals | undefined,
    readonly needsGradient: boolean,
    readonly source: Source | undefined,
    /** Rows that are given without their zeros. */
    readonly sparse?: SparseBatch,
  ) {
    this.#values = values;
    this.size = values?.length ?? sizeOf(shape);
  }

  /** The numbers; those of sparse rows are written out when an operation first needs them. */
  get values(): Reals {
    this.#values ??= this.#written();
    return this.#values;
  }

  #written(): Reals {
    const out = this.tape.space.reals(this.size);
    denseInto(this.sparse!, out);
    return out;
  }

  /** The number of axes. */
  get rank(): number {
    return this.shape.length;
  }
}
