import type { Grid } from "../work/protocol.js";
import { field } from "./field.js";

/** x and y of two ends, between 0 and 1 from the lower left corner of a picture. */
export type Segment = readonly [number, number, number, number];

interface Placed {
  /** Between 0 and 1 from the lower left corner. */
  readonly x: (i: number) => number;
  readonly y: (i: number) => number;
  /** Class number, 0 or 1; others have no margin. */
  readonly label: ArrayLike<number>;
  /** Of many rows only every so many are drawn. */
  readonly every?: number | undefined;
}

/**
 * Slack: from every row with y f < 1 to its margin line y f = 1, along the gradient of the decision function f, as far as the line lies in
 * the picture. y is −1 for the first class and 1 for the second.
 */
export function slackSegments({ value, view: { n } }: Grid, points: Placed): Segment[] {
  if (value === null) return [];
  const segments: Segment[] = [];
  const f = field(value, n);
  for (let i = 0; i < points.label.length; i += points.every ?? 1) {
    const label = points.label[i]!;
    if (label !== 0 && label !== 1) continue;
    const [x, y] = [points.x(i), points.y(i)];
    if (!(x >= 0 && x <= 1 && y >= 0 && y <= 1)) continue;
    // In cells, from the upper left corner.
    const end = climb(f, n, x * n - 0.5, (1 - y) * n - 0.5, label === 1 ? 1 : -1);
    if (end !== undefined) segments.push([x, y, (end[0] + 0.5) / n, 1 - (end[1] + 0.5) / n]);
  }
  return segments;
}

/** Where y f reaches 1; undefined where it is there already, or never comes there. */
function climb(
  f: (x: number, y: number) => number,
  n: number,
  x: number,
  y: number,
  sign: number,
): readonly [number, number] | undefined {
  let here = sign * f(x, y);
  if (here >= 1) return undefined;
  for (let step = 0; step < 4 * n; step++) {
    const dx = (sign * (f(x + 0.5, y) - f(x - 0.5, y))) / reach(x, n);
    const dy = (sign * (f(x, y + 0.5) - f(x, y - 0.5))) / reach(y, n);
    const steep = Math.hypot(dx, dy);
    if (!(steep > 0)) return undefined;
    // At most half a cell, within which f is nearly linear.
    const length = Math.min(0.5, (1 - here) / steep);
    const [u, v] = [x + (length * dx) / steep, y + (length * dy) / steep];
    if (u < -0.5 || v < -0.5 || u > n - 0.5 || v > n - 0.5) return undefined;
    const next = sign * f(u, v);
    // A summit below 1.
    if (next <= here) return undefined;
    [x, y, here] = [u, v, next];
    if (here >= 1 - 1e-6) return [x, y];
  }
  return undefined;
}

/** Width of a central difference: half of it lies beyond the outer cells, where f is constant. */
const reach = (place: number, n: number): number =>
  Math.min(n - 1, Math.max(0, place + 0.5)) - Math.min(n - 1, Math.max(0, place - 0.5)) || 1;
