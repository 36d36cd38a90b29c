import { type ColumnData, lengthOf, type NumberColumn, numberText } from "./table.js";
import { textAt } from "./texts.js";

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
  return column.kind === "number" ? ofNumbers(column) : ofEntries(column);
}

function ofNumbers(column: NumberColumn): ColumnSummary {
  const sorted = column.values.filter((value) => !Number.isNaN(value)).sort();
  const missing = column.values.length - sorted.length;
  const finite = sorted.filter(Number.isFinite);
  const infinite = sorted.length - finite.length;
  let distinct = 0;
  for (let i = 0; i < sorted.length; i++) if (i === 0 || sorted[i] !== sorted[i - 1]) distinct++;
  if (finite.length === 0) return { missing, distinct, range: null, histogram: null, top: null, infinite };
  const [min, max] = [finite[0]!, finite.at(-1)!];
  let mean = 0;
  for (const value of finite) mean += value / finite.length;
  const text = (value: number) =>
    column.isDate ? numberText(column, Math.round(value)) : String(Number(value.toPrecision(4)));
  return {
    missing,
    distinct,
    range: { min: text(min), mean: text(mean), max: text(max) },
    histogram: histogramOf(finite, min, max),
    top: null,
    infinite,
  };
}

function histogramOf(values: Float64Array, min: number, max: number): number[] {
  const counts = new Array<number>(BARS).fill(0);
  // Halves, as max − min may be more than the largest number.
  const width = max / 2 - min / 2;
  for (const value of values) {
    const share = width > 0 ? (value / 2 - min / 2) / width : 0.5;
    counts[Math.min(BARS - 1, Math.floor(share * BARS))]!++;
  }
  return counts;
}

function ofEntries(column: Exclude<ColumnData, NumberColumn>): ColumnSummary {
  const counts = countsOf(column);
  let present = 0;
  for (const count of counts.values()) present += count;
  const top = largest([...counts], MOST_TOP).map(([text, count]) => ({ text: lineOf(text), count }));
  return {
    missing: lengthOf(column) - present,
    distinct: counts.size,
    range: null,
    histogram: null,
    top,
    infinite: 0,
  };
}

/** How often each entry occurs; missing ones are not counted. */
export function countsOf(column: Exclude<ColumnData, NumberColumn>): Map<string, number> {
  const counts = new Map<string, number>();
  if (column.kind === "text") {
    for (let i = 0; i < lengthOf(column); i++) {
      const text = textAt(column.texts, i);
      if (text !== null) counts.set(text, (counts.get(text) ?? 0) + 1);
    }
    return counts;
  }
  const byCode = new Float64Array(column.levels.length);
  for (const code of column.codes) if (code >= 0) byCode[code]!++;
  for (const [code, count] of byCode.entries()) if (count > 0) counts.set(column.levels[code]!, count);
  return counts;
}

/** The entries with the largest counts, without sorting all. */
function largest(entries: readonly [string, number][], most: number): [string, number][] {
  const best: [string, number][] = [];
  for (const entry of entries) {
    if (best.length === most && entry[1] <= best[most - 1]![1]) continue;
    best.push(entry);
    best.sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
    if (best.length > most) best.pop();
  }
  return best;
}

const lineOf = (text: string): string =>
  (text.length > LINE ? `${text.slice(0, LINE - 1)}…` : text).replace(/\s+/g, " ");
