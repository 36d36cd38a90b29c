import type { MatrixLike } from "../../core/contract.js";
import { DataError, ParameterError, show } from "../../core/errors.js";
import { isArrayLike } from "../../core/numbers/typed-arrays.js";
import { invalid, type ParamSpec } from "../../core/params/params.js";
import type { Json, StateReader } from "../../core/state/state.js";
import { type AnyTable, isTable, listNames, requireColumns } from "../feature-names-in.js";
import { Matrix } from "../matrix.js";
import { type Column, readColumn } from "./column.js";
import { textOf } from "./column-notes.js";
import { isRowObjects, rowFields } from "./row-cells.js";
import { tableOfRows } from "./row-objects.js";

/** A column of a table, as a model remembers it. */
export interface KnownColumn {
  readonly name: string;
  readonly kind: ReadableKind;
  /** Of text: what was there in fit, by code unit; its place is its code. Empty for others. */
  readonly categories: readonly string[];
}

/** Kinds of columns that models read. */
type ReadableKind = Exclude<Column["kind"], "date" | "text">;
const KINDS = { numeric: "numbers", categorical: "text", boolean: "booleans" } as const;
const ALL_KINDS = { ...KINDS, date: "dates", text: "free text" } as const;

/**
 * How the columns of a table become columns of numbers: numbers as they are, false and true as 0 and 1, text as the place of its
 * category among those of fit. What is missing is NaN, and so is a category that fit has not seen.
 */
export class TableColumns {
  readonly #places: (ReadonlyMap<string, number> | undefined)[] = [];

  constructor(readonly columns: readonly KnownColumn[]) {}

  /** The columns of a table with all their categories, also those that no row has. */
  static of(where: string, table: AnyTable): TableColumns {
    const known = table.columnNames.map((name): KnownColumn => {
      const column = readableColumn(where, name, table.column(name));
      const categories = column.kind === "categorical" ? sorted(column.categories) : [];
      return { name, kind: column.kind, categories };
    });
    return new TableColumns(known);
  }

  get names(): readonly string[] {
    return this.columns.map(({ name }) => name);
  }

  /** Numbers of the columns of text. */
  get text(): readonly number[] {
    return [...this.columns.keys()].filter((j) => this.columns[j]!.kind === "categorical");
  }

  /** The categories with these codes; undefined in a column of numbers, whose categories are the numbers themselves. */
  named(j: number, codes: ArrayLike<number>): string[] | undefined {
    const names = this.#categoryNames(j);
    return names && Array.from(codes, (code) => names[code]!);
  }

  /** Whether `named` has a name for each of these codes, or needs none. */
  knows(j: number, codes: ArrayLike<number>): boolean {
    const names = this.#categoryNames(j);
    return !names || Array.prototype.every.call(codes, (code) => names[code] !== undefined);
  }

  #categoryNames(j: number): readonly string[] | undefined {
    const { kind, categories } = this.columns[j]!;
    return kind === "numeric" ? undefined : kind === "boolean" ? ["false", "true"] : categories;
  }

  /** What a model that knows these columns reads: a table's columns by name, or rows of numbers if there is no text. */
  read(where: string, x: MatrixLike): MatrixLike {
    if (isTable(x)) return this.matrix(where, x);
    if (isRowObjects(x)) {
      const fields = rowFields(this.names, (j) => this.columns[j]!.kind);
      return this.matrix(where, tableOfRows(where, fields, x));
    }
    const j = this.text[0];
    if (j === undefined) return x;
    const expected = `a table with the columns of fit, where ${show(this.columns[j]!.name)} was text`;
    throw new DataError(where, "X", expected, show(x));
  }

  /** The table's columns of these names, in this order. */
  matrix(where: string, table: AnyTable): Matrix {
    const out = Matrix.zeros(table.rows, this.columns.length);
    if (table.rows === 0) return out;
    requireColumns(where, table.columnNames, this.names);
    const columns = this.columns.map((_, j) => this.#numbers(where, table, j));
    for (let i = 0, e = 0; i < table.rows; i++) for (const column of columns) out.data[e++] = column[i]!;
    return out;
  }

  /** The same columns with the categories that these rows have, and no others; and the rows with their codes. */
  seenIn(x: Matrix): { readonly columns: TableColumns; readonly x: Matrix } {
    let data: Float64Array | undefined;
    const columns = this.columns.map((known, j): KnownColumn => {
      if (known.kind !== "categorical") return known;
      const places = new Float64Array(known.categories.length).fill(Number.NaN);
      for (let e = j; e < x.data.length; e += x.cols) if (!Number.isNaN(x.data[e]!)) places[x.data[e]!] = 0;
      const categories = known.categories.filter((_, code) => places[code] === 0);
      if (categories.length === known.categories.length) return known;
      let seen = 0;
      for (let code = 0; code < places.length; code++) if (places[code] === 0) places[code] = seen++;
      data ??= x.data.slice();
      for (let e = j; e < data.length; e += x.cols) data[e] = places[data[e]!] ?? Number.NaN;
      return { ...known, categories: Object.freeze(categories) };
    });
    if (data === undefined) return { columns: this, x };
    return { columns: new TableColumns(columns), x: new Matrix(data, x.rows, x.cols) };
  }

  toJson(): Json {
    return this.columns.map(({ name, kind, categories }) =>
      kind === "categorical" ? { name, kind, categories: [...categories] } : { name, kind },
    );
  }

  #numbers(where: string, table: AnyTable, j: number): ArrayLike<number> {
    const { name, kind } = this.columns[j]!;
    const given: Column = table.column(name);
    const column = kind === "categorical" ? writtenText(where, name, given) : given;
    // A column without any value has no type either.
    if (column.missing === column.length) return new Float64Array(column.length).fill(Number.NaN);
    if (column.kind !== kind || !isReadable(column)) {
      throw new DataError(where, `column ${show(name)}`, `${KINDS[kind]}, as in fit`, ALL_KINDS[column.kind]);
    }
    if (column.kind === "numeric") return column.values;
    if (column.kind === "boolean") return looked(column.values, [0, 1]);
    const places = this.#placesOf(j);
    return looked(
      column.codes,
      column.categories.map((category) => places.get(category) ?? Number.NaN),
    );
  }

  #placesOf(j: number): ReadonlyMap<string, number> {
    let places = this.#places[j];
    if (places === undefined) {
      places = new Map(this.columns[j]!.categories.map((category, code) => [category, code]));
      this.#places[j] = places;
    }
    return places;
  }
}

/** The categories that numbers or dates of a table were written as, where the column was text in fit. */
export function writtenText(where: string, name: string, column: Column): Column {
  const text = textOf(column);
  return text === undefined ? column : text.kind === "text" ? readColumn(where, name, text.values) : text;
}

export type ReadableColumn = Exclude<Column, { readonly kind: "date" | "text" }>;

const isReadable = (column: Column): column is ReadableColumn =>
  column.kind !== "date" && column.kind !== "text";

/** A column that can be numbers or categories; dates and free text are an error that says what to do. */
export function readableColumn(where: string, name: string, column: Column): ReadableColumn {
  if (isReadable(column)) return column;
  const expected = "numbers, booleans or categories";
  const advice = `Turn it into numbers first, or leave it out: table.drop([${show(name)}]).`;
  throw new DataError(where, `column ${show(name)}`, expected, ALL_KINDS[column.kind], advice);
}

/** What stands in `list` at each place; NaN at places that it does not have. A plain loop: it is much faster than `from`. */
function looked(places: Int32Array | Uint8Array, list: readonly number[]): Float64Array {
  const out = new Float64Array(places.length).fill(Number.NaN);
  for (let i = 0; i < places.length; i++) {
    const place = places[i]!;
    if (place >= 0 && place < list.length) out[i] = list[place]!;
  }
  return out;
}

/** Distinct and by code unit, as a column should have them: equal columns have equal codes whoever made them. */
function sorted(categories: readonly string[]): readonly string[] {
  const inOrder = categories.every((category, code) => code === 0 || categories[code - 1]! < category);
  return inOrder ? categories : [...new Set(categories)].sort((a, b) => (a < b ? -1 : 1));
}

/** X in fit: a table as numbers and what they stand for, anything else as it is. */
export interface OpenedX {
  readonly x: MatrixLike;
  /** With all categories of the table; `seenIn` has those of the rows that are learned from. */
  readonly columns: TableColumns | undefined;
}

export function openTable(where: string, x: MatrixLike): OpenedX {
  if (!isTable(x)) return { x, columns: undefined };
  const columns = TableColumns.of(where, x);
  return { x: columns.matrix(where, x), columns };
}

/** Columns that hold categories, for estimators that can split on them. */
export const categoricalFeatures: ParamSpec<readonly (number | string)[]> = {
  kind: "union",
  default: Object.freeze([]),
  doc: "Columns of unordered categories, by number, or by name in a table. Text columns of a table always are.",
  expected: "an array of column numbers or names, each once",
  read: (value) => {
    if (!isArrayLike(value)) return invalid;
    const list = Array.from(value);
    const fine = list.every((j) => typeof j === "string" || (Number.isSafeInteger(j) && (j as number) >= 0));
    return fine && new Set(list).size === list.length ? Object.freeze(list as (number | string)[]) : invalid;
  },
};

/** Numbers of the columns that hold categories: those that were named, and all text. */
export function categoricalColumns(
  where: string,
  given: readonly (number | string)[],
  cols: number,
  columns: TableColumns | undefined,
): number[] {
  const chosen = new Set(columns?.text);
  for (const [e, key] of given.entries())
    chosen.add(columnNumber(where, `categoricalFeatures[${e}]`, key, cols, columns));
  return [...chosen].sort((a, b) => a - b);
}

/** The number of a column that a parameter (`subject`) gives by number, or by name in a table. */
export function columnNumber(
  where: string,
  subject: string,
  key: number | string,
  cols: number,
  columns: TableColumns | undefined,
): number {
  const j = typeof key === "number" ? key : columns ? columns.names.indexOf(key) : -1;
  if (j >= 0 && j < cols) return j;
  const byName = columns ? `, or one of the names ${listNames(columns.names)}` : "";
  const expected = `the number of a column (0 to ${cols - 1})${byName}`;
  const advice = typeof key === "string" && !columns ? "Only the columns of a Table have names." : undefined;
  throw new ParameterError(where, subject, expected, show(key), advice);
}

/** What a saved model stores of the columns of its table; undefined if X was not a table. */
export function readTableColumns(reader: StateReader, cols: number): TableColumns | undefined {
  if (!Object.hasOwn(reader.state.values, "columns")) return undefined;
  const isList = (value: unknown): value is readonly SavedColumn[] =>
    Array.isArray(value) && value.length === cols && value.every(isSavedColumn);
  const list = reader.value("columns", `a name and a kind for each of ${cols} columns`, isList);
  const known = list.map((column): KnownColumn => ({ categories: [], ...column }));
  if (new Set(known.map(({ name }) => name)).size < cols)
    reader.fail("columns", "of distinct names", "a name twice");
  return new TableColumns(known);
}

type SavedColumn = Omit<KnownColumn, "categories"> & Partial<Pick<KnownColumn, "categories">>;

function isSavedColumn(value: unknown): boolean {
  if (value === null || typeof value !== "object") return false;
  const { name, kind, categories } = value as Partial<Record<keyof KnownColumn, unknown>>;
  if (typeof name !== "string" || typeof kind !== "string" || !Object.hasOwn(KINDS, kind)) return false;
  if (kind !== "categorical") return categories === undefined;
  const isText = Array.isArray(categories) && categories.every((category) => typeof category === "string");
  return isText && new Set(categories).size === categories.length;
}
