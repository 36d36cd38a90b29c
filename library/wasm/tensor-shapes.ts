import { binaryRows } from "./tensor-shapes/broadcast";
import { gatherRows } from "./tensor-shapes/copy";
import { addPartials, spreadRows, sumMiddle, sumOuter } from "./tensor-shapes/reduce";

/** Each kernel for f32 and f64. */
export function binaryRows32(
  code: i32,
  a: usize,
  b: usize,
  out: usize,
  rows: i32,
  middle: i32,
  inner: i32,
  a1: i32,
  a2: i32,
  b1: i32,
  b2: i32,
  alongB: i32,
  chunkRows: i32,
  chunk: i32,
): void {
  binaryRows<f32>(code, a, b, out, rows, middle, inner, a1, a2, b1, b2, alongB, chunkRows, chunk);
}
export function binaryRows64(
  code: i32,
  a: usize,
  b: usize,
  out: usize,
  rows: i32,
  middle: i32,
  inner: i32,
  a1: i32,
  a2: i32,
  b1: i32,
  b2: i32,
  alongB: i32,
  chunkRows: i32,
  chunk: i32,
): void {
  binaryRows<f64>(code, a, b, out, rows, middle, inner, a1, a2, b1, b2, alongB, chunkRows, chunk);
}
export function gatherRows32(
  table: usize,
  cols: i32,
  indices: usize,
  rows: i32,
  out: usize,
  chunkRows: i32,
  chunk: i32,
): void {
  gatherRows<f32>(table, cols, indices, rows, out, chunkRows, chunk);
}
export function gatherRows64(
  table: usize,
  cols: i32,
  indices: usize,
  rows: i32,
  out: usize,
  chunkRows: i32,
  chunk: i32,
): void {
  gatherRows<f64>(table, cols, indices, rows, out, chunkRows, chunk);
}
export function sumOuter32(
  x: usize,
  outer: i32,
  middle: i32,
  inner: i32,
  out: usize,
  scale: f64,
  accumulate: i32,
  work: usize,
  chunkOuter: i32,
  chunk: i32,
): void {
  sumOuter<f32>(x, outer, middle, inner, out, scale, accumulate, work, chunkOuter, chunk);
}
export function sumOuter64(
  x: usize,
  outer: i32,
  middle: i32,
  inner: i32,
  out: usize,
  scale: f64,
  accumulate: i32,
  work: usize,
  chunkOuter: i32,
  chunk: i32,
): void {
  sumOuter<f64>(x, outer, middle, inner, out, scale, accumulate, work, chunkOuter, chunk);
}
export function sumMiddle32(
  x: usize,
  outer: i32,
  middle: i32,
  inner: i32,
  partials: usize,
  chunkMiddle: i32,
  chunk: i32,
): void {
  sumMiddle<f32>(x, outer, middle, inner, partials, chunkMiddle, chunk);
}
export function sumMiddle64(
  x: usize,
  outer: i32,
  middle: i32,
  inner: i32,
  partials: usize,
  chunkMiddle: i32,
  chunk: i32,
): void {
  sumMiddle<f64>(x, outer, middle, inner, partials, chunkMiddle, chunk);
}
export function addPartials32(
  partials: usize,
  chunks: i32,
  size: i32,
  out: usize,
  scale: f64,
  accumulate: i32,
): void {
  addPartials<f32>(partials, chunks, size, out, scale, accumulate);
}
export function addPartials64(
  partials: usize,
  chunks: i32,
  size: i32,
  out: usize,
  scale: f64,
  accumulate: i32,
): void {
  addPartials<f64>(partials, chunks, size, out, scale, accumulate);
}
export function spreadRows32(
  g: usize,
  rows: i32,
  middle: i32,
  inner: i32,
  out: usize,
  scale: f64,
  accumulate: i32,
  chunkRows: i32,
  chunk: i32,
): void {
  spreadRows<f32>(g, rows, middle, inner, out, scale, accumulate, chunkRows, chunk);
}
export function spreadRows64(
  g: usize,
  rows: i32,
  middle: i32,
  inner: i32,
  out: usize,
  scale: f64,
  accumulate: i32,
  chunkRows: i32,
  chunk: i32,
): void {
  spreadRows<f64>(g, rows, middle, inner, out, scale, accumulate, chunkRows, chunk);
}

/** Sets `bytes` bytes to 0. */
export function clear(x: usize, bytes: usize): void {
  memory.fill(x, 0, bytes);
}
