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
});
