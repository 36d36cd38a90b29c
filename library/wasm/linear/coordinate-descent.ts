import { vsum } from "../shared/elementary";
import { addFour, axpyRow, dotRow, marginRows } from "../shared/rows";

/** sign(v) max(0, |v| − t). */
// @inline
function soft(v: f64, t: f64): f64 {
  if (v > t) return v - t;
  if (v < -t) return v + t;
  return 0;
}

/**
 * Coordinate descent on ½‖r‖² + l1‖w‖₁ + ½ l2‖w‖², r = y − A w, over the listed columns.
 *
 * a      columns of n doubles each;  q  ‖a_j‖²;  list  m column numbers
 * w, r   updated in place
 * Sweeps until no update of a sweep lowers the objective by more than `enough`, at most `sweeps` times.
 * Returns the number of sweeps.
 */
export function denseSweeps(
  a: usize,
  n: i32,
  q: usize,
  list: usize,
  m: i32,
  w: usize,
  r: usize,
  l1: f64,
  l2: f64,
  sweeps: i32,
  enough: f64,
): i32 {
  const stride = (<usize>n) << 3;
  for (let sweep = 0; sweep < sweeps; sweep++) {
    let largest: f64 = 0;
    for (let e = 0; e < m; e++) {
      const j = <usize>load<i32>(list + ((<usize>e) << 2));
      const qj = load<f64>(q + (j << 3));
      if (qj == 0) continue;
      const column = a + j * stride;
      const old = load<f64>(w + (j << 3));
      const value = soft(dotRow(column, r, n) + qj * old, l1) / (qj + l2);
      if (value == old) continue;
      axpyRow(old - value, column, r, n);
      store<f64>(w + (j << 3), value);
      const gain = (qj + l2) * (value - old) * (value - old);
      if (gain > largest) largest = gain;
    }
    if (0.5 * largest <= enough) return sweep + 1;
  }
  return sweeps;
}

/** c[j] = a_j · r for a chunk of the m listed columns; list = 0: of all m columns. */
export function correlateChunk(
  a: usize,
  n: i32,
  list: usize,
  m: i32,
  r: usize,
  c: usize,
  chunkCols: i32,
  chunk: i32,
): void {
  const to = min(m, (chunk + 1) * chunkCols);
  for (let e = chunk * chunkCols; e < to; e++) {
    const j = <usize>(list == 0 ? e : load<i32>(list + ((<usize>e) << 2)));
    store<f64>(c + (j << 3), dotRow(a + j * ((<usize>n) << 3), r, n));
  }
}

/** g[e, f] = a_e · a_f for f ≤ e, a chunk of the m rows e; a has rows of n. */
export function pairsChunk(a: usize, n: i32, m: i32, g: usize, chunkRows: i32, chunk: i32): void {
  const stride = (<usize>n) << 3;
  const to = min(m, (chunk + 1) * chunkRows);
  for (let e = chunk * chunkRows; e < to; e++) {
    marginRows(a, stride, a + <usize>e * stride, 0, g + ((<usize>e * <usize>m) << 3), e + 1, n);
  }
}

/** Rows that are transposed together: their memory pages fit in the TLB. */
const TRANSPOSED_ROWS: i32 = 32;

/** a[j, from + i] = x[i, j] for a chunk of the columns of a block of `count` rows; a has rows of n. */
export function transposeChunk(
  x: usize,
  count: i32,
  d: i32,
  from: i32,
  n: i32,
  a: usize,
  chunkCols: i32,
  chunk: i32,
): void {
  const to = min(d, (chunk + 1) * chunkCols);
  const wide = (<usize>d) << 3;
  const tall = (<usize>n) << 3;
  for (let i0 = 0; i0 < count; i0 += TRANSPOSED_ROWS) {
    const end = min(count, i0 + TRANSPOSED_ROWS);
    let j = chunk * chunkCols;
    // Four columns at a time, two rows by two columns in registers.
    for (; j + 4 <= to; j += 4) {
      let row = x + <usize>i0 * wide + ((<usize>j) << 3);
      let out = a + <usize>j * tall + ((<usize>(from + i0)) << 3);
      let i = i0;
      for (; i + 2 <= end; i += 2) {
        const p0 = v128.load(row);
        const p1 = v128.load(row, 16);
        const q0 = v128.load(row + wide);
        const q1 = v128.load(row + wide, 16);
        v128.store(out, v128.shuffle<f64>(p0, q0, 0, 2));
        v128.store(out + tall, v128.shuffle<f64>(p0, q0, 1, 3));
        v128.store(out + 2 * tall, v128.shuffle<f64>(p1, q1, 0, 2));
        v128.store(out + 3 * tall, v128.shuffle<f64>(p1, q1, 1, 3));
        row += 2 * wide;
        out += 16;
      }
      if (i < end) for (let c: usize = 0; c < 4; c++) store<f64>(out + c * tall, load<f64>(row + (c << 3)));
    }
    for (; j < to; j++) {
      for (let i = i0; i < end; i++) {
        store<f64>(
          a + <usize>j * tall + ((<usize>(from + i)) << 3),
          load<f64>(x + <usize>i * wide + ((<usize>j) << 3)),
        );
      }
    }
  }
}

/**
 * For a chunk of the columns (rows of a, n doubles each): mean_j = Σ s x / total (0 without `centre`), then
 * a_j[i] = √s_i (x_ij − mean_j) in place, and q_j = ‖a_j‖². s and its roots are 0 when all weights are 1.
 */
export function centreChunk(
  a: usize,
  n: i32,
  d: i32,
  s: usize,
  roots: usize,
  total: f64,
  centre: i32,
  mean: usize,
  q: usize,
  chunkCols: i32,
  chunk: i32,
): void {
  const to = min(d, (chunk + 1) * chunkCols);
  for (let j = chunk * chunkCols; j < to; j++) {
    const column = a + ((<usize>j * <usize>n) << 3);
    let m: f64 = 0;
    if (centre) {
      if (s == 0) for (let i = 0; i < n; i++) m += load<f64>(column + ((<usize>i) << 3));
      else m = dotRow(column, s, n);
      m /= total;
    }
    store<f64>(mean + ((<usize>j) << 3), m);
    for (let i = 0; i < n; i++) {
      const at = (<usize>i) << 3;
      const v = load<f64>(column + at) - m;
      store<f64>(column + at, roots == 0 ? v : v * load<f64>(roots + at));
    }
    store<f64>(q + ((<usize>j) << 3), dotRow(column, column, n));
  }
}

/**
 * The same sweeps over compressed sparse columns with weights s, centred implicitly: the residual of row i is
 * r_i + shift, since centring a column shifts all rows by the same amount.
 * state  [shift]; total = Σ s; mean is 0 everywhere without an intercept.
 */
export function sparseSweeps(
  colptr: usize,
  rows: usize,
  values: usize,
  s: usize,
  q: usize,
  mean: usize,
  total: f64,
  list: usize,
  m: i32,
  w: usize,
  r: usize,
  state: usize,
  l1: f64,
  l2: f64,
  sweeps: i32,
  enough: f64,
): i32 {
  let shift = load<f64>(state);
  for (let sweep = 0; sweep < sweeps; sweep++) {
    let largest: f64 = 0;
    for (let e = 0; e < m; e++) {
      const j = <usize>load<i32>(list + ((<usize>e) << 2));
      const qj = load<f64>(q + (j << 3));
      if (qj == 0) continue;
      const old = load<f64>(w + (j << 3));
      const meanJ = load<f64>(mean + (j << 3));
      const c = sparseColumnDot(colptr, rows, values, s, r, j) + shift * total * meanJ;
      const value = soft(c + qj * old, l1) / (qj + l2);
      if (value == old) continue;
      const change = value - old;
      const end = load<i32>(colptr + (j << 2), 4);
      for (let k = load<i32>(colptr + (j << 2)); k < end; k++) {
        const at = r + ((<usize>load<i32>(rows + ((<usize>k) << 2))) << 3);
        store<f64>(at, load<f64>(at) - change * load<f64>(values + ((<usize>k) << 3)));
      }
      shift += change * meanJ;
      store<f64>(w + (j << 3), value);
      const gain = (qj + l2) * change * change;
      if (gain > largest) largest = gain;
    }
    if (0.5 * largest <= enough) {
      store<f64>(state, shift);
      return sweep + 1;
    }
  }
  store<f64>(state, shift);
  return sweeps;
}

// @inline
function sparseColumnDot(colptr: usize, rows: usize, values: usize, s: usize, r: usize, j: usize): f64 {
  const end = load<i32>(colptr + (j << 2), 4);
  let sum: f64 = 0;
  for (let k = load<i32>(colptr + (j << 2)); k < end; k++) {
    const i = (<usize>load<i32>(rows + ((<usize>k) << 2))) << 3;
    const v = load<f64>(values + ((<usize>k) << 3)) * load<f64>(r + i);
    sum += s == 0 ? v : v * load<f64>(s + i);
  }
  return sum;
}

/** c[j] = Σ s_i x_ij r_i + shift · total · mean_j for a chunk of the m listed columns; list = 0: of all m columns. */
export function sparseCorrelateChunk(
  colptr: usize,
  rows: usize,
  values: usize,
  s: usize,
  mean: usize,
  total: f64,
  list: usize,
  m: i32,
  r: usize,
  shift: f64,
  c: usize,
  chunkCols: i32,
  chunk: i32,
): void {
  const to = min(m, (chunk + 1) * chunkCols);
  for (let e = chunk * chunkCols; e < to; e++) {
    const j = <usize>(list == 0 ? e : load<i32>(list + ((<usize>e) << 2)));
    const at = j << 3;
    const sum = sparseColumnDot(colptr, rows, values, s, r, j);
    store<f64>(c + at, sum + shift * total * load<f64>(mean + at));
  }
}

/**
 * Coordinate descent on ½ wᵀQw − cᵀw + Σ l1_j |w_j| + ½ Σ l2_j w_j², where Q (side × side, its rows `stride` doubles
 * apart) is small enough to store, over the m listed coordinates (list = 0: all). g = c − Qw is updated; l1 and l2
 * are arrays, 0 where a coordinate is free.
 */
export function gramSweeps(
  q: usize,
  side: i32,
  stride: i32,
  list: usize,
  m: i32,
  w: usize,
  g: usize,
  l1: usize,
  l2: usize,
  sweeps: i32,
  enough: f64,
): i32 {
  const length = (<usize>stride) << 3;
  for (let sweep = 0; sweep < sweeps; sweep++) {
    let largest: f64 = 0;
    for (let e = 0; e < m; e++) {
      const j = <usize>(list == 0 ? e : load<i32>(list + ((<usize>e) << 2)));
      const row = q + j * length;
      const at = j << 3;
      const diagonal = load<f64>(row + at);
      const curve = diagonal + load<f64>(l2 + at);
      if (curve <= 0) continue;
      const old = load<f64>(w + at);
      const value = soft(load<f64>(g + at) + diagonal * old, load<f64>(l1 + at)) / curve;
      if (value == old) continue;
      axpyRow(old - value, row, g, side);
      store<f64>(w + at, value);
      const gain = curve * (value - old) * (value - old);
      if (gain > largest) largest = gain;
    }
    if (0.5 * largest <= enough) return sweep + 1;
  }
  return sweeps;
}

/**
 * g[e, f] = g[f, e] = a_columns[e] · a_columns[f] for pairs of a chunk of e = from … to − 1 with all f ≤ e; g has rows of
 * `stride` doubles. Two columns against four at a time.
 */
export function productsChunk(
  a: usize,
  n: i32,
  columns: usize,
  from: i32,
  to: i32,
  g: usize,
  stride: i32,
  chunkRows: i32,
  chunk: i32,
): void {
  const end = min(to, from + (chunk + 1) * chunkRows);
  for (let e = from + chunk * chunkRows; e < end; e += 2) {
    const e1 = min(e + 1, end - 1);
    for (let f = 0; f <= e1; f += 4) twoByFour(a, n, columns, e, e1, f, g, stride);
  }
}

/** The products of columns e and e1 with f … f + 3, or those up to e1. */
// @inline
function twoByFour(a: usize, n: i32, columns: usize, e: i32, e1: i32, f: i32, g: usize, stride: i32): void {
  const f1 = min(f + 1, e1);
  const f2 = min(f + 2, e1);
  const f3 = min(f + 3, e1);
  const x0 = columnAt(a, n, columns, e);
  const x1 = columnAt(a, n, columns, e1);
  const y0 = columnAt(a, n, columns, f);
  const y1 = columnAt(a, n, columns, f1);
  const y2 = columnAt(a, n, columns, f2);
  const y3 = columnAt(a, n, columns, f3);
  let s00 = f64x2.splat(0);
  let s01 = f64x2.splat(0);
  let s02 = f64x2.splat(0);
  let s03 = f64x2.splat(0);
  let s10 = f64x2.splat(0);
  let s11 = f64x2.splat(0);
  let s12 = f64x2.splat(0);
  let s13 = f64x2.splat(0);
  const even = (<usize>(n & ~1)) << 3;
  for (let at: usize = 0; at < even; at += 16) {
    const u0 = v128.load(x0 + at);
    const u1 = v128.load(x1 + at);
    const v0 = v128.load(y0 + at);
    const v1 = v128.load(y1 + at);
    const v2 = v128.load(y2 + at);
    const v3 = v128.load(y3 + at);
    s00 = f64x2.add(s00, f64x2.mul(u0, v0));
    s01 = f64x2.add(s01, f64x2.mul(u0, v1));
    s02 = f64x2.add(s02, f64x2.mul(u0, v2));
    s03 = f64x2.add(s03, f64x2.mul(u0, v3));
    s10 = f64x2.add(s10, f64x2.mul(u1, v0));
    s11 = f64x2.add(s11, f64x2.mul(u1, v1));
    s12 = f64x2.add(s12, f64x2.mul(u1, v2));
    s13 = f64x2.add(s13, f64x2.mul(u1, v3));
  }
  const last = n & 1 ? even : NONE;
  putProduct(g, stride, e, f, s00, x0, y0, last);
  putProduct(g, stride, e, f1, s01, x0, y1, last);
  putProduct(g, stride, e, f2, s02, x0, y2, last);
  putProduct(g, stride, e, f3, s03, x0, y3, last);
  putProduct(g, stride, e1, f, s10, x1, y0, last);
  putProduct(g, stride, e1, f1, s11, x1, y1, last);
  putProduct(g, stride, e1, f2, s12, x1, y2, last);
  putProduct(g, stride, e1, f3, s13, x1, y3, last);
}

/** The last entry has no partner. */
const NONE: usize = <usize>-1;

// @inline
function columnAt(a: usize, n: i32, columns: usize, e: i32): usize {
  return a + <usize>load<i32>(columns + ((<usize>e) << 2)) * ((<usize>n) << 3);
}

/** Writes a product to both of its positions. */
// @inline
function putProduct(
  g: usize,
  stride: i32,
  e: i32,
  f: i32,
  pair: v128,
  x: usize,
  y: usize,
  last: usize,
): void {
  let sum = vsum(pair);
  if (last != NONE) sum += load<f64>(x + last) * load<f64>(y + last);
  store<f64>(g + ((<usize>e * <usize>stride + <usize>f) << 3), sum);
  store<f64>(g + ((<usize>f * <usize>stride + <usize>e) << 3), sum);
}

/** r −= Σ change_e a_list[e] over the m listed columns, four at a time. */
export function subtractColumns(a: usize, n: i32, list: usize, change: usize, m: i32, r: usize): void {
  let e: i32 = 0;
  for (; e + 4 <= m; e += 4) {
    const at = change + ((<usize>e) << 3);
    const x0 = columnAt(a, n, list, e);
    const x1 = columnAt(a, n, list, e + 1);
    const x2 = columnAt(a, n, list, e + 2);
    addFour(true, at, x0, x1, x2, columnAt(a, n, list, e + 3), r, n);
  }
  for (; e < m; e++) axpyRow(-load<f64>(change + ((<usize>e) << 3)), columnAt(a, n, list, e), r, n);
}
