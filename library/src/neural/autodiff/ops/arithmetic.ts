import { ShapeError } from "../../../core/errors.js";
import { anyFunction } from "../../../numeric/tensors/any-function.js";
import type { BinaryName } from "../../../numeric/tensors/broadcasting.js";
import { binaryInto, broadcastShape, sumToInto } from "../../../numeric/tensors/broadcasting.js";
import { unaryInto } from "../../../numeric/tensors/elementwise.js";
import type { Reals } from "../../../numeric/tensors/space.js";
import { type Operand, operandOf } from "../computation.js";
import { type Shape, sameShape, showShape } from "../shape.js";
import type { Tape } from "../tape.js";
import type { Derivative, Sink, Tensor } from "../tensor.js";

/** Writes the local derivative times g to `out`, which has the shape of the result. */
type Product = (g: Reals, out: Reals) => void;

/**
 * a ∘ b with NumPy's broadcasting: axes are aligned from the last one, and an axis of size 1 is repeated. The gradient of a repeated
 * entry is the sum over its repetitions.
 */
function combine(
  name: BinaryName,
  a: Operand,
  b: Operand,
  derivatives: (parts: Parts) => readonly [Product | undefined, Product | undefined],
): Tensor {
  const left = operandOf(name, "a", a);
  const right = operandOf(name, "b", b);
  const shape = broadcastShape(left.shape, right.shape) ?? refuse(name, left.shape, right.shape);
  const { tape } = left;
  let out!: Reals;
  const value = (values: Reals) => {
    out = values;
    binaryInto(tape.space, name, left.values, left.shape, right.values, right.shape, values);
  };
  const result = tape.record(name, [left, right], shape, value, [
    (g, into) => toInput(tape, shape, left.shape, first, g, into),
    (g, into) => toInput(tape, shape, right.shape, second, g, into),
  ] satisfies Derivative[]);
  const [first, second] = derivatives({ tape, shape, left, right, value: out });
  return result;
}

interface Parts {
  readonly tape: Tape;
  readonly shape: Shape;
  readonly left: Tensor;
  readonly right: Tensor;
  readonly value: Reals;
}

/** g times the local derivative (1 if undefined), summed over the repetitions of the input. */
function toInput(
  tape: Tape,
  shape: Shape,
  target: Shape,
  product: Product | undefined,
  g: Reals,
  into: Sink,
): void {
  const { space } = tape;
  if (product === undefined) {
    sumToInto(space, g, shape, target, into.values, into.accumulate);
  } else if (sameShape(shape, target) && !into.accumulate) {
    product(g, into.values);
  } else {
    space.step(() => {
      const whole = space.reals(g.length);
      product(g, whole);
      sumToInto(space, whole, shape, target, into.values, into.accumulate);
    });
  }
}

function refuse(where: string, a: Shape, b: Shape): never {
  const expected = `broadcastable to a, which is ${showShape(a)}`;
  const advice = "Sizes must agree from the last axis on, or be 1.";
  throw new ShapeError(where, "b", expected, showShape(b), advice);
}

const UNCHANGED = [undefined, undefined] as const;

/** a + b. */
export const add = (a: Operand, b: Operand): Tensor => combine("add", a, b, () => UNCHANGED);

/** a − b. */
export const subtract = (a: Operand, b: Operand): Tensor =>
  combine("subtract", a, b, ({ tape }) => [
    undefined,
    (g, out) => unaryInto(tape.space, { name: "scale", a: -1 }, g, out),
  ]);

/** a·b, entry by entry. */
export const multiply = (a: Operand, b: Operand): Tensor =>
  combine("multiply", a, b, ({ tape, shape, left, right }) => [
    (g, out) => binaryInto(tape.space, "multiply", g, shape, right.values, right.shape, out),
    (g, out) => binaryInto(tape.space, "multiply", g, shape, left.values, left.shape, out),
  ]);

/** a/b, entry by entry. */
export const divide = (a: Operand, b: Operand): Tensor =>
  combine("divide", a, b, ({ tape, shape, right, value }) => [
    (g, out) => binaryInto(tape.space, "divide", g, shape, right.values, right.shape, out),
    (g, out) => {
      // ∂(a/b)/∂b = −(a/b)/b
      binaryInto(tape.space, "multiply", g, shape, value, shape, out);
      binaryInto(tape.space, "divide", out, shape, right.values, right.shape, out);
      unaryInto(tape.space, { name: "scale", a: -1 }, out, out);
    },
  ]);

/** The larger of a and b; the gradient goes to the larger one, to a where they are equal. */
export const maximum = (a: Operand, b: Operand): Tensor => combine("maximum", a, b, selected);

/** The smaller of a and b; the gradient goes to the smaller one, to a where they are equal. */
export const minimum = (a: Operand, b: Operand): Tensor => combine("minimum", a, b, selected);

function selected({ tape, shape, left, value }: Parts): readonly [Product, Product] {
  /** Where the result is a's entry: 1 − |sign(result − a)|. */
  const fromLeft = (out: Reals) => {
    const { space } = tape;
    binaryInto(space, "subtract", value, shape, left.values, left.shape, out);
    unaryInto(space, anyFunction({ name: "sign" }), out, out);
    unaryInto(space, anyFunction({ name: "square" }), out, out);
  };
  return [
    (g, out) => {
      fromLeft(out);
      unaryInto(tape.space, { name: "scale", a: -1, c: 1 }, out, out);
      binaryInto(tape.space, "multiply", out, shape, g, shape, out);
    },
    (g, out) => {
      fromLeft(out);
      binaryInto(tape.space, "multiply", out, shape, g, shape, out);
    },
  ];
}
