import { vsum } from "./elementary";

/** Row loops shared by the dense kernels. Rows are d doubles each, `stride` bytes apart, unaligned. */

/** x · w over d entries. The order of additions (four running pairs) determines the bits. */
// @inline
export function dotRow(x: usize, w: usize, d: i32): f64 {
  let a = f64x2.splat(0);
  let b = f64x2.splat(0);
  let j: i32 = 0;
  for (; j + 4 <= d; j += 4) {
    const at = (<usize>j) << 3;
    a = f64x2.add(a, f64x2.mul(v128.load(x + at), v128.load(w + at)));
    b = f64x2.add(b, f64x2.mul(v128.load(x + at, 16), v128.load(w + at, 16)));
  }
  let sum = vsum(f64x2.add(a, b));
  for (; j < d; j++) sum += load<f64>(x + ((<usize>j) << 3)) * load<f64>(w + ((<usize>j) << 3));
  return sum;
}

/** out += a·x over d entries. */
// @inline
export function axpyRow(a: f64, x: usize, out: usize, d: i32): void {
  const av = f64x2.splat(a);
  let j: i32 = 0;
  for (; j + 4 <= d; j += 4) {
    const at = (<usize>j) << 3;
    v128.store(out + at, f64x2.add(v128.load(out + at), f64x2.mul(av, v128.load(x + at))));
    v128.store(out + at, f64x2.add(v128.load(out + at, 16), f64x2.mul(av, v128.load(x + at, 16))), 16);
  }
  for (; j < d; j++) {
    const at = (<usize>j) << 3;
    store<f64>(out + at, load<f64>(out + at) + a * load<f64>(x + at));
  }
}

/** z[i] = x_i · w + b for `count` rows; same additions as dotRow, four rows at a time so that w is read once. */
export function marginRows(x: usize, stride: usize, w: usize, b: f64, z: usize, count: i32, d: i32): void {
  let i: i32 = 0;
  for (; i + 4 <= count; i += 4) {
    const x0 = x + <usize>i * stride;
    const x1 = x0 + stride;
    const x2 = x1 + stride;
    const x3 = x2 + stride;
    let a0 = f64x2.splat(0);
    let a1 = f64x2.splat(0);
    let a2 = f64x2.splat(0);
    let a3 = f64x2.splat(0);
    let b0 = f64x2.splat(0);
    let b1 = f64x2.splat(0);
    let b2 = f64x2.splat(0);
    let b3 = f64x2.splat(0);
    let j: i32 = 0;
    for (; j + 4 <= d; j += 4) {
      const at = (<usize>j) << 3;
      const u = v128.load(w + at);
      const v = v128.load(w + at, 16);
      a0 = f64x2.add(a0, f64x2.mul(v128.load(x0 + at), u));
      b0 = f64x2.add(b0, f64x2.mul(v128.load(x0 + at, 16), v));
      a1 = f64x2.add(a1, f64x2.mul(v128.load(x1 + at), u));
      b1 = f64x2.add(b1, f64x2.mul(v128.load(x1 + at, 16), v));
      a2 = f64x2.add(a2, f64x2.mul(v128.load(x2 + at), u));
      b2 = f64x2.add(b2, f64x2.mul(v128.load(x2 + at, 16), v));
      a3 = f64x2.add(a3, f64x2.mul(v128.load(x3 + at), u));
      b3 = f64x2.add(b3, f64x2.mul(v128.load(x3 + at, 16), v));
    }
    let s0 = vsum(f64x2.add(a0, b0));
    let s1 = vsum(f64x2.add(a1, b1));
    let s2 = vsum(f64x2.add(a2, b2));
    let s3 = vsum(f64x2.add(a3, b3));
    for (; j < d; j++) {
      const at = (<usize>j) << 3;
      const wj = load<f64>(w + at);
      s0 += load<f64>(x0 + at) * wj;
      s1 += load<f64>(x1 + at) * wj;
      s2 += load<f64>(x2 + at) * wj;
      s3 += load<f64>(x3 + at) * wj;
    }
    const out = z + ((<usize>i) << 3);
    store<f64>(out, s0 + b);
    store<f64>(out, s1 + b, 8);
    store<f64>(out, s2 + b, 16);
    store<f64>(out, s3 + b, 24);
  }
  for (; i < count; i++) store<f64>(z + ((<usize>i) << 3), dotRow(x + <usize>i * stride, w, d) + b);
}

/** out += Σ r_i x_i over `count` rows, four rows at a time. */
export function addRows(x: usize, stride: usize, r: usize, out: usize, count: i32, d: i32): void {
  let i: i32 = 0;
  for (; i + 4 <= count; i += 4) {
    const x0 = x + <usize>i * stride;
    addFour(false, r + ((<usize>i) << 3), x0, x0 + stride, x0 + 2 * stride, x0 + 3 * stride, out, d);
  }
  for (; i < count; i++) axpyRow(load<f64>(r + ((<usize>i) << 3)), x + <usize>i * stride, out, d);
}

/** out += r_0 x0 + … + r_3 x3 over d entries, or out −= this if `minus`; the four numbers are at r. */
// @inline
export function addFour(
  minus: bool,
  r: usize,
  x0: usize,
  x1: usize,
  x2: usize,
  x3: usize,
  out: usize,
  d: i32,
): void {
  const r0 = v128.load64_splat(r);
  const r1 = v128.load64_splat(r, 8);
  const r2 = v128.load64_splat(r, 16);
  const r3 = v128.load64_splat(r, 24);
  let j: i32 = 0;
  for (; j + 2 <= d; j += 2) {
    const at = (<usize>j) << 3;
    const p = f64x2.add(f64x2.mul(r0, v128.load(x0 + at)), f64x2.mul(r1, v128.load(x1 + at)));
    const q = f64x2.add(f64x2.mul(r2, v128.load(x2 + at)), f64x2.mul(r3, v128.load(x3 + at)));
    const old = v128.load(out + at);
    v128.store(out + at, minus ? f64x2.sub(old, f64x2.add(p, q)) : f64x2.add(old, f64x2.add(p, q)));
  }
  if (j < d) {
    const at = (<usize>j) << 3;
    const p = load<f64>(r) * load<f64>(x0 + at) + load<f64>(r, 8) * load<f64>(x1 + at);
    const q = load<f64>(r, 16) * load<f64>(x2 + at) + load<f64>(r, 24) * load<f64>(x3 + at);
    store<f64>(out + at, minus ? load<f64>(out + at) - (p + q) : load<f64>(out + at) + (p + q));
  }
}
