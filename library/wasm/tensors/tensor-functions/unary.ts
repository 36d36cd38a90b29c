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
import { at } from "../../shared/lanes";
import { map, mapGradient } from "../../shared/map";

/** The functions that only some networks need, by their code: the place in `unaryNames`. */
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
  if (code == 1) map<T, Negative>(own, count, a, c, to);
  else if (code == 2) map<T, Exp>(own, count, a, c, to);
  else if (code == 3) map<T, Log>(own, count, a, c, to);
  else if (code == 4) map<T, Sqrt>(own, count, a, c, to);
  else if (code == 5) map<T, Square>(own, count, a, c, to);
  else if (code == 6) map<T, Reciprocal>(own, count, a, c, to);
  else if (code == 7) map<T, Abs>(own, count, a, c, to);
  else if (code == 8) map<T, Sin>(own, count, a, c, to);
  else if (code == 9) map<T, Cos>(own, count, a, c, to);
  else if (code == 13) map<T, LeakyRelu>(own, count, a, c, to);
  else if (code == 14) map<T, Gelu>(own, count, a, c, to);
  else if (code == 15) map<T, Softplus>(own, count, a, c, to);
  else if (code == 16) map<T, Gaussian>(own, count, a, c, to);
  else if (code == 17) map<T, InverseMultiquadric>(own, count, a, c, to);
  else if (code == 18) map<T, Sign>(own, count, a, c, to);
  else if (code == 19) map<T, Heaviside>(own, count, a, c, to);
  else if (code == 20) map<T, TwoStep>(own, count, a, c, to);
  else if (code == 22) map<T, Power>(own, count, a, c, to);
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
  if (code == 1) mapGradient<T, Negative>(own, slopes, count, a, c, to, add);
  else if (code == 2) mapGradient<T, Exp>(own, slopes, count, a, c, to, add);
  else if (code == 3) mapGradient<T, Log>(own, slopes, count, a, c, to, add);
  else if (code == 4) mapGradient<T, Sqrt>(own, slopes, count, a, c, to, add);
  else if (code == 5) mapGradient<T, Square>(own, slopes, count, a, c, to, add);
  else if (code == 6) mapGradient<T, Reciprocal>(own, slopes, count, a, c, to, add);
  else if (code == 7) mapGradient<T, Abs>(own, slopes, count, a, c, to, add);
  else if (code == 8) mapGradient<T, Sin>(own, slopes, count, a, c, to, add);
  else if (code == 9) mapGradient<T, Cos>(own, slopes, count, a, c, to, add);
  else if (code == 13) mapGradient<T, LeakyRelu>(own, slopes, count, a, c, to, add);
  else if (code == 14) mapGradient<T, Gelu>(own, slopes, count, a, c, to, add);
  else if (code == 15) mapGradient<T, Softplus>(own, slopes, count, a, c, to, add);
  else if (code == 16) mapGradient<T, Gaussian>(own, slopes, count, a, c, to, add);
  else if (code == 17) mapGradient<T, InverseMultiquadric>(own, slopes, count, a, c, to, add);
  else if (code == 22) mapGradient<T, Power>(own, slopes, count, a, c, to, add);
  else mapGradient<T, Sign>(own, slopes, count, a, c, to, add);
}
