import { Bytes } from "../shared/bytes";
import { logOf, vexp } from "../shared/elementary";
import { tile } from "../shared/tile";
import { BLOCK } from "./softmax.layout";

/**
 * One pass of softmax cross-entropy over a chunk of dense rows.
 *
 *   Σ s_i (log Σ_k e^{z_ik} − z_{i,y_i}),   z_ik = x_i·w_k + b_k
 *
 * x       n × d row-major;  y  n class indices (i32);  s  n weights or 0
 * w       coefficients packed by class quads: kp/4 panels of d × 4 doubles;  b  kp intercepts, −∞ where padded
 * p       n × kp probabilities out;  kp = classes rounded up to 4
 * out     chunk × `area` bytes, zeroed here: loss, then kp intercept gradients, then kp × d
 * work    chunk × BLOCK × kp doubles of scratch: residuals
 */
export function softmaxChunk(
  x: usize,
  n: i32,
  d: i32,
  y: usize,
  s: usize,
  w: usize,
  b: usize,
  kp: i32,
  p: usize,
  out: usize,
  area: Bytes,
  work: usize,
  gradient: i32,
  chunkRows: i32,
  chunk: i32,
): void {
  const from = chunk * chunkRows;
  const to = min(n, from + chunkRows);
  const partial = out + <usize>chunk * area;
  memory.fill(partial, 0, area);
  const stride = (<usize>d) << 3;
  const wide = (<usize>kp) << 3;
  const r = work + <usize>chunk * (<usize>BLOCK * wide);
  let loss: f64 = 0;
  for (let i = from; i < to; i += BLOCK) {
    const count = min(BLOCK, to - i);
    const rows = x + <usize>i * stride;
    const probs = p + <usize>i * wide;
    for (let e = 0; e < count; e += 4) {
      for (let k = 0; k < kp; k += 4) {
        rowTile(
          rows,
          e,
          count,
          stride,
          w + <usize>k * stride,
          d,
          b + ((<usize>k) << 3),
          probs + ((<usize>k) << 3),
          wide,
        );
      }
    }
    for (let e = 0; e < count; e++) {
      const row = probs + <usize>e * wide;
      const si = s == 0 ? 1.0 : load<f64>(s + ((<usize>(i + e)) << 3));
      loss += si * softmaxRow(row, load<i32>(y + ((<usize>(i + e)) << 2)), si, kp, r + <usize>e * wide);
    }
    if (gradient) addGradient(rows, stride, d, r, wide, kp, count, partial + 8);
  }
  store<f64>(partial, loss);
}

/** Turns margins into probabilities in place, writes s·(p − e_y) to r and returns log Σ e^z − z_y. */
// @inline
function softmaxRow(row: usize, label: i32, s: f64, kp: i32, r: usize): f64 {
  const zy = load<f64>(row + ((<usize>label) << 3));
  let top = v128.load(row);
  for (let k: i32 = 2; k < kp; k += 2) top = f64x2.pmax(top, v128.load(row + ((<usize>k) << 3)));
  const largest = max(f64x2.extract_lane(top, 0), f64x2.extract_lane(top, 1));
  const shift = f64x2.splat(largest);
  let sum = f64x2.splat(0);
  for (let k: i32 = 0; k < kp; k += 2) {
    const at = row + ((<usize>k) << 3);
    const e = vexp(f64x2.sub(v128.load(at), shift));
    v128.store(at, e);
    sum = f64x2.add(sum, e);
  }
  const total = f64x2.extract_lane(sum, 0) + f64x2.extract_lane(sum, 1);
  const inv = f64x2.splat(1 / total);
  const sv = f64x2.splat(s);
  for (let k: i32 = 0; k < kp; k += 2) {
    const at = (<usize>k) << 3;
    const q = f64x2.mul(v128.load(row + at), inv);
    v128.store(row + at, q);
    v128.store(r + at, f64x2.mul(sv, q));
  }
  const ry = r + ((<usize>label) << 3);
  store<f64>(ry, s * (load<f64>(row + ((<usize>label) << 3)) - 1));
  return logOf(total) + (largest - zy);
}

/** Margins of rows e … e+3 (those below `count`) for one quad of classes. */
function rowTile(
  rows: usize,
  e: i32,
  count: i32,
  stride: usize,
  w: usize,
  d: i32,
  b: usize,
  z: usize,
  wide: usize,
): void {
  const last = count - 1;
  const x0 = rows + <usize>e * stride;
  const x1 = rows + <usize>min(e + 1, last) * stride;
  const x2 = rows + <usize>min(e + 2, last) * stride;
  const x3 = rows + <usize>min(e + 3, last) * stride;
  const b0 = v128.load(b);
  const b1 = v128.load(b, 16);
  let c00 = b0;
  let c01 = b1;
  let c10 = b0;
  let c11 = b1;
  let c20 = b0;
  let c21 = b1;
  let c30 = b0;
  let c31 = b1;
  let p0 = x0;
  let p1 = x1;
  let p2 = x2;
  let p3 = x3;
  let j: i32 = 0;
  // Two columns per iteration: address computations cost as much as loads here.
  for (; j + 2 <= d; j += 2) {
    const w0 = v128.load(w);
    const w1 = v128.load(w, 16);
    let v = v128.load64_splat(p0);
    c00 = f64x2.add(c00, f64x2.mul(v, w0));
    c01 = f64x2.add(c01, f64x2.mul(v, w1));
    v = v128.load64_splat(p1);
    c10 = f64x2.add(c10, f64x2.mul(v, w0));
    c11 = f64x2.add(c11, f64x2.mul(v, w1));
    v = v128.load64_splat(p2);
    c20 = f64x2.add(c20, f64x2.mul(v, w0));
    c21 = f64x2.add(c21, f64x2.mul(v, w1));
    v = v128.load64_splat(p3);
    c30 = f64x2.add(c30, f64x2.mul(v, w0));
    c31 = f64x2.add(c31, f64x2.mul(v, w1));
    const u0 = v128.load(w, 32);
    const u1 = v128.load(w, 48);
    v = v128.load64_splat(p0, 8);
    c00 = f64x2.add(c00, f64x2.mul(v, u0));
    c01 = f64x2.add(c01, f64x2.mul(v, u1));
    v = v128.load64_splat(p1, 8);
    c10 = f64x2.add(c10, f64x2.mul(v, u0));
    c11 = f64x2.add(c11, f64x2.mul(v, u1));
    v = v128.load64_splat(p2, 8);
    c20 = f64x2.add(c20, f64x2.mul(v, u0));
    c21 = f64x2.add(c21, f64x2.mul(v, u1));
    v = v128.load64_splat(p3, 8);
    c30 = f64x2.add(c30, f64x2.mul(v, u0));
    c31 = f64x2.add(c31, f64x2.mul(v, u1));
    p0 += 16;
    p1 += 16;
    p2 += 16;
    p3 += 16;
    w += 64;
  }
  if (j < d) {
    const w0 = v128.load(w);
    const w1 = v128.load(w, 16);
    let v = v128.load64_splat(p0);
    c00 = f64x2.add(c00, f64x2.mul(v, w0));
    c01 = f64x2.add(c01, f64x2.mul(v, w1));
    v = v128.load64_splat(p1);
    c10 = f64x2.add(c10, f64x2.mul(v, w0));
    c11 = f64x2.add(c11, f64x2.mul(v, w1));
    v = v128.load64_splat(p2);
    c20 = f64x2.add(c20, f64x2.mul(v, w0));
    c21 = f64x2.add(c21, f64x2.mul(v, w1));
    v = v128.load64_splat(p3);
    c30 = f64x2.add(c30, f64x2.mul(v, w0));
    c31 = f64x2.add(c31, f64x2.mul(v, w1));
  }
  let to = z + <usize>e * wide;
  v128.store(to, c00);
  v128.store(to, c01, 16);
  if (e + 1 > last) return;
  to += wide;
  v128.store(to, c10);
  v128.store(to, c11, 16);
  if (e + 2 > last) return;
  to += wide;
  v128.store(to, c20);
  v128.store(to, c21, 16);
  if (e + 3 > last) return;
  to += wide;
  v128.store(to, c30);
  v128.store(to, c31, 16);
}

/** out += [Σ r_ik, Σ r_ik x_i]: intercept gradients, then one row of d per class. */
function addGradient(
  rows: usize,
  stride: usize,
  d: i32,
  r: usize,
  wide: usize,
  kp: i32,
  count: i32,
  out: usize,
): void {
  for (let k: i32 = 0; k < kp; k += 2) {
    const at = (<usize>k) << 3;
    let sum = v128.load(out + at);
    for (let e = 0; e < count; e++) sum = f64x2.add(sum, v128.load(r + <usize>e * wide + at));
    v128.store(out + at, sum);
  }
  const g = out + wide;
  for (let k: i32 = 0; k < kp; k += 4) {
    const rk = r + ((<usize>k) << 3);
    const gk = g + <usize>k * stride;
    let j: i32 = 0;
    for (; j + 4 <= d; j += 4)
      tile(rk, wide, rows + ((<usize>j) << 3), stride, count, gk + ((<usize>j) << 3), stride);
    for (; j < d; j++) {
      for (let q: i32 = 0; q < 4; q++) {
        let sum: f64 = 0;
        for (let e = 0; e < count; e++) {
          sum +=
            load<f64>(rk + <usize>e * wide + ((<usize>q) << 3)) *
            load<f64>(rows + <usize>e * stride + ((<usize>j) << 3));
        }
        const at = gk + <usize>q * stride + ((<usize>j) << 3);
        store<f64>(at, load<f64>(at) + sum);
      }
    }
  }
}

/**
 * The same over compressed sparse rows. Coefficients are d × kp (row-major by feature), so that one entry of X
 * touches one contiguous range; the gradient has the same layout: loss, kp intercepts, d × kp.
 */
export function sparseSoftmaxChunk(
  indptr: usize,
  indices: usize,
  values: usize,
  n: i32,
  _d: i32,
  y: usize,
  s: usize,
  w: usize,
  b: usize,
  kp: i32,
  p: usize,
  out: usize,
  area: Bytes,
  work: usize,
  gradient: i32,
  chunkRows: i32,
  chunk: i32,
): void {
  const from = chunk * chunkRows;
  const to = min(n, from + chunkRows);
  const partial = out + <usize>chunk * area;
  if (gradient) memory.fill(partial, 0, area);
  const wide = (<usize>kp) << 3;
  const r = work + <usize>chunk * (<usize>BLOCK * wide);
  const g = partial + 8 + wide;
  let loss: f64 = 0;
  for (let i = from; i < to; i++) {
    const start = load<i32>(indptr + ((<usize>i) << 2));
    const end = load<i32>(indptr + ((<usize>i) << 2), 4);
    const row = p + <usize>i * wide;
    memory.copy(row, b, wide);
    for (let e = start; e < end; e++) {
      const v = v128.load64_splat(values + ((<usize>e) << 3));
      const wj = w + <usize>load<i32>(indices + ((<usize>e) << 2)) * wide;
      for (let at: usize = 0; at < wide; at += 16) {
        v128.store(row + at, f64x2.add(v128.load(row + at), f64x2.mul(v, v128.load(wj + at))));
      }
    }
    const si = s == 0 ? 1.0 : load<f64>(s + ((<usize>i) << 3));
    loss += si * softmaxRow(row, load<i32>(y + ((<usize>i) << 2)), si, kp, r);
    if (!gradient) continue;
    for (let at: usize = 0; at < wide; at += 16) {
      v128.store(partial + 8 + at, f64x2.add(v128.load(partial + 8 + at), v128.load(r + at)));
    }
    for (let e = start; e < end; e++) {
      const v = v128.load64_splat(values + ((<usize>e) << 3));
      const gj = g + <usize>load<i32>(indices + ((<usize>e) << 2)) * wide;
      for (let at: usize = 0; at < wide; at += 16) {
        v128.store(gj + at, f64x2.add(v128.load(gj + at), f64x2.mul(v, v128.load(r + at))));
      }
    }
  }
  store<f64>(partial, loss);
}
