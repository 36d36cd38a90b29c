import { vsum } from "../../shared/elementary";
import { sumRun } from "../../shared/wide-sums";
import { addTo, addWide, addWideTo, centredSquares, clearSums } from "./moments";

/** out = (x − mean)·scale·gain + shift per row, for a chunk of rows; mean and scale = 1/√(variance + ε) of each row are stored. */
export function layerNormRows<T>(
  x: usize,
  rows: i32,
  cols: i32,
  gain: usize,
  shift: usize,
  epsilon: f64,
  out: usize,
  means: usize,
  scales: usize,
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
    const exact = sumRun<T>(at, cols) / <f64>cols;
    const mean = <T>exact;
    const scale = <T>(1 / sqrt<f64>(centredSquares<T>(at, cols, exact) / <f64>cols + epsilon));
    store<T>(means + <usize>i * w, mean);
    store<T>(scales + <usize>i * w, scale);
    const m = v128.splat<T>(mean);
    const s = v128.splat<T>(scale);
    let e: usize = 0;
    for (; e < whole; e += 16) {
      const centred = v128.mul<T>(v128.sub<T>(v128.load(at + e), m), s);
      v128.store(z + e, v128.add<T>(v128.mul<T>(centred, v128.load(gain + e)), v128.load(shift + e)));
    }
    for (; e < bytes; e += w) {
      const centred = <T>(<T>(load<T>(at + e) - mean) * scale);
      store<T>(z + e, <T>(<T>(centred * load<T>(gain + e)) + load<T>(shift + e)));
    }
  }
}

/**
 * The gradient for a chunk of rows. With h = g·gain and x̂ = (x − mean)·scale of a row,
 *   out (+)= scale·(h − mean(h) − x̂·mean(h·x̂)),   partials[chunk] = Σ_i g·x̂ per column, then Σ_i g per column, in doubles.
 * out may be g unless `accumulate`.
 */
export function layerNormGradientRows<T>(
  x: usize,
  rows: i32,
  cols: i32,
  gain: usize,
  means: usize,
  scales: usize,
  g: usize,
  out: usize,
  accumulate: i32,
  partials: usize,
  chunkRows: i32,
  chunk: i32,
): void {
  const w = sizeof<T>();
  const wide = <usize>8 / w;
  const bytes = <usize>cols * w;
  const whole = bytes & ~15;
  const gains = clearSums(partials, cols, chunk);
  const shifts = gains + ((<usize>cols) << 3);
  const to = min(rows, (chunk + 1) * chunkRows);
  for (let i = chunk * chunkRows; i < to; i++) {
    const at = x + <usize>i * bytes;
    const from = g + <usize>i * bytes;
    const z = out + <usize>i * bytes;
    const mean = load<T>(means + <usize>i * w);
    const scale = load<T>(scales + <usize>i * w);
    const m = v128.splat<T>(mean);
    const s = v128.splat<T>(scale);
    let plain = f64x2.splat(0);
    let along = plain;
    let e: usize = 0;
    for (; e < whole; e += 16) {
      const unit = v128.mul<T>(v128.sub<T>(v128.load(at + e), m), s);
      const slope = v128.load(from + e);
      const product = v128.mul<T>(slope, unit);
      const factor = v128.load(gain + e);
      addWideTo<T>(gains + e * wide, product);
      addWideTo<T>(shifts + e * wide, slope);
      plain = addWide<T>(plain, v128.mul<T>(slope, factor));
      along = addWide<T>(along, v128.mul<T>(product, factor));
    }
    let a = vsum(plain);
    let b = vsum(along);
    for (; e < bytes; e += w) {
      const unit = <T>(<T>(load<T>(at + e) - mean) * scale);
      const slope = load<T>(from + e);
      const product = <T>(slope * unit);
      addTo(gains + e * wide, <f64>product);
      addTo(shifts + e * wide, <f64>slope);
      a += <f64>(<T>(slope * load<T>(gain + e)));
      b += <f64>(<T>(product * load<T>(gain + e)));
    }
    const level = <T>(a / <f64>cols);
    const tilt = <T>(b / <f64>cols);
    rowGradient<T>(at, from, gain, bytes, mean, scale, level, tilt, z, accumulate);
  }
}

/** out (+)= scale·(g·gain − level − x̂·tilt) for one row. */
// @inline
function rowGradient<T>(
  x: usize,
  g: usize,
  gain: usize,
  bytes: usize,
  mean: T,
  scale: T,
  level: T,
  tilt: T,
  out: usize,
  accumulate: i32,
): void {
  const whole = bytes & ~15;
  const m = v128.splat<T>(mean);
  const s = v128.splat<T>(scale);
  let e: usize = 0;
  for (; e < whole; e += 16) {
    const unit = v128.mul<T>(v128.sub<T>(v128.load(x + e), m), s);
    const h = v128.mul<T>(v128.load(g + e), v128.load(gain + e));
    const rest = v128.sub<T>(v128.sub<T>(h, v128.splat<T>(level)), v128.mul<T>(unit, v128.splat<T>(tilt)));
    const value = v128.mul<T>(rest, s);
    v128.store(out + e, accumulate ? v128.add<T>(v128.load(out + e), value) : value);
  }
  for (; e < bytes; e += sizeof<T>()) {
    const unit = <T>(<T>(load<T>(x + e) - mean) * scale);
    const h = <T>(load<T>(g + e) * load<T>(gain + e));
    const value = <T>(<T>(<T>(h - level) - <T>(unit * tilt)) * scale);
    store<T>(out + e, accumulate ? <T>(load<T>(out + e) + value) : value);
  }
}
