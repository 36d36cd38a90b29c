import {
  BooleanColumn,
  CategoricalColumn,
  type Column,
  type ColumnValues,
  DateColumn,
  NumericColumn,
  Table,
  TextColumn,
} from "argmax";
import type { Field } from "./input-schema.js";

/** An entry of a row as JSON has it. */
export type Cell = string | number | boolean | null;

/** An entry that the model accepts: that of the card, or one of the kind. */
export function exampleCell({ kind, example, min, max, categories }: Field): Cell {
  if (example !== undefined) return example;
  switch (kind) {
    case "categorical":
      return categories?.[0] ?? "a";
    case "text":
      return "some text";
    case "boolean":
      return false;
    case "date":
      return "2000-01-01T00:00:00.000Z";
    default:
      return min !== undefined && max !== undefined ? (min + max) / 2 : 0;
  }
}

/** A table of rows of cells that have been checked; null is missing. */
export function tableOfCells(fields: readonly Field[], rows: readonly (readonly Cell[])[]): Table {
  const columns = new Map<string, Column | ColumnValues>();
  for (let j = 0; j < fields.length; j++) {
    const field = fields[j]!;
    columns.set(
      field.name,
      columnOfCells(
        field,
        rows.map((row) => row[j]!),
      ),
    );
  }
  return Table.fromColumns(columns);
}

/** A column of the field's kind, whatever its entries: a column of nothing but gaps keeps its kind too. */
function columnOfCells({ kind }: Field, cells: readonly Cell[]): Column | ColumnValues {
  switch (kind) {
    case "numeric":
      return new NumericColumn(
        Float64Array.from(cells, (cell) => (cell === null ? Number.NaN : Number(cell))),
      );
    case "date":
      return new DateColumn(Float64Array.from(cells, millisecondsOf));
    case "boolean":
      return new BooleanColumn(Uint8Array.from(cells, (cell) => (cell === null ? 2 : cell ? 1 : 0)));
    case "text":
      return new TextColumn(cells as readonly (string | null)[]);
    case "categorical":
      return categoricalColumn(cells);
    default:
      return cells as ColumnValues;
  }
}

function categoricalColumn(cells: readonly Cell[]): CategoricalColumn {
  if (cells.length === 1) {
    const [cell] = cells;
    return cell === null
      ? new CategoricalColumn(Int32Array.of(-1), [])
      : new CategoricalColumn(Int32Array.of(0), [cell as string]);
  }
  const categories = [...new Set(cells.filter((cell) => cell !== null) as string[])];
  // The column requires its categories in this order.
  categories.sort((a, b) => (a < b ? -1 : 1));
  const codes = new Map(categories.map((category, code) => [category, code]));
  return new CategoricalColumn(
    Int32Array.from(cells, (cell) => (cell === null ? -1 : codes.get(cell as string)!)),
    categories,
  );
}

/** Milliseconds since 1970 of ISO text or of a number of milliseconds; NaN if it is missing or no date. */
export const millisecondsOf = (cell: Cell): number =>
  typeof cell === "number" ? cell : typeof cell === "string" ? Date.parse(cell) : Number.NaN;
