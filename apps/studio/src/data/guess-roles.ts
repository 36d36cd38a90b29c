import { guessTarget, guessTask, identifierLikelihood, isUsableColumn } from "argmax/data";
import { informativeAxes } from "./informative-axes.js";
import { readColumnOf, readTableOf } from "./library-table.js";
import { pixelColumns } from "./pixel-columns.js";
import type { Role, Task } from "./roles.js";
import { asKind, type ColumnData, type TableData } from "./table.js";

export interface GuessedRoles {
  /** Of the columns that are not features. */
  readonly roles: Readonly<Record<string, Role>>;
  readonly axes: readonly [string, string] | null;
  readonly task: Task;
}

/**
 * Roles for a new table: the target is the one of `guessTarget`; the first column like an
 * identifier names rows; others, constants and free text are left out, except the pixels of pictures, and texts where there is nothing else to learn from.
 */
export function guessedRoles(table: TableData): GuessedRoles {
  const usable = usableColumns(table);
  const target = likelyTarget(usable);
  const isOnlyText = usable.every((column) => column === target);
  const texts = isOnlyText ? table.columns.filter(({ kind }) => kind === "text") : [];
  const isUsable = new Set<ColumnData>([...usable, ...texts, ...(pixelColumns(table) ?? [])]);
  const id = table.columns.find((column) => !isUsable.has(column) && isIdentifier(column));
  const roles = Object.fromEntries(
    table.columns
      .filter((column) => column === target || !isUsable.has(column))
      .map((column): [string, Role] => [
        column.name,
        column === target ? "target" : column === id ? "id" : "ignore",
      ]),
  );
  return {
    roles,
    axes: informativeAxes(
      usable.filter((column) => column !== target),
      target,
    ),
    task: target === undefined ? "clustering" : target.kind === "number" ? "regression" : "classification",
  };
}

/** The table with classes as its target where that is a few whole numbers, such as 0 and 1. */
export function targetAsClasses(table: TableData): TableData {
  const target = likelyTarget(usableColumns(table));
  if (target?.kind !== "number" || target.isDate === true) return table;
  if (guessTask(target.values.filter((value) => !Number.isNaN(value))) === "regression") return table;
  const columns = table.columns.map((column) => (column === target ? asKind(target, "category") : column));
  return { ...table, columns };
}

const usableColumns = ({ columns }: TableData): readonly ColumnData[] =>
  columns.filter((column) => column.kind !== "text" && isUsableColumn(column.name, readColumnOf(column)));

const likelyTarget = (usable: readonly ColumnData[]): ColumnData | undefined => {
  const name = guessTarget(readTableOf(usable));
  return usable.find((column) => column.name === name);
};

const isIdentifier = (column: ColumnData): boolean =>
  column.kind !== "text" && identifierLikelihood(column.name, readColumnOf(column)) === "certain";
