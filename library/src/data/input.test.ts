import { describe, expect, it } from "vitest";
import type { MatrixLike } from "../core/contract.js";
import { DataError, ShapeError } from "../core/errors.js";
import { CsrMatrix } from "./csr-matrix.js";
import { readMatrix, readSingles } from "./input.js";
import { Matrix } from "./matrix.js";
import { Table } from "./table/table.js";

const rows = [
  [1, 2],
  [3, 4],
  [5, 6],
];
const flat = rows.flat();

describe("readMatrix", () => {
  it.each<[string, MatrixLike]>([
    ["number[][]", rows],
    ["rows of typed arrays", rows.map((row) => Float32Array.from(row))],
    ["Matrix", Matrix.fromRows(rows)],
    ["a 32-bit Matrix", new Matrix(Float32Array.from(flat), 3, 2)],
    ["{ data, rows, cols }", { data: flat, rows: 3, cols: 2 }],
    ["{ data, shape }", { data: Uint8Array.from(flat), shape: [3, 2] }],
    ["pixels of a canvas", { data: Uint8ClampedArray.from(flat), shape: [3, 2] }],
    ["Table", Table.fromColumns({ a: [1, 3, 5], b: [2, 4, 6] })],
  ])("reads %s", (_, x) => {
    const matrix = readMatrix("test", x, {});
    expect(matrix.data).toBeInstanceOf(Float64Array);
    expect(matrix.toArray()).toEqual(rows);
  });

  it("passes a 64-bit matrix on without a copy", () => {
    const matrix = Matrix.fromRows(rows);
    expect(readMatrix("test", matrix, {})).toBe(matrix);
    expect(readMatrix("test", { data: matrix.data, rows: 3, cols: 2 }, {}).data).toBe(matrix.data);
  });

  it("takes sparse rows only where they are allowed", () => {
    const sparse = CsrMatrix.fromDense(Matrix.fromRows(rows));
    expect(readMatrix("test", sparse, { sparse: true })).toBe(sparse);
    expect(readMatrix("test", { ...sparse }, { sparse: true })).toBeInstanceOf(CsrMatrix);
    expect(() => readMatrix("test", sparse, {})).toThrow("test: X must be dense here, got a sparse matrix.");
  });

  it("names the first entry that is not finite", () => {
    const bad = [...rows, [7, Number.NaN]];
    expect(() => readMatrix("Model.fit", bad, {})).toThrow(
      "Model.fit: X[3][1] must be a finite number, got NaN. Remove the row, or fill the gap before fitting.",
    );
    expect(() => readMatrix("test", [[1], [Infinity]], {})).toThrow("X[1][0]");
    const sparse = CsrMatrix.fromRows([[], [[1, -Infinity]]], 3);
    expect(() => readMatrix("test", sparse, { sparse: true })).toThrow(
      "X[1][1] must be a finite number, got -Infinity",
    );
  });

  it("lets NaN through where it means missing", () => {
    expect(readMatrix("test", [[Number.NaN]], { missing: true }).data[0]).toBeNaN();
  });

  it.each<[string, unknown, new (...args: never[]) => Error]>([
    ["ragged rows", [[1, 2], [3]], ShapeError],
    ["no rows", [], ShapeError],
    ["no columns", [[], []], ShapeError],
    ["a flat list", [1, 2, 3], DataError],
    ["text", [["1"]], DataError],
    ["a hole", [[1, undefined]], DataError],
    ["BigInts", { data: new BigInt64Array(2), rows: 1, cols: 2 }, DataError],
    ["data of the wrong length", { data: [1, 2, 3], rows: 2, cols: 2 }, ShapeError],
    ["a shape of three", { data: [1], shape: [1, 1, 1] }, ShapeError],
    ["null", null, DataError],
    ["a string", "1 2 3", DataError],
    ["any other object", {}, DataError],
  ])("refuses %s", (_, x, error) => {
    expect(() => readMatrix("test", x as MatrixLike, {})).toThrow(error);
  });

  it("refuses the wrong width at predict time, and takes no rows for no predictions", () => {
    expect(() => readMatrix("test", rows, { cols: 3 })).toThrow(
      "X must be 3 columns wide, as in fit, got 2 columns.",
    );
    expect(readMatrix("test", [], { cols: 3 }).rows).toBe(0);
  });

  it("puts the caller in front of a table's complaint", () => {
    const table = Table.fromColumns({ age: [1], city: ["Oslo"] });
    expect(() => readMatrix("Ridge.fit", table, {})).toThrow(
      'Ridge.fit, Table.toMatrix: column "city" must be numeric or boolean, got text ("Oslo"). ' +
        'Encode it as numbers, or leave it out: table.drop(["city"]).',
    );
  });
});

it("refuses more columns than vectors can have", () => {
  const x = new CsrMatrix({ rows: 1, cols: 2 ** 31 - 1, indptr: [0, 1], indices: [5], values: [1] });
  expect(() => readMatrix("test", x, { sparse: true })).toThrow(
    "test: X must be at most 2^28 columns wide, got 2147483647 columns.",
  );
});

describe("readSingles", () => {
  const singles = new Float32Array([1, 2, 3, 4, 5, 6]);

  it("passes 32-bit matrices of any spelling on without a copy", () => {
    for (const x of [
      new Matrix(singles, 3, 2),
      { data: singles, rows: 3, cols: 2 },
      { data: singles, shape: [3, 2] },
    ]) {
      const read = readSingles("here", x, {});
      expect(read.data).toBe(singles);
      expect(read.shape).toEqual([3, 2]);
    }
  });

  it("rounds everything else once", () => {
    expect(readSingles("here", [[0.1, 2]], {}).data).toEqual(new Float32Array([0.1, 2]));
  });

  it("refuses what is wrong as readMatrix does, and numbers too large for 32 bits", () => {
    const refuses = (x: MatrixLike, message: RegExp) =>
      expect(() => readSingles("here", x, { cols: 2 })).toThrow(message);
    refuses([[1, Number.NaN]], /X\[0\]\[1\] must be a finite number/);
    refuses(new Matrix(new Float32Array([1, Infinity]), 1, 2), /X\[0\]\[1\] must be a finite number/);
    refuses(new Matrix(singles, 2, 3), /X must be 2 columns wide/);
    refuses({ data: singles, rows: 2, cols: 2 }, /X.data must be rows × cols/);
    refuses([[1, 1e39]], /X\[0\]\[1\] must be at most 3.4e38.*Scale the column/);
    refuses(CsrMatrix.fromDense(Matrix.fromRows([[1, 2]])), /X must be dense/);
  });
});
