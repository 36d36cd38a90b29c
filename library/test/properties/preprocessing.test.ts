import { describe, expect, it } from "vitest";
import { CsrMatrix, Matrix } from "../../src/data/index.js";
import { MinMaxScaler, StandardScaler } from "../../src/preprocessing/index.js";
import { fc } from "../support/properties.js";

/** Not subnormal: a mean of three subnormal numbers is itself rounded by a third. */
const value = fc.double({ min: -1e9, max: 1e9, noNaN: true }).map((v) => (Math.abs(v) < 1e-290 ? 0 : v));
const matrix = fc
  .tuple(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 4 }))
  .chain(([rows, cols]) =>
    fc.array(fc.array(value, { minLength: cols, maxLength: cols }), { minLength: rows, maxLength: rows }),
  );

const largest = (list: ArrayLike<number>) =>
  Array.from(list).reduce((most, v) => Math.max(most, Math.abs(v)), 0);

describe("scalers", () => {
  it("StandardScaler: columns of mean 0, and variance 1 or 0", () => {
    fc.assert(
      fc.property(matrix, (X) => {
        const Z = new StandardScaler().fitTransform(X);
        for (let j = 0; j < Z.cols; j++) {
          const column = Z.column(j);
          const mean = column.reduce((sum, z) => sum + z, 0) / column.length;
          const variance = column.reduce((sum, z) => sum + z * z, 0) / column.length;
          // Deviations from the mean carry the rounding of the column's own size, in units of its deviation.
          const scale = new StandardScaler().fit(X).scale[j]!;
          const rounding = 1e-14 * (1 + largest(X.map((row) => row[j]!)) / scale);
          expect(Math.abs(mean)).toBeLessThanOrEqual(rounding);
          expect(Math.min(Math.abs(variance - 1), variance)).toBeLessThanOrEqual(1e-9 + rounding);
        }
      }),
    );
  });

  it("StandardScaler: does not care where the origin is", () => {
    fc.assert(
      fc.property(matrix, fc.integer({ min: -1000, max: 1000 }), (X, shift) => {
        const whole = X.map((row) => row.map((v) => Math.round(v / 1e4)));
        const moved = whole.map((row) => row.map((v) => v + shift));
        const [a, b] = [whole, moved].map((x) => new StandardScaler().fitTransform(x));
        a!.data.forEach((z, e) => {
          expect(z).toBeCloseTo(b!.data[e]!, 7);
        });
      }),
    );
  });

  it("StandardScaler: sparse rows are scaled like dense ones", () => {
    const thin = matrix.map((X) => X.map((row) => row.map((v) => (Math.abs(v) < 5e8 ? 0 : v))));
    fc.assert(
      fc.property(thin, (X) => {
        const scaler = new StandardScaler({ withMean: false });
        const sparse = scaler.fitTransform(CsrMatrix.fromDense(Matrix.fromRows(X))).toDense();
        const dense = scaler.fitTransform(X);
        dense.data.forEach((z, e) => {
          expect(Math.abs(z - sparse.data[e]!)).toBeLessThanOrEqual(1e-9 * Math.max(1, Math.abs(z)));
        });
      }),
    );
  });

  it("MinMaxScaler: every column reaches both ends and never leaves them", () => {
    fc.assert(
      fc.property(matrix, (X) => {
        const Z = new MinMaxScaler().fitTransform(X);
        for (let j = 0; j < Z.cols; j++) {
          const column = Z.column(j);
          expect(Math.min(...column)).toBe(0);
          expect([0, 1]).toContain(Math.max(...column));
        }
      }),
    );
  });

  it.each([new StandardScaler(), new MinMaxScaler()])(
    "$id: inverse ∘ transform is the identity, up to rounding",
    (scaler) => {
      fc.assert(
        fc.property(matrix, (X) => {
          const model = scaler.fit(X);
          const back = model.inverseTransform(model.transform(X));
          back.data.forEach((v, e) => {
            const j = e % back.cols;
            const size = largest(X.map((row) => row[j]!));
            expect(Math.abs(v - X[Math.floor(e / back.cols)]![j]!)).toBeLessThanOrEqual(
              1e-14 * Math.max(1, size),
            );
          });
        }),
      );
    },
  );
});
