import { type Column, drawTable } from "../terminal/table.js";
import type { Style } from "../terminal/terminal.js";
import { formatInterval, formatNumber, type Metric } from "./metric.js";

const metricColumns: readonly Column<Metric>[] = [
  { title: "metric", cell: ({ title }) => title },
  {
    title: "value",
    align: "right",
    cell: ({ value }) => formatNumber(value),
    paint: (text, _, __, style) => style.bold(text),
  },
  { title: "95% interval", align: "right", cell: ({ interval }) => formatInterval(interval), dispensable: 2 },
  { title: "", cell: ({ note }) => note, dispensable: 3, paint: (text, _, __, style) => style.dim(text) },
];

/** Lines of a table of metrics; without intervals, that column is left out. */
export function metricTable(metrics: readonly Metric[], width: number, style: Style): string[] {
  const columns = metrics.some(({ interval }) => interval)
    ? metricColumns
    : metricColumns.filter(({ title }) => title !== "95% interval");
  return drawTable(columns, metrics, width, style).map((line) => line.trimEnd());
}

/** How much is drawn in the terminal. */
export type Plots = "none" | "some" | "all";

/** A part of the output: a title and what is under it. */
export const block = (title: string, lines: readonly string[], style: Style): string[] => [
  style.bold(title),
  ...lines,
];

/** Parts with an empty line between them. */
export const joined = (blocks: readonly (readonly string[])[]): string =>
  blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n");
