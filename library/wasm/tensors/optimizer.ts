import { at, lanes, loadUpTo, storeUpTo } from "../shared/lanes";

/**
 * Steps of first-order optimizers on vectors of n parameters, and sums over vectors; each kernel is compiled for f32
 * and f64. Every function is one chunk: the entries from chunk × size on. θ, g, m, v, s are addresses of vectors that
 * do not overlap.
 */

/** a·x + b·y. */
// @inline
function mix<T>(a: v128, x: v128, b: v128, y: v128): v128 {
  return v128.add<T>(v128.mul<T>(a, x), v128.mul<T>(b, y));
}

// @inline
export function axpyChunk<T>(a: f64, x: usize, y: usize, n: i32, size: i32, chunk: i32): void {
  const scale = v128.splat<T>(<T>a);
  const end = min(n, (chunk + 1) * size);
  for (let e = chunk * size; e < end; e += lanes<T>()) {
    const left = end - e;
    const to = at<T>(y, e);
    const term = v128.mul<T>(scale, loadUpTo<T>(at<T>(x, e), left, 0));
    storeUpTo<T>(to, v128.add<T>(loadUpTo<T>(to, left, 0), term), left);
  }
}

/** out += a·sign(x). */
// @inline
export function addSignChunk<T>(a: f64, x: usize, out: usize, n: i32, size: i32, chunk: i32): void {
  const zero = v128.splat<T>(0);
  const plus = v128.splat<T>(<T>a);
  const end = min(n, (chunk + 1) * size);
  for (let e = chunk * size; e < end; e += lanes<T>()) {
    const left = end - e;
    const to = at<T>(out, e);
    const value = loadUpTo<T>(at<T>(x, e), left, 0);
    const up = v128.and(plus, v128.gt<T>(value, zero));
    const down = v128.and(plus, v128.lt<T>(value, zero));
    storeUpTo<T>(to, v128.add<T>(loadUpTo<T>(to, left, 0), v128.sub<T>(up, down)), left);
  }
}

// @inline
export function scaleChunk<T>(a: f64, x: usize, n: i32, size: i32, chunk: i32): void {
  const scale = v128.splat<T>(<T>a);
  const end = min(n, (chunk + 1) * size);
  for (let e = chunk * size; e < end; e += lanes<T>()) {
    const left = end - e;
    const to = at<T>(x, e);
    storeUpTo<T>(to, v128.mul<T>(scale, loadUpTo<T>(to, left, 0)), left);
  }
}

/** v = momentum·v − rate·g; θ += v, or momentum·v − rate·g with the new v if nesterov. */
// @inline
export function momentumChunk<T>(
  theta: usize,
  g: usize,
  v: usize,
  n: i32,
  rate: f64,
  momentum: f64,
  nesterov: i32,
  size: i32,
  chunk: i32,
): void {
  const back = v128.splat<T>(<T>-rate);
  const keep = v128.splat<T>(<T>momentum);
  const end = min(n, (chunk + 1) * size);
  for (let e = chunk * size; e < end; e += lanes<T>()) {
    const left = end - e;
    const to = at<T>(theta, e);
    const slope = loadUpTo<T>(at<T>(g, e), left, 0);
    let step = mix<T>(keep, loadUpTo<T>(at<T>(v, e), left, 0), back, slope);
    storeUpTo<T>(at<T>(v, e), step, left);
    if (nesterov != 0) step = mix<T>(keep, step, back, slope);
    storeUpTo<T>(to, v128.add<T>(loadUpTo<T>(to, left, 0), step), left);
  }
}

/**
 * θ −= shrink·flag·θ;  m = β₁m + (1 − β₁)g;  v = β₂v + (1 − β₂)g²;  θ −= rate·m/(√v + ε).
 * `decayed` is the address of the flags (0 or 1), or 0: no decay.
 */
// @inline
export function adamChunk<T>(
  theta: usize,
  g: usize,
  m: usize,
  v: usize,
  decayed: usize,
  n: i32,
  rate: f64,
  beta1: f64,
  beta2: f64,
  epsilon: f64,
  shrink: f64,
  size: i32,
  chunk: i32,
): void {
  const b1 = v128.splat<T>(<T>beta1);
  const b2 = v128.splat<T>(<T>beta2);
  const rest1 = v128.splat<T>(<T>(1 - beta1));
  const rest2 = v128.splat<T>(<T>(1 - beta2));
  const shrunk = v128.splat<T>(<T>shrink);
  const scaled = v128.splat<T>(<T>rate);
  const little = v128.splat<T>(<T>epsilon);
  const end = min(n, (chunk + 1) * size);
  let e = chunk * size;
  for (; e <= end - lanes<T>(); e += lanes<T>())
    adamVector<T>(theta, g, m, v, decayed, b1, b2, rest1, rest2, shrunk, scaled, little, e, lanes<T>());
  if (e < end)
    adamVector<T>(theta, g, m, v, decayed, b1, b2, rest1, rest2, shrunk, scaled, little, e, end - e);
}

/** The step of `adamChunk` for `count` entries from e on, at most a vector. */
// @inline
function adamVector<T>(
  theta: usize,
  g: usize,
  m: usize,
  v: usize,
  decayed: usize,
  b1: v128,
  b2: v128,
  rest1: v128,
  rest2: v128,
  shrink: v128,
  rate: v128,
  epsilon: v128,
  e: i32,
  count: i32,
): void {
  const slope = loadUpTo<T>(at<T>(g, e), count, 0);
  const first = mix<T>(b1, loadUpTo<T>(at<T>(m, e), count, 0), rest1, slope);
  const second = mix<T>(b2, loadUpTo<T>(at<T>(v, e), count, 0), rest2, v128.mul<T>(slope, slope));
  storeUpTo<T>(at<T>(m, e), first, count);
  storeUpTo<T>(at<T>(v, e), second, count);
  let value = loadUpTo<T>(at<T>(theta, e), count, 0);
  if (decayed != 0) {
    const flags = v128.mul<T>(loadUpTo<T>(at<T>(decayed, e), count, 0), shrink);
    value = v128.sub<T>(value, v128.mul<T>(flags, value));
  }
  const step = v128.div<T>(v128.mul<T>(rate, first), v128.add<T>(v128.sqrt<T>(second), epsilon));
  storeUpTo<T>(at<T>(theta, e), v128.sub<T>(value, step), count);
}

/**
 * s = ρs + (1 − ρ)g²;  θ −= rate·g/(√s + ε). With a velocity (its address is not 0): v = momentum·v + g/(√s +
 * ε);  θ −= rate·v.
 */
// @inline
export function rmsPropChunk<T>(
  theta: usize,
  g: usize,
  s: usize,
  velocity: usize,
  n: i32,
  rate: f64,
  rho: f64,
  epsilon: f64,
  momentum: f64,
  size: i32,
  chunk: i32,
): void {
  const keep = v128.splat<T>(<T>rho);
  const rest = v128.splat<T>(<T>(1 - rho));
  const end = min(n, (chunk + 1) * size);
  for (let e = chunk * size; e < end; e += lanes<T>()) {
    const left = end - e;
    const to = at<T>(theta, e);
    const slope = loadUpTo<T>(at<T>(g, e), left, 0);
    const square = mix<T>(keep, loadUpTo<T>(at<T>(s, e), left, 0), rest, v128.mul<T>(slope, slope));
    storeUpTo<T>(at<T>(s, e), square, left);
    let step = v128.div<T>(slope, v128.add<T>(v128.sqrt<T>(square), v128.splat<T>(<T>epsilon)));
    if (velocity != 0) {
      const before = loadUpTo<T>(at<T>(velocity, e), left, 0);
      step = v128.add<T>(v128.mul<T>(v128.splat<T>(<T>momentum), before), step);
      storeUpTo<T>(at<T>(velocity, e), step, left);
    }
    const moved = v128.sub<T>(loadUpTo<T>(to, left, 0), v128.mul<T>(v128.splat<T>(<T>rate), step));
    storeUpTo<T>(to, moved, left);
  }
}

/** What is added up over the entries of a vector. */
class Squares {
  of(x: v128): v128 {
    return f64x2.mul(x, x);
  }
}
class Absolutes {
  of(x: v128): v128 {
    return f64x2.abs(x);
  }
}
/** 0 for finite numbers, NaN for all others. */
class Finite {
  of(x: v128): v128 {
    return f64x2.mul(x, f64x2.splat(0));
  }
}

/** out[chunk] = the sum over the chunk's entries, in doubles; and to += a·x if `to` is not 0. */
// @inline
function sumChunk<T, F>(x: usize, n: i32, out: usize, a: f64, to: usize, size: i32, chunk: i32): void {
  const scale = v128.splat<T>(<T>a);
  const f = changetype<F>(0);
  let sum = f64x2.splat(0);
  let more = f64x2.splat(0);
  const end = min(n, (chunk + 1) * size);
  let e = chunk * size;
  for (; e <= end - lanes<T>(); e += lanes<T>()) {
    const value = v128.load(at<T>(x, e));
    if (to != 0) addScaled<T>(scale, value, at<T>(to, e), lanes<T>());
    sum = f64x2.add(sum, f.of(lowHalf<T>(value)));
    if (sizeof<T>() == 4) more = f64x2.add(more, f.of(highHalf(value)));
  }
  if (e < end) {
    const value = loadUpTo<T>(at<T>(x, e), end - e, 0);
    if (to != 0) addScaled<T>(scale, value, at<T>(to, e), end - e);
    sum = f64x2.add(sum, f.of(lowHalf<T>(value)));
    if (sizeof<T>() == 4) more = f64x2.add(more, f.of(highHalf(value)));
  }
  sum = f64x2.add(sum, more);
  store<f64>(at<f64>(out, chunk), f64x2.extract_lane(sum, 0) + f64x2.extract_lane(sum, 1));
}

/** Two doubles: a vector of them, or the first two floats. */
// @inline
function lowHalf<T>(x: v128): v128 {
  return sizeof<T>() == 4 ? f64x2.promote_low_f32x4(x) : x;
}

/** The last two floats as doubles. */
// @inline
function highHalf(x: v128): v128 {
  return f64x2.promote_low_f32x4(v128.shuffle<u64>(x, x, 1, 0));
}

/** The `count` entries at `to`, at most a vector, += a·x. */
// @inline
function addScaled<T>(a: v128, x: v128, to: usize, count: i32): void {
  storeUpTo<T>(to, v128.add<T>(loadUpTo<T>(to, count, 0), v128.mul<T>(a, x)), count);
}

/** out[chunk] = Σ x², and to += a·x. */
// @inline
export function penaltyChunk<T>(
  x: usize,
  n: i32,
  out: usize,
  a: f64,
  to: usize,
  size: i32,
  chunk: i32,
): void {
  sumChunk<T, Squares>(x, n, out, a, to, size, chunk);
}

// @inline
export function squaresChunk<T>(x: usize, n: i32, out: usize, size: i32, chunk: i32): void {
  sumChunk<T, Squares>(x, n, out, 0, 0, size, chunk);
}

// @inline
export function absolutesChunk<T>(x: usize, n: i32, out: usize, size: i32, chunk: i32): void {
  sumChunk<T, Absolutes>(x, n, out, 0, 0, size, chunk);
}

// @inline
export function finiteChunk<T>(x: usize, n: i32, out: usize, size: i32, chunk: i32): void {
  sumChunk<T, Finite>(x, n, out, 0, 0, size, chunk);
}
