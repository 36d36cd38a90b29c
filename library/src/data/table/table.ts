import type { MatrixSource } from "../../core/contract.js";
import { DataError, ShapeError, show } from "../../core/errors.js";
import { checkList } from "../../core/labels.js";
import { isArrayLike } from "../../core/numbers/typed-arrays.js";
import { Printed } from "../../core/text/printing.js";
import { Matrix } from "../matrix.js";
import {
  type BooleanColumn,
  type CategoricalColumn,
  type Cell,
  type Column,
  type ColumnValues,
  type DateColumn,
  type NumericColumn,
  readColumn,
  type TextColumn,
} from "./column.js";
import { factsOf, withFacts } from "./column-facts.js";
import { notesOf, withNotes } from "./column-notes.js";
import type { DataWarning } from "./data-warning.js";
import { printTable } from "./table-printing.js";
import { type CellOfType, ColumnReader, type ColumnTypes, type TableOptions } from "./typed-column.js";

declare const freeText: unique symbol;
/** The type of a cell of free text in a schema, whose column is a TextColumn; the cell itself is a string. */
export type FreeText = string & { readonly [freeText]: true };

/** What each column of a table holds. */
export type Schema = Readonly<Record<string, Cell>>;

/** The column class for cells of type V. */
export type TypedColumn<V> = [V] extends [number]
  ? NumericColumn
  : [V] extends [boolean]
    ? BooleanColumn
    : [V] extends [Date]
      ? DateColumn
      : [V] extends [FreeText]
        ? TextColumn
        : [V] extends [string]
          ? CategoricalColumn<V>
          : Column;

type CellOf<C> = C extends NumericColumn
  ? number
  : C extends BooleanColumn
    ? boolean
    : C extends CategoricalColumn<infer V>
      ? V
      : C extends DateColumn
        ? Date
        : C extends TextColumn
          ? FreeText
          : C extends ArrayLike<infer V>
            ? Extract<V, Cell>
            : never;

/** Strings that the compiler sees to be numbers are read as these by `fromRows`. */
type ReadCell<V> = [V] extends [`${number}`] ? number : V;
/** A schema in which some columns hold what the option `types` says. */
type Typed<S, T extends ColumnTypes> = Omit<S, keyof T> & { readonly [K in keyof T]: CellOfType[T[K]] };
type SchemaOf<C> = { readonly [K in keyof C]: CellOf<C[K]> };
type SchemaOfRow<R> = { readonly [K in keyof R]-?: ReadCell<Extract<R[K], Cell>> };
/** `keyof S & string`, written so that the compiler compares tables member by member: by variance of S none would fit another. */
type ColumnName<S> = keyof { [K in keyof S as K & string]: unknown } & string;
/** A column for `with`: its values, or a function that makes the cell of a row. */
type NewColumn<S extends Schema> =
  | ColumnValues
  | Column
  | ((row: Row<S>, i: number) => Cell | null | undefined);
type SchemaOfNew<C> = {
  readonly [K in keyof C]: C[K] extends (...args: never) => infer V ? Extract<V, Cell> : CellOf<C[K]>;
};
type Renamed<S, N> = {
  readonly [K in keyof S as K extends keyof N ? (N[K] extends string ? N[K] : K) : K]: S[K];
};
/** One row as an object; null where the entry is missing. */
export type Row<S extends Schema> = {
  -readonly [K in keyof S]: (S[K] extends FreeText ? string : S[K]) | null;
};

/**
 * Columns of different types: numbers, categories (text from a dictionary), booleans, dates and free text, with missing entries
 * explicit. Estimators take a table whose columns are all numeric or boolean as X; trees, forests and histogram boosting take text
 * too.
 *
 * A table of certain columns is assignable to one of any, `Table`. Methods that take names, of which the first has fewer, have an
 * overload for that which nobody can call.
 */
export class Table<S extends Schema = Schema> extends Printed implements MatrixSource {
  readonly rows: number;
  readonly columnNames: readonly ColumnName<S>[];
  readonly #columns: ReadonlyMap<string, Column>;

  private constructor(columns: ReadonlyMap<string, Column>, rows: number) {
    super();
    // Only the compiler keeps the constructor private.
    if (!(columns instanceof Map) || typeof rows !== "number") refuseConstructor(columns);
    this.#columns = columns;
    this.rows = rows;
    this.columnNames = Object.freeze([...columns.keys()]) as typeof this.columnNames;
    Object.freeze(this);
  }

  /** Names, kinds, the first and last rows, and the size. */
  toString(): string {
    return printTable(this.#columns, this.rows);
  }

  /**
   * `Table.fromColumns({ age: [31, 45, null], city: ["Oslo", "Rome", "Oslo"] })`. Strings are categories; where they are numbers or dates,
   * `warnings` says so, and `{ types: { price: "number" } }` reads them as these.
   */
  static fromColumns(columns: ReadonlyMap<string, ColumnValues | Column>): Table;
  static fromColumns<const C extends Readonly<Record<string, ColumnValues | Column>>>(
    columns: C,
  ): Table<SchemaOf<C>>;
  static fromColumns<
    const C extends Readonly<Record<string, ColumnValues | Column>>,
    const T extends ColumnTypes,
  >(columns: C, options: TableOptions<T>): Table<Typed<SchemaOf<C>, T>>;
  static fromColumns(
    columns: Readonly<Record<string, ColumnValues | Column>> | ReadonlyMap<string, ColumnValues | Column>,
    options: TableOptions = {},
  ): Table {
    const where = "Table.fromColumns";
    const reader = new ColumnReader(where, options, false);
    if (columns === null || typeof columns !== "object" || isArrayLike(columns)) {
      throw new DataError(where, "the columns", "an object of columns by name, or a Map", show(columns));
    }
    const read = new Map<string, Column>();
    let rows: number | undefined;
    // An object has names that look like integers first; a Map keeps the order.
    const entries: [string, ColumnValues | Column][] =
      columns instanceof Map ? [...columns] : Object.entries(columns);
    for (const [name, values] of entries) {
      const column = reader.read(name, values);
      rows ??= column.length;
      if (column.length !== rows) {
        const expected = `as long as ${show(entries[0]![0])} (${rows})`;
        throw new ShapeError(where, `column ${show(name)}`, expected, `${column.length} entries`);
      }
      read.set(name, column);
    }
    reader.requireNames(read);
    return new Table(read, rows ?? 0);
  }

  /**
   * One object per row. The columns are all keys, in the order they are first seen; an absent key is a missing entry.
   *
   * Strings that all are numbers in one format ("12.34" of SQL, "1,234", "1.234,56", "$12", "12 %") are read as numbers, and those that
   * all are dates ("2026-05-31", "5/31/2026", "31.5.2026") as dates; `warnings` says which. Codes with zeros in front stay categories.
   * `{ types: { code: "category" } }` says what a column holds instead.
   */
  static fromRows<const R extends object>(rows: readonly R[]): Table<SchemaOfRow<R>>;
  static fromRows<const R extends object, const T extends ColumnTypes>(
    rows: readonly R[],
    options: TableOptions<T>,
  ): Table<Typed<SchemaOfRow<R>, T>>;
  static fromRows(rows: readonly object[], options: TableOptions = {}): Table {
    const where = "Table.fromRows";
    const reader = new ColumnReader(where, options, true);
    checkList(where, "rows", rows);
    const cells = new Map<string, unknown[]>();
    for (const [i, row] of rows.entries()) {
      if (row === null || typeof row !== "object" || Array.isArray(row)) {
        throw new DataError(where, `row ${i}`, "an object of cells", show(row));
      }
      for (const [name, value] of Object.entries(row)) {
        let list = cells.get(name);
        if (list === undefined) {
          list = new Array(rows.length).fill(null);
          cells.set(name, list);
        }
        list[i] = value;
      }
    }
    const columns = new Map<string, Column>();
    for (const [name, list] of cells) columns.set(name, reader.read(name, list as ColumnValues));
    reader.requireNames(columns);
    return new Table(columns, rows.length);
  }

  get cols(): number {
    return this.columnNames.length;
  }

  /** Missing entries in the whole table. */
  get missing(): number {
    let missing = 0;
    for (const column of this.#columns.values()) missing += column.missing;
    return missing;
  }

  /** What should be known of how columns were read: text as numbers or dates, or text that could be these. */
  get warnings(): readonly DataWarning[] {
    return [...this.#columns].flatMap(([name, column]) =>
      notesOf(column).map(({ code, text }) => ({ code, column: name, message: `${show(name)} ${text}` })),
    );
  }

  column(name: never): never;
  column<K extends keyof S & string>(name: K): TypedColumn<S[K]>;
  column<K extends keyof S & string>(name: K): TypedColumn<S[K]> {
    return this.#get("Table.column", name) as TypedColumn<S[K]>;
  }

  /** Row i as an object. */
  row(i: number): Row<S> {
    this.#checkRow("Table.row", "the row", i);
    const entries = [...this.#columns].map(([name, column]) => [name, column.at(i)]);
    return Object.fromEntries(entries) as Row<S>;
  }

  toRows(): Row<S>[] {
    return Array.from({ length: this.rows }, (_, i) => this.row(i));
  }

  /** The named columns, in the order named. */
  select(names: never): never;
  select<const K extends keyof S & string>(names: readonly K[]): Table<Pick<S, K>>;
  select<const K extends keyof S & string>(names: readonly K[]): Table<Pick<S, K>> {
    const columns = new Map<string, Column>();
    checkList("Table.select", "names", names);
    for (const name of names) columns.set(name, this.#get("Table.select", name));
    return new Table(columns, this.rows);
  }

  /** All columns but the named ones. */
  drop(names: never): never;
  drop<const K extends keyof S & string>(names: readonly K[]): Table<Omit<S, K>>;
  drop<const K extends keyof S & string>(names: readonly K[]): Table<Omit<S, K>> {
    const columns = new Map(this.#columns);
    checkList("Table.drop", "names", names);
    for (const name of names) {
      this.#get("Table.drop", name);
      columns.delete(name);
    }
    return new Table(columns, this.rows);
  }

  /** The rows for which the predicate holds. */
  filter(keep: (row: Row<S>, i: number) => boolean): Table<S> {
    requireFunction("Table.filter", "the predicate", keep);
    const chosen: number[] = [];
    for (let i = 0; i < this.rows; i++) if (keep(this.row(i), i)) chosen.push(i);
    return this.#pick(chosen);
  }

  /** A table of what the function makes of each row. */
  map<const R extends object>(change: (row: Row<S>, i: number) => R): Table<SchemaOfRow<R>> {
    requireFunction("Table.map", "the function", change);
    return Table.fromRows(Array.from({ length: this.rows }, (_, i) => change(this.row(i), i)));
  }

  /** The first rows. */
  head(count = 5): Table<S> {
    return this.#slice("Table.head", count, 0);
  }

  /** The last rows. */
  tail(count = 5): Table<S> {
    return this.#slice("Table.tail", count, Math.max(0, this.rows - count));
  }

  #slice(where: string, count: number, from: number): Table<S> {
    requireThat(where, "count", Number.isInteger(count) && count >= 0, "an integer ≥ 0", count);
    return this.#pick(Array.from({ length: Math.min(count, this.rows) }, (_, r) => from + r));
  }

  /** The same table with a column more, or with another in its place: `table.with({ size: (row) => row.sibsp + row.parch + 1 })`. */
  with<const C extends Readonly<Record<string, NewColumn<S>>>>(
    columns: C,
  ): Table<Omit<S, keyof C> & SchemaOfNew<C>> {
    const where = "Table.with";
    requireObject(where, "the columns", columns);
    const made = Object.entries(columns).map(([name, given]): [string, Column] => {
      const values =
        typeof given === "function"
          ? Array.from({ length: this.rows }, (_, i) => given(this.row(i), i))
          : given;
      const column = readColumn(where, name, values as ColumnValues);
      if (column.length === this.rows) return [name, column];
      const expected = `as long as the table (${this.rows})`;
      throw new ShapeError(where, `column ${show(name)}`, expected, `${column.length} entries`);
    });
    return new Table(new Map([...this.#columns, ...made]), this.rows);
  }

  /** The same columns under other names: `table.rename({ Pclass: "class" })`. */
  rename<const N extends { readonly [K in keyof S & string]?: string }>(names: N): Table<Renamed<S, N>> {
    const where = "Table.rename";
    requireObject(where, "the names", names);
    for (const name of Object.keys(names)) this.#get(where, name);
    const renamed = new Map<string, Column>();
    for (const [name, column] of this.#columns) {
      const own = Object.hasOwn(names, name) ? (names[name] as string) : name;
      requireThat(
        where,
        `the new name of ${show(name)}`,
        !renamed.has(own),
        "one that no other column has",
        own,
      );
      renamed.set(own, column);
    }
    return new Table(renamed, this.rows);
  }

  /**
   * The given rows in the given order, copied. They are taken for a part of this table, as a fold is: what a column holds (categories,
   * numbers of rows, free text) is decided from all rows of this table, so that `tableVectorizer` treats every part alike. `filter`,
   * `head`, `tail` and `dropMissing` make tables of their own.
   */
  selectRows(chosen: ArrayLike<number>): Table<S> {
    checkList("Table.selectRows", "indices", chosen);
    for (let r = 0; r < chosen.length; r++) this.#checkRow("Table.selectRows", `indices[${r}]`, chosen[r]!);
    return this.#pick(chosen, true);
  }

  #pick(chosen: ArrayLike<number>, isPart = false): Table<S> {
    const columns = new Map<string, Column>();
    for (const [name, column] of this.#columns) {
      const own = withNotes(column.selectRows(chosen), column);
      columns.set(name, isPart ? withFacts(own, factsOf(column)) : own);
    }
    return new Table(columns, chosen.length);
  }

  /** The rows that have an entry in each of the named columns (in every column, if none is named). */
  dropMissing(names: readonly (keyof S & string)[] = this.columnNames): Table<S> {
    checkList("Table.dropMissing", "names", names);
    const columns = names.map((name) => this.#get("Table.dropMissing", name));
    const complete: number[] = [];
    for (let i = 0; i < this.rows; i++)
      if (columns.every((column) => column.at(i) !== null)) complete.push(i);
    return this.#pick(complete);
  }

  /** Numeric columns as they are, booleans as 0 and 1; a missing entry becomes NaN. */
  toMatrix(): Matrix {
    const columns = [...this.#columns].map(([name, column]) => numbersOf(name, column));
    const out = Matrix.zeros(this.rows, columns.length);
    const { data, cols } = out;
    for (let from = 0; from < this.rows; from += BLOCK_ROWS) {
      const to = Math.min(this.rows, from + BLOCK_ROWS);
      let j = 0;
      for (; j + 1 < cols; j += 2) {
        const [first, second] = [columns[j]!, columns[j + 1]!];
        for (let i = from, e = from * cols + j; i < to; i++, e += cols) {
          data[e] = first[i]!;
          data[e + 1] = second[i]!;
        }
      }
      for (let i = from, e = from * cols + j; j < cols && i < to; i++, e += cols) data[e] = columns[j]![i]!;
    }
    return out;
  }

  #get(where: string, name: string): Column {
    const column = this.#columns.get(name);
    if (column !== undefined) return column;
    throw new DataError(where, "the name", `one of the columns (${this.columnNames.join(", ")})`, show(name));
  }

  #checkRow(where: string, subject: string, i: number): void {
    if (Number.isInteger(i) && i >= 0 && i < this.rows) return;
    throw new ShapeError(where, subject, `a row from 0 to ${this.rows - 1}`, show(i));
  }
}

/** Rows that `toMatrix` fills column by column: their cells stay in the first cache. */
const BLOCK_ROWS = 128;

function numbersOf(name: string, column: Column): Float64Array {
  switch (column.kind) {
    case "numeric":
      return column.values;
    case "boolean":
      return Float64Array.from(column.values, (value) => (value > 1 ? Number.NaN : value));
    default:
      throw new DataError({
        where: "Table.toMatrix",
        subject: `column ${show(name)}`,
        expected: "numeric or boolean",
        received: whatIsIn(column),
        advice: `Encode it as numbers, or leave it out: table.drop([${show(name)}]).`,
      });
  }
}

function whatIsIn(column: Exclude<Column, NumericColumn | BooleanColumn>): string {
  if (column.kind === "date") return "dates";
  if (column.kind === "text") return "free text";
  const { categories } = column;
  return `text (${categories.slice(0, 3).map(show).join(", ")}${categories.length > 3 ? ", …" : ""})`;
}

function refuseConstructor(given: unknown): never {
  const expected = "made by Table.fromColumns or Table.fromRows";
  const advice = "Pass the same to Table.fromColumns.";
  throw new DataError("Table", "a table", expected, `new Table(${show(given)})`, advice);
}

function requireThat(where: string, subject: string, fine: boolean, expected: string, given: unknown): void {
  if (!fine) throw new DataError(where, subject, expected, show(given));
}

const requireObject = (where: string, subject: string, given: unknown): void =>
  requireThat(
    where,
    subject,
    typeof given === "object" && given !== null && !isArrayLike(given),
    "an object by the name of the column",
    given,
  );

const requireFunction = (where: string, subject: string, given: unknown): void =>
  requireThat(where, subject, typeof given === "function", "a function of a row", given);
