import type { Projection } from "./protocol.js";

/** The value of column k of a projection at the place (a, b) of its plane. */
export const valueAt = (
  { origin, scale, first, second }: Projection,
  k: number,
  a: number,
  b: number,
): number => origin[k]! + scale[k]! * (a * first[k]! + b * second[k]!);

/** Where a row falls on the plane, and how far it is from it: the root mean square of what is left, in deviations. */
export function placeOf(
  { origin, scale, first, second }: Projection,
  row: ArrayLike<number>,
): { readonly x: number; readonly y: number; readonly far: number } {
  const { length } = origin;
  let [x, y, squares] = [0, 0, 0];
  for (let k = 0; k < length; k++) {
    const z = standardised(row[k]!, origin[k]!, scale[k]!);
    x += z * first[k]!;
    y += z * second[k]!;
    squares += z * z;
  }
  // The components are orthonormal.
  return { x, y, far: Math.sqrt(Math.max(0, squares - x * x - y * y) / Math.max(1, length - 2)) };
}

/** What is missing counts as the mean. */
export const standardised = (value: number, mean: number, scale: number): number =>
  Number.isNaN(value) ? 0 : (value - mean) / scale;
