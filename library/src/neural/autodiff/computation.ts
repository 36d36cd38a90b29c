import { DataError } from "../../core/errors.js";
import { type Dtype, TensorSpace } from "../../numeric/tensors/space.js";
import { readTensor, type TensorLike } from "./arrays.js";
import { Tape } from "./tape.js";
import { Tensor } from "./tensor.js";

/** What an operation takes: a tensor of the running computation, or a constant. */
export type Operand = Tensor | TensorLike;

/** The running computation, innermost last: computations are synchronous, so that there is one at a time. */
const running: Tape[] = [];

/** Runs `work` as a computation: its tensors live until it ends. */
export function compute<R>(
  where: string,
  dtype: Dtype,
  differentiates: boolean,
  work: (tape: Tape) => R,
  keepsGradients = false,
): R {
  const space = new TensorSpace(where, dtype);
  try {
    return computeIn(new Tape(space, differentiates, keepsGradients), work);
  } finally {
    space.close();
  }
}

/** The same in memory that the caller holds. */
export function computeIn<R>(tape: Tape, work: (tape: Tape) => R): R {
  running.push(tape);
  try {
    return work(tape);
  } finally {
    running.pop();
    tape.close();
  }
}

/** A constant of the running computation. */
export function tensor(values: TensorLike): Tensor {
  return operandOf("tensor", "values", values);
}

/**
 * A tensor that belongs to the running computation. One of an outer computation is refused: the inner computation ends first and would
 * leave it a gradient in memory that is freed.
 */
export function requireRunning(where: string, x: Tensor): Tensor {
  x.tape.requireOpen(where);
  if (x.tape === running.at(-1)) return x;
  const expected = "part of the running computation";
  const received = "one of the computation around it";
  const advice = "Computations do not nest: pass plain numbers in, as an argument of the inner function.";
  throw new DataError(where, "the tensor", expected, received, advice);
}

/** The operand as a tensor of the running computation. */
export function operandOf(where: string, subject: string, x: Operand): Tensor {
  const tape = running.at(-1);
  if (x instanceof Tensor) return requireRunning(where, x);
  if (tape === undefined) {
    const expected = "inside a computation";
    const advice = "Wrap it: evaluate(() => …)(), or grad((x) => …)(x).";
    throw new DataError(where, "the call", expected, "no running computation", advice);
  }
  const { data, shape } = readTensor(where, subject, x, tape.space.dtype);
  return tape.constant(shape, data);
}
