import { extent, linearScale } from "argmax/plot";
import type { Grid } from "../work/protocol.js";
import { type Color, cividis, classColor, mix, type Theme, unknownColor } from "./colors.js";
import { field } from "./field.js";
import { cross, mark, ring, shapeOf } from "./marks.js";
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
  /** Dashed lines: where the decision function of two classes is ±1, or where the winner leads by the level of its margin. */
  readonly margins: boolean;
  /** The values of a regression that the darkest and the brightest colour stand for; by default those of the grid. */
  readonly values?: readonly [number, number];
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
  const steps = boundarySteps(options);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** The same in steps of a few milliseconds, after each of which a page can do something else. */
export function* boundarySteps(options: BoundaryOptions): Generator<void, Pixels> {
  const { width, height, theme, grid } = options;
  const out = pixels(width, height, theme.ground);
  if (grid !== undefined) {
    drawRegions(out, grid, options);
    yield;
    if (options.trail !== undefined) drawTrail(out, options.trail, theme.ink);
    if (options.contours && grid.task !== "regression") drawEdges(out, grid, theme.ink);
    yield;
    for (const { values, level } of levelsOf(grid, options))
      yield* drawLevel(out, values, grid.view.n, level, theme.ink, level === 0);
    if (options.contours && grid.task === "regression")
      drawSteps(out, grid, valuesOf(grid, options), theme.ink);
    yield;
  }
  for (const [x0, y0, x1, y1] of options.slack ?? [])
    line(out, [x0 * width, (1 - y0) * height], [x1 * width, (1 - y1) * height], theme.ink);
  if (options.points !== undefined) yield* drawPoints(out, options.points, options);
  return out;
}

/** The lines of equal value of a classifier. */
function levelsOf(
  { task, value, margin }: Grid,
  { contours, margins }: BoundaryOptions,
): readonly { readonly values: Float32Array; readonly level: number }[] {
  if (task === "regression") return [];
  if (value === null) return margins && margin !== null ? [margin] : [];
  const levels = margins ? [-1, 0, 1] : contours ? [0] : [];
  return levels.map((level) => ({ values: value, level }));
}

/** Rows of a picture, and points, after which a step ends. */
const STEP_ROWS = 100;
const STEP_POINTS = 200;

/** The row or column of the grid under every pixel. */
const cellsOf = (size: number, n: number): Int32Array =>
  Int32Array.from({ length: size }, (_, i) => Math.min(n - 1, Math.floor((i * n) / size)));

const SHADES = 64;

/** How much of the ground shows through the colour of a value: rows are stronger. */
export const PALE = 0.35;

const valuesOf = ({ value }: Grid, { values }: BoundaryOptions): readonly [number, number] =>
  values ?? extent(value!);

/** Tints of a class by lead, or of a value. */
function drawRegions(out: Pixels, grid: Grid, options: BoundaryOptions): void {
  const { n } = grid.view;
  const { width, height, data } = out;
  const { tint, shades } = tintsOf(grid, options);
  const columns = cellsOf(width, n);
  let at = 0;
  for (const row of cellsOf(height, n)) {
    for (let j = 0; j < width; j++, at += 4) {
      const color = 3 * shades[row * n + columns[j]!]!;
      data[at] = tint[color]!;
      data[at + 1] = tint[color + 1]!;
      data[at + 2] = tint[color + 2]!;
    }
  }
}

/** The colours of a picture, three bytes each, and which of them every cell has. */
function tintsOf(
  grid: Grid,
  options: BoundaryOptions,
): { readonly tint: Uint8Array; readonly shades: Uint16Array } {
  const { winner, lead, value, task } = grid;
  const { theme, probability } = options;
  if (task === "regression") {
    const shade = linearScale(valuesOf(grid, options), 0, SHADES - 1);
    return {
      tint: colorTable(SHADES, (k) => mix(cividis(k / (SHADES - 1)), theme.ground, PALE)),
      shades: Uint16Array.from(value!, (one) => Math.min(SHADES - 1, Math.max(0, Math.round(shade(one))))),
    };
  }
  const classes = winner.reduce((most, c) => Math.max(most, c), 0) + 1;
  return {
    tint: colorTable(classes * SHADES, (k) =>
      mix(
        theme.ground,
        classColor(theme, Math.floor(k / SHADES)),
        0.1 + (0.42 * (k % SHADES)) / (SHADES - 1),
      ),
    ),
    shades: Uint16Array.from(winner, (c, cell) => c * SHADES + (probability ? lead[cell]! >> 2 : 40)),
  };
}

function colorTable(length: number, color: (k: number) => Color): Uint8Array {
  const out = new Uint8Array(3 * length);
  for (let k = 0; k < length; k++) out.set(color(k), 3 * k);
  return out;
}

/** Dark pixels where the class changes to the right or below. */
const drawEdges = (out: Pixels, { view: { n }, winner }: Grid, ink: Color): void =>
  drawChanges(out, winner, n, ink, 190);

/** Dark pixels where the number of a cell changes to the right or below. */
function drawChanges(out: Pixels, numbers: ArrayLike<number>, n: number, ink: Color, alpha: number): void {
  const { width, height } = out;
  const columns = cellsOf(width, n);
  const rows = cellsOf(height, n);
  for (let i = 0; i < height; i++) {
    const row = rows[i]! * n;
    const below = rows[Math.min(height - 1, i + 1)]! * n;
    for (let j = 0; j < width; j++) {
      const column = columns[j]!;
      const here = numbers[row + column]!;
      const right = columns[Math.min(width - 1, j + 1)]!;
      if (numbers[row + right] !== here || numbers[below + column] !== here) blend(out, j, i, ink, alpha);
    }
  }
}

/** The line where f has a value; its distance in pixels is |f − level| over the length of the gradient. Margins are thinner and dashed. */
function* drawLevel(
  out: Pixels,
  values: Float32Array,
  n: number,
  level: number,
  ink: Color,
  isBoundary: boolean,
): Generator<void, void> {
  const { width, height } = out;
  const wide = isBoundary ? 1.4 : 0.8;
  const f = field(values, n);
  const at = (i: number, j: number) => f(((j + 0.5) * n) / width - 0.5, ((i + 0.5) * n) / height - 0.5);
  const rows = new Float64Array(2 * (width + 1));
  for (let j = 0; j <= width; j++) rows[j] = at(0, j);
  for (let i = 0; i < height; i++) {
    if (i % STEP_ROWS === STEP_ROWS - 1) yield;
    const [now, next] = i % 2 === 0 ? [0, width + 1] : [width + 1, 0];
    for (let j = 0; j <= width; j++) rows[next + j] = at(i + 1, j);
    for (let j = 0; j < width; j++) {
      const here = rows[now + j]!;
      const [across, down] = [rows[now + j + 1]! - here, rows[next + j]! - here];
      const slope = Math.sqrt(across * across + down * down);
      if (slope === 0) continue;
      const near = wide + 0.5 - Math.abs(here - level) / slope;
      if (near <= 0 || (!isBoundary && (i + j) % 12 > 7)) continue;
      blend(out, j, i, ink, Math.trunc(255 * Math.min(1, near)));
    }
  }
}

/** Lines of equal value, ten from one end of the values to the other. */
function drawSteps(
  out: Pixels,
  { view: { n }, value }: Grid,
  values: readonly [number, number],
  ink: Color,
): void {
  const step = linearScale(values, 0, 10);
  drawChanges(
    out,
    Int32Array.from(value!, (one) => Math.floor(step(one))),
    n,
    ink,
    90,
  );
}

function* drawPoints(out: Pixels, points: Points, options: BoundaryOptions): Generator<void, void> {
  const { width, height, theme, radius, mistakes } = options;
  const { isValue = false, every = 1 } = points;
  const [placeX, placeY] = [linearScale(options.x, 0, width), linearScale(options.y, height, 0)];
  for (let i = 0; i < points.x.length; i += every) {
    if ((i / every) % STEP_POINTS === STEP_POINTS - 1) yield;
    if (Number.isNaN(points.x[i]!) || Number.isNaN(points.y[i]!)) continue;
    const [x, y] = [placeX(points.x[i]!), placeY(points.y[i]!)];
    const label = points.label[i]!;
    const size = radius * (points.size?.(i) ?? 1);
    const fill = isValue ? cividis(label) : label < 0 ? unknownColor(theme) : classColor(theme, label);
    const shape = isValue || label < 0 ? 0 : shapeOf(label);
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
