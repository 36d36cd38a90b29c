import { BooleanColumn, type Column, DateColumn, NumericColumn, type Table, TextColumn } from "argmax";
import { tableOf } from "./columns.js";

/** A cell of a database. */
export type DatabaseCell = number | bigint | string | boolean | Date | Uint8Array | null;

/** A table of rows, each a list of cells. A column that holds numbers and text is text. */
export function tableOfCells(names: readonly string[], rows: readonly (readonly DatabaseCell[])[]): Table {
  return tableOf(names.map((name, k) => [name, columnOfCells(rows, k)] as const));
}

function columnOfCells(rows: readonly (readonly DatabaseCell[])[], k: number): Column {
  const types = new Set<string>();
  for (const row of rows) {
    const cell = row[k]!;
    if (cell !== null) types.add(typeOf(cell));
  }
  const [type] = types;
  if (types.size > 1 || type === "text") return new TextColumn(rows.map((row) => textOf(row[k]!)));
  if (type === "boolean")
    return new BooleanColumn(Uint8Array.from(rows, (row) => (row[k] === null ? 2 : row[k] ? 1 : 0)));
  const values = Float64Array.from(rows, (row) => (row[k] === null ? Number.NaN : Number(row[k])));
  return type === "date" ? new DateColumn(values) : new NumericColumn(values);
}

/** Integers past 2⁵³ would lose digits as numbers. */
function typeOf(cell: DatabaseCell): "numeric" | "boolean" | "date" | "text" {
  if (typeof cell === "number") return "numeric";
  if (typeof cell === "bigint") return Number.isSafeInteger(Number(cell)) ? "numeric" : "text";
  if (typeof cell === "boolean") return "boolean";
  return cell instanceof Date ? "date" : "text";
}

function textOf(cell: DatabaseCell): string | null {
  if (cell === null) return null;
  if (cell instanceof Date) return cell.toISOString();
  return cell instanceof Uint8Array ? Buffer.from(cell).toString("hex") : String(cell);
}
