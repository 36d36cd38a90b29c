import { describe, expect, it } from "vitest";
import { CsrMatrix, Matrix, Table } from "../../src/data/index.js";
import { fc } from "../support/properties.js";

const cell = fc.record({
  size: fc.option(fc.double({ noNaN: true }), { nil: null }),
  city: fc.option(fc.string(), { nil: null }),
  member: fc.option(fc.boolean(), { nil: null }),
});
const rows = fc.array(cell, { minLength: 1, maxLength: 20 });

describe("tables and matrices", () => {
  it("rows → table → rows is the identity", () => {
    fc.assert(
      fc.property(rows, (list) => {
        expect(Table.fromRows(list).toRows()).toEqual(list);
      }),
    );
  });

  it("selecting rows of a table selects the rows", () => {
    fc.assert(
      fc.property(rows, fc.array(fc.nat(), { maxLength: 9 }), (list, picks) => {
        const chosen = picks.map((pick) => pick % list.length);
        expect(Table.fromRows(list).selectRows(chosen).toRows()).toEqual(chosen.map((i) => list[i]));
      }),
    );
  });

  it("dense → sparse → dense is the identity, and so is transposing twice", () => {
    const number = fc.oneof(fc.constant(0), fc.integer({ min: -9, max: 9 }));
    const matrix = fc.array(fc.array(number, { minLength: 4, maxLength: 4 }), { minLength: 1, maxLength: 9 });
    fc.assert(
      fc.property(matrix, (X) => {
        const dense = Matrix.fromRows(X);
        const sparse = CsrMatrix.fromDense(dense);
        expect(sparse.toDense().toArray()).toEqual(X);
        expect(sparse.transpose().toDense().toArray()).toEqual(dense.transpose().toArray());
        expect(sparse.transpose().transpose()).toEqual(sparse);
      }),
    );
  });
});
