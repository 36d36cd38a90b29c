/** Sizes along the axes of a tensor; [] is a single number. */
export type Shape = readonly number[];

export const sizeOf = (shape: Shape): number => shape.reduce((product, size) => product * size, 1);

export const sameShape = (a: Shape, b: Shape): boolean =>
  a.length === b.length && a.every((size, axis) => size === b[axis]);

/** "2 × 3", or "one number". */
export const showShape = (shape: Shape): string => (shape.length === 0 ? "one number" : shape.join(" × "));

/** Counts an axis from the end if it is negative; undefined if there is no such axis. */
export function axisOf(shape: Shape, axis: number): number | undefined {
  const own = axis < 0 ? axis + shape.length : axis;
  return Number.isSafeInteger(own) && own >= 0 && own < shape.length ? own : undefined;
}

/** Whether these are sizes of a tensor: whole numbers ≥ 1. */
export const isShape = (shape: Shape): boolean =>
  shape.every((size) => Number.isSafeInteger(size) && size >= 1);
