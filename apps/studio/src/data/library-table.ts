import type { Column, Table } from "argmax/data";
import { type ColumnData, categoryColumn, type TableData } from "./table.js";
import { packTexts } from "./texts.js";

/** A table of the library as plain data. */
export function tableData(name: string, given: Table): TableData {
  const columns = given.columnNames.map((column) =>
    columnData(column, given.column(column as never) as Column),
  );
  return { name, rows: given.rows, columns };
}

function columnData(name: string, from: Column): ColumnData {
  switch (from.kind) {
    case "numeric":
      return { name, kind: "number", values: from.values };
    case "date":
      return { name, kind: "number", values: from.values, isDate: true };
    case "boolean":
      return categoryColumn(
        name,
        Array.from(from.values, (value) => (value > 1 ? null : value === 1 ? "true" : "false")),
      );
    case "categorical":
      return { name, kind: "category", codes: from.codes, levels: from.categories };
    case "text":
      return { name, kind: "text", texts: packTexts(from.values) };
  }
}
