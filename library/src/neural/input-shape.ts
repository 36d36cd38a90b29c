import type { MatrixLike } from "../core/contract.js";
import { ShapeError } from "../core/errors.js";
import { invalid, type ParamSpec } from "../core/params/params.js";
import { type Shape, showShape, sizeOf } from "./autodiff/shape.js";
import { imageShape } from "./image-shape.js";

export const inputShape: ParamSpec<readonly number[] | null> = {
  kind: "numbers",
  default: null,
  doc: "Shape of one row of X as the network sees it, e.g. [28, 28, 1]; null: as X gives it, or one axis.",
  expected: "an array of sizes ≥ 1, or null",
  read: (value) => {
    if (value === null) return null;
    if (!Array.isArray(value) || value.length === 0) return invalid;
    return value.every((size) => Number.isSafeInteger(size) && size >= 1)
      ? Object.freeze([...value])
      : invalid;
  },
};

/** The shape of one row: the parameter, the size of images, or one axis. */
export function shapeOfRows(where: string, given: Shape | null, x: MatrixLike, cols: number): Shape {
  const shape = given ?? imageShape(x) ?? [cols];
  if (sizeOf(shape) === cols) return shape;
  throw new ShapeError(where, "inputShape", `a shape of ${cols} numbers, as X is wide`, showShape(shape));
}
