import type { Matrix } from "argmax";
import { CsrMatrix, MaxAbsScaler, PowerTransformer, QuantileTransformer, RobustScaler } from "argmax";
import { describe, expect, it } from "vitest";
import { expectClose } from "../claims.js";
import { type Answers, casesOf, dataOf, rowOf } from "../fixtures.js";

interface Expected extends Pick<Answers, "rows" | "transform" | "inverse"> {
  readonly center?: readonly number[];
  readonly scale?: readonly number[];
  readonly lambdas?: readonly number[];
}

const classes = { RobustScaler, MaxAbsScaler, PowerTransformer, QuantileTransformer } as const;

/** How far apart the transformed rows may be: the largest difference over the largest number. */
const tolerance: Readonly<Record<string, number>> = {
  // A quotient of two quantiles, each an interpolation.
  RobustScaler: 1e-14,
  MaxAbsScaler: 0,
  // The likelihood is flat at its maximum: λ is known to the square root of its rounding.
  PowerTransformer: 1e-6,
  // Φ⁻¹ has its own rounding on each side.
  QuantileTransformer: 1e-13,
};

describe("scalers and transformers to shape are scikit-learn's", () => {
  for (const fixture of casesOf<Expected>("scalers")) {
    const { name, estimator, params, expected } = fixture;
    it(`${name}`, async () => {
      const { X } = await dataOf<number>(fixture);
      const model = new classes[estimator as keyof typeof classes](params as never).fit(X);
      const Z = model.transform(X) as Matrix | CsrMatrix;
      expect(Z instanceof CsrMatrix).toBe(X instanceof CsrMatrix);
      const within = tolerance[estimator]!;
      const rows = (x: Matrix | CsrMatrix) => expected.rows.flatMap((i) => rowOf(x, i));
      expectClose(rows(Z), expected.transform.flat(), within);
      expectClose(
        rows(model.inverseTransform(Z) as Matrix | CsrMatrix),
        expected.inverse.flat(),
        within || 1e-15,
      );
      const learned = model as { center?: Float64Array; scale?: Float64Array; lambdas?: Float64Array };
      if (expected.center && params.withCentering !== false)
        expectClose(learned.center!, expected.center, 1e-14);
      if (expected.scale && params.withScaling !== false) expectClose(learned.scale!, expected.scale, 1e-13);
      if (expected.lambdas) expectClose(learned.lambdas!, expected.lambdas, 1e-5);
    });
  }
});
