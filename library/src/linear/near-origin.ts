import type { Matrix } from "../data/matrix.js";

/** A column this many standard deviations away from 0 is moved there before it is squared. */
const FAR = 1e3;

/** Rows that are looked at to find columns far from 0. */
const LOOKED_AT = 256;

/** How far to move each column so that it lies around 0: its mean where that is far away, else 0; null if none is. */
export function farOffsets({ data, rows, cols }: Matrix): Float64Array | null {
  const count = Math.min(rows, LOOKED_AT);
  const mean = new Float64Array(cols);
  const square = new Float64Array(cols);
  const startOf = (e: number) => Math.floor((e * rows) / count) * cols;
  for (let e = 0; e < count; e++) {
    for (let j = 0, at = startOf(e); j < cols; j++, at++) mean[j]! += data[at]! / count;
  }
  for (let e = 0; e < count; e++) {
    for (let j = 0, at = startOf(e); j < cols; j++, at++) square[j]! += (data[at]! - mean[j]!) ** 2;
  }
  let far = false;
  for (let j = 0; j < cols; j++) {
    const deviation = Math.sqrt(square[j]! / count);
    const size = Math.abs(mean[j]!);
    if (deviation > 0 && size > FAR * deviation && size < Infinity) far = true;
    else mean[j] = 0;
  }
  return far ? mean : null;
}
