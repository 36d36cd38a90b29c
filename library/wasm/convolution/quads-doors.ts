import { maxQuadGradientRows, maxQuadRows } from "./quads";

/** Each kernel for f32 and f64. */
export function maxQuadRows32(
  x: usize,
  out: usize,
  count: i32,
  height: i32,
  width: i32,
  channels: i32,
  outHeight: i32,
  outWidth: i32,
  chunkRows: i32,
  chunk: i32,
): void {
  maxQuadRows<f32>(x, out, count, height, width, channels, outHeight, outWidth, chunkRows, chunk);
}
export function maxQuadRows64(
  x: usize,
  out: usize,
  count: i32,
  height: i32,
  width: i32,
  channels: i32,
  outHeight: i32,
  outWidth: i32,
  chunkRows: i32,
  chunk: i32,
): void {
  maxQuadRows<f64>(x, out, count, height, width, channels, outHeight, outWidth, chunkRows, chunk);
}
export function maxQuadGradientRows32(
  x: usize,
  g: usize,
  gradient: usize,
  accumulate: i32,
  count: i32,
  height: i32,
  width: i32,
  channels: i32,
  outHeight: i32,
  outWidth: i32,
  chunkRows: i32,
  chunk: i32,
): void {
  maxQuadGradientRows<f32>(
    x,
    g,
    gradient,
    accumulate,
    count,
    height,
    width,
    channels,
    outHeight,
    outWidth,
    chunkRows,
    chunk,
  );
}
export function maxQuadGradientRows64(
  x: usize,
  g: usize,
  gradient: usize,
  accumulate: i32,
  count: i32,
  height: i32,
  width: i32,
  channels: i32,
  outHeight: i32,
  outWidth: i32,
  chunkRows: i32,
  chunk: i32,
): void {
  maxQuadGradientRows<f64>(
    x,
    g,
    gradient,
    accumulate,
    count,
    height,
    width,
    channels,
    outHeight,
    outWidth,
    chunkRows,
    chunk,
  );
}
