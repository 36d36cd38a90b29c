import type { Grid } from "../work/protocol.js";
import type { Color } from "./colors.js";
import { blend, type Pixels } from "./pixels.js";

/** Boundaries of earlier steps, the oldest first and faintest. */
export function drawTrail(out: Pixels, trail: readonly Grid[], ink: Color): void {
  for (const [k, grid] of trail.entries()) {
    const alpha = Math.trunc(30 + (90 * (k + 1)) / trail.length);
    const line = zeroLine(grid);
    if (line !== null) drawLine(out, line, ink, alpha);
    else drawCellEdges(out, grid, ink, alpha);
  }
}

/** Two ends of f = 0 for an affine f, between 0 and 1 from the upper left corner; null where f has no line in the picture or is not of two classes. */
export function zeroLine({ value, view: { n } }: Grid): readonly [number, number, number, number] | null {
  if (value === null || n < 2) return null;
  // From the middles of the outer cells to the corners of the picture: f(x, y) = c + a x + b y.
  const a = ((value[n - 1]! - value[0]!) * n) / (n - 1);
  const b = ((value[(n - 1) * n]! - value[0]!) * n) / (n - 1);
  const c = value[0]! - (a + b) / (2 * n);
  const ends: [number, number][] = [];
  const add = (x: number, y: number) => {
    const isInside = x >= 0 && x <= 1 && y >= 0 && y <= 1;
    if (isInside && !ends.some(([u, v]) => Math.hypot(u - x, v - y) < 1e-9)) ends.push([x, y]);
  };
  for (const side of [0, 1]) {
    if (b !== 0) add(side, -(c + a * side) / b);
    if (a !== 0) add(-(c + b * side) / a, side);
  }
  return ends.length < 2 ? null : [...ends[0]!, ...ends[1]!];
}

function drawLine(
  out: Pixels,
  [x0, y0, x1, y1]: readonly [number, number, number, number],
  ink: Color,
  alpha: number,
): void {
  const { width, height } = out;
  const steps = Math.ceil(Math.max(Math.abs(x1 - x0) * width, Math.abs(y1 - y0) * height));
  // The last point is the first one of the next line.
  for (let s = 0; s < Math.max(1, steps); s++) {
    const t = s / Math.max(1, steps);
    const x = Math.round((x0 + (x1 - x0) * t) * width);
    const y = Math.round((y0 + (y1 - y0) * t) * height);
    blend(out, x, y, ink, alpha);
  }
}

/** Lines between cells of different winners, from middle to middle of the sides of every four cells. */
function drawCellEdges(out: Pixels, { winner, value, view: { n } }: Grid, ink: Color, alpha: number): void {
  if (value !== null) return;
  for (let i = 0; i + 1 < n; i++)
    for (let j = 0; j + 1 < n; j++) {
      const at = i * n + j;
      const [a, b, c, d] = [winner[at], winner[at + 1], winner[at + n], winner[at + n + 1]];
      const sides: (readonly [number, number])[] = [];
      if (a !== b) sides.push([(j + 1) / n, (i + 0.5) / n]);
      if (c !== d) sides.push([(j + 1) / n, (i + 1.5) / n]);
      if (a !== c) sides.push([(j + 0.5) / n, (i + 1) / n]);
      if (b !== d) sides.push([(j + 1.5) / n, (i + 1) / n]);
      if (sides.length === 2) drawLine(out, [...sides[0]!, ...sides[1]!], ink, alpha);
      else for (const side of sides) drawLine(out, [...side, (j + 1) / n, (i + 1) / n], ink, alpha);
    }
}
