import { DataError, show } from "../../core/errors.js";
import type { Column, ColumnValues } from "../table/column.js";
import { BooleanColumn, DateColumn, NumericColumn, readColumn } from "../table/column.js";
import { Table } from "../table/table.js";

/** An Arrow table by its shape, as `apache-arrow` has it. */
export interface ArrowTable {
  readonly numRows: number;
  readonly schema: { readonly fields: readonly ArrowField[] };
  getChild(name: string): ArrowVector | null;
}

export interface ArrowField {
  readonly name: string;
  readonly type: { readonly typeId: number; readonly scale?: number };
}

export interface ArrowVector {
  readonly length: number;
  readonly nullCount: number;
  get(i: number): unknown;
  toArray(): unknown;
}

/** Numbers of the types in Arrow's format, as its libraries have them. */
const NULL = 1;
const INTEGER = 2;
const FLOAT = 3;
const TEXT = 5;
const BOOLEAN = 6;
const DECIMAL = 7;
const DATE = 8;
const TIMESTAMP = 10;
const LONG_TEXT = 20;
const DICTIONARY = -1;

/**
 * The columns of an Arrow table: of `apache-arrow`, or of anything with the same shape (`numRows`, `schema.fields`, `getChild`).
 * Integers, floats and decimals become numbers, dictionaries and strings categories, dates and timestamps dates.
 */
export function tableFromArrow(table: ArrowTable): Table {
  const where = "tableFromArrow";
  const fields = table?.schema?.fields;
  if (!Array.isArray(fields) || typeof table.getChild !== "function" || !Number.isInteger(table.numRows)) {
    const expected = "an Arrow table: { numRows, schema: { fields }, getChild }";
    throw new DataError(where, "the table", expected, show(table));
  }
  const columns = new Map<string, Column>();
  for (const field of fields as readonly ArrowField[]) {
    const vector = table.getChild(field.name);
    if (vector === null || columns.has(field.name)) {
      const received = vector === null ? "none" : "two of that name";
      throw new DataError(where, `the column ${show(field.name)}`, "in the table, once", received);
    }
    columns.set(field.name, readVector(where, field, vector));
  }
  return Table.fromColumns(columns);
}

function readVector(where: string, { name, type }: ArrowField, vector: ArrowVector): Column {
  switch (type.typeId) {
    case NULL:
      return new NumericColumn(new Float64Array(vector.length).fill(Number.NaN));
    case INTEGER:
      return readIntegers(where, name, vector);
    case FLOAT:
      return new NumericColumn(numbersOf(vector, (value) => value as number));
    case DECIMAL:
      return new NumericColumn(numbersOf(vector, (value) => readDecimal(value, type.scale ?? 0)));
    case BOOLEAN:
      return new BooleanColumn(
        Uint8Array.from({ length: vector.length }, (_, i) => BOOLEANS[String(vector.get(i))] ?? 2),
      );
    case DATE:
    case TIMESTAMP:
      // Milliseconds, or a Date in earlier versions.
      return new DateColumn(numbersOf(vector, (value) => Number(value)));
    case TEXT:
    case LONG_TEXT:
    case DICTIONARY:
      return readColumn(where, name, entriesOf(vector) as ColumnValues);
    default:
      throw new DataError({
        where,
        subject: `column ${show(name)}`,
        expected: "numbers, booleans, text, a dictionary, dates or timestamps",
        received: String(type),
        advice: "Leave it out with table.select([…]), or flatten it first.",
      });
  }
}

const BOOLEANS: Readonly<Record<string, number>> = { false: 0, true: 1 };

const entriesOf = (vector: ArrowVector): unknown[] =>
  Array.from({ length: vector.length }, (_, i) => vector.get(i));

function numbersOf(vector: ArrowVector, read: (value: unknown) => number): Float64Array {
  const out = new Float64Array(vector.length);
  for (let i = 0; i < out.length; i++) {
    const value = vector.get(i);
    out[i] = value === null || value === undefined ? Number.NaN : read(value);
  }
  return out;
}

/** 64-bit integers past 2⁵³ (identifiers, as a rule) would lose digits as numbers, so that such a column holds categories. */
function readIntegers(where: string, name: string, vector: ArrowVector): Column {
  const entries = entriesOf(vector);
  const isLong = entries.some((value) => typeof value === "bigint" && !Number.isSafeInteger(Number(value)));
  if (isLong)
    return readColumn(
      where,
      name,
      entries.map((value) => (value === null ? null : String(value))),
    );
  return new NumericColumn(
    Float64Array.from(entries, (value) => (value === null ? Number.NaN : Number(value))),
  );
}

/** A decimal is an integer of 128 or 256 bits, two's complement, lowest words first, over a power of ten. */
function readDecimal(value: unknown, scale: number): number {
  if (typeof value === "number" || typeof value === "bigint") return Number(`${value}e${-scale}`);
  const words = value as Uint32Array;
  let whole = 0n;
  for (let w = words.length - 1; w >= 0; w--) whole = (whole << 32n) | BigInt(words[w]!);
  const digits = BigInt.asIntN(32 * words.length, whole);
  // Through text, so that it is rounded once.
  return Number(`${digits}e${-scale}`);
}
