import { DataError, show } from "../../core/errors.js";
import { type AnyTable, isTable } from "../feature-names-in.js";
import type { Cell, Column } from "./column.js";
import { Table } from "./table.js";

/** What `describeTable` says of a column. Figures that its kind does not have are missing. */
export type Summary = {
  readonly name: string;
  readonly kind: string;
  readonly missing: number;
  /** How many different entries there are. */
  readonly distinct: number;
  readonly mean: number;
  /** Standard deviation, divisor n − 1. */
  readonly deviation: number;
  readonly min: number;
  /** Lower quartile, median and upper quartile, by linear interpolation. */
  readonly quarter: number;
  readonly median: number;
  readonly threeQuarters: number;
  readonly max: number;
  /** The most frequent entry; of several the first by value. */
  readonly top: string;
  /** How often it occurs. */
  readonly frequency: number;
};

type SummaryRow = { readonly [K in keyof Summary]: Summary[K] | null };

/**
 * A row of figures for every column of a table: its kind, missing and distinct entries, mean, deviation, quartiles, most frequent entry.
 * A function rather than a method, so that tables without it stay small.
 */
export function describeTable(table: AnyTable): Table<Summary> {
  const where = "describeTable";
  if (!isTable(table)) throw new DataError(where, "the table", "a Table", show(table));
  const rows = table.columnNames.map((name): SummaryRow => {
    const column = table.column(name);
    const { kind, missing } = column;
    return { name, kind, missing, ...numbersIn(column), ...entriesIn(column) };
  });
  // The most frequent entry is text, also of numbers.
  const types = { name: "category", kind: "category", top: "category" } as const;
  return Table.fromRows(rows, { types });
}

type Numbers = Pick<
  SummaryRow,
  "mean" | "deviation" | "min" | "quarter" | "median" | "threeQuarters" | "max"
>;

const none: Numbers = {
  mean: null,
  deviation: null,
  min: null,
  quarter: null,
  median: null,
  threeQuarters: null,
  max: null,
};

function numbersIn(column: Column): Numbers {
  if (column.kind !== "numeric") return none;
  const sorted = column.values.filter((value) => !Number.isNaN(value)).sort();
  const n = sorted.length;
  if (n === 0) return none;
  let mean = 0;
  for (const value of sorted) mean += value / n;
  let squares = 0;
  for (const value of sorted) squares += (value - mean) ** 2;
  return {
    mean,
    deviation: n > 1 ? Math.sqrt(squares / (n - 1)) : null,
    min: sorted[0]!,
    quarter: quantile(sorted, 0.25),
    median: quantile(sorted, 0.5),
    threeQuarters: quantile(sorted, 0.75),
    max: sorted[n - 1]!,
  };
}

/** Linear interpolation between the neighbours of place q(n − 1), as NumPy has it. */
function quantile(sorted: Float64Array, q: number): number {
  const place = q * (sorted.length - 1);
  const below = Math.floor(place);
  const low = sorted[below]!;
  const high = sorted[Math.min(below + 1, sorted.length - 1)]!;
  return low === high ? low : low + (place - below) * (high - low);
}

function entriesIn(column: Column): Pick<SummaryRow, "distinct" | "top" | "frequency"> {
  const counts = new Map<number | string | boolean, number>();
  for (const value of column.toArray()) if (value !== null) counts.set(value, (counts.get(value) ?? 0) + 1);
  let top: number | string | boolean | undefined;
  let frequency = 0;
  for (const [value, count] of counts) {
    if (count < frequency || (count === frequency && !(value < top!))) continue;
    top = value;
    frequency = count;
  }
  return {
    distinct: counts.size,
    top: top === undefined ? null : shown(column, top),
    frequency: frequency || null,
  };
}

const shown = (column: Column, value: Exclude<Cell, Date>): string =>
  column.kind === "date" ? new Date(value as number).toISOString() : String(value);
