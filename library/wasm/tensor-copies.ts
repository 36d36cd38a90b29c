import { copyItems } from "./tensor-shapes/copy";
import { argmaxOuter, maxGradientOuter, maxOuter, scatterColumns } from "./tensor-shapes/reduce";

/** Strided copies and maxima, which a network of dense layers does not need; each kernel for f32 and f64. */
export function copyItems32(
  kind: i32,
  accumulate: i32,
  src: usize,
  dst: usize,
  n0: i32,
  n1: i32,
  n2: i32,
  n3: i32,
  s0: i32,
  s1: i32,
  s2: i32,
  s3: i32,
  d0: i32,
  d1: i32,
  d2: i32,
  d3: i32,
  chunkItems: i32,
  chunk: i32,
): void {
  copyItems<f32>(
    kind,
    accumulate,
    src,
    dst,
    n0,
    n1,
    n2,
    n3,
    s0,
    s1,
    s2,
    s3,
    d0,
    d1,
    d2,
    d3,
    chunkItems,
    chunk,
  );
}
export function copyItems64(
  kind: i32,
  accumulate: i32,
  src: usize,
  dst: usize,
  n0: i32,
  n1: i32,
  n2: i32,
  n3: i32,
  s0: i32,
  s1: i32,
  s2: i32,
  s3: i32,
  d0: i32,
  d1: i32,
  d2: i32,
  d3: i32,
  chunkItems: i32,
  chunk: i32,
): void {
  copyItems<f64>(
    kind,
    accumulate,
    src,
    dst,
    n0,
    n1,
    n2,
    n3,
    s0,
    s1,
    s2,
    s3,
    d0,
    d1,
    d2,
    d3,
    chunkItems,
    chunk,
  );
}
export function maxOuter32(
  x: usize,
  outer: i32,
  middle: i32,
  inner: i32,
  out: usize,
  chunkOuter: i32,
  chunk: i32,
): void {
  maxOuter<f32>(x, outer, middle, inner, out, chunkOuter, chunk);
}
export function maxOuter64(
  x: usize,
  outer: i32,
  middle: i32,
  inner: i32,
  out: usize,
  chunkOuter: i32,
  chunk: i32,
): void {
  maxOuter<f64>(x, outer, middle, inner, out, chunkOuter, chunk);
}
export function argmaxOuter32(
  x: usize,
  outer: i32,
  middle: i32,
  inner: i32,
  out: usize,
  chunkOuter: i32,
  chunk: i32,
): void {
  argmaxOuter<f32>(x, outer, middle, inner, out, chunkOuter, chunk);
}
export function argmaxOuter64(
  x: usize,
  outer: i32,
  middle: i32,
  inner: i32,
  out: usize,
  chunkOuter: i32,
  chunk: i32,
): void {
  argmaxOuter<f64>(x, outer, middle, inner, out, chunkOuter, chunk);
}
export function maxGradientOuter32(
  g: usize,
  positions: usize,
  outer: i32,
  middle: i32,
  inner: i32,
  out: usize,
  accumulate: i32,
  chunkOuter: i32,
  chunk: i32,
): void {
  maxGradientOuter<f32>(g, positions, outer, middle, inner, out, accumulate, chunkOuter, chunk);
}
export function maxGradientOuter64(
  g: usize,
  positions: usize,
  outer: i32,
  middle: i32,
  inner: i32,
  out: usize,
  accumulate: i32,
  chunkOuter: i32,
  chunk: i32,
): void {
  maxGradientOuter<f64>(g, positions, outer, middle, inner, out, accumulate, chunkOuter, chunk);
}
export function scatterColumns32(
  g: usize,
  rows: i32,
  cols: i32,
  indices: usize,
  table: usize,
  chunkCols: i32,
  chunk: i32,
): void {
  scatterColumns<f32>(g, rows, cols, indices, table, chunkCols, chunk);
}
export function scatterColumns64(
  g: usize,
  rows: i32,
  cols: i32,
  indices: usize,
  table: usize,
  chunkCols: i32,
  chunk: i32,
): void {
  scatterColumns<f64>(g, rows, cols, indices, table, chunkCols, chunk);
}
