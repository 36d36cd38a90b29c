import { type Column, NumericColumn } from "argmax";
import { maxOf } from "argmax/numeric";
import { isoText } from "../data/columns.js";

/** What a column holds, in figures. */
export interface ColumnSummary {
  readonly name: string;
  readonly kind: Column["kind"];
  readonly missing: number;
  readonly distinct: number;
  /** Of numbers and dates. */
  readonly min?: number | string | undefined;
  readonly median?: number | string | undefined;
  readonly max?: number | string | undefined;
  /** The most frequent entries of other kinds, with their counts. */
  readonly top?: readonly { readonly value: string; readonly count: number }[] | undefined;
  /** Counts of equal intervals from min to max. */
  readonly histogram?: readonly number[] | undefined;
}

const BARS = 8;
const MOST_TOP = 3;

export function summarise(name: string, column: Column): ColumnSummary {
  const { kind, missing } = column;
  if (column.kind === "numeric" || column.kind === "date") {
    const values = column.values.filter((value) => !Number.isNaN(value)).sort();
    const show = (value: number | undefined) =>
      value === undefined ? undefined : kind === "date" ? isoText(new Date(value)) : value;
    return {
      name,
      kind,
      missing,
      distinct: distinctSorted(values),
      min: show(values[0]),
      median: show(values[(values.length - 1) >> 1]),
      max: show(values.at(-1)),
      histogram: histogramOf(values),
    };
  }
  const counts = countEntries(column);
  const top = [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, MOST_TOP);
  return { name, kind, missing, distinct: counts.size, top: top.map(([value, count]) => ({ value, count })) };
}

function distinctSorted(values: Float64Array): number {
  let distinct = 0;
  for (let i = 0; i < values.length; i++) if (i === 0 || values[i] !== values[i - 1]) distinct++;
  return distinct;
}

function histogramOf(sorted: Float64Array): number[] | undefined {
  if (sorted.length === 0) return undefined;
  const min = sorted[0]!;
  const width = sorted.at(-1)! - min;
  const counts = new Array<number>(BARS).fill(0);
  for (const value of sorted)
    counts[width > 0 ? Math.min(BARS - 1, Math.floor(((value - min) / width) * BARS)) : 0]!++;
  return counts;
}

/** How often each entry occurs, as text; missing ones are not counted. */
export function countEntries(column: Column): Map<string, number> {
  const counts = new Map<string, number>();
  if (column.kind === "categorical") {
    const byCode = new Float64Array(column.categories.length);
    for (const code of column.codes) if (code >= 0) byCode[code]!++;
    for (const [code, count] of byCode.entries()) if (count > 0) counts.set(column.categories[code]!, count);
    return counts;
  }
  for (let i = 0; i < column.length; i++) {
    const cell = column.at(i);
    if (cell === null) continue;
    const text = cell instanceof Date ? isoText(cell) : String(cell);
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  return counts;
}

const BLOCKS = "▁▂▃▄▅▆▇█";

/** `▁▃▇█▅▂▁▁`: heights by the largest count; what is there at all is seen. */
export function sparkline(counts: readonly number[]): string {
  const most = maxOf(counts);
  return counts
    .map((count) => (count === 0 ? " " : BLOCKS[Math.ceil((count / most) * BLOCKS.length) - 1]))
    .join("");
}

/** Whether an entry is missing, as a column of numbers. */
export const gapsOf = (column: Column): NumericColumn =>
  new NumericColumn(Float64Array.from({ length: column.length }, (_, i) => (column.at(i) === null ? 1 : 0)));
