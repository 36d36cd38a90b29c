import { hasDerivative, type Unary } from "../../../numeric/tensors/activations.js";
import { anyFunction } from "../../../numeric/tensors/any-function.js";
import { unaryGradientInto, unaryInto } from "../../../numeric/tensors/elementwise.js";
import { type Operand, operandOf } from "../computation.js";
import type { Tensor } from "../tensor.js";

/** f(x), entry by entry, for any function that the kernels have. */
export function mapEntries(f: Unary, x: Operand): Tensor {
  const input = operandOf(f.name, "x", x);
  const { tape, values } = input;
  const { space } = tape;
  let y = values;
  return tape.record(
    f.name,
    [input],
    input.shape,
    (out) => {
      y = out;
      unaryInto(space, f, values, out);
    },
    hasDerivative(f.name)
      ? [(g, into) => unaryGradientInto(space, f, values, y, g, into.values, into.accumulate)]
      : [undefined],
  );
}

/** The same for functions outside the kernels of every network. */
const mapAny = (f: Unary, x: Operand): Tensor => mapEntries(anyFunction(f), x);

export const negative = (x: Operand): Tensor => mapAny({ name: "negative" }, x);
export const exp = (x: Operand): Tensor => mapAny({ name: "exp" }, x);
export const log = (x: Operand): Tensor => mapAny({ name: "log" }, x);
export const sqrt = (x: Operand): Tensor => mapAny({ name: "sqrt" }, x);
export const square = (x: Operand): Tensor => mapAny({ name: "square" }, x);
export const reciprocal = (x: Operand): Tensor => mapAny({ name: "reciprocal" }, x);
export const abs = (x: Operand): Tensor => mapAny({ name: "abs" }, x);
export const sin = (x: Operand): Tensor => mapAny({ name: "sin" }, x);
export const cos = (x: Operand): Tensor => mapAny({ name: "cos" }, x);
/** 1/(1 + e^(−a(x − c))). */
export const sigmoid = (x: Operand, a = 1, c = 0): Tensor => mapEntries({ name: "sigmoid", a, c }, x);
export const tanh = (x: Operand): Tensor => mapEntries({ name: "tanh" }, x);
/** max(x, 0). */
export const relu = (x: Operand): Tensor => mapEntries({ name: "relu" }, x);
/** x above 0, a·x below. */
export const leakyRelu = (x: Operand, a = 0.01): Tensor => mapAny({ name: "leakyRelu", a }, x);
/** x·Φ(x), Φ the standard normal distribution function. */
export const gelu = (x: Operand): Tensor => mapAny({ name: "gelu" }, x);
/** log(1 + eˣ). */
export const softplus = (x: Operand): Tensor => mapAny({ name: "softplus" }, x);
/** exp(−(x − c)²/2a²). */
export const gaussian = (x: Operand, a = 1, c = 0): Tensor => mapAny({ name: "gaussian", a, c }, x);
/** 1/√((x − c)² + a²). */
export const inverseMultiquadric = (x: Operand, a = 1, c = 0): Tensor =>
  mapAny({ name: "inverseMultiquadric", a, c }, x);
/** −1, 0 or +1. Gradients do not pass. */
export const sign = (x: Operand): Tensor => mapAny({ name: "sign" }, x);
/** 1 above 0, else 0. Gradients do not pass. */
export const heaviside = (x: Operand): Tensor => mapAny({ name: "heaviside" }, x);
/** 1 between a and c, else 0. Gradients do not pass. */
export const twoStep = (x: Operand, a = 0.25, c = 0.75): Tensor => mapAny({ name: "twoStep", a, c }, x);
/** a·x + c. */
export const scale = (x: Operand, a: number, c = 0): Tensor => mapEntries({ name: "scale", a, c }, x);
/** xᵃ, for x ≥ 0 or a whole number a. */
export const power = (x: Operand, a: number): Tensor => mapAny({ name: "power", a }, x);
