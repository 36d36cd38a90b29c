import { Bytes } from "../shared/bytes";
import { kernelInto, sparseDot } from "../shared/kernel-functions";
import { dotRow } from "../shared/rows";
import { PACKED, tile } from "../shared/tile";
import { Points, ROWS, STRETCH } from "./kernel-scores.layout";

/** Bytes between the quads of a panel of eight points. */
const PANEL: usize = 64;

/** Panels of eight sum four rows of products at a time; z is packed as quads of the four rows' entries. */
function panelBlock(z: usize, d: i32, x: usize, from: i32, to: i32, out: usize): void {
  memory.fill(out, 0, (<usize>(ROWS * STRETCH)) << 3);
  for (let t = from; t < to; t += 8) {
    const panel = x + ((<usize>(t >> 3) * <usize>d) << 6);
    const c = out + ((<usize>(t - from)) << 3);
    tile(z, PACKED, panel, PANEL, d, c, (<usize>STRETCH) << 3);
    tile(z, PACKED, panel + 32, PANEL, d, c + 32, (<usize>STRETCH) << 3);
  }
}

function sparseBlock(p: Points, z: usize, rows: i32, from: i32, to: i32, out: usize): void {
  const stride = (<usize>p.d) << 3;
  const starts = <usize>p.starts;
  for (let t = from; t < to; t++) {
    const first = load<i32>(starts + ((<usize>t) << 2));
    const last = load<i32>(starts + ((<usize>t) << 2), 4);
    for (let r: i32 = 0; r < rows; r++) {
      const dot = sparseDot(z + <usize>r * stride, <usize>p.columns, <usize>p.values, first, last);
      store<f64>(out + ((<usize>(r * STRETCH + t - from)) << 3), dot);
    }
  }
}

/** Four rows (those past the end as zeros), entry by entry. */
function packRows(z: usize, rows: i32, d: i32, out: usize): void {
  const stride = (<usize>d) << 3;
  for (let r: i32 = 0; r < ROWS; r++) {
    let to = out + ((<usize>r) << 3);
    for (let e: i32 = 0; e < d; e++, to += PACKED) {
      store<f64>(to, r < rows ? load<f64>(z + <usize>r * stride + ((<usize>e) << 3)) : 0);
    }
  }
}

/** k(z_r, x_t) for up to four rows and t = from … to − 1 (at most STRETCH, `from` a multiple of 8), rows STRETCH apart in `out`. */
function kernelBlock(p: Points, z: usize, packed: usize, rows: i32, from: i32, to: i32, out: usize): void {
  const d = <i32>p.d;
  if (p.x != 0) panelBlock(packed, d, <usize>p.x, from, to, out);
  else sparseBlock(p, z, rows, from, to, out);
  const count = (to - from + 7) & ~7;
  const norms = <usize>p.norms + ((<usize>from) << 3);
  const stack = out + ((<usize>(ROWS * STRETCH)) << 3);
  for (let r: i32 = 0; r < rows; r++) {
    const row = z + <usize>r * ((<usize>d) << 3);
    const values = out + ((<usize>(r * STRETCH)) << 3);
    kernelInto(<usize>p.program, <i32>p.length, dotRow(row, row, d), norms, count, values, stack);
  }
}

/**
 * out[i, k] = Σ_t coef[k, t] k(z_i, x_t) + b_k for a chunk of the rows z (n × d, row-major).
 *
 * coef     `outputs` rows of m doubles
 * ranges   two ranges [from, to) per output that contain its nonzero coefficients, 32-bit
 * work     workBytes per chunk: four packed rows, four STRETCHes, and the kernel's stack
 */
export function scoreChunk(
  z: usize,
  n: i32,
  points: usize,
  coef: usize,
  ranges: usize,
  b: usize,
  outputs: i32,
  out: usize,
  work: usize,
  workBytes: Bytes,
  chunkRows: i32,
  chunk: i32,
): void {
  const p = changetype<Points>(points);
  const d = <i32>p.d;
  const m = <i32>p.count;
  const to = min(n, (chunk + 1) * chunkRows);
  const packed = work + <usize>chunk * workBytes;
  const values = packed + ((<usize>(ROWS * d)) << 3);
  for (let i = chunk * chunkRows; i < to; i += ROWS) {
    const rows = min(ROWS, to - i);
    const block = z + <usize>i * ((<usize>d) << 3);
    if (p.x != 0) packRows(block, rows, d, packed);
    const scores = out + ((<usize>i * <usize>outputs) << 3);
    for (let r: i32 = 0; r < rows; r++)
      memory.copy(scores + ((<usize>(r * outputs)) << 3), b, (<usize>outputs) << 3);
    for (let s: i32 = 0; s < m; s += STRETCH) {
      const end = min(m, s + STRETCH);
      kernelBlock(p, block, packed, rows, s, end, values);
      for (let k: i32 = 0; k < outputs; k++) {
        const weights = coef + ((<usize>k * <usize>m) << 3);
        const known = ranges + ((<usize>k) << 4);
        for (let half: usize = 0; half < 16; half += 8) {
          const first = max(s, load<i32>(known + half));
          const count = min(end, load<i32>(known + half, 4)) - first;
          if (count <= 0) continue;
          for (let r: i32 = 0; r < rows; r++) {
            const at = scores + ((<usize>(r * outputs + k)) << 3);
            const row = values + ((<usize>(r * STRETCH + first - s)) << 3);
            store<f64>(at, load<f64>(at) + dotRow(weights + ((<usize>first) << 3), row, count));
          }
        }
      }
    }
  }
}

/**
 * out[i, t] = k(z_i, x_t) for a chunk of the rows z; rows of out are `stride` doubles apart. `work` as above.
 * If the rows are the points from number `lower` on, only t ≤ lower + i is required, and little more is written;
 * `lower` is −1 for all t.
 */
export function matrixChunk(
  z: usize,
  n: i32,
  points: usize,
  out: usize,
  stride: i32,
  lower: i32,
  work: usize,
  workBytes: Bytes,
  chunkRows: i32,
  chunk: i32,
): void {
  const p = changetype<Points>(points);
  const d = <i32>p.d;
  const to = min(n, (chunk + 1) * chunkRows);
  const packed = work + <usize>chunk * workBytes;
  const values = packed + ((<usize>(ROWS * d)) << 3);
  for (let i = chunk * chunkRows; i < to; i += ROWS) {
    const rows = min(ROWS, to - i);
    const m = lower < 0 ? <i32>p.count : min(<i32>p.count, lower + i + rows);
    const block = z + <usize>i * ((<usize>d) << 3);
    if (p.x != 0) packRows(block, rows, d, packed);
    for (let s: i32 = 0; s < m; s += STRETCH) {
      const end = min(m, s + STRETCH);
      kernelBlock(p, block, packed, rows, s, end, values);
      for (let r: i32 = 0; r < rows; r++) {
        const row = out + ((<usize>(i + r) * <usize>stride + <usize>s) << 3);
        memory.copy(row, values + ((<usize>(r * STRETCH)) << 3), (<usize>(end - s)) << 3);
      }
    }
  }
}
