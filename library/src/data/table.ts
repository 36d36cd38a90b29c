import type { MatrixSource } from "../core/contract.js";
import { DataError, ShapeError, show } from "../core/errors.js";
import { checkList } from "../core/labels.js";
import { grid, numberCells, Printed, shownPlaces } from "../core/printing.js";
import { isArrayLike } from "../core/typed-arrays.js";
import {
  type BooleanColumn,
  type CategoricalColumn,
  type Cell,
  type Column,
  type ColumnValues,
  type NumericColumn,
  readColumn,
} from "./column.js";
import { Matrix } from "./matrix.js";

/** What each column of a table holds. */
export type Schema = Readonly<Record<string, Cell>>;

/** The column class for cells of type V. */
export type TypedColumn<V> = [V] extends [number]
  ? NumericColumn
  : [V] extends [boolean]
    ? BooleanColumn
    : [V] extends [string]
      ? CategoricalColumn<V>
      : Column;

type CellOf<C> = C extends NumericColumn
  ? number
  : C extends BooleanColumn
    ? boolean
    : C extends CategoricalColumn<infer V>
      ? V
      : C extends ArrayLike<infer V>
        ? Extract<V, Cell>
        : never;

type SchemaOf<C> = { readonly [K in keyof C]: CellOf<C[K]> };
type SchemaOfRow<R> = { readonly [K in keyof R]-?: Extract<R[K], Cell> };
/** `keyof S & string`, written so that the compiler compares tables member by member: by variance of S none would fit another. */
type ColumnName<S> = keyof { [K in keyof S as K & string]: unknown } & string;
/** One row as an object; null where the entry is missing. */
export type Row<S extends Schema> = { -readonly [K in keyof S]: S[K] | null };

/** Characters of a text cell that are printed. */
const WIDEST = 24;

/**
 * Columns of different types: numbers, text (dictionary-coded) and booleans, with missing entries
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
    this.#columns = columns;
    this.rows = rows;
    this.columnNames = Object.freeze([...columns.keys()]) as typeof this.columnNames;
    Object.freeze(this);
  }

  /** Names, kinds, the first and last rows, and the size. */
  toString(): string {
    const rows = shownPlaces(this.rows);
    const numbers = rows.map((i) => (i < 0 ? "…" : String(i)));
    const columns = shownPlaces(this.columnNames.length).map((j) => {
      if (j < 0) return ["…", "", ...rows.map(() => "…")];
      const name = this.columnNames[j]!;
      const column = this.#columns.get(name)!;
      return [name, column.kind, ...shownCells(column, rows)];
    });
    const size = `${this.rows} rows × ${this.columnNames.length} columns`;
    return `${grid([["", "", ...numbers], ...columns], 1)}\n${size}`;
  }

  /** `Table.fromColumns({ age: [31, 45, null], city: ["Oslo", "Rome", "Oslo"] })`. */
  static fromColumns<const C extends Readonly<Record<string, ColumnValues | Column>>>(
    columns: C,
  ): Table<SchemaOf<C>> {
    const where = "Table.fromColumns";
    if (columns === null || typeof columns !== "object" || isArrayLike(columns)) {
      const expected = "an object of columns by name";
      throw new DataError({ where, subject: "the columns", expected, received: show(columns) });
    }
    const read = new Map<string, Column>();
    let rows: number | undefined;
    for (const [name, values] of Object.entries(columns)) {
      const column = readColumn(where, name, values);
      rows ??= column.length;
      if (column.length !== rows) {
        throw new ShapeError({
          where,
          subject: `column ${show(name)}`,
          expected: `as long as ${show(Object.keys(columns)[0])} (${rows})`,
          received: `${column.length} entries`,
        });
      }
      read.set(name, column);
    }
    return new Table(read, rows ?? 0);
  }

  /** One object per row. The columns are all keys, in the order they are first seen; an absent key is a missing entry. */
  static fromRows<const R extends object>(rows: readonly R[]): Table<SchemaOfRow<R>> {
    const where = "Table.fromRows";
    checkList(where, "rows", rows);
    const cells = new Map<string, unknown[]>();
    for (const [i, row] of rows.entries()) {
      if (row === null || typeof row !== "object" || Array.isArray(row)) {
        throw new DataError({
          where,
          subject: `row ${i}`,
          expected: "an object of cells",
          received: show(row),
        });
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
    for (const [name, list] of cells) columns.set(name, readColumn(where, name, list as ColumnValues));
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

  /** The given rows in the given order, copied. */
  selectRows(chosen: ArrayLike<number>): Table<S> {
    checkList("Table.selectRows", "indices", chosen);
    for (let r = 0; r < chosen.length; r++) this.#checkRow("Table.selectRows", `indices[${r}]`, chosen[r]!);
    const columns = new Map<string, Column>();
    for (const [name, column] of this.#columns) columns.set(name, column.selectRows(chosen));
    return new Table(columns, chosen.length);
  }

  /** The rows that have an entry in each of the named columns (in every column, if none is named). */
  dropMissing(names: readonly (keyof S & string)[] = this.columnNames): Table<S> {
    checkList("Table.dropMissing", "names", names);
    const columns = names.map((name) => this.#get("Table.dropMissing", name));
    const complete: number[] = [];
    for (let i = 0; i < this.rows; i++)
      if (columns.every((column) => column.at(i) !== null)) complete.push(i);
    return this.selectRows(complete);
  }

  /** Numeric columns as they are, booleans as 0 and 1; a missing entry becomes NaN. */
  toMatrix(): Matrix {
    const columns = [...this.#columns].map(([name, column]) => numbersOf(name, column));
    const out = Matrix.zeros(this.rows, columns.length);
    for (let i = 0, e = 0; i < this.rows; i++) {
      for (const column of columns) out.data[e++] = column[i]!;
    }
    return out;
  }

  #get(where: string, name: string): Column {
    const column = this.#columns.get(name);
    if (column !== undefined) return column;
    throw new DataError({
      where,
      subject: "the name",
      expected: `one of the columns (${this.columnNames.join(", ")})`,
      received: show(name),
    });
  }

  #checkRow(where: string, subject: string, i: number): void {
    if (Number.isInteger(i) && i >= 0 && i < this.rows) return;
    throw new ShapeError({ where, subject, expected: `a row from 0 to ${this.rows - 1}`, received: show(i) });
  }
}

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
        received: `text (${column.categories.slice(0, 3).map(show).join(", ")}${column.categories.length > 3 ? ", …" : ""})`,
        advice: `Encode it as numbers, or leave it out: table.drop([${show(name)}]).`,
      });
  }
}

/** Cells as text; a missing one is "–", and −1 in `rows` stands for rows left out. */
function shownCells(column: Column, rows: readonly number[]): string[] {
  const values = rows.map((i) => (i < 0 ? null : column.at(i)));
  const numbers = numberCells(values.filter((value) => typeof value === "number"));
  return values.map((value, r) => {
    if (rows[r]! < 0) return "…";
    if (value === null) return "–";
    if (typeof value === "number") return numbers.shift()!;
    const text = String(value);
    return text.length > WIDEST ? `${text.slice(0, WIDEST - 1)}…` : text;
  });
}
