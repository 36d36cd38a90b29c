import { CategoricalColumn, type Column, DateColumn, NumericColumn, Table, TextColumn } from "argmax/data";
import { type ColumnData, categoryColumn, type TableData } from "./table.js";
import { packTexts, unpackTexts } from "./texts.js";

/** A table of the library as plain data. */
export function tableData(name: string, given: Table): TableData {
  const columns = given.columnNames.map((column) => columnData(column, given.column(column)));
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

/** A table as models read it: dates are numbers. */
export const tableOf = ({ columns }: TableData): Table =>
  Table.fromColumns(new Map(columns.map((column) => [column.name, libraryColumn(column)])));

export function libraryColumn(column: ColumnData): NumericColumn | CategoricalColumn | TextColumn {
  if (column.kind === "number") return new NumericColumn(column.values);
  if (column.kind === "text") return new TextColumn(unpackTexts(column.texts));
  return new CategoricalColumn(column.codes, column.levels);
}

/** A table as it was read: dates are dates. */
export const readTableOf = (columns: readonly ColumnData[]): Table =>
  Table.fromColumns(new Map(columns.map((column): [string, Column] => [column.name, readColumnOf(column)])));

export const readColumnOf = (column: ColumnData): Column =>
  column.kind === "number" && column.isDate === true ? new DateColumn(column.values) : libraryColumn(column);
