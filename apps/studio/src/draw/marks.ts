import type { Color } from "./colors.js";
import { blend, type Pixels } from "./pixels.js";

/**
 * Marks of points: a shape per class, so that colour is never the only difference. The fraction of a pixel that a shape covers is counted on a
 * grid of 4 × 4, once per shape and size.
 */
type Inside = (x: number, y: number) => boolean;

/** Unit shapes of about equal area. */
const shapes: readonly Inside[] = [
  (x, y) => x * x + y * y <= 1,
  (x, y) => Math.abs(x) <= 0.86 && Math.abs(y) <= 0.86,
  (x, y) => y <= 0.75 && y >= -1.05 + 2 * Math.abs(x) * 0.9,
  (x, y) => Math.abs(x) + Math.abs(y) <= 1.2,
  (x, y) => (Math.abs(x) <= 0.36 && Math.abs(y) <= 1.1) || (Math.abs(y) <= 0.36 && Math.abs(x) <= 1.1),
  (x, y) => y >= -0.75 && y <= 1.05 - 2 * Math.abs(x) * 0.9,
  (x, y) => (Math.abs(x - y) <= 0.5 || Math.abs(x + y) <= 0.5) && x * x + y * y <= 1.3,
  (x, y) => Math.abs(x) <= 1.1 && Math.abs(y) <= 0.6,
];

interface Sprite {
  readonly size: number;
  /** 0 to 16 sixteenths. */
  readonly cover: Uint8Array;
}

const sprites = new Map<string, Sprite>();

/** The shape of a class. There are as many shapes as colours: the next round of colours has other shapes. */
export const shapeOf = (c: number): number => (c + Math.floor(c / shapes.length)) % shapes.length;

function sprite(shape: number, radius: number): Sprite {
  const key = `${shape} ${radius}`;
  const known = sprites.get(key);
  if (known !== undefined) return known;
  const inside = shapes[shape % shapes.length]!;
  const size = 2 * Math.ceil(radius * 1.25) + 1;
  const middle = size / 2;
  const cover = new Uint8Array(size * size);
  for (let i = 0; i < size; i++)
    for (let j = 0; j < size; j++)
      for (let k = 0; k < 16; k++) {
        const x = (j + ((k & 3) + 0.5) / 4 - middle) / radius;
        const y = (i + ((k >> 2) + 0.5) / 4 - middle) / radius;
        if (inside(x, y)) cover[i * size + j]!++;
      }
  const made = { size, cover };
  sprites.set(key, made);
  return made;
}

/** A filled mark with an outline. */
export function mark(
  out: Pixels,
  x: number,
  y: number,
  shape: number,
  radius: number,
  fill: Color,
  outline: Color,
  alpha = 255,
): void {
  stamp(out, x, y, sprite(shape, radius + 1), outline, alpha);
  stamp(out, x, y, sprite(shape, radius), fill, alpha);
}

/** A circle around a point. */
export function ring(out: Pixels, x: number, y: number, radius: number, width: number, color: Color): void {
  const outer = sprite(0, radius);
  const inner = sprite(0, radius - width);
  const offset = (outer.size - inner.size) / 2;
  const left = Math.round(x) - (outer.size >> 1);
  const top = Math.round(y) - (outer.size >> 1);
  for (let i = 0; i < outer.size; i++)
    for (let j = 0; j < outer.size; j++) {
      const [a, b] = [i - offset, j - offset];
      const within =
        a >= 0 && b >= 0 && a < inner.size && b < inner.size ? inner.cover[a * inner.size + b]! : 0;
      blend(out, left + j, top + i, color, (outer.cover[i * outer.size + j]! - within) * 15.9375);
    }
}

/** A cross through a point. */
export function cross(out: Pixels, x: number, y: number, reach: number, color: Color): void {
  for (let k = -reach; k <= reach; k++)
    for (const [dx, dy] of [
      [k, k],
      [k, -k],
    ] as const) {
      blend(out, Math.round(x) + dx, Math.round(y) + dy, color, 255);
      blend(out, Math.round(x) + dx + 1, Math.round(y) + dy, color, 160);
    }
}

/** What `blend` does for every pixel of a sprite: bounds are checked once, since thousands of marks are drawn. */
function stamp(
  out: Pixels,
  x: number,
  y: number,
  { size, cover }: Sprite,
  color: Color,
  alpha: number,
): void {
  const { width, height, data } = out;
  const left = Math.round(x) - (size >> 1);
  const top = Math.round(y) - (size >> 1);
  const lastRow = Math.min(size, height - top);
  const firstColumn = Math.max(0, -left);
  const lastColumn = Math.min(size, width - left);
  const red = color[0];
  const green = color[1];
  const blue = color[2];
  for (let i = Math.max(0, -top); i < lastRow; i++) {
    let at = 4 * ((top + i) * width + left + firstColumn);
    for (let j = firstColumn; j < lastColumn; j++, at += 4) {
      const share = cover[i * size + j]!;
      if (share === 0) continue;
      const part = Math.trunc((share * alpha) / 16);
      const r = data[at]!;
      const g = data[at + 1]!;
      const b = data[at + 2]!;
      data[at] = r + Math.trunc(((red - r) * part) / 255);
      data[at + 1] = g + Math.trunc(((green - g) * part) / 255);
      data[at + 2] = b + Math.trunc(((blue - b) * part) / 255);
    }
  }
}
