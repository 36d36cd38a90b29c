import { at, lanes, loadUpTo, storeUpTo } from "./lanes";

/*
 * Loops are over two vectors and have their test at the end of the body. With one vector and the test in front the loop itself takes
 * longer than most of the functions: 1.5 times the time for 10,000 entries.
 */

/** out = f(x) for n entries; out may be x. */
export function map<T, F>(x: usize, n: i32, a: f64, c: f64, out: usize): void {
  const f = changetype<F>(0);
  const whole = n - (n % lanes<T>());
  const end = at<T>(0, whole);
  let p: usize = 0;
  if (end >= 32) {
    do {
      v128.store(out + p, f.value<T>(v128.load(x + p), a, c));
      v128.store(out + p, f.value<T>(v128.load(x + p, 16), a, c), 16);
      p += 32;
    } while (p + 16 < end);
  }
  if (p < end) v128.store(out + p, f.value<T>(v128.load(x + p), a, c));
  if (whole == n) return;
  const left = n - whole;
  storeUpTo<T>(out + end, f.value<T>(loadUpTo<T>(x + end, left, 1), a, c), left);
}

/** out = g ⊙ f′, or out += if `accumulate`. */
export function mapGradient<T, F>(
  source: usize,
  g: usize,
  n: i32,
  a: f64,
  c: f64,
  out: usize,
  accumulate: bool,
): void {
  const whole = n - (n % lanes<T>());
  const end = at<T>(0, whole);
  let p: usize = 0;
  if (end >= 32) {
    do {
      gradientVector<T, F>(source + p, g + p, a, c, out + p, accumulate, lanes<T>());
      gradientVector<T, F>(source + p + 16, g + p + 16, a, c, out + p + 16, accumulate, lanes<T>());
      p += 32;
    } while (p + 16 < end);
  }
  for (; p < at<T>(0, n); p += 16)
    gradientVector<T, F>(source + p, g + p, a, c, out + p, accumulate, p < end ? lanes<T>() : n - whole);
}

/** `mapGradient` for `count` entries, at most a vector. */
// @inline
function gradientVector<T, F>(
  source: usize,
  g: usize,
  a: f64,
  c: f64,
  out: usize,
  accumulate: bool,
  count: i32,
): void {
  const slope = changetype<F>(0).derivative<T>(loadUpTo<T>(source, count, 1), a, c);
  const value = v128.mul<T>(loadUpTo<T>(g, count, 0), slope);
  storeUpTo<T>(out, accumulate ? v128.add<T>(loadUpTo<T>(out, count, 0), value) : value, count);
}
