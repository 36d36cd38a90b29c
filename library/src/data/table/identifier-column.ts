import type { Column } from "./column.js";
import { requireColumn } from "./column-summary.js";

/** With fewer entries, all may differ by chance. */
const FEWEST = 20;
/** Texts that are examined for blanks. */
const SAMPLE = 1000;
/** Fraction of distinct entries from which a column named as an identifier is one: tables with duplicate rows have identifiers too. */
const NEARLY_ALL = 0.95;

const NAMED = /(?:^|[^a-z])(?:id|key|index|nr|no|number|row)$/i;
const NAMED_IN_CAMEL_CASE = /[a-z](?:Id|ID|Key|Index)$/;

/**
 * Whether a column is like an identifier: "certain" for distinct text without blanks, and for whole numbers that are named as identifiers
 * are; "likely" for other distinct whole numbers that span less than twice their count. That many quantities would have ties.
 * `distinct` is the number of different entries, if it is known.
 */
export function identifierLikelihood(
  name: string,
  column: Column,
  distinct?: number,
): "certain" | "likely" | undefined {
  requireColumn("identifierLikelihood", column);
  const present = column.length - column.missing;
  if (present < FEWEST || (distinct !== undefined && distinct < NEARLY_ALL * present)) return undefined;
  if (column.kind === "numeric") return ofNumbers(name, column.values, present);
  if (column.kind !== "text" && column.kind !== "categorical") return undefined;
  for (let i = 0; i < Math.min(column.length, SAMPLE); i++)
    if (/\s\S+\s/.test(column.at(i) ?? "")) return undefined;
  const different = distinct ?? new Set(column.toArray().filter((value) => value !== null)).size;
  return different === present ? "certain" : undefined;
}

function ofNumbers(name: string, values: Float64Array, present: number): "certain" | "likely" | undefined {
  let [min, max] = [Infinity, -Infinity];
  for (const value of values) {
    if (Number.isNaN(value)) continue;
    if (!Number.isInteger(value)) return undefined;
    if (value < min) min = value;
    if (value > max) max = value;
  }
  const isNamed = NAMED.test(name) || NAMED_IN_CAMEL_CASE.test(name);
  if (max - min >= 2 * present && !isNamed) return undefined;
  const distinct = new Set(values.filter((value) => !Number.isNaN(value))).size;
  if (isNamed) return distinct >= NEARLY_ALL * present ? "certain" : undefined;
  return distinct === present ? "likely" : undefined;
}
