import { addTo, addWideTo, clearSums } from "./moments";

/** out = (x − means)·(scales·gain) + shift per column, for a chunk of rows; out may be x. */
export function batchNormRows<T>(
  x: usize,
  rows: i32,
  cols: i32,
  gain: usize,
  shift: usize,
  means: usize,
  scales: usize,
  out: usize,
  chunkRows: i32,
  chunk: i32,
): void {
  const w = sizeof<T>();
  const bytes = <usize>cols * w;
  const whole = bytes & ~15;
  const to = min(rows, (chunk + 1) * chunkRows);
  for (let i = chunk * chunkRows; i < to; i++) {
    const at = x + <usize>i * bytes;
    const z = out + <usize>i * bytes;
    let e: usize = 0;
    for (; e < whole; e += 16) {
      const centred = v128.sub<T>(v128.load(at + e), v128.load(means + e));
      const factor = v128.mul<T>(v128.load(scales + e), v128.load(gain + e));
      v128.store(z + e, v128.add<T>(v128.mul<T>(centred, factor), v128.load(shift + e)));
    }
    for (; e < bytes; e += w) {
      const centred = <T>(load<T>(at + e) - load<T>(means + e));
      const factor = <T>(load<T>(scales + e) * load<T>(gain + e));
      store<T>(z + e, <T>(<T>(centred * factor) + load<T>(shift + e)));
    }
  }
}

/** partials[chunk] = Σ_i g·(x − mean)·scale per column, then Σ_i g per column, in doubles, for a chunk of rows. */
export function batchNormSums<T>(
  x: usize,
  rows: i32,
  cols: i32,
  means: usize,
  scales: usize,
  g: usize,
  partials: usize,
  chunkRows: i32,
  chunk: i32,
): void {
  const sums = clearSums(partials, cols, chunk);
  const bytes = <usize>cols * sizeof<T>();
  const to = min(rows, (chunk + 1) * chunkRows);
  for (let i = chunk * chunkRows; i < to; i++)
    addRowSums<T>(x + <usize>i * bytes, cols, means, scales, g + <usize>i * bytes, sums);
}

/** The summands of one row. */
// @inline
function addRowSums<T>(x: usize, cols: i32, means: usize, scales: usize, g: usize, gains: usize): void {
  const w = sizeof<T>();
  const wide = <usize>8 / w;
  const bytes = <usize>cols * w;
  const whole = bytes & ~15;
  const shifts = gains + ((<usize>cols) << 3);
  let e: usize = 0;
  for (; e < whole; e += 16) {
    const centred = v128.sub<T>(v128.load(x + e), v128.load(means + e));
    const slope = v128.load(g + e);
    addWideTo<T>(gains + e * wide, v128.mul<T>(slope, v128.mul<T>(centred, v128.load(scales + e))));
    addWideTo<T>(shifts + e * wide, slope);
  }
  for (; e < bytes; e += w) {
    const unit = <T>(<T>(load<T>(x + e) - load<T>(means + e)) * load<T>(scales + e));
    const slope = load<T>(g + e);
    addTo(gains + e * wide, <f64>(<T>(slope * unit)));
    addTo(shifts + e * wide, <f64>slope);
  }
}

/**
 * The gradient is factor·g + (level + tilt·(x − mean)) per column: with the totals of `batchNormSums` over n rows,
 *   factor = gain·scale,   level = −factor·Σg/n,   tilt = −factor·scale·Σg·x̂/n.
 * coefficients: factor, level and tilt, `cols` entries each.
 */
export function batchNormCoefficients<T>(
  totals: usize,
  rows: i32,
  cols: i32,
  gain: usize,
  scales: usize,
  coefficients: usize,
): void {
  const w = sizeof<T>();
  for (let j = 0; j < cols; j++) {
    const scale = <f64>load<T>(scales + <usize>j * w);
    const factor = <f64>load<T>(gain + <usize>j * w) * scale;
    const along = load<f64>(totals + ((<usize>j) << 3)) / <f64>rows;
    const plain = load<f64>(totals + ((<usize>(cols + j)) << 3)) / <f64>rows;
    store<T>(coefficients + <usize>j * w, <T>factor);
    store<T>(coefficients + <usize>(cols + j) * w, <T>(-factor * plain));
    store<T>(coefficients + <usize>(2 * cols + j) * w, <T>(-factor * scale * along));
  }
}

/** out (+)= factor·g + (level + tilt·(x − mean)) per column, for a chunk of rows; out may be g unless `accumulate`. */
export function batchNormGradientRows<T>(
  x: usize,
  rows: i32,
  cols: i32,
  means: usize,
  coefficients: usize,
  g: usize,
  out: usize,
  accumulate: i32,
  chunkRows: i32,
  chunk: i32,
): void {
  const w = sizeof<T>();
  const bytes = <usize>cols * w;
  const whole = bytes & ~15;
  const levels = coefficients + bytes;
  const tilts = levels + bytes;
  const to = min(rows, (chunk + 1) * chunkRows);
  for (let i = chunk * chunkRows; i < to; i++) {
    const at = x + <usize>i * bytes;
    const from = g + <usize>i * bytes;
    const z = out + <usize>i * bytes;
    let e: usize = 0;
    for (; e < whole; e += 16) {
      const centred = v128.sub<T>(v128.load(at + e), v128.load(means + e));
      const rest = v128.add<T>(v128.load(levels + e), v128.mul<T>(v128.load(tilts + e), centred));
      const value = v128.add<T>(v128.mul<T>(v128.load(coefficients + e), v128.load(from + e)), rest);
      v128.store(z + e, accumulate ? v128.add<T>(v128.load(z + e), value) : value);
    }
    for (; e < bytes; e += w) {
      const centred = <T>(load<T>(at + e) - load<T>(means + e));
      const rest = <T>(load<T>(levels + e) + <T>(load<T>(tilts + e) * centred));
      const value = <T>(<T>(load<T>(coefficients + e) * load<T>(from + e)) + rest);
      store<T>(z + e, accumulate ? <T>(load<T>(z + e) + value) : value);
    }
  }
}
