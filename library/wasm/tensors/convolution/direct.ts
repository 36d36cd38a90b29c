import { Windows } from "../convolution.layout";
import { padImage } from "./padding";
import { splatOf } from "./splat";

/**
 * Convolution without windows, for a chunk of images: out[n, oy, ox, k] = bias[k] + Σ x[n, …]·filters[(wy, wx, c), k], or 0 where that is
 * negative, if `rectified`.
 *
 * Four positions times two vectors of filters are computed together in eight accumulators, as in a GEMM: four neighbours, or, where a row
 * ends with two more, these of two rows. One or three more are computed with neighbours that were computed before.
 *
 * On entry: outWidth ≥ 4, `filterCount` entries are a multiple of 32 bytes, bias is an address or 0 for none.
 * padded   one area per chunk for an image with its border of zeros: paddedHeight × paddedWidth × channels
 */
export function convolveImages<T>(
  x: usize,
  filters: usize,
  filterCount: i32,
  bias: usize,
  rectified: i32,
  out: usize,
  padded: usize,
  paddedHeight: i32,
  paddedWidth: i32,
  shapeAt: usize,
  chunkImages: i32,
  chunk: i32,
): void {
  const shape = changetype<Windows>(shapeAt);
  const pixel = <usize>shape.channels * sizeof<T>();
  const wide = <usize>paddedWidth * pixel;
  const size = <usize>paddedHeight * wide;
  const area = padded + <usize>chunk * size;
  const results = <usize>filterCount * sizeof<T>();
  const windowHeight = shape.windowHeight;
  const run = shape.windowWidth * shape.channels;
  const step = <usize>shape.strideX * pixel;
  const down = <usize>shape.strideY * wide;
  const outWidth = shape.outWidth;
  const line = <usize>outWidth * results;
  const floor: T = rectified ? 0 : <T>-Infinity;
  memory.fill(area, 0, size);
  const to = min(shape.count, (chunk + 1) * chunkImages);
  for (let n = chunk * chunkImages; n < to; n++) {
    const image = x + <usize>n * <usize>(shape.height * shape.width) * pixel;
    padImage(image, shape, pixel, area, paddedHeight, paddedWidth);
    for (let oy = 0; oy < shape.outHeight; oy++) {
      const top = area + <usize>oy * down;
      const z = out + <usize>(n * shape.outHeight + oy) * line;
      for (let next = 0; next < outWidth; next += 4) {
        let ox = min(next, outWidth - 4);
        // From the first two positions to the other two.
        let apart = 2 * step;
        let between = 2 * results;
        if (next + 2 == outWidth && oy + 1 - (oy & 1) < shape.outHeight) {
          if (oy & 1) break;
          ox = next;
          apart = down;
          between = line;
        }
        const left = top + <usize>ox * step;
        const target = z + <usize>ox * results;
        for (let k: usize = 0; k < results; k += 32) {
          const own = filters + k;
          const start = bias ? bias + k : 0;
          const at = target + k;
          fourByTwo<T>(left, step, apart, wide, windowHeight, run, own, results, start, floor, at, between);
        }
      }
    }
  }
}

/**
 * The tile: rows of `run` entries, `wide` bytes apart, of two windows `step` bytes apart and two more `apart` bytes after these, times two
 * vectors of filters.
 */
function fourByTwo<T>(
  x: usize,
  step: usize,
  apart: usize,
  wide: usize,
  rows: i32,
  run: i32,
  filters: usize,
  results: usize,
  bias: usize,
  floor: T,
  out: usize,
  between: usize,
): void {
  let a0 = bias ? v128.load(bias) : v128.splat<T>(<T>0);
  let b0 = bias ? v128.load(bias, 16) : v128.splat<T>(<T>0);
  let a1 = a0;
  let b1 = b0;
  let a2 = a0;
  let b2 = b0;
  let a3 = a0;
  let b3 = b0;
  for (let y = 0; y < rows; y++, x += wide) {
    let p = x;
    let q = x + apart;
    const end = p + <usize>run * sizeof<T>();
    for (; p < end; p += sizeof<T>(), q += sizeof<T>(), filters += results) {
      const f = v128.load(filters);
      const g = v128.load(filters, 16);
      let s = splatOf<T>(p);
      a0 = v128.add<T>(a0, v128.mul<T>(s, f));
      b0 = v128.add<T>(b0, v128.mul<T>(s, g));
      s = splatOf<T>(p + step);
      a1 = v128.add<T>(a1, v128.mul<T>(s, f));
      b1 = v128.add<T>(b1, v128.mul<T>(s, g));
      s = splatOf<T>(q);
      a2 = v128.add<T>(a2, v128.mul<T>(s, f));
      b2 = v128.add<T>(b2, v128.mul<T>(s, g));
      s = splatOf<T>(q + step);
      a3 = v128.add<T>(a3, v128.mul<T>(s, f));
      b3 = v128.add<T>(b3, v128.mul<T>(s, g));
    }
  }
  const low = v128.splat<T>(floor);
  storePair<T>(out, a0, b0, low);
  storePair<T>(out + results, a1, b1, low);
  storePair<T>(out + between, a2, b2, low);
  storePair<T>(out + between + results, a3, b3, low);
}

/** NaN stays NaN. */
// @inline
function storePair<T>(out: usize, a: v128, b: v128, low: v128): void {
  v128.store(out, v128.pmax<T>(a, low));
  v128.store(out, v128.pmax<T>(b, low), 16);
}
