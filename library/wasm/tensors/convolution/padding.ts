import { Windows } from "../convolution.layout";

/** Copies an image into an area with a border of zeros, which stays as it is; what no window covers is left out. */
// @inline
export function padImage(
  image: usize,
  shape: Windows,
  pixel: usize,
  area: usize,
  paddedHeight: i32,
  paddedWidth: i32,
): void {
  const rows = min(shape.height, paddedHeight - shape.padTop);
  const left = <usize>shape.padLeft * pixel;
  const line = <usize>shape.width * pixel;
  const wide = <usize>paddedWidth * pixel;
  const bytes = <usize>max(0, min(shape.width, paddedWidth - shape.padLeft)) * pixel;
  for (let y = 0; y < rows; y++)
    memory.copy(area + <usize>(y + shape.padTop) * wide + left, image + <usize>y * line, bytes);
}
