import { packTexts, type Texts, textAt } from "./texts.js";

/** A table as plain data, for messages to workers. A missing number is NaN, a missing category −1, a missing text "". */
export interface TableData {
  readonly name: string;
  readonly rows: number;
  readonly columns: readonly ColumnData[];
}

export type ColumnData = NumberColumn | CategoryColumn | TextColumn;

export interface NumberColumn {
  readonly name: string;
  readonly kind: "number";
  readonly values: Float64Array;
  /** The numbers are milliseconds since 1970. */
  readonly isDate?: boolean;
}

export interface CategoryColumn {
  readonly name: string;
  readonly kind: "category";
  readonly codes: Int32Array;
  readonly levels: readonly string[];
}

/** Free text. */
interface TextColumn {
  readonly name: string;
  readonly kind: "text";
  readonly texts: Texts;
}

export type ColumnKind = ColumnData["kind"];

export const columnOf = (table: TableData, name: string): ColumnData | undefined =>
  table.columns.find((column) => column.name === name);

/** The cell as text; "" where it is missing. */
export function cellText(column: ColumnData, row: number): string {
  if (column.kind === "category") return column.levels[column.codes[row]!] ?? "";
  if (column.kind === "text") return textAt(column.texts, row) ?? "";
  return numberText(column, column.values[row]!);
}

/** A number of a column as text; dates without the time of midnight. */
export function numberText({ isDate }: NumberColumn, value: number): string {
  if (Number.isNaN(value)) return "";
  if (isDate !== true || Math.abs(value) > 8.64e15) return String(value);
  return new Date(value).toISOString().replace(/(T00:00)?(:00)?\.000Z$/, "");
}

/** What a record has for a name that anybody may have chosen: `constructor` and `__proto__` are names too. */
export const ownValue = <V>(record: Readonly<Record<string, V>>, name: string): V | undefined =>
  Object.hasOwn(record, name) ? record[name] : undefined;

export function missingIn(column: ColumnData): number {
  let missing = 0;
  if (column.kind === "number") for (const value of column.values) missing += Number.isNaN(value) ? 1 : 0;
  else if (column.kind === "category") for (const code of column.codes) missing += code < 0 ? 1 : 0;
  else for (let i = 0; i < lengthOf(column); i++) missing += textAt(column.texts, i) === null ? 1 : 0;
  return missing;
}

/** The column as another kind; texts that are not numbers become missing numbers. */
export function asKind(column: ColumnData, kind: ColumnKind): ColumnData {
  if (column.kind === kind) return column;
  const { name } = column;
  const rows = lengthOf(column);
  const texts = Array.from({ length: rows }, (_, i) => cellText(column, i) || null);
  if (kind === "text") return { name, kind, texts: packTexts(texts) };
  if (kind === "number")
    return {
      name,
      kind,
      values: Float64Array.from(texts, (text) => (text === null ? Number.NaN : numberOf(text))),
    };
  return categoryColumn(name, texts);
}

/** Decimal numbers, with a point or a comma; nothing else, such as 0x10. */
const numberOf = (text: string): number =>
  /^\s*[+-]?(\d+[.,]?\d*|[.,]\d+)(e[+-]?\d+)?\s*$/i.test(text) ? Number(text.replace(",", ".")) : Number.NaN;

export function lengthOf(column: ColumnData): number {
  if (column.kind === "number") return column.values.length;
  return (column.kind === "category" ? column.codes : column.texts.ends).length;
}

/** Levels are sorted by code unit, as the library's labels are. */
export function categoryColumn(name: string, texts: readonly (string | null)[]): CategoryColumn {
  const levels = [...new Set(texts.filter((text) => text !== null))].sort((a, b) => (a < b ? -1 : 1));
  const codeOf = new Map(levels.map((level, code) => [level, code]));
  return {
    name,
    kind: "category",
    codes: Int32Array.from(texts, (text) => (text === null ? -1 : codeOf.get(text)!)),
    levels,
  };
}

/** Cells from which on a page shows a table, and what depends on it, in several tasks. */
const LARGE_CELLS = 200_000;

export const isLarge = ({ rows, columns }: TableData): boolean => rows * columns.length > LARGE_CELLS;
