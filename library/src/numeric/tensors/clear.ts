import { clear as clearKernel } from "../generated/tensor-shapes.js";
import type { Reals, TensorSpace } from "./space.js";

/** Sets all numbers to 0: faster than `fill` of an array on shared memory. */
export function clear(space: TensorSpace, values: Reals): void {
  space.heap.call(clearKernel({ x: values.ptr, bytes: values.length * space.width }));
}
