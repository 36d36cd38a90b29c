import {
  Abs,
  Cos,
  Exp,
  Gaussian,
  Gelu,
  Heaviside,
  InverseMultiquadric,
  LeakyRelu,
  Log,
  Negative,
  Power,
  Reciprocal,
  Sign,
  Sin,
  Softplus,
  Sqrt,
  Square,
  TwoStep,
} from "../../shared/activations";
import { map, mapGradient } from "../../shared/map";

/** The functions that only some networks need, by their code: the place in `unaryNames`. */
export function unary<T>(code: i32, a: f64, c: f64, x: usize, n: i32, out: usize): void {
  switch (code) {
    case 1:
      map<T, Negative>(x, n, a, c, out);
      break;
    case 2:
      map<T, Exp>(x, n, a, c, out);
      break;
    case 3:
      map<T, Log>(x, n, a, c, out);
      break;
    case 4:
      map<T, Sqrt>(x, n, a, c, out);
      break;
    case 5:
      map<T, Square>(x, n, a, c, out);
      break;
    case 6:
      map<T, Reciprocal>(x, n, a, c, out);
      break;
    case 7:
      map<T, Abs>(x, n, a, c, out);
      break;
    case 8:
      map<T, Sin>(x, n, a, c, out);
      break;
    case 9:
      map<T, Cos>(x, n, a, c, out);
      break;
    case 13:
      map<T, LeakyRelu>(x, n, a, c, out);
      break;
    case 14:
      map<T, Gelu>(x, n, a, c, out);
      break;
    case 15:
      map<T, Softplus>(x, n, a, c, out);
      break;
    case 16:
      map<T, Gaussian>(x, n, a, c, out);
      break;
    case 17:
      map<T, InverseMultiquadric>(x, n, a, c, out);
      break;
    case 18:
      map<T, Sign>(x, n, a, c, out);
      break;
    case 19:
      map<T, Heaviside>(x, n, a, c, out);
      break;
    case 20:
      map<T, TwoStep>(x, n, a, c, out);
      break;
    case 22:
      map<T, Power>(x, n, a, c, out);
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
    case 1:
      mapGradient<T, Negative>(source, g, n, a, c, out, accumulate);
      break;
    case 2:
      mapGradient<T, Exp>(source, g, n, a, c, out, accumulate);
      break;
    case 3:
      mapGradient<T, Log>(source, g, n, a, c, out, accumulate);
      break;
    case 4:
      mapGradient<T, Sqrt>(source, g, n, a, c, out, accumulate);
      break;
    case 5:
      mapGradient<T, Square>(source, g, n, a, c, out, accumulate);
      break;
    case 6:
      mapGradient<T, Reciprocal>(source, g, n, a, c, out, accumulate);
      break;
    case 7:
      mapGradient<T, Abs>(source, g, n, a, c, out, accumulate);
      break;
    case 8:
      mapGradient<T, Sin>(source, g, n, a, c, out, accumulate);
      break;
    case 9:
      mapGradient<T, Cos>(source, g, n, a, c, out, accumulate);
      break;
    case 13:
      mapGradient<T, LeakyRelu>(source, g, n, a, c, out, accumulate);
      break;
    case 14:
      mapGradient<T, Gelu>(source, g, n, a, c, out, accumulate);
      break;
    case 15:
      mapGradient<T, Softplus>(source, g, n, a, c, out, accumulate);
      break;
    case 16:
      mapGradient<T, Gaussian>(source, g, n, a, c, out, accumulate);
      break;
    case 17:
      mapGradient<T, InverseMultiquadric>(source, g, n, a, c, out, accumulate);
      break;
    case 22:
      mapGradient<T, Power>(source, g, n, a, c, out, accumulate);
      break;
    default:
      mapGradient<T, Sign>(source, g, n, a, c, out, accumulate);
  }
}
