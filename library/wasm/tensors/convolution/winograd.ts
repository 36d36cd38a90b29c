import { ENTRIES, TILES } from "../convolution.layout";
import { padImage } from "./padding";
import { transformInput, transformOutput } from "./winograd-transforms";

/**
 * out[n, oy, ox, k] = bias[k] + Σ x[n, …]·filters[…], or 0 where that is negative, if `rectified`, for a chunk of images.
 *
 * On entry: `channels` is a multiple of 4, `filterCount` of 8, bias is an address or 0 for none.
 * filters   as `transformFilters` wrote them
 * padded    one area per chunk for an image with its border of zeros: paddedHeight × paddedWidth × channels, as many as tiles cover
 * inputs    one area per chunk for the transformed inputs of a block of tiles: 16 × TILES × channels
 * outputs   one area per chunk for its products: 16 × TILES × filterCount
 */
export function convolveTiles(
  x: usize,
  filters: usize,
  filterCount: i32,
  bias: usize,
  rectified: i32,
  out: usize,
  padded: usize,
  inputs: usize,
  outputs: usize,
  count: i32,
  height: i32,
  width: i32,
  channels: i32,
  padTop: i32,
  padLeft: i32,
  outHeight: i32,
  outWidth: i32,
  chunkImages: i32,
  chunk: i32,
): void {
  const tilesAcross = (outWidth + 1) >> 1;
  const tilesPerImage = ((outHeight + 1) >> 1) * tilesAcross;
  const paddedHeight = ((outHeight + 1) & ~1) + 2;
  const paddedWidth = 2 * tilesAcross + 2;
  const pixel = (<usize>channels) << 2;
  const results = (<usize>filterCount) << 2;
  const wide = <usize>paddedWidth * pixel;
  const area = padded + <usize>chunk * <usize>paddedHeight * wide;
  const v = inputs + <usize>(chunk * ENTRIES * TILES) * pixel;
  const m = outputs + <usize>(chunk * ENTRIES * TILES) * results;
  const tileIn = pixel << 4;
  const tileOut = results << 4;
  const size = <usize>(height * width) * pixel;
  const line = <usize>outWidth * results;
  const floor: f32 = rectified ? 0 : -Infinity;
  memory.fill(area, 0, <usize>paddedHeight * wide);
  const from = chunk * chunkImages;
  const total = (min(count, from + chunkImages) - from) * tilesPerImage;
  // The place of the next tile to be read, and of the next one to be written.
  let image = x + <usize>from * size;
  let oy = 0;
  let ox = 0;
  let target = out + <usize>from * <usize>(outHeight * outWidth) * results;
  let ty = 0;
  let tx = 0;
  for (let first = 0; first < total; first += TILES) {
    const tiles = min(TILES, total - first);
    for (let t = 0; t < tiles; t++) {
      if (oy + ox == 0) {
        padImage(image, height, width, pixel, padTop, padLeft, area, paddedHeight, paddedWidth);
        image += size;
      }
      transformInput(area + <usize>oy * wide + <usize>ox * pixel, wide, pixel, v + <usize>t * tileIn);
      ox += 2;
      if (ox >= outWidth) {
        ox = 0;
        oy += 2;
        if (oy >= outHeight) oy = 0;
      }
    }
    const rounded = (tiles + 3) & ~3;
    memory.fill(v + <usize>tiles * tileIn, 0, <usize>(rounded - tiles) * tileIn);
    for (let p: usize = 0; p < <usize>ENTRIES; p++)
      multiplyTiles(
        v + (p << 4),
        pixel,
        filters + p * <usize>channels * results,
        results,
        m + (p << 4),
        rounded,
      );
    for (let t = 0; t < tiles; t++) {
      const right = tx + 1 < outWidth ? results : 0;
      const below = ty + 1 < outHeight ? line : 0;
      transformOutput(m + <usize>t * tileOut, results, bias, floor, target, right, below);
      target += results + right;
      tx += 2;
      if (tx >= outWidth) {
        tx = 0;
        target += below;
        ty += 2;
        if (ty >= outHeight) ty = 0;
      }
    }
  }
}

/** One entry of all tiles: out = v · u, a multiple of four rows times panels of eight columns. */
function multiplyTiles(v: usize, pixel: usize, u: usize, results: usize, out: usize, tiles: i32): void {
  for (let k: usize = 0; k < results; k += 32, u += pixel << 3)
    for (let t: usize = 0; t < <usize>tiles; t += 4)
      fourTiles(v + t * (pixel << 4), pixel, u, out + (t * results + k) * 16, results << 4);
}

/** Four rows times one panel. */
// @inline
function fourTiles(v: usize, pixel: usize, u: usize, out: usize, tileOut: usize): void {
  let a0 = f32x4.splat(0);
  let b0 = a0;
  let a1 = a0;
  let b1 = a0;
  let a2 = a0;
  let b2 = a0;
  let a3 = a0;
  let b3 = a0;
  const tileIn = pixel << 4;
  let q = v + 2 * tileIn;
  const end = v + tileIn;
  for (; v < end; v += 240, q += 240)
    for (const last = v + 16; v < last; v += 4, q += 4, u += 32) {
      const f = v128.load(u);
      const g = v128.load(u, 16);
      let s = v128.load32_splat(v);
      a0 = f32x4.add(a0, f32x4.mul(s, f));
      b0 = f32x4.add(b0, f32x4.mul(s, g));
      s = v128.load32_splat(v + tileIn);
      a1 = f32x4.add(a1, f32x4.mul(s, f));
      b1 = f32x4.add(b1, f32x4.mul(s, g));
      s = v128.load32_splat(q);
      a2 = f32x4.add(a2, f32x4.mul(s, f));
      b2 = f32x4.add(b2, f32x4.mul(s, g));
      s = v128.load32_splat(q + tileIn);
      a3 = f32x4.add(a3, f32x4.mul(s, f));
      b3 = f32x4.add(b3, f32x4.mul(s, g));
    }
  v128.store(out, a0);
  v128.store(out, b0, 256);
  out += tileOut;
  v128.store(out, a1);
  v128.store(out, b1, 256);
  out += tileOut;
  v128.store(out, a2);
  v128.store(out, b2, 256);
  out += tileOut;
  v128.store(out, a3);
  v128.store(out, b3, 256);
}
