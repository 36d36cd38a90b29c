import type { CsrLike, MatrixLike, Samples } from "../core/contract.js";
import type { CategoryCell, Inputs } from "../core/structure.js";
import { CsrMatrix } from "../data/csr-matrix.js";
import { isTable } from "../data/feature-names-in.js";
import { readMatrix } from "../data/input.js";
import { Matrix } from "../data/matrix.js";
import type { Table } from "../data/table/table.js";

/** Columns of cells: numbers, or text, true and false and gaps (null) as tables have them. */
export interface Frame {
  readonly rows: number;
  readonly columns: readonly ArrayLike<CategoryCell>[];
}

/** X as columns: a table's by name, documents as one column of text, everything else as numbers. */
export function frameOf({ names }: Inputs, x: Samples): Frame {
  if (isTable(x)) return tableFrame(x as Table, names);
  const given = x as readonly unknown[];
  if (Array.isArray(given) && given.some((row) => typeof row === "string"))
    return { rows: given.length, columns: [given as readonly string[]] };
  if (Array.isArray(given) && given.some(isCells)) return cellFrame(given as readonly CategoryCell[][]);
  const read = readMatrix("evaluate", x as MatrixLike, { sparse: true, missing: true });
  return matrixFrame(read instanceof CsrMatrix ? read.toDense() : read);
}

const isCells = (row: unknown): boolean => Array.isArray(row) && row.some((cell) => typeof cell !== "number");

const cellFrame = (rows: readonly (readonly CategoryCell[])[]): Frame => ({
  rows: rows.length,
  columns: rows[0]!.map((_, j) => rows.map((row) => row[j] ?? null)),
});

function tableFrame(table: Table, names: readonly string[] = table.columnNames): Frame {
  const cellOf = (cell: unknown): CategoryCell =>
    cell instanceof Date ? cell.getTime() : (cell as CategoryCell);
  const columns = names.map((name) => Array.from(table.column(name).toArray() as ArrayLike<unknown>, cellOf));
  return { rows: table.rows, columns };
}

export const matrixFrame = ({
  data,
  rows,
  cols,
}: {
  data: ArrayLike<number>;
  rows: number;
  cols: number;
}): Frame => ({
  rows,
  columns: Array.from({ length: cols }, (_, j) =>
    Float64Array.from({ length: rows }, (_, i) => data[i * cols + j]!),
  ),
});

/** Categories as their places in the lists of the inputs; cells that are numbers already stay as they are. */
export function codedFrame({ columns: known }: Inputs, frame: Frame): Frame {
  if (!known) return frame;
  const columns = frame.columns.map((column, j) => {
    const { kind, categories } = known[j]!;
    if (kind !== "categorical" || column instanceof Float64Array) return column;
    return Float64Array.from(column, (cell) => {
      const place = categories.indexOf(String(cell));
      return cell === null || place < 0 ? Number.NaN : place;
    });
  });
  return { rows: frame.rows, columns };
}

/** The columns as numbers: true and false are 1 and 0, gaps are NaN. */
export function numbersOf({ rows, columns }: Frame): Matrix {
  const out = Matrix.zeros(rows, columns.length);
  for (const [j, column] of columns.entries())
    for (let i = 0; i < rows; i++) {
      const cell = column[i]!;
      out.data[i * columns.length + j] = cell === null ? Number.NaN : Number(cell);
    }
  return out;
}

/** Sparse or dense points as a dense matrix. */
export const densePoints = (points: CsrLike | { data: Float64Array; rows: number; cols: number }): Matrix =>
  "indptr" in points ? new CsrMatrix(points).toDense() : new Matrix(points.data, points.rows, points.cols);

/** xⁿ by products, the same in every engine. */
export const integerPower = (x: number, n: number): number => {
  let power = 1;
  for (let k = 0; k < n; k++) power *= x;
  return power;
};
