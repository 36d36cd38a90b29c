import { Bytes } from "../shared/bytes";
import { logOf, vsum } from "../shared/elementary";

/**
 * First and second moments of the rows of a chunk per class, around a centre per class:
 *   first[k][j] = Σ s (x_j − c_kj),   second[k][j] = Σ s (x_j − c_kj)²   over the rows i of the chunk with code_i = k.
 *
 * x  n × d row-major;  codes  n classes (i32);  s  n weights or 0;  centre  K × d
 * out  one area per chunk, 2 × K × d doubles: first, then second. Zeroed here.
 */
export function classMomentChunk(
  x: usize,
  n: i32,
  d: i32,
  codes: usize,
  s: usize,
  centre: usize,
  K: i32,
  out: usize,
  chunkRows: i32,
  chunk: i32,
): void {
  const from = chunk * chunkRows;
  const to = min(n, from + chunkRows);
  const stride = (<usize>d) << 3;
  const half = <usize>K * stride;
  const first = out + <usize>chunk * 2 * half;
  memory.fill(first, 0, 2 * half);
  for (let i = from; i < to; i++) {
    const row = x + <usize>i * stride;
    const at = <usize>load<i32>(codes + ((<usize>i) << 2)) * stride;
    const c = centre + at;
    const a = first + at;
    const b = a + half;
    if (s == 0) addRow(row, false, 1, c, a, b, d);
    else addRow(row, true, load<f64>(s + ((<usize>i) << 3)), c, a, b, d);
  }
}

/** a += s (x − c) and b += s (x − c)², s only if `weighted`. */
// @inline
function addRow(row: usize, weighted: bool, s: f64, c: usize, a: usize, b: usize, d: i32): void {
  const w = f64x2.splat(s);
  let j: i32 = 0;
  for (; j + 2 <= d; j += 2) {
    const at = (<usize>j) << 3;
    const u = f64x2.sub(v128.load(row + at), v128.load(c + at));
    const wu = weighted ? f64x2.mul(w, u) : u;
    v128.store(a + at, f64x2.add(v128.load(a + at), wu));
    v128.store(b + at, f64x2.add(v128.load(b + at), f64x2.mul(wu, u)));
  }
  if (j < d) {
    const at = (<usize>j) << 3;
    const u = load<f64>(row + at) - load<f64>(c + at);
    const wu = weighted ? s * u : u;
    store<f64>(a + at, load<f64>(a + at) + wu);
    store<f64>(b + at, load<f64>(b + at) + wu * u);
  }
}

/**
 * out[i][k] = constant_k − ½ Σ_j ((x_j − θ_kj) r_kj)² for the rows of a chunk: normal log-densities, r = 1/σ.
 * x  n × d;  theta, r  K × d;  constant  K;  out  n × K. The order of additions (four running sums) determines the bits:
 * src/numeric/bayes/event-scores.ts uses the same.
 */
export function normalDensityChunk(
  x: usize,
  n: i32,
  d: i32,
  theta: usize,
  r: usize,
  constant: usize,
  K: i32,
  out: usize,
  chunkRows: i32,
  chunk: i32,
): void {
  const from = chunk * chunkRows;
  const to = min(n, from + chunkRows);
  const stride = (<usize>d) << 3;
  const wide = (<usize>K) << 3;
  let i = from;
  // Two rows at a time: θ and r are read once for both.
  for (; i + 2 <= to; i += 2) {
    const row = x + <usize>i * stride;
    for (let k: i32 = 0; k < K; k++) {
      const z = out + <usize>i * wide + ((<usize>k) << 3);
      const base = load<f64>(constant + ((<usize>k) << 3));
      densityPair(row, row + stride, theta + <usize>k * stride, r + <usize>k * stride, d, base, z, z + wide);
    }
  }
  for (; i < to; i++) {
    const row = x + <usize>i * stride;
    for (let k: i32 = 0; k < K; k++) {
      const base = load<f64>(constant + ((<usize>k) << 3));
      const sum = squaredDistance(row, theta + <usize>k * stride, r + <usize>k * stride, d);
      store<f64>(out + <usize>i * wide + ((<usize>k) << 3), base - 0.5 * sum);
    }
  }
}

/** base − ½ `squaredDistance` of two rows, to z and zNext. */
// @inline
function densityPair(
  row: usize,
  next: usize,
  t: usize,
  s: usize,
  d: i32,
  base: f64,
  z: usize,
  zNext: usize,
): void {
  let a = f64x2.splat(0);
  let b = a;
  let c = a;
  let e = a;
  let j: i32 = 0;
  for (; j + 4 <= d; j += 4) {
    const at = (<usize>j) << 3;
    const t0 = v128.load(t + at);
    const t1 = v128.load(t + at, 16);
    const s0 = v128.load(s + at);
    const s1 = v128.load(s + at, 16);
    const u0 = f64x2.mul(f64x2.sub(v128.load(row + at), t0), s0);
    const u1 = f64x2.mul(f64x2.sub(v128.load(row + at, 16), t1), s1);
    const v0 = f64x2.mul(f64x2.sub(v128.load(next + at), t0), s0);
    const v1 = f64x2.mul(f64x2.sub(v128.load(next + at, 16), t1), s1);
    a = f64x2.add(a, f64x2.mul(u0, u0));
    b = f64x2.add(b, f64x2.mul(u1, u1));
    c = f64x2.add(c, f64x2.mul(v0, v0));
    e = f64x2.add(e, f64x2.mul(v1, v1));
  }
  let sum = vsum(f64x2.add(a, b));
  let other = vsum(f64x2.add(c, e));
  for (; j < d; j++) {
    const at = (<usize>j) << 3;
    const u = (load<f64>(row + at) - load<f64>(t + at)) * load<f64>(s + at);
    const v = (load<f64>(next + at) - load<f64>(t + at)) * load<f64>(s + at);
    sum += u * u;
    other += v * v;
  }
  store<f64>(z, base - 0.5 * sum);
  store<f64>(zNext, base - 0.5 * other);
}

/** Σ_j ((x_j − t_j) s_j)². */
// @inline
function squaredDistance(row: usize, t: usize, s: usize, d: i32): f64 {
  let a = f64x2.splat(0);
  let b = f64x2.splat(0);
  let j: i32 = 0;
  for (; j + 4 <= d; j += 4) {
    const at = (<usize>j) << 3;
    const u = f64x2.mul(f64x2.sub(v128.load(row + at), v128.load(t + at)), v128.load(s + at));
    const v = f64x2.mul(f64x2.sub(v128.load(row + at, 16), v128.load(t + at, 16)), v128.load(s + at, 16));
    a = f64x2.add(a, f64x2.mul(u, u));
    b = f64x2.add(b, f64x2.mul(v, v));
  }
  let sum = vsum(f64x2.add(a, b));
  for (; j < d; j++) {
    const at = (<usize>j) << 3;
    const u = (load<f64>(row + at) - load<f64>(t + at)) * load<f64>(s + at);
    sum += u * u;
  }
  return sum;
}

/** x[e] = log x[e] for a chunk of n positive normal numbers, with the bits of core/numbers/elementary.ts. */
export function logChunk(x: usize, n: i32, chunkRows: i32, chunk: i32): void {
  const to = min(n, (chunk + 1) * chunkRows);
  for (let e = chunk * chunkRows; e < to; e++) {
    const at = x + ((<usize>e) << 3);
    store<f64>(at, logOf(load<f64>(at)));
  }
}

/** The first entry of row i. */
// @inline
function startOf(indptr: usize, i: i32): i32 {
  return load<i32>(indptr + ((<usize>i) << 2));
}

/** Whether each of the entries from `from` to `to` of `indices` is a column: 0 ≤ j < d. Indices given by users are not checked before. */
// @inline
function allBelow(indices: usize, from: i32, to: i32, d: i32): bool {
  let e = from;
  let most = i32x4.splat(0);
  // Negative indices are the largest unsigned numbers.
  for (; e + 4 <= to; e += 4) most = i32x4.max_u(most, v128.load(indices + ((<usize>e) << 2)));
  let largest = max(
    max(<u32>i32x4.extract_lane(most, 0), <u32>i32x4.extract_lane(most, 1)),
    max(<u32>i32x4.extract_lane(most, 2), <u32>i32x4.extract_lane(most, 3)),
  );
  for (; e < to; e++) largest = max(largest, load<u32>(indices + ((<usize>e) << 2)));
  return from >= to || largest < <u32>d;
}

/**
 * Sums over sparse rows per class: sums[k][j] += Σ s e over the rows with code_i = k. `binary` 0: e is the entry; else
 * e is 1 where (entry > threshold) differs from `flip`, else 0.
 *
 * indptr  n + 1 positions, offset by −`base` in indices and values;  codes  n classes;  s  n weights or 0
 * sums    one table of K × d per chunk, `area` bytes apart, added to; each chunk has a range of the rows
 * states  one double per chunk, in and out: the least of it and the entries, or, if binary, NaN once an entry is not finite.
 *         Then one more double per chunk: 1, with nothing else written, if an index is not a column
 */
export function sparseSumsChunk(
  indptr: usize,
  base: i32,
  indices: usize,
  values: usize,
  n: i32,
  binary: i32,
  threshold: f64,
  flip: i32,
  states: usize,
  chunks: i32,
  codes: usize,
  s: usize,
  sums: usize,
  area: Bytes,
  d: i32,
  chunk: i32,
): void {
  let state = load<f64>(states + ((<usize>chunk) << 3));
  const table = sums + <usize>chunk * area;
  const first = (n * chunk) / chunks;
  const last = (n * (chunk + 1)) / chunks;
  if (!allBelow(indices, startOf(indptr, first) - base, startOf(indptr, last) - base, d)) {
    store<f64>(states + ((<usize>(chunks + chunk)) << 3), 1);
    return;
  }
  for (let i = first; i < last; i++) {
    const to = table + <usize>load<i32>(codes + ((<usize>i) << 2)) * ((<usize>d) << 3);
    const weight = s == 0 ? 1.0 : load<f64>(s + ((<usize>i) << 3));
    const row = indptr + ((<usize>i) << 2);
    const end = load<i32>(row, 4) - base;
    for (let e = load<i32>(row) - base; e < end; e++) {
      const v = load<f64>(values + ((<usize>e) << 3));
      const cell = to + ((<usize>load<i32>(indices + ((<usize>e) << 2))) << 3);
      if (binary) {
        // 0 for finite numbers. A branch that is never taken costs less than a dependent sum.
        if (v - v != 0) state = NaN;
        if (i32(v > threshold) != flip) store<f64>(cell, load<f64>(cell) + weight);
      } else {
        if (v < state) state = v;
        store<f64>(cell, load<f64>(cell) + weight * v);
      }
    }
  }
  store<f64>(states + ((<usize>chunk) << 3), state);
}

/**
 * Scores of a chunk of sparse rows: out[i] = Σ e w_j, with e and `states` as in sparseSumsChunk. w is d × K and out n × K, K even
 * (padded). For two classes, even and odd entries have separate sums, added at the end; for more, entries are added in
 * order.
 */
export function sparseScoresChunk(
  indptr: usize,
  base: i32,
  indices: usize,
  values: usize,
  n: i32,
  binary: i32,
  threshold: f64,
  flip: i32,
  states: usize,
  chunks: i32,
  w: usize,
  d: i32,
  K: i32,
  out: usize,
  chunk: i32,
): void {
  let state = load<f64>(states + ((<usize>chunk) << 3));
  const width = (<usize>K) << 3;
  const first = (n * chunk) / chunks;
  const last = (n * (chunk + 1)) / chunks;
  if (!allBelow(indices, startOf(indptr, first) - base, startOf(indptr, last) - base, d)) {
    store<f64>(states + ((<usize>(chunks + chunk)) << 3), 1);
    return;
  }
  for (let i = first; i < last; i++) {
    const row = indptr + ((<usize>i) << 2);
    const end = load<i32>(row, 4) - base;
    const z = out + <usize>i * width;
    const e = load<i32>(row) - base;
    state =
      K == 2
        ? twoClassScores(indices, values, e, end, binary, threshold, flip, state, w, z)
        : manyClassScores(indices, values, e, end, binary, threshold, flip, state, w, width, z);
  }
  store<f64>(states + ((<usize>chunk) << 3), state);
}

/** The scores of one row, entries e … end − 1, for two classes; returns the new state. */
// @inline
function twoClassScores(
  indices: usize,
  values: usize,
  e: i32,
  end: i32,
  binary: i32,
  threshold: f64,
  flip: i32,
  state: f64,
  w: usize,
  z: usize,
): f64 {
  let a = f64x2.splat(0);
  let b = f64x2.splat(0);
  for (; e + 2 <= end; e += 2) {
    let u = load<f64>(values + ((<usize>e) << 3));
    let v = load<f64>(values + ((<usize>e) << 3), 8);
    const p = w + ((<usize>load<i32>(indices + ((<usize>e) << 2))) << 4);
    const q = w + ((<usize>load<i32>(indices + ((<usize>e) << 2), 4)) << 4);
    if (binary) {
      if (u - u + (v - v) != 0) state = NaN;
      u = i32(u > threshold) != flip ? 1 : 0;
      v = i32(v > threshold) != flip ? 1 : 0;
    } else {
      if (u < state) state = u;
      if (v < state) state = v;
    }
    a = f64x2.add(a, f64x2.mul(f64x2.splat(u), v128.load(p)));
    b = f64x2.add(b, f64x2.mul(f64x2.splat(v), v128.load(q)));
  }
  if (e < end) {
    let u = load<f64>(values + ((<usize>e) << 3));
    if (binary) {
      if (u - u != 0) state = NaN;
      u = i32(u > threshold) != flip ? 1 : 0;
    } else if (u < state) state = u;
    const p = w + ((<usize>load<i32>(indices + ((<usize>e) << 2))) << 4);
    a = f64x2.add(a, f64x2.mul(f64x2.splat(u), v128.load(p)));
  }
  v128.store(z, f64x2.add(a, b));
  return state;
}

/** The same for more classes: `width` bytes of scores. */
// @inline
function manyClassScores(
  indices: usize,
  values: usize,
  e: i32,
  end: i32,
  binary: i32,
  threshold: f64,
  flip: i32,
  state: f64,
  w: usize,
  width: usize,
  z: usize,
): f64 {
  memory.fill(z, 0, width);
  for (; e < end; e++) {
    let u = load<f64>(values + ((<usize>e) << 3));
    if (binary) {
      if (u - u != 0) state = NaN;
      if (i32(u > threshold) == flip) continue;
      u = 1;
    } else if (u < state) state = u;
    const p = w + <usize>load<i32>(indices + ((<usize>e) << 2)) * width;
    const uv = f64x2.splat(u);
    for (let k: usize = 0; k < width; k += 16)
      v128.store(z + k, f64x2.add(v128.load(z + k), f64x2.mul(uv, v128.load(p + k))));
  }
  return state;
}
