import { STEP, writeUpTo } from "./tile";

/**
 * Products of floats with at most three columns: the lanes are rows of A, of which none is idle. The sums have the order that `tiles` gives
 * them. Eight rows at a time, since one accumulator per column would wait for its own sum.
 */

/** Rows of a block. */
const BLOCK = 8;

/**
 * What `narrowTiles` computes, for whole blocks of rows and a width of at most three; returns how many rows these are. Either the entries of
 * a row of A are adjacent (`step` is 4), or those of a column (`row` is 4).
 */
export function fewColumns(
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
  low: v128,
): i32 {
  const whole = rows - (rows % BLOCK);
  for (const end = c + <usize>whole * ldc; c < end; c += BLOCK * ldc, a += BLOCK * row) {
    if (row == 4) blockOfColumns(a, step, b, depth, c, ldc, width, add, low);
    else blockOfRows(a, row, b, depth, c, ldc, width, add, low);
  }
  return whole;
}

/** Eight rows of the product where the entries of a column of A are adjacent. */
function blockOfColumns(
  a: usize,
  step: usize,
  b: usize,
  depth: i32,
  c: usize,
  ldc: usize,
  width: i32,
  add: bool,
  low: v128,
): void {
  let x0 = v128.load_splat<f32>(b);
  let x1 = v128.load_splat<f32>(b, 4);
  let x2 = v128.load_splat<f32>(b, 8);
  let y0 = x0;
  let y1 = x1;
  let y2 = x2;
  const end = b + <usize>depth * STEP;
  while (b < end) {
    b += STEP;
    const x = v128.load(a);
    const y = v128.load(a, 16);
    let s = v128.load_splat<f32>(b);
    x0 = v128.add<f32>(x0, v128.mul<f32>(x, s));
    y0 = v128.add<f32>(y0, v128.mul<f32>(y, s));
    s = v128.load_splat<f32>(b, 4);
    x1 = v128.add<f32>(x1, v128.mul<f32>(x, s));
    y1 = v128.add<f32>(y1, v128.mul<f32>(y, s));
    s = v128.load_splat<f32>(b, 8);
    x2 = v128.add<f32>(x2, v128.mul<f32>(x, s));
    y2 = v128.add<f32>(y2, v128.mul<f32>(y, s));
    a += step;
  }
  writeRows(c, ldc, x0, x1, x2, width, add, low);
  writeRows(c + 4 * ldc, ldc, y0, y1, y2, width, add, low);
}

/** The same where the entries of a row of A are adjacent: four rows by two columns at a time are transposed in registers. */
function blockOfRows(
  a: usize,
  row: usize,
  b: usize,
  depth: i32,
  c: usize,
  ldc: usize,
  width: i32,
  add: bool,
  low: v128,
): void {
  let x0 = v128.load_splat<f32>(b);
  let x1 = v128.load_splat<f32>(b, 4);
  let x2 = v128.load_splat<f32>(b, 8);
  let y0 = x0;
  let y1 = x1;
  let y2 = x2;
  b += STEP;
  const end = b + <usize>depth * STEP;
  for (const last = end - STEP; b < last; b += 2 * STEP, a += 8) {
    let r0 = twoRows(a, row);
    let r1 = twoRows(a + row, row);
    const x = v128.shuffle<u32>(r0, r1, 0, 4, 2, 6);
    const xNext = v128.shuffle<u32>(r0, r1, 1, 5, 3, 7);
    r0 = twoRows(a + 4 * row, row);
    r1 = twoRows(a + 4 * row + row, row);
    const y = v128.shuffle<u32>(r0, r1, 0, 4, 2, 6);
    const yNext = v128.shuffle<u32>(r0, r1, 1, 5, 3, 7);
    let s = v128.load_splat<f32>(b);
    x0 = v128.add<f32>(x0, v128.mul<f32>(x, s));
    y0 = v128.add<f32>(y0, v128.mul<f32>(y, s));
    s = v128.load_splat<f32>(b, 4);
    x1 = v128.add<f32>(x1, v128.mul<f32>(x, s));
    y1 = v128.add<f32>(y1, v128.mul<f32>(y, s));
    s = v128.load_splat<f32>(b, 8);
    x2 = v128.add<f32>(x2, v128.mul<f32>(x, s));
    y2 = v128.add<f32>(y2, v128.mul<f32>(y, s));
    s = v128.load_splat<f32>(b, STEP);
    x0 = v128.add<f32>(x0, v128.mul<f32>(xNext, s));
    y0 = v128.add<f32>(y0, v128.mul<f32>(yNext, s));
    s = v128.load_splat<f32>(b, STEP + 4);
    x1 = v128.add<f32>(x1, v128.mul<f32>(xNext, s));
    y1 = v128.add<f32>(y1, v128.mul<f32>(yNext, s));
    s = v128.load_splat<f32>(b, STEP + 8);
    x2 = v128.add<f32>(x2, v128.mul<f32>(xNext, s));
    y2 = v128.add<f32>(y2, v128.mul<f32>(yNext, s));
  }
  if (b < end) {
    const x = column(a, row);
    const y = column(a + 4 * row, row);
    x0 = v128.add<f32>(x0, v128.mul<f32>(x, v128.load_splat<f32>(b)));
    y0 = v128.add<f32>(y0, v128.mul<f32>(y, v128.load_splat<f32>(b)));
    x1 = v128.add<f32>(x1, v128.mul<f32>(x, v128.load_splat<f32>(b, 4)));
    y1 = v128.add<f32>(y1, v128.mul<f32>(y, v128.load_splat<f32>(b, 4)));
    x2 = v128.add<f32>(x2, v128.mul<f32>(x, v128.load_splat<f32>(b, 8)));
    y2 = v128.add<f32>(y2, v128.mul<f32>(y, v128.load_splat<f32>(b, 8)));
  }
  writeRows(c, ldc, x0, x1, x2, width, add, low);
  writeRows(c + 4 * ldc, ldc, y0, y1, y2, width, add, low);
}

/** Two entries of a row, and of the second row after it. */
// @inline
function twoRows(a: usize, row: usize): v128 {
  return v128.load_lane<u64>(a + 2 * row, v128.load64_zero(a), 1);
}

/** An entry of each of four rows. */
// @inline
function column(a: usize, row: usize): v128 {
  let x = v128.load_splat<f32>(a);
  x = v128.load_lane<f32>(a + row, x, 1);
  x = v128.load_lane<f32>(a + 2 * row, x, 2);
  return v128.load_lane<f32>(a + 3 * row, x, 3);
}

/** Four rows of the product from its columns. */
function writeRows(
  c: usize,
  ldc: usize,
  x0: v128,
  x1: v128,
  x2: v128,
  width: i32,
  add: bool,
  low: v128,
): void {
  const low01 = v128.shuffle<u32>(x0, x1, 0, 4, 1, 5);
  const high01 = v128.shuffle<u32>(x0, x1, 2, 6, 3, 7);
  writeUpTo<f32>(c, v128.shuffle<u32>(low01, x2, 0, 1, 4, 4), width, add, low);
  writeUpTo<f32>(c + ldc, v128.shuffle<u32>(low01, x2, 2, 3, 5, 5), width, add, low);
  writeUpTo<f32>(c + 2 * ldc, v128.shuffle<u32>(high01, x2, 0, 1, 6, 6), width, add, low);
  writeUpTo<f32>(c + 3 * ldc, v128.shuffle<u32>(high01, x2, 2, 3, 7, 7), width, add, low);
}
