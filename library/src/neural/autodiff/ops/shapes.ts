import { DataError, ShapeError, show } from "../../../core/errors.js";
import { clear } from "../../../numeric/tensors/clear.js";
import {
  copyStrided,
  gatherRowsInto,
  rowMajorStrides,
  scatterAddRows,
} from "../../../numeric/tensors/copies.js";
import type { Reals, TensorSpace } from "../../../numeric/tensors/space.js";
import { type Operand, operandOf } from "../computation.js";
import { axisOf, isShape, type Shape, sameShape, showShape, sizeOf } from "../shape.js";
import type { Sink, Tensor } from "../tensor.js";

/** The same numbers in another shape; one size may be −1 and is found from the others. */
export function reshape(x: Operand, shape: Shape): Tensor {
  const input = operandOf("reshape", "x", x);
  const known = shape.reduce((product, size) => (size === -1 ? product : product * size), 1);
  const own = Object.freeze(shape.map((size) => (size === -1 ? input.size / known : size)));
  // Networks show the activations of no rows, too.
  const whole = own.every((size) => Number.isSafeInteger(size) && size >= 0);
  if (whole && sizeOf(own) === input.size) return input.tape.view("reshape", input, own);
  const expected = `${input.size} entries, as x (${showShape(input.shape)}) has`;
  throw new ShapeError("reshape", "shape", expected, showShape(shape));
}

/** The axes in another order; reversed if no order is given. */
export function transpose(x: Operand, order?: readonly number[]): Tensor {
  const input = operandOf("transpose", "x", x);
  const axes = order ?? input.shape.map((_, axis) => input.rank - 1 - axis);
  if (axes.length !== input.rank || !input.shape.every((_, axis) => axes.includes(axis))) {
    throw new ShapeError("transpose", "order", `each of the ${input.rank} axes once`, show(order));
  }
  const shape = axes.map((axis) => input.shape[axis]!);
  const strides = rowMajorStrides(input.shape);
  const from = axes.map((axis) => strides[axis]!);
  return window(input, "transpose", shape, 0, from);
}

/** A part of x with its own shape: entries at `offset` and `strides` of x. */
function window(input: Tensor, op: string, shape: Shape, offset: number, strides: readonly number[]): Tensor {
  const { tape, values } = input;
  const own = rowMajorStrides(shape);
  const whole = sizeOf(shape) === input.size;
  return tape.record(
    op,
    [input],
    shape,
    (out) => copyStrided(tape.space, shape, values, offset, strides, out, 0, own),
    [
      (g, into) => {
        if (!whole) clearUnless(tape.space, into);
        copyStrided(tape.space, shape, g, 0, own, into.values, offset, strides, into.accumulate || !whole);
      },
    ],
  );
}

/** A gradient that is written in parts begins with zeros. */
function clearUnless(space: TensorSpace, { values, accumulate }: Sink): void {
  if (!accumulate) clear(space, values);
}

/** The entries from `begin` to before `end` along each axis. */
export function slice(x: Operand, begin: readonly number[], end: readonly number[]): Tensor {
  const input = operandOf("slice", "x", x);
  const { shape } = input;
  const sound =
    begin.length === shape.length &&
    end.length === shape.length &&
    [...begin, ...end].every(Number.isSafeInteger) &&
    shape.every((size, a) => begin[a]! >= 0 && begin[a]! < end[a]! && end[a]! <= size);
  if (!sound) {
    const expected = `whole numbers, 0 ≤ begin < end ≤ size along each axis of ${showShape(shape)}`;
    const received = `${show(begin)} and ${show(end)}`;
    throw new ShapeError("slice", "begin and end", expected, received);
  }
  const strides = rowMajorStrides(shape);
  const offset = begin.reduce((at, from, a) => at + from * strides[a]!, 0);
  return window(
    input,
    "slice",
    shape.map((_, a) => end[a]! - begin[a]!),
    offset,
    strides,
  );
}

/** The tensors one after the other along an axis. */
export function concat(parts: readonly Operand[], axis = 0): Tensor {
  const inputs = parts.map((part, e) => operandOf("concat", `part ${e}`, part));
  const first = inputs[0]?.shape ?? [];
  const own = axisOf(first, axis);
  if (
    own === undefined ||
    !inputs.every(({ shape }) => sameShape(without(shape, own), without(first, own)))
  ) {
    const expected = "one or more tensors that differ in size along the axis only";
    const received = `${inputs.map(({ shape }) => showShape(shape)).join(", ") || "none"} along axis ${axis}`;
    throw new ShapeError("concat", "the parts", expected, received);
  }
  const total = inputs.reduce((sum, { shape }) => sum + shape[own]!, 0);
  const shape = first.map((size, a) => (a === own ? total : size));
  const strides = rowMajorStrides(shape);
  const { tape } = inputs[0]!;
  let at = 0;
  const offsets = inputs.map((input) => {
    const offset = at;
    at += input.shape[own]! * strides[own]!;
    return offset;
  });
  const value = (out: Reals) => {
    for (const [e, input] of inputs.entries()) {
      const within = rowMajorStrides(input.shape);
      copyStrided(tape.space, input.shape, input.values, 0, within, out, offsets[e]!, strides);
    }
  };
  const derivatives = inputs.map((input, e) => (g: Reals, into: Sink) => {
    const within = rowMajorStrides(input.shape);
    copyStrided(tape.space, input.shape, g, offsets[e]!, strides, into.values, 0, within, into.accumulate);
  });
  return tape.record("concat", inputs, shape, value, derivatives);
}

const without = (shape: Shape, axis: number): Shape => shape.filter((_, a) => a !== axis);

/** Zeros around x: [before, after] for each axis. */
export function pad(x: Operand, widths: readonly (readonly [number, number])[]): Tensor {
  const input = operandOf("pad", "x", x);
  const sound = widths.every(
    ([before, after]) =>
      Number.isSafeInteger(before) && Number.isSafeInteger(after) && before >= 0 && after >= 0,
  );
  if (widths.length !== input.rank || !sound) {
    const expected = `[before, after], both whole numbers ≥ 0, for each of the ${input.rank} axes`;
    throw new ShapeError("pad", "widths", expected, show(widths));
  }
  const shape = input.shape.map((size, a) => size + widths[a]![0] + widths[a]![1]);
  const strides = rowMajorStrides(shape);
  const within = rowMajorStrides(input.shape);
  const offset = widths.reduce((at, [before], a) => at + before * strides[a]!, 0);
  const { tape, values } = input;
  return tape.record(
    "pad",
    [input],
    shape,
    (out) => {
      clear(tape.space, out);
      copyStrided(tape.space, input.shape, values, 0, within, out, offset, strides);
    },
    [
      (g, into) =>
        copyStrided(tape.space, input.shape, g, offset, strides, into.values, 0, within, into.accumulate),
    ],
  );
}

/** x repeated along its axes of size 1 and new leading axes, as operations do by themselves. */
export function broadcastTo(x: Operand, shape: Shape): Tensor {
  const input = operandOf("broadcastTo", "x", x);
  const lead = shape.length - input.rank;
  const fits =
    lead >= 0 && isShape(shape) && input.shape.every((size, a) => size === 1 || size === shape[lead + a]);
  if (!fits) {
    const expected = `one that ${showShape(input.shape)} can be repeated to`;
    throw new ShapeError("broadcastTo", "shape", expected, showShape(shape));
  }
  const own = rowMajorStrides(input.shape);
  const from = shape.map((_, a) => (a < lead || input.shape[a - lead] === 1 ? 0 : own[a - lead]!));
  const strides = rowMajorStrides(shape);
  const { tape, values } = input;
  return tape.record(
    "broadcastTo",
    [input],
    shape,
    (out) => copyStrided(tape.space, shape, values, 0, from, out, 0, strides),
    [
      (g, into) => {
        clearUnless(tape.space, into);
        copyStrided(tape.space, shape, g, 0, strides, into.values, 0, from, true);
      },
    ],
  );
}

/** Rows of a table by number: an embedding. The result has the shape of `indices`, then the columns of the table. */
export function gather(table: Operand, indices: ArrayLike<number>, shape: Shape = [indices.length]): Tensor {
  const input = operandOf("gather", "table", table);
  const [rows, cols] = input.shape as [number, number];
  if (input.rank !== 2 || !isShape(shape) || sizeOf(shape) !== indices.length) {
    const expected = `rows × columns, and ${showShape(shape)} indices`;
    const received = `${showShape(input.shape)} and ${indices.length} indices`;
    throw new ShapeError("gather", "table", expected, received);
  }
  for (let e = 0; e < indices.length; e++) {
    if (Number.isSafeInteger(indices[e]) && indices[e]! >= 0 && indices[e]! < rows) continue;
    throw new DataError("gather", `index ${e}`, `an integer from 0 to ${rows - 1}`, show(indices[e]));
  }
  const { tape, values } = input;
  const own = tape.space.integers(indices);
  return tape.record(
    "gather",
    [input],
    [...shape, cols],
    (out) => gatherRowsInto(tape.space, values, cols, own, out),
    [
      (g, into) => {
        clearUnless(tape.space, into);
        scatterAddRows(tape.space, g, cols, own, into.values);
      },
    ],
  );
}
