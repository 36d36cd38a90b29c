import { maxOf } from "argmax/numeric";
import { countBins } from "../charts/histogram.js";
import { type Range, rangeOf, ticks, tickTexts } from "../charts/scale.js";
import { escaped } from "./page.js";

/** Plots that argmax/plot has not: clouds of points and histograms, in the colours of the page. */

const WIDTH = 480;
const HEIGHT = 380;
const [RIGHT, TOP, BOTTOM] = [WIDTH - 16, 14, HEIGHT - 48];

/** More points are a blot; every so many of them is drawn. */
const MOST_POINTS = 3000;

interface Frame {
  readonly summary: string;
  readonly x: Range;
  readonly y: Range;
  readonly xLabel: string;
  readonly yLabel: string;
}

const place = (value: number) => String(Math.round(value * 10) / 10);
const wide = ([low, high]: Range): Range => [low - 0.04 * (high - low), high + 0.04 * (high - low)];

/** Axes with their grid; `draw` gets the positions of numbers. */
function frame(
  { summary, x, y, xLabel, yLabel }: Frame,
  draw: (px: (v: number) => number, py: (v: number) => number) => string,
): string {
  const [xTicks, yTicks] = [ticks(x, 6), ticks(y, 6)];
  const [xTexts, yTexts] = [tickTexts(xTicks), tickTexts(yTicks)];
  const left =
    42 +
    7 *
      maxOf(
        yTexts.map((text) => text.length),
        0,
      );
  const px = (v: number) => left + ((v - x[0]) / (x[1] - x[0])) * (RIGHT - left);
  const py = (v: number) => BOTTOM - ((v - y[0]) / (y[1] - y[0])) * (BOTTOM - TOP);
  const grid = [
    ...xTicks.map((v) => `<path d="M${place(px(v))} ${TOP}V${BOTTOM}" stroke="var(--line)"/>`),
    ...yTicks.map((v) => `<path d="M${left} ${place(py(v))}H${RIGHT}" stroke="var(--line)"/>`),
    `<path d="M${left} ${BOTTOM}H${RIGHT}" stroke="var(--ink)"/>`,
  ];
  const numbers = [
    ...xTicks.map((v, t) => label(px(v), BOTTOM + 18, xTexts[t]!, "middle", "var(--muted)")),
    ...yTicks.map((v, t) => label(left - 8, py(v) + 4, yTexts[t]!, "end", "var(--muted)")),
    label((left + RIGHT) / 2, HEIGHT - 8, xLabel, "middle"),
    `<g transform="translate(16 ${place((TOP + BOTTOM) / 2)}) rotate(-90)">${label(0, 0, yLabel, "middle")}</g>`,
  ];
  const head = `xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" role="img"`;
  return `<svg ${head} aria-label="${escaped(summary)}">${grid.join("")}${draw(px, py)}${numbers.join("")}</svg>`;
}

const label = (x: number, y: number, text: string, anchor: string, fill = "var(--ink)") =>
  `<text x="${place(x)}" y="${place(y)}" text-anchor="${anchor}" style="fill:${fill};font:12px system-ui,sans-serif">${escaped(text)}</text>`;

interface Cloud {
  readonly summary: string;
  readonly x: ArrayLike<number>;
  readonly y: ArrayLike<number>;
  readonly xLabel: string;
  readonly yLabel: string;
  /** A dashed line where x = y, or at a height; on a diagonal both axes have one range. */
  readonly guide: "diagonal" | number;
}

export function scatterPlot({ x, y, guide, ...rest }: Cloud): string {
  const [xs, ys] = [Array.from(x), Array.from(y)];
  const both = wide(rangeOf([...xs, ...ys]));
  const ranges =
    guide === "diagonal" ? { x: both, y: both } : { x: wide(rangeOf(xs)), y: wide(rangeOf([...ys, guide])) };
  const every = Math.ceil(xs.length / MOST_POINTS);
  return frame({ ...rest, ...ranges }, (px, py) => {
    const [from, to] = ranges.x;
    const ends = guide === "diagonal" ? [py(from), py(to)] : [py(guide), py(guide)];
    const line = `<path d="M${place(px(from))} ${place(ends[0]!)}L${place(px(to))} ${place(ends[1]!)}" stroke="var(--muted)" stroke-dasharray="4 4"/>`;
    const dots = xs.flatMap((v, p) =>
      p % every === 0 ? [`<circle cx="${place(px(v))}" cy="${place(py(ys[p]!))}" r="3"/>`] : [],
    );
    return `${line}<g fill="var(--c0)" fill-opacity="0.55">${dots.join("")}</g>`;
  });
}

export function histogramPlot(values: ArrayLike<number>, xLabel: string, summary: string): string {
  const bins = Math.max(8, Math.min(40, Math.ceil(2 * Math.sqrt(values.length))));
  const { counts, edges } = countBins(values, bins);
  const x = [edges[0]!, edges.at(-1)!] as const;
  const y = [0, 1.05 * maxOf(counts)] as const;
  return frame({ summary, x, y, xLabel, yLabel: "rows" }, (px, py) => {
    const bars = counts.map((count, b) => {
      const [from, to] = [px(edges[b]!), px(edges[b + 1]!)];
      return `<rect x="${place(from + 0.5)}" y="${place(py(count))}" width="${place(to - from - 1)}" height="${place(BOTTOM - py(count))}"/>`;
    });
    return `<g fill="var(--c0)">${bars.join("")}</g>`;
  });
}
