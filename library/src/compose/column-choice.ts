import { DataError, oneOf, show } from "../core/errors.js";
import { listNames } from "../data/feature-names-in.js";
import type { Column } from "../data/table/column.js";
import type { Frame } from "./frame.js";

/** What a column of a table can hold. */
export type ColumnKind = Column["kind"];

const KINDS = ["numeric", "categorical", "boolean", "date", "text"] as const satisfies readonly ColumnKind[];

/**
 * Columns by name, by number, by kind, or by a function of name and column. All columns of a matrix are numeric; they have no
 * names, and a function gets their number as text.
 */
export type Columns =
  | readonly string[]
  | readonly number[]
  | ColumnKind
  | ((name: string, column: Column) => boolean);

export const isKind = (value: unknown): value is ColumnKind => KINDS.includes(value as ColumnKind);

export const EXPECTED_COLUMNS = `a list of names or numbers, a function of name and column, or ${oneOf(KINDS)}`;

export function isColumns(value: unknown): value is Columns {
  if (isKind(value) || typeof value === "function") return true;
  if (!Array.isArray(value) || new Set(value).size < value.length) return false;
  return (
    value.every((name) => typeof name === "string") ||
    value.every((j) => Number.isSafeInteger(j) && (j as number) >= 0)
  );
}

/** What columns are chosen from. */
export type ChosenFrom = Pick<Frame, "cols" | "names" | "column">;

/** The numbers of the chosen columns; `part` is the transformer's name, for messages. */
export function chosenColumns(where: string, part: string, columns: Columns, frame: ChosenFrom): number[] {
  if (typeof columns === "function" || isKind(columns)) {
    const accepts =
      typeof columns === "function" ? columns : (_: string, { kind }: Column) => kind === columns;
    return Array.from({ length: frame.cols }, (_, j) => j).filter((j) =>
      accepts(frame.names?.[j] ?? String(j), frame.column(j)),
    );
  }
  return columns.map((key) => {
    const j = typeof key === "number" ? key : (frame.names?.indexOf(key) ?? -1);
    if (j >= 0 && j < frame.cols) return j;
    throw new DataError({
      where,
      subject: `the columns of ${show(part)}`,
      expected:
        typeof key === "number"
          ? `numbers from 0 to ${frame.cols - 1}`
          : frame.names
            ? `in X, which has ${listNames(frame.names)}`
            : "numbers, since only the columns of a Table have names",
      received: show(key),
    });
  });
}
