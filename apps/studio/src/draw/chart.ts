/** From values to places along an axis. */
export interface Scale {
  (value: number): number;
  /** The value at a place. */
  readonly invert: (place: number) => number;
  readonly range: readonly [number, number];
}

/** Linear: the first value of the range at `from`, the second at `to`. */
export function scale(range: readonly [number, number], from: number, to: number): Scale {
  const width = range[1] - range[0] || 1;
  const place = (value: number) => from + ((value - range[0]) / width) * (to - from);
  const invert = (at: number) => range[0] + ((at - from) / (to - from || 1)) * width;
  return Object.assign(place, { invert, range });
}

/** With the same number of decimals, as few as tell them apart. */
export function tickLabels(values: readonly number[]): string[] {
  const largest = Math.max(...values.map(Math.abs));
  if (largest >= 1e6 || (largest > 0 && largest < 1e-3)) return values.map((value) => value.toExponential(0));
  const places = values.map((value) => (String(value).split(".")[1] ?? "").length);
  const decimals = Math.min(6, Math.max(0, ...places));
  return values.map((value) => value.toFixed(decimals).replace("-", "−"));
}

/** The finite range of values with a margin; [0, 1] where there are none. */
export function rangeOf(values: ArrayLike<number>, margin = 0.04): [number, number] {
  let [low, high] = [Infinity, -Infinity];
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    if (!Number.isFinite(value)) continue;
    if (value < low) low = value;
    if (value > high) high = value;
  }
  if (low > high) return [0, 1];
  const edge = margin * (high - low) || Math.abs(low) * 0.1 || 0.5;
  return [low - edge, high + edge];
}

const round = (place: number): number => Math.round(place * 100) / 100;

/** A line through points. */
export function linePath(
  x: ArrayLike<number>,
  y: ArrayLike<number>,
  sx: (value: number) => number,
  sy: (value: number) => number,
): string {
  let path = "";
  for (let i = 0; i < x.length; i++) path += `${i === 0 ? "M" : "L"}${round(sx(x[i]!))} ${round(sy(y[i]!))}`;
  return path;
}

/** A line that keeps its height until the next point, as precision does between thresholds. */
export function stepPath(
  x: ArrayLike<number>,
  y: ArrayLike<number>,
  sx: (value: number) => number,
  sy: (value: number) => number,
): string {
  let path = "";
  for (let i = 0; i < x.length; i++)
    path += i === 0 ? `M${round(sx(x[0]!))} ${round(sy(y[0]!))}` : `V${round(sy(y[i]!))}H${round(sx(x[i]!))}`;
  return path;
}

/** At most `most` of the indices below n, the first and the last among them. */
export function thinned(n: number, most: number): number[] {
  if (n <= most) return Array.from({ length: n }, (_, i) => i);
  return Array.from({ length: most }, (_, i) => Math.round((i * (n - 1)) / (most - 1)));
}
