import { lossRows } from "../shared/losses";

const BLOCK: i32 = 64;

/** x_i · w of a compressed sparse row: two running sums hide the latency of the gathers. */
// @inline
function sparseDot(indices: usize, values: usize, start: i32, end: i32, w: usize): f64 {
  let a: f64 = 0;
  let b: f64 = 0;
  let e = start;
  for (; e + 2 <= end; e += 2) {
    const j = indices + ((<usize>e) << 2);
    const v = values + ((<usize>e) << 3);
    a += load<f64>(v) * load<f64>(w + ((<usize>load<i32>(j)) << 3));
    b += load<f64>(v, 8) * load<f64>(w + ((<usize>load<i32>(j, 4)) << 3));
  }
  if (e < end) {
    a +=
      load<f64>(values + ((<usize>e) << 3)) *
      load<f64>(w + ((<usize>load<i32>(indices + ((<usize>e) << 2))) << 3));
  }
  return a + b;
}

/**
 * The sparse twin of glmChunk: one pass over a chunk of compressed sparse rows. Arguments as there, with X as
 * indptr (n + 1), indices and values.
 */
export function sparseGlmChunk(
  indptr: usize,
  indices: usize,
  values: usize,
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
  const partial = out + <usize>chunk * ((<usize>(d + 2)) << 3);
  const g = partial + 16;
  if (gradient) memory.fill(partial, 0, (<usize>(d + 2)) << 3);
  const b = load<f64>(theta + ((<usize>d) << 3));
  let loss: f64 = 0;
  let derivatives: f64 = 0;
  for (let i = from; i < to; i += BLOCK) {
    const count = min(BLOCK, to - i);
    const at = (<usize>i) << 3;
    for (let e = 0; e < count; e++) {
      const row = indptr + ((<usize>(i + e)) << 2);
      store<f64>(
        z + at + ((<usize>e) << 3),
        sparseDot(indices, values, load<i32>(row), load<i32>(row, 4), theta) + b,
      );
    }
    loss += lossRows(kind, param, z, y, s, r, h, i, count);
    if (!gradient) continue;
    for (let e = 0; e < count; e++) {
      const ri = load<f64>(r + at + ((<usize>e) << 3));
      derivatives += ri;
      if (ri == 0) continue;
      const row = indptr + ((<usize>(i + e)) << 2);
      const end = load<i32>(row, 4);
      for (let k = load<i32>(row); k < end; k++) {
        const to = g + ((<usize>load<i32>(indices + ((<usize>k) << 2))) << 3);
        store<f64>(to, load<f64>(to) + ri * load<f64>(values + ((<usize>k) << 3)));
      }
    }
  }
  store<f64>(partial, loss);
  store<f64>(partial, derivatives, 8);
}

/** out[j] += Σ_i h_i x_ij² over all rows, and out[d] += Σ h_i: the diagonal of XᵀHX. */
export function sparseDiagonal(
  indptr: usize,
  indices: usize,
  values: usize,
  n: i32,
  d: i32,
  h: usize,
  out: usize,
): void {
  let total: f64 = 0;
  for (let i = 0; i < n; i++) {
    const hi = load<f64>(h + ((<usize>i) << 3));
    total += hi;
    const end = load<i32>(indptr + ((<usize>i) << 2), 4);
    for (let e = load<i32>(indptr + ((<usize>i) << 2)); e < end; e++) {
      const v = load<f64>(values + ((<usize>e) << 3));
      const to = out + ((<usize>load<i32>(indices + ((<usize>e) << 2))) << 3);
      store<f64>(to, load<f64>(to) + hi * v * v);
    }
  }
  store<f64>(out + ((<usize>d) << 3), total);
}
