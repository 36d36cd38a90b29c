import { isColumn } from "../../core/column-like.js";
import { DataError, show } from "../../core/errors.js";
import { readOptions } from "../../core/params/options.js";
import { integer, type TableOf } from "../../core/params/params.js";
import type { Column } from "./column.js";

/** The distribution of a column's entries. */
export interface ColumnSummary {
  readonly missing: number;
  /** Different entries; missing ones are not counted. */
  readonly distinct: number;
  /** Entries that are ±∞. */
  readonly infinite: number;
  /** How often the most frequent entry occurs. */
  readonly frequency: number;
  /** Of the finite numbers, or of dates in milliseconds since 1970; null for other kinds and where there are none. */
  readonly range: ColumnRange | null;
  /** The most frequent entries of categories, booleans and text; null for numbers and dates. */
  readonly top: readonly { readonly value: string; readonly count: number }[] | null;
}

const summaryOptions = {
  bins: integer({ atLeast: 1, default: 10, doc: "Intervals of the histogram." }),
  top: integer({ atLeast: 0, default: 4, doc: "Most frequent entries that are listed." }),
} satisfies TableOf<SummaryOptions>;

export interface ColumnRange {
  readonly min: number;
  readonly mean: number;
  /** The lower of the two middle ones. */
  readonly median: number;
  readonly max: number;
  /** Counts of equal intervals from min to max. */
  readonly histogram: readonly number[];
}

export interface SummaryOptions {
  /** Intervals of the histogram. */
  readonly bins?: number | undefined;
  /** Most frequent entries that are listed. */
  readonly top?: number | undefined;
}

/** Throws unless a value is a column of a table. */
export function requireColumn(where: string, column: unknown): void {
  if (isColumn(column) && "kind" in (column as object)) return;
  throw new DataError(where, "the column", "a column of a table", show(column));
}

export function summarizeColumn(column: Column, options: SummaryOptions = {}): ColumnSummary {
  requireColumn("summarizeColumn", column);
  const { bins, top } = readOptions("summarizeColumn", summaryOptions, options);
  const { missing } = column;
  if (column.kind !== "numeric" && column.kind !== "date") {
    const counts = countEntries(column);
    const listed = mostFrequent(counts, Math.max(1, top));
    const frequency = listed[0]?.count ?? 0;
    return { missing, distinct: counts.size, infinite: 0, frequency, range: null, top: listed.slice(0, top) };
  }
  const sorted = column.values.filter((value) => !Number.isNaN(value)).sort();
  const finite = sorted.filter(Number.isFinite);
  return {
    missing,
    ...runsOf(sorted),
    infinite: sorted.length - finite.length,
    range: finite.length === 0 ? null : rangeOf(finite, bins),
    top: null,
  };
}

/** How many different values sorted numbers have, and how often the most frequent one occurs. */
function runsOf(sorted: Float64Array): Pick<ColumnSummary, "distinct" | "frequency"> {
  let [distinct, frequency, run] = [0, 0, 0];
  for (let i = 0; i < sorted.length; i++) {
    if (i > 0 && sorted[i] === sorted[i - 1]) run++;
    else {
      distinct++;
      run = 1;
    }
    if (run > frequency) frequency = run;
  }
  return { distinct, frequency };
}

function rangeOf(sorted: Float64Array, bins: number): ColumnRange {
  const n = sorted.length;
  const [min, max] = [sorted[0]!, sorted[n - 1]!];
  let mean = 0;
  for (const value of sorted) mean += value / n;
  const histogram = new Array<number>(bins).fill(0);
  // Halves, as max − min may exceed the largest number.
  const width = max / 2 - min / 2;
  for (const value of sorted) {
    const place = width > 0 ? (value / 2 - min / 2) / width : 0.5;
    histogram[Math.min(bins - 1, Math.floor(place * bins))]!++;
  }
  return { min, mean, median: sorted[(n - 1) >> 1]!, max, histogram };
}

/** How often each entry occurs; missing ones are not counted. */
export function countEntries(
  column: Exclude<Column, { readonly kind: "numeric" | "date" }>,
): Map<string, number> {
  const counts = new Map<string, number>();
  if (column.kind === "text") {
    for (const value of column.values) if (value !== null) counts.set(value, (counts.get(value) ?? 0) + 1);
    return counts;
  }
  const names = column.kind === "boolean" ? ["false", "true"] : column.categories;
  const codes = column.kind === "boolean" ? column.values : column.codes;
  const byCode = new Float64Array(names.length);
  for (let i = 0; i < codes.length; i++) if (codes[i]! >= 0 && codes[i]! < names.length) byCode[codes[i]!]!++;
  for (const [code, name] of names.entries()) if (byCode[code]! > 0) counts.set(name, byCode[code]!);
  return counts;
}

/** The entries with the largest counts, without sorting all; of equal counts the first by code unit. */
function mostFrequent(
  counts: ReadonlyMap<string, number>,
  most: number,
): { readonly value: string; readonly count: number }[] {
  const best: { value: string; count: number }[] = [];
  for (const [value, count] of counts) {
    if (best.length === most && count < best[most - 1]!.count) continue;
    best.push({ value, count });
    best.sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1));
    if (best.length > most) best.pop();
  }
  return best;
}
