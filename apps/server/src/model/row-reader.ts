import type { RowProblem, Samples, Table, TextColumn } from "argmax";
import { Matrix, RowsError, tableOfRows } from "argmax";
import type { Field, InputSchema } from "./input-schema.js";

/** What is wrong with an entry of a request, for the client to correct. */
export type FieldProblem = RowProblem;

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
const carefulNumbers = (fields: readonly Field[], rows: readonly unknown[]): Matrix =>
  readCells(fields, rows).toMatrix() as Matrix;

/** Throws InvalidRows with every problem found. */
function readCells(fields: readonly Field[], rows: readonly unknown[]): Table {
  try {
    return tableOfRows("rows", fields, rows);
  } catch (error) {
    throw error instanceof RowsError ? new InvalidRows(error.problems) : error;
  }
}

/** Documents: texts, or rows of one text. */
function readDocuments(field: Field, rows: readonly unknown[]): string[] {
  const texts = rows.map((row) => (typeof row === "string" ? [row] : row));
  return (readCells([field], texts).column(field.name) as TextColumn).toArray() as string[];
}
