import type { PaintedPoint } from "../../data/source.js";
import { classColor, type Theme } from "../../draw/colors.js";
import { mark } from "../../draw/marks.js";
import { line, type Pixels, pixels } from "../../draw/pixels.js";

/** Three digits are finer than a pixel, and keep links short. */
export const rounded = (value: number): number => Math.round(Math.min(1, Math.max(0, value)) * 1000) / 1000;

/** Points that are farther than `reach` from a place. */
export const erased = (
  points: readonly PaintedPoint[],
  [x, y]: readonly [number, number],
  reach: number,
): readonly PaintedPoint[] => {
  const kept = points.filter((point) => Math.hypot(point[0] - x, point[1] - y) > reach);
  return kept.length === points.length ? points : kept;
};

/** The points, and the crosshair of the keyboard. */
export function drawPainting(
  points: readonly PaintedPoint[],
  size: number,
  theme: Theme,
  crosshair: readonly [number, number] | null,
): Pixels {
  const out = pixels(size, size, theme.ground);
  const place = (value: number) => Math.round(value * (size - 1));
  for (const [x, y, label] of points)
    mark(out, place(x), place(1 - y), label, 5, classColor(theme, label), theme.ink);
  if (crosshair !== null) {
    const [x, y] = [place(crosshair[0]), place(1 - crosshair[1])];
    line(out, [x - 12, y], [x + 12, y], theme.ink);
    line(out, [x, y - 12], [x, y + 12], theme.ink);
  }
  return out;
}
