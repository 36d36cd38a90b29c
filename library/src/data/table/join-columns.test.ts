import { describe, expect, it } from "vitest";
import { CsrMatrix } from "../csr-matrix.js";
import { Matrix } from "../matrix.js";
import { joinColumns, selectColumns } from "./join-columns.js";

const a = Matrix.fromRows([
  [1, 0, 2],
  [0, 0, 3],
]);
const b = Matrix.fromRows([[0], [4]]);
const sparse = (x: Matrix) => CsrMatrix.fromDense(x);

describe("columns of matrices", () => {
  it.each([
    [[a, b], false],
    [[sparse(a), b], false],
    [[a, b], true],
    [[sparse(a), b], true],
    [[sparse(a), sparse(b)], true],
  ] as const)("stand side by side in any form (%#)", (blocks, asSparse) => {
    const joined = joinColumns(blocks, 2, asSparse);
    expect(joined instanceof CsrMatrix).toBe(asSparse);
    const dense = joined instanceof CsrMatrix ? joined.toDense() : joined;
    expect(dense.toArray()).toEqual([
      [1, 0, 2, 0],
      [0, 0, 3, 4],
    ]);
  });

  it("are chosen in any order, sparse ones as dense ones, with the entries of a row in order", () => {
    for (const chosen of [[2, 0], [0, 2], [1], []]) {
      const Z = selectColumns(sparse(a), chosen) as CsrMatrix;
      expect(Z.toDense()).toEqual(a.selectColumns(chosen));
      for (let i = 0; i < Z.rows; i++) {
        const row = [...Z.indices.slice(Z.indptr[i]!, Z.indptr[i + 1]!)];
        expect(row).toEqual([...row].sort((p, q) => p - q));
      }
    }
  });
});
