import { describe, expect, expectTypeOf, it } from "vitest";
import { DataError, ParameterError, ShapeError } from "../core/errors.js";
import { CsrMatrix } from "../data/csr-matrix.js";
import { Matrix } from "../data/matrix.js";
import { Table } from "../data/table/table.js";
import { trainTestSplit, trainValidationTestSplit } from "./index.js";

const n = 100;
const X = Matrix.fromRows(Array.from({ length: n }, (_, i) => [i, -i]));
const y = Array.from({ length: n }, (_, i) => (i % 5 === 0 ? "rare" : "usual") as "rare" | "usual");
const share = (labels: readonly string[]) =>
  labels.filter((label) => label === "rare").length / labels.length;

describe("trainTestSplit", () => {
  it("divides all rows into two parts, X and y alike", () => {
    const { train, test } = trainTestSplit(X, y);
    expect([train.X.rows, test.X.rows]).toEqual([75, 25]);
    expect([...train.indices, ...test.indices].sort((a, b) => a - b)).toEqual(
      Array.from({ length: n }, (_, i) => i),
    );
    for (const part of [train, test]) {
      part.indices.forEach((i, r) => {
        expect(part.X.at(r, 0)).toBe(i);
        expect(part.y[r]).toBe(y[i]);
      });
    }
  });

  it("splits a column of a table into columns, and stratifies by one", () => {
    const column = Table.fromColumns({ y }).column("y");
    for (const stratify of [true, column]) {
      const { train, test } = trainTestSplit(X, column, { stratify });
      const lists = trainTestSplit(X, y, { stratify: true });
      expect(train.y.toArray()).toEqual(lists.train.y);
      expect(test.y.toArray()).toEqual(lists.test.y);
    }
  });

  it("keeps the kind and type of X and y", () => {
    expectTypeOf(trainTestSplit(X, y).train.y).toEqualTypeOf<("rare" | "usual")[]>();
    expectTypeOf(trainTestSplit(X, y).test.X).toEqualTypeOf<Matrix<Float64Array>>();
    const targets = new Float32Array(n);
    const { train } = trainTestSplit(CsrMatrix.fromDense(X), targets);
    expect(train.X).toBeInstanceOf(CsrMatrix);
    expect(train.y).toBeInstanceOf(Float32Array);
    expect(trainTestSplit(Table.fromColumns({ a: targets }), y).test.X).toBeInstanceOf(Table);
    expect(trainTestSplit(X.toArray(), y).test.X[0]).toHaveLength(2);
    expect(
      trainTestSplit(
        y.map(() => "some text"),
        y,
      ).test.X,
    ).toHaveLength(25);
  });

  it("is the same for the same seed and another for another", () => {
    expect(trainTestSplit(X, y).test.indices).toEqual(trainTestSplit(X, y, { randomState: 0 }).test.indices);
    expect(trainTestSplit(X, y).test.indices).not.toEqual(
      trainTestSplit(X, y, { randomState: 1 }).test.indices,
    );
  });

  it("rounds the test part up and the training part down", () => {
    const sizes = (params: object) => {
      const { train, test } = trainTestSplit(
        X.selectRows([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]),
        y.slice(0, 10),
        params,
      );
      return [train.indices.length, test.indices.length];
    };
    expect(sizes({ testSize: 0.25 })).toEqual([7, 3]);
    expect(sizes({ trainSize: 0.75 })).toEqual([7, 3]);
    expect(sizes({ testSize: 4 })).toEqual([6, 4]);
    expect(sizes({ trainSize: 0.5, testSize: 0.25 })).toEqual([5, 3]);
  });

  it("stratified gives both sets the class proportions of the whole", () => {
    const { train, test } = trainTestSplit(X, y, { testSize: 0.2, stratify: true });
    expect(share(train.y)).toBe(0.2);
    expect(share(test.y)).toBe(0.2);
    const byOther = trainTestSplit(X, new Float64Array(n), { testSize: 0.2, stratify: y });
    expect(share(Array.from(byOther.test.indices, (i) => y[i]!))).toBe(0.2);
  });

  it("without shuffling cuts the rows in order", () => {
    const { train, test } = trainTestSplit(X, y, { shuffle: false });
    expect([train.indices[0], train.indices.at(-1), test.indices[0], test.indices.at(-1)]).toEqual([
      0, 74, 75, 99,
    ]);
    expect(() => trainTestSplit(X, y, { shuffle: false, stratify: true })).toThrow(ParameterError);
  });

  it("handles a quarter of a million rows", () => {
    const many = new Float64Array(250_000);
    const labels = Array.from(many, (_, i) => i % 3 === 0);
    const { train } = trainTestSplit(many, labels, { stratify: true });
    expect(train.indices.length).toBe(187_500);
  });

  it("says what is wrong", () => {
    expect(() => trainTestSplit(X, y.slice(1))).toThrow(ShapeError);
    expect(() => trainTestSplit(X, y, { testSize: 1.5 })).toThrow(ParameterError);
    expect(() => trainTestSplit(X, y, { testSize: 100 })).toThrow(
      "trainTestSplit: the parts of 100 rows must be one row or more each, and no more rows together than there are, got train 0, test 100.",
    );
    expect(() => trainTestSplit(X, y, { testSize: 60, trainSize: 60 })).toThrow(DataError);
    expect(() => trainTestSplit([[1]], [1])).toThrow(DataError);
    expect(() => trainTestSplit(X, ["once", ...y.slice(1)], { stratify: true })).toThrow(
      'trainTestSplit: class "once" must be in 2 rows or more, to be in all parts, got 1.',
    );
    expect(() => trainTestSplit(X, y, { stratify: true, testSize: 1 })).toThrow(
      "the test part must be 2 rows or more",
    );
    expect(() => trainTestSplit(X, y, { stratify: "y" } as never)).toThrow(ParameterError);
  });
});

describe("trainValidationTestSplit", () => {
  it("is 70 / 15 / 15 with the class proportions kept", () => {
    const { train, validation, test } = trainValidationTestSplit(X, y, { stratify: true });
    expect([train, validation, test].map((part) => part.indices.length)).toEqual([70, 15, 15]);
    expect([train, validation, test].map((part) => share(part.y))).toEqual([0.2, 0.2, 0.2]);
    expect(new Set([...train.indices, ...validation.indices, ...test.indices]).size).toBe(n);
  });

  it("refuses parts that leave nothing to learn from", () => {
    expect(() => trainValidationTestSplit(X, y, { validationSize: 0.5, testSize: 0.5 })).toThrow(DataError);
  });
});
