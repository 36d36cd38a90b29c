import { expOf, logOf } from "../../shared/exponentials";
import { at, lanes, loadUpTo, maxOfLanes, storeUpTo, sumOfLanes } from "../../shared/lanes";

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

/**
 * The same for four rows of floats that are one vector each, with their exponentials and logarithms side by side; the bits are those of
 * `crossEntropyRow`. weights and gradient are addresses or 0.
 */
export function crossEntropyFour(
  z: usize,
  cols: i32,
  codes: usize,
  weights: usize,
  losses: usize,
  gradient: usize,
): void {
  const row = (<usize>cols) << 2;
  const r0 = loadUpTo<f32>(z, cols, -Infinity);
  const r1 = loadUpTo<f32>(z + row, cols, -Infinity);
  const r2 = loadUpTo<f32>(z + 2 * row, cols, -Infinity);
  const r3 = loadUpTo<f32>(z + 3 * row, cols, -Infinity);
  let low = i32x4.shuffle(r0, r1, 0, 4, 1, 5);
  let next = i32x4.shuffle(r2, r3, 0, 4, 1, 5);
  let c0 = i64x2.shuffle(low, next, 0, 2);
  let c1 = i64x2.shuffle(low, next, 1, 3);
  low = i32x4.shuffle(r0, r1, 2, 6, 3, 7);
  next = i32x4.shuffle(r2, r3, 2, 6, 3, 7);
  let c2 = i64x2.shuffle(low, next, 0, 2);
  let c3 = i64x2.shuffle(low, next, 1, 3);
  const top = f32x4.pmax(f32x4.pmax(c0, c2), f32x4.pmax(c1, c3));
  const k0 = (<usize>load<i32>(codes)) << 2;
  const k1 = row + ((<usize>load<i32>(codes, 4)) << 2);
  const k2 = 2 * row + ((<usize>load<i32>(codes, 8)) << 2);
  const k3 = 3 * row + ((<usize>load<i32>(codes, 12)) << 2);
  // Before the exponentials: the gradient may take the place of z.
  const own = f32x4(load<f32>(z + k0), load<f32>(z + k1), load<f32>(z + k2), load<f32>(z + k3));
  c0 = expOf<f32>(f32x4.sub(c0, top));
  c1 = expOf<f32>(f32x4.sub(c1, top));
  c2 = expOf<f32>(f32x4.sub(c2, top));
  c3 = expOf<f32>(f32x4.sub(c3, top));
  const sum = f32x4.add(f32x4.add(c0, c1), f32x4.add(c2, c3));
  const w = weights == 0 ? f32x4.splat(1) : v128.load(weights);
  v128.store(losses, f32x4.mul(w, f32x4.sub(logOf<f32>(sum), f32x4.sub(own, top))));
  if (gradient == 0) return;
  const scale = f32x4.div(w, sum);
  c0 = f32x4.mul(c0, scale);
  c1 = f32x4.mul(c1, scale);
  c2 = f32x4.mul(c2, scale);
  c3 = f32x4.mul(c3, scale);
  low = i32x4.shuffle(c0, c1, 0, 4, 1, 5);
  next = i32x4.shuffle(c2, c3, 0, 4, 1, 5);
  storeUpTo<f32>(gradient, i64x2.shuffle(low, next, 0, 2), cols);
  storeUpTo<f32>(gradient + row, i64x2.shuffle(low, next, 1, 3), cols);
  low = i32x4.shuffle(c0, c1, 2, 6, 3, 7);
  next = i32x4.shuffle(c2, c3, 2, 6, 3, 7);
  storeUpTo<f32>(gradient + 2 * row, i64x2.shuffle(low, next, 0, 2), cols);
  storeUpTo<f32>(gradient + 3 * row, i64x2.shuffle(low, next, 1, 3), cols);
  store<f32>(gradient + k0, load<f32>(gradient + k0) - f32x4.extract_lane(w, 0));
  store<f32>(gradient + k1, load<f32>(gradient + k1) - f32x4.extract_lane(w, 1));
  store<f32>(gradient + k2, load<f32>(gradient + k2) - f32x4.extract_lane(w, 2));
  store<f32>(gradient + k3, load<f32>(gradient + k3) - f32x4.extract_lane(w, 3));
}
