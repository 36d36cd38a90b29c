import { at } from "../../shared/lanes";
import { squaredErrorRow } from "./losses";
import {
  crossEntropyFour,
  crossEntropyRow,
  logSoftmaxGradientRow,
  logSoftmaxRow,
  softmaxGradientRow,
  softmaxRow,
} from "./softmax";

/** Softmax of a chunk of `size` rows. */
// @inline
export function softmaxChunk<T>(
  x: usize,
  rows: i32,
  cols: i32,
  out: usize,
  log: i32,
  size: i32,
  chunk: i32,
): void {
  const bytes = <usize>cols * sizeof<T>();
  const to = min(rows, (chunk + 1) * size);
  for (let i = chunk * size; i < to; i++) {
    const from = <usize>i * bytes;
    if (log != 0) logSoftmaxRow<T>(x + from, cols, out + from);
    else softmaxRow<T>(x + from, cols, out + from);
  }
}

// @inline
export function softmaxGradientChunk<T>(
  y: usize,
  g: usize,
  rows: i32,
  cols: i32,
  out: usize,
  log: i32,
  accumulate: i32,
  size: i32,
  chunk: i32,
): void {
  const bytes = <usize>cols * sizeof<T>();
  const add = accumulate != 0;
  const to = min(rows, (chunk + 1) * size);
  for (let i = chunk * size; i < to; i++) {
    const from = <usize>i * bytes;
    if (log != 0) logSoftmaxGradientRow<T>(y + from, g + from, cols, out + from, add);
    else softmaxGradientRow<T>(y + from, g + from, cols, out + from, add);
  }
}

/** Weight of row i; 1 if there are none. */
// @inline
function weightOf<T>(weights: usize, i: i32): T {
  return weights == 0 ? <T>1 : load<T>(at<T>(weights, i));
}

/** A chunk of rows of the softmax cross-entropy; weights and gradient are addresses or 0. */
// @inline
export function crossEntropyChunk<T>(
  z: usize,
  rows: i32,
  cols: i32,
  codes: usize,
  weights: usize,
  losses: usize,
  gradient: usize,
  size: i32,
  chunk: i32,
): void {
  const to = min(rows, (chunk + 1) * size);
  let i = chunk * size;
  if (sizeof<T>() == 4 && cols <= 4) {
    for (; i <= to - 4; i += 4) {
      const own = gradient == 0 ? 0 : at<T>(gradient, i * cols);
      const weight = weights == 0 ? 0 : at<T>(weights, i);
      crossEntropyFour(at<T>(z, i * cols), cols, at<i32>(codes, i), weight, at<T>(losses, i), own);
    }
  }
  for (; i < to; i++) {
    const own = gradient == 0 ? 0 : at<T>(gradient, i * cols);
    const code = load<i32>(at<i32>(codes, i));
    store<T>(
      at<T>(losses, i),
      crossEntropyRow<T>(at<T>(z, i * cols), cols, code, weightOf<T>(weights, i), own),
    );
  }
}

/** A chunk of rows of the squared error; weights and gradient are addresses or 0. */
// @inline
export function squaredErrorChunk<T>(
  z: usize,
  t: usize,
  rows: i32,
  cols: i32,
  weights: usize,
  losses: usize,
  gradient: usize,
  size: i32,
  chunk: i32,
): void {
  const to = min(rows, (chunk + 1) * size);
  for (let i = chunk * size; i < to; i++) {
    const e = i * cols;
    const own = gradient == 0 ? 0 : at<T>(gradient, e);
    store<T>(
      at<T>(losses, i),
      squaredErrorRow<T>(at<T>(z, e), at<T>(t, e), cols, weightOf<T>(weights, i), own),
    );
  }
}
