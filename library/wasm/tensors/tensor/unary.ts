import { Linear, Relu, Scale, Sigmoid, Tanh } from "../../shared/activations";
import { at, lanes, loadUpTo, storeUpTo } from "../../shared/lanes";
import { map, mapGradient } from "../../shared/map";

/** The code of relu. */
// @inline
export const RELU = 12;

/** A chunk of n entries, `size` of them. The functions that every network needs (`basicNames`), by their code: the place in `unaryNames`. */
export function unaryChunk<T>(
  code: i32,
  a: f64,
  c: f64,
  x: usize,
  n: i32,
  out: usize,
  size: i32,
  chunk: i32,
): void {
  const from = chunk * size;
  const count = min(size, n - from);
  const own = at<T>(x, from);
  const to = at<T>(out, from);
  if (code == 0) map<T, Linear>(own, count, a, c, to);
  else if (code == 10) map<T, Sigmoid>(own, count, a, c, to);
  else if (code == 11) map<T, Tanh>(own, count, a, c, to);
  else if (code == RELU) map<T, Relu>(own, count, a, c, to);
  else if (code == 21) map<T, Scale>(own, count, a, c, to);
}

/**
 * The derivative of f by its code, at x or, for the functions in `derivativeFromValue`, from the value y:
 * `source` is one of them.
 */
export function unaryGradientChunk<T>(
  code: i32,
  a: f64,
  c: f64,
  source: usize,
  g: usize,
  n: i32,
  out: usize,
  accumulate: i32,
  size: i32,
  chunk: i32,
): void {
  const from = chunk * size;
  const count = min(size, n - from);
  const add = accumulate != 0;
  const own = at<T>(source, from);
  const slopes = at<T>(g, from);
  const to = at<T>(out, from);
  if (code == 0) mapGradient<T, Linear>(own, slopes, count, a, c, to, add);
  else if (code == 10) mapGradient<T, Sigmoid>(own, slopes, count, a, c, to, add);
  else if (code == 11) mapGradient<T, Tanh>(own, slopes, count, a, c, to, add);
  else if (code == RELU && add) mapGradient<T, Relu>(own, slopes, count, a, c, to, true);
  else if (code == RELU) reluGradient<T>(own, slopes, count, to);
  else if (code == 21) mapGradient<T, Scale>(own, slopes, count, a, c, to, add);
}

/** out = g where y > 0, and 0 elsewhere; the gradient of most networks, and bound by memory. out may be g. */
function reluGradient<T>(y: usize, g: usize, n: i32, out: usize): void {
  const zero = v128.splat<T>(0);
  const whole = n & ~(4 * lanes<T>() - 1);
  const end = at<T>(y, whole);
  for (; y < end; y += 64, g += 64, out += 64) {
    v128.store(out, v128.and(v128.load(g), v128.gt<T>(v128.load(y), zero)));
    v128.store(out, v128.and(v128.load(g, 16), v128.gt<T>(v128.load(y, 16), zero)), 16);
    v128.store(out, v128.and(v128.load(g, 32), v128.gt<T>(v128.load(y, 32), zero)), 32);
    v128.store(out, v128.and(v128.load(g, 48), v128.gt<T>(v128.load(y, 48), zero)), 48);
  }
  for (let left = n - whole; left > 0; left -= lanes<T>(), y += 16, g += 16, out += 16) {
    const isPositive = v128.gt<T>(loadUpTo<T>(y, left, 0), zero);
    storeUpTo<T>(out, v128.and(loadUpTo<T>(g, left, 0), isPositive), left);
  }
}
