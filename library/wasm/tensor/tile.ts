/** Bytes of one step of a panel: two vectors, hence 8 columns of floats or 4 of doubles. */
// @inline
export const STEP: usize = 32;

/** Columns of a panel. */
// @inline
export function panel<T>(): i32 {
  return <i32>(STEP / sizeof<T>());
}

/**
 * C = S + A·B, or C += S + A·B if `add`, for `rows` ≤ 4 rows and one panel of columns.
 *
 * a      the first row of A; its rows are `lda` bytes apart, their entries adjacent
 * b      a panel: the row S, which every row of the product begins with, then `depth` rows of B
 * c      rows `ldc` bytes apart; two vectors of each are written
 *
 * Eight accumulators, two vectors of B and a splat fit into the sixteen vector registers of x86. Rows beyond
 * `rows` are computed from row 0 and not written.
 */
export function tile<T>(
  a: usize,
  lda: usize,
  rows: i32,
  b: usize,
  depth: i32,
  c: usize,
  ldc: usize,
  add: bool,
): void {
  let c00 = v128.load(b);
  let c01 = v128.load(b, 16);
  let c10 = c00;
  let c11 = c01;
  let c20 = c00;
  let c21 = c01;
  let c30 = c00;
  let c31 = c01;
  let a1 = rows > 1 ? a + lda : a;
  let a2 = rows > 2 ? a + 2 * lda : a;
  let a3 = rows > 3 ? a + 3 * lda : a;
  const end = b + <usize>depth * STEP;
  while (b < end) {
    b += STEP;
    const b0 = v128.load(b);
    const b1 = v128.load(b, 16);
    let s = v128.load_splat<T>(a);
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
    a += sizeof<T>();
    a1 += sizeof<T>();
    a2 += sizeof<T>();
    a3 += sizeof<T>();
  }
  write<T>(c, c00, c01, add);
  if (rows > 1) write<T>(c + ldc, c10, c11, add);
  if (rows > 2) write<T>(c + 2 * ldc, c20, c21, add);
  if (rows > 3) write<T>(c + 3 * ldc, c30, c31, add);
}

/**
 * The first vector of each of four rows of S + A·B, for a last panel with no more columns than that; c has
 * rows of STEP bytes. The other arguments are those of `tile`.
 */
export function narrowTile<T>(a: usize, lda: usize, rows: i32, b: usize, depth: i32, c: usize): void {
  let c0 = v128.load(b);
  let c1 = c0;
  let c2 = c0;
  let c3 = c0;
  let a1 = rows > 1 ? a + lda : a;
  let a2 = rows > 2 ? a + 2 * lda : a;
  let a3 = rows > 3 ? a + 3 * lda : a;
  const end = b + <usize>depth * STEP;
  while (b < end) {
    b += STEP;
    const value = v128.load(b);
    c0 = v128.add<T>(c0, v128.mul<T>(v128.load_splat<T>(a), value));
    c1 = v128.add<T>(c1, v128.mul<T>(v128.load_splat<T>(a1), value));
    c2 = v128.add<T>(c2, v128.mul<T>(v128.load_splat<T>(a2), value));
    c3 = v128.add<T>(c3, v128.mul<T>(v128.load_splat<T>(a3), value));
    a += sizeof<T>();
    a1 += sizeof<T>();
    a2 += sizeof<T>();
    a3 += sizeof<T>();
  }
  v128.store(c, c0);
  v128.store(c + STEP, c1);
  v128.store(c + 2 * STEP, c2);
  v128.store(c + 3 * STEP, c3);
}

// @inline
function write<T>(c: usize, x: v128, y: v128, add: bool): void {
  if (add) {
    v128.store(c, v128.add<T>(v128.load(c), x));
    v128.store(c, v128.add<T>(v128.load(c, 16), y), 16);
  } else {
    v128.store(c, x);
    v128.store(c, y, 16);
  }
}
