import { DataError, show } from "../core/errors.js";
import { columnName } from "../data/feature-names.js";
import type { CellColumn, Cells } from "../data/table/cells.js";

/** A column's numbers, NaN where they are missing. */
export function numbersIn(column: CellColumn): Float64Array {
  if (column.kind === "numeric") return column.values;
  if (column.kind === "categorical") return new Float64Array(column.length).fill(Number.NaN);
  return Float64Array.from(column.values, (value) => (value > 1 ? Number.NaN : value));
}

/** The numbers of all columns, NaN where they are missing. Throws on a column of text. */
export function numericColumns(where: string, { columns, names }: Cells, advice: string): Float64Array[] {
  return columns.map((column, j) => {
    if (column.kind !== "categorical" || column.missing === column.length) return numbersIn(column);
    const { categories } = column;
    throw new DataError({
      where,
      subject: columnName(names, j),
      expected: "numeric or boolean",
      received: `text (${categories.slice(0, 3).map(show).join(", ")}${categories.length > 3 ? ", …" : ""})`,
      advice,
    });
  });
}
