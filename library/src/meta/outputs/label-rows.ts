import { ShapeError, show } from "../../core/errors.js";
import type { Label, Labels } from "../../core/labels.js";
import { type AnyTable, inOrderOfFit, isTable } from "../../data/feature-names-in.js";

/** Labels of several outputs: one row per row of X with a label per output, or a table with a column per output. */
export type LabelRows<L extends Label> = readonly (readonly L[])[] | AnyTable;

/** Whether y has several outputs, and is not a list of labels. */
export const isLabelRows = <L extends Label>(y: Labels<L> | LabelRows<L>): y is LabelRows<L> =>
  isTable(y) || (Array.isArray(y) && y.length > 0 && y.every((row) => Array.isArray(row)));

/** The labels by output, and the outputs' names if they were the columns of a table; `known` are the names of fit, whose order they get. */
export function readLabelRows<L extends Label>(
  where: string,
  y: LabelRows<L>,
  known?: readonly string[] | undefined,
): { readonly columns: readonly Labels<L>[]; readonly names: readonly string[] | undefined } {
  if (isTable(y)) {
    if (y.columnNames.length === 0) refuse(where, "a table of one column or more", "none");
    const table = known === undefined ? y : inOrderOfFit(where, y, known, "Y");
    const names = table.columnNames;
    return { columns: names.map((name) => table.column(name) as unknown as Labels<L>), names };
  }
  const width = y[0]!.length;
  const other = y.findIndex((row) => row.length !== width);
  if (other >= 0)
    refuse(where, `rows of one length (${width})`, `${y[other]!.length} labels in row ${other}`);
  if (width === 0) refuse(where, "rows of one label or more", show(y[0]));
  return { columns: Array.from({ length: width }, (_, t) => y.map((row) => row[t]!)), names: undefined };
}

function refuse(where: string, expected: string, received: string): never {
  throw new ShapeError(where, "Y", expected, received);
}
