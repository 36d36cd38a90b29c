import { Linear, Relu, Scale, Sigmoid, Tanh } from "../../shared/activations";
import { at, lanes, loadUpTo, storeUpTo } from "../../shared/lanes";
import { map, mapGradient } from "../../shared/map";

/** The code of relu. */
// @inline
export const RELU = 12;

/** The functions that every network needs (`basicNames`), by their code: the place in `unaryNames`. */
export function unary<T>(code: i32, a: f64, c: f64, x: usize, n: i32, out: usize): void {
  switch (code) {
    case 0:
      map<T, Linear>(x, n, a, c, out);
      break;
    case 10:
      map<T, Sigmoid>(x, n, a, c, out);
      break;
    case 11:
      map<T, Tanh>(x, n, a, c, out);
      break;
    case RELU:
      map<T, Relu>(x, n, a, c, out);
      break;
    case 21:
      map<T, Scale>(x, n, a, c, out);
      break;
  }
}

/**
 * The derivative of f by its code, at x or, for the functions in `derivativeFromValue`, from the value y:
 * `source` is one of them.
 */
export function unaryGradient<T>(
  code: i32,
  a: f64,
  c: f64,
  source: usize,
  g: usize,
  n: i32,
  out: usize,
  accumulate: bool,
): void {
  switch (code) {
    case 0:
      mapGradient<T, Linear>(source, g, n, a, c, out, accumulate);
      break;
    case 10:
      mapGradient<T, Sigmoid>(source, g, n, a, c, out, accumulate);
      break;
    case 11:
      mapGradient<T, Tanh>(source, g, n, a, c, out, accumulate);
      break;
    case RELU:
      if (accumulate) mapGradient<T, Relu>(source, g, n, a, c, out, true);
      else reluGradient<T>(source, g, n, out);
      break;
    case 21:
      mapGradient<T, Scale>(source, g, n, a, c, out, accumulate);
      break;
  }
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
