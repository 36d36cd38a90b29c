import type { Table } from "argmax";

export type Cell = string | number | boolean | null;

const typeOf = (cells: readonly Cell[]): string => {
  const known = cells.find((cell) => cell !== null);
  return typeof known === "string" ? "VARCHAR" : typeof known === "boolean" ? "BOOLEAN" : "DOUBLE PRECISION";
};

/** Statements that make a table with these columns and a row number `i`. */
export function tableStatements(name: string, columns: Readonly<Record<string, readonly Cell[]>>): string[] {
  const names = Object.keys(columns);
  const types = names.map((column) => `"${column.replaceAll('"', '""')}" ${typeOf(columns[column]!)}`);
  const rows = columns[names[0]!]!.length;
  const lines = Array.from({ length: rows }, (_, i) => {
    const cells = names.map((column) => literal(columns[column]![i]!));
    return `(${[i, ...cells].join(", ")})`;
  });
  return [
    `CREATE TABLE ${name} (i INTEGER, ${types.join(", ")})`,
    `INSERT INTO ${name} VALUES ${lines.join(", ")}`,
  ];
}

function literal(cell: Cell): string {
  if (cell === null) return "NULL";
  if (typeof cell === "string") return `'${cell.replaceAll("'", "''")}'`;
  if (typeof cell === "boolean") return cell ? "TRUE" : "FALSE";
  return Number.isNaN(cell) ? "NULL" : /e/.test(String(cell)) ? String(cell) : `${cell}e0`;
}

/** Rows of numbers as columns x1, x2, … */
export const columnsOfRows = (X: readonly (readonly number[])[]): Record<string, number[]> =>
  Object.fromEntries(X[0]!.map((_, j) => [`x${j + 1}`, X.map((row) => row[j]!)]));

/** The cells of a table by column. */
export const columnsOfTable = (table: Table): Record<string, Cell[]> =>
  Object.fromEntries(
    table.columnNames.map((name) => [name, Array.from(table.column(name).toArray() as Cell[])]),
  );
