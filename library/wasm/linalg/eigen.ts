import { axpyRow, dotRow } from "../shared/rows";

/**
 * Householder reduction of a symmetric matrix to a tridiagonal one [Wilkinson 1965; EISPACK tred1]: T = H₁ … Hₙ₋₁ A Hₙ₋₁ … H₁
 * with Hᵢ = I − u uᵀ/h, where u is left in the first i entries of row i.
 *
 * a         n × n row-major, lower triangle; overwritten
 * diagonal  n doubles; off: n doubles, off[i] beside rows i − 1 and i; h: n doubles, 0 where there is no reflection
 * work      4 × (n + 4) doubles
 *
 * The rank-two update of one step is done by the pass that multiplies for the next, so that the matrix is read once per step.
 */
export function tridiagonalise(a: usize, n: i32, diagonal: usize, off: usize, h: usize, work: usize): void {
  const stride = (<usize>n) << 3;
  const room = (<usize>n + 4) << 3;
  memory.fill(work, 0, 4 * room);
  // The update that is still to be made: A − u qᵀ − q uᵀ; zeros at first.
  let u = work;
  let q = work + room;
  let p = work + 2 * room;
  const first = work + 3 * room;
  u = first;
  for (let i = n - 1; i > 0; i--) {
    const row = a + <usize>i * stride;
    updateRow(row, i + 1, u, q, i);
    store<f64>(diagonal + ((<usize>i) << 3), load<f64>(row + ((<usize>i) << 3)));
    const scale = reflector(row, i, off + ((<usize>i) << 3));
    store<f64>(h + ((<usize>i) << 3), scale);
    memory.fill(p, 0, (<usize>i) << 3);
    if (scale == 0) {
      // Nothing to reflect, but what is pending must be done.
      for (let r = 0; r < i; r++) updateRow(a + <usize>r * stride, r + 1, u, q, r);
      memory.fill(q, 0, room);
      continue;
    }
    multiply(a, stride, i, u, q, row, p);
    const inverse = 1 / scale;
    let dot: f64 = 0;
    for (let j = 0; j < i; j++) {
      const at = (<usize>j) << 3;
      const value = load<f64>(p + at) * inverse;
      store<f64>(p + at, value);
      dot += value * load<f64>(row + at);
    }
    axpyRow(-0.5 * dot * inverse, row, p, i);
    u = row;
    const held = q;
    q = p;
    p = held;
  }
  updateRow(a, 1, u, q, 0);
  store<f64>(diagonal, load<f64>(a));
  store<f64>(off, 0);
  store<f64>(h, 0);
}

/** Turns the first i entries of a row into u; stores the off-diagonal entry and returns h, 0 where they are zero but the last. */
function reflector(row: usize, i: i32, off: usize): f64 {
  const last = row + ((<usize>(i - 1)) << 3);
  const f = load<f64>(last);
  let rest: f64 = 0;
  for (let j = 0; j < i - 1; j++) {
    const x = load<f64>(row + ((<usize>j) << 3));
    rest += x * x;
  }
  if (rest == 0) {
    store<f64>(off, f);
    return 0;
  }
  const norm = Math.sqrt(rest + f * f);
  const g = f > 0 ? -norm : norm;
  store<f64>(off, g);
  store<f64>(last, f - g);
  return rest + f * f - f * g;
}

/** The first `count` entries of row r less u_r q + q_r u. */
function updateRow(row: usize, count: i32, u: usize, q: usize, r: i32): void {
  const at = (<usize>r) << 3;
  const ur = load<f64>(u + at);
  const qr = load<f64>(q + at);
  if (ur == 0 && qr == 0) return;
  axpyRow(-ur, q, row, count);
  axpyRow(-qr, u, row, count);
}

/** p = A v for the leading i × i block, after its update by u and q. */
function multiply(a: usize, stride: usize, i: i32, u: usize, q: usize, v: usize, p: usize): void {
  let r: i32 = 0;
  for (; r + 4 <= i; r += 4) {
    const row = a + <usize>r * stride;
    fourRows(row, stride, r, u, q, v, p);
    for (let e = r; e < r + 4; e++) corner(a + <usize>e * stride, r, e, u, q, v, p);
  }
  for (; r < i; r++) corner(a + <usize>r * stride, 0, r, u, q, v, p);
}

/** Entries from column `from` to the diagonal of row r. */
function corner(row: usize, from: i32, r: i32, u: usize, q: usize, v: usize, p: usize): void {
  const at = (<usize>r) << 3;
  const ur = load<f64>(u + at);
  const qr = load<f64>(q + at);
  const vr = load<f64>(v + at);
  let sum: f64 = 0;
  for (let j = from; j < r; j++) {
    const e = (<usize>j) << 3;
    const value = load<f64>(row + e) - ur * load<f64>(q + e) - qr * load<f64>(u + e);
    store<f64>(row + e, value);
    sum += value * load<f64>(v + e);
    store<f64>(p + e, load<f64>(p + e) + value * vr);
  }
  const value = load<f64>(row + at) - 2 * ur * qr;
  store<f64>(row + at, value);
  store<f64>(p + at, load<f64>(p + at) + sum + value * vr);
}

/** Rows r … r + 3 left of column r, a multiple of four: update, sum along the rows, and sum along the columns. */
function fourRows(row: usize, stride: usize, r: i32, u: usize, q: usize, v: usize, p: usize): void {
  const row1 = row + stride;
  const row2 = row1 + stride;
  const row3 = row2 + stride;
  const at = (<usize>r) << 3;
  const u0 = v128.load64_splat(u + at);
  const u1 = v128.load64_splat(u + at, 8);
  const u2 = v128.load64_splat(u + at, 16);
  const u3 = v128.load64_splat(u + at, 24);
  const q0 = v128.load64_splat(q + at);
  const q1 = v128.load64_splat(q + at, 8);
  const q2 = v128.load64_splat(q + at, 16);
  const q3 = v128.load64_splat(q + at, 24);
  const v0 = v128.load64_splat(v + at);
  const v1 = v128.load64_splat(v + at, 8);
  const v2 = v128.load64_splat(v + at, 16);
  const v3 = v128.load64_splat(v + at, 24);
  let s0 = f64x2.splat(0);
  let s1 = f64x2.splat(0);
  let s2 = f64x2.splat(0);
  let s3 = f64x2.splat(0);
  for (let j: usize = 0; j < at; j += 16) {
    const uj = v128.load(u + j);
    const qj = v128.load(q + j);
    const vj = v128.load(v + j);
    let x = f64x2.sub(f64x2.sub(v128.load(row + j), f64x2.mul(u0, qj)), f64x2.mul(q0, uj));
    v128.store(row + j, x);
    s0 = f64x2.add(s0, f64x2.mul(x, vj));
    let sum = f64x2.mul(x, v0);
    x = f64x2.sub(f64x2.sub(v128.load(row1 + j), f64x2.mul(u1, qj)), f64x2.mul(q1, uj));
    v128.store(row1 + j, x);
    s1 = f64x2.add(s1, f64x2.mul(x, vj));
    sum = f64x2.add(sum, f64x2.mul(x, v1));
    x = f64x2.sub(f64x2.sub(v128.load(row2 + j), f64x2.mul(u2, qj)), f64x2.mul(q2, uj));
    v128.store(row2 + j, x);
    s2 = f64x2.add(s2, f64x2.mul(x, vj));
    sum = f64x2.add(sum, f64x2.mul(x, v2));
    x = f64x2.sub(f64x2.sub(v128.load(row3 + j), f64x2.mul(u3, qj)), f64x2.mul(q3, uj));
    v128.store(row3 + j, x);
    s3 = f64x2.add(s3, f64x2.mul(x, vj));
    sum = f64x2.add(sum, f64x2.mul(x, v3));
    v128.store(p + j, f64x2.add(v128.load(p + j), sum));
  }
  addLanes(p + at, s0);
  addLanes(p + at + 8, s1);
  addLanes(p + at + 16, s2);
  addLanes(p + at + 24, s3);
}

// @inline
function addLanes(at: usize, x: v128): void {
  store<f64>(at, load<f64>(at) + f64x2.extract_lane(x, 0) + f64x2.extract_lane(x, 1));
}

/** Vectors of T as vectors of A: Hₙ₋₁ … H₁ z for a chunk of the `count` rows of n doubles of z, in place. */
export function backTransformChunk(
  a: usize,
  n: i32,
  h: usize,
  z: usize,
  count: i32,
  chunkRows: i32,
  chunk: i32,
): void {
  const stride = (<usize>n) << 3;
  const from = chunk * chunkRows;
  const to = min(count, from + chunkRows);
  for (let i = 1; i < n; i++) {
    const scale = load<f64>(h + ((<usize>i) << 3));
    if (scale == 0) continue;
    const u = a + <usize>i * stride;
    for (let k = from; k < to; k++) {
      const own = z + <usize>k * stride;
      axpyRow(-dotRow(u, own, i) / scale, u, own, i);
    }
  }
}

/** Row k of z (rows of n doubles) less its projections on rows `first` … k − 1, which have length 1, one after the other. */
export function orthogonaliseRow(z: usize, n: i32, first: i32, k: i32): void {
  const stride = (<usize>n) << 3;
  const own = z + <usize>k * stride;
  for (let other = first; other < k; other++) {
    const unit = z + <usize>other * stride;
    axpyRow(-dotRow(unit, own, n), unit, own, n);
  }
}
