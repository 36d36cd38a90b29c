/** Copies an image into an area with a border of zeros, which stays as it is; what no window covers is left out. */
// @inline
export function padImage(
  image: usize,
  height: i32,
  width: i32,
  pixel: usize,
  padTop: i32,
  padLeft: i32,
  area: usize,
  paddedHeight: i32,
  paddedWidth: i32,
): void {
  const rows = min(height, paddedHeight - padTop);
  const bytes = <usize>max(0, min(width, paddedWidth - padLeft)) * pixel;
  for (let y = 0; y < rows; y++) {
    const target = area + (<usize>(y + padTop) * <usize>paddedWidth + <usize>padLeft) * pixel;
    memory.copy(target, image + <usize>y * <usize>width * pixel, bytes);
  }
}
