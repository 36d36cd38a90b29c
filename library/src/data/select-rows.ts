import { isColumn } from "../core/column-like.js";
import type {
  CsrLike,
  DenseLike,
  ImagesLike,
  MatrixLike,
  MatrixSource,
  NumericArray,
  Samples,
  ShapedLike,
} from "../core/contract.js";
import { DataError, show } from "../core/errors.js";
import { checkList } from "../core/labels.js";
import { isTypedArray } from "../core/numbers/typed-arrays.js";
import { CsrMatrix } from "./csr-matrix.js";
import { isTable } from "./feature-names-in.js";
import { isImages, readMatrix } from "./input.js";
import { Matrix } from "./matrix.js";
import { ImageRows } from "./sample-rows.js";
import type { Column } from "./table/column.js";
import type { Schema, Table } from "./table/table.js";

/** Anything with rows: what X may be, and lists of anything (texts, labels, weights). */
export type Rows = MatrixLike | readonly unknown[] | NumericArray | Column;

/** The kind of thing that some rows of X are. */
export type SelectedRows<X> =
  X extends Matrix<infer D>
    ? Matrix<D>
    : X extends CsrLike
      ? CsrMatrix
      : X extends Table<infer S extends Schema>
        ? Table<S>
        : X extends Column
          ? X
          : X extends readonly (infer R)[]
            ? R[]
            : X extends NumericArray
              ? X
              : X extends ImagesLike
                ? ImagesLike
                : X extends DenseLike | ShapedLike | MatrixSource
                  ? Matrix
                  : never;

/** X as something to pick rows from: other iterables than arrays (a Set, a generator of texts) are read into one. */
export function readSamples(where: string, x: Samples): Rows {
  if (typeof x === "string") {
    const expected = "rows of numbers, or an array of documents";
    throw new DataError(where, "X", expected, show(x), "One document is an array too: [text].");
  }
  if (x === null || typeof x !== "object" || Array.isArray(x) || isTypedArray(x)) return x as Rows;
  return Symbol.iterator in x ? [...x] : x;
}

/** How many rows X has. */
export function countRows(where: string, x: Rows): number {
  if (Array.isArray(x) || isTypedArray(x) || isColumn(x)) return x.length;
  if (isTable(x) || x instanceof Matrix || x instanceof CsrMatrix) return x.rows;
  return readMatrix(where, x as MatrixLike, { sparse: true, missing: true }).rows;
}

/** The given rows in the given order, as the same kind of thing. The row objects of an array are shared, not copied. */
export function selectRows<X extends Rows>(
  x: X,
  chosen: ArrayLike<number>,
  where = "selectRows",
): SelectedRows<X> {
  return select(where, x, chosen) as SelectedRows<X>;
}

function select(where: string, x: Rows, chosen: ArrayLike<number>): unknown {
  checkList(where, "indices", chosen);
  if (Array.isArray(x)) return Array.from(chosen, (i) => x[i]);
  if (isTypedArray(x)) {
    const out = new (x.constructor as new (length: number) => NumericArray)(chosen.length);
    for (let r = 0; r < chosen.length; r++) out[r] = x[chosen[r]!]!;
    return out;
  }
  if (isTable(x) || isColumn(x) || x instanceof Matrix || x instanceof CsrMatrix)
    return (x as Column).selectRows(chosen);
  if (x === null || typeof x !== "object") throw new DataError(where, "X", "something with rows", show(x));
  if (isImages(x)) return new ImageRows(x).selectRows(chosen);
  return readMatrix(where, x as MatrixLike, { sparse: true, missing: true }).selectRows(chosen);
}
