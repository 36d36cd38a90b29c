import { lanes, loadUpTo, storeUpTo } from "../../shared/lanes";
import { Windows } from "../convolution.layout";

/**
 * Pooling of quads: windows of 2 × 2 with a stride of 2 and no padding, so that every pixel is in one window. The last row or column of
 * windows may have one pixel instead of two: `below` or `right`, the bytes to the next one, is then 0, and the pixel is its own neighbour.
 * The first of equal entries is the maximum, as in `maxPoolRows`.
 */

/** out = the largest entry of each quad, per channel, for a chunk of rows of quads. */
export function maxQuadRows<T>(x: usize, out: usize, shapeAt: usize, chunkRows: i32, chunk: i32): void {
  quadRows<T>(x, out, 0, 0, changetype<Windows>(shapeAt), chunkRows, chunk);
}

/** gradient (+)= each entry of g at the place of its quad's maximum, and (+)= 0 elsewhere, for a chunk of rows of quads. */
export function maxQuadGradientRows<T>(
  x: usize,
  g: usize,
  gradient: usize,
  accumulate: i32,
  shapeAt: usize,
  chunkRows: i32,
  chunk: i32,
): void {
  quadRows<T>(x, g, gradient, accumulate, changetype<Windows>(shapeAt), chunkRows, chunk);
}

/** The quads of a chunk of rows, from x to their largest entries or, if `gradient` is not 0, from the gradients of these to those of x. */
// @inline
function quadRows<T>(
  x: usize,
  largest: usize,
  gradient: usize,
  accumulate: i32,
  shape: Windows,
  chunkRows: i32,
  chunk: i32,
): void {
  const pixel = <usize>shape.channels * sizeof<T>();
  const whole = pixel & ~15;
  const rest = shape.channels % lanes<T>();
  const width = shape.width;
  const line = <usize>width * pixel;
  const to = min(shape.count * shape.outHeight, (chunk + 1) * chunkRows);
  for (let r = chunk * chunkRows; r < to; r++) {
    const y = 2 * (r % shape.outHeight);
    const below = y + 1 < shape.height ? line : 0;
    const start = <usize>((r / shape.outHeight) * shape.height + y) * line;
    let p = x + start;
    let z = gradient + start;
    let s = largest + <usize>(r * shape.outWidth) * pixel;
    for (let k = 0; k < width; k += 2) {
      const right = k + 1 < width ? pixel : 0;
      let e: usize = 0;
      if (gradient == 0) {
        for (; e < whole; e += 16) maxQuad<T>(p + e, right, below, s + e, lanes<T>());
        if (e < pixel) lastMaxQuad<T>(p + e, right, below, s + e, rest);
      } else {
        for (; e < whole; e += 16)
          maxQuadGradient<T>(p + e, right, below, s + e, z + e, lanes<T>(), accumulate);
        if (e < pixel) lastMaxQuadGradient<T>(p + e, right, below, s + e, z + e, rest, accumulate);
      }
      p += pixel + right;
      z += pixel + right;
      s += pixel;
    }
  }
}

/** One vector of `count` channels. */
// @inline
function maxQuad<T>(x: usize, right: usize, below: usize, out: usize, count: i32): void {
  let best = loadUpTo<T>(x, count, 0);
  best = v128.pmax<T>(best, loadUpTo<T>(x + right, count, 0));
  best = v128.pmax<T>(best, loadUpTo<T>(x + below, count, 0));
  best = v128.pmax<T>(best, loadUpTo<T>(x + below + right, count, 0));
  storeUpTo<T>(out, best, count);
}
function lastMaxQuad<T>(x: usize, right: usize, below: usize, out: usize, count: i32): void {
  maxQuad<T>(x, right, below, out, count);
}

/** One vector of `count` channels. */
// @inline
function maxQuadGradient<T>(
  x: usize,
  right: usize,
  below: usize,
  g: usize,
  out: usize,
  count: i32,
  accumulate: i32,
): void {
  let best = loadUpTo<T>(x, count, 0);
  let value = loadUpTo<T>(x + right, count, 0);
  const isSecond = v128.gt<T>(value, best);
  best = v128.pmax<T>(best, value);
  value = loadUpTo<T>(x + below, count, 0);
  const isThird = v128.gt<T>(value, best);
  best = v128.pmax<T>(best, value);
  const isFourth = v128.gt<T>(loadUpTo<T>(x + below + right, count, 0), best);
  let left = loadUpTo<T>(g, count, 0);
  // The first entry last: where it is its own neighbour, its gradient replaces the neighbour's 0, or is added to it.
  put<T>(out + below + right, v128.and(left, isFourth), count, accumulate);
  left = v128.andnot(left, isFourth);
  put<T>(out + below, v128.and(left, isThird), count, accumulate);
  left = v128.andnot(left, isThird);
  put<T>(out + right, v128.and(left, isSecond), count, accumulate);
  put<T>(out, v128.andnot(left, isSecond), count, accumulate);
}
function lastMaxQuadGradient<T>(
  x: usize,
  right: usize,
  below: usize,
  g: usize,
  out: usize,
  count: i32,
  accumulate: i32,
): void {
  maxQuadGradient<T>(x, right, below, g, out, count, accumulate);
}

// @inline
function put<T>(at: usize, value: v128, rest: i32, accumulate: i32): void {
  storeUpTo<T>(at, accumulate ? v128.add<T>(loadUpTo<T>(at, rest, 0), value) : value, rest);
}
