import { type ColumnData, categoryColumn, type TableData } from "../table.js";
import { packTexts } from "../texts.js";

/** Longer names are cut: they would fill the page and the link. */
const MOST_CHARACTERS = 200;

/** Text with more different entries than this, and than half of all entries, is free text: the rule of `parseCsv`. */
const MANY = 20;

/** A column of cells that are numbers, texts, flags or dates; anything else is written as JSON. */
export function columnOfValues(name: string, values: readonly unknown[]): ColumnData {
  const kinds = new Set<string>();
  for (const value of values) if (!isMissing(value)) kinds.add(kindOf(value));
  if ([...kinds].every((kind) => kind === "number"))
    return { name, kind: "number", values: Float64Array.from(values, numberOf) };
  if ([...kinds].every((kind) => kind === "date"))
    return { name, kind: "number", values: Float64Array.from(values, timeOf), isDate: true };
  const texts = values.map(textOf);
  const present = texts.filter((text) => text !== null);
  const { size } = new Set(present);
  if (size <= MANY || 2 * size <= present.length) return categoryColumn(name, texts);
  return { name, kind: "text", texts: packTexts(texts) };
}

const isMissing = (value: unknown): boolean =>
  value === null || value === undefined || value === "" || Number.isNaN(value);

function kindOf(value: unknown): string {
  if (value instanceof Date) return "date";
  if (typeof value === "bigint") return isExact(value) ? "number" : "text";
  return typeof value;
}

const isExact = (value: bigint): boolean => Number.isSafeInteger(Number(value));

const numberOf = (value: unknown): number => (isMissing(value) ? Number.NaN : Number(value));
const timeOf = (value: unknown): number => (value instanceof Date ? value.getTime() : Number.NaN);

function textOf(value: unknown): string | null {
  if (isMissing(value)) return null;
  if (typeof value !== "object") return String(value);
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  return JSON.stringify(value, (_, inner) => (typeof inner === "bigint" ? Number(inner) : inner));
}

/** Names that are not empty, not too long and differ. */
export function cleanNames(names: readonly string[]): string[] {
  const used = new Set<string>();
  return names.map((given, j) => {
    const trimmed = given.trim();
    const wanted =
      trimmed.length > MOST_CHARACTERS
        ? `${trimmed.slice(0, MOST_CHARACTERS - 1)}…`
        : trimmed || `column${j + 1}`;
    let name = wanted;
    for (let copy = 1; used.has(name); copy++) name = `${wanted}.${copy}`;
    used.add(name);
    return name;
  });
}

export function withCleanNames(table: TableData): TableData {
  const names = cleanNames(table.columns.map(({ name }) => name));
  return { ...table, columns: table.columns.map((column, j) => ({ ...column, name: names[j]! })) };
}
