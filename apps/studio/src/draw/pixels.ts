import type { Color } from "./colors.js";

/** A picture as numbers: four bytes per pixel, row by row. It has the same bytes wherever it is drawn. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8ClampedArray<ArrayBuffer>;
}

export function pixels(width: number, height: number, color: Color): Pixels {
  const data = new Uint8ClampedArray(width * height * 4);
  data.set([...color, 255]);
  // Twice as many with every copy.
  for (let filled = 4; filled < data.length; filled *= 2)
    data.copyWithin(filled, 0, Math.min(filled, data.length - filled));
  return { width, height, data };
}

/** Mixes a colour into one pixel; `alpha` from 0 to 255. What lies outside is not drawn. */
export function blend(
  { width, height, data }: Pixels,
  x: number,
  y: number,
  color: Color,
  alpha: number,
): void {
  if (x < 0 || y < 0 || x >= width || y >= height || alpha <= 0) return;
  const at = (y * width + x) * 4;
  // In whole numbers, which round alike everywhere.
  const r = data[at]!;
  const g = data[at + 1]!;
  const b = data[at + 2]!;
  data[at] = r + Math.trunc(((color[0] - r) * alpha) / 255);
  data[at + 1] = g + Math.trunc(((color[1] - g) * alpha) / 255);
  data[at + 2] = b + Math.trunc(((color[2] - b) * alpha) / 255);
}

/** A straight line, `width` pixels wide. */
export function line(
  out: Pixels,
  [x0, y0]: readonly [number, number],
  [x1, y1]: readonly [number, number],
  color: Color,
  width = 1,
): void {
  const steps = Math.max(1, Math.ceil(Math.max(Math.abs(x1 - x0), Math.abs(y1 - y0))));
  const reach = (width - 1) / 2;
  for (let s = 0; s <= steps; s++) {
    const x = Math.round(x0 + ((x1 - x0) * s) / steps - reach);
    const y = Math.round(y0 + ((y1 - y0) * s) / steps - reach);
    for (let a = 0; a < width; a++) for (let b = 0; b < width; b++) blend(out, x + a, y + b, color, 255);
  }
}
