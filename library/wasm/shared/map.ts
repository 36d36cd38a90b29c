import { at, lanes, loadUpTo, storeUpTo } from "./lanes";

/** out = f(x) for n entries; out may be x. */
export function map<T, F>(x: usize, n: i32, a: f64, c: f64, out: usize): void {
  const f = changetype<F>(0);
  const whole = n - (n % lanes<T>());
  const end = at<T>(0, whole);
  for (let p: usize = 0; p < end; p += 16) v128.store(out + p, f.value<T>(v128.load(x + p), a, c));
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
  const f = changetype<F>(0);
  const whole = n - (n % lanes<T>());
  const end = at<T>(0, whole);
  for (let p: usize = 0; p < end; p += 16) {
    const slope = f.derivative<T>(v128.load(source + p), a, c);
    const value = v128.mul<T>(v128.load(g + p), slope);
    v128.store(out + p, accumulate ? v128.add<T>(v128.load(out + p), value) : value);
  }
  if (whole == n) return;
  const left = n - whole;
  const slope = f.derivative<T>(loadUpTo<T>(source + end, left, 1), a, c);
  let value = v128.mul<T>(loadUpTo<T>(g + end, left, 0), slope);
  if (accumulate) value = v128.add<T>(loadUpTo<T>(out + end, left, 0), value);
  storeUpTo<T>(out + end, value, left);
}
