import { ShapeError } from "../core/errors.js";
import { maxOf } from "../core/numbers/extremes.js";
import { readOptions } from "../core/params/options.js";
import { integer, type TableOf } from "../core/params/params.js";
import { axes } from "./axes.js";
import type { PlotOptions } from "./figure.js";
import { colour, figure, ink, plotOptions, readPlotOptions, TITLE, textOption } from "./figure.js";
import { extent } from "./scale.js";
import { element, shortText } from "./svg.js";

/** Numbers with names: `permutationImportance(…)` is one, and so is `{ names, mean: model.featureImportances }`. */
export interface NamedNumbers {
  readonly names: readonly string[];
  readonly mean: ArrayLike<number>;
  /** Drawn as whiskers. */
  readonly std?: ArrayLike<number> | undefined;
}

export interface BarPlotOptions extends PlotOptions {
  /** Bars that are drawn, the largest first. */
  readonly most?: number | undefined;
  /** The label of the axis. */
  readonly label?: string | undefined;
}

const barPlotOptions = {
  ...plotOptions,
  most: integer({ atLeast: 1, default: 15, doc: "Bars that are drawn, the largest first." }),
  label: textOption("The label of the axis."),
} satisfies TableOf<BarPlotOptions>;

/** Height of a bar with the gap around it, and characters of a name. */
export const BAR = 24;
export const LETTERS = 24;

/** The order by absolute size, the largest first. */
export const byAbsoluteSize = (values: ArrayLike<number>): number[] =>
  Array.from(values, (_, j) => j).sort((a, b) => Math.abs(values[b]!) - Math.abs(values[a]!) || a - b);

/** The width that names take on the left. */
export const nameWidth = (names: readonly string[]): number =>
  20 +
  7 *
    Math.min(
      LETTERS,
      maxOf(
        names.map((name) => [...name].length),
        0,
      ),
    );

/** Bars by size, the largest on top: importances, coefficients, the contributions of one row. */
export function barPlot({ names, mean, std }: NamedNumbers, options: BarPlotOptions = {}): string {
  const where = "barPlot";
  const { most, label = "", ...common } = readOptions(where, barPlotOptions, options);
  if (names.length !== mean.length || (std && std.length !== mean.length)) {
    const received = `${names.length}, ${mean.length}${std ? ` and ${std.length}` : ""}`;
    throw new ShapeError(where, "names, mean and std", "equally long", received);
  }
  const order = byAbsoluteSize(mean).slice(0, most);
  const { title, width, height } = readPlotOptions(where, common, {
    title: "Importances",
    height: TITLE + 54 + order.length * BAR,
  });
  const ends = order.flatMap((j) => [mean[j]! - (std?.[j] ?? 0), mean[j]! + (std?.[j] ?? 0)]);
  const [low, high] = extent([0, ...ends]);
  const x = extent([0, ...ends], 0.03);
  const area = axes({
    ...{ width, height, xLabel: label, yLabel: "", noY: true, left: nameWidth(order.map((j) => names[j]!)) },
    x: [low === 0 ? 0 : x[0], high === 0 ? 0 : x[1]],
    y: [order.length, 0],
  });
  const bar = (area.bottom - area.top) / Math.max(1, order.length);
  const shapes = [...area.shapes];
  for (const [r, j] of order.entries()) {
    const [from, to] = [area.x(0), area.x(mean[j]!)];
    const y = area.top + r * bar;
    shapes.push(
      shortText(area.left - 8, y + bar / 2 + 4, names[j]!, LETTERS, { "text-anchor": "end" }),
      element("rect", {
        ...{ x: Math.min(from, to), y: y + bar * 0.15, width: Math.abs(to - from), height: bar * 0.7, rx: 2 },
        fill: colour(mean[j]! < 0 ? 1 : 0),
      }),
    );
    if (std) {
      const [x1, x2] = [area.x(mean[j]! - std[j]!), area.x(mean[j]! + std[j]!)];
      shapes.push(
        element("line", { x1, x2, y1: y + bar / 2, y2: y + bar / 2, stroke: ink, "stroke-width": "1.5" }),
      );
    }
  }
  const first = order[0];
  const summary = first === undefined ? "No bars" : `The largest of ${names.length} is ${names[first]}`;
  return figure(title, summary, [width, height], shapes);
}
