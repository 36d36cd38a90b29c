/**
 * Decision stumps: columns are sorted once; each search is one pass over the sorted columns with new weights.
 *
 * order  d × n (i32), column after column: row indices by ascending value. The top bit of an entry is 1 if a split may follow it:
 *        the next value is larger.
 */

const FOLLOWED: u32 = 0x80000000;
const ROW: u32 = 0x7fffffff;
/** Relative margin by which a split must beat another: sums in another order round differently. */
const BETTER: f64 = 1.0 + 1e-12;
/** Lower bound of the weight on the right, which may round to 0 or below. */
const MIN_WEIGHT: f64 = 1e-30;
const RADIX: usize = 256;

/** Doubles as unsigned integers in the same order. */
// @inline
function keyOf(x: f64): u64 {
  const bits = reinterpret<u64>(x);
  return bits & 0x8000000000000000 ? ~bits : bits | 0x8000000000000000;
}

/**
 * Sorts columns `chunk`, `chunk + chunks`, … with a stable radix sort, byte by byte.
 * x  d × n, column after column, without −0;  scratch  24 (n + 1) + 8192 bytes per chunk.
 */
export function sortColumns(
  x: usize,
  n: i32,
  d: i32,
  order: usize,
  scratch: usize,
  chunks: i32,
  chunk: i32,
): void {
  const own = scratch + <usize>chunk * (24 * (<usize>n + 1) + 8 * RADIX * 4);
  const counts = own;
  let keys = counts + 8 * RADIX * 4;
  let other = keys + 8 * (<usize>n + 1);
  let rows = other + 8 * (<usize>n + 1);
  let otherRows = rows + 4 * (<usize>n + 1);
  for (let j = chunk; j < d; j += chunks) {
    const column = x + <usize>j * <usize>n * 8;
    memory.fill(counts, 0, 8 * RADIX * 4);
    for (let i: usize = 0; i < <usize>n; i++) {
      const key = keyOf(load<f64>(column + i * 8));
      store<u64>(keys + i * 8, key);
      store<u32>(rows + i * 4, <u32>i);
      for (let b: usize = 0; b < 8; b++) {
        const at = counts + (b * RADIX + <usize>((key >> (8 * b)) & 255)) * 4;
        store<u32>(at, load<u32>(at) + 1);
      }
    }
    for (let b: usize = 0; b < 8; b++) {
      const table = counts + b * RADIX * 4;
      // All rows have the same byte.
      if (load<u32>(table + <usize>((load<u64>(keys) >> (8 * b)) & 255) * 4) == <u32>n) continue;
      let sum: u32 = 0;
      for (let v: usize = 0; v < RADIX; v++) {
        const count = load<u32>(table + v * 4);
        store<u32>(table + v * 4, sum);
        sum += count;
      }
      for (let p: usize = 0; p < <usize>n; p++) {
        const key = load<u64>(keys + p * 8);
        const at = table + <usize>((key >> (8 * b)) & 255) * 4;
        const to = <usize>load<u32>(at);
        store<u32>(at, <u32>to + 1);
        store<u64>(other + to * 8, key);
        store<u32>(otherRows + to * 4, load<u32>(rows + p * 4));
      }
      const k = keys;
      keys = other;
      other = k;
      const r = rows;
      rows = otherRows;
      otherRows = r;
    }
    const out = order + <usize>j * <usize>n * 4;
    for (let p: usize = 0; p < <usize>n; p++) {
      const more = p + 1 < <usize>n && load<u64>(keys + p * 8) != load<u64>(keys + (p + 1) * 8);
      store<u32>(out + p * 4, load<u32>(rows + p * 4) | (more ? FOLLOWED : 0));
    }
  }
}

/**
 * The best splits of columns 2 chunk and 2 chunk + 1 for two classes, one column per SIMD lane.
 *
 * signed  n weights, positive for the second class, negative for the first;  weight = Σ |signed|,  difference = Σ signed
 * out  two doubles per column: the score of its best split, and the place in its order after which it splits; −1 if there is none.
 *
 * With L, D the sums of |signed| and signed left of a split, R and E right of it, the score is
 *   gini   D²/L + E²/R   (weighted Gini impurity = (L + R − score) / 2)
 *   error  |D| + |E|     (weight of misclassified rows = (L + R − score) / 2)
 * Ties go to the first split.
 */
export function bestSplitsOfTwo(
  order: usize,
  n: i32,
  d: i32,
  signed: usize,
  weight: f64,
  difference: f64,
  byError: i32,
  out: usize,
  chunk: i32,
): void {
  const first = 2 * chunk;
  // The last column of an odd number is in both lanes.
  const second = min(first + 1, d - 1);
  const a = order + <usize>first * <usize>n * 4;
  const b = order + <usize>second * <usize>n * 4;
  if (byError) pairByError(a, b, n, signed, difference, out + <usize>first * 16, out + <usize>second * 16);
  else pairByGini(a, b, n, signed, weight, difference, out + <usize>first * 16, out + <usize>second * 16);
}

// @inline
function gathered(signed: usize, u: u32, v: u32): v128 {
  const one = v128.load64_zero(signed + ((<usize>(u & ROW)) << 3));
  return v128.load_lane<f64>(signed + ((<usize>(v & ROW)) << 3), one, 1);
}

function pairByGini(
  a: usize,
  b: usize,
  n: i32,
  signed: usize,
  weight: f64,
  difference: f64,
  outA: usize,
  outB: usize,
): void {
  const W = f64x2.splat(weight);
  const T = f64x2.splat(difference);
  const little = f64x2.splat(MIN_WEIGHT);
  const better = f64x2.splat(BETTER);
  let L = f64x2.splat(0);
  let D = f64x2.splat(0);
  // The best score as a fraction, so that comparisons need products instead of divisions.
  let top = f64x2.splat(-1);
  let under = f64x2.splat(1);
  let placeA: i32 = -1;
  let placeB: i32 = -1;
  for (let p: i32 = 0; p < n - 1; p++) {
    const u = load<u32>(a + ((<usize>p) << 2));
    const v = load<u32>(b + ((<usize>p) << 2));
    const s = gathered(signed, u, v);
    L = f64x2.add(L, f64x2.abs(s));
    D = f64x2.add(D, s);
    const R = f64x2.pmax(little, f64x2.sub(W, L));
    const gap = f64x2.abs(f64x2.sub(T, D));
    const E = f64x2.pmin(R, gap);
    const numerator = f64x2.add(f64x2.mul(f64x2.mul(D, D), R), f64x2.mul(f64x2.mul(E, E), L));
    const denominator = f64x2.mul(L, R);
    const wins = f64x2.gt(f64x2.mul(numerator, under), f64x2.mul(f64x2.mul(top, denominator), better));
    if (v128.any_true(wins)) {
      if (i64x2.extract_lane(wins, 0) != 0 && (u & FOLLOWED) != 0) {
        top = f64x2.replace_lane(top, 0, f64x2.extract_lane(numerator, 0));
        under = f64x2.replace_lane(under, 0, f64x2.extract_lane(denominator, 0));
        placeA = p;
      }
      if (i64x2.extract_lane(wins, 1) != 0 && (v & FOLLOWED) != 0) {
        top = f64x2.replace_lane(top, 1, f64x2.extract_lane(numerator, 1));
        under = f64x2.replace_lane(under, 1, f64x2.extract_lane(denominator, 1));
        placeB = p;
      }
    }
  }
  const score = f64x2.div(top, under);
  store<f64>(outA, f64x2.extract_lane(score, 0));
  store<f64>(outA, <f64>placeA, 8);
  store<f64>(outB, f64x2.extract_lane(score, 1));
  store<f64>(outB, <f64>placeB, 8);
}

function pairByError(
  a: usize,
  b: usize,
  n: i32,
  signed: usize,
  difference: f64,
  outA: usize,
  outB: usize,
): void {
  const T = f64x2.splat(difference);
  const better = f64x2.splat(BETTER);
  let D = f64x2.splat(0);
  let top = f64x2.splat(-1);
  let placeA: i32 = -1;
  let placeB: i32 = -1;
  for (let p: i32 = 0; p < n - 1; p++) {
    const u = load<u32>(a + ((<usize>p) << 2));
    const v = load<u32>(b + ((<usize>p) << 2));
    D = f64x2.add(D, gathered(signed, u, v));
    const score = f64x2.add(f64x2.abs(D), f64x2.abs(f64x2.sub(T, D)));
    const wins = f64x2.gt(score, f64x2.mul(top, better));
    if (v128.any_true(wins)) {
      if (i64x2.extract_lane(wins, 0) != 0 && (u & FOLLOWED) != 0) {
        top = f64x2.replace_lane(top, 0, f64x2.extract_lane(score, 0));
        placeA = p;
      }
      if (i64x2.extract_lane(wins, 1) != 0 && (v & FOLLOWED) != 0) {
        top = f64x2.replace_lane(top, 1, f64x2.extract_lane(score, 1));
        placeB = p;
      }
    }
  }
  store<f64>(outA, f64x2.extract_lane(top, 0));
  store<f64>(outA, <f64>placeA, 8);
  store<f64>(outB, f64x2.extract_lane(top, 1));
  store<f64>(outB, <f64>placeB, 8);
}

/**
 * The best split of column `chunk` for K classes.
 *
 * weights  n, > 0;  codes  n class indices (i32);  totals  K sums of weights;  sums  2 K doubles per column
 * out  as above; the score is Σ_k L_k²/L + Σ_k R_k²/R, or max_k L_k + max_k R_k.
 */
export function bestSplitsOfMany(
  order: usize,
  n: i32,
  K: i32,
  weights: usize,
  codes: usize,
  totals: usize,
  byError: i32,
  sums: usize,
  out: usize,
  chunk: i32,
): void {
  const column = order + <usize>chunk * <usize>n * 4;
  const left = sums + <usize>chunk * <usize>K * 16;
  const classes = <usize>K * 8;
  memory.fill(left, 0, classes);
  let weight: f64 = 0;
  for (let k: usize = 0; k < classes; k += 8) weight += load<f64>(totals + k);
  let L: f64 = 0;
  let best: f64 = -1;
  let place: i32 = -1;
  for (let p: i32 = 0; p < n - 1; p++) {
    const u = load<u32>(column + ((<usize>p) << 2));
    const i = <usize>(u & ROW);
    const w = load<f64>(weights + (i << 3));
    const at = left + ((<usize>load<i32>(codes + (i << 2))) << 3);
    store<f64>(at, load<f64>(at) + w);
    L += w;
    if ((u & FOLLOWED) == 0) continue;
    let a: f64 = 0;
    let b: f64 = 0;
    for (let k: usize = 0; k < classes; k += 8) {
      const l = load<f64>(left + k);
      const r = max(0, load<f64>(totals + k) - l);
      if (byError) {
        a = max(a, l);
        b = max(b, r);
      } else {
        a += l * l;
        b += r * r;
      }
    }
    const R = max(MIN_WEIGHT, weight - L);
    const score = byError ? a + b : a / L + min(R, b / R);
    if (score > best * BETTER) {
      best = score;
      place = p;
    }
  }
  store<f64>(out + <usize>chunk * 16, best);
  store<f64>(out + <usize>chunk * 16, <f64>place, 8);
}

/**
 * out[i][k] = Σ_t (x[i][feature_t] > threshold_t ? right_t : left_t) for the rows of a chunk, added in the order of t.
 * x  n × d row-major;  features  T offsets of columns in bytes (i32);  thresholds, left, right  T;  out  n × K, column k is written.
 */
export function stumpSums(
  x: usize,
  n: i32,
  d: i32,
  features: usize,
  thresholds: usize,
  left: usize,
  right: usize,
  T: i32,
  out: usize,
  K: i32,
  k: i32,
  chunkRows: i32,
  chunk: i32,
): void {
  const to = min(n, (chunk + 1) * chunkRows);
  const stride = (<usize>d) << 3;
  const step = (<usize>K) << 3;
  let i = chunk * chunkRows;
  // Eight rows at a time: a stump is loaded once for all, and their sums are independent.
  for (; i + 8 <= to; i += 8) {
    const row = x + <usize>i * stride;
    let a = f64x2.splat(0);
    let b = f64x2.splat(0);
    let c = f64x2.splat(0);
    let e = f64x2.splat(0);
    for (let t: usize = 0; t < <usize>T; t++) {
      const at = row + <usize>load<i32>(features + (t << 2));
      const limit = v128.load_splat<f64>(thresholds + (t << 3));
      const l = v128.load_splat<f64>(left + (t << 3));
      const r = v128.load_splat<f64>(right + (t << 3));
      a = f64x2.add(a, v128.bitselect(r, l, f64x2.gt(twoRows(at, stride), limit)));
      b = f64x2.add(b, v128.bitselect(r, l, f64x2.gt(twoRows(at + 2 * stride, stride), limit)));
      c = f64x2.add(c, v128.bitselect(r, l, f64x2.gt(twoRows(at + 4 * stride, stride), limit)));
      e = f64x2.add(e, v128.bitselect(r, l, f64x2.gt(twoRows(at + 6 * stride, stride), limit)));
    }
    const own = out + <usize>i * step + ((<usize>k) << 3);
    storeTwo(own, step, a);
    storeTwo(own + 2 * step, step, b);
    storeTwo(own + 4 * step, step, c);
    storeTwo(own + 6 * step, step, e);
  }
  for (; i < to; i++) {
    const row = x + <usize>i * stride;
    let sum: f64 = 0;
    for (let t: usize = 0; t < <usize>T; t++) {
      const above = load<f64>(row + <usize>load<i32>(features + (t << 2))) > load<f64>(thresholds + (t << 3));
      sum += above ? load<f64>(right + (t << 3)) : load<f64>(left + (t << 3));
    }
    store<f64>(out + <usize>i * step + ((<usize>k) << 3), sum);
  }
}

// @inline
function twoRows(at: usize, stride: usize): v128 {
  return v128.load_lane<f64>(at + stride, v128.load64_zero(at), 1);
}

// @inline
function storeTwo(at: usize, step: usize, v: v128): void {
  store<f64>(at, f64x2.extract_lane(v, 0));
  store<f64>(at + step, f64x2.extract_lane(v, 1));
}

/**
 * The side of each row (sides: n bytes, 0 left, 1 right), and the class weights on both sides (leaves: K left, K right).
 * column  n values;  weights  n, whose absolute values are used;  codes  n class indices (i32)
 */
export function splitRows(
  column: usize,
  n: i32,
  threshold: f64,
  weights: usize,
  codes: usize,
  K: i32,
  leaves: usize,
  sides: usize,
): void {
  memory.fill(leaves, 0, (<usize>K) << 4);
  const half = (<usize>K) << 3;
  for (let i: usize = 0; i < <usize>n; i++) {
    const right = <usize>(load<f64>(column + (i << 3)) > threshold);
    store<u8>(sides + i, <u8>right);
    const at = leaves + right * half + ((<usize>load<i32>(codes + (i << 2))) << 3);
    store<f64>(at, load<f64>(at) + abs(load<f64>(weights + (i << 3))));
  }
}
