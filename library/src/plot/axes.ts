import { ink, TITLE } from "./figure.js";
import { linearScale, type Scale, tickLabels, ticks } from "./scale.js";
import { element, text } from "./svg.js";

export interface AxesSettings {
  readonly width: number;
  readonly height: number;
  readonly x: readonly [number, number];
  readonly y: readonly [number, number];
  readonly xLabel: string;
  readonly yLabel: string;
  /** Height that is kept free under the title, for a legend. */
  readonly above?: number;
  /** Width that is kept free on the left, where labels are words. */
  readonly left?: number;
  /** Of an axis of categories: their names, at 0, 1, … */
  readonly xNames?: readonly string[] | undefined;
  /** No marks and numbers on the y axis. */
  readonly noY?: boolean;
}

/** A plot area with two axes. */
export interface Axes {
  readonly x: Scale;
  readonly y: Scale;
  /** Edges of the area. */
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  /** The grid, the axes, their numbers and labels. */
  readonly shapes: readonly string[];
}

export function axes(settings: AxesSettings): Axes {
  const { width, height, above = 0 } = settings;
  const yTicks = settings.noY ? [] : ticks(...settings.y);
  const yTexts = tickLabels(yTicks);
  const widest = yTexts.reduce((most, label) => Math.max(most, label.length), 0);
  const left = settings.left ?? 40 + 7 * widest;
  const [right, top, bottom] = [width - 18, TITLE + 8 + above, height - 46];
  const x = linearScale(settings.x, left, right);
  const y = linearScale(settings.y, bottom, top);
  const { xNames } = settings;
  const xTicks = xNames
    ? [...xNames.keys()]
    : ticks(...settings.x, Math.max(3, Math.floor((right - left) / 50)));
  const xTexts = xNames ?? tickLabels(xTicks);
  const shapes = [
    ...yTicks.map((v) => element("line", { class: "grid", x1: left, x2: right, y1: y(v), y2: y(v) })),
    ...xTicks.map((v) => element("line", { class: "grid", x1: x(v), x2: x(v), y1: top, y2: bottom })),
    element("line", { x1: left, x2: right, y1: bottom, y2: bottom, stroke: ink }),
    ...xTicks.map((v, t) => text(x(v), bottom + 17, xTexts[t]!, { "text-anchor": "middle", class: "muted" })),
    ...yTicks.map((v, t) => text(left - 8, y(v) + 4, yTexts[t]!, { "text-anchor": "end", class: "muted" })),
  ];
  if (settings.xLabel !== "")
    shapes.push(text((left + right) / 2, height - 9, settings.xLabel, { "text-anchor": "middle" }));
  const middle = (top + bottom) / 2;
  if (settings.yLabel !== "")
    shapes.push(
      element(
        "g",
        { transform: `translate(17 ${Math.round(middle)}) rotate(-90)` },
        text(0, 0, settings.yLabel, { "text-anchor": "middle" }),
      ),
    );
  return { x, y, left, right, top, bottom, shapes };
}

/** Height of a row of a legend. */
const ROW = 18;

/** Names with a mark in their colour, in rows above the plot area. */
export function legend(
  entries: readonly { readonly name: string; readonly mark: (x: number, y: number) => string }[],
  left: number,
  width: number,
): { readonly height: number; readonly shapes: readonly string[] } {
  let [x, row] = [left, 0];
  const shapes = entries.flatMap(({ name, mark }) => {
    const own = 34 + 6.6 * [...name].length;
    if (x > left && x + own > width) [x, row] = [left, row + 1];
    const y = TITLE + 14 + row * ROW;
    const drawn = [mark(x, y - 4), text(x + 24, y, name)];
    x += own + 10;
    return drawn;
  });
  return { height: entries.length === 0 ? 0 : (row + 1) * ROW + 4, shapes };
}
