import { vsum } from "../../shared/elementary";
import { addColumns, pair } from "../../shared/wide-sums";

/** Sums for normalisation, in doubles in both widths. Variances are sums of centred squares, never differences of raw moments. */

/** acc + the entries of a vector, as doubles. */
// @inline
export function addWide<T>(acc: v128, x: v128): v128 {
  if (sizeof<T>() == 8) return f64x2.add(acc, x);
  const high = f64x2.promote_low_f32x4(v128.shuffle<f64>(x, x, 1, 1));
  return f64x2.add(acc, f64x2.add(f64x2.promote_low_f32x4(x), high));
}

/** The sums of a chunk, zeroed here: `cols` doubles for gains, and as many for shifts. */
// @inline
export function clearSums(partials: usize, cols: i32, chunk: i32): usize {
  const bytes = (<usize>(2 * cols)) << 3;
  const sums = partials + <usize>chunk * bytes;
  memory.fill(sums, 0, bytes);
  return sums;
}

/** The double at the address += x. */
// @inline
export function addTo(sum: usize, x: f64): void {
  store<f64>(sum, load<f64>(sum) + x);
}

/** sums += the entries of a vector, each to the double of its column. */
// @inline
export function addWideTo<T>(sums: usize, x: v128): void {
  if (sizeof<T>() == 8) {
    v128.store(sums, f64x2.add(v128.load(sums), x));
  } else {
    const high = f64x2.promote_low_f32x4(v128.shuffle<f64>(x, x, 1, 1));
    v128.store(sums, f64x2.add(v128.load(sums), f64x2.promote_low_f32x4(x)));
    v128.store(sums, f64x2.add(v128.load(sums, 16), high), 16);
  }
}

/** Σ (x − mean)² over n consecutive entries. */
export function centredSquares<T>(x: usize, n: i32, mean: f64): f64 {
  const w = sizeof<T>();
  const end = x + <usize>n * w;
  const whole = x + <usize>(n & ~3) * w;
  const m = f64x2.splat(mean);
  let s0 = f64x2.splat(0);
  let s1 = s0;
  for (; x < whole; x += 4 * w) {
    const d0 = f64x2.sub(pair<T>(x), m);
    const d1 = f64x2.sub(pair<T>(x + 2 * w), m);
    s0 = f64x2.add(s0, f64x2.mul(d0, d0));
    s1 = f64x2.add(s1, f64x2.mul(d1, d1));
  }
  let sum = vsum(f64x2.add(s0, s1));
  for (; x < end; x += w) {
    const d = <f64>load<T>(x) - mean;
    sum += d * d;
  }
  return sum;
}

/**
 * partials[chunk, j] = Σ_i x[i, j] over a chunk of rows, or Σ_i (x[i, j] − means[j])² if means is not 0; means are doubles.
 */
export function columnMoments<T>(
  x: usize,
  rows: i32,
  cols: i32,
  means: usize,
  partials: usize,
  chunkRows: i32,
  chunk: i32,
): void {
  const w = sizeof<T>();
  const row = <usize>cols * w;
  const from = chunk * chunkRows;
  const count = min(rows, from + chunkRows) - from;
  const sums = partials + ((<usize>chunk * <usize>cols) << 3);
  const start = x + <usize>from * row;
  memory.fill(sums, 0, (<usize>cols) << 3);
  if (means == 0) {
    addColumns<T>(start, count, cols, sums);
    return;
  }
  const pairs = (<usize>(cols & ~1)) << 3;
  for (let i = 0; i < count; i += 2) {
    let at = start + <usize>i * row;
    // An odd last row is paired with itself, at weight 0.
    const next = i + 1 < count ? row : 0;
    const weight = f64x2.splat(i + 1 < count ? 1 : 0);
    let e: usize = 0;
    for (; e < pairs; e += 16, at += 2 * w) {
      const m = v128.load(means + e);
      const d0 = f64x2.sub(pair<T>(at), m);
      const d1 = f64x2.mul(f64x2.sub(pair<T>(at + next), m), weight);
      const both = f64x2.add(f64x2.mul(d0, d0), f64x2.mul(d1, d1));
      v128.store(sums + e, f64x2.add(v128.load(sums + e), both));
    }
    if (cols & 1) {
      const m = load<f64>(means + e);
      const d0 = <f64>load<T>(at) - m;
      const d1 = (<f64>load<T>(at + next) - m) * f64x2.extract_lane(weight, 0);
      store<f64>(sums + e, load<f64>(sums + e) + (d0 * d0 + d1 * d1));
    }
  }
}

/** Sum of a column's partials in the order of chunks; `stride` doubles per chunk. */
// @inline
export function total(partials: usize, chunks: i32, stride: i32, j: i32): f64 {
  let sum: f64 = 0;
  for (let c = 0; c < chunks; c++) sum += load<f64>(partials + ((<usize>c * <usize>stride + <usize>j) << 3));
  return sum;
}

/** The means of columns from their partial sums: as entries in `means`, as doubles in `wide`. */
export function columnMeans<T>(
  partials: usize,
  chunks: i32,
  rows: i32,
  cols: i32,
  means: usize,
  wide: usize,
): void {
  for (let j = 0; j < cols; j++) {
    const mean = total(partials, chunks, cols, j) / <f64>rows;
    store<f64>(wide + ((<usize>j) << 3), mean);
    store<T>(means + <usize>j * sizeof<T>(), <T>mean);
  }
}

/** scales[j] = 1/√(variance + ε) from the partial sums of centred squares. */
export function columnScales<T>(
  partials: usize,
  chunks: i32,
  rows: i32,
  cols: i32,
  epsilon: f64,
  scales: usize,
): void {
  for (let j = 0; j < cols; j++) {
    const variance = total(partials, chunks, cols, j) / <f64>rows;
    store<T>(scales + <usize>j * sizeof<T>(), <T>(1 / sqrt<f64>(variance + epsilon)));
  }
}

/** gainGradient (+)= the first `cols` sums of each chunk's 2·cols, shiftGradient (+)= the second; the totals replace those of chunk 0. */
export function addGradients<T>(
  partials: usize,
  chunks: i32,
  cols: i32,
  gainGradient: usize,
  addGain: i32,
  shiftGradient: usize,
  addShift: i32,
): void {
  const w = sizeof<T>();
  for (let j = 0; j < 2 * cols; j++) {
    const sum = total(partials, chunks, 2 * cols, j);
    store<f64>(partials + ((<usize>j) << 3), sum);
    const isGain = j < cols;
    const at = isGain ? gainGradient + <usize>j * w : shiftGradient + <usize>(j - cols) * w;
    store<T>(at, (isGain ? addGain : addShift) ? <T>(<f64>load<T>(at) + sum) : <T>sum);
  }
}
