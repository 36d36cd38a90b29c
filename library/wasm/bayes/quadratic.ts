import { Bytes } from "../shared/bytes";
import { PACKED, quads } from "../shared/tile";
import { ROWS } from "./quadratic.layout";

/**
 * Gaussian scores of a chunk of rows: out[i, k] = constants[k] − ½ ‖Wₖᵀ(x_i − centre) − offsets[k]‖².
 *
 * x        n × d row-major;  centre  d doubles
 * w        `matrices` matrices (one per class, or one for all), each in panels of four columns: panel q holds d quads
 *          (w[j, q], …, w[j, q + 3]), of which the first q + 4 count, since W is an upper triangle
 * offsets  classes × pad doubles, pad = d rounded up to 4, zeros past d
 * out      n × classes
 * work     one area per chunk: ROWS × d doubles of packed rows, then 2 × ROWS doubles of sums
 */
export function quadraticChunk(
  x: usize,
  n: i32,
  d: i32,
  centre: usize,
  w: usize,
  matrices: i32,
  offsets: usize,
  constants: usize,
  classes: i32,
  out: usize,
  work: usize,
  area: Bytes,
  chunkRows: i32,
  chunk: i32,
): void {
  const from = chunk * chunkRows;
  const to = min(n, from + chunkRows);
  const pack = work + <usize>chunk * area;
  const sums = pack + ((<usize>ROWS * <usize>d) << 3);
  const pad = (d + 3) & ~3;
  const panel = (<usize>d) << 5;
  const matrix = <usize>(pad >> 2) * panel;
  for (let i = from; i < to; i += ROWS) {
    const rows = min(ROWS, to - i);
    packRows(x, i, rows, d, centre, pack);
    for (let k = 0; k < classes; k++) {
      memory.fill(sums, 0, (<usize>ROWS) << 4);
      const own = w + (matrices == 1 ? 0 : <usize>k * matrix);
      const shift = offsets + ((<usize>k * <usize>pad) << 3);
      for (let q = 0; q < pad; q += 4) {
        const right = own + <usize>(q >> 2) * panel;
        const depth = min(d, q + 4);
        for (let p = 0; p < rows; p += 4) {
          squares(
            pack + <usize>(p >> 2) * panel,
            right,
            depth,
            shift + ((<usize>q) << 3),
            sums + ((<usize>p) << 4),
          );
        }
      }
      const constant = load<f64>(constants + ((<usize>k) << 3));
      for (let r = 0; r < rows; r++) {
        const both = v128.load(sums + ((<usize>r) << 4));
        const square = f64x2.extract_lane(both, 0) + f64x2.extract_lane(both, 1);
        store<f64>(out + ((<usize>(i + r) * <usize>classes + <usize>k) << 3), constant - 0.5 * square);
      }
    }
  }
}

/** Panels of four centred rows, d quads each; rows past the end are zeros. */
function packRows(x: usize, i: i32, rows: i32, d: i32, centre: usize, out: usize): void {
  const panel = (<usize>d) << 5;
  for (let p = 0; p < rows; p += 4) {
    for (let r = 0; r < 4; r++) {
      let to = out + <usize>(p >> 2) * panel + ((<usize>r) << 3);
      if (p + r >= rows) {
        for (let j = 0; j < d; j++, to += PACKED) store<f64>(to, 0);
        continue;
      }
      let at = x + ((<usize>(i + p + r) * <usize>d) << 3);
      let c = centre;
      for (let j = 0; j < d; j++, to += PACKED) {
        store<f64>(to, load<f64>(at) - load<f64>(c));
        at += 8;
        c += 8;
      }
    }
  }
}

/** Four rows times four columns of W, minus the offset, squared and added to the pairs of sums of the rows. */
function squares(a: usize, b: usize, depth: i32, shift: usize, sums: usize): void {
  quads<f64, Squares>(a, PACKED, b, PACKED, depth, shift, sums, 0);
}

class Squares {
  // @inline
  row(r: usize, shift: usize, sums: usize, _z: usize, c0: v128, c1: v128): void {
    const at = sums + (r << 4);
    const u = f64x2.sub(c0, v128.load(shift));
    const v = f64x2.sub(c1, v128.load(shift, 16));
    v128.store(at, f64x2.add(v128.load(at), f64x2.add(f64x2.mul(u, u), f64x2.mul(v, v))));
  }
}
