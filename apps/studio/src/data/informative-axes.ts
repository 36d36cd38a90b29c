import type { ColumnData, NumberColumn } from "./table.js";

/** Rows that are looked at, evenly spaced. */
const MOST_ROWS = 5000;
/** Columns with fewer different numbers make stripes of the rows. */
const FEW_NUMBERS = 5;
/** A second axis that follows the first as closely as this says nothing new. */
const ALIKE = 0.98;

/** The two columns of numbers that say most about the target, each on its own; without a target the first two. Null of fewer columns. */
export function informativeAxes(
  columns: readonly ColumnData[],
  target: ColumnData | undefined,
): readonly [string, string] | null {
  const numbers = columns.filter((column): column is NumberColumn => column.kind === "number");
  if (numbers.length < 2) return null;
  const rows = sampled(numbers[0]!.values.length);
  const ranked = numbers
    .map((column) => ({
      column,
      isFew: new Set(rows.map((i) => column.values[i]!)).size < FEW_NUMBERS,
      share: target === undefined ? 0 : explained(column.values, target, rows),
    }))
    // Sorting is stable: of equals the first ones are taken.
    .sort((a, b) => Number(a.isFew) - Number(b.isFew) || b.share - a.share);
  const [first, ...others] = ranked;
  const second =
    others.find(
      ({ column, isFew }) =>
        !isFew && correlation(first!.column.values, column.values, rows) ** 2 < ALIKE ** 2,
    ) ?? others[0]!;
  return [first!.column.name, second.column.name];
}

function sampled(n: number): readonly number[] {
  const step = Math.max(1, n / MOST_ROWS);
  return Array.from({ length: Math.ceil(n / step) }, (_, k) => Math.floor(k * step));
}

/** The fraction of a column's variance that lies between the classes, or that it has in common with the values of the target. */
function explained(values: Float64Array, target: ColumnData, rows: readonly number[]): number {
  if (target.kind === "number") return correlation(values, target.values, rows) ** 2;
  if (target.kind === "text") return 0;
  const present = rows.filter((i) => !Number.isNaN(values[i]!) && target.codes[i]! >= 0);
  const mean = present.reduce((sum, i) => sum + values[i]!, 0) / present.length;
  const sums = new Map<number, { n: number; sum: number }>();
  let total = 0;
  for (const i of present) {
    const code = target.codes[i]!;
    const own = sums.get(code) ?? { n: 0, sum: 0 };
    sums.set(code, { n: own.n + 1, sum: own.sum + (values[i]! - mean) });
    total += (values[i]! - mean) ** 2;
  }
  let between = 0;
  for (const { n, sum } of sums.values()) between += sum ** 2 / n;
  return total > 0 ? between / total : 0;
}

/** Pearson's, of the rows that have both; 0 where one is constant. */
function correlation(a: Float64Array, b: Float64Array, rows: readonly number[]): number {
  const both = rows.filter((i) => !Number.isNaN(a[i]!) && !Number.isNaN(b[i]!));
  const mean = (values: Float64Array) => both.reduce((sum, i) => sum + values[i]!, 0) / both.length;
  const [meanA, meanB] = [mean(a), mean(b)];
  let [aa, ab, bb] = [0, 0, 0];
  for (const i of both) {
    const [u, v] = [a[i]! - meanA, b[i]! - meanB];
    aa += u * u;
    ab += u * v;
    bb += v * v;
  }
  return aa > 0 && bb > 0 ? ab / Math.sqrt(aa * bb) : 0;
}
