import type { MatrixLike } from "../core/contract.js";
import { isTable } from "../data/feature-names-in.js";
import { Matrix } from "../data/matrix.js";
import { type Column, readColumn } from "../data/table/column.js";
import { Table } from "../data/table/table.js";
import { type AnyColumn, entryOf, type InspectedRows } from "./inspected-rows.js";

/** Rows that have some features of one row of X, and the others of every row of the background in turn. */
export class MixedRows {
  readonly #x: InspectedRows;
  readonly #background: InspectedRows;
  /** The entries of X, then those of the background. */
  readonly #columns: readonly AnyColumn[];

  constructor(where: string, x: InspectedRows, background: InspectedRows) {
    this.#x = x;
    this.#background = background;
    this.#columns = x.names.map((name, j) => joined(where, name, x.column(j), background.column(j)));
  }

  /** Features in which row i differs from at least one row of the background: the others contribute nothing. */
  differing(i: number): number[] {
    return this.#x.names.flatMap((_, j) => {
      const column = this.#columns[j]!;
      const own = entryOf(column, i);
      for (let b = this.#x.rows; b < column.length; b++) if (!same(own, entryOf(column, b))) return [j];
      return [];
    });
  }

  /** One block of rows per set of features (1: of row i), each as long as the background. */
  mixed(i: number, sets: readonly Uint8Array[]): MatrixLike {
    const { rows: n, names } = this.#x;
    const B = this.#background.rows;
    const columns = this.#columns.map((column, j) => {
      const chosen = new Int32Array(sets.length * B);
      for (let e = 0; e < chosen.length; e++) chosen[e] = sets[Math.floor(e / B)]![j] === 1 ? i : n + (e % B);
      return ArrayBuffer.isView(column) ? gathered(column, chosen) : column.selectRows(chosen);
    });
    if (isTable(this.#x.x))
      return Table.fromColumns(new Map(names.map((name, j) => [name, columns[j] as Column])));
    const out = Matrix.zeros(sets.length * B, names.length);
    for (const [j, column] of (columns as Float64Array[]).entries())
      for (let r = 0; r < out.rows; r++) out.data[r * out.cols + j] = column[r]!;
    return out;
  }
}

function gathered(column: Float64Array, chosen: Int32Array): Float64Array {
  const out = new Float64Array(chosen.length);
  for (let r = 0; r < out.length; r++) out[r] = column[chosen[r]!]!;
  return out;
}

function joined(where: string, name: string, first: AnyColumn, second: AnyColumn): AnyColumn {
  if (!ArrayBuffer.isView(first) && !ArrayBuffer.isView(second))
    return readColumn(where, name, [...first.toArray(), ...second.toArray()] as (number | null)[]);
  const out = new Float64Array(first.length + second.length);
  out.set(first as Float64Array);
  out.set(second as Float64Array, first.length);
  return out;
}

/** Dates are equal where their times are; a missing entry equals another one. */
const same = (a: unknown, b: unknown): boolean =>
  Object.is(a, b) || a === b || (a instanceof Date && b instanceof Date && a.getTime() === b.getTime());
