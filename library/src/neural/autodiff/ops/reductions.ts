import { ShapeError, show } from "../../../core/errors.js";
import {
  argmaxInto,
  maxGradientInto,
  maxInto,
  spreadInto,
  sumInto,
} from "../../../numeric/tensors/reductions.js";
import type { Integers } from "../../../numeric/tensors/space.js";
import { type Operand, operandOf } from "../computation.js";
import { axisOf, type Shape, showShape, sizeOf } from "../shape.js";
import type { Tensor } from "../tensor.js";
import { reshape } from "./shapes.js";

/** Axes of a reduction: one, several, or all if absent. Negative axes count from the end. */
export interface ReductionOptions {
  readonly axis?: number | readonly number[] | undefined;
  /** Keeps the axes with size 1. */
  readonly keepDims?: boolean | undefined;
}

/** Σ x over the axes. */
export const sum = (x: Operand, options: ReductionOptions = {}): Tensor => reduce("sum", x, options, sumAxis);

/** The mean over the axes. */
export const mean = (x: Operand, options: ReductionOptions = {}): Tensor =>
  reduce("mean", x, options, meanAxis);

/** The largest entry over the axes; the gradient goes to the first of equal ones. */
export const max = (x: Operand, options: ReductionOptions = {}): Tensor => reduce("max", x, options, maxAxis);

/** Entries before, along and after an axis: a reduction adds up over `middle`. */
interface Parts {
  readonly outer: number;
  readonly middle: number;
  readonly inner: number;
  readonly shape: Shape;
}

const SCALAR: Shape = [];

/** Adjacent axes are reduced together, others one after the other, the last first. */
function reduce(
  op: string,
  x: Operand,
  { axis, keepDims = false }: ReductionOptions,
  along: (input: Tensor, parts: Parts) => Tensor,
): Tensor {
  const input = operandOf(op, "x", x);
  const { shape } = input;
  // Of a loss, in every step of a training: everything at once.
  if (axis === undefined && !keepDims)
    return along(input, { outer: 1, middle: input.size, inner: 1, shape: SCALAR });
  const axes = axesOf(op, shape, axis);
  let out = input;
  for (const [from, to] of runsOf(axes).reverse()) {
    const before = out.shape;
    const parts = {
      outer: sizeOf(before.slice(0, from)),
      middle: sizeOf(before.slice(from, to)),
      inner: sizeOf(before.slice(to)),
      shape: [...before.slice(0, from), ...before.slice(to)],
    };
    out = along(out, parts);
  }
  return keepDims
    ? reshape(
        out,
        shape.map((size, a) => (axes.includes(a) ? 1 : size)),
      )
    : out;
}

function axesOf(where: string, shape: Shape, axis: ReductionOptions["axis"]): readonly number[] {
  if (axis === undefined) return shape.map((_, a) => a);
  const given = typeof axis === "number" ? [axis] : axis;
  const axes = given.map((a) => axisOf(shape, a) ?? refuse(where, shape, a));
  return [...new Set(axes)].sort((a, b) => a - b);
}

/** Runs of adjacent axes, as [from, to). */
function runsOf(axes: readonly number[]): [number, number][] {
  const runs: [number, number][] = [];
  for (const a of axes) {
    const last = runs.at(-1);
    if (last?.[1] === a) last[1]++;
    else runs.push([a, a + 1]);
  }
  return runs;
}

function refuse(where: string, shape: Shape, axis: unknown): never {
  const expected = `an axis of ${showShape(shape)}, from ${-shape.length} to ${shape.length - 1}`;
  throw new ShapeError(where, "axis", expected, show(axis));
}

function sumAxis(input: Tensor, { outer, middle, inner, shape }: Parts): Tensor {
  const { tape, values } = input;
  return tape.record("sum", [input], shape, (out) => sumInto(tape.space, values, outer, middle, inner, out), [
    (g, into) => spreadInto(tape.space, g, outer, middle, inner, into.values, into),
  ]);
}

function meanAxis(input: Tensor, { outer, middle, inner, shape }: Parts): Tensor {
  const { tape, values } = input;
  const scale = 1 / middle;
  return tape.record(
    "mean",
    [input],
    shape,
    (out) => sumInto(tape.space, values, outer, middle, inner, out, { scale }),
    [
      (g, { values: to, accumulate }) =>
        spreadInto(tape.space, g, outer, middle, inner, to, { scale, accumulate }),
    ],
  );
}

function maxAxis(input: Tensor, { outer, middle, inner, shape }: Parts): Tensor {
  const { tape, values } = input;
  const { space } = tape;
  let positions: Integers | undefined;
  return tape.record("max", [input], shape, (out) => maxInto(space, values, outer, middle, inner, out), [
    (g, into) => {
      positions ??= space.indices(outer * inner);
      argmaxInto(space, values, outer, middle, inner, positions);
      maxGradientInto(space, g, positions, outer, middle, inner, into.values, into.accumulate);
    },
  ]);
}
