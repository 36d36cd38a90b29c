import { expOf, logOf } from "../shared/exponentials";
import { at, lanes, loadUpTo, maxOfLanes, storeUpTo, sumOfLanes } from "../shared/lanes";

/**
 * Rows of `cols` numbers, one at a time. Lanes beyond the last column hold −∞ in maxima and exponentials and
 * 0 in sums.
 */

/** log of one number. */
// @inline
function logOne<T>(x: T): T {
  return v128.extract_lane<T>(logOf<T>(v128.splat<T>(x)), 0);
}

/** Largest number of a row. */
export function rowMaximum<T>(x: usize, cols: i32): T {
  let top = v128.splat<T>(<T>-Infinity);
  for (let e = 0; e < cols; e += lanes<T>())
    top = v128.pmax<T>(top, loadUpTo<T>(at<T>(x, e), cols - e, <T>-Infinity));
  return maxOfLanes<T>(top);
}

/** Σ e^(x − top), and if `out` is not 0 its terms. out may be x. */
export function rowExponentials<T>(x: usize, cols: i32, top: T, out: usize): T {
  const shift = v128.splat<T>(top);
  let sum = v128.splat<T>(0);
  for (let e = 0; e < cols; e += lanes<T>()) {
    const left = cols - e;
    const power = expOf<T>(v128.sub<T>(loadUpTo<T>(at<T>(x, e), left, <T>-Infinity), shift));
    sum = v128.add<T>(sum, power);
    if (out != 0) storeUpTo<T>(at<T>(out, e), power, left);
  }
  return sumOfLanes<T>(sum);
}

/** Softmax. The largest exponential is 1, so the sum is neither 0 nor ∞. */
export function softmaxRow<T>(x: usize, cols: i32, out: usize): void {
  const sum = rowExponentials<T>(x, cols, rowMaximum<T>(x, cols), out);
  scaleRow<T>(out, cols, <T>(<T>1 / sum));
}

// @inline
export function scaleRow<T>(x: usize, cols: i32, a: T): void {
  const scale = v128.splat<T>(a);
  for (let e = 0; e < cols; e += lanes<T>()) {
    const to = at<T>(x, e);
    storeUpTo<T>(to, v128.mul<T>(loadUpTo<T>(to, cols - e, 0), scale), cols - e);
  }
}

/** out = (x − max) − log Σ e^(x − max). */
export function logSoftmaxRow<T>(x: usize, cols: i32, out: usize): void {
  const top = rowMaximum<T>(x, cols);
  const shift = v128.splat<T>(top);
  const log = v128.splat<T>(logOne<T>(rowExponentials<T>(x, cols, top, 0)));
  for (let e = 0; e < cols; e += lanes<T>()) {
    const left = cols - e;
    const z = v128.sub<T>(loadUpTo<T>(at<T>(x, e), left, 0), shift);
    storeUpTo<T>(at<T>(out, e), v128.sub<T>(z, log), left);
  }
}

/** out (+)= y ⊙ (g − Σ g·y), where y is a softmax. */
export function softmaxGradientRow<T>(y: usize, g: usize, cols: i32, out: usize, add: bool): void {
  let sum = v128.splat<T>(0);
  for (let e = 0; e < cols; e += lanes<T>()) {
    const left = cols - e;
    sum = v128.add<T>(sum, v128.mul<T>(loadUpTo<T>(at<T>(y, e), left, 0), loadUpTo<T>(at<T>(g, e), left, 0)));
  }
  const mean = v128.splat<T>(sumOfLanes<T>(sum));
  for (let e = 0; e < cols; e += lanes<T>()) {
    const left = cols - e;
    const to = at<T>(out, e);
    const slope = v128.sub<T>(loadUpTo<T>(at<T>(g, e), left, 0), mean);
    let value = v128.mul<T>(loadUpTo<T>(at<T>(y, e), left, 0), slope);
    if (add) value = v128.add<T>(loadUpTo<T>(to, left, 0), value);
    storeUpTo<T>(to, value, left);
  }
}

/** out (+)= g − e^y Σ g, where y is a log-softmax. */
export function logSoftmaxGradientRow<T>(y: usize, g: usize, cols: i32, out: usize, add: bool): void {
  let sum = v128.splat<T>(0);
  for (let e = 0; e < cols; e += lanes<T>()) sum = v128.add<T>(sum, loadUpTo<T>(at<T>(g, e), cols - e, 0));
  const total = v128.splat<T>(sumOfLanes<T>(sum));
  for (let e = 0; e < cols; e += lanes<T>()) {
    const left = cols - e;
    const to = at<T>(out, e);
    const p = expOf<T>(loadUpTo<T>(at<T>(y, e), left, 0));
    let value = v128.sub<T>(loadUpTo<T>(at<T>(g, e), left, 0), v128.mul<T>(p, total));
    if (add) value = v128.add<T>(loadUpTo<T>(to, left, 0), value);
    storeUpTo<T>(to, value, left);
  }
}

/**
 * Returns w (log Σ e^z − z_code) = w (log Σ e^(z − max) − (z_code − max)), both terms of which are ≥ 0; and
 * if `gradient` is not 0, gradient = w (softmax(z) − onehot(code)).
 */
export function crossEntropyRow<T>(z: usize, cols: i32, code: i32, w: T, gradient: usize): T {
  if (cols <= lanes<T>()) return crossEntropyVector<T>(z, cols, code, w, gradient);
  const top = rowMaximum<T>(z, cols);
  // Before the exponentials: the gradient may take the place of z.
  const target: T = load<T>(at<T>(z, code)) - top;
  const sum = rowExponentials<T>(z, cols, top, gradient);
  if (gradient != 0) {
    scaleRow<T>(gradient, cols, <T>(w / sum));
    const own = at<T>(gradient, code);
    store<T>(own, load<T>(own) - w);
  }
  return <T>(w * (logOne<T>(sum) - target));
}

/** The same for a row that is one vector: read and written once. */
function crossEntropyVector<T>(z: usize, cols: i32, code: i32, w: T, gradient: usize): T {
  const logits = loadUpTo<T>(z, cols, <T>-Infinity);
  const top = maxOfLanes<T>(logits);
  const target: T = load<T>(at<T>(z, code)) - top;
  const powers = expOf<T>(v128.sub<T>(logits, v128.splat<T>(top)));
  const sum = sumOfLanes<T>(powers);
  if (gradient != 0) {
    storeUpTo<T>(gradient, v128.mul<T>(powers, v128.splat<T>(<T>(w / sum))), cols);
    const own = at<T>(gradient, code);
    store<T>(own, load<T>(own) - w);
  }
  return <T>(w * (logOne<T>(sum) - target));
}
