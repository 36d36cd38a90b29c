import { ShapeError } from "../../core/errors.js";
import { readOptions } from "../../core/params/options.js";
import { choice } from "../../core/params/params.js";
import type { Dtype } from "../../numeric/tensors/space.js";
import { type NdArray, readTensor, type TensorLike } from "./arrays.js";
import { compute, requireRunning } from "./computation.js";
import { showShape } from "./shape.js";
import type { Tape } from "./tape.js";
import { Tensor } from "./tensor.js";

export const dtype = choice(["float32", "float64"], {
  default: "float32",
  doc: "Width of the numbers; float64 for checks of gradients.",
});
export const computationOptions = { dtype };
/** T: the width of the numbers, "float32" unless given. */
export interface ComputationOptions<T extends Dtype = Dtype> {
  readonly dtype?: T | undefined;
}
/** The array that holds numbers of this width. */
export type NumbersOf<T extends Dtype> = T extends "float64" ? Float64Array : Float32Array;

/** A function of tensors, written with the operations of this module. */
export type TensorFunction<A extends readonly Tensor[]> = (...inputs: A) => Tensor;
/** What the derivative of such a function takes: plain numbers for every tensor. */
export type Inputs<A extends readonly Tensor[]> = { [K in keyof A]: TensorLike };
/** One array per argument. */
export type Gradients<A extends readonly Tensor[], T extends Dtype = "float32"> = {
  [K in keyof A]: NdArray<NumbersOf<T>>;
};

/** The value of f. */
export function evaluate<A extends readonly Tensor[], T extends Dtype = "float32">(
  f: TensorFunction<A>,
  options: ComputationOptions<T> = {},
): (...inputs: Inputs<A>) => NdArray<NumbersOf<T>> {
  const own = readOptions("evaluate", computationOptions, options);
  return (...inputs) =>
    compute("evaluate", own.dtype, false, (tape) => {
      const leaves = (inputs as readonly TensorLike[]).map((input, k) => leafOf(tape, "evaluate", k, input));
      return outputOf(result("evaluate", f(...(leaves as readonly Tensor[] as A))));
    });
}

/**
 * The value of f, a single number, and its gradient with respect to every argument, by reverse-mode automatic differentiation. A gradient
 * has the shape of its argument.
 */
export function valueAndGrad<A extends readonly Tensor[], T extends Dtype = "float32">(
  f: TensorFunction<A>,
  options: ComputationOptions<T> = {},
): (...inputs: Inputs<A>) => { readonly value: number; readonly gradients: Gradients<A, T> } {
  const own = readOptions("valueAndGrad", computationOptions, options);
  return (...inputs) => differentiate("valueAndGrad", own.dtype as T, f, inputs);
}

/** The gradient of f, a single number, with respect to every argument. */
export function grad<A extends readonly Tensor[], T extends Dtype = "float32">(
  f: TensorFunction<A>,
  options: ComputationOptions<T> = {},
): (...inputs: Inputs<A>) => Gradients<A, T> {
  const own = readOptions("grad", computationOptions, options);
  return (...inputs) => differentiate("grad", own.dtype as T, f, inputs).gradients;
}

/** Runs f and its backward pass; `inspect` sees the tape before its memory is freed. */
export function differentiate<A extends readonly Tensor[], T extends Dtype>(
  where: string,
  dtype: T,
  f: TensorFunction<A>,
  inputs: Inputs<A>,
  inspect?: (tape: Tape, leaves: readonly Tensor[], result: Tensor) => void,
): { value: number; gradients: Gradients<A, T> } {
  const work = (tape: Tape) => {
    const leaves = (inputs as readonly TensorLike[]).map((input, k) => leafOf(tape, where, k, input));
    const value = requireNumber(where, f(...(leaves as readonly Tensor[] as A)));
    tape.backward(value);
    inspect?.(tape, leaves, value);
    const gradients = leaves.map((leaf) => ({
      data: leaf.sink!.values.array.slice() as NumbersOf<T>,
      shape: leaf.shape,
    }));
    return {
      value: value.values.array[0]!,
      gradients: gradients as readonly NdArray<NumbersOf<T>>[] as Gradients<A, T>,
    };
  };
  return compute(where, dtype, true, work, inspect !== undefined);
}

function leafOf(tape: Tape, where: string, k: number, input: TensorLike): Tensor {
  const { data, shape } = readTensor(where, `argument ${k}`, input, tape.space.dtype);
  const sink = tape.differentiates ? tape.space.zeros(data.length) : undefined;
  return tape.leaf(Object.freeze([...shape]), tape.space.copy(data), sink);
}

/** The numbers of a tensor, to keep after the computation. */
export function outputOf<T extends Dtype>(tensor: Tensor): NdArray<NumbersOf<T>> {
  return { data: tensor.values.array.slice() as NumbersOf<T>, shape: tensor.shape };
}

function result(where: string, value: unknown): Tensor {
  if (value instanceof Tensor) return requireRunning(where, value);
  const expected = "a function that returns a tensor";
  const received = value === undefined ? "nothing" : typeof value;
  throw new ShapeError(where, "the function", expected, received);
}

function requireNumber(where: string, value: unknown): Tensor {
  const tensor = result(where, value);
  if (tensor.size === 1) return tensor;
  const expected = "a single number, since a gradient is that of one number";
  const received = showShape(tensor.shape);
  const advice = "Return sum(…) or mean(…) of it.";
  throw new ShapeError(where, "the value of the function", expected, received, advice);
}
