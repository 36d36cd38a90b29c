import type { MatrixLike } from "../core/contract.js";
import { ShapeError } from "../core/errors.js";
import { readOptions } from "../core/params/options.js";
import { integer, type TableOf } from "../core/params/params.js";
import { readMatrix } from "../data/input.js";
import type { Matrix } from "../data/matrix.js";
import type { Explanation } from "../inspection/explanation.js";
import { axes } from "./axes.js";
import { byAbsoluteSize, LETTERS, nameWidth } from "./bar-plot.js";
import type { PlotOptions } from "./figure.js";
import { blend, blends, colour, figure, muted, plotOptions, readPlotOptions, TITLE } from "./figure.js";
import { MARGIN } from "./line-plot.js";
import { extent } from "./scale.js";
import { element, shortText, text } from "./svg.js";

export interface BeeswarmOptions extends PlotOptions {
  /** The output whose contributions are drawn. */
  readonly output?: number | undefined;
  /** Features that are drawn, the most important first. */
  readonly most?: number | undefined;
}

const beeswarmOptions = {
  ...plotOptions,
  output: integer({ atLeast: 0, default: 0, doc: "Number of the output whose contributions are drawn." }),
  most: integer({ atLeast: 1, default: 12, doc: "Features that are drawn, the most important first." }),
} satisfies TableOf<BeeswarmOptions>;

const LANE = 34;
const RADIUS = 2.6;

/**
 * The contributions of all explained rows, a dot each, feature by feature; with the rows X their colour is the value of the feature, from
 * the smallest (blue) to the largest (orange).
 */
export function beeswarmPlot(
  explanation: Explanation,
  x?: MatrixLike,
  options: BeeswarmOptions = {},
): string {
  const where = "beeswarmPlot";
  const { output, most, ...common } = readOptions(where, beeswarmOptions, options);
  const values = explanation.matrix(output);
  const X = x === undefined ? undefined : readMatrix(where, x, { missing: true });
  if (X && (X.rows !== values.rows || X.cols !== values.cols)) {
    const expected = `of the explained rows and features (${values.rows} × ${values.cols})`;
    throw new ShapeError(where, "X", expected, `${X.rows} × ${X.cols}`);
  }
  const sizes = Float64Array.from({ length: values.cols }, (_, j) => sumOfSizes(values, j));
  const order = byAbsoluteSize(sizes).slice(0, most);
  const names = explanation.featureNames;
  const { title, width, height } = readPlotOptions(where, common, {
    title: `Contributions to the ${explanation.output}`,
    width: 560,
    height: TITLE + 62 + order.length * LANE,
  });
  const area = axes({
    ...{ width, height, xLabel: "Contribution", yLabel: "", noY: true },
    left: nameWidth(order.map((j) => names[j]!)),
    x: extent([0, ...values.data], MARGIN),
    y: [order.length, 0],
  });
  const lane = (area.bottom - area.top) / Math.max(1, order.length);
  const shapes = [
    ...area.shapes,
    element("line", { x1: area.x(0), x2: area.x(0), y1: area.top, y2: area.bottom, stroke: muted }),
  ];
  for (const [r, j] of order.entries()) {
    const middle = area.top + (r + 0.5) * lane;
    shapes.push(shortText(area.left - 8, middle + 4, names[j]!, LETTERS, { "text-anchor": "end" }));
    const places = Array.from({ length: values.rows }, (_, i) => area.x(values.data[i * values.cols + j]!));
    const offsets = swarm(places, lane / 2 - RADIUS);
    const shade = X ? shadeOf(X, j) : () => undefined;
    const circles = places.map((cx, i) =>
      element("circle", { cx, cy: middle + offsets[i]!, r: RADIUS, class: shade(i) }),
    );
    shapes.push(element("g", { fill: colour(0), "fill-opacity": "0.85" }, circles.join("")));
  }
  if (X)
    shapes.push(
      text(width - 18, 21, "value: low", { "text-anchor": "end", style: `fill:${colour(0)}`, dx: -34 }),
      text(width - 18, 21, "high", { "text-anchor": "end", style: `fill:${colour(1)}` }),
    );
  const summary = `${values.rows} rows; the features by mean absolute contribution: ${order.map((j) => names[j]).join(", ")}`;
  return figure(title, summary, [width, height], shapes, X ? blends : "");
}

function sumOfSizes(values: Matrix, j: number): number {
  let sum = 0;
  for (let i = 0; i < values.rows; i++) sum += Math.abs(values.data[i * values.cols + j]!);
  return sum;
}

/** Offsets that keep dots apart: those in one bin of a dot's width go up and down in turn, and closer together where they are many. */
function swarm(places: readonly number[], most: number): Float64Array {
  const bins = new Map<number, number[]>();
  for (const [i, x] of places.entries()) {
    const bin = Math.round(x / (2 * RADIUS));
    bins.set(bin, [...(bins.get(bin) ?? []), i]);
  }
  const out = new Float64Array(places.length);
  for (const rows of bins.values()) {
    const step = Math.min(2 * RADIUS, (2 * most) / Math.max(1, rows.length));
    for (const [r, i] of rows.entries()) out[i] = Math.ceil(r / 2) * step * (r % 2 === 0 ? 1 : -1);
  }
  return out;
}

/** The class of a colour by the value; that of grey where it is missing. */
function shadeOf(X: Matrix, j: number): (i: number) => string {
  const column = Float64Array.from({ length: X.rows }, (_, i) => X.data[i * X.cols + j]!);
  const [low, high] = extent(column);
  return (i) => {
    const value = column[i]!;
    if (Number.isNaN(value)) return "muted";
    return blend((value - low) / (high - low));
  };
}
