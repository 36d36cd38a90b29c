import { ENTRIES, TILES, Windows } from "../convolution.layout";
import { belowOf, paddedSize, readTiles, rightOf, tilesAcross, tilesPerImage } from "./tiles";
import { transformOutput } from "./winograd-transforms";

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
  const m = outputs + <usize>(chunk * ENTRIES * TILES) * results;
  const tileIn = pixel << 4;
  const entry = <usize>shape.channels * results;
  const floor: f32 = rectified ? 0 : -Infinity;
  memory.fill(area, 0, size);
  const from = chunk * chunkImages;
  const total = (min(shape.count, from + chunkImages) - from) * tilesPerImage(shape);
  const images = x + <usize>from * <usize>(shape.height * shape.width) * pixel;
  const target = out + <usize>from * <usize>(shape.outHeight * shape.outWidth) * results;
  for (let first = 0; first < total; first += TILES) {
    const tiles = min(TILES, total - first);
    readTiles(images, shape, first, tiles, area, v);
    const rounded = (tiles + 3) & ~3;
    memory.fill(v + <usize>tiles * tileIn, 0, <usize>(rounded - tiles) * tileIn);
    for (let p: usize = 0; p < <usize>ENTRIES; p++)
      multiplyTiles(v + (p << 4), pixel, filters + p * entry, results, m + (p << 4), rounded);
    writeTiles(m, results, bias, floor, shape, first, tiles, target);
  }
}

/** The outputs of `tiles` tiles from number `first` on. */
// @inline
function writeTiles(
  m: usize,
  results: usize,
  bias: usize,
  floor: f32,
  shape: Windows,
  first: i32,
  tiles: i32,
  out: usize,
): void {
  const across = tilesAcross(shape);
  const perImage = tilesPerImage(shape);
  for (let t = first; t < first + tiles; t++, m += results << 4) {
    const image = t / perImage;
    const own = t - image * perImage;
    const oy = 2 * (own / across);
    const ox = 2 * own - oy * across;
    const at = out + <usize>((image * shape.outHeight + oy) * shape.outWidth + ox) * results;
    transformOutput(m, results, bias, floor, at, rightOf(shape, ox, results), belowOf(shape, oy, results));
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
