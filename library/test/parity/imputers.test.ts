import { CsrMatrix, Matrix, SimpleImputer, Table } from "argmax";
import { describe, expect, it } from "vitest";
import { casesOf } from "./fixtures.js";

type Cell = string | number | null;

interface Expected {
  readonly cells: readonly (readonly Cell[])[];
  readonly asked: readonly (readonly Cell[])[];
  readonly sparse: boolean;
  readonly statistics: readonly Cell[];
  readonly transform: readonly (readonly Cell[])[];
  readonly names: readonly string[];
}

const sparse = (rows: readonly (readonly Cell[])[]) =>
  CsrMatrix.fromDense(Matrix.fromRows(rows.map((row) => row.map((cell) => (cell ?? Number.NaN) as number))));

const rowsOf = (Z: Matrix | CsrMatrix | Table): Cell[][] => {
  if (Z instanceof Table) return Z.toRows().map((row) => Object.values(row) as Cell[]);
  return (Z instanceof CsrMatrix ? Z.toDense() : Z).toArray();
};

describe("SimpleImputer is scikit-learn's: statistics, values and names", () => {
  for (const { name, params, expected } of casesOf<Expected>("imputers")) {
    it(name, () => {
      const imputer = new SimpleImputer(params as never);
      const x = expected.sparse ? sparse(expected.cells) : expected.cells;
      const asked = expected.sparse ? sparse(expected.asked) : expected.asked;
      const model = imputer.fit(x);
      // Sums of six numbers that binary fractions hold: exact in any order.
      const known = expected.statistics.map((value, j) =>
        params.strategy !== "constant" && expected.cells.every((row) => row[j] === null) ? null : value,
      );
      expect(model.statistics).toEqual(known);
      const Z = model.transform(asked);
      expect(Z instanceof CsrMatrix).toBe(expected.sparse);
      expect(rowsOf(Z)).toEqual(expected.transform);
      expect(model.featureNames()).toEqual(expected.names);
    });
  }
});
