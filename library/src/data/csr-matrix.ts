import type { CsrLike } from "../core/contract.js";
import { DataError, ShapeError, show } from "../core/errors.js";
import { checkList } from "../core/labels.js";
import {
  asFloat64Array,
  asInt32Array,
  isArrayLike,
  isDetached,
  isTypedArray,
} from "../core/numbers/typed-arrays.js";
import { Printed, shortNumber, shownPlaces } from "../core/text/printing.js";
import { isIndex, Matrix } from "./matrix.js";

export interface CsrParts {
  readonly rows: number;
  readonly cols: number;
  readonly indptr: ArrayLike<number>;
  readonly indices: ArrayLike<number>;
  readonly values: ArrayLike<number>;
}

/**
 * A sparse matrix in compressed rows. Row i's entries are those from `indptr[i]` to `indptr[i + 1]`; their columns
 * ascend, with no column twice. The constructor checks this, sorts rows that are out of order and adds up
 * duplicates, so that everybody after it may rely on it.
 */
export class CsrMatrix extends Printed implements CsrLike {
  readonly rows: number;
  readonly cols: number;
  readonly indptr: Int32Array;
  readonly indices: Int32Array;
  readonly values: Float64Array;

  /** `sound` leaves out the checks, for parts that were made in order. */
  constructor(parts: CsrParts, sound = false) {
    super();
    if (!sound) checkParts(parts ?? {});
    const { indptr, indices, values } = sound || isCanonical(parts) ? parts : canonical(parts);
    this.rows = parts.rows;
    this.cols = parts.cols;
    this.indptr = asInt32Array(indptr) ?? Int32Array.from(indptr);
    this.indices = asInt32Array(indices) ?? Int32Array.from(indices);
    this.values = asFloat64Array(values) ?? Float64Array.from(values);
  }

  /** Its size, the fraction of entries that are stored, and the entries of the first and last rows. */
  toString(): string {
    const { rows, cols, indptr, indices, values } = this;
    const share = (100 * values.length) / Math.max(1, rows * cols);
    const title = `CsrMatrix ${rows} × ${cols}, ${values.length} entries stored (${shortNumber(share)} %)`;
    const lines = shownPlaces(rows).map((i) => {
      if (i < 0) return "  …";
      const places = shownPlaces(indptr[i + 1]! - indptr[i]!).map((e) => (e < 0 ? e : indptr[i]! + e));
      const entries = places.map((e) => (e < 0 ? "…" : `${indices[e]}: ${shortNumber(values[e]!)}`));
      return `  row ${i}  ${entries.length > 0 ? entries.join(", ") : "empty"}`;
    });
    return [title, ...lines].join("\n");
  }

  /** Keeps the entries that are not zero. */
  static fromDense(dense: Matrix<Float64Array | Float32Array>): CsrMatrix {
    if (!isTypedArray(dense?.data)) throw new DataError("CsrMatrix.fromDense", "X", "a Matrix", show(dense));
    const { rows, cols, data } = dense;
    const indptr = new Int32Array(rows + 1);
    let nonZeros = 0;
    for (const value of data) if (value !== 0) nonZeros++;
    const indices = new Int32Array(nonZeros);
    const values = new Float64Array(nonZeros);
    for (let i = 0, e = 0; i < rows; i++) {
      for (let j = 0; j < cols; j++) {
        const value = data[i * cols + j]!;
        if (value === 0) continue;
        indices[e] = j;
        values[e++] = value;
      }
      indptr[i + 1] = e;
    }
    return new CsrMatrix({ rows, cols, indptr, indices, values });
  }

  /** One list (or Map) of `[column, value]` pairs a row. */
  static fromRows(rows: readonly Iterable<readonly [number, number]>[], cols: number): CsrMatrix {
    const indptr = [0];
    const indices: number[] = [];
    const values: number[] = [];
    checkList("CsrMatrix.fromRows", "rows", rows);
    for (const [i, row] of rows.entries()) {
      if (typeof row !== "object" || !(Symbol.iterator in (row ?? {}))) {
        const expected = "a list or Map of [column, value] pairs";
        throw new DataError("CsrMatrix.fromRows", `rows[${i}]`, expected, show(row));
      }
      for (const [j, value] of row) {
        indices.push(j);
        values.push(value);
      }
      indptr.push(indices.length);
    }
    return new CsrMatrix({ rows: rows.length, cols, indptr, indices, values });
  }

  get shape(): readonly [number, number] {
    return [this.rows, this.cols];
  }

  /** Stored entries. */
  get nonZeros(): number {
    return this.values.length;
  }

  /** Row i with its zeros, copied. */
  row(i: number): Float64Array {
    if (!isIndex(i, this.rows)) {
      throw new ShapeError("CsrMatrix.row", "the row", `from 0 to ${this.rows - 1}`, show(i));
    }
    const out = new Float64Array(this.cols);
    for (let e = this.indptr[i]!; e < this.indptr[i + 1]!; e++) out[this.indices[e]!] = this.values[e]!;
    return out;
  }

  /** The given rows in the given order, copied. */
  selectRows(chosen: ArrayLike<number>): CsrMatrix {
    checkList("CsrMatrix.selectRows", "indices", chosen);
    const indptr = new Int32Array(chosen.length + 1);
    for (let r = 0; r < chosen.length; r++) {
      const i = chosen[r]!;
      if (!isIndex(i, this.rows)) {
        throw new ShapeError("CsrMatrix.selectRows", `indices[${r}]`, `from 0 to ${this.rows - 1}`, show(i));
      }
      indptr[r + 1] = indptr[r]! + this.indptr[i + 1]! - this.indptr[i]!;
    }
    const indices = new Int32Array(indptr[chosen.length]!);
    const values = new Float64Array(indices.length);
    for (let r = 0; r < chosen.length; r++) {
      const from = this.indptr[chosen[r]!]!;
      const to = this.indptr[chosen[r]! + 1]!;
      indices.set(this.indices.subarray(from, to), indptr[r]!);
      values.set(this.values.subarray(from, to), indptr[r]!);
    }
    return new CsrMatrix({ rows: chosen.length, cols: this.cols, indptr, indices, values });
  }

  transpose(): CsrMatrix {
    const indptr = new Int32Array(this.cols + 1);
    for (const j of this.indices) indptr[j + 1]!++;
    for (let j = 0; j < this.cols; j++) indptr[j + 1]! += indptr[j]!;
    const next = indptr.slice();
    const indices = new Int32Array(this.nonZeros);
    const values = new Float64Array(this.nonZeros);
    for (let i = 0; i < this.rows; i++) {
      for (let e = this.indptr[i]!; e < this.indptr[i + 1]!; e++) {
        const at = next[this.indices[e]!]!++;
        indices[at] = i;
        values[at] = this.values[e]!;
      }
    }
    return new CsrMatrix({ rows: this.cols, cols: this.rows, indptr, indices, values });
  }

  /** The same numbers, dense. (Not called `toMatrix`: sparse input must never turn dense by itself.) */
  toDense(): Matrix {
    const out = Matrix.zeros(this.rows, this.cols);
    for (let i = 0; i < this.rows; i++) {
      for (let e = this.indptr[i]!; e < this.indptr[i + 1]!; e++) {
        out.data[i * this.cols + this.indices[e]!] = this.values[e]!;
      }
    }
    return out;
  }
}

/** The largest 32-bit integer. */
const MOST = 2 ** 31 - 1;

function checkParts({ rows, cols, indptr, indices, values }: CsrParts): void {
  const where = "CsrMatrix";
  const fail = (subject: string, expected: string, received: string): never => {
    throw new ShapeError(where, subject, expected, received);
  };
  for (const [name, size] of Object.entries({ rows, cols })) {
    if (!Number.isSafeInteger(size) || size < 0) fail(name, "a whole number", show(size));
    if (size > MOST) fail(name, "at most 2^31 − 1, since indices have 32 bits", show(size));
  }
  for (const [name, list] of Object.entries({ indptr, indices, values })) {
    if (!isArrayLike(list)) fail(name, "an array or a typed array", show(list));
    if (isTypedArray(list) && isDetached(list) && rows > 0)
      fail(name, "an array with its memory", show(list));
  }
  if (indptr.length !== rows + 1) fail("indptr", `rows + 1 = ${rows + 1} long`, `${indptr.length}`);
  if (indices.length !== values.length)
    fail("indices", `as long as values (${values.length})`, `${indices.length}`);
  if (indptr[0] !== 0) fail("indptr[0]", "0", show(indptr[0]));
  for (let i = 0; i < rows; i++) {
    const next = indptr[i + 1]!;
    if (!Number.isSafeInteger(next) || next < indptr[i]!)
      fail(`indptr[${i + 1}]`, "an integer ≥ the one before", show(next));
  }
  if (indptr[rows] !== values.length)
    fail("the last of indptr", `${values.length}, the number of values`, show(indptr[rows]));
  for (let e = 0; e < values.length; e++) {
    if (typeof values[e] === "number") continue;
    throw new DataError(where, `values[${e}]`, "a number", show(values[e]));
  }
  for (let e = 0; e < indices.length; e++) {
    const j = indices[e]!;
    if (!Number.isSafeInteger(j) || j < 0 || j >= cols) {
      throw new DataError(where, `indices[${e}]`, `a column from 0 to ${cols - 1}`, show(j));
    }
  }
}

function isCanonical({ rows, indptr, indices }: CsrParts): boolean {
  for (let i = 0; i < rows; i++) {
    for (let e = indptr[i]! + 1; e < indptr[i + 1]!; e++) if (indices[e]! <= indices[e - 1]!) return false;
  }
  return true;
}

function canonical({
  rows,
  indptr,
  indices,
  values,
}: CsrParts): Pick<CsrMatrix, "indptr" | "indices" | "values"> {
  const newIndptr = new Int32Array(rows + 1);
  const newIndices = new Int32Array(indices.length);
  const newValues = new Float64Array(values.length);
  let end = 0;
  for (let i = 0; i < rows; i++) {
    const order: number[] = [];
    for (let e = indptr[i]!; e < indptr[i + 1]!; e++) order.push(e);
    order.sort((a, b) => indices[a]! - indices[b]! || a - b);
    for (const e of order) {
      if (end > newIndptr[i]! && newIndices[end - 1] === indices[e]) {
        newValues[end - 1]! += values[e]!;
      } else {
        newIndices[end] = indices[e]!;
        newValues[end++] = values[e]!;
      }
    }
    newIndptr[i + 1] = end;
  }
  return { indptr: newIndptr, indices: newIndices.slice(0, end), values: newValues.slice(0, end) };
}
