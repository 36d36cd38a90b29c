/** Whether there is no NaN and no ±∞: x − x is 0 for a finite x and NaN for others, so that one sum shows it. */
export function areFinite(values: Float64Array | Float32Array): boolean {
  // Four sums, which do not wait for each other.
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  const whole = values.length & ~3;
  for (let e = 0; e < whole; e += 4) {
    a += values[e]! - values[e]!;
    b += values[e + 1]! - values[e + 1]!;
    c += values[e + 2]! - values[e + 2]!;
    d += values[e + 3]! - values[e + 3]!;
  }
  for (let e = whole; e < values.length; e++) a += values[e]! - values[e]!;
  return a + b + c + d === 0;
}
