import { lossRows } from "../shared/losses";
import { addRows, marginRows } from "../shared/rows";

/** Rows handled together: 64 × 50 doubles stay in the first-level cache between margin and gradient. */
const BLOCK: i32 = 64;

/**
 * One pass over a chunk of dense rows: Σ s_i ℓ(x_i·w + b, y_i), its gradient and, on request, the row curvatures.
 *
 * x       n × d, row-major            theta   w (d), then b
 * y, s    n targets, n weights (s = 0: all 1)
 * z, h    n margins out; n curvatures out (h = 0: none)
 *         y, s, z, r and h are padded by one double; chunkRows is even, so only the last chunk touches the pad
 * out     chunk × (d + 2) doubles, zeroed here: [loss, Σ r, Σ r_i x_i]; gradient = 0 does not write the last two
 * r       n doubles of scratch, padded by one: s·ℓ′
 */
export function glmChunk(
  x: usize,
  n: i32,
  d: i32,
  y: usize,
  s: usize,
  theta: usize,
  z: usize,
  r: usize,
  h: usize,
  out: usize,
  kind: i32,
  param: f64,
  gradient: i32,
  chunkRows: i32,
  chunk: i32,
): void {
  const from = chunk * chunkRows;
  const to = min(n, from + chunkRows);
  const stride = (<usize>d) << 3;
  const partial = out + <usize>chunk * ((<usize>(d + 2)) << 3);
  memory.fill(partial, 0, (<usize>(d + 2)) << 3);
  const b = load<f64>(theta + stride);
  let loss: f64 = 0;
  let derivatives: f64 = 0;
  for (let i = from; i < to; i += BLOCK) {
    const count = min(BLOCK, to - i);
    const rows = x + <usize>i * stride;
    const at = (<usize>i) << 3;
    marginRows(rows, stride, theta, b, z + at, count, d);
    loss += lossRows(kind, param, z, y, s, r, h, i, count);
    if (!gradient) continue;
    for (let e = 0; e < count; e++) derivatives += load<f64>(r + at + ((<usize>e) << 3));
    addRows(rows, stride, r + at, partial + 16, count, d);
  }
  store<f64>(partial, loss);
  store<f64>(partial, derivatives, 8);
}

/** out[chunk] = [Σ r_i x_i, Σ r_i] over a chunk of rows; (d + 1) doubles each, zeroed here. */
export function combineChunk(
  x: usize,
  n: i32,
  d: i32,
  r: usize,
  out: usize,
  chunkRows: i32,
  chunk: i32,
): void {
  const from = chunk * chunkRows;
  const count = min(n, from + chunkRows) - from;
  const stride = (<usize>d) << 3;
  const partial = out + <usize>chunk * (stride + 8);
  memory.fill(partial, 0, stride + 8);
  const at = r + ((<usize>from) << 3);
  addRows(x + <usize>from * stride, stride, at, partial, count, d);
  let sum: f64 = 0;
  for (let e = 0; e < count; e++) sum += load<f64>(at + ((<usize>e) << 3));
  store<f64>(partial + stride, sum);
}
