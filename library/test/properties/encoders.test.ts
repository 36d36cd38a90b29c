import { describe, expect, it } from "vitest";
import { CsrMatrix, Matrix } from "../../src/data/index.js";
import {
  KBinsDiscretizer,
  OneHotEncoder,
  OrdinalEncoder,
  PolynomialFeatures,
} from "../../src/preprocessing/index.js";
import { fc } from "../support/properties.js";

const cell = fc.oneof(fc.constantFrom("a", "b", "c", "__proto__", ""), fc.constant(null));
const cells = fc
  .tuple(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 4 }))
  .chain(([rows, cols]) =>
    fc.array(fc.array(cell, { minLength: cols, maxLength: cols }), { minLength: rows, maxLength: rows }),
  );
const numbers = fc
  .tuple(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 4 }))
  .chain(([rows, cols]) =>
    fc.array(
      fc.array(
        fc.integer({ min: -50, max: 50 }).map((v) => (v % 3 === 0 ? 0 : v / 4)),
        {
          minLength: cols,
          maxLength: cols,
        },
      ),
      { minLength: rows, maxLength: rows },
    ),
  );

describe("encoders", () => {
  it("give back the cells that went in", () => {
    fc.assert(
      fc.property(cells, fc.constantFrom(null, "first", "ifBinary" as const), (X, drop) => {
        const hot = new OneHotEncoder({ drop }).fit(X);
        expect(hot.inverseTransform(hot.transform(X))).toEqual(X);
        const ordinal = new OrdinalEncoder().fit(X);
        expect(ordinal.inverseTransform(ordinal.transform(X))).toEqual(X);
      }),
    );
  });

  it("have one 1 a column, at the place that ordinal codes say", () => {
    fc.assert(
      fc.property(cells, (X) => {
        const hot = new OneHotEncoder({ sparseOutput: false }).fit(X);
        const Z = hot.transform(X);
        for (let i = 0; i < Z.rows; i++) expect(Z.row(i).reduce((sum, z) => sum + z, 0)).toBe(X[0]!.length);
        expect(hot.featureNames().length).toBe(Z.cols);
      }),
    );
  });

  it("bins: larger numbers never fall into lower bins, and all bins are used by some number", () => {
    fc.assert(
      fc.property(numbers, fc.constantFrom("uniform", "quantile", "kmeans" as const), (X, strategy) => {
        const model = new KBinsDiscretizer({ strategy, encode: "ordinal", nBins: 3 }).fit(X);
        const Z = model.transform(X);
        for (let j = 0; j < Z.cols; j++) {
          const order = [...X.keys()].sort((a, b) => X[a]![j]! - X[b]![j]!);
          for (let r = 1; r < order.length; r++)
            expect(Z.at(order[r]!, j)).toBeGreaterThanOrEqual(Z.at(order[r - 1]!, j));
          expect(Z.at(order.at(-1)!, j)).toBe(model.nBins[j]! - 1);
        }
        expect(model.transform(model.inverseTransform(Z))).toEqual(Z);
      }),
    );
  });

  it("polynomial features: sparse rows are dense ones, and every output is its product", () => {
    fc.assert(
      fc.property(
        numbers,
        fc.integer({ min: 1, max: 4 }),
        fc.boolean(),
        fc.boolean(),
        (X, degree, interactionOnly, includeBias) => {
          const model = new PolynomialFeatures({ degree, interactionOnly, includeBias }).fit(X);
          const Z = model.transform(X);
          const sparse = model.transform(CsrMatrix.fromDense(Matrix.fromRows(X)));
          // A product with a zero is stored by neither side; −0 is the other zero.
          expect(sparse.toDense().toArray()).toEqual(Z.toArray().map((row) => row.map((z) => z + 0)));
          const { powers } = model;
          for (let o = 0; o < Z.cols; o++) {
            const product = X[0]!.reduce((value, x, j) => value * x ** powers.at(o, j), 1);
            expect(Z.at(0, o)).toBeCloseTo(product, 6);
          }
        },
      ),
    );
  });
});
