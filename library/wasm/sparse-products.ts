/** Columns of a dense row that are summed in registers together: one cache line. */
const LINE: i32 = 8;

/**
 * C = A·B for a chunk of the rows of a sparse A (compressed rows); B has `width` columns, row-major, C as well. `width` is a
 * multiple of 8. Every row of C is written by one chunk only.
 */
export function sparseProductChunk(
  indptr: usize,
  indices: usize,
  values: usize,
  rows: i32,
  b: usize,
  width: i32,
  c: usize,
  chunkRows: i32,
  chunk: i32,
): void {
  const from = chunk * chunkRows;
  const to = min(rows, from + chunkRows);
  const stride = (<usize>width) << 3;
  for (let i = from; i < to; i++) {
    const start = load<i32>(indptr + ((<usize>i) << 2));
    const end = load<i32>(indptr + ((<usize>i) << 2), 4);
    const out = c + <usize>i * stride;
    for (let q = 0; q < width; q += LINE) {
      const at = (<usize>q) << 3;
      let s0 = f64x2.splat(0);
      let s1 = f64x2.splat(0);
      let s2 = f64x2.splat(0);
      let s3 = f64x2.splat(0);
      for (let e = start; e < end; e++) {
        const x = v128.load64_splat(values + ((<usize>e) << 3));
        const row = b + <usize>load<i32>(indices + ((<usize>e) << 2)) * stride + at;
        s0 = f64x2.add(s0, f64x2.mul(x, v128.load(row)));
        s1 = f64x2.add(s1, f64x2.mul(x, v128.load(row, 16)));
        s2 = f64x2.add(s2, f64x2.mul(x, v128.load(row, 32)));
        s3 = f64x2.add(s3, f64x2.mul(x, v128.load(row, 48)));
      }
      v128.store(out + at, s0);
      v128.store(out + at, s1, 16);
      v128.store(out + at, s2, 32);
      v128.store(out + at, s3, 48);
    }
  }
}
