import { type CsrMatrix, type Matrix, MinMaxScaler, StandardScaler } from "argmax";
import { describe, it } from "vitest";
import { expectClose } from "../claims.js";
import { casesOf, dataOf, rowOf } from "../fixtures.js";

interface ScalerExpected {
  readonly mean?: readonly number[];
  readonly scale?: readonly number[];
  readonly dataMin?: readonly number[];
  readonly dataMax?: readonly number[];
  readonly rows: readonly number[];
  readonly transform: readonly (readonly number[])[];
}

// Means and deviations of a few hundred rows: only the order of summation differs.
const rounding = 1e-12;

describe("scalers are scikit-learn's", () => {
  for (const fixture of casesOf<ScalerExpected>("preprocessing")) {
    const { name, estimator, params, expected } = fixture;
    it(`${estimator} learns and applies the same shift and scale: ${name}`, async () => {
      const { X, fitOptions } = await dataOf<number>(fixture);
      let Z: Matrix | CsrMatrix;
      if (estimator === "StandardScaler") {
        const model = new StandardScaler(params as never).fit(X, undefined, fitOptions);
        if (expected.mean) expectClose(model.mean, expected.mean, rounding);
        if (expected.scale) expectClose(model.scale, expected.scale, rounding);
        Z = model.transform(X);
      } else {
        const model = new MinMaxScaler(params as never).fit(X);
        expectClose(model.dataMin, expected.dataMin!, 0);
        expectClose(model.dataMax, expected.dataMax!, 0);
        Z = model.transform(X);
      }
      expectClose(
        expected.rows.flatMap((i) => rowOf(Z, i)),
        expected.transform.flat(),
        rounding,
      );
    });
  }
});
