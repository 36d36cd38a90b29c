import { DataError, show } from "../../core/errors.js";
import type { CsrMatrix } from "../../data/csr-matrix.js";
import { type Cell, type CellColumn, codeCounts, codedColumn } from "../../data/table/cells.js";
import type { NumericColumn } from "../../data/table/column.js";
import type { Ranked } from "../scalers/quantiles.js";

export type Strategy = "mean" | "median" | "mostFrequent" | "constant";

/** The kinds of cells that a column can be filled with. */
export type CellKind = CellColumn["kind"];

/** What replaces the gaps of a column of numbers; undefined if it has no number. `values` is free of NaN. */
export function fillNumber(
  strategy: Exclude<Strategy, "constant">,
  values: Float64Array,
): number | undefined {
  if (values.length === 0) return undefined;
  if (strategy === "mean") return mean(values);
  return strategy === "median" ? median(values) : mode(values);
}

/** Finite for finite numbers. */
export function mean(values: Float64Array): number {
  const sum = values.reduce((total, value) => total + value, 0);
  if (Number.isFinite(sum)) return sum / values.length;
  // The sum does not fit a double, but the mean does.
  return values.reduce((total, value) => total + value / values.length, 0);
}

function median(values: Float64Array): number {
  const [below, above] = [(values.length - 1) >> 1, values.length >> 1];
  const { list, smaller } = aroundMiddle(values);
  const upper = nthSmallest(list, above - smaller);
  if (below === above) return upper;
  // Everything before that place is at most as large.
  let lower = list[0]!;
  for (let e = 1; e < above - smaller; e++) if (list[e]! > lower) lower = list[e]!;
  return mean(Float64Array.of(lower, upper));
}

/** The same of a column that is known by ranks. */
export function rankedMedian(column: Ranked): number {
  const [lower, upper] = [column.at((column.length - 1) >> 1)!, column.at(column.length >> 1)!];
  return lower === upper ? upper : mean(Float64Array.of(lower, upper));
}

/** Intervals of equal width between the smallest and the largest entry. */
const INTERVALS = 1024;

/**
 * The entries of the intervals in which the two middle ones lie, and how many entries are smaller than these: counting needs no
 * comparisons that a processor guesses wrong. All entries where there are few, or intervals cannot be formed.
 */
function aroundMiddle(values: Float64Array): { list: Float64Array; smaller: number } {
  const n = values.length;
  let low = Infinity;
  let high = -Infinity;
  for (let e = 0; e < n; e++) {
    if (values[e]! < low) low = values[e]!;
    if (values[e]! > high) high = values[e]!;
  }
  const scale = INTERVALS / (high - low);
  if (n < 2 * INTERVALS || !(scale > 0 && scale < Infinity)) return { list: values.slice(), smaller: 0 };
  // The largest entry has an interval of its own.
  const counts = new Int32Array(INTERVALS + 1);
  for (let e = 0; e < n; e++) counts[Math.trunc((values[e]! - low) * scale)]!++;
  let first = 0;
  let smaller = 0;
  while (smaller + counts[first]! <= (n - 1) >> 1) smaller += counts[first++]!;
  let last = first;
  let count = counts[first]!;
  while (smaller + count <= n >> 1) count += counts[++last]!;
  const list = new Float64Array(count);
  for (let e = 0, at = 0; e < n; e++) {
    const interval = Math.trunc((values[e]! - low) * scale);
    if (interval >= first && interval <= last) list[at++] = values[e]!;
  }
  return { list, smaller };
}

/** The entry that would stand at place k after sorting; afterwards those before it are not larger [Hoare 1961, algorithm 65]. */
function nthSmallest(list: Float64Array, k: number): number {
  let [low, high] = [0, list.length - 1];
  while (low < high) {
    const pivot = middleOf(list[low]!, list[(low + high) >> 1]!, list[high]!);
    let [i, j] = [low, high];
    while (i <= j) {
      while (list[i]! < pivot) i++;
      while (list[j]! > pivot) j--;
      if (i > j) break;
      const swapped = list[i]!;
      list[i++] = list[j]!;
      list[j--] = swapped;
    }
    if (k <= j) high = j;
    else if (k >= i) low = i;
    else break;
  }
  return list[k]!;
}

const middleOf = (a: number, b: number, c: number): number =>
  Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));

/** The most frequent number; of several the smallest. */
function mode(values: Float64Array): number {
  const sorted = values.slice().sort();
  let best = sorted[0]!;
  let most = 0;
  for (let from = 0, to = 0; from < sorted.length; from = to) {
    while (to < sorted.length && sorted[to] === sorted[from]) to++;
    if (to - from > most) [best, most] = [sorted[from]!, to - from];
  }
  return best;
}

/** What replaces the gaps of a column of cells; null if it has no value. */
export function fillCell(
  where: string,
  strategy: Exclude<Strategy, "constant">,
  column: CellColumn,
  name: string,
): Cell | null {
  if (column.kind === "numeric") return fillNumber(strategy, presentNumbers(column)) ?? null;
  if (strategy === "mostFrequent") return modeOfCells(column);
  if (column.kind === "boolean") {
    const numbers = Float64Array.from(column.values.filter((value) => value < 2));
    return fillNumber(strategy, numbers) ?? null;
  }
  throw new DataError({
    where,
    subject: name,
    expected: `numbers, since text has no ${strategy}`,
    received: `text (${column.categories.slice(0, 3).map(show).join(", ")}${column.categories.length > 3 ? ", …" : ""})`,
    advice: 'strategy: "mostFrequent" and "constant" fill text too.',
  });
}

const isNumber = (value: number): boolean => !Number.isNaN(value);

/** The numbers of a column that are not missing. */
function presentNumbers({ values, missing }: NumericColumn): Float64Array {
  if (missing === 0) return values;
  const present = new Float64Array(values.length - missing);
  for (let i = 0, e = 0; i < values.length; i++) if (isNumber(values[i]!)) present[e++] = values[i]!;
  return present;
}

/** The most frequent value; of several the first by code unit, or false. */
function modeOfCells(column: CellColumn): Cell | null {
  const coded = codedColumn(column);
  const counts = codeCounts(coded);
  let best = -1;
  for (const [code, value] of coded.values.entries()) {
    if (counts[code] === 0) continue;
    const lead = best < 0 ? 1 : counts[code]! - counts[best]!;
    if (lead > 0 || (lead === 0 && value < coded.values[best]!)) best = code;
  }
  return best < 0 ? null : coded.values[best]!;
}

/** The stored numbers of every column that are not NaN and, as zeros, those that are not stored. */
export function presentByColumn({ rows, cols, indices, values }: CsrMatrix): Float64Array[] {
  const stored = new Int32Array(cols);
  const gaps = new Int32Array(cols);
  for (let e = 0; e < values.length; e++) (Number.isNaN(values[e]!) ? gaps : stored)[indices[e]!]!++;
  const lists = Array.from(stored, (_, j) => new Float64Array(rows - gaps[j]!));
  const next = new Int32Array(cols);
  for (let e = 0; e < values.length; e++) {
    const j = indices[e]!;
    if (isNumber(values[e]!)) lists[j]![next[j]!++] = values[e]!;
  }
  return lists;
}
