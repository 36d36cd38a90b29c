import type { MatrixLike } from "../core/contract.js";
import { isTable } from "../data/feature-names-in.js";
import { Matrix } from "../data/matrix.js";
import type { Cell } from "../data/table/column.js";
import { Table } from "../data/table/table.js";
import { entryOf, type InspectedRows } from "./inspected-rows.js";

/** One row, feature by feature. A missing entry is null in a table and NaN in a matrix. */
export type CellRow = readonly (Cell | null)[];

/** Rows that differ from an original one in values of the background, and how far they are from it. */
export class CellRows {
  readonly original: CellRow;
  readonly #given: InspectedRows;
  readonly #values: readonly (readonly (Cell | null)[])[];
  /** Mean absolute deviation from the median per number; 1 where that is 0, and for categories. */
  readonly #spreads: Float64Array;

  constructor(
    readonly where: string,
    given: InspectedRows,
    background: InspectedRows,
  ) {
    this.#given = given;
    this.original = given.names.map((_, j) => entryOf(given.column(j), 0));
    this.#values = given.names.map((_, j) => {
      const column = background.column(j);
      return Array.from({ length: background.rows }, (_, b) => entryOf(column, b));
    });
    this.#spreads = Float64Array.from(this.#values, spread);
  }

  /** The rows of the background, with the original's entries where features may not change. */
  background(mayChange: readonly number[]): CellRow[] {
    const free = new Set(mayChange);
    return Array.from(this.#values[0]!, (_, b) =>
      this.original.map((entry, j) => (free.has(j) ? this.#values[j]![b]! : entry)),
    );
  }

  isSame(j: number, row: CellRow): boolean {
    return this.#change(j, row) === 0;
  }

  /** Σ |change| / spread over numbers, plus 1 per changed category. */
  distance(row: CellRow): number {
    return row.reduce((sum: number, _, j) => sum + this.#change(j, row), 0);
  }

  #change(j: number, row: CellRow): number {
    const [from, to] = [this.original[j], row[j]];
    if (from === to || Object.is(from, to)) return 0;
    if (typeof from !== "number" || typeof to !== "number") return 1;
    const size = Math.abs(to - from) / this.#spreads[j]!;
    return Number.isNaN(size) ? 1 : size;
  }

  /** Numbers of the background between the original value and the row's, the nearest to the original first; at most `most`. */
  between(j: number, row: CellRow, most: number): number[] {
    const [from, to] = [this.original[j], row[j]];
    if (typeof from !== "number" || typeof to !== "number") return [];
    const far = Math.abs(to - from);
    const isBetween = (v: unknown): v is number =>
      typeof v === "number" && (v - from) * (to - from) > 0 && Math.abs(v - from) < far;
    const values = [...new Set(this.#values[j]!.filter(isBetween))];
    values.sort((a, b) => Math.abs(a - from) - Math.abs(b - from));
    if (values.length <= most) return values;
    return Array.from({ length: most }, (_, s) => values[Math.floor((s * values.length) / most)]!);
  }

  asX(rows: readonly CellRow[]): MatrixLike {
    if (!isTable(this.#given.x)) return Matrix.fromRows(rows as readonly (readonly number[])[]);
    const columns = this.#given.names.map((name, j): [string, (number | null)[]] => [
      name,
      rows.map((row) => row[j] as number | null),
    ]);
    return Table.fromColumns(new Map(columns));
  }
}

function spread(values: readonly (Cell | null)[]): number {
  const numbers = values.filter((v): v is number => typeof v === "number" && !Number.isNaN(v));
  if (numbers.length === 0) return 1;
  const median = Float64Array.from(numbers).sort()[numbers.length >> 1]!;
  return numbers.reduce((sum, v) => sum + Math.abs(v - median), 0) / numbers.length || 1;
}
