import { marginRows } from "./rows";

/** z = A·w + b for a chunk of rows. */
export function gemvChunk(
  a: usize,
  n: i32,
  d: i32,
  w: usize,
  b: f64,
  z: usize,
  chunkRows: i32,
  chunk: i32,
): void {
  const from = chunk * chunkRows;
  const count = min(n, from + chunkRows) - from;
  const stride = (<usize>d) << 3;
  marginRows(a + <usize>from * stride, stride, w, b, z + ((<usize>from) << 3), count, d);
}
