import { Linear, Relu, Scale, Sigmoid, Tanh } from "../shared/activations";
import { map, mapGradient } from "../shared/map";

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
      mapGradient<T, Relu>(source, g, n, a, c, out, accumulate);
      break;
    case 21:
      mapGradient<T, Scale>(source, g, n, a, c, out, accumulate);
      break;
  }
}
