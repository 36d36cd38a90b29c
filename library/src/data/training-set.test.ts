import { describe, expect, it } from "vitest";
import { DataError } from "../core/errors.js";
import { CsrMatrix } from "./csr-matrix.js";
import { Matrix } from "./matrix.js";
import { classificationSet, regressionSet } from "./training-set.js";

const X = [[1], [2], [3], [4]];
const y = ["a", "b", "c", "c"];

describe("classificationSet", () => {
  it("passes everything on when no weight is 0", () => {
    const matrix = Matrix.fromRows(X);
    const set = classificationSet("test", matrix, y, { sampleWeight: [1, 2, 3, 4] }, {}, null);
    expect(set.x).toBe(matrix);
    expect([...set.codes]).toEqual([0, 1, 2, 2]);
    expect([...set.weights!]).toEqual([1, 2, 3, 4]);
  });

  it("leaves out rows of weight 0, and classes that have no other", () => {
    const set = classificationSet("test", X, y, { sampleWeight: [2, 0, 0, 1] }, {}, null);
    expect((set.x as Matrix).toArray()).toEqual([[1], [4]]);
    expect(set.classes).toEqual(["a", "c"]);
    expect([...set.codes]).toEqual([0, 1]);
    expect([...set.weights!]).toEqual([2, 1]);
    expect(() => classificationSet("test", X, y, { sampleWeight: [0, 0, 1, 1] }, {}, null)).toThrow(
      'test: y must be labels of at least two classes, got only "c".',
    );
  });

  it("does the same for sparse rows", () => {
    const sparse = CsrMatrix.fromDense(Matrix.fromRows(X));
    const set = classificationSet("test", sparse, y, { sampleWeight: [0, 1, 1, 0] }, { sparse: true }, null);
    expect((set.x as CsrMatrix).toDense().toArray()).toEqual([[2], [3]]);
  });

  it("balances the classes by the weights that are left", () => {
    const set = classificationSet("test", X, y, { sampleWeight: [1, 0, 1, 1] }, {}, "balanced");
    // Two classes of weight 1 and 2: 3 / (2 × 1) and 3 / (2 × 2).
    expect([...set.weights!]).toEqual([1.5, 0.75, 0.75]);
  });

  it("still checks what has weight 0", () => {
    const rows = [[1], [Number.NaN], [3], [4]];
    expect(() => classificationSet("test", rows, y, { sampleWeight: [1, 0, 1, 1] }, {}, null)).toThrow(
      DataError,
    );
  });
});

describe("regressionSet", () => {
  it("leaves out rows of weight 0", () => {
    const set = regressionSet("test", X, [10, 20, 30, 40], { sampleWeight: [1, 0, 2, 0] }, {});
    expect((set.x as Matrix).toArray()).toEqual([[1], [3]]);
    expect([...set.y]).toEqual([10, 30]);
    expect([...set.weights!]).toEqual([1, 2]);
  });
});
