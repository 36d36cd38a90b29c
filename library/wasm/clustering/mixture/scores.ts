import { DIAGONAL, Mixture, ROWS } from "../mixture.layout";

const COLUMN: usize = (<usize>ROWS) << 3;
/** Bytes of the points that are scored together: four vectors of two. */
const GROUP: usize = 64;

/**
 * out[k] = constants[k] − ½ ‖Wₖᵀ(x − μₖ)‖² of a block's points, ROWS doubles per component. Rows are centred on each mean first:
 * x·W − μ·W would cancel far from the origin. `u` has room for d columns.
 */
export function scoreBlock(m: Mixture, points: usize, rows: i32, u: usize, out: usize): void {
  const d = <i32>m.d;
  const K = <i32>m.components;
  const diagonal = <i32>m.precision == DIAGONAL;
  const end = ((<usize>rows) << 3) + GROUP - 8;
  for (let k = 0; k < K; k++) {
    const mean = <usize>m.means + ((<usize>k * <usize>d) << 3);
    const factors = <usize>m.factors + ((<usize>k * <usize>m.factorStep) << 3);
    const constant = load<f64>(<usize>m.constants + ((<usize>k) << 3));
    const own = out + <usize>k * COLUMN;
    for (let at: usize = 0; at + GROUP <= end; at += GROUP) {
      if (diagonal) diagonalGroup(points + at, mean, factors, d, constant, own + at);
      else triangularGroup(points + at, mean, factors, d, constant, u, own + at);
    }
  }
}

function diagonalGroup(points: usize, mean: usize, factors: usize, d: i32, constant: f64, out: usize): void {
  let s0 = f64x2.splat(0);
  let s1 = f64x2.splat(0);
  let s2 = f64x2.splat(0);
  let s3 = f64x2.splat(0);
  for (let j: i32 = 0; j < d; j++, points += COLUMN) {
    const mu = v128.load64_splat(mean + ((<usize>j) << 3));
    const p = v128.load64_splat(factors + ((<usize>j) << 3));
    const y0 = f64x2.mul(f64x2.sub(v128.load(points), mu), p);
    const y1 = f64x2.mul(f64x2.sub(v128.load(points, 16), mu), p);
    const y2 = f64x2.mul(f64x2.sub(v128.load(points, 32), mu), p);
    const y3 = f64x2.mul(f64x2.sub(v128.load(points, 48), mu), p);
    s0 = f64x2.add(s0, f64x2.mul(y0, y0));
    s1 = f64x2.add(s1, f64x2.mul(y1, y1));
    s2 = f64x2.add(s2, f64x2.mul(y2, y2));
    s3 = f64x2.add(s3, f64x2.mul(y3, y3));
  }
  finish(s0, s1, s2, s3, constant, out);
}

/** Two columns of W meet eight points at a time: eight sums, six loads per step. */
function triangularGroup(
  points: usize,
  mean: usize,
  factors: usize,
  d: i32,
  constant: f64,
  u: usize,
  out: usize,
): void {
  for (let j: i32 = 0, to = u; j < d; j++, to += GROUP, points += COLUMN) {
    const mu = v128.load64_splat(mean + ((<usize>j) << 3));
    v128.store(to, f64x2.sub(v128.load(points), mu));
    v128.store(to, f64x2.sub(v128.load(points, 16), mu), 16);
    v128.store(to, f64x2.sub(v128.load(points, 32), mu), 32);
    v128.store(to, f64x2.sub(v128.load(points, 48), mu), 48);
  }
  let s0 = f64x2.splat(0);
  let s1 = f64x2.splat(0);
  let s2 = f64x2.splat(0);
  let s3 = f64x2.splat(0);
  let w = factors;
  for (let q: i32 = 0; q < d; q += 2) {
    let a0 = f64x2.splat(0);
    let a1 = f64x2.splat(0);
    let a2 = f64x2.splat(0);
    let a3 = f64x2.splat(0);
    let b0 = f64x2.splat(0);
    let b1 = f64x2.splat(0);
    let b2 = f64x2.splat(0);
    let b3 = f64x2.splat(0);
    let at = u;
    const end = u + <usize>min(d, q + 2) * GROUP;
    while (at < end) {
      const wa = v128.load64_splat(w);
      const wb = v128.load64_splat(w, 8);
      let x = v128.load(at);
      a0 = f64x2.add(a0, f64x2.mul(x, wa));
      b0 = f64x2.add(b0, f64x2.mul(x, wb));
      x = v128.load(at, 16);
      a1 = f64x2.add(a1, f64x2.mul(x, wa));
      b1 = f64x2.add(b1, f64x2.mul(x, wb));
      x = v128.load(at, 32);
      a2 = f64x2.add(a2, f64x2.mul(x, wa));
      b2 = f64x2.add(b2, f64x2.mul(x, wb));
      x = v128.load(at, 48);
      a3 = f64x2.add(a3, f64x2.mul(x, wa));
      b3 = f64x2.add(b3, f64x2.mul(x, wb));
      w += 16;
      at += GROUP;
    }
    s0 = f64x2.add(s0, f64x2.add(f64x2.mul(a0, a0), f64x2.mul(b0, b0)));
    s1 = f64x2.add(s1, f64x2.add(f64x2.mul(a1, a1), f64x2.mul(b1, b1)));
    s2 = f64x2.add(s2, f64x2.add(f64x2.mul(a2, a2), f64x2.mul(b2, b2)));
    s3 = f64x2.add(s3, f64x2.add(f64x2.mul(a3, a3), f64x2.mul(b3, b3)));
  }
  finish(s0, s1, s2, s3, constant, out);
}

// @inline
function finish(s0: v128, s1: v128, s2: v128, s3: v128, constant: f64, out: usize): void {
  const c = f64x2.splat(constant);
  const half = f64x2.splat(0.5);
  v128.store(out, f64x2.sub(c, f64x2.mul(half, s0)));
  v128.store(out, f64x2.sub(c, f64x2.mul(half, s1)), 16);
  v128.store(out, f64x2.sub(c, f64x2.mul(half, s2)), 32);
  v128.store(out, f64x2.sub(c, f64x2.mul(half, s3)), 48);
}
