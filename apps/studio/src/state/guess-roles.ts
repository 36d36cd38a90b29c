import { type ColumnData, lengthOf, missingIn, type TableData } from "../data/table.js";
import type { Task } from "../work/protocol.js";
import type { Role, StudioDocument } from "./document.js";

export interface GuessedRoles {
  readonly roles: Record<string, Role>;
  readonly axes: readonly [string, string] | null;
  readonly task: Task;
}

const targetNames = /^(target|class|label|species|survived|outcome|diagnosis|y|quality|price|response)$/i;

/**
 * Roles for a new table: the target is a column with a telling name, or else the last one that is no text; columns like identifiers,
 * constants and free text are left out.
 */
export function guessedRoles(table: TableData, _current: StudioDocument): GuessedRoles {
  const usable = table.columns.filter(
    (column) => column.kind !== "text" && !isConstant(column) && !isIdentifier(column),
  );
  const target = usable.find(({ name }) => targetNames.test(name)) ?? usable.at(-1);
  const roles: Record<string, Role> = {};
  for (const column of table.columns)
    roles[column.name] = column === target ? "target" : usable.includes(column) ? "feature" : "ignore";
  const numbers = usable
    .filter((column) => column !== target && column.kind === "number")
    .map(({ name }) => name);
  return {
    roles,
    axes: numbers.length >= 2 ? [numbers[0]!, numbers[1]!] : null,
    task: target === undefined ? "clustering" : target.kind === "number" ? "regression" : "classification",
  };
}

function isConstant(column: ColumnData): boolean {
  const present = lengthOf(column) - missingIn(column);
  return present === 0 || distinct(column) <= 1;
}

/** Whole numbers or categories that are nearly all different. */
export function isIdentifier(column: ColumnData): boolean {
  const rows = lengthOf(column);
  if (rows < 20) return false;
  if (column.kind === "category") return distinct(column) > 0.9 * rows;
  if (column.kind === "text") return false;
  return (
    column.values.every(Number.isInteger) &&
    distinct(column) > 0.95 * rows &&
    /(^|[^a-z])(id|no|nr|index|key|row)$/i.test(column.name)
  );
}

export function distinct(column: ColumnData): number {
  if (column.kind === "category") return new Set(column.codes.filter((code) => code >= 0)).size;
  if (column.kind === "text") return new Set(column.values.filter((value) => value !== null)).size;
  return new Set(column.values.filter((value) => !Number.isNaN(value))).size;
}
