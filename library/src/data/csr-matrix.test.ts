import { describe, expect, it } from "vitest";
import { DataError, ShapeError } from "../core/errors.js";
import { CsrMatrix } from "./csr-matrix.js";
import { Matrix } from "./matrix.js";

const dense = [
  [0, 2, 0],
  [0, 0, 0],
  [3, 0, -4],
];
const sparse = CsrMatrix.fromDense(Matrix.fromRows(dense));

describe("CsrMatrix", () => {
  it("stores only what is not zero", () => {
    expect(sparse.nonZeros).toBe(3);
    expect([...sparse.indptr]).toEqual([0, 1, 1, 3]);
    expect(sparse.toDense().toArray()).toEqual(dense);
  });

  it("sorts the columns of a row and adds up duplicates", () => {
    const messy = CsrMatrix.fromRows(
      [
        [
          [2, 1],
          [0, 5],
          [2, 3],
        ],
      ],
      3,
    );
    expect([...messy.indices]).toEqual([0, 2]);
    expect([...messy.values]).toEqual([5, 4]);
  });

  it("takes maps as rows", () => {
    expect(
      CsrMatrix.fromRows([new Map([[1, 2]])], 2)
        .toDense()
        .toArray(),
    ).toEqual([[0, 2]]);
  });

  it("selects rows in the order asked for", () => {
    expect(sparse.selectRows([2, 1, 2]).toDense().toArray()).toEqual([dense[2], dense[1], dense[2]]);
    expect(() => sparse.selectRows([3])).toThrow(ShapeError);
  });

  it("transposes", () => {
    expect(sparse.transpose().toDense().toArray()).toEqual(Matrix.fromRows(dense).transpose().toArray());
  });

  it("refuses parts that contradict each other", () => {
    const parts = { rows: 1, cols: 2, indptr: [0, 1], indices: [0], values: [1] };
    expect(() => new CsrMatrix({ ...parts, indptr: [0] })).toThrow(ShapeError);
    expect(() => new CsrMatrix({ ...parts, indptr: [1, 1] })).toThrow(ShapeError);
    expect(() => new CsrMatrix({ ...parts, indptr: [0, 2] })).toThrow(ShapeError);
    expect(() => new CsrMatrix({ ...parts, indices: [0, 1] })).toThrow(ShapeError);
    expect(() => new CsrMatrix({ ...parts, indices: [2] })).toThrow(DataError);
    expect(() => new CsrMatrix({ ...parts, indices: [-1] })).toThrow(DataError);
    expect(() => new CsrMatrix({ ...parts, rows: 0.5 })).toThrow(ShapeError);
  });

  it("takes numbers only, and indices of 32 bits", () => {
    const parts = { rows: 1, cols: 3, indptr: [0, 2], indices: [0, 1], values: [7, 8] };
    for (const values of [["7", null], [1n, 2n], BigInt64Array.of(1n, 2n), [undefined, 1], [[1], [2]]]) {
      expect(() => new CsrMatrix({ ...parts, values: values as never })).toThrow(
        /values\[0\] must be a number/,
      );
    }
    for (const key of ["indptr", "indices", "values"])
      expect(() => new CsrMatrix({ ...parts, [key]: null })).toThrow(
        `${key} must be an array or a typed array`,
      );
    expect(() => new CsrMatrix({ ...parts, indptr: ["0", "2"] as never })).toThrow(ShapeError);
    expect(() => new CsrMatrix({ ...parts, indices: [0n, 1n] as never })).toThrow(
      /indices\[0\] must be a column/,
    );
    expect(() => new CsrMatrix({ ...parts, cols: 1e12 })).toThrow(/cols must be at most 2\^31 − 1/);
  });
});
