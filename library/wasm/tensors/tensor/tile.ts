import { loadUpTo, storeUpTo } from "../../shared/lanes";

/** Bytes of one step of a panel: two vectors, hence 8 columns of floats or 4 of doubles. */
// @inline
export const STEP: usize = 32;

/** Columns of a panel. */
// @inline
export function panel<T>(): i32 {
  return <i32>(STEP / sizeof<T>());
}

/**
 * C = max(S + A·B, floor), or max(C + S + A·B, floor) if `add`, for one panel of columns.
 *
 * a       the first row of A; its rows are `row` bytes apart, the entries of a row `step` bytes
 * start   the row S, which every row of the product begins with
 * b       `depth` rows of B, `next` bytes apart; in a packed panel they follow S
 * c       rows `ldc` bytes apart; two vectors of each are written
 * floor   −∞ for no bound; NaN stays NaN
 *
 * Four rows at a time: eight accumulators, two vectors of B and a splat fit into the sixteen vector registers of x86. Rows beyond
 * `rows` are computed from row 0 and not written.
 */
export function tiles<T>(
  a: usize,
  row: usize,
  step: usize,
  rows: i32,
  start: usize,
  b: usize,
  next: usize,
  depth: i32,
  c: usize,
  ldc: usize,
  add: bool,
  floor: T,
): void {
  const low = v128.splat<T>(floor);
  if (depth > 0 && depth <= SHALLOW && rows > 1) {
    shallowTiles<T>(a, row, step, rows, start, b, next, depth, c, ldc, add, low);
    return;
  }
  const end = b + <usize>depth * next;
  for (let left = rows; left > 0; left -= 4, a += 4 * row, c += 4 * ldc) {
    let c00 = v128.load(start);
    let c01 = v128.load(start, 16);
    let c10 = c00;
    let c11 = c01;
    let c20 = c00;
    let c21 = c01;
    let c30 = c00;
    let c31 = c01;
    let a0 = a;
    let a1 = left > 1 ? a + row : a;
    let a2 = left > 2 ? a + 2 * row : a;
    let a3 = left > 3 ? a + 3 * row : a;
    for (let p = b; p < end; p += next) {
      const b0 = v128.load(p);
      const b1 = v128.load(p, 16);
      let s = v128.load_splat<T>(a0);
      c00 = v128.add<T>(c00, v128.mul<T>(s, b0));
      c01 = v128.add<T>(c01, v128.mul<T>(s, b1));
      s = v128.load_splat<T>(a1);
      c10 = v128.add<T>(c10, v128.mul<T>(s, b0));
      c11 = v128.add<T>(c11, v128.mul<T>(s, b1));
      s = v128.load_splat<T>(a2);
      c20 = v128.add<T>(c20, v128.mul<T>(s, b0));
      c21 = v128.add<T>(c21, v128.mul<T>(s, b1));
      s = v128.load_splat<T>(a3);
      c30 = v128.add<T>(c30, v128.mul<T>(s, b0));
      c31 = v128.add<T>(c31, v128.mul<T>(s, b1));
      a0 += step;
      a1 += step;
      a2 += step;
      a3 += step;
    }
    write<T>(c, c00, c01, add, low);
    if (left > 1) write<T>(c + ldc, c10, c11, add, low);
    if (left > 2) write<T>(c + 2 * ldc, c20, c21, add, low);
    if (left > 3) write<T>(c + 3 * ldc, c30, c31, add, low);
  }
}

/** Rows of B that fit into the vector registers. */
export const SHALLOW = 4;

/** What `tiles` computes, for 1 to SHALLOW rows of B: these stay in registers, and the rows of A pass by. */
function shallowTiles<T>(
  a: usize,
  row: usize,
  step: usize,
  rows: i32,
  start: usize,
  b: usize,
  next: usize,
  depth: i32,
  c: usize,
  ldc: usize,
  add: bool,
  low: v128,
): void {
  const s0 = v128.load(start);
  const s1 = v128.load(start, 16);
  const b00 = v128.load(b);
  const b01 = v128.load(b, 16);
  if (depth > 1) b += next;
  const b10 = v128.load(b);
  const b11 = v128.load(b, 16);
  if (depth > 2) b += next;
  const b20 = v128.load(b);
  const b21 = v128.load(b, 16);
  if (depth > 3) b += next;
  const b30 = v128.load(b);
  const b31 = v128.load(b, 16);
  for (const end = c + <usize>rows * ldc; c < end; c += ldc, a += row) {
    let p = a;
    let s = v128.load_splat<T>(p);
    let c0 = v128.add<T>(s0, v128.mul<T>(s, b00));
    let c1 = v128.add<T>(s1, v128.mul<T>(s, b01));
    if (depth > 1) {
      p += step;
      s = v128.load_splat<T>(p);
      c0 = v128.add<T>(c0, v128.mul<T>(s, b10));
      c1 = v128.add<T>(c1, v128.mul<T>(s, b11));
    }
    if (depth > 2) {
      p += step;
      s = v128.load_splat<T>(p);
      c0 = v128.add<T>(c0, v128.mul<T>(s, b20));
      c1 = v128.add<T>(c1, v128.mul<T>(s, b21));
    }
    if (depth > 3) {
      p += step;
      s = v128.load_splat<T>(p);
      c0 = v128.add<T>(c0, v128.mul<T>(s, b30));
      c1 = v128.add<T>(c1, v128.mul<T>(s, b31));
    }
    write<T>(c, c0, c1, add, low);
  }
}

/**
 * The first `width` columns of what `tiles` computes, for a last panel with fewer columns than it has room for: b is the packed panel, S and
 * then the rows of B.
 */
export function narrowTiles<T>(
  a: usize,
  row: usize,
  step: usize,
  rows: i32,
  b: usize,
  depth: i32,
  c: usize,
  ldc: usize,
  width: i32,
  add: bool,
  floor: T,
): void {
  const low = v128.splat<T>(floor);
  const end = b + <usize>depth * STEP;
  for (let left = rows; left > 0; left -= 4, a += 4 * row, c += 4 * ldc) {
    let c0 = v128.load(b);
    let c1 = c0;
    let c2 = c0;
    let c3 = c0;
    let a0 = a;
    let a1 = left > 1 ? a + row : a;
    let a2 = left > 2 ? a + 2 * row : a;
    let a3 = left > 3 ? a + 3 * row : a;
    let p = b;
    while (p < end) {
      p += STEP;
      const value = v128.load(p);
      c0 = v128.add<T>(c0, v128.mul<T>(v128.load_splat<T>(a0), value));
      c1 = v128.add<T>(c1, v128.mul<T>(v128.load_splat<T>(a1), value));
      c2 = v128.add<T>(c2, v128.mul<T>(v128.load_splat<T>(a2), value));
      c3 = v128.add<T>(c3, v128.mul<T>(v128.load_splat<T>(a3), value));
      a0 += step;
      a1 += step;
      a2 += step;
      a3 += step;
    }
    writeUpTo<T>(c, c0, width, add, low);
    if (left > 1) writeUpTo<T>(c + ldc, c1, width, add, low);
    if (left > 2) writeUpTo<T>(c + 2 * ldc, c2, width, add, low);
    if (left > 3) writeUpTo<T>(c + 3 * ldc, c3, width, add, low);
  }
}

/** c = max(x, low), or max(c + x, low), for two vectors. */
// @inline
export function write<T>(c: usize, x: v128, y: v128, add: bool, low: v128): void {
  if (add) {
    x = v128.add<T>(v128.load(c), x);
    y = v128.add<T>(v128.load(c, 16), y);
  }
  v128.store(c, v128.pmax<T>(x, low));
  v128.store(c, v128.pmax<T>(y, low), 16);
}

/** The first `count` lanes. */
// @inline
export function writeUpTo<T>(c: usize, x: v128, count: i32, add: bool, low: v128): void {
  if (add) x = v128.add<T>(loadUpTo<T>(c, count, 0), x);
  storeUpTo<T>(c, v128.pmax<T>(x, low), count);
}
