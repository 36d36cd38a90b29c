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
export function compute<R>(where: string, dtype: Dtype, differentiates: boolean, work: (tape: Tape) => R): R {
  const space = new TensorSpace(where, dtype);
  try {
    return computeIn(new Tape(space, differentiates), work);
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

/** The operand as a tensor of the running computation. */
export function operandOf(where: string, subject: string, x: Operand): Tensor {
  if (x instanceof Tensor) {
    x.tape.requireOpen(where);
    return x;
  }
  const tape = running.at(-1);
  if (tape === undefined) {
    throw new DataError({
      where,
      subject: "the call",
      expected: "inside a computation",
      received: "no running computation",
      advice: "Wrap it: evaluate(() => …)(), or grad((x) => …)(x).",
    });
  }
  const { data, shape } = readTensor(where, subject, x);
  return tape.constant(shape, data);
}
