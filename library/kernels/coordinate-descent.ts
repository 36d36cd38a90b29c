import { axpyRow, dotRow, marginRows } from "./shared/rows";

/** sign(v) max(0, |v| − t). */
@inline
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
  a: usize, n: i32, q: usize, list: usize, m: i32, w: usize, r: usize, l1: f64, l2: f64, sweeps: i32, enough: f64,
): i32 {
  const stride = <usize>n << 3;
  for (let sweep = 0; sweep < sweeps; sweep++) {
    let largest: f64 = 0;
    for (let e = 0; e < m; e++) {
      const j = <usize>load<i32>(list + (<usize>e << 2));
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

/** c[j] = a_j · r for a chunk of all columns. */
export function correlateChunk(a: usize, n: i32, d: i32, r: usize, c: usize, chunkCols: i32, chunk: i32): void {
  const to = min(d, (chunk + 1) * chunkCols);
  for (let j = chunk * chunkCols; j < to; j++) {
    store<f64>(c + (<usize>j << 3), dotRow(a + <usize>j * (<usize>n << 3), r, n));
  }
}

/** g[e, f] = a_e · a_f for f ≤ e, a chunk of the m rows e; a has rows of n. */
export function pairsChunk(a: usize, n: i32, m: i32, g: usize, chunkRows: i32, chunk: i32): void {
  const stride = <usize>n << 3;
  const to = min(m, (chunk + 1) * chunkRows);
  for (let e = chunk * chunkRows; e < to; e++) {
    marginRows(a, stride, a + <usize>e * stride, 0, g + (<usize>e * <usize>m << 3), e + 1, n);
  }
}

/** a[j, from + i] = x[i, j] for a chunk of the columns of a block of `count` rows; a has rows of n. */
export function transposeChunk(
  x: usize, count: i32, d: i32, from: i32, n: i32, a: usize, chunkCols: i32, chunk: i32,
): void {
  const to = min(d, (chunk + 1) * chunkCols);
  // Eight columns at a time share the cache lines that they are read from.
  for (let j0 = chunk * chunkCols; j0 < to; j0 += 8) {
    const wide = min(8, to - j0);
    for (let i = 0; i < count; i++) {
      const row = x + ((<usize>i * <usize>d + <usize>j0) << 3);
      for (let c = 0; c < wide; c++) {
        store<f64>(a + ((<usize>(j0 + c) * <usize>n + <usize>(from + i)) << 3), load<f64>(row + (<usize>c << 3)));
      }
    }
  }
}

/**
 * For a chunk of the columns (rows of a, n doubles each): mean_j = Σ s x / total (0 without `centre`), then
 * a_j[i] = √s_i (x_ij − mean_j) in place, and q_j = ‖a_j‖². s and its roots are 0 when all weights are 1.
 */
export function centreChunk(
  a: usize, n: i32, d: i32, s: usize, roots: usize, total: f64, centre: i32, mean: usize, q: usize, chunkCols: i32, chunk: i32,
): void {
  const to = min(d, (chunk + 1) * chunkCols);
  for (let j = chunk * chunkCols; j < to; j++) {
    const column = a + (<usize>j * <usize>n << 3);
    let m: f64 = 0;
    if (centre) {
      if (s == 0) for (let i = 0; i < n; i++) m += load<f64>(column + (<usize>i << 3));
      else m = dotRow(column, s, n);
      m /= total;
    }
    store<f64>(mean + (<usize>j << 3), m);
    for (let i = 0; i < n; i++) {
      const at = <usize>i << 3;
      const v = load<f64>(column + at) - m;
      store<f64>(column + at, roots == 0 ? v : v * load<f64>(roots + at));
    }
    store<f64>(q + (<usize>j << 3), dotRow(column, column, n));
  }
}

/**
 * The same sweeps over compressed sparse columns with weights s, centred implicitly: the residual of row i is
 * r_i + shift, since centring a column moves all rows by the same amount.
 * state  [shift]; total = Σ s; mean is 0 everywhere without an intercept.
 */
export function sparseSweeps(
  colptr: usize, rows: usize, values: usize, s: usize, q: usize, mean: usize, total: f64, list: usize, m: i32, w: usize,
  r: usize, state: usize, l1: f64, l2: f64, sweeps: i32, enough: f64,
): i32 {
  let shift = load<f64>(state);
  for (let sweep = 0; sweep < sweeps; sweep++) {
    let largest: f64 = 0;
    for (let e = 0; e < m; e++) {
      const j = <usize>load<i32>(list + (<usize>e << 2));
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
        const at = r + (<usize>load<i32>(rows + (<usize>k << 2)) << 3);
        store<f64>(at, load<f64>(at) - change * load<f64>(values + (<usize>k << 3)));
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

@inline
function sparseColumnDot(colptr: usize, rows: usize, values: usize, s: usize, r: usize, j: usize): f64 {
  const end = load<i32>(colptr + (j << 2), 4);
  let sum: f64 = 0;
  for (let k = load<i32>(colptr + (j << 2)); k < end; k++) {
    const i = <usize>load<i32>(rows + (<usize>k << 2)) << 3;
    const v = load<f64>(values + (<usize>k << 3)) * load<f64>(r + i);
    sum += s == 0 ? v : v * load<f64>(s + i);
  }
  return sum;
}

/** c[j] = Σ s_i x_ij r_i + shift · total · mean_j for a chunk of all columns. */
export function sparseCorrelateChunk(
  colptr: usize, rows: usize, values: usize, s: usize, mean: usize, total: f64, d: i32, r: usize, shift: f64, c: usize,
  chunkCols: i32, chunk: i32,
): void {
  const to = min(d, (chunk + 1) * chunkCols);
  for (let j = chunk * chunkCols; j < to; j++) {
    const at = <usize>j << 3;
    const sum = sparseColumnDot(colptr, rows, values, s, r, <usize>j);
    store<f64>(c + at, sum + shift * total * load<f64>(mean + at));
  }
}

/**
 * Coordinate descent on ½ wᵀQw − cᵀw + Σ l1_j |w_j| + ½ Σ l2_j w_j², where Q (side × side) is small enough to keep.
 * g = c − Qw is kept up to date; l1 and l2 are arrays, 0 where a coordinate is free.
 */
export function gramSweeps(
  q: usize, side: i32, w: usize, g: usize, l1: usize, l2: usize, sweeps: i32, enough: f64,
): i32 {
  const stride = <usize>side << 3;
  for (let sweep = 0; sweep < sweeps; sweep++) {
    let largest: f64 = 0;
    for (let j = 0; j < side; j++) {
      const row = q + <usize>j * stride;
      const at = <usize>j << 3;
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
