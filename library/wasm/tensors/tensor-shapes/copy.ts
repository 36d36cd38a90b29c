import { addRun, copyRun } from "../../shared/runs";

/** What holds of the innermost axis; the same codes in `src/numeric/tensors/copies.ts`. */
// @inline
const RUNS: i32 = 0; // consecutive in source and destination
// @inline
const TRANSPOSE: i32 = 1; // consecutive in the destination, and the next axis is consecutive in the source
/** Rows per item of work, and the sides of the squares that a transpose reads and writes before it moves on: both fit the L1 cache. */
// @inline
const BLOCK: i32 = 64;

// @inline
function put<T>(at: usize, value: T, accumulate: i32): void {
  store<T>(at, accumulate ? <T>(load<T>(at) + value) : value);
}

// @inline
function putVector<T>(at: usize, value: v128, accumulate: i32): void {
  v128.store(at, accumulate ? v128.add<T>(v128.load(at), value) : value);
}

/** Four rows of four columns (two of two for f64) from columns `ss` bytes apart to rows `ds` bytes apart. */
// @inline
function square<T>(s: usize, ss: usize, d: usize, ds: usize, accumulate: i32): void {
  const a = v128.load(s);
  const b = v128.load(s + ss);
  if (sizeof<T>() == 8) {
    putVector<T>(d, v128.shuffle<f64>(a, b, 0, 2), accumulate);
    putVector<T>(d + ds, v128.shuffle<f64>(a, b, 1, 3), accumulate);
  } else {
    const c = v128.load(s + 2 * ss);
    const e = v128.load(s + 3 * ss);
    const abLow = v128.shuffle<f32>(a, b, 0, 4, 1, 5);
    const abHigh = v128.shuffle<f32>(a, b, 2, 6, 3, 7);
    const ceLow = v128.shuffle<f32>(c, e, 0, 4, 1, 5);
    const ceHigh = v128.shuffle<f32>(c, e, 2, 6, 3, 7);
    putVector<T>(d, v128.shuffle<f64>(abLow, ceLow, 0, 2), accumulate);
    putVector<T>(d + ds, v128.shuffle<f64>(abLow, ceLow, 1, 3), accumulate);
    putVector<T>(d + 2 * ds, v128.shuffle<f64>(abHigh, ceHigh, 0, 2), accumulate);
    putVector<T>(d + 3 * ds, v128.shuffle<f64>(abHigh, ceHigh, 1, 3), accumulate);
  }
}

/** dst[p, q] (+)= src[q, p]; src has its columns p consecutive and rows `ss` bytes apart, dst its q consecutive and rows `ds` apart. */
function transpose<T>(s: usize, ss: usize, d: usize, ds: usize, rows: i32, cols: i32, accumulate: i32): void {
  const w = sizeof<T>();
  const side = <i32>(16 / w);
  for (let block = 0; block < cols; block += BLOCK) {
    const end = min(cols, block + BLOCK);
    const whole = block + ((end - block) & ~(side - 1));
    let p = 0;
    for (; p + side <= rows; p += side) {
      let q = block;
      for (; q < whole; q += side) {
        square<T>(s + <usize>q * ss + <usize>p * w, ss, d + <usize>p * ds + <usize>q * w, ds, accumulate);
      }
      for (; q < end; q++) {
        for (let e = p; e < p + side; e++) {
          put<T>(d + <usize>e * ds + <usize>q * w, load<T>(s + <usize>q * ss + <usize>e * w), accumulate);
        }
      }
    }
    for (; p < rows; p++) {
      for (let q = block; q < end; q++)
        put<T>(d + <usize>p * ds + <usize>q * w, load<T>(s + <usize>q * ss + <usize>p * w), accumulate);
    }
  }
}

// @inline
function runs<T>(s: usize, ss: usize, d: usize, ds: usize, rows: i32, cols: i32, accumulate: i32): void {
  for (let p = 0; p < rows; p++, s += ss, d += ds) {
    if (accumulate) addRun<T>(s, d, cols);
    else copyRun<T>(s, d, cols);
  }
}

/**
 * dst (+)= src over n0 × n1 × n2 × n3 indices, for a chunk of items; an item is up to BLOCK neighbours along axis 2 and all of axis 3.
 * s0 … d3   entries between neighbours along each axis of src and dst; those of src may be 0 or negative
 * src and dst do not overlap.
 */
export function copyItems<T>(
  kind: i32,
  accumulate: i32,
  src: usize,
  dst: usize,
  n0: i32,
  n1: i32,
  n2: i32,
  n3: i32,
  s0: i32,
  s1: i32,
  s2: i32,
  s3: i32,
  d0: i32,
  d1: i32,
  d2: i32,
  d3: i32,
  chunkItems: i32,
  chunk: i32,
): void {
  const w = sizeof<T>();
  const blocks = (n2 + BLOCK - 1) / BLOCK;
  const to = min(n0 * n1 * blocks, (chunk + 1) * chunkItems);
  for (let item = chunk * chunkItems; item < to; item++) {
    const first = (item % blocks) * BLOCK;
    const i1 = (item / blocks) % n1;
    const i0 = item / blocks / n1;
    const rows = min(BLOCK, n2 - first);
    const s = src + <usize>(i0 * s0 + i1 * s1 + first * s2) * w;
    const d = dst + <usize>(i0 * d0 + i1 * d1 + first * d2) * w;
    const ss = <usize>s2 * w;
    const ds = <usize>d2 * w;
    if (kind == RUNS) {
      runs<T>(s, ss, d, ds, rows, n3, accumulate);
    } else if (kind == TRANSPOSE) {
      transpose<T>(s, <usize>s3 * w, d, ds, rows, n3, accumulate);
    } else {
      for (let p = 0; p < rows; p++) {
        let from = s + <usize>p * ss;
        let at = d + <usize>p * ds;
        for (let q = 0; q < n3; q++, from += <usize>s3 * w, at += <usize>d3 * w)
          put<T>(at, load<T>(from), accumulate);
      }
    }
  }
}

/** out row r = table row indices[r] for a chunk of r. */
export function gatherRows<T>(
  table: usize,
  cols: i32,
  indices: usize,
  rows: i32,
  out: usize,
  chunkRows: i32,
  chunk: i32,
): void {
  const row = <usize>cols * sizeof<T>();
  const to = min(rows, (chunk + 1) * chunkRows);
  for (let r = chunk * chunkRows; r < to; r++) {
    const from = table + <usize>load<i32>(indices + ((<usize>r) << 2)) * row;
    copyRun<T>(from, out + <usize>r * row, cols);
  }
}
