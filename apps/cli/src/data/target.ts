import type { Table } from "argmax";
import { Failure, UsageError } from "../command.js";
import { requireNames } from "./names.js";
import { listed } from "./nearest.js";
import type { LoadedTable } from "./source.js";

interface SplitTable {
  readonly X: Table;
  readonly y: (string | number | boolean)[];
  readonly target: string;
  readonly remarks: string[];
}

/** Divides a table into the target and the other columns. Rows without a target are left out. */
export function splitTarget(loaded: LoadedTable, asked: string | undefined): SplitTable {
  const { table, name } = loaded;
  const names: readonly string[] = table.columnNames;
  const target = asked ?? loaded.target;
  if (target === undefined)
    throw new UsageError(`--target is missing: the column to predict. The columns are ${listed(names)}.`);
  requireNames(name, [target], names);
  if (names.length === 1)
    throw new Failure(
      `${name} has only the column ${JSON.stringify(target)}: there is nothing to predict it from.`,
    );
  const column = table.column(target);
  if (column.missing === column.length)
    throw new Failure(
      `Column ${JSON.stringify(target)} of ${name} has no entries: there is nothing to learn.`,
    );
  const kept = column.missing === 0 ? table : table.dropMissing([target]);
  const remarks = column.missing === 0 ? [] : [gapsRemark(target, column.missing)];
  // Dates are milliseconds.
  const y = kept.column(target).toArray() as (string | number | boolean)[];
  return { X: kept.drop([target]), y, target, remarks };
}

export const gapsRemark = (target: string, rows: number): string =>
  rows === 1
    ? `1 row has no ${target} and was left out.`
    : `${rows} rows have no ${target} and were left out.`;
