/** The power of two that scales a number to between 1 and 2, if that power is finite; 1 for 0. */
export function unitScale(most: number): number {
  let scale = 1;
  if (!(most > 0 && most < Infinity)) return scale;
  for (const step of [2 ** 256, 2 ** 64, 2 ** 16, 2 ** 4, 2]) {
    while (most * scale >= step) scale /= step;
    while (most * scale * step < 2 && scale * step < 2 ** 1000) scale *= step;
  }
  return scale;
}

/** The largest size of some numbers; 0 of none. */
export function largestSize(values: ArrayLike<number>): number {
  let most = 0;
  for (let i = 0; i < values.length; i++) most = Math.max(most, Math.abs(values[i]!));
  return most;
}
