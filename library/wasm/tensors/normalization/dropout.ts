/**
 * A 32-bit hash of an index and two keys: the finaliser "lowbias32" of C. Wellons (nullprogram.com/blog/2018/07/31), with the second
 * key between its multiplications, so that masks of different seeds are not shifts of one sequence.
 */
// @inline
function hash(index: u32, first: u32, second: u32): u32 {
  let h = index + first;
  h = (h ^ (h >> 16)) * 0x7feb352d;
  h = ((h ^ (h >> 15)) + second) * 0x846ca68b;
  return h ^ (h >> 16);
}

/** The same in four lanes. */
// @inline
function hashes(index: v128, first: v128, second: v128): v128 {
  let h = i32x4.add(index, first);
  h = i32x4.mul(v128.xor(h, i32x4.shr_u(h, 16)), i32x4.splat(0x7feb352d));
  h = i32x4.add(v128.xor(h, i32x4.shr_u(h, 15)), second);
  h = i32x4.mul(h, i32x4.splat(0x846ca68b));
  return v128.xor(h, i32x4.shr_u(h, 16));
}

/** out[e] = value where the hash of e is below `threshold`, else 0, for a chunk of entries (a multiple of 4 per chunk). */
export function maskRun<T>(
  n: i32,
  first: u32,
  second: u32,
  threshold: u32,
  value: f64,
  out: usize,
  chunkEntries: i32,
  chunk: i32,
): void {
  const w = sizeof<T>();
  const to = min(n, (chunk + 1) * chunkEntries);
  const all = v128.splat<T>(<T>value);
  let e = chunk * chunkEntries;
  // Engines do not move splats out of loops. Flipped signs make a signed comparison, one instruction, of an unsigned one.
  const keys = i32x4.splat(first);
  const others = i32x4.splat(second);
  const sign = i32x4.splat(0x80000000);
  const bound = v128.xor(i32x4.splat(threshold), sign);
  let index = i32x4.add(i32x4.splat(e), i32x4(0, 1, 2, 3));
  for (; e + 4 <= to; e += 4, index = i32x4.add(index, i32x4.splat(4))) {
    const isKept = i32x4.lt_s(v128.xor(hashes(index, keys, others), sign), bound);
    const at = out + <usize>e * w;
    if (w == 4) {
      v128.store(at, v128.and(isKept, all));
    } else {
      v128.store(at, v128.and(i64x2.extend_low_i32x4_s(isKept), all));
      v128.store(at, v128.and(i64x2.extend_high_i32x4_s(isKept), all), 16);
    }
  }
  for (; e < to; e++) {
    const isKept = hash(<u32>e, first, second) < threshold;
    store<T>(out + <usize>e * w, isKept ? <T>value : <T>0);
  }
}
