import { CHUNK, Means } from "../k-means.layout";

/** Half a unit in the last place of 1 in 32 bits, and a twentieth more for what first-order bounds leave out. */
const UNIT: f64 = 1.05 * 5.9604644775390625e-8;
/** Lengths above this could overflow in 32 bits: every centre is then measured. */
const FARTHEST: f64 = 1e15;

// @inline
function lengthOf(d: i32): usize {
  return (<usize>d) << 2;
}

/**
 * Bound of |filter value in 32 bits − exact value| of a row with ‖g‖ ≤ length: (d + 6) u ‖g‖ ‖f‖ + 2u ‖f‖² with u = 2⁻²⁴
 * [Higham 2002, section 3.1]; +∞ where 32 bits may overflow. The last term is for numbers near the smallest ones.
 */
// @inline
export function filterError(m: Means, length: f64): f64 {
  const most = m.radius;
  if (length > FARTHEST || most > FARTHEST) return Infinity;
  return UNIT * ((<f64>m.d + 6) * length * most + 2 * most * most) + 1e-36 * (<f64>m.d + 1);
}

/** Filter coordinates of all centres. */
export function packCenters(means: usize): void {
  const m = changetype<Means>(means);
  m.radius = pack(m, m.centers, m.k, m.panels, m.halves);
}

/** Filter coordinates of all candidates, in the place of those of centres. */
export function packCandidates(means: usize): void {
  const m = changetype<Means>(means);
  pack(m, m.candidates, m.trials, m.panels, m.halves);
}

/** Returns the largest ‖f‖, rounded up. */
function pack(m: Means, rows: usize, count: i32, panels: usize, halves: usize): f64 {
  const d = m.d;
  const shift = m.shift;
  let most: f64 = 0;
  for (let c: i32 = 0; c < ((count + 7) & ~7); c++) {
    const row = rows + ((<usize>c * <usize>d) << 3);
    let to = panels + ((<usize>(c & ~7) * <usize>d) << 2) + ((<usize>(c & 7)) << 2);
    let square: f64 = 0;
    for (let j: i32 = 0; j < d; j++, to += 32) {
      const at = (<usize>j) << 3;
      const value = c < count ? (load<f64>(row + at) - load<f64>(shift + at)) * m.scale : 0;
      square += value * value;
      store<f32>(to, <f32>value);
    }
    most = max(most, square);
    store<f32>(halves + ((<usize>c) << 2), c < count ? <f32>(square / 2) : Infinity);
  }
  return sqrt(most) * (1 + 1e-12);
}

/** Filter coordinates of a chunk of rows. */
export function packRowsChunk(means: usize, chunk: i32): void {
  const m = changetype<Means>(means);
  const d = m.d;
  const from = chunk * CHUNK;
  const to = min(m.n, from + CHUNK);
  for (let i = from; i < to; i++) {
    let x = m.x + ((<usize>i * <usize>d) << 3);
    let g = m.singles + ((<usize>i * <usize>d) << 2);
    let shift = m.shift;
    let square: f64 = 0;
    for (let j: i32 = 0; j < d; j++, x += 8, shift += 8, g += 4) {
      const value = (load<f64>(x) - load<f64>(shift)) * m.scale;
      square += value * value;
      store<f32>(g, <f32>value);
    }
    store<f64>(m.lengths + ((<usize>i) << 3), sqrt(square) * (1 + 1e-12));
  }
}

/** ½‖g‖² of a row by its length, rounded down. */
// @inline
export function halfSquare(length: f64): f64 {
  return length * length * (0.5 - 2e-12);
}

/** Filter values of up to GROUP listed rows with `count` packed rows: rows of `stride` bytes. Past `size` the last row is repeated. */
export function filterGroup(m: Means, count: i32, list: usize, size: i32, out: usize, stride: usize): void {
  const d = m.d;
  const panelBytes = lengthOf(d) << 3;
  for (let c: i32 = 0; c < count; c += 8) {
    const panel = m.panels + <usize>(c >> 3) * panelBytes;
    const halves = m.halves + ((<usize>c) << 2);
    const to = out + ((<usize>c) << 2);
    for (let r: i32 = 0; r < size; r += 4)
      tile(
        rowAt(m, list, r, d),
        rowAt(m, list, min(r + 1, size - 1), d),
        rowAt(m, list, min(r + 2, size - 1), d),
        rowAt(m, list, min(r + 3, size - 1), d),
        panel,
        d,
        halves,
        to + <usize>r * stride,
        stride,
      );
  }
}

// @inline
function rowAt(m: Means, list: usize, r: i32, d: i32): usize {
  return m.singles + <usize>load<i32>(list + ((<usize>r) << 2)) * lengthOf(d);
}

/** Four rows and a panel of eight centres: ½‖f‖² − g·f. */
function tile(
  a: usize,
  b: usize,
  c: usize,
  e: usize,
  panel: usize,
  d: i32,
  halves: usize,
  out: usize,
  stride: usize,
): void {
  let a0 = f32x4.splat(0);
  let a1 = f32x4.splat(0);
  let b0 = f32x4.splat(0);
  let b1 = f32x4.splat(0);
  let c0 = f32x4.splat(0);
  let c1 = f32x4.splat(0);
  let e0 = f32x4.splat(0);
  let e1 = f32x4.splat(0);
  const end = panel + ((<usize>d) << 5);
  for (; panel < end; panel += 32, a += 4, b += 4, c += 4, e += 4) {
    const p0 = v128.load(panel);
    const p1 = v128.load(panel, 16);
    let s = v128.load32_splat(a);
    a0 = f32x4.add(a0, f32x4.mul(s, p0));
    a1 = f32x4.add(a1, f32x4.mul(s, p1));
    s = v128.load32_splat(b);
    b0 = f32x4.add(b0, f32x4.mul(s, p0));
    b1 = f32x4.add(b1, f32x4.mul(s, p1));
    s = v128.load32_splat(c);
    c0 = f32x4.add(c0, f32x4.mul(s, p0));
    c1 = f32x4.add(c1, f32x4.mul(s, p1));
    s = v128.load32_splat(e);
    e0 = f32x4.add(e0, f32x4.mul(s, p0));
    e1 = f32x4.add(e1, f32x4.mul(s, p1));
  }
  const h0 = v128.load(halves);
  const h1 = v128.load(halves, 16);
  v128.store(out, f32x4.sub(h0, a0));
  v128.store(out, f32x4.sub(h1, a1), 16);
  out += stride;
  v128.store(out, f32x4.sub(h0, b0));
  v128.store(out, f32x4.sub(h1, b1), 16);
  out += stride;
  v128.store(out, f32x4.sub(h0, c0));
  v128.store(out, f32x4.sub(h1, c1), 16);
  out += stride;
  v128.store(out, f32x4.sub(h0, e0));
  v128.store(out, f32x4.sub(h1, e1), 16);
}

/** Bytes of a row of filter values. */
// @inline
export function strideOf(k: i32): usize {
  return (<usize>((k + 7) & ~7)) << 2;
}
