import {
  batchNormCoefficients,
  batchNormGradientRows,
  batchNormRows,
  batchNormSums,
} from "./normalization/batch-norm";
import { maskRun } from "./normalization/dropout";
import { layerNormGradientRows, layerNormRows } from "./normalization/layer-norm";
import { addGradients, columnMeans, columnMoments, columnScales } from "./normalization/moments";

/** Each kernel for f32 and f64. */
export function batchNormRows32(
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
  batchNormRows<f32>(x, rows, cols, gain, shift, means, scales, out, chunkRows, chunk);
}
export function batchNormRows64(
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
  batchNormRows<f64>(x, rows, cols, gain, shift, means, scales, out, chunkRows, chunk);
}
export function batchNormSums32(
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
  batchNormSums<f32>(x, rows, cols, means, scales, g, partials, chunkRows, chunk);
}
export function batchNormSums64(
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
  batchNormSums<f64>(x, rows, cols, means, scales, g, partials, chunkRows, chunk);
}
export function batchNormCoefficients32(
  totals: usize,
  rows: i32,
  cols: i32,
  gain: usize,
  scales: usize,
  coefficients: usize,
): void {
  batchNormCoefficients<f32>(totals, rows, cols, gain, scales, coefficients);
}
export function batchNormCoefficients64(
  totals: usize,
  rows: i32,
  cols: i32,
  gain: usize,
  scales: usize,
  coefficients: usize,
): void {
  batchNormCoefficients<f64>(totals, rows, cols, gain, scales, coefficients);
}
export function batchNormGradientRows32(
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
  batchNormGradientRows<f32>(x, rows, cols, means, coefficients, g, out, accumulate, chunkRows, chunk);
}
export function batchNormGradientRows64(
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
  batchNormGradientRows<f64>(x, rows, cols, means, coefficients, g, out, accumulate, chunkRows, chunk);
}
export function maskRun32(
  n: i32,
  first: u32,
  second: u32,
  threshold: u32,
  value: f64,
  out: usize,
  chunkEntries: i32,
  chunk: i32,
): void {
  maskRun<f32>(n, first, second, threshold, value, out, chunkEntries, chunk);
}
export function maskRun64(
  n: i32,
  first: u32,
  second: u32,
  threshold: u32,
  value: f64,
  out: usize,
  chunkEntries: i32,
  chunk: i32,
): void {
  maskRun<f64>(n, first, second, threshold, value, out, chunkEntries, chunk);
}
export function layerNormRows32(
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
  layerNormRows<f32>(x, rows, cols, gain, shift, epsilon, out, means, scales, chunkRows, chunk);
}
export function layerNormRows64(
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
  layerNormRows<f64>(x, rows, cols, gain, shift, epsilon, out, means, scales, chunkRows, chunk);
}
export function layerNormGradientRows32(
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
  layerNormGradientRows<f32>(
    x,
    rows,
    cols,
    gain,
    means,
    scales,
    g,
    out,
    accumulate,
    partials,
    chunkRows,
    chunk,
  );
}
export function layerNormGradientRows64(
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
  layerNormGradientRows<f64>(
    x,
    rows,
    cols,
    gain,
    means,
    scales,
    g,
    out,
    accumulate,
    partials,
    chunkRows,
    chunk,
  );
}
export function columnMoments32(
  x: usize,
  rows: i32,
  cols: i32,
  means: usize,
  partials: usize,
  chunkRows: i32,
  chunk: i32,
): void {
  columnMoments<f32>(x, rows, cols, means, partials, chunkRows, chunk);
}
export function columnMoments64(
  x: usize,
  rows: i32,
  cols: i32,
  means: usize,
  partials: usize,
  chunkRows: i32,
  chunk: i32,
): void {
  columnMoments<f64>(x, rows, cols, means, partials, chunkRows, chunk);
}
export function columnMeans32(
  partials: usize,
  chunks: i32,
  rows: i32,
  cols: i32,
  means: usize,
  wide: usize,
): void {
  columnMeans<f32>(partials, chunks, rows, cols, means, wide);
}
export function columnMeans64(
  partials: usize,
  chunks: i32,
  rows: i32,
  cols: i32,
  means: usize,
  wide: usize,
): void {
  columnMeans<f64>(partials, chunks, rows, cols, means, wide);
}
export function columnScales32(
  partials: usize,
  chunks: i32,
  rows: i32,
  cols: i32,
  epsilon: f64,
  scales: usize,
): void {
  columnScales<f32>(partials, chunks, rows, cols, epsilon, scales);
}
export function columnScales64(
  partials: usize,
  chunks: i32,
  rows: i32,
  cols: i32,
  epsilon: f64,
  scales: usize,
): void {
  columnScales<f64>(partials, chunks, rows, cols, epsilon, scales);
}
export function addGradients32(
  partials: usize,
  chunks: i32,
  cols: i32,
  gainGradient: usize,
  addGain: i32,
  shiftGradient: usize,
  addShift: i32,
): void {
  addGradients<f32>(partials, chunks, cols, gainGradient, addGain, shiftGradient, addShift);
}
export function addGradients64(
  partials: usize,
  chunks: i32,
  cols: i32,
  gainGradient: usize,
  addGain: i32,
  shiftGradient: usize,
  addShift: i32,
): void {
  addGradients<f64>(partials, chunks, cols, gainGradient, addGain, shiftGradient, addShift);
}
