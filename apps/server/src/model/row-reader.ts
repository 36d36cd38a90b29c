import { Matrix, type Samples, type Table } from "argmax";
import { type Cell, millisecondsOf, tableOfCells } from "./cells.js";
import type { Field, InputSchema } from "./input-schema.js";

/** What is wrong with an entry of a request, for the client to mend. */
export interface FieldProblem {
  readonly row: number;
  /** Absent where the row as a whole is wrong. */
  readonly field?: string;
  readonly message: string;
}

/** Rows that do not fit the model's schema. */
export class InvalidRows extends Error {
  override readonly name = "InvalidRows";
  constructor(readonly problems: readonly FieldProblem[]) {
    super("The rows do not fit the model's input schema.");
  }
}

/** Reads rows of JSON (objects by name of the field, or arrays in the order of the fields) as X of a model. */
export interface RowReader {
  read(rows: readonly unknown[]): Samples;
}

/** Problems that an answer lists; a client that sends a million bad rows needs the first ones only. */
const MOST_PROBLEMS = 100;

export function rowReader(schema: InputSchema): RowReader {
  switch (schema.form) {
    case "matrix":
      return { read: (rows) => readNumbers(schema.fields, rows) };
    case "table":
      return { read: (rows) => readCells(schema.fields, rows) };
    case "text":
      return { read: (rows) => readDocuments(schema.fields[0]!, rows) };
  }
}

/** The common case has no second look: every row an object or array of as many finite numbers as there are fields. */
function readNumbers(fields: readonly Field[], rows: readonly unknown[]): Matrix {
  const [n, d] = [rows.length, fields.length];
  const data = new Float64Array(n * d);
  for (let i = 0; i < n; i++) {
    if (!rowOfNumbersInto(fields, rows[i], i * d, data)) return carefulNumbers(fields, rows);
  }
  return new Matrix(data, n, d);
}

/** Writes a row of finite numbers and nothing else; false if it is anything else. */
function rowOfNumbersInto(fields: readonly Field[], row: unknown, at: number, out: Float64Array): boolean {
  const d = fields.length;
  if (Array.isArray(row)) {
    if (row.length !== d) return false;
    for (let j = 0; j < d; j++) {
      const value: unknown = row[j];
      if (typeof value !== "number" || !Number.isFinite(value)) return false;
      out[at + j] = value;
    }
    return true;
  }
  if (typeof row !== "object" || row === null) return false;
  for (let j = 0; j < d; j++) {
    // Inherited properties of objects are functions or objects, never numbers.
    const value = (row as Record<string, unknown>)[fields[j]!.name];
    if (typeof value !== "number" || !Number.isFinite(value)) return false;
    out[at + j] = value;
  }
  let keys = 0;
  for (const _ in row) keys++;
  return keys === d;
}

/** Gaps are NaN here; anything else is reported. */
function carefulNumbers(fields: readonly Field[], rows: readonly unknown[]): Matrix {
  const cells = checkedCells(fields, rows);
  const data = new Float64Array(rows.length * fields.length);
  let at = 0;
  for (const row of cells) for (const cell of row) data[at++] = cell === null ? Number.NaN : (cell as number);
  return new Matrix(data, rows.length, fields.length);
}

const readCells = (fields: readonly Field[], rows: readonly unknown[]): Table =>
  tableOfCells(fields, checkedCells(fields, rows));

/** Documents: texts, or rows of one text. */
function readDocuments(field: Field, rows: readonly unknown[]): string[] {
  const texts = rows.map((row) => (typeof row === "string" ? [row] : row));
  return checkedCells([field], texts).map(([text]) => text as string);
}

/** Rows of cells in the order of the fields. Throws InvalidRows with every problem found. */
function checkedCells(fields: readonly Field[], rows: readonly unknown[]): Cell[][] {
  const problems: FieldProblem[] = [];
  const names = new Set(fields.map(({ name }) => name));
  const cells: Cell[][] = [];
  for (let row = 0; row < rows.length && problems.length < MOST_PROBLEMS; row++) {
    const report = (message: string, field?: string) =>
      void problems.push(field === undefined ? { row, message } : { row, field, message });
    cells.push(checkedRow(fields, names, rows[row], report));
  }
  if (problems.length > 0) throw new InvalidRows(problems.slice(0, MOST_PROBLEMS));
  return cells;
}

type Report = (message: string, field?: string) => void;

function checkedRow(
  fields: readonly Field[],
  names: ReadonlySet<string>,
  row: unknown,
  report: Report,
): Cell[] {
  if (Array.isArray(row)) {
    if (row.length === fields.length)
      return fields.map((field, j) => checkedCell(field, row[j] as unknown, report));
    report(`must have ${entries(fields.length)}, got ${row.length}`);
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
    return checkedCell(field, given, report);
  });
}

const entries = (count: number) => (count === 1 ? "1 entry" : `${count} entries`);

function checkedCell(field: Field, value: unknown, report: Report): Cell {
  const { name, kind, nullable, required } = field;
  if (value === undefined || value === null) {
    if (value === undefined && required) report("is required", name);
    if (value === null && !nullable) report("must not be null", name);
    return null;
  }
  if (fits(kind, value)) return value as Cell;
  report(`must be ${expectations[kind]}, got ${shown(value)}`, name);
  return null;
}

const expectations: Readonly<Record<Field["kind"], string>> = {
  numeric: "a finite number",
  categorical: "text",
  text: "text",
  boolean: "true or false",
  date: "a date as ISO 8601 text or milliseconds since 1970",
  any: "a finite number, text, true or false",
};

function fits(kind: Field["kind"], value: unknown): boolean {
  switch (kind) {
    case "numeric":
      return Number.isFinite(value);
    case "boolean":
      return typeof value === "boolean";
    case "date":
      return !Number.isNaN(new Date(millisecondsOf(value as Cell)).getTime());
    case "any":
      return typeof value === "string" || typeof value === "boolean" || Number.isFinite(value);
    default:
      return typeof value === "string";
  }
}

/** A value in a message: short, whatever was sent. */
function shown(value: unknown): string {
  if (Array.isArray(value)) return "an array";
  if (typeof value === "object" && value !== null) return "an object";
  if (typeof value === "number") return String(value);
  const text = JSON.stringify(value) ?? "nothing";
  return text.length <= 40 ? text : `${text.slice(0, 39)}…`;
}
