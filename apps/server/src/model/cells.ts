import { type Table, tableOfRows } from "argmax";
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

/** A table of rows of cells in the order of the fields; null is missing, whether the model takes it or not. */
export const tableOfCells = (fields: readonly Field[], rows: readonly (readonly Cell[])[]): Table =>
  tableOfRows(
    "rows",
    fields.map(({ name, kind }) => ({ name, kind, nullable: true, required: false })),
    rows,
  );
