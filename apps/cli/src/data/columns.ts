import type { Column, InputKind } from "argmax";
import { BooleanColumn, CategoricalColumn, DateColumn, NumericColumn, Table, TextColumn } from "argmax";
import { Failure } from "../command.js";

/** As in parseCsv: text has more than this many distinct entries, and more than half of all entries. */
const MANY = 20;

const show = (text: unknown) => JSON.stringify(text);

export const columnsOf = (table: Table): [string, Column][] =>
  table.columnNames.map((name) => [name, table.column(name)]);

export const tableOf = (columns: readonly (readonly [string, Column])[]): Table =>
  Table.fromColumns(new Map(columns));

/** Text from a dictionary; the library's own rules for the order of the categories. */
const categorical = (values: readonly (string | null)[]): CategoricalColumn =>
  Table.fromColumns({ "": values }, { types: { "": "category" } }).column("");

/**
 * The kind of a column of text by the rule of parseCsv: categories unless more than half of the entries differ; numeric
 * if there is no entry.
 */
export function settled(column: Column): Column {
  if (column.kind !== "text" && column.kind !== "categorical") return column;
  const present = column.length - column.missing;
  if (present === 0) return new NumericColumn(new Float64Array(column.length).fill(Number.NaN));
  const dictionary = column.kind === "categorical" ? column : categorical(column.values);
  const { length } = dictionary.categories;
  if (length <= MANY || 2 * length <= present) return dictionary;
  return column.kind === "text" ? column : new TextColumn(column.toArray());
}

/** A cell as text, as a CSV file would have it. */
function textOf(column: Column, i: number): string | null {
  const cell = column.at(i);
  return cell === null ? null : cell instanceof Date ? isoText(cell) : String(cell);
}

/** A day without a time where there is none. */
export const isoText = (date: Date): string => date.toISOString().replace("T00:00:00.000Z", "");

const texts = (column: Column): (string | null)[] =>
  column.kind === "text" || column.kind === "categorical"
    ? column.toArray()
    : Array.from({ length: column.length }, (_, i) => textOf(column, i));

const missingEverywhere = (column: Column) => column.missing === column.length;

/** The same entries as another kind. Throws a Failure that names the row of an entry that is not of that kind. */
export function asKind(column: Column, kind: InputKind, where: (i: number) => string): Column {
  if (column.kind === kind) return column;
  const { length } = column;
  switch (kind) {
    case "categorical":
      return categorical(texts(column));
    case "text":
      return new TextColumn(texts(column));
    case "numeric":
      if (column.kind === "boolean")
        return new NumericColumn(
          Float64Array.from(column.values, (value) => (value > 1 ? Number.NaN : value)),
        );
      return new NumericColumn(
        convert(column, new Float64Array(length), Number.NaN, where, "a number", readNumber),
      );
    case "boolean":
      return new BooleanColumn(convert(column, new Uint8Array(length), 2, where, "true or false", readFlag));
    case "date":
      return new DateColumn(
        convert(column, new Float64Array(length), Number.NaN, where, "a date such as 2026-05-31", readDate),
      );
  }
}

function convert<A extends Float64Array | Uint8Array>(
  column: Column,
  out: A,
  absent: number,
  where: (i: number) => string,
  expected: string,
  read: (text: string) => number | undefined,
): A {
  for (let i = 0; i < out.length; i++) {
    const text = textOf(column, i);
    const value = text === null ? absent : read(text);
    if (value === undefined) throw new Failure(`${where(i)} must be ${expected}, got ${show(text)}.`);
    out[i] = value;
  }
  return out;
}

const readNumber = (text: string): number | undefined => {
  const value = text.trim() === "" ? Number.NaN : Number(text);
  return Number.isNaN(value) ? undefined : value;
};

const FLAGS: Readonly<Record<string, number>> = { true: 1, false: 0, yes: 1, no: 0, "1": 1, "0": 0 };
const readFlag = (text: string): number | undefined => {
  const word = text.toLowerCase();
  return Object.hasOwn(FLAGS, word) ? FLAGS[word] : undefined;
};

const readDate = (text: string): number | undefined => {
  const value = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(value) ? undefined : value;
};

/** One column of several. Kinds that differ become text; a column without entries takes the kind of the others. */
function concatColumns(columns: readonly Column[]): Column {
  const [first] = columns;
  if (columns.length === 1) return first!;
  const kinds = new Set(columns.filter((column) => !missingEverywhere(column)).map(({ kind }) => kind));
  const kind = kinds.size === 1 ? [...kinds][0]! : kinds.size === 0 ? first!.kind : "text";
  const parts = columns.map((column) => asKind(column, kind, () => "A cell"));
  switch (kind) {
    case "numeric":
      return new NumericColumn(joined(parts as NumericColumn[], Float64Array));
    case "date":
      return new DateColumn(joined(parts as DateColumn[], Float64Array));
    case "boolean":
      return new BooleanColumn(joined(parts as BooleanColumn[], Uint8Array));
    case "categorical":
      return joinedCategories(parts as CategoricalColumn[]);
    case "text":
      return new TextColumn(parts.flatMap((part) => (part as TextColumn).values));
  }
}

function joined<A extends Float64Array | Uint8Array>(
  parts: readonly { readonly values: A }[],
  ArrayType: new (length: number) => A,
): A {
  const out = new ArrayType(parts.reduce((sum, { values }) => sum + values.length, 0));
  let at = 0;
  for (const { values } of parts) {
    out.set(values, at);
    at += values.length;
  }
  return out;
}

function joinedCategories(parts: readonly CategoricalColumn[]): CategoricalColumn {
  const categories = [...new Set(parts.flatMap((part) => part.categories))].sort((a, b) => (a < b ? -1 : 1));
  const places = new Map(categories.map((name, code) => [name, code]));
  const codes = new Int32Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    const place = Int32Array.from(part.categories, (name) => places.get(name)!);
    for (const code of part.codes) codes[at++] = code < 0 ? -1 : place[code]!;
  }
  return new CategoricalColumn(codes, categories);
}

/** One table of several with the same columns, in the order of the first. */
export function concatTables(tables: readonly { readonly label: string; readonly table: Table }[]): Table {
  const [first] = tables;
  if (tables.length === 1) return first!.table;
  const names = first!.table.columnNames;
  for (const { label, table } of tables) {
    const absent = names.find((name) => !table.columnNames.includes(name));
    const extra = table.columnNames.find((name) => !names.includes(name));
    if (absent !== undefined || extra !== undefined)
      throw new Failure(
        `${label} must have the columns of ${first!.label}: ` +
          (absent === undefined ? `${show(extra)} is an additional column.` : `${show(absent)} is missing.`),
      );
  }
  return tableOf(
    names.map((name) => [name, concatColumns(tables.map(({ table }) => table.column(name)))] as const),
  );
}

/** Throws if a number is infinite: 1e999 in a file is more than a number can hold. */
export function requireFinite(table: Table, where: (name: string, i: number) => string): void {
  for (const [name, column] of columnsOf(table)) {
    if (column.kind !== "numeric" || column.infinite === 0) continue;
    const i = column.values.findIndex((value) => Math.abs(value) === Number.POSITIVE_INFINITY);
    throw new Failure(
      `${where(name, i)} must be a finite number, got ${column.values[i]}. ` +
        `Correct the cell, leave it empty, or read the column as text: --text ${show(name)}.`,
    );
  }
}
