import { maxOf } from "argmax/numeric";
import { barChart } from "../charts/bar-chart.js";
import { type LineChart, lineChart } from "../charts/line-chart.js";
import type { Look } from "../charts/look.js";
import { drawTable, wrap } from "../terminal/table.js";
import { escaped, htmlTable, type PageBlock } from "./page.js";

/** A number with a name, and its standard deviation if it was measured several times. */
export interface NamedValue {
  readonly name: string;
  readonly value: number;
  readonly spread?: number | undefined;
}

/** A part of an explanation, before it is text or HTML. */
export type Section = { readonly title: string; readonly text: string } & (
  | { readonly kind: "facts"; readonly rows: readonly (readonly [string, string])[] }
  /** In order; `left` are not shown. With signs if they are changes. */
  | {
      readonly kind: "bars";
      readonly values: readonly NamedValue[];
      readonly left: number;
      readonly isSigned: boolean;
      readonly svg: string;
    }
  | { readonly kind: "source"; readonly source: string }
  | { readonly kind: "chart"; readonly chart: LineChart; readonly svg: string }
);

/** What an explanation found: parts to read, and objects for --json. */
export interface Findings {
  readonly sections: readonly Section[];
  readonly objects: readonly { readonly type: string; readonly [name: string]: unknown }[];
}

/** The values in the order of their size, the first `top` of them. */
export function largest(values: readonly NamedValue[], top: number): { values: NamedValue[]; left: number } {
  const sorted = values.toSorted((a, b) => Math.abs(b.value) - Math.abs(a.value));
  return { values: sorted.slice(0, top), left: Math.max(0, sorted.length - top) };
}

/** Writes numbers with as many decimals as the largest of some needs for three significant digits, and a sign where it matters. */
function formatFor(values: readonly number[]): (value: number, isSigned: boolean) => string {
  const size = maxOf(values.map(Math.abs), 0);
  const decimals = size >= 1000 ? 0 : size >= 100 ? 1 : size >= 10 ? 2 : size >= 0.1 ? 3 : 4;
  const isExtreme = size >= 1e6 || (size > 0 && size < 1e-3);
  return (value, isSigned) =>
    withSign(value, isSigned, (v) => (isExtreme ? v.toExponential(2) : v.toFixed(decimals)));
}

function withSign(value: number, isSigned: boolean, format: (size: number) => string): string {
  const text = format(Math.abs(value));
  // What rounds to 0 has no sign.
  if (Number(text) === 0) return isSigned ? ` ${text}` : text;
  return `${value < 0 ? "−" : isSigned ? "+" : ""}${text}`;
}

export function sectionText(section: Section, look: Look): string[] {
  const { style, width } = look;
  const head = [
    style.bold(section.title),
    ...(section.text === "" ? [] : wrap(section.text, width).map(style.dim)),
  ];
  return [...head, ...bodyText(section, look)];
}

function bodyText(section: Section, look: Look): string[] {
  const { style, width } = look;
  switch (section.kind) {
    case "facts": {
      const columns = [
        { title: "", cell: (row: readonly [string, string]) => row[0], paint: style.dim },
        { title: "", cell: (row: readonly [string, string]) => row[1] },
      ];
      const first = maxOf(section.rows.map(([name]) => name.length));
      const rows = section.rows.flatMap(([name, text]) =>
        wrap(text, Math.max(20, width - first - 2)).map((line, l) => [l === 0 ? name : "", line] as const),
      );
      return drawTable(columns, rows, Number.POSITIVE_INFINITY, style).slice(2);
    }
    case "bars": {
      const isSigned = section.isSigned || section.values.some(({ value }) => value < 0);
      const format = formatFor(section.values.map(({ value }) => value));
      const bars = section.values.map(({ name, value, spread }) => ({
        name,
        value,
        text: `${format(value, isSigned)}${spread === undefined ? "" : ` ± ${format(spread, false)}`}`,
      }));
      const more = section.left > 0 ? [style.dim(`and ${section.left} more; --top shows them`)] : [];
      return [...barChart(bars, look), ...more];
    }
    case "source":
      return section.source.trimEnd().split("\n");
    case "chart":
      return lineChart(section.chart, look);
  }
}

export function sectionBlock(section: Section): PageBlock {
  const { title, text } = section;
  switch (section.kind) {
    case "facts": {
      const columns = [
        { title: "", class: "name strong" as const, cell: (row: readonly [string, string]) => row[0] },
        { title: "", class: "name" as const, cell: (row: readonly [string, string]) => row[1] },
      ];
      return { title, text, html: htmlTable(columns, section.rows), wide: true };
    }
    case "bars":
      return { title, text, html: section.svg };
    case "source":
      return { title, text, html: `<pre>${escaped(section.source.trimEnd())}</pre>` };
    case "chart":
      return { title, text, html: section.svg };
  }
}
