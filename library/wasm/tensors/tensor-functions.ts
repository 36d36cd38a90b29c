/** Functions of one number that only some networks need: the kernels of `tensor.ts` for the functions outside `basicNames`. */
import { at } from "../shared/lanes";
import { unary, unaryGradient } from "./tensor-functions/unary";

// @inline
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
  unary<T>(code, a, c, at<T>(x, from), min(size, n - from), at<T>(out, from));
}

// @inline
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
  const to = at<T>(out, from);
  unaryGradient<T>(code, a, c, at<T>(source, from), at<T>(g, from), count, to, accumulate != 0);
}
