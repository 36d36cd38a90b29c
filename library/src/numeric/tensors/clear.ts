import { tensorShapesKernels } from "../runtime/wasm-modules.js";
import type { Reals, TensorSpace } from "./space.js";

/** Sets all numbers to 0: faster than `fill` of an array on shared memory. */
export function clear(space: TensorSpace, values: Reals): void {
  space.heap.exports(tensorShapesKernels)["clear"]!(values.ptr, values.length * space.width);
}
