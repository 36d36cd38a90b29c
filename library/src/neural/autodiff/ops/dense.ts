import type { Unary } from "../../../numeric/tensors/activations.js";
import { anyFunction } from "../../../numeric/tensors/any-function.js";
import type { Operand } from "../computation.js";
import type { Tensor } from "../tensor.js";
import { denseProduct } from "./products.js";

/** f(x·W + b), the layer of a network in one operation: x is … × d, W is d × m, b has m entries; f is linear unless given. */
export const dense = (
  x: Operand,
  w: Operand,
  b: Operand | undefined,
  f: Unary = { name: "linear" },
): Tensor => denseProduct(x, w, b, anyFunction(f));
