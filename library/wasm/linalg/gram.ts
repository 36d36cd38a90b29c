import { Bytes } from "../shared/bytes";
import { PACKED, tile } from "../shared/tile";
import { DEPTH, PIECE } from "./gram.layout";

/**
 * Weighted Gram matrix of the rows of one slot: C = Σ_i s_i u_i u_iᵀ, with u_i = [x_i − mean, y_i − yMean, 1]
 * (y_i, which may be several targets, and 1 on request). Upper triangle, in tiles of four.
 *
 * x     n × d row-major;  s  n weights ≥ 0 or 0;  mean  d doubles or 0
 * y     `targets` lists of n doubles, `stride` bytes apart;  yMean  `targets` doubles or 0
 * Rows are processed in groups of PIECE; group number g of the whole matrix belongs to slot g mod slots, and `first` is the
 * number of the first group of this block. So a slot sums the same rows in the same order whether the matrix is passed whole
 * or in blocks.
 *
 * out   one area per slot, `area` bytes each: C (m × m doubles), then DEPTH × m of packing space,
 *       where m = d + targets + ones rounded up to a multiple of 4. C is zeroed if `fresh`, else added to.
 */
export function gramChunk(
  x: usize,
  n: i32,
  d: i32,
  s: usize,
  mean: usize,
  y: usize,
  targets: i32,
  stride: Bytes,
  yMean: usize,
  ones: i32,
  out: usize,
  area: Bytes,
  m: i32,
  fresh: i32,
  first: i32,
  slots: i32,
  chunk: i32,
): void {
  const c = out + <usize>chunk * area;
  const ldc = (<usize>m) << 3;
  const pack = c + <usize>m * ldc;
  if (fresh) memory.fill(c, 0, <usize>m * ldc);
  memory.fill(pack, 0, <usize>DEPTH * ldc);
  const panel = (<usize>DEPTH) << 5;
  for (let piece = (chunk + slots - (first % slots)) % slots; piece * PIECE < n; piece += slots) {
    const to = min(n, (piece + 1) * PIECE);
    for (let i = piece * PIECE; i < to; i += DEPTH) {
      const depth = min(DEPTH, to - i);
      for (let k = 0; k < depth; k++) {
        packRow(x, i + k, d, s, mean, y, targets, stride, yMean, ones, pack + ((<usize>k) << 5), panel);
      }
      for (let p = 0; p < m; p += 4) {
        const a = pack + <usize>(p >> 2) * panel;
        for (let q = p; q < m; q += 4) {
          tile(
            a,
            PACKED,
            pack + <usize>(q >> 2) * panel,
            PACKED,
            depth,
            c + <usize>p * ldc + ((<usize>q) << 3),
            ldc,
          );
        }
      }
    }
  }
}

/** Writes √s · u_i into one row of every panel. */
function packRow(
  x: usize,
  i: i32,
  d: i32,
  s: usize,
  mean: usize,
  y: usize,
  targets: i32,
  stride: usize,
  yMean: usize,
  ones: i32,
  to: usize,
  panel: usize,
): void {
  const row = x + <usize>i * ((<usize>d) << 3);
  const root = s == 0 ? 1.0 : Math.sqrt(load<f64>(s + ((<usize>i) << 3)));
  const w = f64x2.splat(root);
  let j: i32 = 0;
  for (; j + 4 <= d; j += 4) {
    const at = (<usize>j) << 3;
    let u = v128.load(row + at);
    let v = v128.load(row + at, 16);
    if (mean != 0) {
      u = f64x2.sub(u, v128.load(mean + at));
      v = f64x2.sub(v, v128.load(mean + at, 16));
    }
    if (s != 0) {
      u = f64x2.mul(u, w);
      v = f64x2.mul(v, w);
    }
    v128.store(to, u);
    v128.store(to, v, 16);
    to += panel;
  }
  let lane: usize = 0;
  for (; j < d; j++) {
    let u = load<f64>(row + ((<usize>j) << 3));
    if (mean != 0) u -= load<f64>(mean + ((<usize>j) << 3));
    store<f64>(to + lane, u * root);
    lane += 8;
  }
  let own = y + ((<usize>i) << 3);
  for (let t: i32 = 0; t < targets; t++, own += stride) {
    const centre = yMean == 0 ? 0.0 : load<f64>(yMean + ((<usize>t) << 3));
    store<f64>(to + lane, (load<f64>(own) - centre) * root);
    lane += 8;
    if (lane == 32) {
      lane = 0;
      to += panel;
    }
  }
  if (ones) store<f64>(to + lane, root);
}
