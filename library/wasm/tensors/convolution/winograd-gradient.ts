import { ENTRIES, TILES } from "../convolution.layout";
import { padImage } from "./padding";
import { transformGradient, transformInput, transformSums } from "./winograd-transforms";

/**
 * The gradient of the filters over a chunk of images: partials[chunk, y, x, c, k] = Σ x[n, …]·g[n, oy, ox, k].
 *
 * On entry: `channels` is a multiple of 4, `filterCount` of 8.
 * padded, inputs   as in `convolveTiles`
 * gradients        one area per chunk for the transformed gradients of a block of tiles: 16 × TILES × filterCount
 * sums             one area per chunk: 16 × channels × filterCount
 */
export function tileFilterGradient(
  x: usize,
  g: usize,
  filterCount: i32,
  partials: usize,
  sums: usize,
  padded: usize,
  inputs: usize,
  gradients: usize,
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
  const w = gradients + <usize>(chunk * ENTRIES * TILES) * results;
  const tap = <usize>channels * results;
  const size = <usize>(height * width) * pixel;
  const line = <usize>outWidth * results;
  const s = sums + <usize>(chunk * ENTRIES) * tap;
  memory.fill(area, 0, <usize>paddedHeight * wide);
  memory.fill(s, 0, <usize>ENTRIES * tap);
  const from = chunk * chunkImages;
  const total = (min(count, from + chunkImages) - from) * tilesPerImage;
  let image = x + <usize>from * size;
  let slopes = g + <usize>from * <usize>(outHeight * outWidth) * results;
  let oy = 0;
  let ox = 0;
  for (let first = 0; first < total; first += TILES) {
    const tiles = min(TILES, total - first);
    for (let t = 0; t < tiles; t++) {
      if (oy + ox == 0) {
        padImage(image, height, width, pixel, padTop, padLeft, area, paddedHeight, paddedWidth);
        image += size;
      }
      transformInput(area + <usize>oy * wide + <usize>ox * pixel, wide, pixel, v + <usize>t * (pixel << 4));
      const right = ox + 1 < outWidth ? results : 0;
      const below = oy + 1 < outHeight ? line : 0;
      transformGradient(slopes, results, right, below, w + <usize>t * (results << 4));
      slopes += results + right;
      ox += 2;
      if (ox >= outWidth) {
        ox = 0;
        slopes += below;
        oy += 2;
        if (oy >= outHeight) oy = 0;
      }
    }
    for (let p: usize = 0; p < <usize>ENTRIES; p++)
      addProducts(v + (p << 4), pixel, w + (p << 4), results, tiles, s + p * tap);
  }
  transformSums(s, tap, partials + <usize>(chunk * 9) * tap);
}

/** One entry of all tiles: sums += v' · w. */
function addProducts(v: usize, pixel: usize, w: usize, results: usize, tiles: i32, sums: usize): void {
  const tileIn = pixel << 4;
  for (let c: usize = 0; c < tileIn; c += 256, sums += 4 * results)
    for (let k: usize = 0; k < results; k += 32)
      fourChannels(v + c, tileIn, w + (k << 4), results, <usize>tiles, sums + k);
}

/** sums += v' · w for four columns of v and eight of w, over `tiles` rows. */
// @inline
function fourChannels(v: usize, tileIn: usize, w: usize, results: usize, tiles: usize, sums: usize): void {
  const tileOut = results << 4;
  let at = sums;
  let a0 = v128.load(at);
  let b0 = v128.load(at, 16);
  at += results;
  let a1 = v128.load(at);
  let b1 = v128.load(at, 16);
  at += results;
  let a2 = v128.load(at);
  let b2 = v128.load(at, 16);
  at += results;
  let a3 = v128.load(at);
  let b3 = v128.load(at, 16);
  const end = v + tiles * tileIn;
  for (; v < end; v += tileIn, w += tileOut) {
    const f = v128.load(w);
    const g = v128.load(w, 256);
    let s = v128.load32_splat(v);
    a0 = f32x4.add(a0, f32x4.mul(s, f));
    b0 = f32x4.add(b0, f32x4.mul(s, g));
    s = v128.load32_splat(v, 4);
    a1 = f32x4.add(a1, f32x4.mul(s, f));
    b1 = f32x4.add(b1, f32x4.mul(s, g));
    s = v128.load32_splat(v, 8);
    a2 = f32x4.add(a2, f32x4.mul(s, f));
    b2 = f32x4.add(b2, f32x4.mul(s, g));
    s = v128.load32_splat(v, 12);
    a3 = f32x4.add(a3, f32x4.mul(s, f));
    b3 = f32x4.add(b3, f32x4.mul(s, g));
  }
  v128.store(at, a3);
  v128.store(at, b3, 16);
  at -= results;
  v128.store(at, a2);
  v128.store(at, b2, 16);
  at -= results;
  v128.store(at, a1);
  v128.store(at, b1, 16);
  at -= results;
  v128.store(at, a0);
  v128.store(at, b0, 16);
}
