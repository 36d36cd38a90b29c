import { lossRows } from "../shared/losses";
import { MarginPass } from "../shared/margin-pass.layout";
import { addRows, marginRows } from "../shared/rows";

/** Rows handled together: 64 × 50 doubles stay in the first-level cache between margin and gradient. */
const BLOCK: i32 = 64;

/** The pass over a chunk of dense rows, n × d row-major. The chunk's part of `out` is zeroed here. */
export function glmChunk(x: usize, pass: usize, chunk: i32): void {
  const p = changetype<MarginPass>(pass);
  const d = p.d;
  const stride = (<usize>d) << 3;
  const partial = p.out + <usize>chunk * (stride + 16);
  memory.fill(partial, 0, stride + 16);
  const b = load<f64>(p.theta + stride);
  const to = min(p.n, (chunk + 1) * p.chunkRows);
  let loss: f64 = 0;
  let derivatives: f64 = 0;
  for (let i = chunk * p.chunkRows; i < to; i += BLOCK) {
    const count = min(BLOCK, to - i);
    const rows = x + <usize>i * stride;
    const at = (<usize>i) << 3;
    marginRows(rows, stride, p.theta, b, p.z + at, count, d);
    loss += lossRows(p, i, count);
    if (!p.gradient) continue;
    const r = p.r + at;
    for (let e = 0; e < count; e++) derivatives += load<f64>(r + ((<usize>e) << 3));
    addRows(rows, stride, r, partial + 16, count, d);
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
