import type { Column } from "argmax";

/** In a shorter table all entries may differ by chance. */
const FEWEST_FOR_IDS = 20;
/** Texts that are looked at. */
const SAMPLE = 1000;

/** Distinct text without blanks, or distinct whole numbers that count rows or are named as identifiers are. */
export function isIdentifier(name: string, column: Column, distinct?: number): boolean {
  const present = column.length - column.missing;
  if (present < FEWEST_FOR_IDS || (distinct !== undefined && distinct < present)) return false;
  if (column.kind === "numeric") return countsRows(name, column.values, present);
  if (column.kind !== "text" && column.kind !== "categorical") return false;
  for (let i = 0; i < Math.min(column.length, SAMPLE); i++)
    if (/\s\S+\s/.test(String(column.at(i)))) return false;
  return (
    distinct !== undefined || new Set(column.toArray().filter((value) => value !== null)).size === present
  );
}

function countsRows(name: string, values: Float64Array, present: number): boolean {
  let [min, max] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) {
    if (Number.isNaN(value)) continue;
    if (!Number.isInteger(value)) return false;
    if (value < min) min = value;
    if (value > max) max = value;
  }
  const isNamed = /(?:^|[^a-z])(?:id|key|index|nr|no|number)$/i.test(name) || /Id$/.test(name);
  if (max - min >= 2 * present && !isNamed) return false;
  return new Set(values.filter((value) => !Number.isNaN(value))).size === present;
}
