import { vsum } from "./elementary";

/**
 * Sums of f32 or f64 entries, added in doubles in both widths (columns of f32 after sums of eight): a sum of f32 entries is then right to
 * the last bits however many there are. The order of additions depends on the sizes only. Nothing is read past the last entry; addresses need no alignment.
 */

/** Two consecutive entries as doubles. */
// @inline
export function pair<T>(at: usize): v128 {
  if (sizeof<T>() == 4) return f64x2.promote_low_f32x4(v128.load64_zero(at));
  return v128.load(at);
}

/** Σ x over n consecutive entries. */
export function sumRun<T>(x: usize, n: i32): f64 {
  const w = sizeof<T>();
  const end = x + <usize>n * w;
  const whole = x + <usize>(n & ~7) * w;
  let s0 = f64x2.splat(0);
  let s1 = s0;
  let s2 = s0;
  let s3 = s0;
  for (; x < whole; x += 8 * w) {
    s0 = f64x2.add(s0, pair<T>(x));
    s1 = f64x2.add(s1, pair<T>(x + 2 * w));
    s2 = f64x2.add(s2, pair<T>(x + 4 * w));
    s3 = f64x2.add(s3, pair<T>(x + 6 * w));
  }
  let sum = vsum(f64x2.add(f64x2.add(s0, s1), f64x2.add(s2, s3)));
  for (; x < end; x += w) sum += <f64>load<T>(x);
  return sum;
}

/** sums[j] += Σ_i x[i, j] over eight rows of f32, which are added in pairs of pairs of pairs before they become doubles. */
function addEightRows(x: usize, row: usize, cols: i32, sums: usize): void {
  const whole = sums + ((<usize>(cols & ~3)) << 3);
  let to = sums;
  let at = x;
  for (; to < whole; to += 32, at += 16) {
    const a = f32x4.add(v128.load(at), v128.load(at + row));
    const b = f32x4.add(v128.load(at + 2 * row), v128.load(at + 3 * row));
    const c = f32x4.add(v128.load(at + 4 * row), v128.load(at + 5 * row));
    const d = f32x4.add(v128.load(at + 6 * row), v128.load(at + 7 * row));
    const sum = f32x4.add(f32x4.add(a, b), f32x4.add(c, d));
    v128.store(to, f64x2.add(v128.load(to), f64x2.promote_low_f32x4(sum)));
    const upper = i32x4.shuffle(sum, sum, 2, 3, 2, 3);
    v128.store(to, f64x2.add(v128.load(to, 16), f64x2.promote_low_f32x4(upper)), 16);
  }
  const end = sums + ((<usize>cols) << 3);
  for (; to < end; to += 8, at += 4) {
    let sum = load<f64>(to);
    for (let r: usize = 0; r < 8; r++) sum += <f64>load<f32>(at + r * row);
    store<f64>(to, sum);
  }
}

/** sums[j] += Σ_i x[i, j] over `rows` rows of `cols` entries; sums are doubles. */
export function addColumns<T>(x: usize, rows: i32, cols: i32, sums: usize): void {
  const w = sizeof<T>();
  const row = <usize>cols * w;
  let i = 0;
  if (sizeof<T>() == 4) {
    for (; i + 8 <= rows; i += 8) addEightRows(x + <usize>i * row, row, cols, sums);
  }
  for (; i + 4 <= rows; i += 4) {
    let at = x + <usize>i * row;
    let to = sums;
    const pairs = to + ((<usize>(cols & ~1)) << 3);
    for (; to < pairs; to += 16, at += 2 * w) {
      const low = f64x2.add(pair<T>(at), pair<T>(at + row));
      const high = f64x2.add(pair<T>(at + 2 * row), pair<T>(at + 3 * row));
      v128.store(to, f64x2.add(v128.load(to), f64x2.add(low, high)));
    }
    if (cols & 1) {
      const low = <f64>load<T>(at) + <f64>load<T>(at + row);
      const high = <f64>load<T>(at + 2 * row) + <f64>load<T>(at + 3 * row);
      store<f64>(to, load<f64>(to) + (low + high));
    }
  }
  for (; i < rows; i++) {
    let at = x + <usize>i * row;
    let to = sums;
    const end = to + ((<usize>cols) << 3);
    for (; to < end; to += 8, at += w) store<f64>(to, load<f64>(to) + <f64>load<T>(at));
  }
}
