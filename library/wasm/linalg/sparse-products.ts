import { storeFour } from "../shared/lanes";

/** Columns of a panel of a dense matrix: two cache lines per row, eight vectors of sums. */
const PANEL: i32 = 16;

/**
 * C = A·B of a sparse A (compressed rows) and a dense B. Dense matrices lie in panels of 16 columns, each row by row, so that the
 * rows of B that a panel's products gather stay in the cache. Chunk number c is rows c mod rowChunks of panel c / rowChunks: chunks
 * are taken in order, so threads share a panel. Every entry of C is written by one chunk only.
 */
export function sparseProductChunk(
  indptr: usize,
  indices: usize,
  values: usize,
  rows: i32,
  b: usize,
  bRows: i32,
  c: usize,
  chunkRows: i32,
  rowChunks: i32,
  chunk: i32,
): void {
  const panel = chunk / rowChunks;
  const from = (chunk % rowChunks) * chunkRows;
  const to = min(rows, from + chunkRows);
  const right = b + ((<usize>panel * <usize>bRows * <usize>PANEL) << 3);
  let out = c + ((<usize>(panel * rows + from) * <usize>PANEL) << 3);
  for (let i = from; i < to; i++, out += (<usize>PANEL) << 3) {
    const end = load<i32>(indptr + ((<usize>i) << 2), 4);
    let s0 = f64x2.splat(0);
    let s1 = f64x2.splat(0);
    let s2 = f64x2.splat(0);
    let s3 = f64x2.splat(0);
    let s4 = f64x2.splat(0);
    let s5 = f64x2.splat(0);
    let s6 = f64x2.splat(0);
    let s7 = f64x2.splat(0);
    for (let e = load<i32>(indptr + ((<usize>i) << 2)); e < end; e++) {
      const x = v128.load64_splat(values + ((<usize>e) << 3));
      const row = right + ((<usize>load<i32>(indices + ((<usize>e) << 2)) * <usize>PANEL) << 3);
      s0 = f64x2.add(s0, f64x2.mul(x, v128.load(row)));
      s1 = f64x2.add(s1, f64x2.mul(x, v128.load(row, 16)));
      s2 = f64x2.add(s2, f64x2.mul(x, v128.load(row, 32)));
      s3 = f64x2.add(s3, f64x2.mul(x, v128.load(row, 48)));
      s4 = f64x2.add(s4, f64x2.mul(x, v128.load(row, 64)));
      s5 = f64x2.add(s5, f64x2.mul(x, v128.load(row, 80)));
      s6 = f64x2.add(s6, f64x2.mul(x, v128.load(row, 96)));
      s7 = f64x2.add(s7, f64x2.mul(x, v128.load(row, 112)));
    }
    storeFour(out, s0, s1, s2, s3);
    storeFour(out + 64, s4, s5, s6, s7);
  }
}
