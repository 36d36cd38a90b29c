/** Largest absolute entry; NaN if there is one. */
export function maxAbs(v: Float64Array): number {
  let worst = 0;
  for (let e = 0; e < v.length; e++) {
    const size = Math.abs(v[e]!);
    // Not `size > worst`: NaN must propagate.
    if (!(size <= worst)) worst = size;
    if (Number.isNaN(worst)) return worst;
  }
  return worst;
}

export function dot(a: Float64Array, b: Float64Array): number {
  let s0 = 0;
  let s1 = 0;
  let s2 = 0;
  let s3 = 0;
  const n = a.length & ~3;
  for (let e = 0; e < n; e += 4) {
    s0 += a[e]! * b[e]!;
    s1 += a[e + 1]! * b[e + 1]!;
    s2 += a[e + 2]! * b[e + 2]!;
    s3 += a[e + 3]! * b[e + 3]!;
  }
  for (let e = n; e < a.length; e++) s0 += a[e]! * b[e]!;
  return s0 + s1 + (s2 + s3);
}

/** a · b over the first `count` entries. */
export function dotPrefix(a: Float64Array, b: Float64Array, count: number): number {
  let sum = 0;
  for (let j = 0; j < count; j++) sum += a[j]! * b[j]!;
  return sum;
}
