import type { MatrixLike, NumericArray } from "../core/contract.js";
import { DataError, ShapeError, show } from "../core/errors.js";
import { isArrayLike } from "../core/typed-arrays.js";
import type { Cell } from "./column.js";
import { type AnyTable, isTable, requireColumns } from "./feature-names-in.js";
import { readMatrix } from "./input.js";
import type { Table } from "./table.js";

/** A row of cells; null, undefined and NaN are missing. */
export type CellRow = readonly (Cell | null | undefined)[] | NumericArray;

/** What an encoder takes: a table, rows of cells, or numbers in any form. */
export type CellsLike = Table | readonly CellRow[] | MatrixLike;

/** Cells by column, checked: null is missing, and a column holds one type. */
export interface Cells {
  readonly rows: number;
  readonly columns: readonly (readonly (Cell | null)[])[];
  /** The columns' names, where X has them. */
  readonly names: readonly string[] | undefined;
}

/** What an encoder was fitted on. */
export interface CellRules {
  readonly cols: number;
  readonly names: readonly string[] | undefined;
}

/** Reads and checks cells: ragged rows, wrong width, infinities and columns of mixed types are precise errors. */
export function readCells(where: string, x: CellsLike, rules?: CellRules): Cells {
  const cells = toCells(where, x, rules);
  const cols = cells.columns.length;
  if (rules !== undefined && cells.rows > 0 && cols !== rules.cols) {
    throw new ShapeError({
      where,
      subject: "X",
      expected: `${rules.cols} columns wide, as in fit`,
      received: `${cols} columns`,
    });
  }
  if (rules === undefined && (cells.rows === 0 || cols === 0)) {
    throw new ShapeError({
      where,
      subject: "X",
      expected: "at least one row and one column",
      received: `${cells.rows} rows × ${cols} columns`,
    });
  }
  for (let j = 0; j < cols; j++) checkColumn(where, cells.columns[j]!, j);
  return cells;
}

function toCells(where: string, x: CellsLike, rules: CellRules | undefined): Cells {
  if (isTable(x)) {
    // A table without rows may lack the columns too.
    if (rules?.names && x.rows > 0) requireColumns(where, x.columnNames, rules.names);
    const names = rules?.names && x.rows > 0 ? rules.names : x.columnNames;
    const table: AnyTable = x;
    const columns = names.map((name) => table.column(name).toArray() as (Cell | null)[]);
    return { rows: x.rows, columns, names };
  }
  if (Array.isArray(x)) return fromRows(where, x as readonly unknown[]);
  const width = rules === undefined ? {} : { cols: rules.cols };
  const { data, rows, cols } = readMatrix(where, x as MatrixLike, { missing: true, sparse: false, ...width });
  return { rows, columns: columnsOf(rows, cols, (i, j) => data[i * cols + j]!), names: undefined };
}

function fromRows(where: string, x: readonly unknown[]): Cells {
  // `map` would leave holes out.
  const lists = Array.from(x, (row, i) => {
    if (isArrayLike(row)) return row;
    throw new DataError({ where, subject: `X[${i}]`, expected: "a row of cells", received: show(row) });
  });
  const cols = lists[0]?.length ?? 0;
  const ragged = lists.findIndex((row) => row.length !== cols);
  if (ragged >= 0) {
    throw new ShapeError({
      where,
      subject: `X[${ragged}]`,
      expected: `as long as X[0] (${cols})`,
      received: `${lists[ragged]!.length} values`,
    });
  }
  return { rows: x.length, columns: columnsOf(x.length, cols, (i, j) => lists[i]![j]), names: undefined };
}

function columnsOf(rows: number, cols: number, at: (i: number, j: number) => unknown): (Cell | null)[][] {
  return Array.from({ length: cols }, (_, j) => {
    const column = new Array<Cell | null>(rows);
    for (let i = 0; i < rows; i++) {
      const value = at(i, j);
      column[i] = value === undefined || Number.isNaN(value) ? null : (value as Cell | null);
    }
    return column;
  });
}

/** One type per column, and no infinities. */
function checkColumn(where: string, column: readonly unknown[], j: number): void {
  let kind: string | undefined;
  for (let i = 0; i < column.length; i++) {
    const value = column[i];
    if (value === null) continue;
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
