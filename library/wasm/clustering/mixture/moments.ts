import { vsum } from "../../shared/elementary";
import { ROWS } from "../mixture.layout";

const COLUMN: usize = (<usize>ROWS) << 3;

/**
 * Responsibilities below this leave all moments as they are: even a billion rows of it stay below the rounding of a component's
 * weight, to which 10ε is added (see numeric/mixture/em-step.ts).
 */
const NEGLIGIBLE: f64 = 1e-30;

/** Where more than one point in this many counts, all are taken: whole vectors are faster than a choice. */
const DENSE: i32 = 3;

/**
 * The points of a block that a component is responsible for: u = [x − centre, 1] and v = r u, d + 1 columns of ROWS doubles.
 * Returns how many, an even number; what is past the end is 0. r is 0 past the last row, `chosen` has room for ROWS integers.
 */
export function gather(
  points: usize,
  d: i32,
  r: usize,
  rows: i32,
  centre: usize,
  chosen: usize,
  u: usize,
  v: usize,
): i32 {
  let count: i32 = 0;
  for (let e: i32 = 0; e < rows; e++) {
    store<i32>(chosen + ((<usize>count) << 2), e << 3);
    count += i32(load<f64>(r + ((<usize>e) << 3)) > NEGLIGIBLE);
  }
  if (count == 0) return 0;
  if (count * DENSE > rows) return takeAll(points, d, r, (rows + 1) & ~1, centre, u, v);
  const even = (count + 1) & ~1;
  // An odd number is made even by a point of weight 0.
  store<i32>(chosen + ((<usize>count) << 2), load<i32>(chosen));
  const weights = v + <usize>d * COLUMN;
  for (let p: i32 = 0; p < even; p++) {
    const e = <usize>load<i32>(chosen + ((<usize>p) << 2));
    store<f64>(u + <usize>d * COLUMN + ((<usize>p) << 3), 1);
    store<f64>(weights + ((<usize>p) << 3), p < count ? load<f64>(r + e) : 0);
  }
  const end = (<usize>even) << 3;
  for (let j: i32 = 0; j < d; j++) {
    const own = points + <usize>j * COLUMN;
    const c = v128.load64_splat(centre + ((<usize>j) << 3));
    const to = <usize>j * COLUMN;
    for (let at: usize = 0; at < end; at += 16) {
      const e = chosen + (at >> 1);
      const both = f64x2.replace_lane(
        v128.load64_splat(own + <usize>load<i32>(e)),
        1,
        load<f64>(own + <usize>load<i32>(e, 4)),
      );
      const value = f64x2.sub(both, c);
      v128.store(u + to + at, value);
      v128.store(v + to + at, f64x2.mul(value, v128.load(weights + at)));
    }
  }
  return even;
}

function takeAll(points: usize, d: i32, r: usize, rows: i32, centre: usize, u: usize, v: usize): i32 {
  const end = (<usize>rows) << 3;
  const ones = <usize>d * COLUMN;
  for (let at: usize = 0; at < end; at += 16) {
    v128.store(u + ones + at, f64x2.splat(1));
    v128.store(v + ones + at, v128.load(r + at));
  }
  for (let j: i32 = 0; j < d; j++) {
    const own = points + <usize>j * COLUMN;
    const c = v128.load64_splat(centre + ((<usize>j) << 3));
    const to = <usize>j * COLUMN;
    for (let at: usize = 0; at < end; at += 16) {
      const value = f64x2.sub(v128.load(own + at), c);
      v128.store(u + to + at, value);
      v128.store(v + to + at, f64x2.mul(value, v128.load(r + at)));
    }
  }
  return rows;
}

/** out += [Σ r, Σ r u], and Σ r u² if `squares`; u = x − centre. r is 0 past the last row. */
export function addColumnMoments(
  points: usize,
  d: i32,
  r: usize,
  rows: i32,
  centre: usize,
  squares: bool,
  out: usize,
): void {
  const end = ((<usize>rows + 1) & ~1) << 3;
  let total = f64x2.splat(0);
  let most = f64x2.splat(0);
  for (let at: usize = 0; at < end; at += 16) {
    total = f64x2.add(total, v128.load(r + at));
    most = f64x2.pmax(most, v128.load(r + at));
  }
  if (!(max(f64x2.extract_lane(most, 0), f64x2.extract_lane(most, 1)) > NEGLIGIBLE)) return;
  addTo(out, vsum(total));
  for (let j: i32 = 0; j < d; j++, points += COLUMN) {
    const c = v128.load64_splat(centre + ((<usize>j) << 3));
    let sum = f64x2.splat(0);
    let square = f64x2.splat(0);
    for (let at: usize = 0; at < end; at += 16) {
      const u = f64x2.sub(v128.load(points + at), c);
      const v = f64x2.mul(u, v128.load(r + at));
      sum = f64x2.add(sum, v);
      square = f64x2.add(square, f64x2.mul(u, v));
    }
    const to = out + 8 + ((<usize>j) << 3);
    addTo(to, vsum(sum));
    if (squares) addTo(to + ((<usize>d) << 3), vsum(square));
  }
}

/**
 * out += Σ v uᵀ, side × side, in tiles of four rows and two columns on and above the diagonal. Columns past d + 1 are whatever
 * the work area holds: their sums are never read.
 */
export function addPairMoments(u: usize, v: usize, count: i32, d: i32, side: i32, out: usize): void {
  for (let p: i32 = 0; p <= d; p += 4) {
    for (let q = p; q <= d; q += 2) {
      pairTile(
        v + <usize>p * COLUMN,
        u + <usize>q * COLUMN,
        count,
        out + ((<usize>(p * side + q)) << 3),
        (<usize>side) << 3,
      );
    }
  }
}

function pairTile(a: usize, b: usize, count: i32, out: usize, ld: usize): void {
  let c00 = f64x2.splat(0);
  let c01 = f64x2.splat(0);
  let c10 = f64x2.splat(0);
  let c11 = f64x2.splat(0);
  let c20 = f64x2.splat(0);
  let c21 = f64x2.splat(0);
  let c30 = f64x2.splat(0);
  let c31 = f64x2.splat(0);
  const end = a + ((<usize>count) << 3);
  while (a < end) {
    const b0 = v128.load(b);
    const b1 = v128.load(b, COLUMN);
    let x = v128.load(a);
    c00 = f64x2.add(c00, f64x2.mul(x, b0));
    c01 = f64x2.add(c01, f64x2.mul(x, b1));
    x = v128.load(a, COLUMN);
    c10 = f64x2.add(c10, f64x2.mul(x, b0));
    c11 = f64x2.add(c11, f64x2.mul(x, b1));
    x = v128.load(a, 2 * COLUMN);
    c20 = f64x2.add(c20, f64x2.mul(x, b0));
    c21 = f64x2.add(c21, f64x2.mul(x, b1));
    x = v128.load(a, 3 * COLUMN);
    c30 = f64x2.add(c30, f64x2.mul(x, b0));
    c31 = f64x2.add(c31, f64x2.mul(x, b1));
    a += 16;
    b += 16;
  }
  addPair(out, c00, c01);
  addPair(out + ld, c10, c11);
  addPair(out + 2 * ld, c20, c21);
  addPair(out + 3 * ld, c30, c31);
}

/** The sums of both lanes of two vectors, added to two neighbouring doubles. */
// @inline
function addPair(out: usize, x: v128, y: v128): void {
  const low = i64x2.shuffle(x, y, 0, 2);
  const high = i64x2.shuffle(x, y, 1, 3);
  v128.store(out, f64x2.add(v128.load(out), f64x2.add(low, high)));
}

// @inline
function addTo(at: usize, value: f64): void {
  store<f64>(at, load<f64>(at) + value);
}
