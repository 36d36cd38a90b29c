import { ENTRIES, TILES, Windows } from "../convolution.layout";
import { belowOf, paddedSize, readTiles, rightOf, tilesAcross, tilesPerImage } from "./tiles";
import { transformGradient, transformSums } from "./winograd-transforms";

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
  shapeAt: usize,
  chunkImages: i32,
  chunk: i32,
): void {
  const shape = changetype<Windows>(shapeAt);
  const pixel = (<usize>shape.channels) << 2;
  const results = (<usize>filterCount) << 2;
  const size = paddedSize(shape, pixel);
  const area = padded + <usize>chunk * size;
  const v = inputs + <usize>(chunk * ENTRIES * TILES) * pixel;
  const w = gradients + <usize>(chunk * ENTRIES * TILES) * results;
  const tap = <usize>shape.channels * results;
  const s = sums + <usize>(chunk * ENTRIES) * tap;
  memory.fill(area, 0, size);
  memory.fill(s, 0, <usize>ENTRIES * tap);
  const from = chunk * chunkImages;
  const total = (min(shape.count, from + chunkImages) - from) * tilesPerImage(shape);
  const images = x + <usize>from * <usize>(shape.height * shape.width) * pixel;
  const slopes = g + <usize>from * <usize>(shape.outHeight * shape.outWidth) * results;
  for (let first = 0; first < total; first += TILES) {
    const tiles = min(TILES, total - first);
    readTiles(images, shape, first, tiles, area, v);
    readGradients(slopes, results, shape, first, tiles, w);
    for (let p: usize = 0; p < <usize>ENTRIES; p++)
      addProducts(v + (p << 4), pixel, w + (p << 4), results, tiles, s + p * tap);
  }
  transformSums(s, tap, partials + <usize>(chunk * 9) * tap);
}

/** w = the transformed gradients of `tiles` tiles from number `first` on. */
// @inline
function readGradients(g: usize, results: usize, shape: Windows, first: i32, tiles: i32, w: usize): void {
  const across = tilesAcross(shape);
  const perImage = tilesPerImage(shape);
  for (let t = first; t < first + tiles; t++, w += results << 4) {
    const image = t / perImage;
    const own = t - image * perImage;
    const oy = 2 * (own / across);
    const ox = 2 * own - oy * across;
    const at = g + <usize>((image * shape.outHeight + oy) * shape.outWidth + ox) * results;
    transformGradient(at, results, rightOf(shape, ox, results), belowOf(shape, oy, results), w);
  }
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
