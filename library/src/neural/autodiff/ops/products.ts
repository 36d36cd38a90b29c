import { ShapeError } from "../../../core/errors.js";
import { derivativeFromValue, hasDerivative, type Unary } from "../../../numeric/tensors/activations.js";
import { unaryGradientInto, unaryInto } from "../../../numeric/tensors/elementwise.js";
import { batchedGemmInto, gemmInto, type MatrixView } from "../../../numeric/tensors/products.js";
import { sumInto } from "../../../numeric/tensors/reductions.js";
import type { Reals } from "../../../numeric/tensors/space.js";
import { sparseGradientInto, sparseProductInto } from "../../../numeric/tensors/sparse-rows.js";
import { type Operand, operandOf } from "../computation.js";
import { type Shape, sameShape, showShape, sizeOf } from "../shape.js";
import type { Sink, Tensor } from "../tensor.js";

const view = (values: Reals, rows: number, cols: number, transposed = false): MatrixView => ({
  values,
  rows,
  cols,
  transposed,
});

/**
 * The matrix product a·b over the last two axes; axes before them are a batch, which both have alike or only a has. A vector on the
 * right is a column, a vector on the left a row.
 *
 *   ∂/∂a = g·bᵀ,   ∂/∂b = aᵀ·g
 */
export function matmul(a: Operand, b: Operand): Tensor {
  const left = operandOf("matmul", "a", a);
  const right = operandOf("matmul", "b", b);
  const { batch, n, k, m, shape } = sizesOf(left.shape, right.shape);
  const { tape } = left;
  const { space } = tape;
  if (batch === undefined) {
    // Leading axes of a are rows of one tall matrix.
    return tape.record(
      "matmul",
      [left, right],
      shape,
      (out) => gemmInto(space, view(left.values, n, k), view(right.values, k, m), out),
      [
        (g, into) => gemmInto(space, view(g, n, m), view(right.values, k, m, true), into.values, into),
        (g, into) => gemmInto(space, view(left.values, n, k, true), view(g, n, m), into.values, into),
      ],
    );
  }
  return tape.record(
    "matmul",
    [left, right],
    shape,
    (out) => batchedGemmInto(space, batch, view(left.values, n, k), view(right.values, k, m), out),
    [
      (g, into) =>
        batchedGemmInto(space, batch, view(g, n, m), view(right.values, k, m, true), into.values, into),
      (g, into) =>
        batchedGemmInto(space, batch, view(left.values, n, k, true), view(g, n, m), into.values, into),
    ],
  );
}

interface ProductSizes {
  /** Undefined where the product is that of two matrices. */
  readonly batch: number | undefined;
  readonly n: number;
  readonly k: number;
  readonly m: number;
  readonly shape: Shape;
}

function sizesOf(a: Shape, b: Shape): ProductSizes {
  if (a.length === 0 || b.length === 0 || a.at(-1) !== (b.length === 1 ? b[0] : b.at(-2))) refuse(a, b);
  const k = a.at(-1)!;
  const m = b.length === 1 ? 1 : b.at(-1)!;
  const columns = b.length === 1 ? [] : [m];
  if (b.length <= 2)
    return { batch: undefined, n: sizeOf(a) / k, k, m, shape: [...a.slice(0, -1), ...columns] };
  if (!sameShape(a.slice(0, -2), b.slice(0, -2))) refuse(a, b);
  return { batch: sizeOf(b.slice(0, -2)), n: a.at(-2)!, k, m, shape: [...a.slice(0, -1), m] };
}

function refuse(a: Shape, b: Shape): never {
  const expected = `a matrix of ${a.at(-1) ?? 1} rows, as a (${showShape(a)}) has columns, in the same batch`;
  throw new ShapeError("matmul", "b", expected, showShape(b));
}

/**
 * f(x·W + b), the layer of a network in one operation, for a function f with its kernels: x is … × d, W is d × m, b has m entries.
 *
 *   gz = g ⊙ f′(z),   ∂/∂W = xᵀ·gz,   ∂/∂b = Σ rows of gz,   ∂/∂x = gz·Wᵀ
 */
export function denseProduct(
  x: Operand,
  w: Operand,
  b: Operand | undefined,
  f: Unary = { name: "linear" },
): Tensor {
  const input = operandOf("dense", "x", x);
  const weights = operandOf("dense", "W", w);
  const bias = b === undefined ? undefined : operandOf("dense", "b", b);
  const [d, m] = weights.shape as [number, number];
  if (weights.rank !== 2 || input.shape.at(-1) !== d || (bias !== undefined && bias.size !== m)) {
    const expected = `${input.shape.at(-1)} × units, as x is ${showShape(input.shape)}, with a bias per unit`;
    const received = `${showShape(weights.shape)} and ${bias?.size ?? "no"} biases`;
    throw new ShapeError("dense", "W", expected, received);
  }
  const n = input.size / d;
  const { tape } = input;
  const { space } = tape;
  // The derivative of some functions follows from their value; others need what they were applied to.
  // Kernels of products apply the basic functions only.
  const fused = f.kernels === undefined && (derivativeFromValue.has(f.name) || !tape.differentiates);
  let z!: Reals;
  let y!: Reals;
  const value = (out: Reals) => {
    y = out;
    z = fused ? out : space.reals(out.length);
    if (input.sparse) {
      sparseProductInto(space, input.sparse, weights.values, m, bias?.values, z);
      if (f.name !== "linear") unaryInto(space, f, z, out);
      return;
    }
    const options = { bias: bias?.values, activation: fused ? f : undefined };
    const left = { values: input.values, rows: n, cols: d, manyZeros: input.manyZeros };
    gemmInto(space, left, view(weights.values, d, m), z, options);
    if (!fused) unaryInto(space, f, z, out);
  };
  const derivative = (g: Reals, [toInput, toWeights, toBias]: readonly (Sink | undefined)[]) => {
    let gz = g;
    if (f.name !== "linear") {
      // Nothing needs g after this, unless it is shown.
      if (tape.keepsGradients) gz = space.reals(g.length);
      unaryGradientInto(space, f, z, y, g, gz, false);
    }
    if (toWeights && input.sparse)
      sparseGradientInto(space, input.sparse, gz, m, toWeights.values, toWeights.accumulate);
    else if (toWeights) {
      const left = { values: input.values, rows: n, cols: d, transposed: true, manyZeros: input.manyZeros };
      gemmInto(space, left, view(gz, n, m), toWeights.values, toWeights);
    }
    if (toBias) sumInto(space, gz, 1, n, m, toBias.values, toBias);
    if (toInput) gemmInto(space, view(gz, n, m), view(weights.values, d, m, true), toInput.values, toInput);
  };
  const inputs = bias === undefined ? [input, weights] : [input, weights, bias];
  const derivatives = hasDerivative(f.name) ? derivative : inputs.map(() => undefined);
  return tape.record("dense", inputs, [...input.shape.slice(0, -1), m], value, derivatives);
}
