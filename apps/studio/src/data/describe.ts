import { summarizeColumn } from "argmax/data";
import { readColumnOf } from "./library-table.js";
import { type ColumnData, numberText } from "./table.js";

/** What a column holds, in figures: what its card shows. */
export interface ColumnSummary {
  readonly missing: number;
  readonly distinct: number;
  /** Of numbers: the least, the mean and the largest, as text. */
  readonly range: { readonly min: string; readonly mean: string; readonly max: string } | null;
  /** Counts of equal intervals from the least number to the largest. */
  readonly histogram: readonly number[] | null;
  /** The most frequent entries of other kinds, cut to a line. */
  readonly top: readonly { readonly text: string; readonly count: number }[] | null;
  readonly infinite: number;
}

const BARS = 24;
const MOST_TOP = 4;
const LINE = 60;

export function summaryOf(column: ColumnData): ColumnSummary {
  const { range, top, missing, distinct, infinite } = summarizeColumn(readColumnOf(column), {
    bins: BARS,
    top: MOST_TOP,
  });
  const text = (value: number) =>
    column.kind === "number" && column.isDate === true
      ? numberText(column, Math.round(value))
      : String(Number(value.toPrecision(4)));
  return {
    missing,
    distinct,
    infinite,
    range: range && { min: text(range.min), mean: text(range.mean), max: text(range.max) },
    histogram: range?.histogram ?? null,
    top: top?.map(({ value, count }) => ({ text: lineOf(value), count })) ?? null,
  };
}

const lineOf = (text: string): string =>
  (text.length > LINE ? `${text.slice(0, LINE - 1)}…` : text).replace(/\s+/g, " ");
