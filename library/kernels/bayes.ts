import { logOf, vsum } from "./shared/elementary";

/**
 * First and second moments of the rows of a chunk, class by class, around a centre of each class:
 *   first[k][j] = Σ s (x_j − c_kj),   second[k][j] = Σ s (x_j − c_kj)²   over the rows i of the chunk with code_i = k.
 *
 * x  n × d row-major;  codes  n classes (i32);  s  n weights or 0;  centre  K × d
 * out  one area a chunk, 2 × K × d doubles: first, then second. Zeroed here.
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
    if (s == 0) plainRow(row, c, a, b, d);
    else weightedRow(row, load<f64>(s + ((<usize>i) << 3)), c, a, b, d);
  }
}

@inline
function plainRow(row: usize, c: usize, a: usize, b: usize, d: i32): void {
  let j: i32 = 0;
  for (; j + 2 <= d; j += 2) {
    const at = (<usize>j) << 3;
    const u = f64x2.sub(v128.load(row + at), v128.load(c + at));
    v128.store(a + at, f64x2.add(v128.load(a + at), u));
    v128.store(b + at, f64x2.add(v128.load(b + at), f64x2.mul(u, u)));
  }
  if (j < d) {
    const at = (<usize>j) << 3;
    const u = load<f64>(row + at) - load<f64>(c + at);
    store<f64>(a + at, load<f64>(a + at) + u);
    store<f64>(b + at, load<f64>(b + at) + u * u);
  }
}

@inline
function weightedRow(row: usize, weight: f64, c: usize, a: usize, b: usize, d: i32): void {
  const w = f64x2.splat(weight);
  let j: i32 = 0;
  for (; j + 2 <= d; j += 2) {
    const at = (<usize>j) << 3;
    const u = f64x2.sub(v128.load(row + at), v128.load(c + at));
    const wu = f64x2.mul(w, u);
    v128.store(a + at, f64x2.add(v128.load(a + at), wu));
    v128.store(b + at, f64x2.add(v128.load(b + at), f64x2.mul(wu, u)));
  }
  if (j < d) {
    const at = (<usize>j) << 3;
    const u = load<f64>(row + at) - load<f64>(c + at);
    store<f64>(a + at, load<f64>(a + at) + weight * u);
    store<f64>(b + at, load<f64>(b + at) + weight * u * u);
  }
}

/**
 * out[i][k] = constant_k − ½ Σ_j ((x_j − θ_kj) r_kj)² for the rows of a chunk: normal log-densities, r = 1/σ.
 * x  n × d;  theta, r  K × d;  constant  K;  out  n × K. The order of additions (four running sums) is part of the result:
 * src/numeric/bayes.ts does the same.
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
  let i = from;
  // Two rows at a time: θ and r are read once for both.
  for (; i + 2 <= to; i += 2) {
    const row = x + <usize>i * stride;
    const next = row + stride;
    let z = out + <usize>i * ((<usize>K) << 3);
    for (let k: i32 = 0; k < K; k++) {
      const t = theta + <usize>k * stride;
      const s = r + <usize>k * stride;
      let a = f64x2.splat(0);
      let b = f64x2.splat(0);
      let c = f64x2.splat(0);
      let e = f64x2.splat(0);
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
      const base = load<f64>(constant + ((<usize>k) << 3));
      store<f64>(z, base - 0.5 * sum);
      store<f64>(z + ((<usize>K) << 3), base - 0.5 * other);
      z += 8;
    }
  }
  for (; i < to; i++) {
    const row = x + <usize>i * stride;
    let z = out + <usize>i * ((<usize>K) << 3);
    for (let k: i32 = 0; k < K; k++) {
      const t = theta + <usize>k * stride;
      const s = r + <usize>k * stride;
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
      store<f64>(z, load<f64>(constant + ((<usize>k) << 3)) - 0.5 * sum);
      z += 8;
    }
  }
}

/** x[e] = log x[e] for a chunk of n positive normal numbers, with the bits of core/elementary.ts. */
export function logChunk(x: usize, n: i32, chunkRows: i32, chunk: i32): void {
  const to = min(n, (chunk + 1) * chunkRows);
  for (let e = chunk * chunkRows; e < to; e++) {
    const at = x + ((<usize>e) << 3);
    store<f64>(at, logOf(load<f64>(at)));
  }
}
