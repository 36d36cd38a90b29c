import { Bytes } from "../shared/bytes";

/** Broadcasting, gathering and sums over axes; a generic kernel is compiled for f32 and f64. */
export { binaryRows } from "./tensor-shapes/broadcast";
export { gatherRows } from "./tensor-shapes/copy";
export { addPartials, spreadRows, sumMiddle, sumOuter } from "./tensor-shapes/reduce";

/** Sets `bytes` bytes to 0. */
export function clear(x: usize, bytes: Bytes): void {
  memory.fill(x, 0, bytes);
}
