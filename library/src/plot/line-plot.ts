import { type Axes, axes, legend } from "./axes.js";
import { colour, figure, muted } from "./figure.js";
import { linePath, stepPath } from "./paths.js";
import { extent } from "./scale.js";
import { element, path } from "./svg.js";

/** A curve, or a group of thin ones. */
export interface Series {
  readonly name: string;
  readonly x: ArrayLike<number>;
  readonly y: ArrayLike<number>;
  /** Half the height of a band around the curve, per point. */
  readonly band?: ArrayLike<number>;
  /** Curves of single rows, drawn thin behind it. */
  readonly thin?: readonly ArrayLike<number>[];
  readonly dots?: boolean;
  /** Whether the curve keeps the height of a point up to the point before it. */
  readonly steps?: boolean;
}

export interface LinePlot {
  readonly title: string;
  readonly summary: string;
  readonly width: number;
  readonly height: number;
  readonly series: readonly Series[];
  readonly xLabel: string;
  readonly yLabel: string;
  /** The range of an axis; by default that of the data. */
  readonly x?: readonly [number, number];
  readonly y?: readonly [number, number];
  /** A dashed line from the lower left to the upper right. */
  readonly diagonal?: boolean;
  readonly xNames?: readonly string[] | undefined;
}

/** Room around the data, as a proportion of its extent. */
export const MARGIN = 0.04;

/** Curves over two axes. */
export function linePlot(plot: LinePlot): string {
  const { width, height, series } = plot;
  const named = series.length > 1 ? series : [];
  const names = legend(
    named.map(({ name }, s) => ({ name, mark: (x, y) => strokeOf(x, y, s) })),
    60,
    width - 18,
  );
  const area = axes({
    width,
    height,
    x: plot.x ?? (plot.xNames ? [-0.5, plot.xNames.length - 0.5] : extent(valuesOf(series, "x"), MARGIN)),
    y: plot.y ?? extent(valuesOf(series, "y"), MARGIN),
    xLabel: plot.xLabel,
    yLabel: plot.yLabel,
    above: names.height,
    xNames: plot.xNames,
  });
  const shapes = [...area.shapes, ...names.shapes];
  if (plot.diagonal) {
    const { range } = area.x;
    shapes.push(path(linePath(range, range, area.x, area.y), { stroke: muted, "stroke-dasharray": "4 4" }));
  }
  for (const [s, own] of series.entries()) {
    for (const curve of own.thin ?? [])
      shapes.push(
        path(linePath(own.x, curve, area.x, area.y), {
          stroke: colour(s),
          "stroke-width": "0.7",
          opacity: "0.3",
        }),
      );
    if (own.band) shapes.push(bandOf(area, own, own.band, s));
  }
  for (const [s, own] of series.entries()) {
    const d = (own.steps ? stepPath : linePath)(own.x, own.y, area.x, area.y);
    shapes.push(path(d, { stroke: colour(s), "stroke-width": "2", "stroke-linejoin": "round" }));
    if (own.dots)
      for (let p = 0; p < own.x.length; p++)
        shapes.push(
          element("circle", { cx: area.x(own.x[p]!), cy: area.y(own.y[p]!), r: 3.5, fill: colour(s) }),
        );
  }
  return figure(plot.title, plot.summary, [width, height], shapes);
}

const strokeOf = (x: number, y: number, s: number): string =>
  element("line", { x1: x, x2: x + 18, y1: y, y2: y, stroke: colour(s), "stroke-width": "3" });

/** Along the upper edge, and back along the lower one. */
function bandOf(area: Axes, { x, y }: Series, band: ArrayLike<number>, s: number): string {
  const upper = Array.from(y, (v, p) => v + band[p]!);
  const lower = Array.from(y, (v, p) => v - band[p]!);
  const across = Array.from(x);
  const d = linePath([...across, ...across.toReversed()], [...upper, ...lower.toReversed()], area.x, area.y);
  return path(d, { fill: colour(s), opacity: "0.18" });
}

function* valuesOf(series: readonly Series[], axis: "x" | "y"): Generator<number> {
  for (const { x, y, band, thin } of series) {
    if (axis === "x") yield* Array.from(x);
    else {
      for (let p = 0; p < y.length; p++) {
        yield y[p]! - (band?.[p] ?? 0);
        yield y[p]! + (band?.[p] ?? 0);
      }
      for (const curve of thin ?? []) yield* Array.from(curve);
    }
  }
}
