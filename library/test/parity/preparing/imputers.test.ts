import { CsrMatrix, KNNImputer, Matrix, MissingIndicator, SimpleImputer, Table } from "argmax";
import { describe, expect, it } from "vitest";
import { casesOf } from "../fixtures.js";

type Cell = string | number | null;

interface Expected {
  readonly cells: readonly (readonly Cell[])[];
  readonly asked: readonly (readonly Cell[])[];
  readonly sparse: boolean;
  readonly statistics: readonly Cell[];
  readonly transform: readonly (readonly Cell[])[];
  readonly names: readonly string[];
}

const is = (wanted: string) => (fixture: { readonly estimator: string }) => fixture.estimator === wanted;

const sparse = (rows: readonly (readonly Cell[])[]) =>
  CsrMatrix.fromDense(Matrix.fromRows(rows.map((row) => row.map((cell) => (cell ?? Number.NaN) as number))));

const rowsOf = (Z: Matrix | CsrMatrix | Table): Cell[][] => {
  if (Z instanceof Table) return Z.toRows().map((row) => Object.values(row) as Cell[]);
  return (Z instanceof CsrMatrix ? Z.toDense() : Z).toArray();
};

describe("SimpleImputer is scikit-learn's: statistics, values and names", () => {
  for (const { name, params, expected } of casesOf<Expected>("imputers").filter(is("SimpleImputer"))) {
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

describe("KNNImputer is scikit-learn's: values and names, ties and rows without neighbours included", () => {
  for (const { name, params, expected } of casesOf<Expected>("imputers").filter(is("KNNImputer"))) {
    it(name, () => {
      const model = new KNNImputer(params as never).fit(expected.cells);
      expect(model.featureNames()).toEqual(expected.names);
      const Z = model.transform(expected.asked).toArray();
      expect(Z.length).toBe(expected.transform.length);
      Z.forEach((row, i) => {
        row.forEach((value, j) => {
          // Means of a few numbers, in another order.
          expect(value, `row ${i}, column ${j}`).toBeCloseTo(expected.transform[i]![j] as number, 12);
        });
      });
    });
  }
});

describe("MissingIndicator is scikit-learn's", () => {
  for (const { name, params, expected } of casesOf<Expected>("imputers").filter(is("MissingIndicator"))) {
    it(name, () => {
      const read = (rows: Expected["cells"]) => (expected.sparse ? sparse(rows) : rows);
      const model = new MissingIndicator(params as never).fit(read(expected.cells));
      const Z: Matrix | CsrMatrix = model.transform(read(expected.asked));
      expect(Z instanceof CsrMatrix).toBe(expected.sparse);
      expect(rowsOf(Z)).toEqual(expected.transform);
      expect(model.featureNames()).toEqual(expected.names);
    });
  }
});
