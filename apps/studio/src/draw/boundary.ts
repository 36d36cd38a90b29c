import type { Grid } from "../work/protocol.js";
import { type Color, cividis, classColor, mix, type Theme } from "./colors.js";
import { field } from "./field.js";
import { cross, mark, ring } from "./marks.js";
import { blend, line, type Pixels, pixels } from "./pixels.js";
import type { Segment } from "./slack.js";
import { drawTrail } from "./trail.js";

/** Points of a table in the plane of a grid. */
export interface Points {
  readonly x: ArrayLike<number>;
  readonly y: ArrayLike<number>;
  /** Class number, −1 where it is not known; a value between 0 and 1 if `isValue`. */
  readonly label: ArrayLike<number>;
  readonly isValue?: boolean;
  /** Rows that the model predicts wrongly. */
  readonly wrong?: (i: number) => boolean;
  /** Rows drawn with a ring. */
  readonly ringed?: (i: number) => boolean;
  /** Rows drawn with a dot. */
  readonly dotted?: (i: number) => boolean;
  /** 1 for the usual size. */
  readonly size?: (i: number) => number;
  /** 0 to 255. */
  readonly alpha?: (i: number) => number;
  /** Of many rows only every so many are drawn. */
  readonly every?: number;
}

export interface BoundaryOptions {
  readonly width: number;
  readonly height: number;
  readonly theme: Theme;
  readonly grid: Grid | undefined;
  /** Shades by lead, rather than by class alone. */
  readonly probability: boolean;
  /** Lines between regions. */
  readonly contours: boolean;
  /** Levels of the decision function that are drawn. */
  readonly levels: readonly number[];
  /** Earlier steps, the oldest first: their boundaries are drawn faintly. */
  readonly trail?: readonly Grid[];
  /** From rows to their margins. */
  readonly slack?: readonly Segment[];
  readonly points: Points | undefined;
  readonly mistakes: boolean;
  readonly radius: number;
  readonly x: readonly [number, number];
  readonly y: readonly [number, number];
}

/** Regions of a model, lines between them, and points: from numbers to pixels. */
export function drawBoundary(options: BoundaryOptions): Pixels {
  const { width, height, theme, grid } = options;
  const out = pixels(width, height, theme.ground);
  if (grid !== undefined) {
    drawRegions(out, grid, options);
    if (options.trail !== undefined) drawTrail(out, options.trail, theme.ink);
    if (options.contours && grid.task !== "regression") drawEdges(out, grid, theme.ink);
    if (grid.value !== null && grid.task !== "regression")
      for (const level of options.levels) drawLevel(out, grid, level, theme.ink, level === 0 ? 1.4 : 0.8);
    if (options.contours && grid.task === "regression") drawSteps(out, grid, theme.ink);
  }
  for (const [x0, y0, x1, y1] of options.slack ?? [])
    line(out, [x0 * width, (1 - y0) * height], [x1 * width, (1 - y1) * height], theme.ink);
  if (options.points !== undefined) drawPoints(out, options.points, options);
  return out;
}

/** Tints of a class in eight steps of lead. */
function drawRegions(out: Pixels, { view, winner, lead, value, task }: Grid, options: BoundaryOptions): void {
  const { n } = view;
  const { theme, probability } = options;
  const { width, height, data } = out;
  const [least, most] = task === "regression" ? rangeOf(value!) : [0, 1];
  const tints = new Map<number, Color>();
  for (let i = 0; i < height; i++) {
    const row = Math.min(n - 1, Math.floor((i * n) / height)) * n;
    for (let j = 0; j < width; j++) {
      const cell = row + Math.min(n - 1, Math.floor((j * n) / width));
      let color: Color;
      if (task === "regression") {
        const level = Math.round((63 * (value![cell]! - least)) / (most - least || 1));
        color = tints.get(level) ?? mix(cividis(level / 63), theme.ground, 0.35);
        tints.set(level, color);
      } else {
        const shade = probability ? lead[cell]! >> 2 : 40;
        const key = winner[cell]! * 64 + shade;
        color =
          tints.get(key) ?? mix(theme.ground, classColor(theme, winner[cell]!), 0.1 + (0.42 * shade) / 63);
        tints.set(key, color);
      }
      const at = (i * width + j) * 4;
      data[at] = color[0];
      data[at + 1] = color[1];
      data[at + 2] = color[2];
    }
  }
}

export function rangeOf(values: ArrayLike<number>): [number, number] {
  let least = Infinity;
  let most = -Infinity;
  for (let i = 0; i < values.length; i++) {
    if (values[i]! < least) least = values[i]!;
    if (values[i]! > most) most = values[i]!;
  }
  return least <= most ? [least, most] : [0, 1];
}

/** Dark pixels where the class changes to the right or below. */
function drawEdges(out: Pixels, { view: { n }, winner }: Grid, ink: Color): void {
  const { width, height } = out;
  const at = (i: number, j: number) =>
    winner[Math.min(n - 1, Math.floor((i * n) / height)) * n + Math.min(n - 1, Math.floor((j * n) / width))]!;
  for (let i = 0; i < height; i++)
    for (let j = 0; j < width; j++) {
      const here = at(i, j);
      if ((j + 1 < width && at(i, j + 1) !== here) || (i + 1 < height && at(i + 1, j) !== here))
        blend(out, j, i, ink, 190);
    }
}

/** The line where the decision function has a value; its distance in pixels is |f − level| over the length of the gradient. */
function drawLevel(out: Pixels, { view: { n }, value }: Grid, level: number, ink: Color, wide: number): void {
  const { width, height } = out;
  const f = field(value!, n);
  const at = (i: number, j: number) => f(((j + 0.5) * n) / width - 0.5, ((i + 0.5) * n) / height - 0.5);
  const rows = new Float64Array(2 * (width + 1));
  for (let j = 0; j <= width; j++) rows[j] = at(0, j);
  for (let i = 0; i < height; i++) {
    const [now, next] = i % 2 === 0 ? [0, width + 1] : [width + 1, 0];
    for (let j = 0; j <= width; j++) rows[next + j] = at(i + 1, j);
    for (let j = 0; j < width; j++) {
      const here = rows[now + j]!;
      const slope = Math.hypot(rows[now + j + 1]! - here, rows[next + j]! - here);
      if (slope === 0) continue;
      const distance = Math.abs(here - level) / slope;
      // The outer levels are dashed.
      if (level !== 0 && (i + j) % 12 > 7) continue;
      blend(out, j, i, ink, Math.trunc(255 * Math.min(1, Math.max(0, wide + 0.5 - distance))));
    }
  }
}

/** Ten lines of equal value. */
function drawSteps(out: Pixels, { view: { n }, value }: Grid, ink: Color): void {
  const { width, height } = out;
  const [least, most] = rangeOf(value!);
  const step = (i: number, j: number) => {
    const cell =
      Math.min(n - 1, Math.floor((i * n) / height)) * n + Math.min(n - 1, Math.floor((j * n) / width));
    return Math.floor((10 * (value![cell]! - least)) / (most - least || 1));
  };
  for (let i = 0; i < height; i++)
    for (let j = 0; j < width; j++) {
      const here = step(i, j);
      if ((j + 1 < width && step(i, j + 1) !== here) || (i + 1 < height && step(i + 1, j) !== here))
        blend(out, j, i, ink, 90);
    }
}

/** Where a value lies between the ends of an axis, in pixels. */
export const toPixel = (value: number, [from, to]: readonly [number, number], size: number): number =>
  ((value - from) / (to - from)) * size;

function drawPoints(out: Pixels, points: Points, options: BoundaryOptions): void {
  const { width, height, theme, radius, mistakes } = options;
  const { isValue = false, every = 1 } = points;
  for (let i = 0; i < points.x.length; i += every) {
    if (Number.isNaN(points.x[i]!) || Number.isNaN(points.y[i]!)) continue;
    const x = toPixel(points.x[i]!, options.x, width);
    const y = height - toPixel(points.y[i]!, options.y, height);
    const label = points.label[i]!;
    const size = radius * (points.size?.(i) ?? 1);
    const fill = isValue
      ? cividis(label)
      : label < 0
        ? mix(theme.ground, theme.ink, 0.5)
        : classColor(theme, label);
    const shape = isValue || label < 0 ? 0 : label;
    mark(
      out,
      x,
      y,
      shape,
      Math.max(1, Math.round(size * 2) / 2),
      fill,
      theme.ground,
      points.alpha?.(i) ?? 255,
    );
    if (points.ringed?.(i)) ring(out, x, y, size + 3, 1.5, theme.ink);
    if (points.dotted?.(i)) mark(out, x, y, 0, Math.max(1.5, size / 2.5), theme.ink, theme.ground);
    if (mistakes && points.wrong?.(i)) {
      ring(out, x, y, size + 2, 1.5, theme.ink);
      cross(out, x, y, Math.ceil(size / 2), theme.ink);
    }
  }
}
