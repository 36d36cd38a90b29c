import { ParameterError, show } from "../../core/errors.js";
import { refuseOptions } from "../../core/params/options.js";
import { invalid, numbers } from "../../core/params/params.js";
import { reshape } from "../autodiff/ops/shapes.js";
import { type Shape, showShape, sizeOf } from "../autodiff/shape.js";
import { type Layer, layer } from "../network/layer.js";

/** All entries of an example as one row: H × W × C → H·W·C. */
export function flatten(...none: readonly never[]): Layer {
  refuseOptions("flatten", none);
  return layer("flatten", {}, (input) => reshaped([sizeOf(input)]));
}

/**
 * The entries of an example in another shape; one size may be −1 and is found from the others: 64 → 8 × 8 ×
 * 1.
 */
export function reshapeTo(shape: Shape): Layer {
  const own = readShape("reshapeTo", shape);
  return layer("reshapeTo", { shape: [...own] }, (input, builder) => {
    const known = own.reduce((product, size) => (size === -1 ? product : product * size), 1);
    const output = own.map((size) => (size === -1 ? sizeOf(input) / known : size));
    if (!output.every(Number.isInteger) || sizeOf(output) !== sizeOf(input))
      builder.refuse(
        "shape",
        `of ${sizeOf(input)} entries, as the input (${showShape(input)}) has`,
        showShape(own),
      );
    return reshaped(output);
  });
}

const reshaped = (output: Shape): ReturnType<Layer["build"]> => ({
  output,
  forward: (x, pass) => {
    // Tokens are no longer where the mask has them.
    pass.mask = undefined;
    return reshape(x, [x.shape[0]!, ...output]);
  },
});

/** Sizes ≥ 1, at most one of them −1. */
export function readShape(where: string, shape: unknown): Shape {
  const list = numbers({ default: [], doc: "" }).read(shape);
  const fits =
    list !== invalid &&
    list.every((size) => Number.isSafeInteger(size) && (size >= 1 || size === -1)) &&
    list.filter((size) => size === -1).length <= 1;
  if (fits) return list;
  throw new ParameterError(where, "shape", "an array of sizes ≥ 1, as [28, 28, 1]", show(shape));
}
