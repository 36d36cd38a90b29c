import { Windows } from "../convolution.layout";
import { padImage } from "./padding";
import { transformInput } from "./winograd-transforms";

/** Tiles of 2 × 2 outputs are numbered row by row of an image, image by image of a chunk. */

// @inline
export function tilesAcross(shape: Windows): i32 {
  return (shape.outWidth + 1) >> 1;
}

// @inline
export function tilesPerImage(shape: Windows): i32 {
  return ((shape.outHeight + 1) >> 1) * tilesAcross(shape);
}

/** Bytes from the outputs at the left of a tile to those at its right, and from those above to those below: 0 where there are none. */
// @inline
export function rightOf(shape: Windows, ox: i32, results: usize): usize {
  return ox + 1 < shape.outWidth ? results : 0;
}

// @inline
export function belowOf(shape: Windows, oy: i32, results: usize): usize {
  return oy + 1 < shape.outHeight ? <usize>shape.outWidth * results : 0;
}

/** Bytes of an image with its border of zeros: as many rows and columns as tiles cover. */
// @inline
export function paddedSize(shape: Windows, pixel: usize): usize {
  return <usize>(((shape.outHeight + 1) & ~1) + 2) * <usize>(2 * tilesAcross(shape) + 2) * pixel;
}

/** v = the transformed inputs of `tiles` tiles from number `first` on. An image is copied to `area` where its first tile is read. */
export function readTiles(x: usize, shape: Windows, first: i32, tiles: i32, area: usize, v: usize): void {
  const across = tilesAcross(shape);
  const perImage = tilesPerImage(shape);
  const pixel = (<usize>shape.channels) << 2;
  const size = <usize>(shape.height * shape.width) * pixel;
  const paddedHeight = ((shape.outHeight + 1) & ~1) + 2;
  const paddedWidth = 2 * across + 2;
  const wide = <usize>paddedWidth * pixel;
  for (let t = first; t < first + tiles; t++, v += pixel << 4) {
    const own = t % perImage;
    if (own == 0) padImage(x + <usize>(t / perImage) * size, shape, pixel, area, paddedHeight, paddedWidth);
    const oy = own / across;
    transformInput(area + <usize>(2 * oy) * wide + <usize>(2 * (own - oy * across)) * pixel, wide, pixel, v);
  }
}
