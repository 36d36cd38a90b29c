import { Windows } from "../convolution.layout";

/** Rows y and columns x of an image that are inside the windows of row oy and column ox of the outputs: none where the end is not more. */

// @inline
export function firstRow(shape: Windows, oy: i32): i32 {
  return max(0, oy * shape.strideY - shape.padTop);
}

// @inline
export function endRow(shape: Windows, oy: i32): i32 {
  return min(shape.height, oy * shape.strideY - shape.padTop + shape.windowHeight);
}

// @inline
export function firstColumn(shape: Windows, ox: i32): i32 {
  return max(0, ox * shape.strideX - shape.padLeft);
}

// @inline
export function endColumn(shape: Windows, ox: i32): i32 {
  return min(shape.width, ox * shape.strideX - shape.padLeft + shape.windowWidth);
}
