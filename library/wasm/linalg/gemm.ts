import { Bytes } from "../shared/bytes";
import { marginRows } from "../shared/rows";
import { PACKED, tile } from "../shared/tile";
import { DEPTH, ROWS } from "./gemm.layout";

export { gemvChunk } from "../shared/row-products";

/**
 * C = A·B for a chunk of C's rows; A is n × k, B is k × m, C is n × m, all row-major.
 * b      B packed by `packRight`;  pad = m rounded up to 4
 * work   one area per chunk: ROWS × DEPTH of A's packing space, then ROWS × pad of C
 */
export function gemmChunk(
  a: usize,
  n: i32,
  k: i32,
  b: usize,
  m: i32,
  pad: i32,
  c: usize,
  work: usize,
  area: Bytes,
  chunkRows: i32,
  chunk: i32,
): void {
  const from = chunk * chunkRows;
  const to = min(n, from + chunkRows);
  const pack = work + <usize>chunk * area;
  const block = pack + ((<usize>ROWS * <usize>DEPTH) << 3);
  const ld = (<usize>pad) << 3;
  for (let i = from; i < to; i += ROWS) {
    const rows = min(ROWS, to - i);
    memory.fill(block, 0, <usize>ROWS * ld);
    for (let l = 0; l < k; l += DEPTH) {
      const depth = min(DEPTH, k - l);
      packLeft(a, i, rows, k, l, depth, pack);
      for (let q = 0; q < pad; q += 4) {
        const right = b + ((<usize>l * <usize>pad + <usize>q * <usize>depth) << 3);
        for (let p = 0; p < rows; p += 4) {
          tile(
            pack + ((<usize>p * <usize>depth) << 3),
            PACKED,
            right,
            PACKED,
            depth,
            block + <usize>p * ld + ((<usize>q) << 3),
            ld,
          );
        }
      }
    }
    for (let r = 0; r < rows; r++) {
      memory.copy(c + ((<usize>(i + r) * <usize>m) << 3), block + <usize>r * ld, (<usize>m) << 3);
    }
  }
}

/** Panels of four rows of A, `depth` steps each; rows past the end are zeros. */
function packLeft(a: usize, i: i32, rows: i32, k: i32, l: i32, depth: i32, out: usize): void {
  for (let p = 0; p < rows; p += 4) {
    for (let r = 0; r < 4; r++) {
      let to = out + ((<usize>p * <usize>depth) << 3) + ((<usize>r) << 3);
      if (p + r < rows) {
        const from = a + ((<usize>(i + p + r) * <usize>k + <usize>l) << 3);
        for (let e = 0; e < depth; e++, to += 32) store<f64>(to, load<f64>(from + ((<usize>e) << 3)));
      } else {
        for (let e = 0; e < depth; e++, to += 32) store<f64>(to, 0);
      }
    }
  }
}

/** Packs B (k × m) into slices of DEPTH rows, each in panels of four columns. out has k × pad doubles. */
export function packRight(b: usize, k: i32, m: i32, pad: i32, out: usize): void {
  for (let l = 0; l < k; l += DEPTH) {
    const depth = min(DEPTH, k - l);
    for (let q = 0; q < pad; q += 4) {
      let to = out + ((<usize>l * <usize>pad + <usize>q * <usize>depth) << 3);
      for (let e = 0; e < depth; e++) {
        const from = b + ((<usize>(l + e) * <usize>m + <usize>q) << 3);
        for (let r = 0; r < 4; r++, to += 8)
          store<f64>(to, q + r < m ? load<f64>(from + ((<usize>r) << 3)) : 0);
      }
    }
  }
}

/** Rows whose K margins are computed together, so that X is read from memory once. */
const MARGIN_BLOCK: i32 = 64;

/** z[i, k] = x_i · w_k + b_k for a chunk of rows; w is K × d row-major, z is n × K, `work` one block of doubles per chunk. */
export function linearChunk(
  x: usize,
  n: i32,
  d: i32,
  w: usize,
  b: usize,
  classes: i32,
  z: usize,
  work: usize,
  chunkRows: i32,
  chunk: i32,
): void {
  const from = chunk * chunkRows;
  const to = min(n, from + chunkRows);
  const stride = (<usize>d) << 3;
  const column = work + <usize>chunk * ((<usize>MARGIN_BLOCK) << 3);
  for (let i = from; i < to; i += MARGIN_BLOCK) {
    const count = min(MARGIN_BLOCK, to - i);
    for (let k = 0; k < classes; k++) {
      marginRows(
        x + <usize>i * stride,
        stride,
        w + <usize>k * stride,
        load<f64>(b + ((<usize>k) << 3)),
        column,
        count,
        d,
      );
      for (let e = 0; e < count; e++) {
        store<f64>(
          z + ((<usize>(i + e) * <usize>classes + <usize>k) << 3),
          load<f64>(column + ((<usize>e) << 3)),
        );
      }
    }
  }
}
