import type { RowObject } from "../../core/contract.js";
import { DataError, type ErrorDetails, show } from "../../core/errors.js";
import { isArrayLike } from "../../core/numbers/typed-arrays.js";
import type { Column } from "./column.js";

/** An entry of a row; null is missing. Dates are milliseconds since 1970 here. */
export type RowCell = string | number | boolean | null;

/** A column that rows must have. */
export interface RowField {
  readonly name: string;
  /** "number" takes booleans too, as columns of numbers do; "any" takes every cell. */
  readonly kind: Column["kind"] | "number" | "any";
  /** Whether an entry may be null. */
  readonly nullable: boolean;
  /** Whether every row must name it. */
  readonly required: boolean;
}

/** What is wrong with an entry of a row. */
export interface RowProblem {
  readonly row: number;
  /** Absent where the row as a whole is wrong. */
  readonly field?: string;
  readonly message: string;
}

/** Rows that do not fit the columns of fit; `problems` has every entry that is wrong, up to the first hundred. */
export class RowsError extends DataError {
  constructor(
    details: ErrorDetails,
    readonly problems: readonly RowProblem[] = [],
  ) {
    super(details);
  }

  override within(outer: string): RowsError {
    const { subject, expected, received, advice } = this;
    const error = new RowsError(
      { where: `${outer}, ${this.where}`, subject, expected, received, advice },
      this.problems,
    );
    error.cause = this;
    return error;
  }
}

/** Problems that are listed; whoever passes a million bad rows needs the first ones only. */
const MOST_PROBLEMS = 100;
/** Problems in a message. */
const MOST_SHOWN = 10;

/** Whether X is a list of objects by name of the column: no list of rows of cells, and no list of dates or columns. */
export function isRowObjects(x: unknown): x is readonly RowObject[] {
  if (!Array.isArray(x) || x.length === 0) return false;
  const [first] = x as readonly unknown[];
  if (first === null || typeof first !== "object" || isArrayLike(first)) return false;
  return Object.prototype.toString.call(first) === "[object Object]" && !(Symbol.iterator in first);
}

/** Fields of a table's columns; every one may be missing, and must be there. */
export const rowFields = (
  names: readonly string[],
  kindOf: (j: number) => RowField["kind"],
  isRequired: (j: number) => boolean = () => true,
): RowField[] => names.map((name, j) => ({ name, kind: kindOf(j), nullable: true, required: isRequired(j) }));

/** Rows of cells in the order of the fields; a row may be an object, or an array in the order of the fields. */
export function checkedRows(
  where: string,
  fields: readonly RowField[],
  rows: readonly unknown[],
  read: ReadCell,
): RowCell[][] {
  const problems: RowProblem[] = [];
  const names = new Set(fields.map(({ name }) => name));
  const cells: RowCell[][] = [];
  for (let row = 0; row < rows.length && problems.length < MOST_PROBLEMS; row++) {
    const report = (message: string, field?: string) =>
      void problems.push(field === undefined ? { row, message } : { row, field, message });
    cells.push(checkedRow(fields, names, rows[row], read, report));
  }
  if (problems.length > 0) refuseRows(where, problems.slice(0, MOST_PROBLEMS));
  return cells;
}

function refuseRows(where: string, problems: readonly RowProblem[]): never {
  const shown = problems.slice(0, MOST_SHOWN).map(({ row, field, message }) => {
    const what = field === undefined ? "" : ` ${show(field)}`;
    return `row ${row}:${what} ${message}`;
  });
  const more = problems.length - shown.length;
  throw new RowsError(
    {
      where,
      subject: "the rows",
      expected: "objects with the columns of fit",
      received: `${shown.join("; ")}${more > 0 ? `; and ${more} more` : ""}`,
    },
    problems,
  );
}

/** An entry as a cell of a kind, or what it should be. */
export type ReadCell = (
  kind: RowField["kind"],
  value: unknown,
) => Exclude<RowCell, null> | { readonly expected: string };

/** Numbers, and booleans as 0 and 1. */
export const readNumberCell: ReadCell = (_, value) =>
  typeof value === "boolean"
    ? Number(value)
    : typeof value === "number" && Number.isFinite(value)
      ? value
      : { expected: "a finite number" };

type Report = (message: string, field?: string) => void;

function checkedRow(
  fields: readonly RowField[],
  names: ReadonlySet<string>,
  row: unknown,
  read: ReadCell,
  report: Report,
): RowCell[] {
  if (Array.isArray(row)) {
    if (row.length === fields.length)
      return fields.map((field, j) => checkedCell(field, row[j] as unknown, read, report));
    report(`must have ${fields.length === 1 ? "1 entry" : `${fields.length} entries`}, got ${row.length}`);
    return [];
  }
  if (typeof row !== "object" || row === null) {
    report(`must be an object or an array, got ${shown(row)}`);
    return [];
  }
  for (const name of Object.keys(row)) if (!names.has(name)) report("is not a field of this model", name);
  return fields.map((field) => {
    // Objects inherit names as "constructor": only their own count.
    const given = Object.hasOwn(row, field.name) ? (row as Record<string, unknown>)[field.name] : undefined;
    return checkedCell(field, given, read, report);
  });
}

function checkedCell(field: RowField, value: unknown, read: ReadCell, report: Report): RowCell {
  const { name, kind, nullable, required } = field;
  if (value === undefined && required) report("is required", name);
  if (value === null && !nullable) report("must not be null", name);
  if (value === undefined || value === null) return null;
  const cell = read(kind, value);
  if (typeof cell !== "object") return cell;
  report(`must be ${cell.expected}, got ${shown(value)}`, name);
  return null;
}

/** A value in a message: short, whatever was passed. */
function shown(value: unknown): string {
  if (Array.isArray(value)) return "an array";
  if (typeof value === "object" && value !== null) return "an object";
  if (typeof value === "number") return String(value);
  const text = JSON.stringify(value) ?? (value === undefined ? "nothing" : show(value));
  return text.length <= 40 ? text : `${text.slice(0, 39)}…`;
}
