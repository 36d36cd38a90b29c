import { at, lanes, loadUpTo, storeUpTo } from "./lanes";

/** out = f(x) for n entries; out may be x. */
export function map<T, F>(x: usize, n: i32, a: f64, c: f64, out: usize): void {
  const f = changetype<F>(0);
  for (let e = 0; e < n; e += lanes<T>()) {
    const left = n - e;
    storeUpTo<T>(at<T>(out, e), f.value<T>(loadUpTo<T>(at<T>(x, e), left, 1), a, c), left);
  }
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
  for (let e = 0; e < n; e += lanes<T>()) {
    const left = n - e;
    const to = at<T>(out, e);
    const slope = f.derivative<T>(loadUpTo<T>(at<T>(source, e), left, 1), a, c);
    let value = v128.mul<T>(loadUpTo<T>(at<T>(g, e), left, 0), slope);
    if (accumulate) value = v128.add<T>(loadUpTo<T>(to, left, 0), value);
    storeUpTo<T>(to, value, left);
  }
}
