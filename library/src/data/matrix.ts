import type { DenseLike, NumericArray } from "../core/contract.js";
import { DataError, ShapeError, show } from "../core/errors.js";
import { checkList } from "../core/labels.js";
import { asFloat32Array, asFloat64Array, isArrayLike, isDetached } from "../core/numbers/typed-arrays.js";
import { grid, numberCells, Printed, shownPlaces } from "../core/text/printing.js";

/** A dense matrix: row-major, 64-bit unless made with 32-bit data. Entry (i, j) is `data[i * cols + j]`. */
export class Matrix<D extends Float64Array | Float32Array = Float64Array>
  extends Printed
  implements DenseLike
{
  readonly data: D;

  constructor(
    data: D,
    readonly rows: number,
    readonly cols: number,
  ) {
    super();
    checkShape("Matrix", rows, cols);
    const own = asFloat64Array(data) ?? asFloat32Array(data);
    if (own === undefined) {
      const advice = "Matrix.fromRows takes rows of numbers.";
      throw new ShapeError("Matrix", "data", "a Float64Array or a Float32Array", show(data), advice);
    }
    if (own.length !== rows * cols) {
      const expected = `rows × cols = ${rows} × ${cols} = ${rows * cols} numbers long`;
      throw new ShapeError("Matrix", "data", expected, isDetached(own) ? show(own) : `${own.length}`);
    }
    this.data = own as D;
  }

  static zeros(rows: number, cols: number): Matrix {
    checkShape("Matrix.zeros", rows, cols);
    return new Matrix(new Float64Array(rows * cols), rows, cols);
  }

  /** Copies rows of numbers, all of one length. */
  static fromRows(rows: readonly (readonly number[] | NumericArray)[]): Matrix {
    return readRows("Matrix.fromRows", rows);
  }

  get shape(): readonly [number, number] {
    return [this.rows, this.cols];
  }

  /** Its size and its first and last rows. */
  toString(): string {
    const rows = shownPlaces(this.rows);
    const columns = shownPlaces(this.cols).map((j) => {
      if (j < 0) return rows.map(() => "…");
      const cells = numberCells(rows.filter((i) => i >= 0).map((i) => this.data[i * this.cols + j]!));
      return rows.map((i) => (i < 0 ? "…" : cells.shift()!));
    });
    const body = grid(columns).replaceAll(/^/gm, "  ");
    return `Matrix ${this.rows} × ${this.cols}${this.data.length > 0 ? `\n${body}` : ""}`;
  }

  at(i: number, j: number): number {
    if (!isIndex(i, this.rows) || !isIndex(j, this.cols)) {
      throw new ShapeError("Matrix.at", "the position", `inside ${this.rows} × ${this.cols}`, `(${i}, ${j})`);
    }
    return this.data[i * this.cols + j]!;
  }

  /** Row i, as a view: writing to it writes to the matrix. */
  row(i: number): D {
    if (!isIndex(i, this.rows)) outside("Matrix.row", "the row", this.rows, i);
    return this.data.subarray(i * this.cols, (i + 1) * this.cols) as D;
  }

  /** Column j, copied. */
  column(j: number): D {
    if (!isIndex(j, this.cols)) outside("Matrix.column", "the column", this.cols, j);
    const out = this.#like(this.rows);
    for (let i = 0; i < this.rows; i++) out[i] = this.data[i * this.cols + j]!;
    return out;
  }

  /** The given rows in the given order, copied. */
  selectRows(indices: ArrayLike<number>): Matrix<D> {
    checkList("Matrix.selectRows", "indices", indices);
    const { cols, data } = this;
    const out = this.#like(indices.length * cols);
    for (let r = 0, to = 0; r < indices.length; r++) {
      const i = indices[r]!;
      if (!isIndex(i, this.rows)) outside("Matrix.selectRows", `indices[${r}]`, this.rows, i);
      for (let j = 0, from = i * cols; j < cols; j++) out[to++] = data[from++]!;
    }
    return new Matrix(out, indices.length, cols);
  }

  selectColumns(indices: ArrayLike<number>): Matrix<D> {
    checkList("Matrix.selectColumns", "indices", indices);
    for (let c = 0; c < indices.length; c++) {
      const j = indices[c]!;
      if (!isIndex(j, this.cols)) outside("Matrix.selectColumns", `indices[${c}]`, this.cols, j);
    }
    const out = this.#like(this.rows * indices.length);
    for (let i = 0, o = 0; i < this.rows; i++) {
      for (let c = 0; c < indices.length; c++) out[o++] = this.data[i * this.cols + indices[c]!]!;
    }
    return new Matrix(out, this.rows, indices.length);
  }

  transpose(): Matrix<D> {
    const out = this.#like(this.data.length);
    for (let i = 0; i < this.rows; i++) {
      for (let j = 0; j < this.cols; j++) out[j * this.rows + i] = this.data[i * this.cols + j]!;
    }
    return new Matrix(out, this.cols, this.rows);
  }

  toArray(): number[][] {
    return Array.from({ length: this.rows }, (_, i) => Array.from(this.row(i)));
  }

  toMatrix(): Matrix<D> {
    return this;
  }

  toJSON(): number[][] {
    return this.toArray();
  }

  #like(length: number): D {
    return new (this.data.constructor as new (length: number) => D)(length);
  }
}

function checkShape(where: string, rows: number, cols: number): void {
  if (Number.isSafeInteger(rows) && Number.isSafeInteger(cols) && rows >= 0 && cols >= 0) return;
  throw new ShapeError(where, "rows and cols", "whole numbers", `${show(rows)} and ${show(cols)}`);
}

/** A whole number from 0 to count − 1. */
export const isIndex = (i: number, count: number): boolean => i >= 0 && i < count && Number.isInteger(i);

function outside(where: string, subject: string, count: number, received: number): never {
  throw new ShapeError(where, subject, `from 0 to ${count - 1}`, show(received));
}

/** Rows of numbers as a fresh matrix; anything else is a precise error. */
export function readRows(where: string, x: readonly (readonly number[] | NumericArray)[]): Matrix {
  checkList(where, "X", x);
  const rows = x.length;
  const first: unknown = x[0];
  const cols = isArrayLike(first) ? first.length : 0;
  const data = new Float64Array(rows * cols);
  for (let i = 0, e = 0; i < rows; i++) {
    const values = readRow(where, x[i], i, cols);
    for (let j = 0; j < cols; j++) {
      const value = values[j];
      data[e++] = typeof value === "number" ? value : readNumber(where, value, i, j);
    }
  }
  return new Matrix(data, rows, cols);
}

function readRow(where: string, row: unknown, i: number, cols: number): ArrayLike<number> {
  if (!isArrayLike(row)) {
    const advice =
      typeof row === "number" ? "One feature is written [[1], [2], …], one row [[1, 2, …]]." : undefined;
    throw new DataError(where, `X[${i}]`, "a row of numbers", show(row), advice);
  }
  const values = row as ArrayLike<number>;
  if (values.length === cols) return values;
  throw new ShapeError(where, `X[${i}]`, `as long as X[0] (${cols})`, `${values.length} values`);
}

export function readNumber(where: string, value: unknown, i: number, j: number): number {
  if (typeof value === "number") return value;
  throw new DataError(where, `X[${i}][${j}]`, "a number", show(value));
}
