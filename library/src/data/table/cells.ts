import type { MatrixLike, NumericArray } from "../../core/contract.js";
import { DataError, ShapeError, show } from "../../core/errors.js";
import { isArrayLike } from "../../core/numbers/typed-arrays.js";
import { type AnyTable, isTable, type KnownFeatures, requireColumns } from "../feature-names-in.js";
import { readMatrix, refuseObjects } from "../input.js";
import type { BooleanColumn, CategoricalColumn, ColumnValues, Cell as TableCell } from "./column.js";
import { codeIn, NumericColumn, readColumn } from "./column.js";
import { isRowObjects, type RowField, rowFields } from "./row-cells.js";
import { tableOfRows } from "./row-objects.js";
import type { Table } from "./table.js";
import { writtenText } from "./table-columns.js";

/** What an encoder reads: dates and free text are not categories. */
export type Cell = Exclude<TableCell, Date>;

/** A row of cells; null, undefined and NaN are missing. */
export type CellRow = readonly (Cell | null | undefined)[] | NumericArray;

/** What an encoder takes: a table, rows of cells, or numbers in any form. */
export type CellsLike = Table | readonly CellRow[] | MatrixLike;

/** A column of cells: free text counts as categories, dates as milliseconds. */
export type CellColumn = NumericColumn | CategoricalColumn | BooleanColumn;

/** Cells by column, checked: a column holds one type, and its numbers are finite. */
export interface Cells {
  readonly rows: number;
  readonly columns: readonly CellColumn[];
  /** The columns' names, where X has them. */
  readonly names: readonly string[] | undefined;
}

/** What the columns of fit held, where a model stores it: rows by name are read as these. */
type Kinds = readonly RowField["kind"][];

/** Reads and checks cells: ragged rows, wrong width, infinities and columns of mixed types are precise errors. */
export function readCells(where: string, x: CellsLike, like?: KnownFeatures, kinds?: Kinds): Cells {
  const cells = toCells(where, x, like, kinds);
  const cols = cells.columns.length;
  if (like !== undefined && cells.rows > 0 && cols !== like.nFeatures) {
    throw new ShapeError(where, "X", `${like.nFeatures} columns wide, as in fit`, `${cols} columns`);
  }
  if (like === undefined && (cells.rows === 0 || cols === 0)) {
    const received = `${cells.rows} rows × ${cols} columns`;
    throw new ShapeError(where, "X", "at least one row and one column", received);
  }
  for (const [j, column] of cells.columns.entries())
    if (column.kind === "numeric") requireNoInfinity(where, column.values, j);
  return cells;
}

function toCells(
  where: string,
  x: CellsLike,
  like: KnownFeatures | undefined,
  kinds: Kinds | undefined,
): Cells {
  const known = like?.featureNamesIn;
  if (isTable(x)) {
    // A table without rows may lack the columns too.
    if (known && x.rows > 0) requireColumns(where, x.columnNames, known);
    const names = known && x.rows > 0 ? known : x.columnNames;
    const table: AnyTable = x;
    const columns = names.map((name, j) => cellColumn(where, table, name, kinds?.[j]));
    return { rows: x.rows, columns, names };
  }
  if (isRowObjects(x)) {
    if (known === undefined) refuseObjects(where, x);
    const fields = rowFields(known, (j) => kinds?.[j] ?? "any");
    return toCells(where, tableOfRows(where, fields, x), like, kinds);
  }
  if (Array.isArray(x)) return fromRows(where, x as readonly unknown[]);
  const width = like === undefined ? {} : { cols: like.nFeatures };
  const { data, rows, cols } = readMatrix(where, x as MatrixLike, { missing: true, sparse: false, ...width });
  const columns = Array.from({ length: cols }, (_, j) => {
    const column = new Float64Array(rows);
    for (let i = 0, e = j; i < rows; i++, e += cols) column[i] = data[e]!;
    return new NumericColumn(column);
  });
  return { rows, columns, names: undefined };
}

function cellColumn(where: string, table: AnyTable, name: string, kind?: RowField["kind"]): CellColumn {
  const given = table.column(name);
  const column = kind === "categorical" ? writtenText(where, name, given) : given;
  switch (column.kind) {
    case "date":
      return new NumericColumn(column.values);
    case "text":
      return readColumn(where, name, column.values) as CellColumn;
    default:
      return column;
  }
}

function fromRows(where: string, x: readonly unknown[]): Cells {
  const lists = new Array<ArrayLike<unknown>>(x.length);
  for (let i = 0; i < x.length; i++) {
    const row = x[i];
    if (!isArrayLike(row)) throw new DataError(where, `X[${i}]`, "a row of cells", show(row));
    lists[i] = row;
  }
  const cols = lists[0]?.length ?? 0;
  const ragged = lists.findIndex((row) => row.length !== cols);
  if (ragged >= 0) {
    const received = `${lists[ragged]!.length} values`;
    throw new ShapeError(where, `X[${ragged}]`, `as long as X[0] (${cols})`, received);
  }
  const columns = Array.from({ length: cols }, (_, j) => {
    const cells = new Array<unknown>(x.length);
    for (let i = 0; i < cells.length; i++) cells[i] = lists[i]![j];
    checkTypes(where, cells, j);
    return readColumn(where, `X[…][${j}]`, cells as ColumnValues) as CellColumn;
  });
  return { rows: x.length, columns, names: undefined };
}

/** One type per column, and no infinities. */
function checkTypes(where: string, column: readonly unknown[], j: number): void {
  let kind: string | undefined;
  for (let i = 0; i < column.length; i++) {
    const value = column[i];
    if (value === null || value === undefined || Number.isNaN(value)) continue;
    const type = typeof value;
    const fine = type === "string" || type === "boolean" || (type === "number" && Number.isFinite(value));
    if (fine && (kind === undefined || kind === type)) {
      kind = type;
      continue;
    }
    throw new DataError({
      where,
      subject: `X[${i}][${j}]`,
      expected: fine
        ? `a ${kind} like the rows before it, or null`
        : "a finite number, a string, a boolean or null",
      received: show(value),
    });
  }
}

function requireNoInfinity(where: string, values: Float64Array, j: number): void {
  for (let i = 0; i < values.length; i++) {
    if (Math.abs(values[i]!) !== Infinity) continue;
    const expected = "a finite number, a string, a boolean or null";
    throw new DataError(where, `X[${i}][${j}]`, expected, show(values[i]));
  }
}

/** The kind of a column by its categories. */
export function kindOfCategories(categories: readonly (Cell | null)[]): RowField["kind"] {
  const [first] = categories.filter((category) => category !== null);
  if (typeof first === "string") return "categorical";
  return typeof first === "boolean" ? "boolean" : typeof first === "number" ? "numeric" : "any";
}

/** A column as codes in the list of its distinct values; −1 is missing. */
export interface CodedColumn {
  readonly codes: Int32Array;
  readonly values: readonly Cell[];
}

/** Distinct values in no certain order; those of a table's categories may include some that no row has. */
export function codedColumn(column: CellColumn): CodedColumn {
  if (column.kind === "categorical") return { codes: column.codes, values: column.categories };
  if (column.kind === "boolean")
    return { codes: Int32Array.from(column.values, (v) => (v > 1 ? -1 : v)), values: [false, true] };
  const codes = new Int32Array(column.length);
  const known = new Map<number, number>();
  for (let i = 0; i < codes.length; i++) {
    const value = column.values[i]!;
    if (Number.isNaN(value)) {
      codes[i] = -1;
      continue;
    }
    codes[i] = codeIn(known, value);
  }
  return { codes, values: [...known.keys()] };
}

/** Rows per value of a coded column, the missing ones last. */
export function codeCounts({ codes, values }: CodedColumn): Float64Array {
  const counts = new Float64Array(values.length + 1);
  for (let i = 0; i < codes.length; i++) counts[codes[i]! < 0 ? values.length : codes[i]!]!++;
  return counts;
}
