import { pixelColumns } from "../data/pixel-columns.js";
import { asKind, type ColumnData, lengthOf, missingIn, type TableData } from "../data/table.js";
import { unpackTexts } from "../data/texts.js";
import type { Task } from "../work/protocol.js";
import type { Role } from "./document.js";
import { tellingAxes } from "./telling-axes.js";

export interface GuessedRoles {
  /** Of the columns that are no features. */
  readonly roles: Readonly<Record<string, Role>>;
  readonly axes: readonly [string, string] | null;
  readonly task: Task;
}

const targetNames =
  /^(target|class|label|species|survived|outcome|diagnosis|quality|price|response|churn|fraud|spam|default)$/i;

/**
 * Roles for a new table: the target is a column with a telling name, or else the last one that is no text; the first column like an
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
    axes: tellingAxes(
      usable.filter((column) => column !== target),
      target,
    ),
    task: target === undefined ? "clustering" : target.kind === "number" ? "regression" : "classification",
  };
}

/** A target of more different whole numbers is a quantity. */
export const MOST_CLASSES = 20;

/** The table with classes as its target where that is a few whole numbers, such as 0 and 1. */
export function targetAsClasses(table: TableData): TableData {
  const target = likelyTarget(usableColumns(table));
  if (target === undefined || !hasFewNumbers(target)) return table;
  const columns = table.columns.map((column) => (column === target ? asKind(target, "category") : column));
  return { ...table, columns };
}

/** Whole numbers that are rather classes than a quantity. */
export const hasFewNumbers = (column: ColumnData): boolean =>
  column.kind === "number" &&
  column.isDate !== true &&
  column.values.every((value) => Number.isNaN(value) || Number.isInteger(value)) &&
  distinct(column) <= Math.min(MOST_CLASSES, lengthOf(column) / 2);

const usableColumns = (table: TableData): readonly ColumnData[] =>
  table.columns.filter((column) => column.kind !== "text" && !isConstant(column) && !isIdentifier(column));

const likelyTarget = (usable: readonly ColumnData[]): ColumnData | undefined =>
  usable.find(({ name }) => targetNames.test(name)) ?? namedY(usable) ?? usable.at(-1);

/** y is what is predicted, unless x and y are a place. */
const namedY = (usable: readonly ColumnData[]): ColumnData | undefined =>
  usable.some(({ name }) => /^x$/i.test(name)) && usable.length > 2
    ? undefined
    : usable.find(({ name }) => /^y$/i.test(name));

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
    (/(^|[^a-z])(id|no|nr|index|key|row)$/i.test(column.name) ||
      /[a-z](Id|ID|Key|Index)$/.test(column.name)) &&
    column.values.every(Number.isInteger) &&
    distinct(column) > 0.95 * rows
  );
}

export function distinct(column: ColumnData): number {
  if (column.kind === "category") return new Set(column.codes.filter((code) => code >= 0)).size;
  if (column.kind === "text") return new Set(unpackTexts(column.texts)).size;
  return new Set(column.values.filter((value) => !Number.isNaN(value))).size;
}
