import { describe, expect, it } from "vitest";
import { DataError, ShapeError } from "../core/errors.js";
import { Matrix } from "./matrix.js";

const matrix = Matrix.fromRows([
  [1, 2, 3],
  [4, 5, 6],
]);

describe("Matrix", () => {
  it("is row-major", () => {
    expect([...matrix.data]).toEqual([1, 2, 3, 4, 5, 6]);
    expect(matrix.at(1, 0)).toBe(4);
    expect(matrix.shape).toEqual([2, 3]);
  });

  it("gives rows as views and columns as copies", () => {
    const copy = Matrix.fromRows(matrix.toArray());
    copy.row(0)[0] = 9;
    copy.column(1)[0] = 9;
    expect(copy.toArray()).toEqual([
      [9, 2, 3],
      [4, 5, 6],
    ]);
  });

  it("selects rows and columns in the order asked for, repeats included", () => {
    expect(matrix.selectRows([1, 0, 1]).toArray()).toEqual([
      [4, 5, 6],
      [1, 2, 3],
      [4, 5, 6],
    ]);
    expect(matrix.selectColumns([2, 0]).toArray()).toEqual([
      [3, 1],
      [6, 4],
    ]);
  });

  it("keeps 32-bit data 32-bit", () => {
    const single = new Matrix(new Float32Array([1, 2]), 1, 2);
    expect(single.transpose().data).toBeInstanceOf(Float32Array);
    expect(single.selectRows([0]).data).toBeInstanceOf(Float32Array);
  });

  it("refuses positions outside", () => {
    for (const outside of [-1, 2, Number.NaN]) {
      expect(() => matrix.row(outside)).toThrow(ShapeError);
      expect(() => matrix.selectRows([outside])).toThrow(ShapeError);
    }
    expect(() => matrix.column(3)).toThrow("Matrix.column: the column must be from 0 to 2, got 3.");
    expect(() => matrix.selectColumns([3])).toThrow(ShapeError);
    expect(() => matrix.at(0, 3)).toThrow(ShapeError);
  });

  it("refuses data of the wrong length or type, ragged rows and things that are not numbers", () => {
    expect(() => new Matrix(new Float64Array(5), 2, 3)).toThrow(ShapeError);
    expect(() => new Matrix([1, 2] as never, 1, 2)).toThrow(ShapeError);
    expect(() => new Matrix(new Float64Array(2), -1, -2)).toThrow(ShapeError);
    expect(() => Matrix.fromRows([[1, 2], [3]])).toThrow(
      "Matrix.fromRows: X[1] must be as long as X[0] (2), got 1 values.",
    );
    expect(() => Matrix.fromRows([["1"]] as never)).toThrow(DataError);
    expect(() => Matrix.fromRows([1, 2] as never)).toThrow("One feature is written [[1], [2], …]");
  });

  it("transposes there and back", () => {
    expect(matrix.transpose().toArray()).toEqual([
      [1, 4],
      [2, 5],
      [3, 6],
    ]);
    expect(matrix.transpose().transpose().toArray()).toEqual(matrix.toArray());
  });

  it("writes itself to JSON as rows", () => {
    expect(JSON.stringify(matrix)).toBe("[[1,2,3],[4,5,6]]");
  });

  it("has whole rows and columns only", () => {
    const matrix = Matrix.fromRows([
      [1, 2],
      [3, 4],
    ]);
    for (const i of [0.5, Number.NaN, "0", -1, 2] as number[]) {
      expect(() => matrix.row(i)).toThrow(ShapeError);
      expect(() => matrix.column(i)).toThrow(ShapeError);
      expect(() => matrix.at(i, 0)).toThrow(ShapeError);
      expect(() => matrix.selectRows([i])).toThrow(ShapeError);
      expect(() => matrix.selectColumns([i])).toThrow(ShapeError);
    }
  });
});
