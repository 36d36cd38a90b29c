import { addRows } from "../shared/rows";
import { PACKED, tile } from "../shared/tile";

export { gemvChunk } from "../shared/row-products";

/** Quads of rows that are multiplied with a panel together: 16 × 64 × 4 × 8 = 32 KB of features stay in the first-level cache. */
const QUADS: i32 = 16;
/** Bytes of a slice's entry in the table. */
const SLICE: usize = 24;

/**
 * The contribution of the rows of a chunk to K x, for a symmetric K of which the lower triangle is stored, for several vectors x.
 * The sum of the areas of all chunks is K x.
 *
 * k     n × n row-major, entries above the diagonal are not read
 * x     `vectors` rows of n doubles
 * out   one area per chunk, vectors × n doubles; entries up to the chunk's last row are written
 * chunkRows is a multiple of 4.
 */
export function symmetricChunk(
  k: usize,
  n: i32,
  x: usize,
  vectors: i32,
  out: usize,
  chunkRows: i32,
  chunk: i32,
): void {
  const from = chunk * chunkRows;
  const to = min(n, from + chunkRows);
  const length = (<usize>n) << 3;
  const area = out + <usize>chunk * <usize>vectors * length;
  for (let v: i32 = 0; v < vectors; v++) memory.fill(area + <usize>v * length, 0, (<usize>to) << 3);
  for (let i = from; i < to; i += 4) {
    const rows = k + <usize>i * length;
    for (let v: i32 = 0; v < vectors; v++) {
      const own = area + <usize>v * length;
      const given = x + <usize>v * length;
      if (i + 4 <= to) fourRows(rows, length, i, given, own);
      else for (let r = i; r < to; r++) oneRow(k + <usize>r * length, i, given, own, r);
      corner(rows, length, i, min(4, to - i), given, own);
    }
  }
}

/** Rows i … i + 3 left of their diagonal block, both as rows and as columns. */
function fourRows(row: usize, length: usize, i: i32, x: usize, out: usize): void {
  const row1 = row + length;
  const row2 = row1 + length;
  const row3 = row2 + length;
  const at = (<usize>i) << 3;
  const x0 = v128.load64_splat(x + at);
  const x1 = v128.load64_splat(x + at, 8);
  const x2 = v128.load64_splat(x + at, 16);
  const x3 = v128.load64_splat(x + at, 24);
  let s0 = f64x2.splat(0);
  let s1 = s0;
  let s2 = s0;
  let s3 = s0;
  for (let j: usize = 0; j < at; j += 16) {
    const xj = v128.load(x + j);
    const k0 = v128.load(row + j);
    const k1 = v128.load(row1 + j);
    s0 = f64x2.add(s0, f64x2.mul(k0, xj));
    s1 = f64x2.add(s1, f64x2.mul(k1, xj));
    const p = f64x2.add(f64x2.mul(k0, x0), f64x2.mul(k1, x1));
    const k2 = v128.load(row2 + j);
    const k3 = v128.load(row3 + j);
    s2 = f64x2.add(s2, f64x2.mul(k2, xj));
    s3 = f64x2.add(s3, f64x2.mul(k3, xj));
    const q = f64x2.add(f64x2.mul(k2, x2), f64x2.mul(k3, x3));
    v128.store(out + j, f64x2.add(v128.load(out + j), f64x2.add(p, q)));
  }
  addTo(out + at, lanes(s0));
  addTo(out + at + 8, lanes(s1));
  addTo(out + at + 16, lanes(s2));
  addTo(out + at + 24, lanes(s3));
}

/** One row up to column i. */
function oneRow(row: usize, i: i32, x: usize, out: usize, r: i32): void {
  const own = load<f64>(x + ((<usize>r) << 3));
  let sum: f64 = 0;
  for (let j: i32 = 0; j < i; j++) {
    const at = (<usize>j) << 3;
    const value = load<f64>(row + at);
    sum += value * load<f64>(x + at);
    store<f64>(out + at, load<f64>(out + at) + value * own);
  }
  addTo(out + ((<usize>r) << 3), sum);
}

/** The diagonal block of `rows` rows from i on. */
function corner(row: usize, length: usize, i: i32, rows: i32, x: usize, out: usize): void {
  for (let r = i; r < i + rows; r++, row += length) {
    const own = load<f64>(x + ((<usize>r) << 3));
    for (let j = i; j <= r; j++) {
      const value = load<f64>(row + ((<usize>j) << 3));
      addTo(out + ((<usize>r) << 3), value * load<f64>(x + ((<usize>j) << 3)));
      if (j < r) addTo(out + ((<usize>j) << 3), value * own);
    }
  }
}

// @inline
function lanes(v: v128): f64 {
  return f64x2.extract_lane(v, 0) + f64x2.extract_lane(v, 1);
}

// @inline
function addTo(at: usize, value: f64): void {
  store<f64>(at, load<f64>(at) + value);
}

/**
 * C ← C + Σ_s Φ_s P_s for a chunk of the quads of rows from `first` to `end`.
 *
 * slices  for each slice three doubles: its address as if it began with quad 0, its width w, and its first stored quad.
 *         Features are stored in quads of rows: quad g of a slice has w times four doubles, one per row
 * panels  for each slice in turn, and for each of the `columns` quads of C's columns: w times four doubles
 * c       rows of C, `ld` doubles apart, quad `first` at its beginning; four rows of every quad are written
 */
export function downdateChunk(
  slices: usize,
  count: i32,
  panels: usize,
  columns: i32,
  c: usize,
  ld: i32,
  first: i32,
  end: i32,
  chunkQuads: i32,
  chunk: i32,
): void {
  const to = min(end, first + (chunk + 1) * chunkQuads);
  const stride = (<usize>ld) << 3;
  for (let g = first + chunk * chunkQuads; g < to; g += QUADS) {
    const last = min(to, g + QUADS);
    let panel = panels;
    for (let s: i32 = 0; s < count; s++) {
      const address = <usize>load<f64>(slices + <usize>s * SLICE);
      const width = <i32>load<f64>(slices + <usize>s * SLICE, 8);
      const bytes = (<usize>width) << 5;
      for (let q: i32 = 0; q < columns; q++, panel += bytes) {
        for (let e = g; e < last; e++) {
          const rows = c + <usize>(e - first) * (stride << 2) + ((<usize>q) << 5);
          tile(address + <usize>e * bytes, PACKED, panel, PACKED, width, rows, stride);
        }
      }
    }
  }
}

/**
 * A new slice from C: its features are T⁻¹ c, c a row's entries in C's columns order[0 … width − 1].
 *
 * t       −T left of its diagonal blocks of four in panels: for each four rows of T, as many quads as they have columns there;
 *         the remaining rows, fewer than four, are not in it
 * ends    T in its diagonal blocks: four doubles per row, the last used one is the reciprocal of the diagonal.
 *         The remaining rows have all of their −T here, width doubles each, with the reciprocal
 * slice   as above, the address of quad 0 (quads before `first` are not stored)
 * left    the remaining diagonal of each row, or 0: Σ of the squared new features is subtracted
 */
export function sliceChunk(
  c: usize,
  ld: i32,
  order: usize,
  t: usize,
  ends: usize,
  width: i32,
  slice: usize,
  left: usize,
  first: i32,
  end: i32,
  chunkQuads: i32,
  chunk: i32,
): void {
  const stride = (<usize>ld) << 3;
  const to = min(end, first + (chunk + 1) * chunkQuads);
  const fours = width & ~3;
  for (let g = first + chunk * chunkQuads; g < to; g++) {
    const rows = c + <usize>(g - first) * (stride << 2);
    const out = slice + <usize>g * ((<usize>width) << 5);
    for (let k: i32 = 0; k < width; k++) {
      const at = rows + ((<usize>load<i32>(order + ((<usize>k) << 2))) << 3);
      const to = out + ((<usize>k) << 5);
      store<f64>(to, load<f64>(at));
      store<f64>(to, load<f64>(at + stride), 8);
      store<f64>(to, load<f64>(at + 2 * stride), 16);
      store<f64>(to, load<f64>(at + 3 * stride), 24);
    }
    let panel = t;
    for (let k: i32 = 0; k < fours; k += 4) {
      tile(panel, PACKED, out, PACKED, k, out + ((<usize>k) << 5), PACKED);
      panel += (<usize>k) << 5;
      for (let r: i32 = 0; r < 4; r++) {
        const block = out + ((<usize>k) << 5);
        finish(block, ends + ((<usize>(k + r)) << 5), r, block + ((<usize>r) << 5));
      }
    }
    let row = ends + ((<usize>fours) << 5);
    for (let k = fours; k < width; k++, row += (<usize>width) << 3)
      finish(out, row, k, out + ((<usize>k) << 5));
    if (left != 0) takeSquares(out, width, left + ((<usize>g) << 5));
  }
}

/** One feature of a quad: the contribution of the `count` features before it is added (T is negative), and the sum scaled. */
// @inline
function finish(done: usize, row: usize, count: i32, at: usize): void {
  let u = v128.load(at);
  let v = v128.load(at, 16);
  for (let e: i32 = 0; e < count; e++, done += 32) {
    const factor = v128.load64_splat(row + ((<usize>e) << 3));
    u = f64x2.add(u, f64x2.mul(factor, v128.load(done)));
    v = f64x2.add(v, f64x2.mul(factor, v128.load(done, 16)));
  }
  const reciprocal = v128.load64_splat(row + ((<usize>count) << 3));
  v128.store(at, f64x2.mul(u, reciprocal));
  v128.store(at, f64x2.mul(v, reciprocal), 16);
}

// @inline
function takeSquares(out: usize, width: i32, diagonal: usize): void {
  let square0 = f64x2.splat(0);
  let square1 = f64x2.splat(0);
  for (let k: i32 = 0; k < width; k++, out += 32) {
    const u = v128.load(out);
    const v = v128.load(out, 16);
    square0 = f64x2.add(square0, f64x2.mul(u, u));
    square1 = f64x2.add(square1, f64x2.mul(v, v));
  }
  v128.store(diagonal, f64x2.sub(v128.load(diagonal), square0));
  v128.store(diagonal, f64x2.sub(v128.load(diagonal, 16), square1), 16);
}

/** Row-major features (n × rank doubles) of a chunk of quads, from slices as above; 0 where there are none. */
export function unpackChunk(
  slices: usize,
  count: i32,
  rank: i32,
  n: i32,
  out: usize,
  chunkQuads: i32,
  chunk: i32,
): void {
  const to = min((n + 3) >> 2, (chunk + 1) * chunkQuads);
  for (let g = chunk * chunkQuads; g < to; g++) {
    let at = out + ((<usize>(g << 2) * <usize>rank) << 3);
    const rows = min(4, n - (g << 2));
    for (let s: i32 = 0; s < count; s++) {
      const width = <i32>load<f64>(slices + <usize>s * SLICE, 8);
      const quad = <usize>load<f64>(slices + <usize>s * SLICE) + <usize>g * ((<usize>width) << 5);
      const there = g >= <i32>load<f64>(slices + <usize>s * SLICE, 16);
      for (let r: i32 = 0; r < rows; r++) {
        const row = at + ((<usize>r * <usize>rank) << 3);
        if (!there) memory.fill(row, 0, (<usize>width) << 3);
        for (let k: i32 = 0; there && k < width; k++) {
          store<f64>(row + ((<usize>k) << 3), load<f64>(quad + ((<usize>k) << 5) + ((<usize>r) << 3)));
        }
      }
      at += (<usize>width) << 3;
    }
  }
}

/** out[chunk] = Σ_i v_i φ_i over the chunk's rows of Φ (n × r row-major); r doubles per chunk. */
export function projectChunk(
  phi: usize,
  n: i32,
  r: i32,
  v: usize,
  out: usize,
  chunkRows: i32,
  chunk: i32,
): void {
  const from = chunk * chunkRows;
  const stride = (<usize>r) << 3;
  const sums = out + <usize>chunk * stride;
  memory.fill(sums, 0, stride);
  addRows(phi + <usize>from * stride, stride, v + ((<usize>from) << 3), sums, min(n - from, chunkRows), r);
}
