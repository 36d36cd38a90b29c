import type { MatrixLike } from "../core/contract.js";
import { DataError, ShapeError, show } from "../core/errors.js";
import type { Label, Labels } from "../core/labels.js";
import { pushAll } from "../core/numbers/extremes.js";
import { absent, readOptions } from "../core/params/options.js";
import { flag, integer, type TableOf } from "../core/params/params.js";
import { shortNumber } from "../core/text/printing.js";
import { readMatrix } from "../data/input.js";
import type { DecisionBoundary } from "../inspection/decision-boundary.js";
import type { PartialDependence } from "../inspection/partial-dependence.js";
import { type Axes, axes, legend } from "./axes.js";
import type { PlotOptions } from "./figure.js";
import { blend, blends, colour, figure, paper, plotOptions, readPlotOptions } from "./figure.js";
import { linePlot, type Series } from "./line-plot.js";
import { extent } from "./scale.js";
import { element, text } from "./svg.js";

export interface PartialDependencePlotOptions extends PlotOptions {
  /** The only output to draw; by default all of one feature, and the last of two. */
  readonly output?: number | undefined;
}

const dependenceOptions = {
  ...plotOptions,
  output: absent(integer({ atLeast: 0, default: 0, doc: "Number of the only output to draw." })),
} satisfies TableOf<PartialDependencePlotOptions>;

/** Curves of one feature, with the curves of rows if there are any; a map of two features. */
export function partialDependencePlot(
  found: PartialDependence,
  options: PartialDependencePlotOptions = {},
): string {
  const where = "partialDependencePlot";
  const { output, ...common } = readOptions(where, dependenceOptions, options);
  const K = found.outputNames.length;
  if (output !== undefined && output >= K) throw new DataError(where, "output", `below ${K}`, show(output));
  const size = readPlotOptions(where, common, { title: "Partial dependence" });
  if (found.features.length === 2) return dependenceMap(found, output ?? K - 1, size);
  const grid = found.grid[0]!;
  const isNumeric = grid.every((value) => typeof value === "number");
  const x = isNumeric ? (grid as number[]) : [...grid.keys()];
  const wanted = output === undefined ? [...found.outputNames.keys()] : [output];
  // Two probabilities are each other's complement: one curve is enough.
  const drawn = output === undefined && K === 2 && found.output === "probability" ? [1] : wanted;
  const series = drawn.map((k): Series => {
    const { individual } = found;
    const thin = individual
      ? Array.from({ length: individual[k]!.rows }, (_, i) => individual[k]!.row(i))
      : [];
    return { name: String(found.outputNames[k]), x, y: found.average.row(k), thin, dots: !isNumeric };
  });
  const of = found.output === "prediction" ? "" : ` of ${drawn.map((k) => found.outputNames[k]).join(", ")}`;
  return linePlot({
    ...size,
    summary: `Mean ${found.output}${of} by ${found.features[0]}`,
    series,
    xLabel: found.features[0]!,
    yLabel: drawn.length === 1 ? `Mean ${found.output}${of}` : `Mean ${found.output}`,
    xNames: isNumeric ? undefined : grid.map(String),
  });
}

interface Size {
  readonly title: string;
  readonly width: number;
  readonly height: number;
}

function dependenceMap(
  { grid, features, average, output, outputNames }: PartialDependence,
  k: number,
  size: Size,
): string {
  const [first, second] = grid.map((list) =>
    list.map((value, at) => (typeof value === "number" ? value : at)),
  ) as [number[], number[]];
  const area = axes({
    ...size,
    x: edges(first),
    y: edges(second),
    xLabel: features[0]!,
    yLabel: features[1]!,
  });
  const values = average.row(k);
  const [low, high] = extent(values);
  const shapes = cells(area, first, second, (a, b) => {
    const part = (values[a * second.length + b]! - low) / (high - low);
    return { class: blend(part) };
  });
  const of = output === "prediction" ? "" : ` of ${outputNames[k]}`;
  const summary = `Mean ${output}${of} from ${low.toPrecision(3)} (blue) to ${high.toPrecision(3)} (orange)`;
  return figure(
    size.title,
    summary,
    [size.width, size.height],
    [shapes, ...area.shapes, ...rangeKey(size.width, low, high)],
    blends,
  );
}

/** The smallest and the largest value in their colours, at the right of the title. */
function rangeKey(width: number, low: number, high: number): string[] {
  const [first, second] = [shortNumber(Number(low.toPrecision(3))), shortNumber(Number(high.toPrecision(3)))];
  const end = { "text-anchor": "end" };
  return [
    text(width - 26 - 7 * second.length, 21, first, { ...end, style: `fill:${colour(0)}` }),
    text(width - 18, 21, second, { ...end, style: `fill:${colour(1)}` }),
  ];
}

/** The range of a grid's cells, which are centred at its values. */
function edges(values: readonly number[]): [number, number] {
  const bounds = boundsOf(values);
  return [bounds[0]!, bounds.at(-1)!];
}

/** Half-way between neighbours, and as far beyond the first and the last. */
function boundsOf(values: ArrayLike<number>): number[] {
  const n = values.length;
  if (n === 1) return [values[0]! - 0.5, values[0]! + 0.5];
  const inner = Array.from({ length: n - 1 }, (_, c) => (values[c]! + values[c + 1]!) / 2);
  return [values[0]! - (inner[0]! - values[0]!), ...inner, values[n - 1]! + (values[n - 1]! - inner[n - 2]!)];
}

/** How a cell is filled: by a class, or by a colour and its opacity. */
interface Fill {
  readonly class?: string;
  readonly fill?: string;
  readonly "fill-opacity"?: string;
}

/** Rectangles around the points of a grid; neighbours that look alike become one. Crisp edges: no seams between them. */
function cells(
  area: Axes,
  xs: ArrayLike<number>,
  ys: ArrayLike<number>,
  fillOf: (a: number, b: number) => Fill,
): string {
  const [across, down] = [boundsOf(xs).map(area.x), boundsOf(ys).map(area.y)];
  const shapes: string[] = [];
  for (let b = 0; b < ys.length; b++) {
    const fills = Array.from(xs, (_, a) => fillOf(a, b));
    for (let a = 0, from = 0; a < xs.length; a++) {
      if (a + 1 < xs.length && isAlike(fills[a]!, fills[a + 1]!)) continue;
      const [x, y] = [across[from]!, down[b + 1]!];
      shapes.push(
        element("rect", { x, y, width: across[a + 1]! - x, height: down[b]! - y, ...fills[from]! }),
      );
      from = a + 1;
    }
  }
  return element("g", { "shape-rendering": "crispEdges" }, shapes.join(""));
}

const isAlike = (a: Fill, b: Fill): boolean =>
  a.class === b.class && a.fill === b.fill && a["fill-opacity"] === b["fill-opacity"];

export interface DecisionBoundaryPlotOptions extends PlotOptions {
  /** Shade by the probability of the predicted class. */
  readonly shade?: boolean | undefined;
}

const boundaryOptions = {
  ...plotOptions,
  shade: flag({ default: true, doc: "Shade by the probability of the predicted class." }),
} satisfies TableOf<DecisionBoundaryPlotOptions>;

/** Steps of shading between an even chance and certainty. */
const SHADES = 6;

/** The regions of a classifier, or the values of a regressor, in the plane of two features; with rows X (their two columns) and y as dots. */
export function decisionBoundaryPlot(
  found: DecisionBoundary,
  x?: MatrixLike,
  y?: Labels<Label>,
  options: DecisionBoundaryPlotOptions = {},
): string {
  const where = "decisionBoundaryPlot";
  const { shade, ...common } = readOptions(where, boundaryOptions, options);
  const size = readPlotOptions(where, common, { title: "Decision boundary", width: 480, height: 420 });
  const { classes, predicted, values } = found;
  const names = legend(
    (classes ?? []).map((label, k) => ({
      name: String(label),
      mark: (cx, cy) => element("circle", { cx: cx + 12, cy, r: 4.5, fill: colour(k) }),
    })),
    60,
    size.width - 18,
  );
  const area = axes({
    ...size,
    x: edges([...found.x]),
    y: edges([...found.y]),
    xLabel: found.features[0],
    yLabel: found.features[1],
    above: names.height,
  });
  const [low, high] = extent(values.data);
  const fill = (a: number, b: number): Fill => {
    const point = b * found.x.length + a;
    if (!classes || !predicted) {
      const part = (values.data[point * values.cols]! - low) / (high - low);
      return { class: blend(part) };
    }
    const k = predicted[point]!;
    const p = shade && found.output === "probability" ? values.data[point * values.cols + k]! : 1;
    const sure = Math.max(0, (p - 1 / classes.length) / (1 - 1 / classes.length));
    const opacity = 0.12 + (0.3 * Math.round(SHADES * sure)) / SHADES;
    return { fill: colour(k), "fill-opacity": opacity.toFixed(2) };
  };
  const shapes = [cells(area, found.x, found.y, fill), ...area.shapes, ...names.shapes];
  if (x !== undefined) pushAll(shapes, dots(where, area, classes, x, y));
  const summary = `${classes ? `Regions of ${classes.join(", ")}` : "Predictions"} by ${found.features.join(" and ")}`;
  return figure(size.title, summary, [size.width, size.height], shapes, classes ? "" : blends);
}

function dots(
  where: string,
  area: Axes,
  classes: readonly Label[] | undefined,
  x: MatrixLike,
  y: Labels<Label> | undefined,
): string[] {
  const points = readMatrix(where, x, { missing: true });
  if (points.cols !== 2) throw new ShapeError(where, "X", "the two columns of the plane", `${points.cols}`);
  const labels = y === undefined ? undefined : Array.from(y as ArrayLike<Label>);
  if (labels && labels.length !== points.rows)
    throw new ShapeError(where, "y", `as long as X (${points.rows})`, `${labels.length}`);
  return Array.from({ length: points.rows }, (_, i) => {
    const [a, b] = points.row(i);
    const k = labels && classes ? classes.indexOf(labels[i]!) : -1;
    const fill = k < 0 ? "var(--ink)" : colour(k);
    return element("circle", {
      cx: area.x(a!),
      cy: area.y(b!),
      r: 3.2,
      fill,
      stroke: paper,
      "stroke-width": "0.8",
    });
  });
}
