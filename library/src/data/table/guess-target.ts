import { isColumn, listOf } from "../../core/column-like.js";
import { DataError, show } from "../../core/errors.js";
import type { Label, Labels, NumberArray } from "../../core/labels.js";
import { isArrayLike } from "../../core/numbers/typed-arrays.js";
import { type AnyTable, isTable } from "../feature-names-in.js";
import type { Column } from "./column.js";
import { requireColumn, summarizeColumn } from "./column-summary.js";
import { identifierLikelihood } from "./identifier-column.js";

/** More distinct whole numbers are a quantity. */
export const MOST_CLASSES = 20;

/** What y probably is. Texts and booleans are classes; so are at most 20 different numbers, if all of them are whole. */
export function guessTask(y: Labels<Label> | NumberArray): "classification" | "regression" {
  requireList("guessTask", y);
  const list = listOf(y as ArrayLike<unknown>);
  const seen = new Set<unknown>();
  for (let i = 0; i < list.length; i++) {
    if (typeof list[i] !== "number") return "classification";
    if (!Number.isInteger(list[i])) return "regression";
    seen.add(list[i]);
    if (seen.size > MOST_CLASSES) return "regression";
  }
  return "classification";
}

export function requireList(where: string, y: unknown): void {
  if (isArrayLike(y) || isColumn(y)) return;
  throw new DataError(where, "y", "an array or a column", show(y));
}

const TARGET_NAMES =
  /^(target|class|label|species|survived|outcome|diagnosis|quality|price|response|churn|fraud|spam|default)$/i;

/**
 * The column that is probably to be predicted: one with a usual name of targets, such as `class` or `price`; else y, unless x and y are
 * coordinates; else the last. Free text, constants and identifiers are never it. Undefined if no column is left.
 */
export function guessTarget(table: AnyTable): string | undefined {
  const where = "guessTarget";
  if (!isTable(table)) throw new DataError(where, "the table", "a Table", show(table));
  const usable = table.columnNames.filter((name) => isUsableColumn(name, table.column(name)));
  const hasX = usable.some((name) => /^x$/i.test(name));
  return (
    usable.find((name) => TARGET_NAMES.test(name)) ??
    (hasX && usable.length > 2 ? undefined : usable.find((name) => /^y$/i.test(name))) ??
    usable.at(-1)
  );
}

/** Whether a column can be a feature or a target as it is: not free text, not constant, not certainly an identifier. */
export function isUsableColumn(name: string, column: Column): boolean {
  requireColumn("isUsableColumn", column);
  if (column.kind === "text") return false;
  const { distinct } = summarizeColumn(column, { bins: 1, top: 1 });
  return distinct > 1 && identifierLikelihood(name, column, distinct) !== "certain";
}
